//! Gateways.

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
    ] {
        assert_eq!(gateways.restore(text), None, "{text}");
    }
}
