//! `Details`: the parts and the warnings that only one scheme has.

use super::part::Parts;
use super::warning::Warnings;

/// The parts and the warnings that a view adds for its own scheme. [`View::parts`](super::View::parts) and
/// [`View::warnings`](super::View::warnings) return them after those that all schemes have.
pub(super) trait Details<'a> {
    /// Adds the parts that only this scheme defines; by default none.
    fn add_parts(&self, _parts: &mut Parts) {}

    /// Adds the warnings that only this scheme gives; by default none.
    fn add_warnings(&self, _warnings: &mut Warnings<'a>) {}

    /// Returns the parts of the URI that come right after an escaped control octet, if the scheme uses that octet as a separator,
    /// such as `%09` in `gopher`. There is no warning about such an octet.
    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [None; 2]
    }
}
