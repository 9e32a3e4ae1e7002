//! The program of README.

use relref_links::{check::Site, css, feeds, html, markdown, page::Captures, rewrite};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (uri, html) = ("http://example.com/a/", "<a href=b rel=next>in</a>"); // text, or bytes in any encoding
    for link in html::links(html, uri)? {
        println!("{} {} {} {}", link.element, link.reference, link.uri, link.text); // also rel, kind, place, nofollow()
    }
    println!("{:?} {:?}", markdown::links("[a](b.md)", uri)?, css::links("a { b: url(c) }", uri)?);
    for entry in feeds::sitemap_entries("<urlset><url><loc>/</loc></url></urlset>", uri)? {
        println!("{}", entry?.uri); // also lastmod; feeds::links(rss, uri)? has the links of any feed
    }
    let page: Vec<u8> = rewrite::html(html, uri, |link| Some(link.uri.to_owned()))?; // also css, markdown
    assert_eq!(page, b"<a href=http://example.com/a/b rel=next>in</a>");
    // From Read to Write: Rewriter::new(|link| …).html_from(reader, None, &whatwg::Base::new(uri)?, writer)?
    // In chunks: html::Pages::new().start(&base), then push(chunk, |link| …) and finish(|link| …)?
    for page in Captures::open("crawl.warc.gz")?.with_all() {
        let mut page = page?; // uri, status, media_type; or Page::from_response(uri, [("Content-Type", "…")], bytes)
        for link in page.links() {
            println!("{}", link?.uri); // with_all: there are also responses without links
        }
    }
    for problem in Site::open("docs", Default::default())?.problems() {
        println!("{}", problem?); // docs/a.md:3:9: missing: b.md (docs/b.md); Site::fix repairs what is certain
    }
    Ok(())
}
