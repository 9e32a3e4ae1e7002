//! The scope of a crawl.

use quickcheck::quickcheck;
#[cfg(feature = "psl")]
use relref::crawl::public_suffix;
use relref::crawl::{Key, Normalizer, OutOfScope, RobotsTxt, Scope};
use relref::whatwg;

use super::web_uris::WebUri;
use crate::inputs::references::Text;

#[test]
fn what_cannot_be_fetched_is_out_of_scope() {
    let scope = Scope::new();
    for (uri, why) in [
        ("http://h/", None),
        ("HTTP://H:80?a", None),
        ("http://u:p@h.example.:8080/#x", None),
        ("ftp://127.0.0.1/", None),
        ("http://0x7f.1:/", None),
        ("http://[::1]:1/", None),
        ("http://a_b.c-/", None),
        ("file:///a", None),
        ("file://h/a", None),
        ("file:/a", None),
        ("", Some(OutOfScope::Scheme)),
        ("a/b", Some(OutOfScope::Scheme)),
        ("//h/a", Some(OutOfScope::Scheme)),
        ("mailto:a@h", Some(OutOfScope::Scheme)),
        ("wss://h/", Some(OutOfScope::Scheme)),
        ("http://", Some(OutOfScope::NoHost)),
        ("https:///foo", Some(OutOfScope::NoHost)),
        ("http:foo", Some(OutOfScope::NoHost)),
        ("http://:80/", Some(OutOfScope::NoHost)),
        ("http://u@/", Some(OutOfScope::NoHost)),
        ("http://h:99999/", Some(OutOfScope::BadPort)),
        ("http://h:0/", Some(OutOfScope::BadPort)),
        ("http://h:x/", Some(OutOfScope::BadPort)),
        ("http://h:+1/", Some(OutOfScope::BadPort)),
        ("file://h:80/", Some(OutOfScope::BadPort)),
        ("http://a b/", Some(OutOfScope::BadHost)),
        ("http://a<b/", Some(OutOfScope::BadHost)),
        ("http://a%zz/", Some(OutOfScope::BadHost)),
        ("http://1.2.3.256/", Some(OutOfScope::BadHost)),
        ("http://1.2.3.4.5/", Some(OutOfScope::BadHost)),
        ("http://[::1/", Some(OutOfScope::BadHost)),
        ("http://[::g]/", Some(OutOfScope::BadHost)),
        ("http://[::1]:80:80/", Some(OutOfScope::BadHost)),
        ("http://a:80:80/", Some(OutOfScope::BadHost)),
        ("http://a\\b/", Some(OutOfScope::BadHost)),
        ("http://.../", Some(OutOfScope::BadHost)),
        ("http://a..b/", Some(OutOfScope::BadHost)),
        ("http://.a/", Some(OutOfScope::BadHost)),
    ] {
        assert_eq!(scope.check(uri, "").err(), why, "{uri}");
    }
    let label = "a".repeat(63);
    assert!(scope.check(format!("http://{label}.b/"), "").is_ok());
    assert!(scope.check(format!("http://{label}a.b/"), "").is_err());
    assert!(scope.check(format!("http://{label}.{label}.{label}.{}./", &label[..61]), "").is_ok());
    assert!(scope.check(format!("http://{label}.{label}.{label}.{}/", &label[..62]), "").is_err());
}

