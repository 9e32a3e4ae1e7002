//! Laws for every text, any octets and any set. The fuzz target checks them, too.

use std::borrow::Cow;

use relref::percent::{
    ByteSet, decode_bytes, decode_leaving_illegal, decode_query, encode_latin1, encode_query, encode_with,
};

/// The sets of characters that the documents define.
pub const SETS: [ByteSet; 10] = [
    ByteSet::RFC1630,
    ByteSet::RFC1630_WORD,
    ByteSet::RFC1738,
    ByteSet::RFC1738_UNSAFE,
    ByteSet::RFC3986,
    ByteSet::SEGMENT,
    ByteSet::PATH,
    ByteSet::QUERY,
    ByteSet::USERINFO,
    ByteSet::HOST,
];

/// Checks encoding and decoding of octets, by each set of the documents, by a set with `%`, and by one without. `skip` pieces
/// of each result are read one by one.
pub fn check(bytes: &[u8], set: ByteSet, skip: usize) {
    let set = set.add(b'%');
    for set in SETS.into_iter().chain([set, set.union(ByteSet::SEGMENT)]) {
        check_encoding(bytes, set, skip);
    }
    // A set without `%` cannot be undone, but what it gives is never longer than three times the octets.
    let loose = set.remove(b'%');
    let text = encode_with(bytes, loose).to_string();
    assert!(text.is_ascii() && text.len() <= 3 * bytes.len());
    assert!(text.bytes().all(|byte| byte == b'%' || !loose.contains(byte) || byte.is_ascii_hexdigit()));

    let latin1: String = bytes.iter().map(|&octet| char::from(octet)).collect();
    let encoded = encode_latin1(&latin1, ByteSet::RFC1630).unwrap();
    assert_eq!(decode_bytes(&encoded).unwrap().to_latin1(), latin1);
    assert!(decode_bytes(&encoded).unwrap().eq(bytes.iter().copied()));
}

/// Checks that decoding gives back the octets that were encoded, by all ways to get the encoded and the decoded text.
fn check_encoding(bytes: &[u8], set: ByteSet, skip: usize) {
    let text = encode_with(bytes, set).to_string();
    let stays = |byte: u8| byte == b'%' || (byte.is_ascii() && !set.contains(byte));
    assert!(text.bytes().all(|byte| stays(byte) || byte.is_ascii_hexdigit()), "{set:?}: {text}");
    assert!(matches!(Cow::from(encode_with(bytes, set)), Cow::Borrowed(_)) == (text.as_bytes() == bytes));
    let mut rest = encode_with(bytes, set);
    let mut read: String = rest.by_ref().take(skip % (text.len() + 1)).collect();
    assert_eq!(Cow::from(rest.clone()), rest.to_string());
    read.extend(rest);
    assert_eq!(read, text, "{set:?}");

    let decoded = decode_bytes(&text).unwrap();
    assert!(decoded.clone().eq(bytes.iter().copied()), "{set:?}: {text}");
    let (least, most) = decoded.size_hint();
    assert!(least <= bytes.len() && bytes.len() <= most.unwrap());
    assert_eq!(decoded.to_bytes(), bytes);
    assert_eq!(decoded.to_string(), String::from_utf8_lossy(bytes));
    match (decoded.to_utf8(), std::str::from_utf8(bytes)) {
        (Ok(text), Ok(expected)) => assert_eq!(text, expected),
        (Err(error), Err(expected)) => {
            assert_eq!(*decode_bytes(&text[..error.position()]).unwrap().to_bytes(), bytes[..expected.valid_up_to()]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(*decode_query(&encode_query(bytes, set)).unwrap(), *bytes, "{set:?}");
}

/// Checks the decoding of any text: all ways agree, and errors are where the first illegal escape is.
pub fn check_decoding(text: &str) {
    match encode_latin1(text, ByteSet::RFC1630) {
        Ok(encoded) => assert_eq!(decode_bytes(&encoded).unwrap().to_latin1(), text),
        Err(error) => assert!(text.is_char_boundary(error.position())),
    }
    let lenient: Vec<u8> = decode_leaving_illegal(text).collect();
    assert_eq!(decode_leaving_illegal(text).to_bytes(), lenient);
    match decode_bytes(text) {
        Ok(decoded) => {
            assert!(decoded.eq(lenient));
            assert!(decode_query(text).is_ok());
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.position()));
            assert_eq!(decode_query(text).unwrap_err(), error);
            // The `%` is one or two bytes before the byte that is not a digit, and all before it decodes.
            let percent = text[..error.position()].rfind('%').unwrap();
            assert!(error.position() - percent <= 2 && decode_bytes(&text[..percent]).is_ok());
        }
    }
}
