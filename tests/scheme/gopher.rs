//! `gopher`.

use relref::scheme::*;

use super::read::{view, warnings};

#[test]
fn gopher_types_are_not_sent() {
    let read = |text| {
        let gopher = view!(Gopher, text);
        (gopher.item_type(), gopher.selector, gopher.request().unwrap())
    };
    assert_eq!(read("gopher://h/0foo"), ('0', "foo", b"foo".to_vec()));
    // A doubled first character is legal.
    assert_eq!(read("gopher://h/00foo"), ('0', "0foo", b"0foo".to_vec()));
    assert_eq!(read("gopher://h/%30foo"), ('0', "foo", b"foo".to_vec()));
    assert_eq!(read("gopher://h/1"), ('1', "", vec![]));
    assert_eq!(read("gopher://h/9a%09"), ('9', "a", b"a\t".to_vec()));
    assert_eq!(view!(Gopher, "gopher://h/%z").gtype, Some("%"));
}

#[test]
fn a_void_gopher_path_is_a_directory() {
    for text in ["gopher://h", "gopher://h/", "gopher:", "gopher://h/?a", "gopher://h?a", "gopher://h/%09a"] {
        let gopher = view!(Gopher, text);
        assert_eq!((gopher.gtype, gopher.item_type(), gopher.selector), (None, '1', ""), "{text}");
    }
}

#[test]
fn a_gopher_type_is_never_half_a_character() {
    for (text, c) in
        [("gopher://h/é", 'é'), ("gopher://h/éa", 'é'), ("gopher://h/€%09x", '€'), ("gopher://h/😀?", '😀')]
    {
        assert_eq!(view!(Gopher, text).item_type(), c, "{text}");
    }
    assert_eq!(view!(Gopher, "gopher://h/%E9x").item_type(), 'é');
}

#[test]
fn gopher_searches_of_both_forms() {
    let read = |text| {
        let gopher = view!(Gopher, text);
        (gopher.separator, gopher.selector, gopher.search, gopher.plus, gopher.request().unwrap())
    };
    assert_eq!(
        read("gopher://h/7s?two+words"),
        (Some(SearchSeparator::QuestionMark), "s", Some("two+words"), None, b"s\ttwo words".to_vec())
    );
    assert_eq!(
        read("gopher://h/7s%09two+words"),
        (Some(SearchSeparator::Tab), "s", Some("two+words"), None, b"s\ttwo+words".to_vec())
    );
    // In a text with `%09`, a question mark is an ordinary character.
    assert_eq!(
        read("gopher://h/7s?a%09b?c"),
        (Some(SearchSeparator::Tab), "s?a", Some("b?c"), None, b"s?a\tb?c".to_vec())
    );
    assert_eq!(
        read("gopher://h/0s%09%09+text/plain%20En#f"),
        (Some(SearchSeparator::Tab), "s", Some(""), Some("+text/plain%20En"), b"s\t\t+text/plain En".to_vec())
    );
    // An escaped percent sign does not start an escape.
    assert_eq!(read("gopher://h/0a%2509b").0, None);
    assert_eq!(view!(Gopher, "gopher://h/0ab%4").request().unwrap_err().position(), 4);
}

#[test]
fn gopher_plus_strings() {
    use GopherPlus::*;
    for (plus, read) in [
        ("+", Some(Item)),
        ("?", Some(Form)),
        ("!", Some(Attributes(""))),
        ("$", Some(DirectoryAttributes(""))),
        ("!+ABSTRACT", Some(Attributes("+ABSTRACT"))),
        ("!+ABSTRACT%20+SMELL", Some(Attributes("+ABSTRACT%20+SMELL"))),
        ("$+VIEWS", Some(DirectoryAttributes("+VIEWS"))),
        ("+application/postscript%20Es_ES", Some(View("application/postscript", Some("Es_ES")))),
        ("+text/plain", Some(View("text/plain", None))),
        ("+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", Some(Filled("1%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A"))),
        ("", None),
        ("é", None),
        ("?x", None),
    ] {
        let text = format!("gopher://h/0s%09%09{plus}");
        assert_eq!(view!(Gopher, &text).plus(), read, "{plus}");
    }
    // The bytes to send for a form that was filled out.
    let text = "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A";
    assert_eq!(view!(Gopher, text).request().unwrap(), b"s\t\t+\t1\r\n+-1\r\nyes\r\n.\r\n");
}

#[test]
fn gopher_controls_are_warned_of_but_not_its_separators() {
    assert_eq!(warnings("gopher://h/0s%09a%09+"), []);
    assert_eq!(warnings("gopher://h/%09a"), []);
    assert_eq!(warnings("gopher://h/0s%09a%09+%091"), [(WarningKind::Control(9), 21..24)]);
    assert_eq!(warnings("gopher://h/0s%0D%0A").len(), 2);
}

#[test]
fn gopher_slashes_are_warned_of() {
    assert_eq!(warnings("gopher://h/0a/b/c"), [(WarningKind::GopherSlash, 13..14)]);
    assert_eq!(warnings("gopher://h/0a%2Fb"), []);
}
