//! The trait of all views: the parts and the warnings that only the view's scheme has.

use super::part::Parts;
use super::warning::Warnings;

/// A view's own contribution to [`View::parts`](super::View::parts) and [`View::warnings`](super::View::warnings).
pub(super) trait Details<'a> {
    /// Adds the parts that only this scheme defines.
    fn add_parts(&self, _parts: &mut Parts) {}

    /// Adds the warnings that only this scheme gives.
    fn warn(&self, _warnings: &mut Warnings<'a>) {}

    /// Returns the parts that start right after an escaped control octet of the scheme's own syntax, which is no reason
    /// for a warning.
    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [None; 2]
    }
}
