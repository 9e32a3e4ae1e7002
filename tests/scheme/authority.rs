//! Users, passwords, hosts and ports.

use relref::scheme::{Authority, WarningKind};

use super::read::{view, warnings, warns};

#[test]
fn an_empty_user_or_password_differs_from_none() {
    let authority = |text| view!(Ftp, text).authority.unwrap();
    let fields = |text| (authority(text).username(), authority(text).password(), authority(text).host);
    assert_eq!(fields("ftp://@host.com/"), (Some(""), None, "host.com"));
    assert_eq!(fields("ftp://host.com/"), (None, None, "host.com"));
    assert_eq!(fields("ftp://foo:@host.com/"), (Some("foo"), Some(""), "host.com"));
    assert_eq!(fields("ftp://:b@host.com/"), (Some(""), Some("b"), "host.com"));
    // Without `@`, the colon starts a port: there is no password without a user.
    assert_eq!(fields("ftp://foo:bar/"), (None, None, "foo"));
}

#[test]
fn a_raw_at_sign_belongs_to_the_password() {
    let authority = view!(Ftp, "ftp://:@:@@/").authority.unwrap();
    assert_eq!(
        (authority.username(), authority.password(), authority.host, authority.port_text),
        (Some(""), Some("@:@"), "", None)
    );
    assert!(warns("ftp://:@:@@/", WarningKind::RawDelimiter));
    assert!(!warns("ftp://u%40:p%3A@h/", WarningKind::RawDelimiter));
    assert_eq!(warnings("ftp://u@v:p@h/")[2], (WarningKind::RawDelimiter, 7..8));
}

#[test]
fn the_internet_part_ends_at_the_next_slash() {
    let http = view!(Http, "http://host.dom:8080//a//b");
    assert_eq!((http.authority.unwrap().host, http.path), ("host.dom", "//a//b"));
    // Without two slashes there is no authority.
    assert_eq!(view!(Http, "http:/host.dom/a").authority, None);
    assert!(warns("http:/host.dom/a", WarningKind::Missing));
}

#[test]
fn ports_are_decimal_numbers() {
    fn ports(authority: &str) -> (Option<&str>, Option<u16>, Option<u16>) {
        let authority = Authority::new(authority, Some(80));
        (authority.port_text, authority.port(), authority.port_or_known_default())
    }
    assert_eq!(ports("h"), (None, None, Some(80)));
    assert_eq!(ports("h:"), (Some(""), None, Some(80)));
    assert_eq!(ports("h:81"), (Some("81"), Some(81), Some(81)));
    assert_eq!(ports("h:0081"), (Some("0081"), Some(81), Some(81)));
    for port in ["+81", "-1", "65536", "123456789012345678901234567890", "8x", "é", "٣", "%38"] {
        let (authority, text) = (format!("h:{port}"), format!("http://h:{port}/"));
        assert_eq!(ports(&authority), (Some(port), None, None));
        assert!(warns(&text, WarningKind::UnreadablePort), "{text}");
    }
    assert_eq!(warnings("http://h:/"), [(WarningKind::EmptyPort, 9..9)]);
}

#[test]
fn brackets_hold_an_ipv6_address() {
    let parts = |authority| {
        let authority = Authority::new(authority, None);
        (authority.username(), authority.host, authority.port_text)
    };
    assert_eq!(parts("[::1]"), (None, "[::1]", None));
    assert_eq!(parts("[::1]:80"), (None, "[::1]", Some("80")));
    assert_eq!(parts("u@[fe80::1%25eth0]:80"), (Some("u"), "[fe80::1%25eth0]", Some("80")));
    assert_eq!(parts("[fe80::1%eth0]"), (None, "[fe80::1%eth0]", None));
    assert_eq!(parts("[::1"), (None, "[::1", None));
    assert_eq!(parts("[::1]x:80"), (None, "[::1]x", Some("80")));
    assert_eq!(parts("[]:"), (None, "[]", Some("")));
    assert_eq!(parts("::1"), (None, ":", Some("1")));
    assert!(warns("http://[fe80::1%eth0]/", WarningKind::IllegalEscape));
    assert!(!warns("http://[fe80::1%25eth0]/", WarningKind::IllegalEscape));
}
