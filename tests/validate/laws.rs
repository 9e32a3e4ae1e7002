//! Agreement with a naive reader of the printed grammars, and laws for every text.

use quickcheck::quickcheck;
use relref::UriRef;
use relref::percent::iri_to_uri;
use relref::validate::Grammar::{self, *};

use super::bnf::{self, Bnf, is_derived};
use super::verdicts::{ABSOLUTE, REFERENCES, RELATIVE};
use crate::inputs::near_valid::{Near, SEEDS};

fn agrees(text: &str) -> bool {
    text.len() >= 64 || Grammar::ALL.iter().copied().all(|grammar| grammar.is_valid(text) == is_derived(text, grammar))
}

#[test]
fn every_grammar_is_of_one_kind() {
    let all = [&ABSOLUTE[..], &REFERENCES, &RELATIVE].concat();
    assert!(all.len() == Grammar::ALL.len() && Grammar::ALL.iter().all(|grammar| all.contains(grammar)));
}

/// The library and the print accept the same texts of up to three of the characters that matter for structure.
#[test]
fn short_texts_agree_with_the_print() {
    let alphabet = ["/", ":", "?", "#", "@", "%4a", ";", "=", "+", " ", "a", "1", "é", "\u{e000}"];
    for prefix in ["", "x:", "http://", "gopher://h"] {
        let mut texts = vec![String::from(prefix)];
        let mut start = 0;
        for _ in 0..3 {
            let end = texts.len();
            for at in start..end {
                texts.extend(alphabet.map(|part| texts[at].clone() + part));
            }
            start = end;
        }
        for text in texts {
            assert!(agrees(&text), "{text}");
        }
    }
}

#[test]
fn seeds_agree_with_the_print() {
    for text in SEEDS {
        assert!(agrees(text), "{text}");
        assert!(Grammar::ALL.iter().copied().any(|grammar| grammar.is_valid(text)) || text.contains("%25eth0"));
    }
}

#[test]
fn the_print_has_the_defects() {
    // To the letter, without the decided defects.
    let generic = Bnf::new(&[bnf::COMMON, bnf::RFC1630_GENERIC]);
    let specific = Bnf::new(&[bnf::COMMON, bnf::RFC1630_SPECIFIC]);
    for text in ["magic://a/b", "x:abc", "x:a//b", "http://h:80/"] {
        assert!(!generic.derives("fragmentaddress", text) && Rfc1630Generic.is_valid(text), "{text}");
    }
    assert!(generic.derives("fragmentaddress", "x%41@y:ab"));
    assert!(specific.derives("nntpaddress", "nntp:a/1") && !specific.derives("nntpaddress", "nntp://h/a/1"));
    assert!(!specific.derives("ftpaddress", "ftp://h/a;type=I") && specific.derives("ftpaddress", "ftp://h/aI"));
    assert!(!specific.derives("httpaddress", "http://h?a=b"));
    // URL7 and the draft, to the letter.
    let url7 = Bnf::new(&[bnf::COMMON, bnf::URL7]);
    for (text, printed) in [("x:abc", false), ("x:a//b", false), ("1x:a", true), ("mailto::a@b", true), ("x: b", true)]
    {
        assert_eq!((url7.derives("url", text), Url7Url.is_valid(text)), (printed, text != "1x:a"), "{text}");
    }
    // RFC 2396 C.1 resolves `?y`.
    let rfc2396 = Bnf::new(&[bnf::COMMON, bnf::RFC2396]);
    assert!(!rfc2396.derives("URI-reference", "?y") && Rfc2396Reference.is_valid("?y"));
    assert!(!rfc2396.derives("absoluteURI", "x:") && Rfc2396Uri.validate("x:").is_err());
    // RFC 1808, whose segments contain colons.
    let rfc1808 = Bnf::new(&[bnf::COMMON, bnf::RFC1808]);
    assert!(rfc1808.derives("relativeURL", "http://h/") && Rfc1808Relative.validate("http://h/").is_err());
    assert!(rfc1808.derives("absoluteURL", "1x:a") && Rfc1808Absolute.validate("1x:a").is_err());
    assert!(
        specific.derives("httpaddress", "http://u@h%41../") && !specific.derives("httpaddress", "http://3com.com/")
    );
}

