//! The query: parameters dropped and sorted.

use alloc::string::String;

use smallvec::SmallVec;

use super::Normalizer;
use super::lists::{SESSION, stands_for};
use super::step::{Step, Steps};
use super::tail::push_within;

/// The steps that are about queries.
pub(super) const QUERY: Steps = Steps::EMPTY
    .with(Step::DropTracking)
    .with(Step::SortQuery)
    .with(Step::DropEmptyQuery)
    .with(Step::DropSession)
    .with(Step::KeepOnly);

/// Where a parameter stands.
#[derive(Clone, Copy)]
struct Param {
    start: usize,
    /// At the first `=`, or at the end.
    name_end: usize,
    end: usize,
}

impl Normalizer {
    /// Does what is to be done to the query at the end of a text, whose `?` stands at a byte.
    ///
    /// Parameters are split at `&` only; `;` is data, as it is to the URL Standard §5.1. Nothing is allocated for up to 24 of
    /// them.
    pub(super) fn query(&self, mark: usize, out: &mut String) {
        let (from, end) = (mark + 1, out.len());
        if from == end {
            if self.has(Step::DropEmptyQuery) {
                out.truncate(mark);
            }
            return;
        }
        let mut params: SmallVec<[Param; 24]> = SmallVec::new();
        let (mut start, mut equals) = (from, None);
        let mut dropped = false;
        for at in from..=end {
            match out.as_bytes().get(at) {
                None | Some(b'&') => {
                    let param = Param { start, name_end: equals.unwrap_or(at), end: at };
                    if self.drops(&out[param.start..param.name_end], param.start == param.end) {
                        dropped = true;
                    } else {
                        params.push(param);
                    }
                    (start, equals) = (at + 1, None);
                }
                Some(b'=') if equals.is_none() => equals = Some(at),
                Some(_) => {}
            }
        }
        let name = |param: &Param| &out.as_bytes()[param.start..param.name_end];
        let unsorted = self.has(Step::SortQuery) && !params.is_sorted_by(|a, b| name(a) <= name(b));
        if unsorted {
            params.sort_unstable_by(|a, b| name(a).cmp(name(b)).then(a.start.cmp(&b.start)));
        }
        if !dropped && !unsorted {
            return;
        }
        for (number, param) in params.iter().enumerate() {
            if number > 0 {
                out.push('&');
            }
            push_within(out, param.start..param.end);
        }
        out.drain(from..end);
        if out.len() == from {
            out.truncate(mark);
        }
    }

    fn drops(&self, name: &str, empty: bool) -> bool {
        if empty && self.has(Step::SortQuery) {
            return true;
        }
        (self.has(Step::KeepOnly) && self.keep.binary_search_by(|keep| keep.as_str().cmp(name)).is_err())
            || (self.has(Step::DropTracking) && self.tracking.contains(name))
            || (self.has(Step::DropSession) && SESSION.iter().any(|entry| stands_for(entry, name)))
    }
}
