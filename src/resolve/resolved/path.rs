//! The path of a result.

use alloc::string::String;
use core::ops::{Deref, Range};

use super::traits::Pieces;
use super::{Once, Resolved};

/// The path of a [`Resolved`], borrowed in pieces from the base and the reference.
///
/// Dereferences to its text, which is allocated the first time, unless it is one piece. Printing without a width or precision,
/// comparison with a text and [`len`](ResolvedPath::len) never allocate. Its segments are `Segments::new(&path)`.
///
/// ```
/// use relref::{Base, Rules};
///
/// let base = Base::new("http://host/docs/a", Rules::RFC3986)?;
/// let result = base.resolve("b.html?q");
/// assert_eq!(result.path(), "/docs/b.html");
/// assert!(result.path().ends_with(".html"));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone)]
pub struct ResolvedPath<'r, 'a> {
    resolved: &'r Resolved<'a>,
    /// The bytes of the path in the result's text.
    range: Range<usize>,
    /// Never set if the path is one piece, which is borrowed instead.
    text: Once<String>,
}

impl<'r, 'a> ResolvedPath<'r, 'a> {
    #[inline]
    pub(super) fn new(resolved: &'r Resolved<'a>, range: Range<usize>) -> Self {
        ResolvedPath { resolved, range, text: Once::new() }
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Reports whether the path is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text; allocates once.
    pub fn into_string(mut self) -> String {
        self.text.take().unwrap_or_else(|| self.joined())
    }
}

impl<'a> Pieces<'a> for ResolvedPath<'_, 'a> {
    fn each_piece(&self, mut each: impl FnMut(&'a str)) {
        let Range { mut start, mut end } = self.range;
        self.resolved.each_piece(|piece| {
            each(&piece[start.min(piece.len())..end.min(piece.len())]);
            (start, end) = (start.saturating_sub(piece.len()), end.saturating_sub(piece.len()));
        });
    }
}

impl Deref for ResolvedPath<'_, '_> {
    type Target = str;

    fn deref(&self) -> &str {
        if let Some(text) = self.text.get() {
            return text;
        }
        // The longest piece is the whole path if there is no other.
        let mut longest = "";
        self.each_piece(|piece| longest = if piece.len() > longest.len() { piece } else { longest });
        if longest.len() == self.len() { longest } else { self.text.get_or_init(|| self.joined()) }
    }
}
