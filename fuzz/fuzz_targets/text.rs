//! URIs in running text: what `unwrap` finds, by another way too, and what `wrap` writes.
//!
//! Input: options (the low byte is the width), a text.

#![no_main]

use std::borrow::Cow;
use std::ops::Range;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::UriRef;
use relref::percent::{ByteSet, encode};
use relref::text::{strip_prefix, unwrap, wrap};
use relref_fuzz::{text, two};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, text)) = text(input) else { return Corpus::Reject };
    what_is_found(text);
    let (before, rest) = two(text);
    let (uri, after) = two(rest);
    let [before, after] = [before, after].map(|prose| prose.replace(['<', '>'], "-"));
    let width = bits as usize & 0xff;
    for uri in [uri.to_string(), format!("x-y:{uri}")] {
        for width in [width, width % 24, usize::MAX] {
            what_was_wrapped_is_found(&uri, width, &before, &after);
        }
    }
    Corpus::Keep
});

/// Reports whether a character is white space to a wrapper.
fn is_white(c: char) -> bool {
    " \t\r\n\x0C".contains(c)
}

fn what_is_found(text: &str) {
    let mut all = unwrap(text);
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
    let of =
        |found: relref::text::Wrapped<'_>| (found.range, found.uri.into_owned(), found.prefixed, found.without_hyphens);
    assert_eq!(found.into_iter().map(of).collect::<Vec<_>>(), oracle(text));
    if let Some(rest) = strip_prefix(text) {
        assert!(text.ends_with(rest) && text[..4].eq_ignore_ascii_case("url:"));
    }
}

/// Finds the same from each `>` back to its `<`, character by character, as `oracle` in tests/text/oracle.rs.
fn oracle(text: &str) -> Vec<(Range<usize>, String, bool, Option<String>)> {
    let mut found = Vec::new();
    for (end, _) in text.match_indices('>') {
        let Some(start) = text[..end].rfind(['<', '>', '"']).filter(|&at| text[at..].starts_with('<')) else {
            continue;
        };
        let inside = text[start + 1..end].trim_start_matches(is_white);
        let prefixed = inside.to_ascii_lowercase().starts_with("url:");
        let uri = if prefixed { inside[4..].trim_start_matches(is_white) } else { inside };
        if UriRef::new(uri).scheme().is_none() || uri.chars().any(|c| c.is_ascii_control() && !is_white(c)) {
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

fn what_was_wrapped_is_found(uri: &str, width: usize, before: &str, after: &str) {
    let wrapper = wrap(uri, width);
    let encoded = encode(uri, ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#%{}|\\^~[]`"))).to_string();
    assert_eq!(wrapper.replace('\n', ""), format!("<URL:{encoded}>"));
    assert!(!wrapper.contains("-\n") && !wrapper.contains("\n>") && !wrapper.contains("\n\n"), "{wrapper:?}");
    if UriRef::new(uri).scheme().is_none() {
        return;
    }
    let text = format!("{before}{wrapper}{after}");
    let found: Vec<_> = unwrap(&text).collect();
    assert_eq!(found.len(), 1, "{text:?}");
    assert!(found[0].uri == encoded && found[0].prefixed && found[0].without_hyphens.is_none(), "{text:?}");
    assert_eq!(found[0].range, before.len()..before.len() + wrapper.len(), "{text:?}");
}
