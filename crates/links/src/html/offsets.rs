//! Line ends in a text, and offsets in the page that it was decoded from.

use std::collections::VecDeque;

use memchr::{memchr_iter, memmem};

/// Counts the two bytes one after the other, as that is what is vectorized.
pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    let returns = memchr_iter(b'\r', bytes).count();
    let pairs = if returns == 0 { 0 } else { memmem::find_iter(bytes, b"\r\n").count() };
    (feeds + returns - pairs) as u64
}

/// The offset in the page of one in the text, by the points that were noted when the text was decoded.
pub(crate) fn page_offset(points: &VecDeque<(u64, u64)>, text: u64) -> u64 {
    let after = points.partition_point(|(known, _)| *known <= text);
    let (known, offset) = after.checked_sub(1).map_or((0, 0), |before| points[before]);
    offset + (text - known)
}
