//! Percent-encoding and decoding: the documents' sets, laws, and odd input.

use std::borrow::Cow;

use quickcheck::quickcheck;
use relref::percent::{
    ByteSet, decode_bytes, decode_leaving_illegal, decode_query, encode_latin1, encode_query, encode_with,
};
use relref::{Error, ErrorKind};

use checks::{SETS, check, check_decoding};

mod checks;

fn members(set: ByteSet) -> String {
    (0x21..0x7f).filter(|&byte| set.contains(byte)).map(char::from).collect()
}

#[test]
fn the_sets_are_the_documents() {
    // Reserved, national and punctuation characters of RFC 1630, and those that its part on schemes lacks.
    assert_eq!(members(ByteSet::RFC1630), "#%/:;<=>?[\\]^`{|}~");
    assert_eq!(members(ByteSet::RFC1630_WORD), "#%+/:;<=>?[\\]^`{|}~");
    assert_eq!(members(ByteSet::RFC1738_UNSAFE), "\"#%<>[\\]^`{|}~");
    assert_eq!(members(ByteSet::RFC1738), "\"#%&/:;<=>?@[\\]^`{|}~");
    assert_eq!(members(ByteSet::RFC3986), "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}");
    assert_eq!(members(ByteSet::SEGMENT), "\"#%/<>?[\\]^`{|}");
    assert_eq!(members(ByteSet::PATH), "\"#%<>?[\\]^`{|}");
    assert_eq!(members(ByteSet::QUERY), "\"#%<>[\\]^`{|}");
    assert_eq!(members(ByteSet::USERINFO), "\"#%/<>?@[\\]^`{|}");
    assert_eq!(members(ByteSet::HOST), "\"#%/:<>?@[\\]^`{|}");
    for set in SETS {
        assert!((0..=0x20).chain(0x7f..=0xff).all(|byte| set.contains(byte)), "controls, space and 8-bit codes");
    }
}

#[test]
fn a_set_is_a_set() {
    let set = ByteSet::new(b"ab\xff").add(b'c').remove(b'a');
    assert!([b'b', b'c', 0xff].iter().all(|&byte| set.contains(byte)) && !set.contains(b'a'));
    assert_eq!(set.union(ByteSet::new(b"a")), ByteSet::new(b"abc\xff"));
    assert_eq!(set.without(ByteSet::new(b"bc\xff")), ByteSet::EMPTY);
    assert_eq!(format!("{:?}", ByteSet::new(b"a%")), "{'%', 'a'}");
}

#[test]
fn illegal_escapes_are_reported_where_the_digit_is_missing() {
    // RFC 1630, example 3, and shorter ones.
    for (text, position, found) in [
        ("fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", 37, "`*` at byte 37"),
        ("news:12345667123%asdghfh@info.cern.ch", 18, "`s` at byte 18"),
        ("%", 1, "the end at byte 1"),
        ("%z", 1, "`z` at byte 1"),
        ("%4", 2, "the end at byte 2"),
        ("%41%4é", 5, "`é` at byte 5"),
        ("%%41", 1, "`%` at byte 1"),
    ] {
        let error: Error = decode_bytes(text).unwrap_err();
        assert_eq!((error.kind(), error.position()), (ErrorKind::IllegalEscape, position), "{text}");
        assert_eq!(error.to_string(), format!("illegal escape: expected two hex digits after `%`, found {found}"));
    }
    assert_eq!(decode_leaving_illegal("%*%41%4%%42%").to_string(), "%*A%4%B%");
}

#[test]
fn nothing_is_copied_when_nothing_changes() {
    assert!(matches!(Cow::from(encode_with("abc", ByteSet::RFC3986)), Cow::Borrowed("abc")));
    assert!(matches!(decode_bytes("abc/+").unwrap().to_bytes(), Cow::Borrowed(b"abc/+")));
    assert!(matches!(decode_query("abc").unwrap(), Cow::Borrowed(b"abc")));
    assert!(matches!(encode_latin1("abc", ByteSet::RFC1630).unwrap(), Cow::Borrowed("abc")));
    assert_eq!(Cow::from(encode_with("a c", ByteSet::RFC3986)), "a%20c");
}

#[test]
fn columns_are_filled() {
    assert_eq!(
        format!("{:>6}|{:<6}|", encode_with("a b", ByteSet::PATH), decode_bytes("a%20b").unwrap()),
        " a%20b|a b   |"
    );
}

#[test]
fn octets_and_text() {
    assert_eq!(decode_bytes("%00%FF%c3%A9").unwrap().collect::<Vec<u8>>(), b"\0\xff\xc3\xa9");
    assert_eq!(decode_bytes("%c3%A9").unwrap().to_utf8().unwrap(), "é");
    assert_eq!(decode_bytes("%C3%A9").unwrap().to_latin1(), "Ã©");
    // Invalid and overlong UTF-8 (a slash in two octets) is an error at its escape.
    for (text, position) in [("a%FF", 1), ("%C0%AF", 0), ("ab%E2%82", 2), ("%C3%A9é%FF", 8)] {
        let error = decode_bytes(text).unwrap().to_utf8().unwrap_err();
        assert_eq!((error.kind(), error.position()), (ErrorKind::NotUtf8, position));
    }
    let error = encode_latin1("x€", ByteSet::RFC1630).unwrap_err();
    assert_eq!(error.to_string(), "not ISO Latin-1: expected a character of ISO Latin-1, found `€` at byte 1");
    assert_eq!(decode_bytes(&"%25".repeat(1 << 20)).unwrap().count(), 1 << 20);
}

#[test]
fn a_plus_is_a_space_in_queries_only() {
    assert_eq!(*decode_query("a+b%2Bc%20d").unwrap(), *b"a b+c d");
    assert_eq!(decode_bytes("a+b%2Bc%20d").unwrap().to_string(), "a+b+c d");
    assert_eq!(encode_query("a b+c", ByteSet::QUERY), "a+b%2Bc");
    assert_eq!(encode_with("a b+c", ByteSet::PATH).to_string(), "a%20b+c");
}

quickcheck! {
    /// Decoding gives back the octets that were encoded, for every set that has `%`, and all ways to the results agree.
    fn decode_undoes_encode(bytes: Vec<u8>, set: Vec<u8>, skip: usize) -> bool {
        check(&bytes, ByteSet::new(&set), skip);
        true
    }

    /// Any text is decoded, or gives an error at its first illegal escape.
    fn any_text_is_decoded(text: String, bytes: Vec<u8>) -> bool {
        let pick = |byte: &u8| ["%", "%4", "%41", "%fF", "g", "+", "é"][usize::from(byte % 7)];
        check_decoding(&text);
        check_decoding(&bytes.iter().map(pick).collect::<String>());
        true
    }
}
