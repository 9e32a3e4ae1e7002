//! Reads a page with the tokenizer, for a search.

use std::io;

use html5gum::{Reader, Tokenizer};

use super::emitter::TagEmitter;
use super::finder::Finder;
use super::page_buffers::PageBuffers;

/// The outcome of searching a page.
pub(super) enum SearchOutcome {
    /// The page was searched to its end, or as far as needed.
    Complete,
    /// The page was searched to its end, except tags or style sheets that were too long.
    Incomplete,
    /// The receiver of the links stopped the search with an error.
    Stopped(io::Error),
}

impl PageBuffers {
    /// Reads a page up to its end, or until the finder is done.
    ///
    /// A tag or the text of a `style` element may have at most `max_len` bytes.
    pub(super) fn read<R: Reader>(
        &mut self,
        page: R,
        finder: &mut Finder<'_>,
        max_len: usize,
    ) -> Result<SearchOutcome, R::Error> {
        self.clear();
        let emitter = TagEmitter::new(self, finder, max_len);
        let end = Tokenizer::new_with_emitter(page, emitter).next();
        finder.close_anchor();
        if let Some(Err(error)) = end {
            return Err(error);
        }
        Ok(match finder.take_failure() {
            Some(error) => SearchOutcome::Stopped(error),
            None if self.is_incomplete => SearchOutcome::Incomplete,
            None => SearchOutcome::Complete,
        })
    }
}

#[cfg(test)]
mod tests;
