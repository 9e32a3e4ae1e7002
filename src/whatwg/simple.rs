//! Tests whether the URL Standard copies a text as it is, apart from dot segments.
//!
//! A host is *simple* if it has only letters from `a` to `z`, digits, `.`, `-` and `_`, and its last label starts with no digit and
//! is not empty. The Standard then reads it as a domain, and copies it.
//!
//! A text *needs no encoding* if all its bytes are 0x21 to 0x7E, and none is one of `` " % ' < > \ ^ ` { | } ~ ``. Then it is its
//! own percent-encoded form in path, query and fragment, and every dot segment is written with dots. It is *simple* if also no dot
//! follows a slash. Most references are simple.

// Each test is one search by `has_pair`, which compares 8, 16 or 32 bytes at once and each with the byte before it. It knows no
// components: a text is simple only if none of its bytes would be encoded in any of them, so that `'` in a path makes it not simple.
// That costs such texts the slower way; to find the components first would cost all texts more.

use crate::percent::ByteSet;
use crate::scan::{PairTest, SlashAndDot, has_pair, pair_tests};

/// Reports whether a text is simple and does not start with a dot.
#[inline(always)]
pub(super) fn is_simple(text: &[u8]) -> bool {
    text.first().is_none_or(|&first| !Complex.is(b'/', first)) && !has_pair(text, Complex)
}

#[inline(always)]
pub(super) fn is_simple_without_colon(text: &[u8]) -> bool {
    text.first().is_none_or(|&first| !ComplexOrColon.is(b'/', first)) && !has_pair(text, ComplexOrColon)
}

pair_tests! {
    /// No simple text has the byte `next`.
    NextIsComplex(_, next) {
        // Six comparisons are enough for all, and each is made for every byte. `%` and `'` differ in this bit, and so do
        // the space and `"`, `<` and `>`, `\` and `^`. All of `{|}~` follow `z`, as do all bytes beyond US-ASCII; what is below
        // 0x21 wraps to a large number.
        let both = next | 2;
        (next.wrapping_sub(0x21) > b'z' - 0x21)
            | (both == b'\'')
            | (both == b'"')
            | (both == b'>')
            | (both == b'^')
            | (next == b'`')
    };
    Complex(this, next) SlashAndDot.is(this, next) | NextIsComplex.is(this, next);
    ComplexOrColon(this, next) Complex.is(this, next) | (next == b':');
    HiddenOrDots(this, next) Hidden.is(this, next) | (this == b'/') & ((next == b'.') | (next == b'%'));
    Hidden(_, next) (next < b' ') | (next == b'\\');
    // The set of fragments is the smallest one, and links to headings often have `%` or `'`: a test of its own keeps these simple.
    // `!` is the only one before `#`.
    EncodedInFragment(_, next) (next.wrapping_sub(b'#') > b'~' - b'#') & (next != b'!') | (next | 2 == b'>') | (next == b'`');
}

/// `text` starts with its `#`.
#[inline(always)]
pub(super) fn fragment_needs_no_encoding(text: &[u8]) -> bool {
    !has_pair(text, EncodedInFragment)
}

#[inline(always)]
pub(super) fn needs_no_encoding(text: &[u8]) -> bool {
    text.first().is_none_or(|&first| !NextIsComplex.is(0, first)) && !has_pair(text, NextIsComplex)
}

/// Reports whether a text has [hidden](has_hidden) bytes, or a dot or `%` that may start a dot segment.
#[inline(always)]
pub(super) fn has_hidden_or_dots(text: &[u8]) -> bool {
    text.first().is_some_and(|&first| Hidden.is(0, first)) || has_pair(text, HiddenOrDots)
}

/// Reports whether a text has a tab, a line break, a backslash, or another control, which saves a comparison for each byte.
pub(super) fn has_hidden(text: &[u8]) -> bool {
    text.first().is_some_and(|&first| Hidden.is(0, first)) || has_pair(text, Hidden)
}

// A table and no search of vectors: a host has some fifteen bytes, of five classes, and the place of its end is wanted, too.
static IN_SIMPLE_HOST: [bool; 256] = ByteSet::new(b"-._0123456789abcdefghijklmnopqrstuvwxyz").table();

/// The caller checks that the host ends there. `None` if the last label is empty or starts with a digit: it may be an IPv4 address.
#[inline(always)]
pub(super) fn simple_host_len(text: &[u8]) -> Option<usize> {
    let len = text.iter().position(|&byte| !IN_SIMPLE_HOST[usize::from(byte)]).unwrap_or(text.len());
    // Only a last label that starts with a digit can make the host an IPv4 address: `1`, `0x7f`.
    let label = text[..len].iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    (label < len && !text[label].is_ascii_digit()).then_some(len)
}

/// `None` also if the Standard may reject or rewrite the port (empty, default, `080`), or no `/`, `?`, `#` or end follows.
#[inline(always)]
pub(super) fn simple_host_and_port_len(text: &[u8], default_port: u32) -> Option<usize> {
    let mut end = simple_host_len(text)?;
    if text.get(end) == Some(&b':') {
        let digits = text[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let port = &text[end + 1..end + 1 + digits];
        // A port that the parser would write in another way is not copied: with leading zeros, too large, or the default.
        let is_short = (1..=5).contains(&digits) && port[0] != b'0';
        let value = port.iter().take(5).fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        if !is_short || value > 65535 || value == default_port {
            return None;
        }
        end += 1 + digits;
    }
    matches!(text.get(end), None | Some(b'/' | b'?' | b'#')).then_some(end)
}
