//! The numbers of links that were rewritten and left.

use relref::parse_and_print_by_name;

named_enum! {
    /// The reason why a reference is left as it is, although another was asked for or could have been.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum LeftReason {
        /// The URI has no host, and is not of the scheme `file`: `javascript:`, `data:`, `mailto:` and the like.
        NoHost "no-host",
        /// The reference is not a valid URL.
        Invalid "invalid",
        /// The reference has a template of a program in it: `{{`, `{%`, `<%`, `${`, `[[`, `%%`, `<?`,
        /// `*|`, `{$` or `%NAME%`.
        Template "template",
        /// [`Mapping::leave`](super::Mapping::leave) said so.
        Ignored "ignored",
        /// The attribute has no value, as in `<a href>`.
        NoValue "no-value",
        /// The reference is in the page that a `srcdoc` holds.
        Srcdoc "srcdoc",
        /// The reference is in a script.
        Script "script",
        /// The reference is a `guid` whose `isPermaLink` is `false`: with another one, feed readers would show its item as a new one.
        Identifier "identifier",
        /// The reference or its URI is longer than the limits allow.
        TooLong "too-long",
        /// No reference with the right meaning can be written there: an image candidate that would start or end with a comma, a quote
        /// in a refresh between quotes, `]]>` in a CDATA section. Or the text of a feed is in several pieces, or longer than 2 MiB with
        /// the elements in it.
        Unwritable "unwritable",
        /// A URI that [`Mapping::map`](super::Mapping::map) would replace again.
        MappedAgain "mapped-again",
    }
}

parse_and_print_by_name!(LeftReason, "a reason");

/// The numbers of references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Those that were rewritten.
    pub rewritten: u64,
    /// Those that were right as they are written.
    pub kept: u64,
    /// Attributes `integrity` that were left out: see [`Mapping::drop_integrity`](super::Mapping::drop_integrity).
    pub integrity: u64,
    left: [u64; LeftReason::ALL.len()],
}

impl Totals {
    /// Returns the number of references that were left for this reason.
    #[must_use]
    pub fn left(&self, why: LeftReason) -> u64 {
        self.left[why as usize]
    }

    /// Returns the number of places in which pages were changed.
    #[must_use]
    pub fn edits(&self) -> u64 {
        self.rewritten + self.integrity
    }

    pub(super) fn add_left(&mut self, why: LeftReason, count: u64) {
        self.left[why as usize] += count;
    }
}
