//! `Tail`: the last part of a text, moved out of that text. A short part needs no allocation.

use alloc::string::String;

use smallvec::SmallVec;

pub(super) struct Tail(SmallVec<[u8; 512]>);

impl Tail {
    pub fn take(text: &mut String, start: usize) -> Tail {
        // The normalizers read one text and append another. When both are in the caller's buffer, the first is moved here: 512
        // bytes hold nearly every URI without an allocation.
        let tail = Tail(SmallVec::from_slice(&text.as_bytes()[start..]));
        text.truncate(start);
        tail
    }

    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).expect("it was a text")
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::Tail;

    #[test]
    fn long_and_short_ends_are_cut_off() {
        for len in [0, 512, 513] {
            let end = "b".repeat(len);
            let mut text = String::from("é") + &end;
            let tail = Tail::take(&mut text, "é".len());
            assert_eq!((&*text, tail.as_str()), ("é", &*end));
        }
    }
}
