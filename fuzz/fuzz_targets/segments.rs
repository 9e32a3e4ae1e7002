//! Segments: what `push`, `pop`, `parent` and `remove_dots` do to them, and that resolving does the same.
//!
//! Input: options, path.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::{Base, Rules, Segments};
use relref_fuzz::{all_rules, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, path)) = text(input) else { return Corpus::Reject };
    let segments = Segments::new(path);
    assert!(segments.to_string() == path && segments.iter().copied().eq(path.split('/')));
    let mut changed = segments.clone();
    changed.push("x");
    assert_eq!(changed.to_string(), format!("{path}/x"));
    assert!(changed.pop() == Some("x") && changed == segments);
    assert_eq!(changed.pop(), path.rsplit('/').next());
    assert_eq!(changed.to_string(), path.rsplit_once('/').map_or("", |(before, _)| before));

    for rules in all_rules(bits) {
        let mut removed = segments.clone();
        removed.remove_dots(rules);
        let without = removed.to_string();
        let mut again = Segments::new(&without);
        again.remove_dots(rules);
        assert_eq!(again.to_string(), without, "{rules}: {path:?}");
        parent_is_two_dots(&without, rules);
        resolving_agrees(path, rules);
    }
    Corpus::Keep
});

/// Checks that, for a directory without dot segments, `parent` gives what `..` after it gives.
fn parent_is_two_dots(directory: &str, rules: Rules) {
    let mut segments = Segments::new(directory);
    let is_run = rules.slashes != relref::Slashes::Components && directory.ends_with('/') && segments.len() > 1;
    let removed = segments.remove_last(rules);
    let expected = match (removed, rules.drop_surplus && !is_run) {
        (Some(_), _) if segments.is_empty() => String::new(),
        (Some(_), _) | (None, true) => format!("{segments}/"),
        (None, false) => format!("{segments}/.."),
    };
    let dots = format!("{directory}/..");
    let mut segments = Segments::new(&dots);
    segments.remove_dots(rules);
    assert_eq!(segments.to_string(), expected, "{rules}: parent of {directory:?} is {removed:?}");
}

/// Checks that resolving removes the same dot segments of a path with only a scheme and a host before it.
fn resolving_agrees(path: &str, rules: Rules) {
    let path = path.trim_start_matches('/');
    let has_scheme = relref::UriRef::new(path).scheme().is_some();
    if path.is_empty() || has_scheme || path.contains(['?', '#']) || (rules.params && path.contains(';')) {
        return;
    }
    let rooted = format!("/{path}");
    let mut segments = Segments::new(&rooted);
    segments.remove_dots(rules);
    let base = Base::new("s://h/", rules).unwrap();
    assert_eq!(base.resolve(path).path(), segments.to_string(), "{rules}: {path:?}");
    if rules.rooted_dots {
        assert_eq!(base.resolve(&rooted).path(), segments.to_string(), "{rules}: {rooted:?}");
    }
}
