//! The way for references with characters that are percent-encoded or with dot segments: a start that is copied, and a rest.

use alloc::string::String;

use super::dot_segment::DotSegment;
use super::encode_set::EncodeSet;
use super::encoder::{Encoder, after_last_slash};
use super::query_charset::QueryCharset;
use crate::uri::path_and_query_ends;

/// The parts of a URL in their order. A host that certainly stays as it is saves the states half of their work: they decode it,
/// fold its case, and test it for characters and numbers.
pub(super) struct EncodedParts<'a> {
    /// The start of the base; empty if the reference has a scheme.
    pub(super) kept: &'a str,
    /// The start of the reference: a scheme, a host, a port. A slash follows it. Empty for the host of the base.
    pub(super) host: &'a str,
    /// Path, query and fragment without tabs, line breaks and backslashes. A path comes right after the slash that the parts before
    /// it end with.
    pub(super) rest: &'a str,
    /// The byte of the URL after the first slash of its path, which no `..` removes.
    pub(super) root: usize,
    /// If false, no segment of the path is dots.
    pub(super) may_have_dots: bool,
}

impl EncodedParts<'_> {
    #[inline(never)]
    pub(super) fn append_to(&self, query_charset: Option<QueryCharset>, out: &mut String) {
        let &EncodedParts { kept, host, rest, root, may_have_dots } = self;
        let root = out.len() + root;
        // Each byte may become an escape. This is an upper bound, so that no push allocates, at the price of memory that is not
        // used.
        out.reserve(kept.len() + host.len() + 1 + 3 * rest.len());
        out.push_str(kept);
        if !host.is_empty() {
            out.push_str(host);
            out.push('/');
        }
        let (path_end, query_end) = path_and_query_ends(rest.as_bytes(), 0);
        let mut encoder = Encoder::new(out);
        let path = &rest.as_bytes()[..path_end];
        if may_have_dots {
            push_without_dots(path, root, &mut encoder);
        } else {
            encoder.push(path, EncodeSet::Path);
        }
        // In UTF-8, the delimiters stay as they are, and need no push of their own.
        match query_charset.filter(|_| path_end < query_end && !kept.starts_with("ws")) {
            Some(charset) => {
                encoder.flush();
                encoder.out.push('?');
                let query = &rest[path_end + 1..query_end];
                (charset.encode)(charset.name, query, *EncodeSet::SpecialQuery.bytes(), encoder.out);
            }
            None => encoder.push(&rest.as_bytes()[path_end..query_end], EncodeSet::SpecialQuery),
        }
        encoder.push(&rest.as_bytes()[query_end..], EncodeSet::Fragment);
        encoder.flush();
    }
}

/// Writes a path without its dot segments. `root` is the byte of the output up to which no `..` removes any.
// Segments are written in runs: a run is a slice of the path, from a segment that is no dots up to the slash after another one. What
// `..` removes is mostly the end of the run that is not yet written, so that it costs no copy. What is written is searched for the
// slash before it, and then removed: all searches together are not longer than the output.
#[inline(never)]
fn push_without_dots(path: &[u8], root: usize, encoder: &mut Encoder<'_>) {
    let (mut run_start, mut run_end, mut start) = (0, 0, 0);
    while start < path.len() {
        let left = &path[start..];
        // Dots written as such are told without a search for the slash after them.
        let (dots, len) = match left {
            [b'.', b'/', ..] => (Some(DotSegment::Single), 2),
            [b'.', b'.', b'/', ..] => (Some(DotSegment::Double), 3),
            _ => {
                let len = left.iter().position(|&byte| byte == b'/').unwrap_or(left.len());
                (DotSegment::of(&left[..len]), (len + 1).min(left.len()))
            }
        };
        match dots {
            None if run_end == start => run_end += len,
            None => {
                if run_start < run_end {
                    encoder.push(&path[run_start..run_end], EncodeSet::Path);
                }
                (run_start, run_end) = (start, start + len);
            }
            Some(DotSegment::Single) => {}
            Some(DotSegment::Double) if run_start < run_end => {
                run_end = run_start + after_last_slash(&path[run_start..run_end - 1]);
            }
            Some(DotSegment::Double) => encoder.remove_last_segment(root),
        }
        start += len;
    }
    encoder.push(&path[run_start..run_end], EncodeSet::Path);
}
