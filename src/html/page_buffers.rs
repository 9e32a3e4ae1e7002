//! The buffers that a search keeps from page to page.

use super::context::Context;
use super::tag::Tag;

/// The tag being read and the elements around it. It is kept from page to page, for its buffers.
#[derive(Default)]
pub(super) struct PageBuffers {
    pub(super) tag: Tag,
    pub(super) context: Context,
    /// True if a tag or a style sheet was too long to be kept.
    pub(super) is_incomplete: bool,
}

impl PageBuffers {
    /// Prepares for the next page. Keeps only small buffers.
    pub(super) fn clear(&mut self) {
        self.tag.clear();
        self.context.clear();
        self.is_incomplete = false;
    }
}
