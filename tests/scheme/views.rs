//! Schemes: the table, the views of the documents' examples, warnings, gateways, laws, and odd input.

use std::ops::Range;

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::UriRef;
use relref::percent::decode;
use relref::scheme::*;

/// Reads a text as the view of this variant.
macro_rules! view {
    ($variant:ident, $text:expr) => {
        match view(UriRef::new($text)) {
            relref::scheme::View::$variant(view) => view,
            other => panic!("{other:?}"),
        }
    };
}

fn warnings(text: &str) -> Vec<(WarningKind, Range<usize>)> {
    view(UriRef::new(text)).warnings().map(|warning| (warning.kind, warning.range)).collect()
}

fn warns(text: &str, kind: WarningKind) -> bool {
    warnings(text).iter().any(|warning| warning.0 == kind)
}

fn texts<'a, E: std::fmt::Debug>(decoded: impl Iterator<Item = Result<relref::percent::Decode<'a>, E>>) -> Vec<String> {
    decoded.map(|text| text.unwrap().to_string()).collect()
}

#[test]
fn default_ports_are_the_documents() {
    for (name, port) in [
        ("http", 80),
        ("ftp", 21),
        ("gopher", 70),
        ("nntp", 119),
        ("telnet", 23),
        ("tn3270", 23),
        ("wais", 210),
        ("prospero", 1525),
        ("https", 443),
        ("ws", 80),
        ("wss", 443),
    ] {
        assert_eq!(default_port(name), Some(port), "{name}");
        assert_eq!(default_port(&name.to_uppercase()), Some(port), "{name}");
        let text = format!("{name}://h");
        assert_eq!(view(UriRef::new(&text)).authority().unwrap().effective_port(), Some(port), "{name}");
    }
    for name in ["mailto", "news", "mid", "cid", "urn", "file", "afs", "rlogin", "x500", "x-mine", ""] {
        assert_eq!(default_port(name), None, "{name}");
    }
}

#[test]
fn the_table_names_every_scheme_once() {
    let names: Vec<&str> = registry().iter().map(|scheme| scheme.name).collect();
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name) && *name == name.to_ascii_lowercase(), "{name}");
        assert_eq!(info(name).unwrap().name, *name);
    }
    assert!(registry().iter().all(|scheme| !scheme.document.is_empty() && !scheme.section.is_empty()));
    assert!(registry().iter().all(|scheme| scheme.default_port.is_none() || scheme.authority));
    assert_eq!(info("ht"), None);
    assert_eq!(info("x-mine"), None);
}

#[test]
fn reserved_names_have_no_view_of_their_own() {
    for name in ["x500", "whois++", "netman", "nfs", "mailserver", "z39.50"] {
        assert!(info(name).unwrap().reserved, "{name}");
    }
    for scheme in registry() {
        let text = format!("{}://h/x", scheme.name.to_uppercase());
        let generic = matches!(view(UriRef::new(&text)), View::Generic(_));
        assert_eq!(generic, scheme.reserved, "{text}");
    }
}

#[test]
fn hierarchy_is_where_slashes_mean_it() {
    for name in ["http", "https", "ftp", "file", "afs", "urn", "nntp"] {
        assert!(info(name).unwrap().hierarchical, "{name}");
    }
    for name in ["gopher", "prospero", "wais", "mailto", "news", "telnet", "mid"] {
        assert!(!info(name).unwrap().hierarchical, "{name}");
    }
}

#[test]
fn an_unknown_scheme_is_generic() {
    let generic = view!(Generic, "fxqn:/us/va/reston");
    assert_eq!((generic.authority, generic.is_experimental()), (None, false));
    assert!(view!(Generic, "").authority.is_none());
    assert_eq!(view!(Generic, "//h:8/x").authority.unwrap().effective_port(), Some(8));
    // A name that starts as a known one is not that one.
    for text in ["httpx://h", "htt://h", "prosperox://h", "a-very-long-scheme-name://h"] {
        view!(Generic, text);
    }
}

