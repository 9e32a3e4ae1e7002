//! IRIs by RFC 3987, and their URIs.

use std::borrow::Cow;

use quickcheck::quickcheck;
use relref::UriRef;
use relref::percent::{iri_to_uri, uri_to_iri};
use relref::validate::Grammar::*;

use super::verdicts::{refused, valid};

/// The IRIs of the document with the URIs that §3.1 gives them. In those of §4.4, letters in upper case stand for letters that are
/// written from right to left; here they are Hebrew.
const EXAMPLES: &[(&str, &str)] = &[
    ("http://résumé.example.org", "http://r%C3%A9sum%C3%A9.example.org"),
    (
        "http://validator.w3.org/check?uri=http%3A%2F%2Frésumé.example.org",
        "http://validator.w3.org/check?uri=http%3A%2F%2Fr%C3%A9sum%C3%A9.example.org",
    ),
    ("http://www.example.org/red%09rosé#red", "http://www.example.org/red%09ros%C3%A9#red"),
    ("http://example.com/\u{10300}\u{10301}\u{10302}", "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82"),
    ("http://www.example.org/Dürst", "http://www.example.org/D%C3%BCrst"),
    ("http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"),
    ("http://納豆.example.org/%E2%80%AE", "http://%E7%B4%8D%E8%B1%86.example.org/%E2%80%AE"),
    ("http://xn--99zt52a.example.org/%e2%80%ae", "http://xn--99zt52a.example.org/%e2%80%ae"),
    ("http://ab.גדהוזח.ij/kl/mn/op.html", "http://ab.%D7%92%D7%93%D7%94%D7%95%D7%96%D7%97.ij/kl/mn/op.html"),
    ("http://א.ב/ג?ד=ה;ו#ז", "http://%D7%90.%D7%91/%D7%92?%D7%93=%D7%94;%D7%95#%D7%96"),
    ("http://ab.cd.ef/א%31/%32ב", "http://ab.cd.ef/%D7%90%31/%32%D7%91"),
    ("http://example.org/rosé", "http://example.org/ros%C3%A9"),
    ("example://a/b/c/%7Bfoo%7D/rosé", "example://a/b/c/%7Bfoo%7D/ros%C3%A9"),
    ("http://www.example.org/re\u{301}sume\u{301}.html", "http://www.example.org/re%CC%81sume%CC%81.html"),
    ("http://www.example.org/r%E9sum%E9.xml#résumé", "http://www.example.org/r%E9sum%E9.xml#r%C3%A9sum%C3%A9"),
    ("http://example.com/~user?", "http://example.com/~user?"),
];

#[test]
fn examples_map_to_their_uris() {
    for &(iri, uri) in EXAMPLES {
        valid(Rfc3987Iri, &[iri, uri]);
        valid(Rfc3986Uri, &[uri]);
        assert_eq!(Rfc3986Uri.is_valid(iri), iri.is_ascii(), "{iri}");
        assert_eq!(iri_to_uri(iri), uri);
        assert_eq!(matches!(iri_to_uri(iri), Cow::Borrowed(_)), iri == uri, "{iri}");
    }
}

#[test]
fn uris_map_to_their_iris() {
    for (uri, iri) in [
        // The examples of §3.2.1.
        ("http://www.example.org/D%C3%BCrst", "http://www.example.org/Dürst"),
        ("http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"),
        ("http://xn--99zt52a.example.org/%e2%80%ae", "http://xn--99zt52a.example.org/%e2%80%ae"),
        // Reserved, `%`, not permitted, cut short, a surrogate, private, a space, no character, one that is four octets long.
        ("x:%2F%3a%25%20%5C%7e%41%2D", "x:%2F%3a%25%20%5C~A-"),
        ("x:%E6%97%%E6%97%A5%A5", "x:%E6%97%日%A5"),
        ("x:%ED%A0%80%EE%80%80%E3%80%80%C2%A0%EF%BF%BE", "x:%ED%A0%80%EE%80%80%E3%80%80%C2%A0%EF%BF%BE"),
        ("x:%F0%90%8C%80%E2%81%A7", "x:\u{10300}%E2%81%A7"),
        ("%66tp:%66", "%66tp:f"),
        ("%C3%A9%66:x", "é%66:x"),
        ("a/%66:b", "a/f:b"),
        ("%%34%31%4%31%%7E", "%%341%4%31%~"),
        ("%2541", "%2541"),
        ("", ""),
    ] {
        assert_eq!(uri_to_iri(uri), iri);
        assert_eq!(matches!(uri_to_iri(uri), Cow::Borrowed(_)), iri == uri, "{uri}");
    }
    for &(iri, uri) in EXAMPLES {
        assert_eq!(same_encoding(&iri_to_uri(&uri_to_iri(uri))), same_encoding(uri), "{iri}");
    }
}

