//! Browsers' rules: the fast path gives what the complete path gives, results parse to themselves, short references come back,
//! setters make no text that parses to another URL.
//!
//! Input: options (the attributes that are set), base, line break, reference.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::whatwg::{Attribute, Base, Error, Url, inspect, resolve};
use relref_fuzz::{split_line, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, text)) = text(input) else { return Corpus::Reject };
    let (url, reference) = split_line(text);
    for url in [url, reference] {
        assert_eq!(Url::parse(url), inspect(url, None).url, "{url:?}");
    }
    let base = match Base::new(url) {
        Ok(base) => base,
        Err(error) => {
            check_position(&error, url);
            assert_eq!(Url::parse(url), Err(error));
            return Corpus::Reject;
        }
    };
    parses_to_itself(base.as_str());
    setters_keep_the_text_a_url(&base, bits, reference);
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
fn both_paths_agree(base: &Base, reference: &str) -> Option<String> {
    let case = format!("{base:?} + {reference:?}");
    let inspection = inspect(reference, Some(base));
    for error in inspection.errors.iter().chain(inspection.url.as_ref().err()) {
        check_position(error, reference);
    }
    let href = inspection.url.map(String::from);
    assert_eq!(base.resolve(reference), href, "{case}");
    assert_eq!(resolve(base, reference), href, "{case}");
    assert_eq!(base.url().join(reference).map(String::from), href, "{case}");
    let (mut fast, mut whole) = (String::from("> "), String::from("> "));
    assert_eq!(base.resolve_into(reference, &mut fast), base.resolve_by_states(reference, &mut whole), "{case}");
    assert_eq!(fast, whole, "{case}");
    assert_eq!(fast[2..], *href.as_deref().unwrap_or_default(), "{case}");
    href.ok()
}

/// Checks that a serialized URL is ASCII, and is what its text parses to.
fn parses_to_itself(href: &str) {
    assert!(href.is_ascii(), "{href:?}");
    assert_eq!(Url::parse(href).map(String::from).as_deref(), Ok(href));
    assert_eq!(Base::new(href).unwrap().as_str(), href);
    assert_eq!(Base::new(format!(" {href}")).unwrap().as_str(), href);
}

/// Checks that a reference found by relativizing resolves back, and is not longer than its target.
fn relativizing_comes_back(base: &Base, target: &str) {
    let short = base.relativize(target);
    assert!(short.len() <= target.len(), "{target:?} from {base:?} = {short:?}");
    assert_eq!(base.resolve(&short).as_deref(), Ok(target), "{base:?} + {short:?}");
}

/// Sets two attributes, which the lowest bits choose, to parts of a value. Checks that the text then parses to the same URL, and that
/// nothing changes with an error.
fn setters_keep_the_text_a_url(base: &Base, bits: u32, value: &str) {
    let mut url = base.url().to_owned();
    let half = (0..=value.len() / 2).rev().find(|&at| value.is_char_boundary(at)).unwrap_or_default();
    for (shift, value) in [(0, &value[..half]), (4, &value[half..]), (0, value)] {
        let attribute = Attribute::ALL[(bits >> shift & 0xF) as usize % Attribute::ALL.len()];
        let before = url.clone();
        let done = url.set(attribute, value);
        assert!(done.is_ok() || url == before, "{attribute} {value:?} of {before}");
        let parsed = Url::parse(url.as_str()).unwrap();
        for &attribute in Attribute::ALL {
            assert_eq!(parsed.get(attribute), url.get(attribute), "{attribute} {value:?} of {before}");
        }
        if let Err(error) = done {
            check_position(&error, value);
        }
    }
}