/// URIs in which a browser finds another host than RFC 3986 does are out of scope.
#[test]
fn what_browsers_read_as_another_host_is_out_of_scope() {
    let scope = Scope::new().same_host();
    for uri in [r"http://evil.com\@h/", "http://evil.com\t@h/", r"http://h\.evil.com/", "http:\t//evil.com"] {
        assert!(scope.check(uri, "http://h/").is_err(), "{uri:?}");
    }
    for uri in [r"file:\\evil\x", r"file:/\evil/x", r"file:///x\..\y"] {
        assert_eq!(scope.check(uri, "file:///a").is_ok(), uri.starts_with("file:///"), "{uri:?}");
    }
    // A page without a host is on no host.
    assert_eq!(scope.check("file:///etc/passwd", ""), Err(OutOfScope::OtherHost));
    // Not even a crawl of all hosts reads files for a page of the web.
    for page in ["about:blank", "data:x", "http:x", "http://h/", "FTP://h/"] {
        assert_eq!(scope.check("file:///etc/passwd", page), Err(OutOfScope::Scheme), "{page:?}");
        assert_eq!(Scope::new().check("FILE:/etc/passwd", page), Err(OutOfScope::Scheme), "{page:?}");
        assert_eq!(Scope::new().within("file:///etc").unwrap().check("file:///etc/x", page), Err(OutOfScope::Scheme));
    }
    assert_eq!(Scope::new().check("file:///b", "File:///a"), Ok(()));
    assert_eq!(scope.check("file://localhost/x", "file:///y"), Ok(()));
    // Browsers read an invisible character as nothing, so the file is on this machine; without A-labels that is not known.
    for host in ["localhost%C2%AD", "localhost\u{200b}", "%E2%81%A0localhost", "local\u{feff}host"] {
        let uri = format!("file://{host}/etc/passwd");
        assert!(scope.check(&uri, "http://localhost/").is_err(), "{uri}");
        assert_eq!(scope.check(&uri, "file:///y").is_ok(), cfg!(feature = "idna"), "{uri}");
    }
    // A file has no user. Browsers refuse these, or read a drive letter.
    for host in ["localhost@", "x:@", "u@localhost", "u@h", "h@", "C|", "C:", "h%40"] {
        let uri = format!("file://{host}/etc/passwd");
        for page in ["http://localhost/", "file:///y", "http://h/", "file://h/", &uri] {
            assert!(scope.check(&uri, page).is_err(), "{uri} in {page}");
        }
    }
    // A program that reads files does not ask a server, whatever the host.
    for (uri, page) in
        [("file://127.0.0.1/etc/passwd", "http://127.0.0.1/"), ("file://localhost./x", "http://localhost/")]
    {
        assert_eq!(scope.check(uri, page), Err(OutOfScope::Scheme), "{uri} in {page}");
    }
    for page in [r"http://evil.com\@h/", "http://h\t/", "http://evil.com\\"] {
        assert_eq!(scope.check("http://h/", page), Err(OutOfScope::OtherHost), "{page:?}");
    }
}

#[test]
fn schemes_are_those_given() {
    let scope = Scope::new().schemes(["HTTPS", "gopher"]);
    assert!(scope.check("https://h/", "").is_ok() && scope.check("GOPHER://h", "").is_ok());
    assert_eq!(scope.check("http://h/", "").map_err(OutOfScope::name), Err("scheme"));
}

#[test]
fn hosts_are_compared_as_they_are_meant() {
    let scope = Scope::new().same_host();
    for (uri, page, is_same) in [
        ("http://h.com/", "https://H.com:8080/a", true),
        ("http://h.com./", "http://h.com/", true),
        ("http://%68.com/", "http://h.com/", true),
        ("http://127.1/", "http://127.0.0.1/", true),
        ("http://[0:0::1]/", "http://[::1]/", true),
        ("http://a.h.com/", "http://h.com/", false),
        ("http://h.com/", "mailto:h.com", false),
        ("http://h.com/", "http://h.com<y/", false),
        ("file:///a", "file:///b", true),
    ] {
        let expected = if is_same { Ok(()) } else { Err(OutOfScope::OtherHost) };
        assert_eq!(scope.check(uri, page), expected, "{uri} in {page}");
    }
    #[cfg(feature = "idna")]
    assert!(scope.check("http://bücher.example/", "http://xn--bcher-kva.example/").is_ok());
}

