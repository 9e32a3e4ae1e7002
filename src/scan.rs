//! Searches in short texts. A call of memchr costs more than most URIs are long; these compile to a few vector instructions.
//!
//! Each compares a window of 8, 16 or 32 bytes at once, without a branch for each byte:
//!
//! ```text
//! for each whole window: combine the comparisons of all its bytes with `or`; stop at the first window with a match
//! the rest of the text:  compare the last window of the text, which overlaps the one before it
//! ```

const WIDE_LEN: usize = 16;
/// Such a window is also read as a number of 64 bits, in which the first byte is the lowest.
const NARROW_LEN: usize = 8;

#[inline(always)]
pub(crate) fn find_either(text: &[u8], bytes: [u8; 2]) -> Option<usize> {
    // Two loops: each compiles to one comparison of vectors.
    let has = |window: &[u8], byte: u8| window.iter().fold(false, |found, &other| found | (other == byte));
    let is_hit = |window: &[u8]| has(window, bytes[0]) | has(window, bytes[1]);
    let mut at = 0;
    for window in text.chunks_exact(WIDE_LEN) {
        if is_hit(window) {
            break;
        }
        at += WIDE_LEN;
    }
    if text.len() - at < WIDE_LEN && text.last_chunk::<WIDE_LEN>().is_some_and(|last| !is_hit(last)) {
        return None;
    }
    find_by_eights(&text[at..], |eight| equal(eight, bytes[0]) | equal(eight, bytes[1]), |byte| bytes.contains(&byte))
        .map(|found| at + found)
}

/// Fast if the byte is near the start.
#[inline(always)]
#[must_use]
pub fn find_byte(text: &[u8], byte: u8) -> Option<usize> {
    find_by_eights(text, |eight| equal(eight, byte), |other| other == byte)
}

/// `in_eight` must find the same bytes as `is` among eight at once: it gets a number in which the first byte is the lowest, and
/// returns one in which the top bit of each byte that is found is 1 and all other bits are 0.
#[inline(always)]
fn find_by_eights(text: &[u8], in_eight: impl Fn(u64) -> u64, is: impl Fn(u8) -> bool) -> Option<usize> {
    let mut at = 0;
    let eights = text.chunks_exact(NARROW_LEN);
    let end = eights.remainder();
    for eight in eights {
        let found = in_eight(as_number(eight));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += NARROW_LEN;
    }
    end.iter().position(|&byte| is(byte)).map(|found| at + found)
}

/// The same as `iter().all`, in windows.
#[inline(always)]
#[must_use]
pub fn all(text: &[u8], is: impl Fn(u8) -> bool) -> bool {
    // Without an exit before the end of a window.
    let all_of = |window: &[u8]| window.iter().fold(true, |all, &byte| all & is(byte));
    if let Some(last) = text.last_chunk::<WIDE_LEN>() {
        text.chunks_exact(WIDE_LEN).all(all_of) && all_of(last)
    } else if let (Some(first), Some(last)) = (text.first_chunk::<NARROW_LEN>(), text.last_chunk::<NARROW_LEN>()) {
        all_of(first) && all_of(last)
    } else {
        text.iter().all(|&byte| is(byte))
    }
}

/// Searches for three letters in any case. `name` has them in lower case.
#[must_use]
pub fn has_letters(text: &[u8], name: [u8; 3]) -> bool {
    let is = |byte: u8, letter: u8| byte | 0x20 == letter;
    let Some(last) = text.len().checked_sub(NARROW_LEN + 2) else {
        return text.windows(3).any(|three| three.iter().zip(name).all(|(&byte, letter)| is(byte, letter)));
    };
    let is_hit = |at: usize| {
        let differ = |nth: usize| {
            let eight = u64::from_le_bytes(*window_at(text, at + nth));
            (eight | (0x20 * ONES)) ^ (u64::from(name[nth]) * ONES)
        };
        let differ = differ(0) | differ(1) | differ(2);
        // Nonzero if one of the bytes is zero.
        differ.wrapping_sub(ONES) & !differ & (ONES << 7) != 0
    };
    let mut at = 0;
    while at < last {
        if is_hit(at) {
            return true;
        }
        at += NARROW_LEN;
    }
    is_hit(last)
}

/// If false, only the first segment can be a dot segment. Also true for a name that starts with a dot.
pub(crate) fn may_have_dots(text: &[u8]) -> bool {
    has_pair(text, SlashAndDot)
}

#[inline(never)]
pub(crate) fn may_have_dots_or_colon(text: &[u8]) -> bool {
    text.last() == Some(&b':') || has_pair(text, SlashAndDotOrColon)
}

pub(crate) fn has_double_slash(text: &[u8]) -> bool {
    has_pair(text, TwoSlashes)
}

