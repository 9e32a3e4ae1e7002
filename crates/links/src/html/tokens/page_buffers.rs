//! Reads a page with the tokenizer, and keeps the buffers for the next page.

use core::mem;

use html5gum::{Reader, Tokenizer};

use super::context::Context;
use super::emitter::TagEmitter;
use super::finder::{Finder, Needed};
use super::tag::Tag;

#[derive(Default)]
pub(super) struct PageBuffers {
    pub(super) tag: Tag,
    pub(super) context: Context,
    /// A part of the page was left out because it was too long to be kept.
    pub(super) is_incomplete: bool,
}

impl PageBuffers {
    /// Reads a page in UTF-8 to its end or until `finder` needs nothing. Returns true if something was longer than `max_len`.
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
