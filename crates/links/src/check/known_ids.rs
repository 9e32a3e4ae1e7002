//! The ids of pages as they are written, which the first pass keeps for suggestions.

use std::collections::HashMap;

/// The first ids of a page, in their order.
#[derive(Default)]
pub(super) struct IdNames {
    text: String,
    /// The end in `text` of each.
    ends: Vec<u32>,
    /// The length of the page in bytes.
    pub(super) page_len: u64,
}

impl IdNames {
    /// The most ids that are kept.
    const MAX: usize = 20_000;
    /// The length in bytes of the longest id that is kept.
    const MAX_LEN: usize = 200;

    pub(super) fn push(&mut self, id: &str) {
        if self.ends.len() < Self::MAX && id.len() <= Self::MAX_LEN {
            self.text.push_str(id);
            self.ends.push(self.text.len() as u32);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start as usize..*end as usize])
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

/// The ids of the pages for which there was room. Others are read again if they are needed.
#[derive(Default)]
pub(super) struct KnownIds {
    pub(super) pages: HashMap<u32, IdNames>,
    /// The bytes of all of them.
    len: usize,
}

impl KnownIds {
    const MAX_LEN: usize = 8 << 20;
    /// About the bytes that a page takes without its ids.
    const PAGE_LEN: usize = 200;

    /// Copies the ids of a page.
    pub(super) fn add(&mut self, page: u32, names: &IdNames) {
        let IdNames { text, ends, page_len } = names;
        let len = Self::PAGE_LEN + text.len() + size_of_val(&**ends);
        if self.len + len <= Self::MAX_LEN {
            self.len += len;
            self.pages.insert(
                page,
                IdNames { text: text.as_str().into(), ends: ends.as_slice().into(), page_len: *page_len },
            );
        }
    }
}
