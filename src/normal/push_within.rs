//! `push_within`: appends a part of a text to that text.

use alloc::string::String;
use core::ops::Range;

/// `range` must end at boundaries of characters. In Rust 1.87, `String::extend_from_within` does the same.
pub(super) fn push_within(text: &mut String, range: Range<usize>) {
    debug_assert!(text.get(range.clone()).is_some(), "the ends are boundaries of characters");
    // Changes are made by appending what stays to the end of the same text, and removing the old part afterwards: no second
    // allocation. The part goes through a small buffer, since a text cannot be borrowed while it grows. 64 bytes hold most parts
    // at once.
    let mut buffer = [0; 64];
    let mut at = range.start;
    while at < range.end {
        let mut end = range.end.min(at + buffer.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let part = &mut buffer[..end - at];
        part.copy_from_slice(&text.as_bytes()[at..end]);
        text.push_str(core::str::from_utf8(part).expect("a text between boundaries is a text"));
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::push_within;

    #[test]
    fn parts_longer_than_the_buffer_are_not_cut_inside_characters() {
        for start in [0, 1] {
            let text = "a".repeat(start) + &"é€".repeat(100);
            let mut twice = text.clone();
            push_within(&mut twice, start..text.len());
            assert_eq!(twice, text.to_string() + &text[start..]);
        }
        let mut none = String::from("a");
        push_within(&mut none, 1..1);
        assert_eq!(none, "a");
    }
}
