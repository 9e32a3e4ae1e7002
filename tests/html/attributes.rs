//! Which attributes hold links, and what each link is for.

use relref::Rules;
use relref::html::{Kind, LinkBuf, Pages, links};

use super::markup::{URI, kinds, references, uris};

fn kind(page: &str) -> Kind {
    let found = links(page.as_bytes(), URI, Rules::RFC3986).unwrap();
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
fn lists() {
    assert_eq!(references("<a href=x ping=' p1\n p2 '>"), ["x", "p1", "p2"]);
    assert_eq!(references("<head profile='http://a/ http://b/'>"), ["http://a/", "http://b/"]);
    assert_eq!(references("<object archive='a.jar  b.jar'>"), ["a.jar", "b.jar"]);
    assert_eq!(references("<applet archive='a.jar, b c.jar ,,'>"), ["a.jar", "b c.jar"]);
}

#[test]
fn codebase() {
    for page in
        ["<object codebase=c/ classid=x data=y archive='z w'>", "<object classid=x data=y archive='z w' codebase=c/>"]
    {
        let mut found = uris(page);
        found.retain(|uri| uri != "http://h/a/c/");
        assert_eq!(found, ["http://h/a/c/x", "http://h/a/c/y", "http://h/a/c/z", "http://h/a/c/w"], "{page}");
    }
    assert_eq!(uris("<base href=/b/><applet codebase=../c/ archive=x>"), ["http://h/c/", "http://h/c/x"]);
    // What it does not count for.
    assert_eq!(uris("<object usemap=#m codebase=c/>"), ["http://h/a/page.html#m", "http://h/a/c/"]);
    assert_eq!(uris("<p codebase=c/ archive=x>"), ["http://h/a/c/", "http://h/a/x"]);
    assert_eq!(uris("<object codebase='' data=x>"), ["http://h/a/x"]);
}

#[test]
fn attributes_that_must_be_asked_for() {
    let page = b"<img data-src=a data-srcset='b 1x, c 2x' data-original=d><p data-href=e itemid=f itemtype='g h'>";
    let found = |lazy, items| {
        let mut pages = Pages::new(Rules::RFC3986);
        (pages.lazy, pages.items) = (lazy, items);
        let mut found = String::new();
        pages.links(page, None, URI, |link| found.push_str(link.reference)).unwrap();
        found
    };
    assert_eq!(
        [found(false, false), found(true, false), found(false, true), found(true, true)],
        ["", "abcde", "fgh", "abcdefgh"]
    );
}

#[test]
fn a_link_is_what_its_rel_says() {
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
fn svg_and_mathml() {
    assert_eq!(kind("<svg><a href=x>"), Kind::Hyperlink);
    assert_eq!(kind("<svg><a xlink:href=x>"), Kind::Hyperlink);
    assert_eq!(kind("<svg><use href=x>"), Kind::Resource);
    assert_eq!(kind("<svg><feImage XLINK:HREF=x>"), Kind::Resource);
    assert_eq!(kind("<svg><foreignObject><use href=x>"), Kind::Hyperlink);
    assert_eq!(kind("<math><mrow href=x>"), Kind::Hyperlink);
    assert_eq!(references("<svg><use href='' xlink:href=x>"), ["x"]);
}

#[test]
fn empty_references() {
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

#[test]
fn rel_and_nofollow() {
    let page = b"<a href=a rel='noopener NoFollow'><a href=b rel=nofollows><a href=c><a rel=nofollow rel=x href=d>";
    let found = links(page, URI, Rules::RFC3986).unwrap();
    assert_eq!(
        found.iter().map(|link| &*link.rel).collect::<Vec<_>>(),
        ["noopener NoFollow", "nofollows", "", "nofollow"]
    );
    let nofollow = |link: &LinkBuf| link.as_link().nofollow();
    assert_eq!(found.iter().map(nofollow).collect::<Vec<_>>(), [true, false, false, true]);
}

#[test]
fn what_can_be_followed() {
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
        let found = links(format!("<a href='{href}'>").as_bytes(), URI, Rules::RFC3986).unwrap();
        assert_eq!(found[0].as_link().is_followable(), expected, "{href}");
        assert_eq!(found[0].kind, Kind::Hyperlink);
    }
}

#[test]
fn kinds_have_names() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
        assert_eq!(kind.to_string(), format!("{kind:?}").to_lowercase());
    }
    let error = "formed".parse::<Kind>().unwrap_err();
    assert_eq!(error.position(), 4);
    assert_eq!(
        error.to_string(),
        "not a kind of link: expected hyperlink, resource, form, citation, refresh or metadata, found `e` at byte 4"
    );
}

#[test]
fn the_order_is_the_document_s() {
    let page = "<a ping=1 href=2 style='a:url(3)'><style>@import '4'</style><img srcset='5, 6' src=7><form action=8>";
    assert_eq!(references(page), ["1", "2", "3", "4", "5", "6", "7", "8"]);
}
