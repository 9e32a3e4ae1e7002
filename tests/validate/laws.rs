//! Agreement with a naive reader of the printed grammars, and laws for every text.

use std::sync::LazyLock;

use quickcheck::quickcheck;
use relref::UriRef;
use relref::validate::Grammar::*;
use relref::validate::{Grammar, validate};

use super::bnf::{self, Bnf};
use crate::inputs::near_valid::{Near, SEEDS};

static GENERIC_1630: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1630_GENERIC, bnf::RFC1630_GENERIC_DECIDED]));
static SPECIFIC_1630: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1630_SPECIFIC, bnf::RFC1630_SPECIFIC_DECIDED]));
static BOTH_1738: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1738, bnf::RFC1738_DECIDED]));

/// Reports whether a text is valid by the printed grammar, with our readings of its defects.
fn derived(text: &str, grammar: Grammar) -> bool {
    // A scheme is read in either case.
    let end = UriRef::new(text).scheme().map_or(0, str::len);
    let text = text[..end].to_ascii_lowercase() + &text[end..];
    let listed = |schemes: &str| schemes.split(' ').any(|scheme| scheme == &text[..end]);
    let ip = "http ftp gopher news nntp telnet wais mailto prospero";
    match grammar {
        Rfc1630Generic => GENERIC_1630.derives("fragmentaddress", &text),
        Rfc1630Url if listed(ip) || listed("mid cid") => SPECIFIC_1630.derives("url", &text),
        Rfc1630Url => GENERIC_1630.derives("uri", &text),
        Rfc1738Url if listed(ip) || listed("file") => BOTH_1738.derives("listed", &text),
        Rfc1738Generic | Rfc1738Url => BOTH_1738.derives("genericurl", &text),
        _ => unreachable!("printed in RFC 3986"),
    }
}

fn agrees(text: &str) -> bool {
    let grammars = [Rfc1630Generic, Rfc1630Url, Rfc1738Generic, Rfc1738Url];
    text.len() >= 64 || grammars.into_iter().all(|grammar| validate(text, grammar).is_ok() == derived(text, grammar))
}

#[test]
fn seeds_agree_with_the_print() {
    for text in SEEDS {
        assert!(agrees(text), "{text}");
        assert!(Grammar::ALL.into_iter().any(|grammar| validate(text, grammar).is_ok()) || text.contains("%25eth0"));
    }
}

#[test]
fn the_print_has_the_defects() {
    // To the letter, without the decided defects.
    let generic = Bnf::new(&[bnf::COMMON, bnf::RFC1630_GENERIC]);
    let specific = Bnf::new(&[bnf::COMMON, bnf::RFC1630_SPECIFIC]);
    for text in ["magic://a/b", "x:abc", "x:a//b", "http://h:80/"] {
        assert!(!generic.derives("fragmentaddress", text) && validate(text, Rfc1630Generic).is_ok(), "{text}");
    }
    assert!(generic.derives("fragmentaddress", "x%41@y:ab"));
    assert!(specific.derives("nntpaddress", "nntp:a/1") && !specific.derives("nntpaddress", "nntp://h/a/1"));
    assert!(!specific.derives("ftpaddress", "ftp://h/a;type=I") && specific.derives("ftpaddress", "ftp://h/aI"));
    assert!(!specific.derives("httpaddress", "http://h?a=b"));
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
        Grammar::ALL.into_iter().all(|grammar| match validate(&near.0, grammar) {
            Ok(()) => UriRef::new(&near.0).scheme().is_some() || grammar == Rfc3986Reference,
            Err(error) => near.0.is_char_boundary(error.position()),
        })
    }

    /// The text before the position of an error is valid or only too short. (This does not hold if there is an `@`, because the
    /// text before it is then read in another way.)
    fn errors_are_at_the_first_bad_byte(near: Near) -> bool {
        Grammar::ALL.into_iter().all(|grammar| {
            let Err(error) = validate(&near.0, grammar) else { return true };
            let cut = &near.0[..error.position()];
            near.0.contains('@') || validate(cut, grammar).err().is_none_or(|error| error.position() == cut.len())
        })
    }

    /// RFC 1630: the generic production accepts the URIs that the specific ones accept, except those with an empty word in a
    /// search.
    fn rfc1630_urls_are_generic(near: Near) -> bool {
        let text = &near.0;
        let query = UriRef::new(text).query();
        let void_word = query.is_some_and(|query| query.split('+').any(str::is_empty));
        validate(text, Rfc1630Url).is_err() || void_word || validate(text, Rfc1630Generic).is_ok()
    }

    /// RFC 1738: every `url` is a `genericurl`.
    fn rfc1738_urls_are_generic(near: Near) -> bool {
        validate(&near.0, Rfc1738Url).is_err() || validate(&near.0, Rfc1738Generic).is_ok()
    }

    /// RFC 3986: a URI is a reference with a scheme.
    fn uris_are_references(near: Near) -> bool {
        let reference = validate(&near.0, Rfc3986Reference).is_ok();
        validate(&near.0, Rfc3986Uri).is_ok() == (reference && UriRef::new(&near.0).scheme().is_some())
    }
}
