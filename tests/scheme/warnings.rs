//! Warnings that are the same in every scheme.

use relref::scheme::*;

use super::read::{warnings, warns};

#[test]
fn ports_of_other_protocols_are_warned_of() {
    use WarningKind::Port;
    assert_eq!(warnings("gopher://h:25/1"), [(Port { privileged: true }, 11..13)]);
    assert_eq!(warnings("http://h:1024/"), [(Port { privileged: false }, 9..13)]);
    assert_eq!(warnings("http://h:1023/"), [(Port { privileged: true }, 9..13)]);
    for text in ["http://h:80/", "http://h:0080/", "http://h/", "ftp://h:21/x", "x-mine://h:25/"] {
        assert_eq!(warnings(text), [], "{text}");
    }
}

#[test]
fn passwords_and_users_are_warned_of() {
    assert_eq!(warnings("ftp://u:secret@h/"), [(WarningKind::User, 6..7), (WarningKind::Password, 8..14)]);
    assert_eq!(warnings("telnet://дед@h/"), [(WarningKind::User, 9..15)]);
    for text in ["ftp://@h/", "ftp://h/", "http://u@h/", "x-mine://u@h/"] {
        assert!(!warns(text, WarningKind::User), "{text}");
    }
    // A user is not allowed.
    assert_eq!(warnings("http://u:p@h/"), [(WarningKind::Password, 9..10), (WarningKind::NoPlace, 7..10)]);
    for text in ["gopher://u@h/", "wais://u@h/d", "prospero://u@h/x", "afs://u@h/x", "https://@h/"] {
        assert!(warns(text, WarningKind::NoPlace), "{text}");
    }
}

#[test]
fn hidden_controls_and_illegal_escapes_are_warned_of() {
    use WarningKind::{Control, IllegalEscape};
    let text = "telnet://h%0d%0A%00%09%20%7F\t/%z%4%";
    let found = warnings(text);
    let octets = [
        (Control(b'\r'), 10..13),
        (Control(b'\n'), 13..16),
        (Control(0), 16..19),
        (Control(b'\t'), 19..22),
        (Control(b'\t'), 28..29),
        (IllegalEscape, 30..31),
        (IllegalEscape, 32..33),
        (IllegalEscape, 34..35),
    ];
    assert_eq!(found[found.len() - octets.len()..], octets);
    // The fragment is not sent, but its escapes must be legal.
    assert_eq!(warnings("http://h/#%0A%0\n"), [(IllegalEscape, 13..14)]);
    assert_eq!(warnings("fxqn:asdf%*.fred")[0], (IllegalEscape, 9..10));
    assert_eq!(Warning { kind: Control(10), range: 3..6 }.to_string(), "control octet 0x0a at bytes 3..6");
}

#[test]
fn uris_with_only_a_local_meaning_are_warned_of() {
    assert_eq!(warnings("nntp://h/g/1"), [(WarningKind::LocalOnly, 0..12)]);
    assert_eq!(warnings("file:///etc/passwd"), [(WarningKind::LocalOnly, 0..18)]);
    assert_eq!(warnings("news:a@b"), []);
    assert_eq!(warnings("mid:a@b"), [(WarningKind::ReceivedMail, 4..7)]);
}

#[test]
fn addresses_as_hosts_are_warned_of() {
    for host in ["127.0.0.1", "0x7f.1", "%31.2.3.4", "[::1]", "1.2.3.4."] {
        assert_eq!(warnings(&format!("http://{host}/")), [(WarningKind::AddressHost, 7..7 + host.len())], "{host}");
    }
    for text in [
        "http://example.com/",
        "http://日本.jp/",
        "http://1.2.3.4.5/",
        "x-y://1.2.3.4/",
        "mailto:a@1.2.3.4",
        "http:///",
    ] {
        assert!(!warns(text, WarningKind::AddressHost), "{text}");
    }
}

#[test]
fn hosts_that_cannot_be_one_are_warned_of() {
    let long = "a".repeat(64);
    for host in
        ["a b", "a..b", "a\\b", "999.1.2.3", "[::1", "[1.2]", "a<b", "%00", "0x1.2.3.4.5", &long, &"a.".repeat(128)]
    {
        let found = warnings(&format!("http://{host}/"));
        assert!(found.contains(&(WarningKind::ImpossibleHost, 7..7 + host.len())), "{host}: {found:?}");
    }
    for host in ["a", "a_b", "[::1]", "1.2.3.4", "0x7f.1", "%41", "a.", &long[1..], "xn--bcher-kva.de"] {
        assert!(!warns(&format!("http://{host}/"), WarningKind::ImpossibleHost), "{host}");
    }
    assert!(warns("http://example.com\\@evil.example/", WarningKind::OtherHost));
    assert!(!warns("x://a\\@b/", WarningKind::OtherHost) && !warns("http://h/\\", WarningKind::OtherHost));
    assert!(!warns("http:///", WarningKind::ImpossibleHost));
    assert!(!warns("x-y://a b/", WarningKind::ImpossibleHost));
}
