//! Links found without the interpreter: their texts in one string, until Python objects are made of them.

use relref_links::html::{Kind, Link, Rejected};

#[derive(Default)]
pub struct Arena {
    text: String,
    links: Vec<CompactLink>,
}

/// Its texts follow each other in the arena.
struct CompactLink {
    kind: Kind,
    page_nofollow: bool,
    rejected: Option<Rejected>,
    start: usize,
    /// In bytes: the ends of element, attribute, `rel`, reference, URI and text.
    ends: [usize; 6],
}

impl Arena {
    pub fn push(&mut self, link: &Link<'_>) {
        let Link { element, attribute, kind, rel, page_nofollow, reference, uri, text, rejected, .. } = *link;
        let start = self.text.len();
        let ends = [element, attribute, rel, reference, uri, text].map(|text| {
            self.text.push_str(text);
            self.text.len()
        });
        self.links.push(CompactLink { kind, page_nofollow, rejected, start, ends });
    }

    pub fn len(&self) -> usize {
        self.links.len()
    }

    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        self.links.iter().map(|link| {
            let CompactLink { kind, page_nofollow, rejected, mut start, ends } = *link;
            let [element, attribute, rel, reference, uri, text] = ends.map(|end| {
                let text = &self.text[start..end];
                start = end;
                text
            });
            let mut link = Link::new(kind, uri);
            (link.element, link.attribute, link.rel, link.reference, link.text) =
                (element, attribute, rel, reference, text);
            (link.page_nofollow, link.rejected) = (page_nofollow, rejected);
            link
        })
    }
}
