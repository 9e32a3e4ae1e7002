//! The query: parameters dropped and sorted.

use alloc::string::String;

use smallvec::SmallVec;

use super::Normalizer;
use super::change::{Change, Changes};
use super::lists::{SESSION, stands_for};
use super::tail::push_within;

/// The changes that are about queries.
pub(super) const QUERY: Changes = Changes::EMPTY
    .with(Change::DropTracking)
    .with(Change::SortQuery)
    .with(Change::DropEmptyQuery)
    .with(Change::DropSession)
    .with(Change::KeepOnly);

/// Where a parameter stands in its query.
#[derive(Clone, Copy)]
struct Param {
    start: usize,
    /// At the first `=`, or at the end.
    name_end: usize,
    end: usize,
}

/// Those of a query; few have more than fit without allocating.
type Params = SmallVec<[Param; 24]>;

impl Normalizer {
    /// Appends a query, `?` and all, that needs nothing done about its encoding.
    pub(super) fn query(&self, query: &str, out: &mut String) {
        let mark = out.len();
        out.push('?');
        let mut params = Params::new();
        if self.select(&query[1..], &mut params) {
            for (number, param) in params.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { "&" });
                out.push_str(&query[1 + param.start..1 + param.end]);
            }
            Self::drop_void(mark, out);
        } else {
            out.push_str(&query[1..]);
        }
    }

    /// Does the same to the query at the end of a text, whose `?` stands at a byte.
    pub(super) fn query_in_place(&self, mark: usize, out: &mut String) {
        let (from, end) = (mark + 1, out.len());
        let mut params = Params::new();
        if self.select(&out[from..], &mut params) {
            for (number, param) in params.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { "&" });
                push_within(out, from + param.start..from + param.end);
            }
            out.drain(from..end);
            Self::drop_void(mark, out);
        }
    }

    /// Whether anything is to be done to a query, and if so, what parameters are left, in order.
    ///
    /// Parameters are split at `&` only; `;` is data, as it is to the URL Standard §5.1.
    fn select(&self, query: &str, params: &mut Params) -> bool {
        if query.is_empty() {
            return self.has(Change::DropEmptyQuery);
        }
        let bytes = query.as_bytes();
        let (mut start, mut equals) = (0, None);
        let mut dropped = false;
        for at in 0..=bytes.len() {
            match bytes.get(at) {
                None | Some(b'&') => {
                    let param = Param { start, name_end: equals.unwrap_or(at), end: at };
                    if self.drops(&query[start..param.name_end], start == at) {
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
        let name = |param: &Param| &bytes[param.start..param.name_end];
        let unsorted = self.has(Change::SortQuery) && !params.is_sorted_by(|a, b| name(a) <= name(b));
        if unsorted {
            params.sort_unstable_by(|a, b| name(a).cmp(name(b)).then(a.start.cmp(&b.start)));
        }
        dropped || unsorted
    }

    /// Drops the `?` at a byte if nothing is left behind it.
    fn drop_void(mark: usize, out: &mut String) {
        if out.len() == mark + 1 {
            out.truncate(mark);
        }
    }

    fn drops(&self, name: &str, empty: bool) -> bool {
        if empty && self.has(Change::SortQuery) {
            return true;
        }
        (self.has(Change::KeepOnly) && self.keep.binary_search_by(|keep| keep.as_str().cmp(name)).is_err())
            || (self.has(Change::DropTracking) && self.tracking.contains(name))
            || (self.has(Change::DropSession) && SESSION.iter().any(|entry| stands_for(entry, name)))
    }
}
