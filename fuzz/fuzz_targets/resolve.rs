//! Resolving and relativizing, under the six documents' rules, these made non-strict, and any mix of them.
//!
//! Input: options, base, line break, reference.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::{Base, Rules, UriRef, resolve};
use relref_fuzz::{all_rules, check_error, split_line, text};

#[path = "../../tests/engine/oracle.rs"]
mod oracle;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, text)) = text(input) else { return Corpus::Reject };
    let (base, reference) = split_line(text);
    if let Err(error) = Base::new(base, Rules::RFC3986) {
        check_error(&error, base);
        assert!(UriRef::new(base).scheme().is_none() && Base::new(String::from(base), Rules::RFC3986).is_err());
        return Corpus::Reject;
    }
    for rules in all_rules(bits) {
        results_reparse(base, reference, rules);
        dots_stay_below_the_authority(base, reference, rules);
        relativizing_comes_back(base, reference, rules);
    }
    for &rules in Rules::ALL {
        let result = resolve(base, reference, rules).unwrap();
        assert_eq!(result, oracle::resolve(base, reference, rules), "{rules}: {base:?} + {reference:?}");
        nested_hosts_stay(base, reference, rules);
    }
    Corpus::Keep
});

/// Checks that a result has the components into which its text splits, and that all ways to get the text agree.
fn results_reparse(base: &str, reference: &str, rules: Rules) {
    let ready = Base::new(base, rules).unwrap();
    let result = ready.resolve(reference);
    let text = result.to_string();
    let case = format!("{rules}: {base:?} + {reference:?} = {result:?}, {text:?}");
    let again = UriRef::new(&text);
    assert_eq!(again.scheme(), Some(result.scheme()), "{case}");
    assert_eq!(again.authority(), result.authority(), "{case}");
    assert_eq!(again.path(), result.path(), "{case}");
    assert_eq!(again.query(), result.query(), "{case}");
    assert_eq!(again.fragment(), result.fragment(), "{case}");

    let mut into = String::from("> ");
    ready.resolve_into(reference, &mut into);
    assert_eq!(into[2..], text, "{case}");
    result.append_to(&mut into);
    assert_eq!(into[2 + text.len()..], text, "{case}");
    assert_eq!(result.len(), text.len(), "{case}");
    assert!(result == *text && result == text.as_str() && result == ready.resolve(reference), "{case}");
    assert!(result != *format!("{text}x") && result != text[..text.len() - text.chars().last().unwrap().len_utf8()]);
    assert_eq!(String::from(result), text, "{case}");
    assert_eq!(resolve(base, reference, rules).as_deref(), Ok(&*text), "{case}");
    assert_eq!(Base::new(String::from(base), rules).unwrap().resolve(reference), *text, "{case}");

    let why = ready.explain(reference);
    assert!(why.uri == *text && !why.steps.is_empty() && why.to_string().ends_with(&text), "{case}: {why}");
    for run in why.steps.iter().filter_map(|step| step.action.run()) {
        let (before, after) = (&base[..run.start], &base[run.end..]);
        let is_whole = !before.ends_with('/') && !after.starts_with('/');
        assert!(is_whole && !run.is_empty() && base[run].bytes().all(|byte| byte == b'/'), "{case}: {why}");
    }
}

/// Checks that no relative path changes the authority.
fn dots_stay_below_the_authority(base: &str, reference: &str, rules: Rules) {
    let base = Base::new(base, rules).unwrap();
    let reference = format!("../../../../../{}", reference.trim_start_matches('/'));
    let result = base.resolve(&reference).to_string();
    assert_eq!(UriRef::new(&result).authority(), base.uri().authority(), "{base:?} + {reference:?} = {result:?}");
}

/// Checks that no relative path removes a host inside the path, by rules with slash levels.
fn nested_hosts_stay(base: &str, reference: &str, rules: Rules) {
    let uri = UriRef::new(base);
    let (Some(scheme), Some(host)) = (uri.scheme(), uri.authority().filter(|host| !host.is_empty())) else { return };
    if ![Rules::RFC1630, Rules::DRAFT_WWW_URI_00].contains(&rules) {
        return;
    }
    let nested = format!("http://archive/web/{base}");
    let reference = format!("../../../../../{}", reference.trim_start_matches('/'));
    let result = resolve(&nested, &reference, rules).unwrap();
    let kept = format!("http://archive/web/{scheme}://{host}");
    assert!(result.starts_with(&kept), "{rules}: {nested:?} + {reference:?} = {result:?}");
}

/// Checks that a reference found by relativizing resolves back to the target, is not longer than a target that resolves to itself,
/// and is the one that the search through all forms finds.
fn relativizing_comes_back(base: &str, reference: &str, rules: Rules) {
    let ready = Base::new(base, rules).unwrap();
    let resolved = ready.resolve(reference).to_string();
    // Without parameters, counting them apart changes nothing but that the fast way is not taken.
    let slow = [base, reference].iter().all(|text| !text.contains(';')).then_some(Rules { params: true, ..rules });
    let slow = slow.map(|rules| Base::new(base, rules).unwrap());
    for (target, is_resolved) in [(&*resolved, true), (base, false), (reference, false)] {
        let short = ready.relativize(target);
        let back = ready.resolve(&short).to_string();
        let is_stable = ready.resolve(target) == *target;
        let case = format!("{rules}: {target:?} from {base:?} = {short:?}, back {back:?}");
        assert!(back == target || (!is_resolved && !is_stable && short == target), "{case}");
        assert!(short.len() <= target.len() || !is_stable, "{case}");
        if let Some(slow) = slow.as_ref().filter(|_| !rules.params) {
            assert_eq!(short, slow.relativize(target), "{case}");
        }
    }
}
