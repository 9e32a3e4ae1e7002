//! Links found without the interpreter: their texts in one string, until Python objects are made of them.

use std::ops::Range;

use relref::html::{Kind, Link, Rejected};

/// The links of a page.
#[derive(Default)]
pub struct Arena {
    text: String,
    links: Vec<Entry>,
}

/// A link whose texts follow each other in the arena.
struct Entry {
    kind: Kind,
    rejected: Option<Rejected>,
    start: usize,
    /// The ends of element, attribute, `rel`, reference and URI.
    ends: [usize; 5],
}

impl Arena {
    /// Adds a link.
    pub fn push(&mut self, link: &Link<'_>) {
        let start = self.text.len();
        let ends = [link.element, link.attribute, link.rel, link.reference, link.uri].map(|text| {
            self.text.push_str(text);
            self.text.len()
        });
        self.links.push(Entry { kind: link.kind, rejected: link.rejected, start, ends });
    }

    /// Returns the number of links.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns the links: the kind, the reason why it has no URI, and its element, attribute, `rel`, reference and URI.
    pub fn links(&self) -> impl Iterator<Item = (Kind, Option<Rejected>, [&str; 5])> {
        self.links.iter().map(|entry| {
            let mut start = entry.start;
            let texts = entry.ends.map(|end| {
                let range: Range<usize> = start..end;
                start = end;
                &self.text[range]
            });
            (entry.kind, entry.rejected, texts)
        })
    }
}