#[test]
fn experimental_schemes_start_with_x() {
    for (text, experimental) in [("x-mine:a", true), ("X-mine:a", true), ("x-:", true), ("xa:b", false), ("x:-", false)]
    {
        assert_eq!(view!(Generic, text).is_experimental(), experimental, "{text}");
    }
    assert!(!view!(Generic, "é").is_experimental());
}

#[test]
fn an_empty_user_or_password_differs_from_none() {
    let authority = |text| view!(Ftp, text).authority.unwrap();
    let fields = |text| (authority(text).user(), authority(text).password(), authority(text).host);
    assert_eq!(fields("ftp://@host.com/"), (Some(""), None, "host.com"));
    assert_eq!(fields("ftp://host.com/"), (None, None, "host.com"));
    assert_eq!(fields("ftp://foo:@host.com/"), (Some("foo"), Some(""), "host.com"));
    assert_eq!(fields("ftp://:b@host.com/"), (Some(""), Some("b"), "host.com"));
    // The colon alone is a port's: no password without a user.
    assert_eq!(fields("ftp://foo:bar/"), (None, None, "foo"));
}

#[test]
fn a_raw_at_sign_belongs_to_the_password() {
    let authority = view!(Ftp, "ftp://:@:@@/").authority.unwrap();
    assert_eq!(
        (authority.user(), authority.password(), authority.host, authority.port),
        (Some(""), Some("@:@"), "", None)
    );
    assert!(warns("ftp://:@:@@/", WarningKind::RawDelimiter));
    assert!(!warns("ftp://u%40:p%3A@h/", WarningKind::RawDelimiter));
    assert_eq!(warnings("ftp://u@v:p@h/")[1], (WarningKind::RawDelimiter, 7..8));
}

#[test]
fn the_internet_part_ends_at_the_next_slash() {
    let http = view!(Http, "http://host.dom:8080//a//b");
    assert_eq!((http.authority.unwrap().host, http.path), ("host.dom", "//a//b"));
    // Without the two slashes there is none.
    assert_eq!(view!(Http, "http:/host.dom/a").authority, None);
    assert!(warns("http:/host.dom/a", WarningKind::Missing));
}

