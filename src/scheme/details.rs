//! `Details`: the parts and the warnings that only one scheme has.

use super::part::Parts;
use super::warning::Warnings;

/// [`View::parts`](super::View::parts) returns these parts last, [`View::warnings`](super::View::warnings) these warnings after
/// those about the host, and before those about octets.
pub(super) trait Details<'a> {
    /// Adds the parts besides those of the authority.
    fn add_parts(&self, _parts: &mut Parts) {}

    /// Adds the warnings besides those about the authority and octets.
    fn add_warnings(&self, _warnings: &mut Warnings<'a>) {}

    /// Returns the parts right after a control octet that is a separator, such as `%09` in `gopher`, and so has no warning.
    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [None; 2]
    }
}
