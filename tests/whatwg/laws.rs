//! Laws that hold for every input.

use quickcheck::{TestResult, quickcheck};
use relref::whatwg::{Base, ErrorKind, QueryCharset, Url, inspect, resolve as resolve_once};

use super::hrefs::{complete, parse};
use super::inputs::Pair;

/// Resolves a pair; `None` if there is no base or no result.
fn resolve(pair: &Pair) -> Option<String> {
    Base::new(&pair.base).ok()?.resolve(&pair.reference).ok()
}

/// Writes each escape twice, as no character encoding does.
const DOUBLED: QueryCharset = QueryCharset {
    name: "doubled",
    encode: |_, query, set, out| {
        for byte in query.bytes() {
            match set.contains(byte) {
                true => *out += &format!("%{byte:02X}%{byte:02X}"),
                false => out.push(char::from(byte)),
            }
        }
    },
};

quickcheck! {
    /// The fast path gives what the complete path gives: `inspect` always takes the complete path.
    fn the_fast_path_gives_what_the_complete_path_gives(pair: Pair) -> bool {
        let Ok(base) = Base::new(&pair.base) else { return true };
        let whole = complete(&pair.reference, Some(&base));
        let mut out = String::from("before ");
        let result = base.resolve_into(&pair.reference, &mut out);
        assert_eq!(result.is_err().then_some("before "), whole.is_err().then_some(&*out));
        // A base that must be parsed, and one that may not have to.
        for url in [&*format!(" {base}"), base.as_str()] {
            assert_eq!(Base::new(url).unwrap().resolve(&pair.reference), whole);
            assert_eq!(resolve_once(url, &pair.reference), whole);
            assert_eq!(Url::parse(url).unwrap().join(&pair.reference).map(String::from), whole);
        }
        assert_eq!(Base::from(base.url()), base);
        result.map(|()| out.split_off("before ".len())) == whole
    }

    /// The same for references of any length that are mostly characters to percent-encode.
    fn characters_are_encoded_as_by_the_complete_path(pair: Pair, picks: Vec<u8>, start: u8) -> bool {
        const STARTS: [&str; 8] = ["", "/", "../", "./", "?", "#", "//h.x/", "http://h.x/"];
        const PIECES: [&str; 32] = [
            "Ж", "日", "é", " ", "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "\u{7F}", "\"", "<", ">", "`", "{", "|", "^", "'", "a", "bc",
            "longer", "/", "/", ".", "/..", "/./", "%", "%2e", "%d0", "\\", "?", "#", "\t", ":",
        ];
        // Without some pieces: with a tab or backslash in each, few references would take the fast path.
        let count = [20, 24, 30, 32][picks.len() % 4];
        let pieces = picks.iter().map(|&pick| PIECES[usize::from(pick) % count]);
        let reference: String = [STARTS[usize::from(start % 8)]].into_iter().chain(pieces).collect();
        for base in [&pair.base, "http://h/a/b/c", "ws://h/", "file:///a/b", "https://h/é?q"] {
            let Ok(base) = Base::new(base) else { continue };
            for base in [base.clone(), base.query_charset(Some(DOUBLED))] {
                let mut out = String::from("before ");
                let result = base.resolve_into(&reference, &mut out).map(|()| out.split_off("before ".len()));
                assert_eq!((&*out, result), ("before ", complete(&reference, Some(&base))), "{base:?} + {reference:?}");
            }
            assert_eq!(parse(&format!("http://h{reference}")), complete(&format!("http://h{reference}"), None));
        }
        true
    }

    fn parsing_without_a_base_gives_what_the_complete_path_gives(pair: Pair) -> bool {
        parse(&pair.reference) == complete(&pair.reference, None) && parse(&pair.base) == complete(&pair.base, None)
    }

    fn a_url_parses_to_itself(pair: Pair) -> TestResult {
        let Some(href) = resolve(&pair) else { return TestResult::discard() };
        assert_eq!(parse(&href).as_ref(), Ok(&href));
        assert_eq!(Base::new(&href).unwrap().as_str(), href);
        assert_eq!(Base::new(&pair.base).unwrap().resolve(&href).as_ref(), Ok(&href));
        TestResult::from_bool(href.is_ascii())
    }

    fn relative_references_resolve_back(pair: Pair, other: Pair) -> TestResult {
        let Some(target) = resolve(&pair) else { return TestResult::discard() };
        for base in [&pair.base, &other.base] {
            let Ok(base) = Base::new(base) else { continue };
            let reference = base.relativize(&target);
            assert!(reference.len() <= target.len(), "{reference} for {target}");
            assert_eq!(base.resolve(&reference).as_ref(), Ok(&target), "{base:?}: {reference}");
        }
        TestResult::passed()
    }

    fn no_tail_of_the_url_is_a_shorter_reference(pair: Pair) -> TestResult {
        let Some(target) = resolve(&pair) else { return TestResult::discard() };
        let base = Base::new(&pair.base).unwrap();
        let reference = base.relativize(&target);
        let tails = (0..target.len()).map(|at| &target[at..]);
        let shortest = tails
            .filter(|tail| base.resolve(tail).as_ref() == Ok(&target))
            // No reference is made that only works with a validation error.
            .filter(|tail| inspect(tail, Some(&base)).errors.iter().all(|error| {
                !matches!(error.kind(), ErrorKind::SpecialSchemeMissingFollowingSolidus | ErrorKind::FileInvalidWindowsDriveLetter
                    | ErrorKind::FileInvalidWindowsDriveLetterHost)
            }))
            .map(str::len)
            .min();
        TestResult::from_bool(shortest.is_none_or(|shortest| reference.len() <= shortest))
    }

    fn errors_are_in_the_input_and_in_order(pair: Pair) -> bool {
        let Ok(base) = Base::new(&pair.base) else { return true };
        let inspection = inspect(&pair.reference, Some(&base));
        let positions: Vec<usize> = inspection.errors.iter().map(|error| error.position()).collect();
        let failure = inspection.url.as_ref().err().map(|error| error.position());
        positions.is_sorted()
            && positions.iter().chain(&failure).all(|&at| at <= pair.reference.len() && pair.reference.is_char_boundary(at))
    }

    /// A reference that is written as the URL Standard writes URLs, and has no error, resolves as RFC 3986 says.
    fn rfc_3986_agrees_on_serialized_urls(pair: Pair) -> TestResult {
        let (Ok(base), Some(target)) = (parse(&pair.base), resolve(&pair)) else { return TestResult::discard() };
        let rfc3986 = relref::Base::new(&base, relref::Rules::RFC3986).unwrap();
        let base = Base::new(&base).unwrap();
        let reference = rfc3986.relativize(&target);
        let has_drive_letter = base.as_str().starts_with("file:") || target.starts_with("file:");
        let is_rooted = |url: &str| url.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//"));
        if has_drive_letter || !is_rooted(base.as_str()) || !is_rooted(&target) {
            return TestResult::discard();
        }
        assert_eq!(rfc3986.resolve(&reference), *target);
        TestResult::from_bool(base.resolve(&reference).as_ref() == Ok(&target))
    }

    /// For references without a scheme and an authority in which the URL Standard percent-encodes no character, it and RFC 3986
    /// give the same.
    fn rfc_3986_agrees_on_plain_references(pair: Pair) -> TestResult {
        let Ok(base) = Base::new(&pair.base) else { return TestResult::discard() };
        let is_web = ["http:", "https:", "ws:", "wss:", "ftp:"].iter().any(|scheme| base.as_str().starts_with(scheme));
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-._~/?#@!$&()*+,;=[]|".contains(*c);
        let reference: String = pair.reference.chars().filter(is_plain).collect();
        if !is_web || reference.starts_with("//") {
            return TestResult::discard();
        }
        let rfc3986 = relref::Base::new(base.as_str(), relref::Rules::RFC3986).unwrap();
        assert_eq!(rfc3986.resolve(&reference), *complete(&reference, Some(&base)).unwrap(), "{base:?} + {reference}");
        TestResult::passed()
    }
}
