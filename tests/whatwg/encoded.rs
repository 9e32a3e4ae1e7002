//! The percent-encoding that an inspection reports.

use quickcheck::quickcheck;
use relref::whatwg::{Base, EncodeSet, inspect};

use super::inputs::Pair;

#[test]
fn each_component_has_its_set() {
    let base = Base::new("http://h/").unwrap();
    for (input, expected) in [
        ("http://a<:b>@h/", "8..9 userinfo, 11..12 userinfo"),
        ("x://\u{e9}b/", "4..6 C0 control"),
        ("x:a \u{1}b #", "4..5 C0 control, 6..7 C0 control"),
        ("a\t \n{}b", "2..6 path"),
        ("a \tb", "1..2 path"),
        ("\u{e9}\n\u{e9}\r\n/x\ty\"", "0..5 path, 11..12 path"),
        ("?a'\"#'`", "2..4 special-query, 6..7 fragment"),
        ("x:/?'\"", "5..6 query"),
        (" %zz/a|b\u{2028} ", "8..11 path"),
        ("a", ""),
    ] {
        let encoded = inspect(input, Some(&base)).encoded;
        let found: Vec<String> = encoded
            .iter()
            .map(|one| {
                let set = one.set.name().strip_suffix(" percent-encode set").unwrap();
                format!("{}..{} {set}", one.range.start, one.range.end)
            })
            .collect();
        assert_eq!(found.join(", "), expected, "{input:?}");
    }
}

quickcheck! {
    /// All characters of a range are in the set of the range, apart from removed ones between them. Ranges ascend. Without such
    /// ranges, the result has no new escape.
    fn encoded_characters_are_in_their_set(pair: Pair) -> bool {
        let Pair { base, reference } = pair;
        let Ok(base) = Base::new(&base) else { return true };
        let inspection = inspect(&reference, Some(&base));
        let mut end = 0;
        let are_right = inspection.encoded.iter().all(|one| {
            let ascends = end <= one.range.start && one.range.start < one.range.end;
            end = one.range.end;
            let is_removed = |c| matches!(c, '\t' | '\r' | '\n');
            let text = &reference[one.range.clone()];
            let is_tight = text.trim_matches(is_removed) == text;
            let mut written = text.chars().filter(|c| !is_removed(*c));
            // The space at the end of an opaque path.
            let is_exempt = |c| c == ' ' && one.set == EncodeSet::C0Control;
            ascends && is_tight && written.all(|c| !c.is_ascii() || one.set.bytes().contains(c as u8) || is_exempt(c))
        });
        let escapes = |text: &str| text.matches('%').count();
        let is_new = inspection.url.is_ok_and(|url| escapes(url.as_str()) > escapes(&reference) + escapes(base.as_str()));
        are_right && (!is_new || !inspection.encoded.is_empty())
    }
}
