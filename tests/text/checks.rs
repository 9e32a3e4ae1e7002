//! Laws for every text. The fuzz target checks them, too.

use std::borrow::Cow;
use std::ops::Range;

use relref::UriRef;
use relref::percent::{ByteSet, encode_with};
use relref::text::{Wrapped, find_wrapped, strip_prefix, wrap};

/// Reports whether a character is white space to a wrapper.
fn is_white(c: char) -> bool {
    " \t\r\n\x0C".contains(c)
}

/// Checks the URIs that are found in a text. The naive search finds the same. Ranges are valid and follow each other. Every URI has
/// a scheme and no white space, and is borrowed if it occurs in the text in one piece.
pub fn check_found(text: &str) {
    let mut all = find_wrapped(text);
    let found: Vec<_> = all.by_ref().collect();
    assert!(all.next().is_none() && all.next().is_none());
    let mut before = 0;
    for found in &found {
        let wrapper = &text[found.range.clone()];
        assert!(before <= found.range.start && wrapper.starts_with('<') && wrapper.ends_with('>'), "{found:?}");
        before = found.range.end;
        for uri in [Some(&*found.uri), found.without_hyphens.as_deref()].into_iter().flatten() {
            assert!(UriRef::new(uri).scheme().is_some() && !uri.contains(is_white), "{found:?}");
        }
        let is_there = text[found.range.start + 1..found.range.end - 1].trim_ascii_end().ends_with(&*found.uri);
        assert_eq!(matches!(found.uri, Cow::Borrowed(_)), is_there, "{found:?}");
    }
    let of = |found: Wrapped<'_>| (found.range, found.uri.into_owned(), found.prefixed, found.without_hyphens);
    assert_eq!(found.into_iter().map(of).collect::<Vec<_>>(), search(text));
    if let Some(rest) = strip_prefix(text) {
        assert!(text.ends_with(rest) && text[..4].eq_ignore_ascii_case("url:"));
    }
}

/// Finds the URIs naively: from each `>` back to its `<`, character by character. Returns the range, the URI, true if it has a
/// prefix, and the URI without hyphens at the end of lines, if it has such hyphens.
fn search(text: &str) -> Vec<(Range<usize>, String, bool, Option<String>)> {
    let mut found = Vec::new();
    for (end, _) in text.match_indices('>') {
        let Some(start) = text[..end].rfind(['<', '>', '"']).filter(|&at| text[at..].starts_with('<')) else {
            continue;
        };
        let inside = text[start + 1..end].trim_start_matches(is_white);
        let prefixed = inside.to_ascii_lowercase().starts_with("url:");
        let uri = if prefixed { inside[4..].trim_start_matches(is_white) } else { inside };
        let Some((scheme, _)) = uri.split_once(':') else { continue };
        let is_legal = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(is_legal) {
            continue;
        }
        if uri.chars().any(|c| c.is_ascii_control() && !is_white(c)) {
            continue;
        }
        let cleaned: String = uri.chars().filter(|&c| !is_white(c)).collect();
        let ends_line = |at: usize| {
            let after = &uri[at + 1..];
            let gap = &after[..after.find(|c| !is_white(c)).unwrap_or(after.len())];
            gap.contains(['\r', '\n', '\x0C'])
        };
        let kept = uri.char_indices().filter(|&(at, c)| !is_white(c) && (c != '-' || !ends_line(at)));
        let without = kept.map(|(_, c)| c).collect::<String>();
        let differs = without != cleaned;
        found.push((start..end + 1, cleaned, prefixed, differs.then_some(without)));
    }
    found
}

/// Returns the URI that a search must find after `uri` was wrapped: characters that a wrapper cannot have are percent-encoded.
pub fn wrapped(uri: &str) -> Cow<'_, str> {
    encode_with(uri, ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#%{}|\\^~[]`"))).into()
}

/// Checks that a URI is found after it was wrapped at this width. `before` and `after` are texts around it, which must
/// have no angle brackets.
pub fn check_wrapped(uri: &str, width: usize, before: &str, after: &str) {
    let wrapper = wrap(uri, width);
    let encoded = wrapped(uri);
    assert_eq!(wrapper.replace('\n', ""), format!("<URL:{encoded}>"));
    assert!(!wrapper.contains("-\n") && !wrapper.contains("\n>") && !wrapper.contains("\n\n"), "{wrapper:?}");
    if UriRef::new(uri).scheme().is_none() {
        return;
    }
    let text = format!("{before}{wrapper}{after}");
    let found: Vec<_> = find_wrapped(&text).collect();
    assert_eq!(found.len(), 1, "{text:?}");
    assert!(found[0].uri == encoded && found[0].prefixed && found[0].without_hyphens.is_none(), "{text:?}");
    assert_eq!(found[0].range, before.len()..before.len() + wrapper.len(), "{text:?}");
}
