//! Which parts of a page hold links, and how they are read.

use relref::{Base, Rules};
use relref_links::html;

pub const URI: &str = "http://h/a/page.html";

/// Returns the base of the pages, [`URI`], by the rule set that changes least.
pub fn base() -> Base {
    Base::new(URI, Rules::RFC3986).unwrap()
}

/// Returns the element, attribute, reference and URI of each link.
fn links(page: &str) -> Vec<(String, String, String, String)> {
    let links = html::links(page, &base()).unwrap();
    links.into_iter().map(|link| (link.element, link.attribute, link.reference, link.uri)).collect()
}

/// Returns the URI of each link of a page.
pub fn uris(page: &str) -> Vec<String> {
    links(page).into_iter().map(|link| link.3).collect()
}

/// Returns the reference of each link of a page.
pub fn references(page: &str) -> Vec<String> {
    links(page).into_iter().map(|link| link.2).collect()
}

/// Returns the element, attribute and kind of each link.
pub fn kinds(page: &str) -> Vec<[String; 3]> {
    let links = html::links(page, &base()).unwrap();
    links.into_iter().map(|link| [link.element, link.attribute, link.kind.to_string()]).collect()
}

/// Returns a text as the value of an attribute, with character references.
pub fn escaped(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("&#{};", u32::from(c)) }).collect()
}

#[test]
fn each_element_and_attribute() {
    let all = [
        ("a", "href"),
        ("area", "href"),
        ("link", "href"),
        ("img", "src"),
        ("script", "src"),
        ("iframe", "src"),
        ("form", "action"),
        ("source", "src"),
        ("video", "src"),
        ("video", "poster"),
        ("audio", "src"),
        ("embed", "src"),
        ("object", "data"),
        ("blockquote", "cite"),
        ("q", "cite"),
        ("ins", "cite"),
        ("del", "cite"),
        ("frame", "src"),
        ("track", "src"),
        ("input", "src"),
        ("input", "formaction"),
        ("button", "formaction"),
    ];
    for (element, attribute) in all {
        for page in [
            format!("<{element} {attribute}=g>"),
            format!("<p class=x><{} id=1 {}='g' data-x=\"y\">", element.to_uppercase(), attribute.to_uppercase()),
        ] {
            assert_eq!(links(&page), [[element, attribute, "g", "http://h/a/g"].map(String::from).into()], "{page}");
        }
    }
}

#[test]
fn references_are_read_as_in_html() {
    assert_eq!(uris("<a href=' \n ../g\t '>"), ["http://h/g"]);
    assert_eq!(uris("<a href='g\n\t/h\r\ni'>"), ["http://h/a/g/hi"]);
    assert_eq!(uris("<a href='g h'>"), ["http://h/a/g h"]);
    assert_eq!(uris("<a href='?a=1&amp;b=2&copy=3&#x41;'>"), ["http://h/a/page.html?a=1&b=2&copy=3A"]);
    assert_eq!(uris("<a href=x href=y>"), ["http://h/a/x"]);
    assert_eq!(uris("<a href=''><a href><a href=#s>"), [URI, URI, "http://h/a/page.html#s"]);
    let page = html::links(b"<meta charset=utf-8><a href='\xff'>", &base()).unwrap();
    assert_eq!(page[0].uri, "http://h/a/\u{fffd}");
}

#[test]
fn the_first_base_with_a_reference_counts_for_all_links() {
    assert_eq!(
        uris("<a href=x><base target=t><base href='/b/'><base href=/c/><a href=y>"),
        ["http://h/b/x", "http://h/b/y"]
    );
    assert_eq!(uris("<base href='../b/?q'><a href=y>"), ["http://h/b/y"]);
    assert_eq!(uris("<base href='//other'><a href=y>"), ["http://other/y"]);
    assert_eq!(uris("<!-- <base href=/b/> --><a href=y>"), ["http://h/a/y"]);
}

#[test]
fn a_form_without_an_action_is_sent_to_its_page() {
    let page =
        "<base href=/b/><form action=''><button formaction='' cite=''></form><form action='x'></form><form action=' '>";
    assert_eq!(uris(page), [URI, URI, "http://h/b/", "http://h/b/x", "http://h/b/"]);
}

#[test]
fn bases_that_count_and_bases_that_do_not() {
    // No reference can be relative to this base. It does not count, and the next does not count either.
    for bad in ["data:text/html,x", "javascript:x", "DATA:,", "", " "] {
        assert_eq!(uris(&format!("<base href='{bad}'><base href=/b/><a href=x>")), ["http://h/a/x"]);
    }
    assert_eq!(uris("<base href=mailto:a@b><a href=x>"), ["mailto:x"]);
    assert_eq!(uris("<base><base target=x><base href='b/'><a href=x>"), ["http://h/a/b/x"]);
    assert_eq!(uris("<BASE\nHREF=/b/><a href=x>"), ["http://h/b/x"]);
    assert_eq!(uris("<svg><base href=/b/></svg><a href=x>"), ["http://h/a/x"]);
    assert_eq!(uris("<template><base href=/b/></template><base href=/c/><a href=x>"), ["http://h/c/x"]);
    // Only the start of a long name is kept. In capitals it comes byte by byte.
    for long in ["e", "E"].map(|c| c.repeat(25)) {
        assert_eq!(uris(&format!("<template></TEMPLATE{long}><base href=/b/></template><a href=x>")), ["http://h/a/x"]);
    }
    let page = "<basefont href=/b/><script><base href=/b/></script><a href=x>";
    assert_eq!(uris(page), ["http://h/b/", "http://h/a/x"]);
    let head = format!("<head><style>{}</style><base href=/b/></head><a href=x>", "a {} ".repeat(40_000));
    assert_eq!(uris(&head), ["http://h/b/x"]);
}

