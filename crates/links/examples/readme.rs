//! The program of README.

use relref_links::{check::Site, feeds, html, markdown, page::Captures, rewrite};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (uri, html) = ("http://example.com/a/", "<a href=b rel=next>in</a>"); // text, or bytes in any encoding
    for link in html::links(html, uri)? {
        let line = link.place.map_or(0, |place| place.line); // also rel, kind, attribute, nofollow(): texts are Strings
        println!("{line}: {} {} {} {}", link.element, link.reference, link.uri, link.text);
    }
    println!("{:?} {:?}", html::title(html), markdown::links("[a](b.md)", uri)?); // also css
    for entry in feeds::sitemap_entries("<urlset><url><loc>/</loc></url></urlset>", uri)? {
        println!("{}", entry?.uri); // also lastmod, "" without one, and is_sitemap; feeds::links(rss, uri)? are results, too
    }
    let page: Vec<u8> = rewrite::html(html, uri, |link| Some(link.uri.to_owned()))?; // also css, markdown
    assert_eq!(page, b"<a href=http://example.com/a/b rel=next>in</a>");
    // rewrite::Rewriter::new(|link| …).html_from(reader, Some(html::charset("euc-kr")?), &base, writer)?; Rewriter::from(Mapping::new(Mode::AsWritten).map(old, new)?)
    // let mut pages = html::Pages::with(html::Options { rejected: true, places: true, ..Default::default() }); pages.links(html, None, &base, |link| …): also those whose link.rejected is Some(why); pages.start(&base): push(chunk, |link| …), finish(|link| …)?, where those of a short page come
    for page in Captures::open("crawl.warc.gz")?.with_all() {
        let mut page = page?; // uri, status, media_type, date (an Option); or Page::from_response(uri, [("Content-Type", "…")], bytes)
        for link in page.links() {
            println!("{}", link?.uri); // with_all: there are also responses without links
        }
    }
    for problem in Site::open("docs", Default::default())?.problems() {
        println!("{}", problem?); // page (a PathBuf), place, kind (check::ProblemKind), reference, suggestion; with the feature serde, Serialize
    } // check::Options { base: Some(uri), ..Default::default() }; Site::fix()? are the problems that it repaired; Arc::new(site).renamed_pages([("a.md", "b/a.md")])?: each page? has old_path, path, bytes
    Ok(())
}
