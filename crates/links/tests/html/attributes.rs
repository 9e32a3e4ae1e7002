//! Which attributes hold links, and the kinds of their links.

use std::io::Cursor;

use relref_links::html::{Kind, LinkBuf, Pages, links};

use super::laws::{LawBase, in_memory, streamed};
use super::markup::{URI, base, kinds, references, uris};

/// Returns the kind of the only link of a page.
fn kind(page: &str) -> Kind {
    let found = links(page.as_bytes(), &base()).unwrap();
    assert_eq!(found.len(), 1, "{page}: {found:?}");
    found[0].kind
}

#[test]
fn attributes_of_any_element() {
    for (attribute, kind) in [
        ("action", "form"),
        ("archive", "resource"),
        ("background", "resource"),
        ("cite", "citation"),
        ("classid", "resource"),
        ("codebase", "metadata"),
        ("dynsrc", "resource"),
        ("formaction", "form"),
        ("href", "hyperlink"),
        ("icon", "resource"),
        ("imagesrcset", "resource"),
        ("longdesc", "hyperlink"),
        ("lowsrc", "resource"),
        ("manifest", "resource"),
        ("ping", "metadata"),
        ("poster", "resource"),
        ("profile", "metadata"),
        ("src", "resource"),
        ("srcset", "resource"),
        ("usemap", "metadata"),
        ("xlink:href", "hyperlink"),
    ] {
        for element in ["p", "a", "x-made-up", "body", "q2"] {
            let page = format!("<{element} id=y {attribute}=g class=z>");
            assert_eq!(kinds(&page), [[element, attribute, kind].map(String::from)], "{page}");
            assert_eq!(uris(&page), ["http://h/a/g"]);
        }
    }
}

#[test]
fn attributes_of_one_element() {
    assert_eq!(references("<object data=x><p data=y><param name=a value=b>"), ["x"]);
    assert_eq!(
        references("<param valuetype=REF value=x><param value=y valuetype=ref><p valuetype=ref value=z>"),
        ["x", "y"]
    );
    assert_eq!(references("<param valuetype=data value=x><input value=y><meta content='1; url=z'>"), [""; 0]);
    assert_eq!(
        references("<meta content='1; url=x' http-equiv=Refresh><p http-equiv=refresh content='1; url=y'>"),
        ["x"]
    );
}

#[test]
fn attributes_with_several_references() {
    assert_eq!(references("<a href=x ping=' p1\n p2 '>"), ["x", "p1", "p2"]);
    assert_eq!(references("<head profile='http://a/ http://b/'>"), ["http://a/", "http://b/"]);
    assert_eq!(references("<object archive='a.jar  b.jar'>"), ["a.jar", "b.jar"]);
    assert_eq!(references("<applet archive='a.jar, b c.jar ,,'>"), ["a.jar", "b c.jar"]);
}

#[test]
fn a_codebase_is_the_base_of_some_attributes() {
    for page in
        ["<object codebase=c/ classid=x data=y archive='z w'>", "<object classid=x data=y archive='z w' codebase=c/>"]
    {
        let mut found = uris(page);
        found.retain(|uri| uri != "http://h/a/c/");
        assert_eq!(found, ["http://h/a/c/x", "http://h/a/c/y", "http://h/a/c/z", "http://h/a/c/w"], "{page}");
    }
    assert_eq!(uris("<base href=/b/><applet codebase=../c/ archive=x>"), ["http://h/c/", "http://h/c/x"]);
    // It does not count for other attributes and elements, or if it is empty.
    assert_eq!(uris("<base href=/d/><img usemap=#m>"), ["http://h/a/page.html#m"]);
    assert_eq!(uris("<object usemap=#m codebase=c/>"), ["http://h/a/page.html#m", "http://h/a/c/"]);
    assert_eq!(uris("<p codebase=c/ archive=x>"), ["http://h/a/c/", "http://h/a/x"]);
    assert_eq!(uris("<object codebase='' data=x>"), ["http://h/a/x"]);
}

#[test]
fn some_attributes_need_an_option() {
    let page = b"<img data-src=a data-srcset='b 1x, c 2x' data-original=d><p data-href=e itemid=f itemtype='g h'>";
    let found = |lazy, items| {
        let mut pages = Pages::new();
        (pages.options.lazy, pages.options.items) = (lazy, items);
        let mut found = String::new();
        pages.links(page, None, &base(), |link| found.push_str(link.reference));
        found
    };
    assert_eq!(
        [found(false, false), found(true, false), found(false, true), found(true, true)],
        ["", "abcde", "fgh", "abcdefgh"]
    );
}

#[test]
fn the_kind_of_a_link_element_follows_from_its_rel() {
    for (rel, expected) in [
        ("stylesheet", Kind::Resource),
        ("alternate StyleSheet", Kind::Resource),
        ("shortcut icon", Kind::Resource),
        ("apple-touch-icon", Kind::Resource),
        ("preload", Kind::Resource),
        ("modulepreload", Kind::Resource),
        ("manifest", Kind::Resource),
        ("next", Kind::Hyperlink),
        ("prev", Kind::Hyperlink),
        ("author", Kind::Hyperlink),
        ("alternate", Kind::Hyperlink),
        ("license", Kind::Hyperlink),
        ("help", Kind::Hyperlink),
        ("search", Kind::Hyperlink),
        ("x-made-up", Kind::Hyperlink),
        ("canonical", Kind::Metadata),
        ("canonical next", Kind::Hyperlink),
        ("dns-prefetch preconnect", Kind::Metadata),
        ("Schema.DC", Kind::Metadata),
        ("schéma.", Kind::Hyperlink),
        ("", Kind::Metadata),
    ] {
        assert_eq!(kind(&format!("<link href=x rel='{rel}'>")), expected, "{rel}");
        assert_eq!(kind(&format!("<link rel='{rel}' href=x>")), expected, "{rel}");
        assert_eq!(kind(&format!("<a rel='{rel}' href=x>")), Kind::Hyperlink);
    }
    assert_eq!(kind("<link href=x>"), Kind::Metadata);
}