quickcheck! {
    /// The library and the naive reader of the print accept the same texts.
    fn agrees_with_the_print(near: Near) -> bool {
        agrees(&near.0)
    }

    /// A valid text splits, and the error of any other has a position in the text.
    fn valid_texts_split(near: Near) -> bool {
        Grammar::ALL.iter().copied().all(|grammar| match grammar.validate(&near.0) {
            Ok(()) => match UriRef::new(&near.0).scheme() {
                Some(_) => !RELATIVE.contains(&grammar),
                None => !ABSOLUTE.contains(&grammar),
            },
            Err(error) => near.0.is_char_boundary(error.position()),
        })
    }

    /// The text before the position of an error is valid or only too short. (This does not hold if there is an `@`, because the
    /// text before it is then read in another way.)
    fn errors_are_at_the_first_bad_byte(near: Near) -> bool {
        Grammar::ALL.iter().copied().all(|grammar| {
            let Err(error) = grammar.validate(&near.0) else { return true };
            let cut = &near.0[..error.position()];
            near.0.contains('@') || grammar.validate(cut).err().is_none_or(|error| error.position() == cut.len())
        })
    }

    /// RFC 1630: the generic production accepts the URIs that the specific ones accept, except those with an empty word in a
    /// search.
    fn rfc1630_urls_are_generic(near: Near) -> bool {
        let text = &near.0;
        let query = UriRef::new(text).query();
        let void_word = query.is_some_and(|query| query.split('+').any(str::is_empty));
        Rfc1630Url.validate(text).is_err() || void_word || Rfc1630Generic.is_valid(text)
    }

    /// RFC 1738: every `url` is a `genericurl`.
    fn rfc1738_urls_are_generic(near: Near) -> bool {
        Rfc1738Url.validate(&near.0).is_err() || Rfc1738Generic.is_valid(&near.0)
    }

    /// URL7 and its draft: every `url` is a `fragmentaddress`, except that in the draft, a search may have a void word.
    fn early_urls_are_generic(near: Near) -> bool {
        let text = &near.0;
        let query = UriRef::new(text).query();
        let void_word = query.is_some_and(|query| query.split('+').any(str::is_empty));
        let of_draft = DraftWwwUri00Url.validate(text).is_err() || void_word || DraftWwwUri00Generic.is_valid(text);
        of_draft && (Url7Url.validate(text).is_err() || Url7Generic.is_valid(text))
    }

    /// RFC 1808: an absolute URL is a `genericurl` of RFC 1738; a `generic-RL` is absolute; each kind is a `URL`.
    fn rfc1808_kinds(near: Near) -> bool {
        let is = |grammar: Grammar| grammar.is_valid(&near.0);
        let has_fragment = UriRef::new(&near.0).fragment().is_some();
        is(Rfc1808Absolute) == is(Rfc1738Generic)
            && (!is(Rfc1808Generic) || is(Rfc1808Absolute))
            && (is(Rfc1808Absolute) || is(Rfc1808Relative)) == (is(Rfc1808Url) && !has_fragment)
    }

    /// RFC 2396: a reference without a fragment is a URI, relative or empty.
    fn rfc2396_kinds(near: Near) -> bool {
        let is = |grammar: Grammar| grammar.is_valid(&near.0);
        let is_whole = is(Rfc2396Reference) && !near.0.contains('#') && !near.0.is_empty();
        is_whole == (is(Rfc2396Uri) || is(Rfc2396Relative))
    }

    /// RFC 3986 and RFC 3987: a URI or IRI is a reference with a scheme.
    fn uris_are_references(near: Near) -> bool {
        let has_scheme = UriRef::new(&near.0).scheme().is_some();
        let is = |grammar: Grammar| grammar.is_valid(&near.0);
        is(Rfc3986Uri) == (is(Rfc3986Reference) && has_scheme) && is(Rfc3987Iri) == (is(Rfc3987Reference) && has_scheme)
    }

    /// RFC 3987 §3.1: a URI is an IRI, an IRI becomes a URI, and a URI stays.
    fn iris_map_to_uris(near: Near) -> bool {
        let uri = iri_to_uri(&near.0);
        let is = |text: &str, grammar: Grammar| grammar.is_valid(text);
        (is(&near.0, Rfc3986Reference) == (is(&near.0, Rfc3987Reference) && near.0.is_ascii()))
            && (!is(&near.0, Rfc3987Reference) || is(&uri, Rfc3986Reference))
            && (!is(&near.0, Rfc3987Iri) || is(&uri, Rfc3986Uri))
            && (!is(&near.0, Rfc3986Reference) || matches!(uri, std::borrow::Cow::Borrowed(_)))
            && uri.is_ascii()
            && iri_to_uri(&uri) == uri
    }
}
