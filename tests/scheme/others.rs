//! `telnet`, `wais`, `file`, `prospero`, `afs`, `urn`, `data` and `sip`.

use relref::percent::decode_bytes;
use relref::scheme::*;

use super::read::{texts, view, warnings, warns};

#[test]
fn telnet_advises_a_user_and_a_password() {
    let telnet = view!(Telnet, "telnet://me:pw@host.dom:24/");
    let authority = telnet.authority.unwrap();
    assert_eq!((authority.username(), authority.password(), authority.port()), (Some("me"), Some("pw"), Some(24)));
    assert_eq!(view!(Telnet, "telnet://host.dom").authority.unwrap().port_or_known_default(), Some(23));
    assert_eq!(view!(Telnet, "tn3270://host.dom").authority.unwrap().port_or_known_default(), Some(23));
    assert_eq!(view!(Telnet, "rlogin://host.dom").authority.unwrap().port_or_known_default(), None);
    assert_eq!(warnings("telnet://h"), []);
    assert_eq!(warnings("telnet://h/"), []);
    assert_eq!(warnings("telnet://h/x?y#z"), [(WarningKind::NoPlace, 10..14)]);
    assert_eq!(warnings("telnet:")[0], (WarningKind::Missing, 7..7));
}

#[test]
fn wais_is_a_database_a_search_or_a_document() {
    let read = |text| {
        let wais = view!(Wais, text);
        (wais.database, wais.search, wais.wtype, wais.wpath)
    };
    assert_eq!(read("wais://h/db"), (Some("db"), None, None, None));
    assert_eq!(read("wais://h/db?lynch"), (Some("db"), Some("lynch"), None, None));
    assert_eq!(read("wais://h/db/HTML/1=a;2=b/c;"), (Some("db"), None, Some("HTML"), Some("1=a;2=b/c;")));
    assert_eq!(read("wais://h/db/HTML"), (Some("db"), None, Some("HTML"), None));
    assert_eq!(read("wais://h"), (None, None, None, None));
    assert_eq!(read("wais:lynch"), (Some("lynch"), None, None, None));
    assert_eq!(warnings("wais://h/?x"), [(WarningKind::Missing, 8..8)]);
}

#[test]
fn wais_paths_are_fields_or_opaque() {
    let fields = |wpath: &str| {
        let text = format!("wais://h/db/T/{wpath}");
        let fields = view!(Wais, &text).fields()?;
        Some(fields.map(|(number, text)| format!("{number}:{}", decode_bytes(text).unwrap())).collect::<Vec<_>>())
    };
    assert_eq!(fields("1=a;").unwrap(), ["1:a"]);
    // The fields keep their order, and are split before they are decoded.
    assert_eq!(fields("9=x%3By;1=;10=p/q=r;").unwrap(), ["9:x;y", "1:", "10:p/q=r"]);
    for opaque in ["", ";", "1=a", "1=a;2", "x=a;", "=a;", "1=a;;", "a;", "00%3D"] {
        assert_eq!(fields(opaque), None, "{opaque}");
    }
    assert!(view!(Wais, "wais://h/db").fields().is_none());
}

#[test]
fn a_file_without_a_host_is_on_this_machine() {
    for text in
        ["file:///etc/x", "file://localhost/etc/x", "file://LocalHost/etc/x", "file://%6cocalhost/etc/x", "file:/etc/x"]
    {
        let file = view!(File, text);
        assert!(file.is_local() && warns(text, WarningKind::LocalOnly), "{text}");
        assert_eq!(texts(file.decoded_segments()), ["etc", "x"]);
    }
    // `//` is always required, even before an empty host.
    assert!(warns("file:etc/x", WarningKind::Missing));
    assert!(!warns("file:/etc/x", WarningKind::Missing));
    assert!(!warns("file:///etc/x", WarningKind::Missing));
}

#[test]
fn a_file_of_another_machine_is_warned_of() {
    assert_eq!(warnings("file://vms.host.edu/disk$user/x"), [(WarningKind::ForeignHost, 7..19)]);
    assert!(warns("file://localhost.evil/x", WarningKind::ForeignHost));
    assert_eq!(view!(File, "file://h/a?b").path, "/a?b");
    assert!(warns("file:///a%00b", WarningKind::Control(0)));
}

#[test]
fn prospero_versions_and_fields() {
    let link = view!(Prospero, "prospero://host.dom//pros/name");
    assert_eq!((link.authority.unwrap().port_or_known_default(), link.hsoname), (Some(1525), "/pros/name"));
    assert_eq!((link.version, link.attributes, link.field_list, link.object_version()), (None, None, None, None));
    let link = view!(Prospero, "prospero://h/a/b%0012abc");
    assert_eq!((link.hsoname, link.version, link.attributes), ("a/b", Some("12"), Some("abc")));
    assert_eq!(warnings("prospero://h/a/b%0012abc"), []);
    let link = view!(Prospero, "prospero://h/a;x=1;object-version=9%003;y;=#f");
    assert_eq!((link.version, link.object_version()), (None, Some("9%003")));
    assert!(link.fields().eq([("x", Some("1")), ("object-version", Some("9%003")), ("y", None), ("", Some(""))]));
    // `%00` without digits.
    assert_eq!(view!(Prospero, "prospero://h/a%00x").version, Some(""));
    assert_eq!(warnings("prospero://h/a%00x"), [(WarningKind::UnreadableNumber, 17..17)]);
    // A second `%00` is not a separator.
    assert_eq!(warnings("prospero://h/a%001%00"), [(WarningKind::Control(0), 18..21)]);
}

