//! Gateways.

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::scheme::*;

#[test]
fn gateways_rewrite_a_scheme() {
    let mut gateways = Gateways::new();
    assert_eq!(gateways.set("WAIS", "http://old/"), None);
    assert_eq!(gateways.set("wais", "http://gate/"), Some("http://old/".into()));
    gateways.set("whois++", "http://gate/?url=");
    gateways.set("news", "http://gate/");
    assert_eq!(gateways.get("Wais"), Some("http://gate/"));
    for (uri, rewritten) in [
        ("wais://h/db/T/1=a;", "http://gate/wais://h/db/T/1%3Da%3B"),
        ("WAIS:x%2Fy", "http://gate/WAIS:x%252Fy"),
        ("news:1@h", "http://gate/news:1%40h"),
        ("whois++://h/a&b+c?d#é?#", "http://gate/?url=whois%2B%2B://h/a%26b%2Bc%3Fd#é?#"),
        ("news:é", "http://gate/news:%C3%A9"),
    ] {
        assert_eq!(gateways.rewrite(uri).as_deref(), Some(rewritten));
        assert_eq!(gateways.restore(rewritten).as_deref(), Some(uri));
    }
    for uri in ["http://gate/", "wais", "//gate/x", "", "ftp:x"] {
        assert_eq!(gateways.rewrite(uri), None, "{uri}");
    }
    for text in [
        "http://gate/",
        "http://gate/ftp:x",
        "http://gate/news",
        "http://gate/news:%",
        "http://gate/news:%FF",
        "wais:x",
        // No URI is rewritten like this: `rewrite` escapes these characters, and writes digits in upper case.
        "http://gate/wais:x?y",
        "http://gate/wais:x=y",
        "http://gate/wais:x%3fy",
        "http://gate/wais:x%2Fy",
        "http://gate/wais:x%41",
        "http://gate/wais:x%23y",
        "http://gate/wais:новости",
    ] {
        assert_eq!(gateways.restore(text), None, "{text}");
    }
}

/// A text that starts with the prefix of a gateway, or with nearly one.
#[derive(Clone, Debug)]
struct Gated(String);

impl Arbitrary for Gated {
    fn arbitrary(g: &mut Gen) -> Self {
        let parts = [
            "http://gate/",
            "http://gate/?url=",
            "http://gate/news:",
            "news:",
            "NEWS:",
            "wais:",
            "//h/",
            "?",
            "=",
            "%3F",
            "%3f",
            "#",
            "%23",
            "é",
            "%C3%A9",
            "ж%D0%B6",
            ":",
            "/",
            "%2F",
            "%25",
            "%",
            "a",
            "%61",
            "%FF",
        ];
        let mut text = String::from(*g.choose(&parts[..3]).unwrap());
        text.push_str(g.choose(&parts[3..6]).unwrap());
        (0..usize::arbitrary(g) % 6).for_each(|_| text.push_str(g.choose(&parts).unwrap()));
        Gated(text)
    }
}

quickcheck! {
    /// Only what a URI is rewritten as is restored, and to that URI.
    fn what_is_restored_was_rewritten(text: Gated) -> bool {
        let mut gateways = Gateways::new();
        for (scheme, prefix) in [("news", "http://gate/"), ("wais", "http://gate/news:"), ("x", "http://gate/?url=")] {
            gateways.set(scheme, prefix);
        }
        let is_law = |uri: &str| gateways.restore(uri).is_none_or(|restored| gateways.rewrite(&restored).as_deref() == Some(uri));
        is_law(&text.0) && gateways.rewrite(&text.0).is_none_or(|uri| is_law(&uri))
    }
}