#[test]
fn links_in_svg_are_resources_except_of_a() {
    assert_eq!(kind("<svg><a href=x>"), Kind::Hyperlink);
    assert_eq!(kind("<svg><a xlink:href=x>"), Kind::Hyperlink);
    assert_eq!(kind("<svg><use href=x>"), Kind::Resource);
    assert_eq!(kind("<svg><feImage XLINK:HREF=x>"), Kind::Resource);
    assert_eq!(kind("<svg><foreignObject><use href=x>"), Kind::Hyperlink);
    assert_eq!(kind("<math><mrow href=x>"), Kind::Hyperlink);
    // SVG 2 §16.1.6: `href` counts, also if it is empty.
    assert!(references("<svg><use href='' xlink:href=x>").is_empty());
    assert_eq!(references("<svg><use xlink:href=x href=y>"), ["y"]);
}

#[test]
fn some_attributes_may_be_empty() {
    assert_eq!(uris("<a href=''>"), [URI]);
    assert_eq!(
        kinds(
            "<area href><form action=''><button formaction=' '><q cite=''><meta http-equiv=refresh content='0;url='>"
        )
        .len(),
        5
    );
    assert_eq!(
        references("<img src='' srcset='' poster><link href='' rel=next><body background='' longdesc='' ping=''>"),
        [""; 0]
    );
    assert_eq!(references("<object data='' codebase='' archive='' classid=''><svg><use href=''>"), [""; 0]);
}

/// With the option `robots`, a rule for all links of the page is known before the first link is reported, wherever the rule is.
#[test]
fn a_page_may_ask_robots_to_follow_no_link() {
    for (page, expected) in [
        ("<a href=x><meta name=robots content=nofollow>", true),
        ("<a href=x><META name=ROBOTS content='noindex, NoFollow'>", true),
        ("<a href=x><meta content=none name=robots>", true),
        ("<a href=x><meta name=robots content='&#110;one'>", true),
        ("<a href=x><meta name=robots content=index><meta name=robots content=nofollow>", true),
        ("<template><meta name=robots content=none></template><a href=x>", false),
        ("<meta charset=koi8-r><a href=x><meta name=robots content=nofollow><meta charset=utf-8>", true),
        ("<p><a href=x><meta charset=koi8-r><meta name=robots content=nofollow>", true),
        ("<a href=x><meta name=robots content='index, follow'>", false),
        ("<a href=x><meta name=robots content='nofollowed'>", false),
        ("<a href=x><meta name=googlebot content=nofollow>", false),
        ("<a href=x><!-- <meta name=robots content=nofollow> -->", false),
        ("<a href=x><script><meta name=robots content=nofollow></script>", false),
        ("<a href=x><meta name=robots content=nofollow", false),
    ] {
        let mut pages = Pages::new();
        let any = LawBase::new(None);
        for robots in [false, true] {
            pages.options.robots = robots;
            for links in [
                in_memory(&mut pages, &any, page.as_bytes(), None),
                streamed(&mut pages, &any, Cursor::new(page), None),
            ] {
                let found: Vec<bool> = links.iter().map(|link| link.page_nofollow).collect();
                assert_eq!(found, [expected && robots], "{page}");
                assert_eq!(links[0].nofollow(), expected && robots);
            }
        }
    }
}

#[test]
fn nofollow_is_a_token_of_rel() {
    let page = b"<a href=a rel='noopener NoFollow'><a href=b rel=nofollows><a href=c><a rel=nofollow rel=x href=d>";
    let found = links(page, &base()).unwrap();
    assert_eq!(
        found.iter().map(|link| &*link.rel).collect::<Vec<_>>(),
        ["noopener NoFollow", "nofollows", "", "nofollow"]
    );
    let nofollow = |link: &LinkBuf| link.nofollow();
    assert_eq!(found.iter().map(nofollow).collect::<Vec<_>>(), [true, false, false, true]);
}

#[test]
fn only_fetched_schemes_can_be_followed() {
    for (href, expected) in [
        ("x", true),
        ("HTTPS://h/", true),
        ("ftp://h/", true),
        ("file:///x", true),
        ("javascript:void(0)", false),
        ("data:,x", false),
        ("mailto:a@b", false),
        ("tel:1", false),
        ("about:blank", false),
        ("blob:http://h/1", false),
    ] {
        let found = links(format!("<a href='{href}'>").as_bytes(), &base()).unwrap();
        assert_eq!(found[0].is_fetchable(), expected, "{href}");
        assert_eq!(found[0].kind, Kind::Hyperlink);
    }
}

#[test]
fn kinds_have_names() {
    for &kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
        assert_eq!(kind.to_string(), format!("{kind:?}").to_lowercase());
    }
    let error = "formed".parse::<Kind>().unwrap_err();
    assert_eq!(error.position(), 4);
    assert_eq!(
        error.to_string(),
        "not a kind of link: expected hyperlink, resource, form, citation, refresh or metadata; did you mean form?"
    );
}

#[test]
fn links_are_in_the_order_of_the_document() {
    let page = "<a ping=1 href=2 style='a:url(3)'><style>@import '4'</style><img srcset='5, 6' src=7><form action=8>";
    assert_eq!(references(page), ["1", "2", "3", "4", "5", "6", "7", "8"]);
}
