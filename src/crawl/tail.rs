//! The end of a text, cut off without allocating.

use alloc::string::String;

use smallvec::SmallVec;

/// The end of a text, cut off; allocated only if it is longer than 512 bytes.
pub(super) struct Tail(SmallVec<[u8; 512]>);

impl Tail {
    pub fn cut(text: &mut String, at: usize) -> Tail {
        let tail = Tail(SmallVec::from_slice(&text.as_bytes()[at..]));
        text.truncate(at);
        tail
    }

    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).expect("it was a text")
    }
}