#[test]
fn raw_text_holds_no_links() {
    assert_eq!(
        uris("<script>'<a href=x>'</script><style><a href=x></style><title><a href=x></title><a href=y>"),
        ["http://h/a/y"]
    );
    assert_eq!(uris("<textarea><a href=x></textarea><iframe src=f><a href=x></iframe>"), ["http://h/a/f"]);
    assert_eq!(uris("<a href=x><plaintext><a href=y></plaintext>"), ["http://h/a/x"]);
    assert_eq!(uris("<noscript><img src=x></noscript>"), ["http://h/a/x"]);
    assert_eq!(uris("<a href=x></a href=z><a href='y"), ["http://h/a/x"]);
}

/// In SVG and MathML, `script`, `style` and `title` hold markup (HTML §13.2.6.5).
#[test]
fn foreign_content_is_markup() {
    for page in [
        "<svg><script/></svg><a href=y>",
        "<svg><style/></svg><a href=y>",
        "<svg><title/></svg><a href=y>",
        "<svg><title><a href=y></title></svg>",
        "<math><style><a href=y></style></math>",
        "<svg/><script><a href=x></script><a href=y>",
        "<svg><script></script></svg><script><a href=x></script><a href=y>",
        "<svg><foreignObject><style><a href=x></style></foreignObject><style><a href=y></style></svg>",
        "<svg><div><style><a href=x></style><a href=y></div>",
        "<desc><style><a href=x></style><a href=y>",
        "<svg><title><style><a href=x></style></title><style><a href=y></style></svg>",
        "<svg></p><style><a href=x></style><a href=y>",
        "<svg><desc></svg><style><a href=x></style><a href=y>",
        "<math><mi><style><a href=x></style></mi><style><a href=y></style></math>",
        "<math><annotation-xml encoding=text/html><style><a href=x></style></annotation-xml><style><a href=y></style></math>",
        "<math><annotation-xml encoding='APPLICATION/XHTML+XML'><style><a href=x></style></annotation-xml><a href=y></math>",
        "<math><annotation-xml encoding='MathML-Content'><style><a href=y></style></annotation-xml></math>",
        "<math><annotation-xml><style><a href=y></style></math>",
        "<svg><![CDATA[<a href=x>]]><a href=y>",
        "<svg></svg><![CDATA[<a href=x>]]><a href=y>",
        "</svg><style><a href=x></style><a href=y>",
    ] {
        assert_eq!(uris(page), ["http://h/a/y"], "{page}");
    }
}

#[test]
fn a_font_with_a_style_ends_foreign_content() {
    for (page, expected) in [
        ("<svg><font color=red><base href=/b/><a href=y>", "http://h/b/y"),
        ("<math><font FACE=x><base href=/b/><a href=y>", "http://h/b/y"),
        ("<svg><g><font id=x size><style><a href=x></style><a href=y>", "http://h/a/y"),
        ("<svg><font id=x><base href=/b/></svg><a href=y>", "http://h/a/y"),
        ("<svg><g color=red><base href=/b/></svg><a href=y>", "http://h/a/y"),
        ("<svg></svg><font color=red><base href=/b/><a href=y>", "http://h/b/y"),
    ] {
        assert_eq!(uris(page), [expected], "{page}");
    }
}

/// Tags that browsers ignore, or read as another tag.
#[test]
fn tags_that_build_no_element() {
    for (page, expected) in [
        ("<form action=a><div><form action=b style='x: url(c)'><input formaction=d></form><form action=e>", "a d e"),
        ("<form action=a></form><form action=b>", "a b"),
        ("<form action=a><template><form action=b></template><form action=c>", "a b"),
        ("<template><form action=a></form></template><form action=b>", "a b"),
        ("<head profile=a></head><head profile=b>", "a"),
        ("<html><head profile=a>", "a"),
        ("<link href=a><head profile=b>", "a"),
        // All that cannot come before a `head` creates one (HTML §13.2.6.4.2, §13.2.6.4.3).
        ("<p>x<head profile=b>", ""),
        ("<form><head profile=b>", ""),
        ("<font color=a><head profile=b>", ""),
        ("</br><head profile=b>", ""),
        ("</Body><head profile=b>", ""),
        ("x<head profile=b>", ""),
        ("&#32;&#120;<head profile=b>", ""),
        ("\0<head profile=b>", ""),
        (" \t\n\r\x0C&#32;<!-- x --></p><!DOCTYPE html></p><html lang=en></x> <head profile=a>", "a"),
    ] {
        assert_eq!(references(page).join(" "), expected, "{page}");
    }
    let elements = kinds("<image src=a srcset=b><svg><image href=c /></svg><math><image href=d>");
    let elements: Vec<&str> = elements.iter().map(|[element, ..]| element.as_str()).collect();
    assert_eq!(elements, ["img", "img", "image", "image"]);
}

#[test]
fn a_base_in_foreign_content_does_not_count() {
    assert_eq!(uris("<math><annotation-xml><base href=/b/></math><a href=x>"), ["http://h/a/x"]);
    assert_eq!(uris("<math><annotation-xml encoding=text/html><base href=/b/></math><a href=x>"), ["http://h/b/x"]);
}