#[test]
fn afs_is_a_cell_and_a_path() {
    let afs = view!(Afs, "afs://cern.ch/user/t/timbl");
    assert_eq!(
        (afs.cell.unwrap().host, texts(afs.decoded_segments())),
        ("cern.ch", vec!["user".into(), "t".into(), "timbl".into()])
    );
    assert!(!info("afs").unwrap().reserved);
}

#[test]
fn urn_is_read_from_the_left() {
    let urn = view!(Urn, "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3");
    assert_eq!(texts(urn.decoded_segments()), ["iana", "dns", "ch", "cern", "cn", "techdoc", "94", "1642-3"]);
    // Wrapper characters are kept, reserved ones are escaped.
    assert_eq!(texts(view!(Urn, "urn:(a%2Fb)/c").decoded_segments()), ["(a/b)", "c"]);
    assert_eq!(view!(Urn, "urn:isbn:0451450523?q").path, "isbn:0451450523");
}

#[test]
fn data_has_a_type_and_a_length() {
    let read = |text| {
        let data = view!(Data, text);
        (data.media_type(), data.charset(), data.is_base64(), data.decoded_len())
    };
    assert_eq!(read("data:text/plain;charset=utf-8;base64,aGk="), ("text/plain", Some("utf-8"), true, Some(2)));
    assert_eq!(read("data:,A%20b%2"), ("text/plain", Some("US-ASCII"), false, Some(5)));
    assert_eq!(read("data:;charset=x;base64,"), ("text/plain", Some("x"), true, Some(0)));
    assert_eq!(read("DATA:image/png;a=b; BASE64,a?b#c"), ("image/png", None, true, None));
    assert_eq!(read("data:text/html,a?b,c#d"), ("text/html", None, false, Some(5)));
    // `base64` is the type here, or not the last word.
    assert_eq!(read("data:base64,aGk="), ("base64", None, false, Some(4)));
    assert_eq!(read("data:;base64;a=b,aGk="), ("text/plain", None, false, Some(4)));
    assert_eq!(read("data:text/plain"), ("text/plain", None, false, None));
    let parameters = |text| view!(Data, text).parameters().collect::<Vec<_>>();
    assert_eq!(parameters("data:a/b;c;d=e;base64,"), ["c", "d=e"]);
    // The cases of Infra's forgiving-base64 decode.
    for (data, len) in [
        ("YWJj", Some(3)),
        ("YWI", Some(2)),
        ("YWI=", Some(2)),
        ("YQ", Some(1)),
        ("YQ==", Some(1)),
        (" Y%51%3D\t= ", Some(1)),
        ("Y", None),
        ("YWJjY", None),
        ("YQ=", None),
        ("YWI==", None),
        ("Y===", None),
        ("=", None),
        ("Y=Q=", None),
        ("YWJj====", None),
        ("YW-_", None),
        ("é", None),
    ] {
        let text = format!("data:;base64,{data}");
        assert_eq!(view!(Data, &text).decoded_len(), len, "{data}");
        let expected = if len.is_none() { vec![(WarningKind::NotBase64, 13..text.len())] } else { vec![] };
        assert_eq!(
            warnings(&text).into_iter().filter(|one| one.0 == WarningKind::NotBase64).collect::<Vec<_>>(),
            expected
        );
    }
    assert_eq!(warnings("data:text/plain#x"), [(WarningKind::Missing, 15..15)]);
}

#[test]
fn sip_has_a_host_without_slashes() {
    let read = |text| {
        let sip = view!(Sip, text);
        (sip.authority.userinfo, sip.authority.host, sip.authority.port(), sip.parameters, sip.headers)
    };
    assert_eq!(read("sip:a@b.com"), (Some("a"), "b.com", None, None, None));
    assert_eq!(read("SIPS:b.com;x;y=z?"), (None, "b.com", None, Some("x;y=z"), Some("")));
    assert_eq!(
        read("sip:a;b?c:d@[::1]:5061?s=t&u=v;w#f"),
        (Some("a;b?c:d"), "[::1]", Some(5061), None, Some("s=t&u=v;w"))
    );
    assert_eq!(read("sip:a@b@h"), (Some("a@b"), "h", None, None, None));
    assert_eq!(warnings("sip:a:p@h"), [(WarningKind::Password, 6..7)]);
    assert_eq!(warnings("sip:a@;x"), [(WarningKind::Missing, 6..6)]);
    assert_eq!(warnings("sip:h:5060"), []);
}

#[test]
fn a_urn_has_a_namespace_and_components() {
    let read = |text| {
        let urn = view!(Urn, text);
        (urn.nid(), urn.nss(), [urn.r_component(), urn.q_component(), urn.f_component()])
    };
    assert_eq!(read("urn:ISBN:0-1%2F/a"), (Some("ISBN"), Some("0-1%2F/a"), [None; 3]));
    assert_eq!(read("urn:e:a?+r?=q#f"), (Some("e"), Some("a"), [Some("r"), Some("q"), Some("f")]));
    assert_eq!(read("urn:e:a?=q?+r"), (Some("e"), Some("a"), [None, Some("q?+r"), None]));
    assert_eq!(read("urn:e:a?+r?+s"), (Some("e"), Some("a"), [Some("r?+s"), None, None]));
    assert_eq!(read("urn:/a/b?+r#f"), (None, None, [None; 3]));
    assert_eq!(read("urn:e:"), (None, None, [None; 3]));
    assert_eq!(warnings("urn:e:a?x"), [(WarningKind::NoPlace, 8..9)]);
    assert_eq!(warnings("urn:e:a?+x?=y"), []);
}
