//! The counts of records that are skipped.

/// The numbers of records that are no captures, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Records of other kinds: `warcinfo`, `request`, `metadata` that is not JSON, `conversion`, `continuation` and unknown ones.
    pub other_kinds: u64,
    /// `response` and `revisit` records of another protocol than HTTP, such as DNS.
    pub other_protocols: u64,
    /// `revisit` records without an HTTP head.
    pub revisits_without_head: u64,
}
