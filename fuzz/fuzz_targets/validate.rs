//! Validation: the naive reader of the printed grammars agrees, and errors are at the first wrong character.
//!
//! Input: options (not used), a text.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::UriRef;
use relref::validate::Grammar::{self, *};
use relref::validate::validate;
use relref_fuzz::{check_error, text};

use bnf::Bnf;

#[path = "../../tests/validate/bnf.rs"]
mod bnf;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((_, text)) = text(input) else { return Corpus::Reject };
    let is_valid = |grammar| validate(text, grammar).is_ok();
    for grammar in Grammar::ALL {
        match validate(text, grammar) {
            Ok(()) => assert!(UriRef::new(text).scheme().is_some() || grammar == Rfc3986Reference, "{text:?}"),
            Err(error) => {
                check_error(&error, text);
                // The text before the error is valid or only too short, except that an `@` changes how the text before it is read.
                let cut = &text[..error.position()];
                let short = validate(cut, grammar).err();
                let is_first = short.is_none_or(|error| error.position() == cut.len());
                assert!(is_first || text.contains('@'), "{grammar:?}: {text:?}: {error}, {short:?}");
            }
        }
    }
    if text.len() < 64 {
        for grammar in [Rfc1630Generic, Rfc1630Url, Rfc1738Generic, Rfc1738Url] {
            assert_eq!(is_valid(grammar), is_derived(text, grammar), "{grammar:?}: {text:?}");
        }
    }
    let uri = UriRef::new(text);
    let has_void_word = uri.query().is_some_and(|query| query.split('+').any(str::is_empty));
    assert!(!is_valid(Rfc1630Url) || has_void_word || is_valid(Rfc1630Generic), "{text:?}");
    assert!(!is_valid(Rfc1738Url) || is_valid(Rfc1738Generic), "{text:?}");
    assert_eq!(is_valid(Rfc3986Uri), is_valid(Rfc3986Reference) && uri.scheme().is_some(), "{text:?}");
    Corpus::Keep
});

static GENERIC_1630: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1630_GENERIC, bnf::RFC1630_GENERIC_DECIDED]));
static SPECIFIC_1630: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1630_SPECIFIC, bnf::RFC1630_SPECIFIC_DECIDED]));
static BOTH_1738: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1738, bnf::RFC1738_DECIDED]));

/// Reports whether a text is valid by the printed grammar, with our readings of its defects, as `derived` in tests/validate/laws.rs
/// does.
fn is_derived(text: &str, grammar: Grammar) -> bool {
    let end = UriRef::new(text).scheme().map_or(0, str::len);
    let text = text[..end].to_ascii_lowercase() + &text[end..];
    let is_listed = |schemes: &str| schemes.split(' ').any(|scheme| scheme == &text[..end]);
    let ip = "http ftp gopher news nntp telnet wais mailto prospero";
    match grammar {
        Rfc1630Generic => GENERIC_1630.derives("fragmentaddress", &text),
        Rfc1630Url if is_listed(ip) || is_listed("mid cid") => SPECIFIC_1630.derives("url", &text),
        Rfc1630Url => GENERIC_1630.derives("uri", &text),
        Rfc1738Url if is_listed(ip) || is_listed("file") => BOTH_1738.derives("listed", &text),
        Rfc1738Generic | Rfc1738Url => BOTH_1738.derives("genericurl", &text),
        _ => unreachable!("the print of RFC 3986 is not read"),
    }
}
