//! The characters that each grammar allows, and illegal escapes.

use relref::ErrorKind;
use relref::validate::Grammar::{self, *};

use super::verdicts::{ABSOLUTE, EARLY, REFERENCES, refused, valid};

#[test]
fn national_punctuation_controls_and_wide_characters_are_never_raw() {
    for c in "{}|[]\\^<>`\0\t\r\n\u{7f}é€😀 ".chars() {
        for grammar in ABSOLUTE.into_iter().chain(REFERENCES) {
            let is_iri = matches!(grammar, Rfc3987Iri | Rfc3987Reference);
            let has_space = EARLY[..4].contains(&grammar);
            if is_iri && !c.is_ascii() || has_space && c == ' ' {
                continue;
            }
            for text in ["http://h/", "x:", "news:a", "mailto:a@b", "http://h/?a", "http://", "ftp://u"] {
                let position = text.len();
                let text = format!("{text}{c}@b");
                let error = grammar.validate(&text).expect_err(&text);
                assert_eq!(
                    (error.kind(), error.position()),
                    (ErrorKind::NotValid, position),
                    "{text:?} by {grammar:?}"
                );
            }
        }
    }
    // `~` is national before RFC 2396; only the documents before RFC 1738 allow `"`, and of these URL7 and the draft the space.
    for grammar in ABSOLUTE {
        assert_eq!(grammar.is_valid("x:~"), matches!(grammar, Rfc2396Uri | Rfc3986Uri | Rfc3987Iri));
        assert_eq!(grammar.is_valid("x:\""), EARLY.contains(&grammar));
        assert_eq!(grammar.is_valid("x:a b"), EARLY[..4].contains(&grammar));
    }
    refused(Rfc3986Uri, &[("http://h/a b", "a character of `path`, found ` ` at byte 10")]);
}

#[test]
fn rfc1630_reserved_characters_are_in_no_xalpha() {
    for c in "=;/#?: ".chars() {
        for text in ["x:?a", "x:#a", "mailto:a", "news:a", "http://h?a", "mid:a@b"] {
            let grammar = if text.contains('#') { Rfc1630Generic } else { Rfc1630Url };
            assert!(grammar.is_valid(format!("{text}@b")));
            // A `url` does not contain the hash that ends a `uri`.
            assert!(grammar.validate(format!("{text}{c}@b")).is_err(), "{text}{c}");
        }
        if !"/?".contains(c) {
            assert!(Rfc1630Url.validate(format!("http://h/a{c}b")).is_err(), "{c}");
        }
    }
}

#[test]
fn safe_and_extra_are_each_documents() {
    let in_path = |grammar: Grammar| -> String {
        let punctuation = (0x21..0x7f).map(char::from).filter(|c| !c.is_ascii_alphanumeric());
        punctuation.filter(|c| grammar.is_valid(format!("http://h/a{c}b"))).collect()
    };
    assert_eq!(in_path(Url7Generic), "!\"#$&'()*+,-./:;?@_");
    assert_eq!(in_path(Url7Url), "!\"$&'()*+,-./:;?@_");
    assert_eq!(in_path(DraftWwwUri00Generic), "!\"#$&'()*+,-./:;?@_");
    assert_eq!(in_path(DraftWwwUri00Url), "!\"$&'()*+,-./:;?@_");
    assert_eq!(in_path(Rfc1630Generic), "!\"#$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc1630Url), "!\"$&'()*+,-./?@_");
    assert_eq!(in_path(Rfc1738Generic), "!$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc1738Url), "!$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc1808Url), "!#$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc1808Generic), "!$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc2396Reference), "!#$&'()*+,-./:;=?@_~");
    assert_eq!(in_path(Rfc2396Uri), "!$&'()*+,-./:;=?@_~");
    assert_eq!(in_path(Rfc3986Uri), "!#$&'()*+,-./:;=?@_~");
    // After the first letter of a search, where RFC 1630's generic `safe` has `+` only between words.
    for grammar in [DraftWwwUri00Generic, Rfc1630Generic] {
        assert!(grammar.validate("x:?a+").is_err());
        assert!(grammar.validate("x:#a+").is_err());
    }
    for grammar in [Url7Generic, Url7Url, DraftWwwUri00Url] {
        assert!(grammar.is_valid("x:?a++b"));
    }
    assert!(Rfc1630Url.is_valid("http://h?a+"));
    assert!(Rfc1738Url.is_valid("http://h/?a+"));
}

#[test]
fn illegal_escapes_are_errors_at_their_byte() {
    let fxqn = "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred";
    let news = "news:12345667123%asdghfh@info.cern.ch";
    for grammar in ABSOLUTE.into_iter().chain(REFERENCES) {
        for (text, position) in [
            (fxqn, 37),
            (news, 18),
            ("x:%", 3),
            ("x:%z", 3),
            ("x:%4", 4),
            ("x:%4é", 4),
            ("x:a%%41", 4),
            ("http://h/%4z", 11),
            ("http://h/?a%", 12),
            ("http://h/?%41%+", 14),
        ] {
            let error = grammar.validate(text).expect_err(text);
            assert_eq!((error.kind(), error.position()), (ErrorKind::IllegalEscape, position), "{text} by {grammar:?}");
        }
        valid(grammar, &["x:%00", "http://h/%2F?%25", "x:%aF%Af"]);
    }
    for grammar in [Url7Generic, DraftWwwUri00Generic, Rfc1630Generic, Rfc1808Url, Rfc3986Uri, Rfc3987Iri] {
        assert_eq!(grammar.validate("x:#%f").unwrap_err().position(), 5);
    }
    for grammar in [Rfc1808Url, Rfc1808Relative, Rfc2396Reference, Rfc2396Relative, Rfc3986Reference, Rfc3987Reference]
    {
        assert_eq!(grammar.validate("%").unwrap_err().position(), 1);
        assert_eq!(grammar.validate("//%z").unwrap_err().position(), 3);
    }
}
