//! `ftp`.

use relref::scheme::*;

use super::read::{texts, view, warnings};

#[test]
fn ftp_changes_directory_by_segment_and_decodes_after() {
    let ftp = |text| {
        let ftp = view!(Ftp, text);
        (ftp.user(), texts(ftp.cwd()), ftp.name())
    };
    // The three examples of RFC 1738 §3.2.2.
    assert_eq!(ftp("ftp://myname@host.dom/%2Fetc/motd"), ("myname", vec!["/etc".into()], "motd"));
    assert_eq!(ftp("ftp://myname@host.dom/etc/motd"), ("myname", vec!["etc".into()], "motd"));
    assert_eq!(ftp("ftp://myname@host.dom//etc/motd"), ("myname", vec!["".into(), "etc".into()], "motd"));
    assert_eq!(ftp("ftp://h/motd"), ("anonymous", vec![], "motd"));
    assert_eq!(ftp("ftp://h"), ("anonymous", vec![], ""));
    assert_eq!(ftp("ftp://h/a%3Bb/c?d;e=f"), ("anonymous", vec!["a;b".into()], "c?d;e=f"));
    assert_eq!(view!(Ftp, "ftp://h").url_path, None);
    assert_eq!(view!(Ftp, "ftp://h/").url_path, Some(""));
    let mut cwd = view!(Ftp, "ftp://h/a/%z/b").cwd();
    assert!(cwd.next().unwrap().is_ok());
    assert_eq!(cwd.next().unwrap().unwrap_err().position(), 1);
    // Two files are on one connection if their directories are the same.
    assert_eq!(texts(view!(Ftp, "ftp://h/a/b").cwd()), texts(view!(Ftp, "ftp://h/%61/c").cwd()));
}

#[test]
fn ftp_without_a_user_is_anonymous() {
    let who = |text| (view!(Ftp, text).user(), view!(Ftp, text).password());
    assert_eq!(who("ftp://h/"), ("anonymous", FtpPassword::MailAddress));
    assert_eq!(who("ftp:"), ("anonymous", FtpPassword::MailAddress));
    assert_eq!(who("ftp://me@h/"), ("me", FtpPassword::Ask));
    assert_eq!(who("ftp://me:@h/"), ("me", FtpPassword::Given("")));
    assert_eq!(who("ftp://@h/"), ("", FtpPassword::Ask));
}

#[test]
fn ftp_types_of_both_documents() {
    use FormCode::*;
    use FtpType::*;
    for (code, data_type) in [
        ("a", Some(Ascii(None))),
        ("A", Some(Ascii(None))),
        ("AN", Some(Ascii(Some(NonPrint)))),
        ("AT", Some(Ascii(Some(Telnet)))),
        ("ac", Some(Ascii(Some(CarriageControl)))),
        ("EN", Some(Ebcdic(Some(NonPrint)))),
        ("E", Some(Ebcdic(None))),
        ("I", Some(Image)),
        ("i", Some(Image)),
        ("d", Some(Directory)),
        ("D", Some(Directory)),
        ("L8", Some(Local(8))),
        ("L36", Some(Local(36))),
        ("L", None),
        ("L256", None),
        ("L+8", None),
        ("L123456789012345678901234567890", None),
        ("x", None),
        ("", None),
        ("AX", None),
        ("IN", None),
        ("dd", None),
        ("é", None),
        ("Aé", None),
    ] {
        let text = format!("ftp://h/x;type={code}");
        let ftp = view!(Ftp, &text);
        assert_eq!((ftp.name(), ftp.type_code, ftp.data_type()), ("x", Some(code), data_type), "{text}");
        let warned = if data_type.is_none() { vec![(WarningKind::UnknownType, 15..text.len())] } else { vec![] };
        assert_eq!(warnings(&text), warned, "{text}");
    }
}

#[test]
fn ftp_type_left_out_is_to_be_guessed() {
    for (text, name) in [
        ("ftp://h/x.txt", "x.txt"),
        ("ftp://h/x;type", "x;type"),
        ("ftp://h/x;typ=a", "x;typ=a"),
        ("ftp://h/a;type=i/x", "x"),
        ("ftp://h/x%3Btype=a", "x%3Btype=a"),
        ("ftp://h/x;é", "x;é"),
    ] {
        let ftp = view!(Ftp, text);
        assert_eq!((ftp.name(), ftp.type_code, ftp.data_type()), (name, None, None), "{text}");
    }
    assert_eq!(view!(Ftp, "ftp://h/x;type=a;TYPE=i#f").type_code, Some("i"));
}

#[test]
fn ftp_lists_by_type_or_trailing_slash() {
    for (text, listing) in [
        ("ftp://info.cern.ch/pub/www/doc;type=d", true),
        ("ftp://h/pub/", true),
        ("ftp://h/", true),
        ("ftp://h", true),
        ("ftp://h/pub", false),
        ("ftp://h/pub;type=a", false),
        ("ftp://h/pub/;type=i", false),
    ] {
        assert_eq!(view!(Ftp, text).is_listing(), listing, "{text}");
    }
}
