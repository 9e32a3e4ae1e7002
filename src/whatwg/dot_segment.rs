//! `DotSegment`: which segments of a path are dots.

/// Each dot can also be written as `%2e` (§4.3).
#[derive(PartialEq)]
pub(super) enum DotSegment {
    Single,
    Double,
}

impl DotSegment {
    #[inline(always)]
    pub(super) fn of(segment: &[u8]) -> Option<Self> {
        // One byte excludes nearly all segments.
        if !matches!(segment.first(), Some(b'.' | b'%')) {
            return None;
        }
        match after_dot(after_dot(segment)?) {
            _ if after_dot(segment)?.is_empty() => Some(DotSegment::Single),
            Some([]) => Some(DotSegment::Double),
            _ => None,
        }
    }
}

/// Strips a `.`, `%2e` or `%2E`.
fn after_dot(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => Some(rest),
        _ => None,
    }
}
