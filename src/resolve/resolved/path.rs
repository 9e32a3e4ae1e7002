//! The path of a result.

use alloc::string::String;
use core::cell::OnceCell;
use core::ops::Deref;

use super::pieces::Pieces;

/// The path of a [`Resolved`](crate::Resolved), borrowed in pieces from the base and the reference.
///
/// Dereferences to its text, which is allocated the first time, unless it is one piece. Printing, comparison with a text and
/// [`len`](ResolvedPath::len) never allocate. Its segments are `Segments::new(&path)`.
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
    pieces: Pieces<'r, 'a>,
    /// The text, allocated when it is first needed. Always empty if the path is one piece.
    text: OnceCell<String>,
}

impl<'r, 'a> ResolvedPath<'r, 'a> {
    #[inline]
    pub(super) fn new(pieces: Pieces<'r, 'a>) -> Self {
        ResolvedPath { pieces, text: OnceCell::new() }
    }

    #[inline]
    pub(super) fn pieces(&self) -> Pieces<'r, 'a> {
        self.pieces
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Reports whether the path is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text; allocates once.
    pub fn into_string(self) -> String {
        self.text.into_inner().unwrap_or_else(|| self.pieces.text())
    }
}

impl Deref for ResolvedPath<'_, '_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self.pieces.single() {
            Some(text) => text,
            None => self.text.get_or_init(|| self.pieces.text()),
        }
    }
}
