//! Validation: the naive reader of the printed grammars agrees, and errors are at the first wrong character.
//!
//! Input: options (not used), a text.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::UriRef;
use relref::percent::iri_to_uri;
use relref::validate::Grammar::{self, *};
use relref_fuzz::{check_error, text};

use bnf::is_derived;

#[path = "../../tests/validate/bnf.rs"]
mod bnf;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((_, text)) = text(input) else { return Corpus::Reject };
    let is_valid = |grammar: Grammar| grammar.is_valid(text);
    for &grammar in Grammar::ALL {
        match grammar.validate(text) {
            Ok(()) => match UriRef::new(text).scheme() {
                Some(_) => assert!(!matches!(grammar, Rfc1808Relative | Rfc2396Relative), "{grammar:?}: {text:?}"),
                None => {
                    let names_relative = ["reference", "relative"].iter().any(|kind| grammar.name().ends_with(kind));
                    assert!(names_relative || grammar == Rfc1808Url, "{grammar:?}: {text:?}");
                }
            },
            Err(error) => {
                check_error(&error, text);
                // The text before the error is valid or only too short, except that an `@` changes how the text before it is read.
                let cut = &text[..error.position()];
                let short = grammar.validate(cut).err();
                let is_first = short.is_none_or(|error| error.position() == cut.len());
                assert!(is_first || text.contains('@'), "{grammar:?}: {text:?}: {error}, {short:?}");
            }
        }
    }
    if text.len() < 64 {
        for &grammar in Grammar::ALL {
            assert_eq!(is_valid(grammar), is_derived(text, grammar), "{grammar:?}: {text:?}");
        }
    }
    let uri = UriRef::new(text);
    let has_void_word = uri.query().is_some_and(|query| query.split('+').any(str::is_empty));
    assert!(!is_valid(Rfc1630Url) || has_void_word || is_valid(Rfc1630Generic), "{text:?}");
    assert!(!is_valid(Rfc1738Url) || is_valid(Rfc1738Generic), "{text:?}");
    assert!(!is_valid(Url7Url) || is_valid(Url7Generic), "{text:?}");
    assert!(!is_valid(DraftWwwUri00Url) || has_void_word || is_valid(DraftWwwUri00Generic), "{text:?}");
    assert_eq!(is_valid(Rfc1808Absolute), is_valid(Rfc1738Generic), "{text:?}");
    assert_eq!(is_valid(Rfc3987Iri), is_valid(Rfc3987Reference) && uri.scheme().is_some(), "{text:?}");
    let mapped = iri_to_uri(text);
    assert!(!is_valid(Rfc3987Reference) || Rfc3986Reference.is_valid(&mapped), "{text:?}: {mapped:?}");
    assert_eq!(iri_to_uri(&mapped), mapped, "{text:?}");
    assert_eq!(is_valid(Rfc3986Uri), is_valid(Rfc3986Reference) && uri.scheme().is_some(), "{text:?}");
    Corpus::Keep
});