/// With unreserved characters decoded, and escapes in upper case.
fn same_encoding(uri: &str) -> String {
    let mut out = String::new();
    let mut rest = uri;
    while let Some(c) = rest.chars().next() {
        let octet = rest.get(1..3).filter(|digits| c == '%' && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(digits) = octet else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        match char::from(u8::from_str_radix(digits, 16).unwrap()) {
            c if c.is_ascii_alphanumeric() || "-._~".contains(c) => out.push(c),
            _ => out.extend(["%", &digits.to_uppercase()]),
        }
        rest = &rest[3..];
    }
    out
}

quickcheck! {
    /// An IRI maps back to an equivalent URI, splits like the URI, is valid if that is, and stays as it is.
    fn the_iri_of_a_uri_is_equivalent(pieces: Vec<u8>, start: bool) -> bool {
        const PIECES: [&str; 24] = [
            "%C3", "%A9", "%c3%a9", "%E2%80%AE", "%E2", "%80", "%41", "%7e", "%2F", "%25", "%", "4", "1", "a", "/", ":", "?", "#",
            "é", " ", "%F0%90%8C%80", "%ee%80%80", "@", "//",
        ];
        let text: String = pieces.iter().map(|&piece| PIECES[usize::from(piece) % PIECES.len()]).collect();
        let uri = if start { format!("http://{text}") } else { text };
        let iri = uri_to_iri(&uri);
        let lens = |uri: &UriRef<&str>| (uri.scheme().is_some(), uri.authority().is_some(), uri.path_segments().count(), uri.query().is_some());
        same_encoding(&iri_to_uri(&iri)) == same_encoding(&iri_to_uri(&uri))
            && lens(&UriRef::new(&*iri)) == lens(&UriRef::new(&*uri))
            && (!Rfc3986Reference.is_valid(&uri) || Rfc3987Reference.is_valid(&iri))
            && uri_to_iri(&iri) == iri
    }
}

#[test]
fn what_is_not_of_an_iri_is_mapped_too() {
    for (text, mapped) in [
        // "MUST NOT be converted".
        ("http://[::1]/#[%#]%zz%4", "http://[::1]/#[%#]%zz%4"),
        // The ten printable characters.
        ("x:<>\" {}|\\^`", "x:%3C%3E%22%20%7B%7D%7C%5C%5E%60"),
        ("x:\t\r\n\0\u{7f}", "x:\t\r\n\0\u{7f}"),
        ("x:\u{80}\u{fffe}\u{e0001}\u{10ffff}", "x:%C2%80%EF%BF%BE%F3%A0%80%81%F4%8F%BF%BF"),
        ("é:é", "%C3%A9:%C3%A9"),
        ("", ""),
    ] {
        assert_eq!(iri_to_uri(text), mapped);
        assert!(Rfc3987Iri.validate(text).is_err() || text == mapped, "{text:?}");
    }
}

/// Every character beyond US-ASCII, by the ranges of §2.2 as its introduction tells them.
#[test]
fn every_character_is_where_it_may_be() {
    for c in ('\u{80}'..=char::MAX)
        .filter(|&c| u32::from(c) < 0x3100 || u32::from(c) & 0xfff < 0x10 || u32::from(c) & 0xfff > 0xfc0)
    {
        let code = u32::from(c);
        let is_noncharacter = (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe;
        let is_private = (0xe000..=0xf8ff).contains(&code) || code >= 0xf0000;
        let is_control = code < 0xa0;
        let is_special = (0xfff0..=0xffff).contains(&code) || (0xe0000..=0xe0fff).contains(&code);
        let is_ucschar = !(is_noncharacter || is_private || is_control || is_special);
        let is_iprivate = is_private && !is_noncharacter;
        for (before, permitted) in [
            ("//u", is_ucschar),
            ("x://", is_ucschar),
            ("x:/a", is_ucschar),
            ("x:?", is_ucschar || is_iprivate),
            ("x:#", is_ucschar),
            ("", is_ucschar),
        ] {
            let text = format!("{before}{c}");
            let verdict = Rfc3987Reference.validate(&text).map_err(|error| error.position());
            assert_eq!(verdict, if permitted { Ok(()) } else { Err(before.len()) }, "{text:?}");
        }
        for text in [format!("x://h:{c}"), format!("x://[v1.{c}]"), format!("x{c}:")] {
            assert!(Rfc3987Iri.validate(&text).is_err(), "{text:?}");
        }
    }
}

#[test]
fn errors_name_the_production() {
    refused(
        Rfc3987Iri,
        &[
            ("http://я@\u{e000}", "a character of `ireg-name`, found `\\u{e000}` at byte 10"),
            ("http://я\u{e000}@h", "a character of `iuserinfo`, found `\\u{e000}` at byte 9"),
            ("http://я:日", "a digit of `port`, found `日` at byte 10"),
            ("http://h/日 本", "a character of `ipath`, found ` ` at byte 12"),
            ("http://h/?\u{e000}^", "a character of `iquery`, found `^` at byte 13"),
            ("http://h/#日\u{e000}", "a character of `ifragment`, found `\\u{e000}` at byte 13"),
            ("http://[::é]/", "the rest of an `IPv6address`, found `é` at byte 10"),
            ("http://[fe80::1%25é]/", "the rest of an `IPv6address`, found `%` at byte 15"),
            ("日本", "a letter to start a scheme, found `日` at byte 0"),
        ],
    );
    valid(Rfc3987Reference, &["日本", "./é:é", "//я", "?\u{f8ff}", "#é", "http://[::1]:80/é"]);
    refused(
        Rfc3987Reference,
        &[
            ("é:a", "a character of `isegment-nz-nc`, found `:` at byte 2"),
            ("\u{e000}", "a character of `ipath`, found `\\u{e000}` at byte 0"),
        ],
    );
    assert_eq!(Rfc3987Reference.validate("é%é").unwrap_err().position(), 3);
}
