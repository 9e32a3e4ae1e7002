//! `Details`: the parts and the warnings that only one scheme has.

use super::part::Parts;
use super::warning::Warnings;

/// The parts and the warnings that a view adds for its own scheme. [`View::parts`](super::View::parts) returns these parts last.
/// [`View::warnings`](super::View::warnings) returns these warnings after those about the host, and before those about octets.
pub(super) trait Details<'a> {
    /// Adds the parts that the scheme defines besides those of the authority; by default none.
    fn add_parts(&self, _parts: &mut Parts) {}

    /// Adds the warnings by the scheme's own rules, besides those about the authority and octets; by default none.
    fn add_warnings(&self, _warnings: &mut Warnings<'a>) {}

    /// Returns the parts of the URI that come right after an escaped control octet, if the scheme uses that octet as a separator,
    /// such as `%09` in `gopher`. `None` stands for no part. There is no warning about such an octet.
    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [None; 2]
    }
}