pub(crate) fn find_double_slash(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = text.get(at..at + NARROW_LEN) {
        let slashes = equal(as_number(eight), b'/');
        let pairs = slashes & slashes >> 8;
        if pairs != 0 {
            return Some(at + pairs.trailing_zeros() as usize / 8);
        }
        // The last byte may be the first one of a pair.
        at += NARROW_LEN - 1;
    }
    text[at..].windows(2).position(|pair| pair == b"//").map(|found| at + found)
}

/// A test of a byte and the one right after it. A trait, since calls of closures and of functions that are arguments are not always
/// inlined. Without branches, as those of `||`, a test compiles to comparisons of vectors.
pub(crate) trait PairTest: Copy {
    fn is(self, this: u8, next: u8) -> bool;
}

/// Defines a type for each test.
macro_rules! pair_tests {
    ($($(#[$doc:meta])* $vis:vis $test:ident($this:pat, $next:ident) $is:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        $vis struct $test;

        impl $crate::scan::PairTest for $test {
            #[inline(always)]
            fn is(self, $this: u8, $next: u8) -> bool {
                $is
            }
        }
    )*};
}

pub(crate) use pair_tests;

pair_tests! {
    pub(crate) SlashAndDot(this, next) (this == b'/') & (next == b'.');
    SlashAndDotOrColon(this, next) ((this == b'/') & (next == b'.')) | (this == b':');
    TwoSlashes(this, next) (this == b'/') & (next == b'/');
}

#[inline(always)]
pub(crate) fn has_pair(text: &[u8], test: impl PairTest) -> bool {
    let Some((_, nexts)) = text.split_first() else { return false };
    if nexts.len() >= 2 * WIDE_LEN {
        any_window::<{ 2 * WIDE_LEN }>(text, nexts, test)
    } else if nexts.len() >= WIDE_LEN {
        any_window::<WIDE_LEN>(text, nexts, test)
    } else if nexts.len() >= NARROW_LEN {
        any_window::<NARROW_LEN>(text, nexts, test)
    } else {
        text.iter().zip(nexts).any(|(&this, &next)| test.is(this, next))
    }
}

/// `nexts` is `text` without its first byte, and has at least `N` bytes. The last window may overlap the one before it.
#[inline(always)]
fn any_window<const N: usize>(text: &[u8], nexts: &[u8], test: impl PairTest) -> bool {
    let last = nexts.len() - N;
    let mut at = 0;
    while at < last {
        if any_pair(window_at::<N>(text, at), window_at(nexts, at), test) {
            return true;
        }
        at += N;
    }
    any_pair(window_at::<N>(text, last), window_at(nexts, last), test)
}

/// The first sixteen bytes are compared with five `../` and a dot at once. The lowest bit that differs is in the first byte that
/// differs, and each three bytes before that are one `../`. If none differs, or the text is shorter, eight are compared at once,
/// then one.
#[inline]
pub(crate) fn count_parents(text: &[u8]) -> usize {
    const PARENTS: [u8; 16] = *b"../../../../../.";
    if let Some(start) = text.first_chunk() {
        let differ = u128::from_le_bytes(*start) ^ u128::from_le_bytes(PARENTS);
        if differ != 0 {
            return differ.trailing_zeros() as usize / 24;
        }
    }
    count_many_parents(text)
}

fn count_many_parents(text: &[u8]) -> usize {
    const EIGHT: &[u8; 24] = b"../../../../../../../../";
    let eights = text.chunks_exact(EIGHT.len()).take_while(|eight| *eight == EIGHT).count();
    let rest = &text[EIGHT.len() * eights..];
    8 * eights + rest.chunks_exact(3).take_while(|parent| *parent == b"../").count()
}

pub(crate) fn common_len(ours: &[u8], theirs: &[u8]) -> usize {
    let mut at = 0;
    while let (Some(our), Some(their)) = (ours[at..].first_chunk::<NARROW_LEN>(), theirs[at..].first_chunk()) {
        let differ = u64::from_le_bytes(*our) ^ u64::from_le_bytes(*their);
        if differ != 0 {
            return at + differ.trailing_zeros() as usize / 8;
        }
        at += NARROW_LEN;
    }
    at + ours[at..].iter().zip(&theirs[at..]).take_while(|(our, their)| our == their).count()
}

#[inline(always)]
fn window_at<const N: usize>(text: &[u8], at: usize) -> &[u8; N] {
    text[at..at + N].first_chunk().expect("the slice has this length")
}

/// Compares all of them, without a branch.
#[inline(always)]
fn any_pair<const N: usize>(these: &[u8; N], nexts: &[u8; N], test: impl PairTest) -> bool {
    let mut found = false;
    for at in 0..N {
        found |= test.is(these[at], nexts[at]);
    }
    found
}

/// Calls `each` with the index of each slash, from the last to the first, until it returns false.
#[inline(always)]
pub(crate) fn each_slash_back(text: &[u8], mut each: impl FnMut(usize) -> bool) {
    let mut end = text.len();
    let eights = text.rchunks_exact(NARROW_LEN);
    let start = eights.clone().remainder();
    for eight in eights {
        end -= NARROW_LEN;
        let mut slashes = equal(as_number(eight), b'/');
        while slashes != 0 {
            let bit = 63 - slashes.leading_zeros();
            if !each(end + bit as usize / 8) {
                return;
            }
            slashes ^= 1 << bit;
        }
    }
    for (at, &byte) in start.iter().enumerate().rev() {
        if byte == b'/' && !each(at) {
            return;
        }
    }
}

/// Writes the index in `text` after each of the last `N` slashes, the last one first. If there are fewer, the other places stay
/// unchanged.
#[inline(always)]
pub(crate) fn last_slashes<const N: usize>(text: &[u8], start: usize, places: &mut [usize; N]) {
    // A bit for each of the last 64 bytes, set for a slash; the last byte is the lowest bit. No branch depends on where they are.
    let near = &text[text.len().saturating_sub(64)..];
    let mut bits = match (near.first_chunk(), near.last_chunk()) {
        (Some(first), Some(last)) => slash_bits(last) | slash_bits(first) << (near.len() - 32),
        _ => near.iter().fold(0, |bits, &byte| bits << 1 | u64::from(byte == b'/')),
    };
    let len = text.len() - start;
    bits &= u64::MAX.checked_shr(64 - len.min(64) as u32).unwrap_or(0);
    let count = bits.count_ones() as usize;
    for place in places.iter_mut() {
        let end = text.len().wrapping_sub(bits.trailing_zeros() as usize);
        *place = if bits == 0 { *place } else { end };
        bits &= bits.wrapping_sub(1);
    }
    if len > 64 && count < N {
        let mut left = places[count..].iter_mut();
        each_slash_back(&text[start..text.len() - 64], |slash| {
            left.next().map(|place| *place = start + slash + 1).is_some()
        });
    }
}

/// Sets a bit for each slash. The last byte has the lowest bit.
#[inline(always)]
fn slash_bits(text: &[u8; 32]) -> u64 {
    let others = text.chunks_exact(NARROW_LEN).fold(0, |bits, eight| {
        let others = differ(as_number(eight), b'/') >> 7 & ONES;
        // The bits of a byte each, gathered in the top byte.
        bits << 8 | others.wrapping_mul(0x8040_2010_0804_0201) >> 56
    });
    others ^ 0xffff_ffff
}

#[inline(always)]
fn as_number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

const ONES: u64 = 0x0101_0101_0101_0101;
const LOW_BITS: u64 = 0x7f * ONES;

#[inline(always)]
fn equal(eight: u64, byte: u8) -> u64 {
    !(differ(eight, byte) | LOW_BITS)
}

/// Sets the top bit of each byte that differs from `byte`, and clears that of each other byte. The other bits are arbitrary.
#[inline(always)]
fn differ(eight: u64, byte: u8) -> u64 {
    // After the exclusive or, equal bytes are zero. Adding 0x7f to the low seven bits of a byte sets its top bit unless they are
    // zero, and cannot carry into the next byte. The `or` at the end adds the byte's own top bit.
    let eight = eight ^ (u64::from(byte) * ONES);
    ((eight & LOW_BITS) + LOW_BITS) | eight
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn letters_are_found_in_any_case(text: Vec<u8>, letters: Vec<bool>, upper: [bool; 3]) -> bool {
            let has = |text: &[u8]| text.windows(3).any(|three| three.eq_ignore_ascii_case(b"rse"));
            let some = letters.iter().zip(b"rse".iter().cycle());
            let some: Vec<u8> = some.map(|(keeps, letter)| letter + u8::from(!keeps)).collect();
            let three: Vec<u8> = b"rse".iter().zip(upper).map(|(letter, upper)| letter ^ u8::from(upper) << 5).collect();
            [&text[..], &some, &[&text[..], &three, &some].concat(), &[&some[..], &three].concat()]
                .iter()
                .all(|text| has_letters(text, *b"rse") == has(text))
        }

        fn all_is_that_of_iterators(text: Vec<u8>, limit: u8) -> bool {
            let mut part = text.as_slice();
            loop {
                if all(part, |byte| byte < limit) != part.iter().all(|byte| *byte < limit) {
                    return false;
                }
                let Some((_, rest)) = part.split_first() else { return true };
                part = rest;
            }
        }
    }
}
