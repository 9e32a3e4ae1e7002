//! Links found without the interpreter: their texts in one string, until Python objects are made of them.

use encoding_rs::Encoding;
use relref_links::html::{Kind, Link, Place, Rejected};

/// The links of one page.
#[derive(Default)]
pub struct Arena {
    text: String,
    links: Vec<CompactLink>,
    page_title: String,
    page_charset: Option<&'static Encoding>,
}

/// Its texts follow each other in the arena.
struct CompactLink {
    kind: Kind,
    page_nofollow: bool,
    place: Option<Place>,
    rejected: Option<Rejected>,
    start: usize,
    /// The ends, in bytes, of element, attribute, `inner`, `rel`, `hreflang`, `media`, reference, URI and text.
    ends: [usize; 9],
}

impl Arena {
    pub fn push(&mut self, link: &Link<'_>) {
        let Link { element, attribute, inner, kind, rel, hreflang, media, reference, uri, text, .. } = *link;
        let Link { page_nofollow, place, rejected, .. } = *link;
        if self.links.is_empty() {
            (self.page_title, self.page_charset) = (link.page_title.to_owned(), link.page_charset);
        }
        let start = self.text.len();
        let ends = [element, attribute, inner, rel, hreflang, media, reference, uri, text].map(|text| {
            self.text.push_str(text);
            self.text.len()
        });
        self.links.push(CompactLink { kind, page_nofollow, place, rejected, start, ends });
    }

    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// That of each link.
    pub fn page_title(&self) -> &str {
        &self.page_title
    }

    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        self.links.iter().map(|link| {
            let CompactLink { kind, page_nofollow, place, rejected, mut start, ends } = *link;
            let [element, attribute, inner, rel, hreflang, media, reference, uri, text] = ends.map(|end| {
                let text = &self.text[start..end];
                start = end;
                text
            });
            let mut link = Link::new(kind, uri);
            (link.element, link.attribute, link.rel, link.reference, link.text) =
                (element, attribute, rel, reference, text);
            (link.inner, link.hreflang, link.media) = (inner, hreflang, media);
            (link.page_title, link.page_charset) = (&self.page_title, self.page_charset);
            (link.page_nofollow, link.place, link.rejected) = (page_nofollow, place, rejected);
            link
        })
    }
}
