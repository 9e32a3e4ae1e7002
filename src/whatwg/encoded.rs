//! The fast path for references with characters that are percent-encoded: components are encoded where they are copied.

use alloc::string::String;

use super::encoder::{Encoder, path_needs_states};
use super::prepared::BorrowedBase;
use super::query_charset::QueryCharset;
use super::simple::needs_no_encoding;
use crate::resolve::dots_backwards::Remainder;
use crate::resolve::fast::{FastBase, Form};
use crate::rules::Rules;
use crate::scan::{find_either, may_have_dots};

/// Returns false, and appends nothing, if the reference needs the Standard's states. Its base must have a special scheme and no drive
/// letter, and the reference neither scheme nor authority, nor a drive letter.
#[inline(always)]
pub(super) fn resolve_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    let bytes = reference.as_bytes();
    let engine_base = base.engine_base();
    match engine_base.cut_and_start(Form::of(bytes, Rules::RFC3986), bytes) {
        Some((cut, start)) if !path_may_have_dots(&bytes[start..]) => {
            push(&base.text[..cut], "", &reference[start..], base.query_charset(), out)
        }
        _ if needs_no_encoding(bytes) => {
            engine_base.resolve_into(reference, out);
            true
        }
        _ => resolve_dots_into(base, reference, out),
    }
}

fn path_may_have_dots(text: &[u8]) -> bool {
    may_have_dots(text) && find_either(text, [b'?', b'#']).is_none_or(|end| may_have_dots(&text[..end]))
}

/// Returns false, and appends nothing, if the reference needs the Standard's states. It must start with `#`.
pub(super) fn resolve_fragment_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    push(&base.text[..base.engine_base().offsets.query_end], "", reference, None, out)
}

/// Appends scheme, host and then `rest`, which starts with `/`, `?` or `#`, if it is not empty. Returns false, and appends
/// nothing, if `rest` has dot segments or needs the Standard's states.
#[inline(never)]
pub(super) fn copy_into(
    [scheme, host, rest]: [&str; 3],
    query_charset: Option<QueryCharset>,
    out: &mut String,
) -> bool {
    if path_may_have_dots(rest.as_bytes()) {
        return false;
    }
    let start = out.len();
    out.push_str(scheme);
    let slash = if rest.starts_with('/') { "" } else { "/" };
    let is_taken = push(host, slash, rest, query_charset, out);
    if !is_taken {
        out.truncate(start);
    }
    is_taken
}

/// `rest` must have no dot segments.
#[inline(never)]
fn push(kept: &str, slash: &str, rest: &str, query_charset: Option<QueryCharset>, out: &mut String) -> bool {
    let start = out.len();
    out.reserve(kept.len() + 1 + 3 * rest.len());
    out.push_str(kept);
    out.push_str(slash);
    let mut encoder = Encoder::new(out);
    let path_end = encoder.push_path(rest.as_bytes());
    let is_taken = encoder.finish(&rest[path_end..], query_charset);
    if !is_taken {
        out.truncate(start);
    }
    is_taken
}

#[inline(never)]
fn resolve_dots_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    let path_end = find_either(reference.as_bytes(), [b'?', b'#']).unwrap_or(reference.len());
    let (path, rest) = reference.split_at(path_end);
    if path_needs_states(path.as_bytes()) {
        return false;
    }
    let engine_base = base.engine_base();
    let (path, root) = match path.strip_prefix('/') {
        Some(path) => (path, Some(engine_base.offsets.path_start + 1)),
        None => (path, None),
    };
    let mut remainder = Remainder::default();
    if !remainder.fill(path.as_bytes()) {
        return false;
    }
    let Some(cut) = root.or_else(|| engine_base.cut_for_parents(remainder.parents)) else { return false };
    let start = out.len();
    out.reserve(cut + 3 * reference.len());
    out.push_str(&base.text[..cut]);
    let mut encoder = Encoder::new(out);
    remainder.each_part(path, |part| _ = encoder.push_path(part.as_bytes()));
    let is_taken = encoder.finish(rest, base.query_charset());
    if !is_taken {
        out.truncate(start);
    }
    is_taken
}
