//! The places of long segments of a path: with them, a `..` removes such a segment without a walk through its bytes.

use alloc::vec::Vec;

use memchr::memrchr;

use crate::scan::find_byte;

/// The places of the long segments of a path. With them, a `..` removes a long segment without a look at all of its bytes. No
/// places are kept for short segments.
#[derive(Clone, Default)]
pub(crate) struct LongSegments {
    /// The byte of the path at which each long segment starts, in ascending order.
    starts: Vec<usize>,
}

impl LongSegments {
    /// The smallest length of a long segment in bytes.
    pub(crate) const MIN_LEN: usize = 1 << 10;

    /// The value for a path without long segments.
    pub(crate) const NONE: &LongSegments = &LongSegments { starts: Vec::new() };

    /// Finds the long segments of a path. Looks at few bytes of the short segments.
    pub(crate) fn new(path: &str) -> Self {
        let bytes = path.as_bytes();
        let (mut starts, mut start) = (Vec::new(), 0);
        while let Some(window) = bytes.get(start..start + Self::MIN_LEN) {
            // All segments before the last slash of the window are short.
            match memrchr(b'/', window) {
                Some(slash) => start += slash + 1,
                None => {
                    starts.push(start);
                    start = find_byte(&bytes[start..], b'/').map_or(bytes.len(), |slash| start + slash + 1);
                }
            }
        }
        LongSegments { starts }
    }

    /// Reports whether the path has no long segment.
    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns the byte of the last slash of a text; `None` if it has no slash. The text must be the whole path, or the path before
    /// one of its slashes. Looks at no more than the last [`MIN_LEN`](LongSegments::MIN_LEN) bytes.
    pub(crate) fn last_slash(&self, text: &str) -> Option<usize> {
        let near = text.len().saturating_sub(Self::MIN_LEN);
        let found = text.as_bytes()[near..].iter().rposition(|&byte| byte == b'/');
        found.map(|at| near + at).or_else(|| {
            let before = self.starts.partition_point(|&start| start < text.len());
            self.starts[..before].last()?.checked_sub(1)
        })
    }
}
