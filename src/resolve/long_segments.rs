//! The places of long segments of a path: with them, a `..` removes such a segment without a walk through its bytes.

use alloc::vec::Vec;

use memchr::memrchr;

use crate::scan::find_byte;

#[derive(Clone, Default)]
pub(crate) struct LongSegments {
    /// In ascending order.
    starts: Vec<usize>,
}

impl LongSegments {
    /// The length in bytes from which on a segment is long.
    pub(crate) const MIN_LEN: usize = 1 << 10;

    pub(crate) const NONE: &LongSegments = &LongSegments { starts: Vec::new() };

    /// Looks at few bytes of the short segments.
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

    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// `text` must be the whole path, or the path before one of its slashes. Reads at most its last `MIN_LEN` bytes.
    pub(crate) fn last_slash(&self, text: &str) -> Option<usize> {
        let near = text.len().saturating_sub(Self::MIN_LEN);
        let found = text.as_bytes()[near..].iter().rposition(|&byte| byte == b'/');
        found.map(|at| near + at).or_else(|| {
            let before = self.starts.partition_point(|&start| start < text.len());
            self.starts[..before].last()?.checked_sub(1)
        })
    }
}
