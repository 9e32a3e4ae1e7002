//! `Details`: the parts and the warnings that only one scheme has.

use super::part::Parts;
use super::warning::Warnings;

/// The parts and the warnings that a view adds to [`View::parts`](super::View::parts) and [`View::warnings`](super::View::warnings)
/// for its own scheme.
pub(super) trait Details<'a> {
    /// Adds the parts that only this scheme defines.
    fn add_parts(&self, _parts: &mut Parts) {}

    /// Adds the warnings that only this scheme gives.
    fn add_warnings(&self, _warnings: &mut Warnings<'a>) {}

    /// Returns the parts of the URI that have an escaped control octet right before them as a separator, as the syntax of the
    /// scheme wants. There is no warning about such an octet.
    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [None; 2]
    }
}