#[test]
#[cfg(feature = "psl")]
fn domains_are_those_below_public_suffixes() {
    let scope = Scope::new().same_domain();
    for (uri, page, is_same) in [
        ("http://a.example.com/", "http://EXAMPLE.com/", true),
        ("http://a.example.co.uk/", "http://b.example.co.uk./", true),
        ("http://a.co.uk/", "http://b.co.uk/", false),
        ("http://co.uk/", "http://co.uk/", true),
        ("http://a.github.io/", "http://b.github.io/", false),
        ("http://a.example.xn--55qx5d.cn/", "http://example.xn--55qx5d.cn/", true),
        ("http://a.xn--55qx5d.cn/", "http://b.xn--55qx5d.cn/", false),
        ("http://1.2.3.4/", "http://0.2.3.4/", false),
        ("http://1.2.3.4/", "http://1.2.0x304/", true),
        ("http://[::1]/", "http://[::2]/", false),
        ("http://x.my.lan1/", "http://y.my.lan1/", true),
        ("http://x.my.lan1/", "http://x.our.lan1/", false),
        ("http://localhost/", "http://localhost/", true),
        ("http://a.localhost/", "http://localhost/", false),
    ] {
        let expected = if is_same { Ok(()) } else { Err(OutOfScope::OtherDomain) };
        assert_eq!(scope.check(uri, page), expected, "{uri} in {page}");
    }
}

/// The names that the list's own tests look up, as A-labels, and ends that no rule has.
#[test]
#[cfg(feature = "psl")]
fn public_suffixes() {
    for (host, expected) in [
        ("com", Some("com")),
        ("b.example.com", Some("com")),
        ("example.com.", Some("com.")),
        ("a.b.example.uk.com", Some("uk.com")),
        ("test.ac", Some("ac")),
        ("jp", Some("jp")),
        ("test.ac.jp", Some("ac.jp")),
        ("kyoto.jp", Some("kyoto.jp")),
        ("b.ide.kyoto.jp", Some("ide.kyoto.jp")),
        ("kobe.jp", Some("jp")),
        ("a.b.c.kobe.jp", Some("c.kobe.jp")),
        ("www.city.kobe.jp", Some("kobe.jp")),
        ("city.kobe.jp", Some("kobe.jp")),
        ("ck", None),
        ("b.test.ck", Some("test.ck")),
        ("www.www.ck", Some("ck")),
        ("www.test.k12.ak.us", Some("k12.ak.us")),
        ("www.xn--85x722f.xn--55qx5d.cn", Some("xn--55qx5d.cn")),
        ("xn--p1ai", Some("xn--p1ai")),
        ("", None),
        (".", None),
        ("example.invalid", None),
        ("127.0.0.1", None),
        ("[::1]", None),
    ] {
        assert_eq!(public_suffix(host), expected, "{host}");
    }
    // The first and the last line of the list, and a name of which only the end is looked up.
    let many = "x.".repeat(100_000);
    assert_eq!(public_suffix("x.0.bg"), Some("0.bg"));
    assert_eq!(public_suffix(&[&many, "com"].concat()), Some("com"));
    assert_eq!(public_suffix(&many), None);
}

#[test]
#[cfg(feature = "regex")]
fn patterns_match_anywhere() {
    let scope = Scope::new().include(["^http://h/docs/", "/é"]).unwrap().exclude([r"\.(?i:pdf)$"]).unwrap();
    for (uri, why) in [
        ("http://h/docs/a", None),
        ("http://h/x/é", None),
        ("http://h/a/docs/", Some(OutOfScope::NotIncluded)),
        ("http://h/docs/a.PDF", Some(OutOfScope::Excluded)),
        ("http://h/a.pdf", Some(OutOfScope::NotIncluded)),
        ("http:///docs/", Some(OutOfScope::NoHost)),
    ] {
        assert_eq!(scope.check(uri, "").err(), why, "{uri}");
    }
    let more =
        Scope::new().include(["a"]).unwrap().include(["b"]).unwrap().exclude(["c"]).unwrap().exclude(["d"]).unwrap();
    for (uri, expected) in [
        ("http://h/a", Ok(())),
        ("http://h/b", Ok(())),
        ("http://h/", Err(OutOfScope::NotIncluded)),
        ("http://h/ac", Err(OutOfScope::Excluded)),
        ("http://h/bd", Err(OutOfScope::Excluded)),
    ] {
        assert_eq!(more.check(uri, ""), expected, "{uri}");
    }
    assert!(Scope::new().include(["("]).is_err() && Scope::new().exclude(["a{1000}{1000}{1000}"]).is_err());
    let none: [&str; 0] = [];
    assert_eq!(Scope::new().include(none).unwrap().check("http://h/", ""), Err(OutOfScope::NotIncluded));
}

