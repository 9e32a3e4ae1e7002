//! Checks that a text is valid, or that its error has a certain message.

use relref::ErrorKind;
use relref::validate::Grammar::{self, *};

/// Checks that all these texts are valid by a grammar.
#[track_caller]
pub fn valid(grammar: Grammar, texts: &[&str]) {
    for text in texts {
        if let Err(error) = grammar.validate(text) {
            panic!("{text} by {grammar:?}: {error}");
        }
    }
}

/// Checks that texts are not valid by a grammar. With each comes the text that follows `expected` in the message of its error.
#[track_caller]
pub fn refused(grammar: Grammar, texts: &[(&str, &str)]) {
    for (text, said) in texts {
        let error = grammar.validate(text).expect_err(text);
        let kind = match error.kind() {
            ErrorKind::IllegalEscape => String::from("illegal escape"),
            _ => format!("not valid as {}", grammar.title()),
        };
        assert_eq!(error.to_string(), format!("{kind}: expected {said}"), "{text} by {grammar:?}");
    }
}

/// The grammars of absolute URIs.
pub const ABSOLUTE: [Grammar; 13] = [
    Url7Generic,
    Url7Url,
    DraftWwwUri00Generic,
    DraftWwwUri00Url,
    Rfc1630Generic,
    Rfc1630Url,
    Rfc1738Generic,
    Rfc1738Url,
    Rfc1808Absolute,
    Rfc1808Generic,
    Rfc2396Uri,
    Rfc3986Uri,
    Rfc3987Iri,
];

/// The grammars of references, absolute or relative.
pub const REFERENCES: [Grammar; 4] = [Rfc1808Url, Rfc2396Reference, Rfc3986Reference, Rfc3987Reference];

/// The grammars of relative references only.
pub const RELATIVE: [Grammar; 2] = [Rfc1808Relative, Rfc2396Relative];

/// The grammars of the documents before RFC 1738.
pub const EARLY: [Grammar; 6] =
    [Url7Generic, Url7Url, DraftWwwUri00Generic, DraftWwwUri00Url, Rfc1630Generic, Rfc1630Url];
