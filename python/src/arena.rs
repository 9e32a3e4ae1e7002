//! Links found without the interpreter: their texts in one string, until Python objects are made of them.

use relref_links::html::{Kind, Link, Rejected};

/// The links of a page.
#[derive(Default)]
pub struct Arena {
    text: String,
    links: Vec<CompactLink>,
}

/// A link whose texts follow each other in the arena.
struct CompactLink {
    kind: Kind,
    page_nofollow: bool,
    rejected: Option<Rejected>,
    start: usize,
    /// The ends of element, attribute, `rel`, reference, URI and text in the arena's text, in bytes.
    ends: [usize; 6],
}

impl Arena {
    /// Adds a link.
    pub fn push(&mut self, link: &Link<'_>) {
        let Link { element, attribute, kind, rel, page_nofollow, reference, uri, text, rejected } = *link;
        let start = self.text.len();
        let ends = [element, attribute, rel, reference, uri, text].map(|text| {
            self.text.push_str(text);
            self.text.len()
        });
        self.links.push(CompactLink { kind, page_nofollow, rejected, start, ends });
    }

    /// Returns the number of links.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns the links.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        self.links.iter().map(|link| {
            let CompactLink { kind, page_nofollow, rejected, mut start, ends } = *link;
            let [element, attribute, rel, reference, uri, text] = ends.map(|end| {
                let text = &self.text[start..end];
                start = end;
                text
            });
            Link { element, attribute, kind, rel, page_nofollow, reference, uri, text, rejected }
        })
    }
}