fn key(kind: Key, normalizer: &Normalizer, uri: &str) -> String {
    let mut key = String::new();
    kind.append(normalizer, uri, &mut key).unwrap();
    key
}

quickcheck! {
    /// Any text is in scope or not. A text in scope is also a URL by the URL Standard.
    fn total(text: Text, link: WebUri, page: WebUri) -> bool {
        let scope = Scope::new().same_host();
        [&text.0, &link.0].into_iter().all(|uri| {
            let _ = scope.check(uri, &page.0);
            Scope::new().schemes(["http", "https", "ftp"]).check(uri, "").is_err() || whatwg::Url::parse(uri).is_ok()
        })
    }

    /// URIs that can be fetched have the same key if, and only if, one is in the scope of the other.
    fn keys_are_the_same_in_one_scope(link: WebUri, page: WebUri) -> bool {
        let scopes = [
            (Key::Host, Scope::new().same_host()),
            #[cfg(feature = "psl")]
            (Key::Domain, Scope::new().same_domain()),
        ];
        let [link, page] = [&link.0, &page.0].map(|uri| uri.trim_start_matches("file:"));
        let can_be_fetched = [link, page].iter().all(|uri| Scope::new().check(uri, "").is_ok());
        scopes.iter().all(|(kind, scope)| {
            let [one, other] = [link, page].map(|uri| key(*kind, &Normalizer::new(), uri));
            !can_be_fetched || one.is_empty() || (one == other) == scope.check(link, page).is_ok()
        })
    }

    /// The key is that of the normal form. A domain is the end of a host.
    fn keys_are_those_of_normal_forms(link: WebUri, text: Text, mask: u32) -> bool {
        let normalizers = [super::laws::all(mask), Normalizer::crawl(), Normalizer::safe()];
        normalizers.iter().all(|normalizer| [&link.0, &text.0].iter().all(|uri| {
            let form = normalizer.clone().keep_illegal_escapes(true).normalize(uri).unwrap();
            Key::ALL[2..].iter().all(|kind| key(*kind, normalizer, uri) == key(*kind, normalizer, &form))
                && key(Key::Host, normalizer, uri).ends_with(&key(Key::ALL[Key::ALL.len() - 1], normalizer, uri))
        }))
    }

    /// Browsers find no URL outside, whatever follows; and what they find outside is not within.
    fn nothing_leads_out_of_a_url(text: Text) -> bool {
        let scope = Scope::new().within("http://h/a/").unwrap();
        ["http://h/a/", "http://H.:80/b/../a/", "http://h/", "http://h"].iter().all(|start| {
            let uri = [start, &*text.0].concat();
            let is_within = scope.check(&uri, "").is_ok();
            let Ok(href) = whatwg::Url::parse(&uri) else { return !is_within };
            // Escapes of unreserved characters may spell the folder.
            is_within == href.as_str().replacen("h.", "h", 1).replace("%61", "a").starts_with("http://h/a/")
                || Scope::new().check(&uri, "").is_err()
        })
    }

    fn a_page_is_in_its_own_scope(link: WebUri) -> bool {
        Scope::new().check(&link.0, "") == Scope::new().same_host().check(&link.0, &link.0)
    }
}

