//! The tag being read and the elements around it, kept for the next page.

use super::context::Context;
use super::tag::Tag;

#[derive(Default)]
pub(crate) struct PageBuffers {
    pub(crate) tag: Tag,
    pub(crate) context: Context,
    /// A part of the page was left out because it was too long to be kept.
    pub(crate) is_incomplete: bool,
}
