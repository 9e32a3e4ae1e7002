//! `sitemap_entries`: the entries of sitemaps.

use std::io;

use pyo3::prelude::*;
use pyo3::types::PyList;
use relref::RuleSet;
use relref_links::archive::sniff;
use relref_links::feeds::{SitemapEntry, sitemap_entries_from};
use relref_links::page::{self, PageKind, Store};

use crate::base::given;
use crate::named_tuples::SITEMAP_ENTRY;
use crate::pages::{Page, warn_of_damage};
use crate::signals::Watched;
use crate::uri_text::UriText;

/// Return the entries of a sitemap, or of an index of sitemaps, as a list of SitemapEntry. uri is that of the sitemap.
///
/// sitemap is bytes or str, and bytes may be compressed by gzip or Zstandard. An entry without a URL is left out, and so are the images
/// and videos of an entry, which links() also finds. A damaged sitemap gives the entries before the damage, and a warning. Other threads
/// run meanwhile.
///
/// >>> sitemap = b"<urlset><url><loc>http://example.com/a</loc><lastmod>2026-11-27</lastmod></url></urlset>"
/// >>> for entry in sitemap_entries(sitemap, "http://example.com/sitemap.xml"):
/// ...     print(entry.uri, entry.lastmod, entry.is_sitemap)
/// http://example.com/a 2026-11-27 False
#[pyfunction]
pub fn sitemap_entries<'py>(
    py: Python<'py>,
    sitemap: &Bound<'py, PyAny>,
    uri: UriText<'_>,
) -> PyResult<Bound<'py, PyList>> {
    let sitemap = Page::new(sitemap)?;
    given(py, &uri, RuleSet::Whatwg)?;
    let (mut entries, mut interrupt) = (Vec::new(), None);
    let done = py.detach(|| {
        let mut source = source(&sitemap, &uri);
        source.decode(&mut Store::default())?;
        let damage = source.damage.take();
        let reader = Watched::new(source.bytes.reader());
        interrupt = Some(reader.raised());
        for entry in sitemap_entries_from(reader, &*uri)? {
            entries.push(entry?);
        }
        damage.map_or(Ok(()), |why| Err(io::Error::other(why)))
    });
    if let Some(error) = interrupt.as_ref().and_then(|interrupt| interrupt.get()) {
        return Err(error.clone_ref(py));
    }
    warn_of_damage(py, done)?;
    let fields = |SitemapEntry { uri, lastmod, is_sitemap, .. }| {
        (uri, Some(lastmod).filter(|lastmod| !lastmod.is_empty()), is_sitemap)
    };
    SITEMAP_ENTRY.list(py, entries.into_iter().map(fields))
}

fn source(sitemap: &Page, uri: &str) -> page::Page {
    let bytes = match sitemap {
        Page::Bytes(bytes) => bytes.to_vec(),
        // A text is decoded already, whatever its XML declaration says.
        Page::Text(text) => ["\u{feff}", text.trim_start_matches('\u{feff}')].concat().into_bytes(),
    };
    let mut source = page::Page::new(uri, Vec::new());
    source.kind = PageKind::Feed;
    source.codings.extend(sniff::compression(&bytes).map(str::to_owned));
    source.bytes = bytes.into();
    source
}
