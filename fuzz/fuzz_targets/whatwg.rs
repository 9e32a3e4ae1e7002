//! Browsers' rules: the fast path gives what the complete path gives, results parse to themselves, short references come back.
//!
//! Input: options (not used), base, line break, reference.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::whatwg::{Base, Error, inspect, parse};
use relref_fuzz::{split_line, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((_, text)) = text(input) else { return Corpus::Reject };
    let (url, reference) = split_line(text);
    for url in [url, reference] {
        assert_eq!(parse(url), inspect(url, None).href, "{url:?}");
    }
    let base = match Base::new(url) {
        Ok(base) => base,
        Err(error) => {
            check_position(&error, url);
            assert_eq!(parse(url), Err(error));
            return Corpus::Reject;
        }
    };
    parses_to_itself(base.as_str());
    if let Some(target) = both_paths_agree(&base, reference) {
        parses_to_itself(&target);
        for target in [&*target, base.as_str()] {
            relativizing_comes_back(&base, target);
        }
    }
    Corpus::Keep
});

/// Checks that an error is at a character of its text, or at its end.
fn check_position(error: &Error, text: &str) {
    assert!(text.is_char_boundary(error.position()), "{error:?} in {text:?}");
}

/// Resolves in all ways, and checks that they agree: `inspect` and `resolve_by_states` never take the fast path.
fn both_paths_agree(base: &Base<'_>, reference: &str) -> Option<String> {
    let case = format!("{base:?} + {reference:?}");
    let inspection = inspect(reference, Some(base));
    for error in inspection.errors.iter().chain(inspection.href.as_ref().err()) {
        check_position(error, reference);
    }
    assert_eq!(base.resolve(reference), inspection.href, "{case}");
    assert_eq!(base.clone().into_owned().resolve(reference), inspection.href, "{case}");
    let (mut fast, mut whole) = (String::from("> "), String::from("> "));
    assert_eq!(base.resolve_into(reference, &mut fast), base.resolve_by_states(reference, &mut whole), "{case}");
    assert_eq!(fast, whole, "{case}");
    assert_eq!(fast[2..], *inspection.href.as_deref().unwrap_or_default(), "{case}");
    inspection.href.ok()
}

/// Checks that a serialized URL is ASCII, and is what its text parses to.
fn parses_to_itself(href: &str) {
    assert!(href.is_ascii(), "{href:?}");
    assert_eq!(parse(href).as_deref(), Ok(href));
    assert_eq!(Base::new(href).unwrap().as_str(), href);
    assert_eq!(Base::new(&format!(" {href}")).unwrap().as_str(), href);
}

/// Checks that a reference found by relativizing resolves back, and is not longer than its target.
fn relativizing_comes_back(base: &Base<'_>, target: &str) {
    let short = base.relativize(target);
    assert!(short.len() <= target.len(), "{target:?} from {base:?} = {short:?}");
    assert_eq!(base.resolve(&short).as_deref(), Ok(target), "{base:?} + {short:?}");
}