#[test]
fn what_is_below_a_url_is_within() {
    let scope = Scope::new().within("http://u@h/a?b#c").unwrap().within("https://h:8443/d/").unwrap();
    for (uri, is_within) in [
        ("http://h/a", true),
        ("HTTP://H:80/%61/b", true),
        ("http://h/a?x", true),
        ("http://h/a#x", true),
        ("http://h./x/../a/", true),
        ("http://h/ab", false),
        ("http://h/", false),
        ("http://h/a/..", false),
        ("http://h/a/..\\x", false),
        ("http://h/a/%2E%2e/x", false),
        ("http://h:8080/a", false),
        ("https://h/a", false),
        ("http://a.h/a", false),
        ("https://h:8443/d/e", true),
        ("https://h:8443/d", false),
        ("https://me@h:8443/d/?", true),
    ] {
        let expected = if is_within { Ok(()) } else { Err(OutOfScope::Outside) };
        assert_eq!(scope.check(uri, ""), expected, "{uri}");
    }
    assert_eq!(Scope::new().within("/a").unwrap_err(), OutOfScope::Scheme);
    assert_eq!(Scope::new().within("http:///a").unwrap_err(), OutOfScope::NoHost);
}

#[test]
fn traps_have_bounds() {
    let uri = "http://h/a/b//a/c?a/a/a#a/a";
    for (bound, is_in, why) in [
        (Scope::max_len as fn(Scope, usize) -> Scope, uri.len(), OutOfScope::TooLong),
        (Scope::max_depth, 4, OutOfScope::TooDeep),
        (Scope::max_repeats, 2, OutOfScope::Repeats),
    ] {
        assert_eq!(bound(Scope::new(), is_in).check(uri, ""), Ok(()));
        assert_eq!(bound(Scope::new(), is_in - 1).check(uri, ""), Err(why));
    }
    // Before patterns and robots.txt, which cost more.
    let robots = RobotsTxt::parse("user-agent: *\ndisallow: /");
    let scope = Scope::new().max_depth(3).robots("http://h", robots).unwrap();
    assert_eq!(scope.check(uri, ""), Err(OutOfScope::TooDeep));
}

#[test]
fn robots_are_of_one_site() {
    let robots = |text| RobotsTxt::parse(text).for_agent("*");
    let scope = Scope::new().schemes(["HTTP", "x"]);
    let scope = scope.robots("http://H.example./robots.txt", robots("user-agent: *\ndisallow: /a")).unwrap();
    let scope = scope.robots("http://h.example:81", robots("user-agent: *\ndisallow: /b")).unwrap();
    let scope = scope.robots("x://a", robots("user-agent: *\ndisallow: /c")).unwrap();
    let scope = scope.robots("HTTP://0x7f.1", robots("user-agent: *\n\ndisallow: /d")).unwrap();
    for (uri, line) in [
        ("http://h.example/a", Some(2)),
        ("HTTP://h.Example.:80/a", Some(2)),
        ("http://h.example/b", None),
        ("http://h.example:81/b", Some(2)),
        ("http://h.example:82/a", None),
        ("X://A/c", Some(2)),
        ("x://a:80/c", None),
        ("http://127.0.0.1/d", Some(3)),
        ("http://other/a", None),
    ] {
        let expected = line.map_or(Ok(()), |line| Err(OutOfScope::Robots { line }));
        assert_eq!(scope.check(uri, ""), expected, "{uri}");
    }
    // The second file of a site replaces the first.
    let scope = scope.robots("http://h.example:081/", RobotsTxt::default()).unwrap();
    assert_eq!(scope.check("http://h.example:81/b", ""), Ok(()));
    for (site, why) in [
        ("h", OutOfScope::Scheme),
        ("http:h", OutOfScope::NoHost),
        ("http://a b", OutOfScope::BadHost),
        ("http://h:x", OutOfScope::BadPort),
    ] {
        assert_eq!(scope.clone().robots(site, RobotsTxt::default()).unwrap_err(), why);
    }
}
