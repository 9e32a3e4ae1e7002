//! Pages in attributes, CSS in attributes of SVG, and URLs in `meta` elements.

use relref::{Base, Rules, whatwg};
use relref_links::html::{Options, Pages, links};

use super::markup::{kinds, references};

/// Returns each link as `element attribute [inner] uri`.
fn inner(page: &str) -> Vec<String> {
    let links = links(page, "http://h/a/b").unwrap();
    links.into_iter().map(|link| format!("{} {} [{}] {}", link.element, link.attribute, link.inner, link.uri)).collect()
}

#[test]
fn a_srcdoc_is_a_page_with_the_base_of_its_page() {
    let page = "<base href=c/><iframe srcdoc='<p><a href=d>&lt;img src=&quot;e?x&amp;amp;y&quot;&gt;' src=f></iframe><a href=g>";
    let expected = [
        "iframe srcdoc [a href] http://h/a/c/d",
        "iframe srcdoc [img src] http://h/a/c/e?x&y",
        "iframe src [] http://h/a/c/f",
        "a href [] http://h/a/c/g",
    ];
    assert_eq!(inner(page), expected);
    // A base of its own also counts for the links before it.
    let page = "<iframe srcdoc='<a href=d></a><base href=/e/><a href=f>'></iframe><a href=g>";
    let found =
        ["iframe srcdoc [a href] http://h/e/d", "iframe srcdoc [a href] http://h/e/f", "a href [] http://h/a/g"];
    assert_eq!(inner(page), found);
    // What refers to a part of its page is not relative to a base.
    let page = "<base href=c/><iframe srcdoc='<base href=/e/><svg><use href=#a /><image href=d fill=url(#b) style=x:url(#c)></svg><a href=#f>'>";
    let found = [
        "iframe srcdoc [use href] http://h/a/b#a",
        "iframe srcdoc [image href] http://h/e/d",
        "iframe srcdoc [image fill] http://h/a/b#b",
        "iframe srcdoc [image style] http://h/a/b#c",
        "iframe srcdoc [a href] http://h/e/#f",
    ];
    assert_eq!(inner(page), found);
}

#[test]
fn a_srcdoc_in_a_srcdoc_is_not_read() {
    let page = "<iframe srcdoc='<iframe srcdoc=\"<a href=d>\" src=e></iframe><style>@import \"f\"</style>'>";
    assert_eq!(inner(page), ["iframe srcdoc [iframe src] http://h/a/e", "iframe srcdoc [style text] http://h/a/f"]);
    for other in
        ["<p srcdoc='<a href=d>'>", "<iframe srcdoc='a href=d'>", "<iframe srcdoc>", "<iframe srcdoc='<!--<a href=d>'>"]
    {
        assert_eq!(inner(other), [""; 0], "{other}");
    }
}

/// Not the character encoding of the page around it.
#[test]
fn a_srcdoc_is_in_utf_8() {
    let page = b"<meta charset=windows-1251><iframe srcdoc='<a href=?\xE4>'></iframe><a href=?\xE4>";
    let uris = |legacy_queries, base: relref_links::html::PageBase<'_>| {
        let mut uris = Vec::new();
        let mut pages = Pages::with(Options { legacy_queries, ..Options::default() });
        pages.links(page, None, base, |link| uris.push(link.uri.to_owned()));
        uris
    };
    let by_whatwg = whatwg::Base::new("http://h/").unwrap();
    assert_eq!(uris(false, (&by_whatwg).into()), ["http://h/?%D0%B4", "http://h/?%E4"]);
    let by_rules = Base::new("http://h/", Rules::RFC3986).unwrap();
    assert_eq!(uris(true, (&by_rules).into()), ["http://h/?д", "http://h/?%E4"]);
}

#[test]
fn texts_of_links_in_a_srcdoc_are_theirs() {
    let page = "<a href=a>one <iframe srcdoc='<a href=b>two</a> three <img src=c alt=four>'></iframe> five</a>";
    let texts: Vec<_> = links(page, "http://h/").unwrap().into_iter().map(|link| (link.uri, link.text)).collect();
    let expected = [("http://h/a", "one five"), ("http://h/b", "two"), ("http://h/c", "four")];
    assert_eq!(texts, expected.map(|(uri, text)| (uri.to_owned(), text.to_owned())));
}