#[test]
fn ports_are_decimal_numbers() {
    fn ports(authority: &str) -> (Option<&str>, Option<u16>, Option<u16>) {
        let authority = Authority::new(authority, Some(80));
        (authority.port, authority.port_number(), authority.effective_port())
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
        (authority.user(), authority.host, authority.port)
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

#[test]
fn ports_of_other_protocols_are_warned_of() {
    use WarningKind::Port;
    assert_eq!(warnings("gopher://h:25/1"), [(Port { reserved: true }, 11..13)]);
    assert_eq!(warnings("http://h:1024/"), [(Port { reserved: false }, 9..13)]);
    assert_eq!(warnings("http://h:1023/"), [(Port { reserved: true }, 9..13)]);
    for text in ["http://h:80/", "http://h:0080/", "http://h/", "ftp://h:21/x", "x-mine://h:25/"] {
        assert_eq!(warnings(text), [], "{text}");
    }
}

#[test]
fn passwords_and_users_are_warned_of() {
    assert_eq!(warnings("ftp://u:secret@h/"), [(WarningKind::Password, 8..14)]);
    assert_eq!(warnings("ftp://u@h/"), []);
    // No user is allowed here.
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
fn a_request_goes_without_host_and_fragment() {
    let target = |text| view!(Http, text).request_target().into_owned();
    assert_eq!(target("http://host.dom/pub/doc.html#andy"), "/pub/doc.html");
    assert_eq!(target("http://host.dom:8080/index?two+words#x"), "/index?two+words");
    assert_eq!(target("http://host.dom?words"), "/?words");
    assert_eq!(target("http://host.dom"), "/");
    assert_eq!(target("https://h//a;b/../c"), "//a;b/../c");
    // What is escaped stays so, what is not allowed becomes so.
    assert_eq!(target("http://h/a%20b%2f c\r\n\"é[%z"), "/a%20b%2f%20c%0D%0A%22%C3%A9%5B%z");
}

#[test]
fn a_proxy_gets_the_whole_uri() {
    assert_eq!(proxy_target(UriRef::new("http://h:81/a?b#c")), "http://h:81/a?b");
    assert_eq!(proxy_target(UriRef::new("wais://h/db/T/1=a;#c")), "wais://h/db/T/1=a;");
    assert_eq!(proxy_target(UriRef::new("http://[::1]/a b[]#")), "http://[::1]/a%20b%5B%5D");
    assert!(matches!(proxy_target(UriRef::new("news:*")), std::borrow::Cow::Borrowed("news:*")));
}

#[test]
fn the_path_of_http_is_opaque() {
    let http = view!(Http, "http://h/a;b=c/%2F/*%20where%20name%3Ddobbins?x=1&y");
    assert_eq!((http.path, http.query), ("/a;b=c/%2F/*%20where%20name%3Ddobbins", Some("x=1&y")));
}

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
    assert_eq!(view!(Ftp, "ftp://h").path, None);
    assert_eq!(view!(Ftp, "ftp://h/").path, Some(""));
    let mut cwd = view!(Ftp, "ftp://h/a/%z/b").cwd();
    assert!(cwd.next().unwrap().is_ok());
    assert_eq!(cwd.next().unwrap().unwrap_err().position(), 1);
    // Nothing says that a connection can serve both, but their directories being the same.
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

#[test]
fn gopher_types_are_not_sent() {
    let read = |text| {
        let gopher = view!(Gopher, text);
        (gopher.item_type(), gopher.selector, gopher.request().unwrap())
    };
    assert_eq!(read("gopher://h/0foo"), ('0', "foo", b"foo".to_vec()));
    // A doubled first character is legal.
    assert_eq!(read("gopher://h/00foo"), ('0', "0foo", b"0foo".to_vec()));
    assert_eq!(read("gopher://h/%30foo"), ('0', "foo", b"foo".to_vec()));
    assert_eq!(read("gopher://h/1"), ('1', "", vec![]));
    assert_eq!(read("gopher://h/9a%09"), ('9', "a", b"a\t".to_vec()));
    assert_eq!(view!(Gopher, "gopher://h/%z").gtype, Some("%"));
}

#[test]
fn a_void_gopher_path_is_a_directory() {
    for text in ["gopher://h", "gopher://h/", "gopher:", "gopher://h/?a", "gopher://h?a", "gopher://h/%09a"] {
        let gopher = view!(Gopher, text);
        assert_eq!((gopher.gtype, gopher.item_type(), gopher.selector), (None, '1', ""), "{text}");
    }
}

#[test]
fn a_gopher_type_is_never_half_a_character() {
    for (text, c) in
        [("gopher://h/é", 'é'), ("gopher://h/éa", 'é'), ("gopher://h/€%09x", '€'), ("gopher://h/😀?", '😀')]
    {
        assert_eq!(view!(Gopher, text).item_type(), c, "{text}");
    }
    assert_eq!(view!(Gopher, "gopher://h/%E9x").item_type(), 'é');
}

#[test]
fn gopher_searches_of_both_forms() {
    let read = |text| {
        let gopher = view!(Gopher, text);
        (gopher.form, gopher.selector, gopher.search, gopher.plus, gopher.request().unwrap())
    };
    assert_eq!(
        read("gopher://h/7s?two+words"),
        (Some(GopherSearch::Query), "s", Some("two+words"), None, b"s\ttwo words".to_vec())
    );
    assert_eq!(
        read("gopher://h/7s%09two+words"),
        (Some(GopherSearch::Tab), "s", Some("two+words"), None, b"s\ttwo+words".to_vec())
    );
    // Where there is a tab, a question mark is an ordinary character.
    assert_eq!(
        read("gopher://h/7s?a%09b?c"),
        (Some(GopherSearch::Tab), "s?a", Some("b?c"), None, b"s?a\tb?c".to_vec())
    );
    assert_eq!(
        read("gopher://h/0s%09%09+text/plain%20En#f"),
        (Some(GopherSearch::Tab), "s", Some(""), Some("+text/plain%20En"), b"s\t\t+text/plain En".to_vec())
    );
    // An escaped percent sign is no escape.
    assert_eq!(read("gopher://h/0a%2509b").0, None);
    assert_eq!(view!(Gopher, "gopher://h/0ab%4").request().unwrap_err().position(), 4);
}

#[test]
fn gopher_plus_strings() {
    use GopherPlus::*;
    for (plus, read) in [
        ("+", Some(Item)),
        ("?", Some(Form)),
        ("!", Some(Attributes(""))),
        ("$", Some(DirectoryAttributes(""))),
        ("!+ABSTRACT", Some(Attributes("+ABSTRACT"))),
        ("!+ABSTRACT%20+SMELL", Some(Attributes("+ABSTRACT%20+SMELL"))),
        ("$+VIEWS", Some(DirectoryAttributes("+VIEWS"))),
        ("+application/postscript%20Es_ES", Some(View("application/postscript", Some("Es_ES")))),
        ("+text/plain", Some(View("text/plain", None))),
        ("+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", Some(Filled("1%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A"))),
        ("", None),
        ("é", None),
        ("?x", None),
    ] {
        let text = format!("gopher://h/0s%09%09{plus}");
        assert_eq!(view!(Gopher, &text).plus(), read, "{plus}");
    }
    // What is sent for a form that was filled out.
    let text = "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A";
    assert_eq!(view!(Gopher, text).request().unwrap(), b"s\t\t+\t1\r\n+-1\r\nyes\r\n.\r\n");
}

#[test]
fn gopher_controls_are_warned_of_but_not_its_separators() {
    assert_eq!(warnings("gopher://h/0s%09a%09+"), []);
    assert_eq!(warnings("gopher://h/%09a"), []);
    assert_eq!(warnings("gopher://h/0s%09a%09+%091"), [(WarningKind::Control(9), 21..24)]);
    assert_eq!(warnings("gopher://h/0s%0D%0A").len(), 2);
}

#[test]
fn gopher_slashes_may_be_no_hierarchy() {
    assert_eq!(warnings("gopher://h/0a/b/c"), [(WarningKind::GopherSlash, 13..14)]);
    assert_eq!(warnings("gopher://h/0a%2Fb"), []);
}

#[test]
fn mail_addresses() {
    let mail = view!(Mailto, "mailto:gorby%25kremvax@example.com");
    assert_eq!(mail.decode().unwrap().to_string(), "gorby%kremvax@example.com");
    assert_eq!((mail.local(), mail.domain(), mail.query), ("gorby%25kremvax", Some("example.com"), None));
    assert_eq!(view!(Mailto, "mailto:\"a@b\"@c").domain(), Some("c"));
    assert_eq!(view!(Mailto, "mailto:a@b?subject=x").query, Some("subject=x"));
    assert_eq!(view!(Mailto, "mailto://a/b@c").address, "//a/b@c");
    assert_eq!(view!(Mailto, "mailto:a%40b").domain(), Some("b"));
    assert_eq!(warnings("mailto:nobody"), [(WarningKind::Missing, 13..13)]);
    assert_eq!(warnings("mailto:a@b"), []);
    // The percent sign must be encoded.
    assert!(view!(Mailto, "mailto:gorby%kremvax@example.com").decode().is_err());
}

#[test]
fn message_and_content_identifiers() {
    let mid = view!(Mid, "mid:960830.1639@XIson.com");
    assert_eq!((mid.local(), mid.domain()), ("960830.1639", Some("XIson.com")));
    assert_eq!(warnings("mid:a@b"), []);
    assert_eq!(warnings("mid:<a@b>")[0], (WarningKind::AngleBrackets, 4..9));
    assert!(warns("mid:%3Ca@b%3E", WarningKind::AngleBrackets));
    assert_eq!(view!(Cid, "cid:foo4*foo1@bar.net").address, "foo4*foo1@bar.net");
    // A part of the same message, and meaningless elsewhere.
    assert_eq!(warnings("cid:foo"), [(WarningKind::LocalOnly, 4..7)]);
}

#[test]
fn news_is_all_groups_a_group_or_an_article() {
    use NewsTarget::*;
    for (text, target) in [
        ("news:*", Some(All)),
        ("news:%2A", Some(All)),
        ("news:comp.infosystems.www.misc", Some(Group("comp.infosystems.www.misc"))),
        ("news:**", Some(Group("**"))),
        ("news:1234@info.cern.ch", Some(Article("1234@info.cern.ch"))),
        ("news:12%4034", Some(Article("12%4034"))),
        ("news:a/b?c@d#e", Some(Article("a/b?c@d"))),
        ("news:", None),
        ("news:#x", None),
    ] {
        assert_eq!(view!(News, text).target, target, "{text}");
    }
    assert_eq!(warnings("news:alt.test"), []);
    assert_eq!(warnings("news:"), [(WarningKind::Missing, 5..5)]);
    assert!(warns("news:<a@b>", WarningKind::AngleBrackets));
}

#[test]
fn news_has_no_host() {
    let text = "news://host.dom/alt.test";
    assert_eq!(view!(News, text).target, Some(NewsTarget::Group("alt.test")));
    assert_eq!(warnings(text), [(WarningKind::NoPlace, 7..15)]);
    assert_eq!(view(UriRef::new(text)).authority(), None);
}

#[test]
fn nntp_of_both_forms() {
    let nntp = view!(Nntp, "nntp://h:8119/comp.test/123");
    assert_eq!((nntp.authority.unwrap().host, nntp.group, nntp.article_number()), ("h", Some("comp.test"), Some(123)));
    let nntp = view!(Nntp, "nntp:comp.test/123");
    assert_eq!((nntp.authority, nntp.group, nntp.article), (None, Some("comp.test"), Some("123")));
    let nntp = view!(Nntp, "nntp://h/comp.test");
    assert_eq!((nntp.group, nntp.article), (Some("comp.test"), None));
    for article in ["", "x", "+1", "1/2", "123456789012345678901234567890"] {
        let text = format!("nntp://h/g/{article}");
        assert_eq!(view!(Nntp, &text).article, Some(article));
        // An empty number has no meaning either.
        assert_eq!(view!(Nntp, &text).article_number(), None, "{text}");
        assert!(warns(&text, WarningKind::UnreadableNumber), "{text}");
    }
}

#[test]
fn what_means_something_only_here_is_warned_of() {
    assert_eq!(warnings("nntp://h/g/1"), [(WarningKind::LocalOnly, 0..12)]);
    assert_eq!(warnings("file:///etc/passwd"), [(WarningKind::LocalOnly, 0..18)]);
    assert_eq!(warnings("news:a@b"), []);
}

#[test]
fn sessions_advise_of_a_login() {
    let telnet = view!(Telnet, "telnet://me:pw@host.dom:24/");
    let authority = telnet.authority.unwrap();
    assert_eq!((authority.user(), authority.password(), authority.port_number()), (Some("me"), Some("pw"), Some(24)));
    assert_eq!(view!(Telnet, "telnet://host.dom").authority.unwrap().effective_port(), Some(23));
    assert_eq!(view!(Tn3270, "tn3270://host.dom").authority.unwrap().effective_port(), Some(23));
    assert_eq!(view!(Rlogin, "rlogin://host.dom").authority.unwrap().effective_port(), None);
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
        Some(fields.map(|(number, text)| format!("{number}:{}", decode(text).unwrap())).collect::<Vec<_>>())
    };
    assert_eq!(fields("1=a;").unwrap(), ["1:a"]);
    // In their order, and decoded after splitting.
    assert_eq!(fields("9=x%3By;1=;10=p/q=r;").unwrap(), ["9:x;y", "1:", "10:p/q=r"]);
    for opaque in ["", ";", "1=a", "1=a;2", "x=a;", "=a;", "1=a;;", "a;", "00%3D"] {
        assert_eq!(fields(opaque), None, "{opaque}");
    }
    assert!(view!(Wais, "wais://h/db").fields().is_none());
}

#[test]
fn a_file_without_a_host_is_of_this_machine() {
    for text in
        ["file:///etc/x", "file://localhost/etc/x", "file://LocalHost/etc/x", "file://%6cocalhost/etc/x", "file:/etc/x"]
    {
        let file = view!(File, text);
        assert!(file.is_local() && warns(text, WarningKind::LocalOnly), "{text}");
        assert_eq!(texts(file.segments()), ["etc", "x"]);
    }
    // A host should always be there, if only a void one.
    assert!(warns("file:/etc/x", WarningKind::Missing));
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
    assert_eq!((link.authority.unwrap().effective_port(), link.hsoname), (Some(1525), "/pros/name"));
    assert_eq!((link.version, link.attributes, link.field_list, link.object_version()), (None, None, None, None));
    let link = view!(Prospero, "prospero://h/a/b%0012abc");
    assert_eq!((link.hsoname, link.version, link.attributes), ("a/b", Some("12"), Some("abc")));
    assert_eq!(warnings("prospero://h/a/b%0012abc"), []);
    let link = view!(Prospero, "prospero://h/a;x=1;object-version=9%003;y;=#f");
    assert_eq!((link.version, link.object_version()), (None, Some("9%003")));
    assert!(link.fields().eq([("x", Some("1")), ("object-version", Some("9%003")), ("y", None), ("", Some(""))]));
    // `%00` with no digits.
    assert_eq!(view!(Prospero, "prospero://h/a%00x").version, Some(""));
    assert_eq!(warnings("prospero://h/a%00x"), [(WarningKind::UnreadableNumber, 17..17)]);
    // A second `%00` separates nothing.
    assert_eq!(warnings("prospero://h/a%001%00"), [(WarningKind::Control(0), 18..21)]);
}

#[test]
fn afs_is_a_cell_and_a_path() {
    let afs = view!(Afs, "afs://cern.ch/user/t/timbl");
    assert_eq!(
        (afs.cell.unwrap().host, texts(afs.segments())),
        ("cern.ch", vec!["user".into(), "t".into(), "timbl".into()])
    );
    assert!(!info("afs").unwrap().reserved);
}

#[test]
fn urn_is_read_from_the_left() {
    let urn = view!(Urn, "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3");
    assert_eq!(texts(urn.segments()), ["iana", "dns", "ch", "cern", "cn", "techdoc", "94", "1642-3"]);
    // Wrapper characters are kept, reserved ones are escapes.
    assert_eq!(texts(view!(Urn, "urn:(a%2Fb)/c").segments()), ["(a/b)", "c"]);
    assert_eq!(view!(Urn, "urn:isbn:0451450523?q").path, "isbn:0451450523");
}

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

#[test]
fn long_input_is_read() {
    let parts = ["a", "/", ";", "@", ":", "%09", "%00", "%", "?", "=", "1=a;", "é", "[", "]", "\0", "%0D"];
    for scheme in registry().iter().map(|scheme| scheme.name).chain(["x-y"]) {
        for part in parts {
            for start in ["", "//", "//h/"] {
                let text = format!("{scheme}:{start}{}", part.repeat((1 << 15) / part.len()));
                exercise(&text);
            }
        }
    }
    for scheme in registry() {
        exercise(&format!("{}://{}", scheme.name, parts.concat().repeat(1 << 15)));
    }
    exercise(&format!("ftp://h/{};type=i", "a/".repeat(1 << 19)));
    exercise(&format!("http://h:{}/", "9".repeat(1 << 20)));
    let mut gateways = Gateways::new();
    gateways.set("news", "http://g/");
    let text = format!("news:{}", "%é".repeat(1 << 18));
    assert_eq!(gateways.restore(&gateways.rewrite(&text).unwrap()).unwrap(), text);
}

#[test]
fn views_that_were_changed_do_no_harm() {
    let (mut gopher, other) = (view!(Gopher, "gopher://h/0s%09a"), view!(Gopher, "gopher://u:x@host:x/0s%09a%09b"));
    (gopher.search, gopher.plus, gopher.selector, gopher.authority) = (Some("/"), Some(""), "/", other.authority);
    for warning in View::Gopher(gopher).warnings() {
        assert!("gopher://h/0s%09a".get(warning.range).is_some());
    }
}

/// Calls all there is, and checks what is true of any text.
fn exercise(text: &str) {
    let uri = UriRef::new(text);
    let view = view(uri);
    assert_eq!((view.to_string().as_str(), view.uri()), (text, uri));
    for warning in view.warnings() {
        assert!(text.get(warning.range.clone()).is_some(), "{warning}");
    }
    let whole = |decoded: &str| text.len() >= decoded.len();
    if let Some(authority) = view.authority() {
        assert_eq!(authority.to_string(), uri.authority().unwrap());
        assert!(authority.effective_port() == authority.port_number() || authority.port.unwrap_or("").is_empty());
    }
    match view {
        View::Http(http) => assert!(http.request_target().starts_with('/')),
        View::Ftp(ftp) => {
            let _ = (ftp.data_type(), ftp.is_listing(), ftp.password());
            assert!(whole(ftp.name()) && ftp.cwd().count() <= text.len());
        }
        View::Gopher(gopher) => {
            let _ = (gopher.item_type(), gopher.plus(), gopher.request());
        }
        View::Mailto(mail) | View::Mid(mail) | View::Cid(mail) => assert!(whole(mail.local())),
        View::Nntp(nntp) => drop(nntp.article_number()),
        View::Wais(wais) => drop(wais.fields().map(Iterator::count)),
        View::File(file) => assert!(file.segments().count() <= text.len()),
        View::Prospero(prospero) => assert!(prospero.fields().count() <= text.len()),
        _ => {}
    }
    assert!(!proxy_target(uri).contains(['#', ' ', '\r', '\n', '\0']));
}

/// The text before the fragment, in lower case, put together from the fields: without and with the slash behind the host.
fn from_fields(view: View<'_>) -> Option<[String; 2]> {
    let opt = |before: &str, part: Option<&str>| part.map(|part| format!("{before}{part}")).unwrap_or_default();
    let authority = opt("//", view.authority().map(|authority| authority.to_string()).as_deref());
    let (start, end) = match view {
        View::Http(http) => (authority, format!("{}{}", http.path, opt("?", http.query))),
        View::Ftp(ftp) => {
            let raw: Vec<String> = ftp.path?.split('/').map(str::to_string).collect();
            assert_eq!(raw.len(), ftp.cwd().count() + 1);
            assert_eq!(raw.last().unwrap(), ftp.name());
            (authority, format!("{}{}", raw.join("/"), opt(";type=", ftp.type_code)))
        }
        View::Gopher(gopher) => {
            let before = if gopher.form == Some(GopherSearch::Tab) { "%09" } else { "?" };
            let search = opt(before, gopher.search);
            assert_eq!(gopher.command, format!("{}{search}{}", gopher.selector, opt("%09", gopher.plus)));
            (authority, format!("{}{}", gopher.gtype.unwrap_or(""), gopher.command))
        }
        View::Mailto(mail) | View::Mid(mail) | View::Cid(mail) => {
            let at = if mail.address.contains('@') { "@" } else { "%40" };
            let parts = format!("{}{}", mail.local(), opt(at, mail.domain()));
            assert_eq!(parts, mail.address);
            (parts, opt("?", mail.query))
        }
        View::News(news) => match news.target? {
            NewsTarget::All => return None,
            NewsTarget::Group(name) | NewsTarget::Article(name) => {
                (opt("//", view.uri().authority()), name.to_string())
            }
        },
        View::Nntp(nntp) => (authority, format!("{}{}", nntp.group.unwrap_or(""), opt("/", nntp.article))),
        View::Wais(wais) => {
            let document = format!("{}{}", opt("/", wais.wtype), opt("/", wais.wpath));
            (authority, format!("{}{document}{}", wais.database.unwrap_or(""), opt("?", wais.search)))
        }
        View::File(file) => (opt("//", file.host), file.path.to_string()),
        View::Afs(afs) => (authority, afs.path.to_string()),
        View::Prospero(link) => {
            let version = format!("{}{}", opt("%00", link.version), link.attributes.unwrap_or(""));
            (authority, format!("{}{version}{}", link.hsoname, opt(";", link.field_list)))
        }
        View::Urn(urn) => (urn.path.to_string(), opt("?", view.uri().query())),
        _ => return None,
    };
    let scheme = view.uri().scheme()?;
    Some(["", "/"].map(|slash| format!("{scheme}:{start}{slash}{end}").to_lowercase()))
}

/// A text of some scheme, with what its parts are made of.
#[derive(Clone, Debug)]
struct Uri(String);

impl Arbitrary for Uri {
    fn arbitrary(g: &mut Gen) -> Self {
        let starts = ["", "", "//", "//h", "//u:p@h:1/", "//[::1]:2/", "//@:/"];
        let parts = [
            "a", "B", "/", "/", ";", ";type=", "I", "%09", "%00", "%2F", "%", "%z", "?", "=", "1", "+", "!", "$", "@",
            "%40", ":", "é", "€", "#", "*", " ", "\n", "<", "%3c", "[", "]", "\0",
        ];
        let scheme = g.choose(registry()).unwrap().name;
        let mut text = format!("{scheme}:{}", g.choose(&starts).unwrap());
        for _ in 0..usize::arbitrary(g) % 12 {
            text.push_str(g.choose(&parts).unwrap());
        }
        Uri(text)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let shorter = move |(at, c): (usize, char)| Uri(format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        let places: Vec<_> = self.0.char_indices().collect();
        Box::new(places.into_iter().map(shorter))
    }
}

quickcheck! {
    /// A view prints what it read, and all its parts are in range, for any text.
    fn views_print_what_they_read(text: String, uri: Uri) -> bool {
        exercise(&text);
        exercise(&uri.0);
        registry().iter().for_each(|scheme| exercise(&format!("{}:{text}", scheme.name)));
        true
    }

    /// No view loses a byte: its fields make up the text.
    fn fields_make_up_the_text(uri: Uri) -> bool {
        let before_fragment = uri.0.split('#').next().unwrap().to_lowercase();
        from_fields(view(UriRef::new(&uri.0))).is_none_or(|texts| texts.contains(&before_fragment))
    }

    /// A split authority prints the authority it read.
    fn authorities_print_what_they_read(text: String, picks: Vec<u8>) -> bool {
        let odd: String = picks.iter().map(|pick| ["a", ":", "@", "[", "]", "1", "é"][usize::from(*pick) % 7]).collect();
        Authority::new(&text, None).to_string() == text && Authority::new(&odd, None).to_string() == odd
    }

    /// A gateway gives back the URI it was given, byte for byte.
    fn gateways_restore_what_they_rewrite(text: String, uri: Uri) -> bool {
        let mut gateways = Gateways::new();
        registry().iter().enumerate().for_each(|(at, scheme)| {
            gateways.set(scheme.name, ["http://gate/", "http://gate/x?y=", "gate#"][at % 3]);
        });
        let text = format!("NEWS:{text}");
        [text, uri.0].iter().all(|uri| gateways.restore(&gateways.rewrite(uri).unwrap()).as_ref() == Some(uri))
    }
}
