//! Reads a page with the tokenizer, and keeps the buffers for the next page.

use core::mem;

use html5gum::{Reader, Tokenizer};

use super::context::Context;
use super::emitter::TagEmitter;
use super::finder::{Finder, Needed};
use super::tag::Tag;

/// The tag being read and the elements around it. It is kept from page to page, for its buffers.
#[derive(Default)]
pub(super) struct PageBuffers {
    /// The tag being read.
    pub(super) tag: Tag,
    /// The elements around the tag.
    pub(super) context: Context,
    /// True if a part of the page was left out because it was too long to be kept.
    pub(super) is_incomplete: bool,
}

impl PageBuffers {
    /// Reads a page, which must be in UTF-8, up to its end or until `finder` needs nothing, and gives the finder what it needs.
    /// Then prepares for the next page, and keeps only small buffers.
    ///
    /// Returns true if something was left out because it has more than `max_len` bytes: the name of a start tag, the values of
    /// its needed attributes together, or the text of a `style` element.
    ///
    /// # Errors
    /// Those of the page, if it is a stream. The rest of it is then not read.
    pub(super) fn read<R: Reader>(
        &mut self,
        page: R,
        finder: &mut dyn Finder,
        max_len: usize,
    ) -> Result<bool, R::Error> {
        if finder.needed() == Needed::Nothing {
            return Ok(false);
        }
        let emitter = TagEmitter::new(self, finder, max_len);
        let end = Tokenizer::new_with_emitter(page, emitter).next();
        self.tag.clear();
        self.context.clear();
        let is_incomplete = mem::take(&mut self.is_incomplete);
        end.transpose().map(|_| is_incomplete)
    }
}
