//! Looking through short texts, in windows of a fixed size: these compile to a few vector instructions, where a call of
//! memchr would cost more than the text is long.

const WIDE: usize = 16;
const NARROW: usize = 8;

/// Where the first byte stands that satisfies `is`.
#[inline(always)]
pub(crate) fn find(text: &[u8], is: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    let mut at = 0;
    while let Some(window) = text[at..].first_chunk::<WIDE>() {
        if any(window, window, |byte, _| is(byte)) {
            break;
        }
        at += WIDE;
    }
    text[at..].iter().position(|&byte| is(byte)).map(|found| at + found)
}

/// Whether a `.` stands right behind a `/`.
pub(crate) fn has_dots(text: &[u8]) -> bool {
    has_pair(text, |this, next| (this == b'/') & (next == b'.'))
}

/// Whether two neighbours in the text satisfy `is`.
#[inline(always)]
pub(crate) fn has_pair(text: &[u8], is: impl Fn(u8, u8) -> bool + Copy) -> bool {
    let Some((_, nexts)) = text.split_first() else { return false };
    let pairs = nexts.len();
    if pairs >= WIDE {
        let mut at = 0;
        // The last window overlaps the one before it.
        while at + WIDE < pairs {
            if any(chunk::<WIDE>(text, at), chunk(nexts, at), is) {
                return true;
            }
            at += WIDE;
        }
        any(chunk::<WIDE>(text, pairs - WIDE), chunk(nexts, pairs - WIDE), is)
    } else if pairs >= NARROW {
        any(chunk::<NARROW>(text, 0), chunk(nexts, 0), is)
            | any(chunk::<NARROW>(text, pairs - NARROW), chunk(nexts, pairs - NARROW), is)
    } else {
        text.iter().zip(nexts).any(|(&this, &next)| is(this, next))
    }
}

/// How many bytes two texts start with in common.
pub(crate) fn common(ours: &[u8], theirs: &[u8]) -> usize {
    let mut at = 0;
    while let (Some(our), Some(their)) = (ours[at..].first_chunk::<NARROW>(), theirs[at..].first_chunk()) {
        let differ = u64::from_le_bytes(*our) ^ u64::from_le_bytes(*their);
        if differ != 0 {
            return at + differ.trailing_zeros() as usize / 8;
        }
        at += NARROW;
    }
    at + ours[at..].iter().zip(&theirs[at..]).take_while(|(our, their)| our == their).count()
}

#[inline(always)]
fn chunk<const N: usize>(text: &[u8], at: usize) -> &[u8; N] {
    text[at..at + N].first_chunk().expect("the slice has this length")
}

#[inline(always)]
fn any<const N: usize>(these: &[u8; N], nexts: &[u8; N], is: impl Fn(u8, u8) -> bool) -> bool {
    let mut found = false;
    for at in 0..N {
        found |= is(these[at], nexts[at]);
    }
    found
}

/// Calls `each` with the place of each slash, from the last one on, until it says `false`.
#[inline(always)]
pub(crate) fn slashes_back(text: &[u8], mut each: impl FnMut(usize) -> bool) {
    let mut end = text.len();
    while let Some(word) = text[..end].last_chunk() {
        end -= NARROW;
        let mut slashes = slashes(u64::from_le_bytes(*word));
        while slashes != 0 {
            let bit = 63 - slashes.leading_zeros();
            if !each(end + bit as usize / 8) {
                return;
            }
            slashes ^= 1 << bit;
        }
    }
    while let Some(at) = text[..end].iter().rposition(|&byte| byte == b'/') {
        if !each(at) {
            return;
        }
        end = at;
    }
}

/// The top bit of each byte of a word that is a slash.
#[inline(always)]
fn slashes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOW: u64 = 0x7f * ONES;
    let word = word ^ (b'/' as u64 * ONES);
    !(((word & LOW) + LOW) | word | LOW)
}