#[test]
fn limits_count_for_the_links_of_a_srcdoc() {
    let mut pages = Pages::with(Options { rejected: true, max_total: 20, max_uri: 12, ..Options::default() });
    let mut found = Vec::new();
    let base = whatwg::Base::new("http://h/").unwrap();
    let page = "<iframe srcdoc='<a href=abcdef><a href=b>'></iframe><a href=c><a href=d>";
    pages.links(page, None, &base, |link| found.push((link.reference.to_owned(), link.rejected.is_none())));
    let expected = [("abcdef", false), ("b", true), ("c", true), ("d", false)];
    assert_eq!(found, expected.map(|(reference, is_kept)| (reference.to_owned(), is_kept)));
}

#[test]
fn svg_has_css_in_attributes() {
    let page = "<svg><g fill='url(#a)' stroke=none filter='url(\"b\") blur(1px)' clip-path=url(c) mask=URL(d)>\
        <path marker-start='url(e)' marker-mid='url(f)' marker-end=\\75rl(g) cursor='url(h), auto'></svg><p fill='url(i)'>";
    assert_eq!(references(page), ["#a", "b", "c", "d", "e", "f", "g", "h"]);
}

#[test]
fn scripts_and_cards_are_read_with_an_option() {
    let page = "<meta property='og:image' content=a><meta name=' Twitter:Image:src ' content=b><meta property=og:title content=c>\
        <meta property=og:url content=d><meta name=og:see_also content=e><meta http-equiv=refresh content='1;f'>\
        <p data-bg=g data-lazy-src=h data-url=i><p data-bg='x url(j)'><meta property=image content=k>\
        <p data-background-image=l data-background-image=no><p data-background-image='url(m)'><meta itemprop='name image' content=n>";
    assert_eq!(kinds(page).len(), 1);
    let mut found = Vec::new();
    let base = whatwg::Base::new("http://h/").unwrap();
    Pages::with(Options { lazy: true, places: true, ..Options::default() }).links(page, None, &base, |link| {
        let place = link.place.unwrap();
        assert_eq!(&page[place.start as usize..place.end as usize], link.reference);
        found.push(format!("{} {} {} {}", link.attribute, link.kind, link.rel, link.reference));
    });
    let expected = [
        "content resource og:image a",
        "content resource twitter:image:src b",
        "content metadata og:url d",
        "content hyperlink og:see_also e",
        "content refresh  f",
        "data-bg resource  g",
        "data-lazy-src resource  h",
        "data-url hyperlink  i",
        "data-bg resource  j",
        "data-background-image resource  l",
        "data-background-image resource  m",
        "content resource image n",
    ];
    assert_eq!(found, expected);
}

#[test]
fn scripts_in_references_are_decoded() {
    let mut found = Vec::new();
    let base = whatwg::Base::new("http://h/").unwrap();
    let page = r#"<a href="javascript:a('http:\/\/x/b?c')"><a href="JavaScript:open(%27https://x/%61%27,&quot;ftp://y/&quot;)"><a href="javascript:'/no'">"#;
    Pages::with(Options { lazy: true, fetchable: true, ..Options::default() })
        .links(page, None, &base, |link| found.push(link.uri.to_owned()));
    assert_eq!(found, ["http://x/b?c", "https://x/a", "ftp://y/"]);
}

#[cfg(feature = "json-ld")]
#[test]
fn json_ld_is_read_with_an_option() {
    let page = "<script type='Application/LD+JSON; charset=utf-8'>{\"@context\": \"https://schema.org\", \"@graph\": [{\"@id\": \"_:b0\", \"url\": \"/a?b&amp;c\",
        \"image\": [\"d.png\", {\"@type\": \"ImageObject\", \"url\": \"e\\u0301.png\"}], \"sameAs\": [\"//x/\", 1, null]}, {\"@id\": \"#f\", \"name\":
        \"url\"}]}</script><script type=application/ld+json>{\"url\": \"g\", \"image\" \"h\"}</script><script>{\"url\": \"i\"}</script><a href=j>";
    let mut found = Vec::new();
    let base = whatwg::Base::new("http://h/").unwrap();
    let pages = &mut Pages::with(Options { lazy: true, ..Options::default() });
    pages.links(page, None, &base, |link| found.push(format!("{} {} {}", link.rel, link.kind, link.reference)));
    let expected = [
        "url hyperlink /a?b&amp;c",
        "image resource d.png",
        "url hyperlink e\u{301}.png",
        "sameAs hyperlink //x/",
        "@id metadata #f",
        "url hyperlink g",
        " hyperlink j",
    ];
    assert_eq!(found, expected);
    assert_eq!(references(page), ["j"]);
    let deep = "{\"url\":".repeat(100_000);
    pages.links(format!("<script type=application/ld+json>{{\"url\": \"a\", \"b\": {deep}"), None, &base, |_| ());
}
