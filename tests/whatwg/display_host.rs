//! Hosts as they are shown.

use quickcheck::quickcheck;
use relref::whatwg::Url;

#[test]
fn hosts_that_deceive_stay_labels() {
    // Empty: as the host.
    for (host, expected) in [
        ("example.com", "example.com"),
        ("xn--bcher-kva.example", "bücher.example"),
        ("BÜCHER.xn--p1ai", "bücher.рф"),
        ("例え.jp", "例え.jp"),
        ("한국a.kr", "한국a.kr"),
        ("中文a.tw", "中文a.tw"),
        // Latin with Cyrillic, Greek, Armenian.
        ("pаypal.com", "xn--pypal-4ve.com"),
        ("αbc.com", ""),
        // Not in Chinese, Japanese or Korean together.
        ("한あ.kr", ""),
        // Cyrillic throughout, and like Latin throughout.
        ("аррӏе.com", "xn--80ak6aa92e.com"),
        ("привет.рф", "привет.рф"),
        // Not for identifiers.
        ("☃.net", ""),
        ("ⱥ.com", ""),
        ("127.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
    ] {
        let url = Url::parse(format!("http://{host}/")).unwrap();
        let expected = if expected.is_empty() { url.host().unwrap() } else { expected };
        assert_eq!(url.display_host().unwrap(), expected, "{host}");
    }
    assert_eq!(Url::parse("mailto:a@b").unwrap().display_host(), None);
    assert_eq!(Url::parse("x://xn--bcher-kva/").unwrap().display_host().unwrap(), "xn--bcher-kva");
}

quickcheck! {
    /// What is shown is the same host.
    fn what_is_shown_is_the_same_host(labels: Vec<String>) -> bool {
        let letters = |label: &String| label.chars().filter(|c| c.is_alphanumeric()).take(8).collect::<String>();
        let host = labels.iter().map(letters).collect::<Vec<_>>().join(".");
        let Ok(url) = Url::parse(format!("http://{host}/")) else { return true };
        let shown = url.display_host().unwrap();
        Url::parse(format!("http://{shown}/")).is_ok_and(|again| again.host() == url.host())
    }
}
