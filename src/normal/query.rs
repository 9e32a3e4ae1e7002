//! Changes of the query: parameters removed and sorted.

use alloc::string::String;

use smallvec::SmallVec;

use super::change::{Change, ChangeSet};
use super::known_names::SESSION;
use super::parameter_lists::entry_matches;
use super::push_within::push_within;
use super::uri_writer::{Family, UriWriter};

const QUERY_CHANGES: ChangeSet = ChangeSet::EMPTY
    .with(Change::DropTracking)
    .with(Change::SortQuery)
    .with(Change::DropEmptyQuery)
    .with(Change::DropSession)
    .with(Change::KeepOnly);

/// Byte offsets in the query without its `?`.
#[derive(Clone, Copy)]
struct Param {
    start: usize,
    /// The byte of the first `=`, or `end` if there is none.
    name_end: usize,
    end: usize,
}

// Few queries have more than 24 parameters, so that this rarely allocates. Three offsets for each, and not slices: the text that they
// point into grows while they are read.
type Params = SmallVec<[Param; 24]>;

impl UriWriter<'_> {
    /// `query` starts with its `?`, or is empty.
    #[inline]
    pub(super) fn write_query(&self, query: &str, out: &mut String) {
        let start = out.len();
        self.push(query, out);
        if !query.is_empty() && self.family == Family::Http && self.has_any(QUERY_CHANGES) {
            self.change_query(start, out);
        }
    }

    /// Changes the query at the end of `out`, whose `?` is at the byte `question_mark`. Also removes the `?` if a change leaves
    /// nothing after it.
    fn change_query(&self, question_mark: usize, out: &mut String) {
        let (start, end) = (question_mark + 1, out.len());
        let mut params = Params::new();
        if self.select_params(&out[start..], &mut params) {
            for (number, param) in params.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { "&" });
                push_within(out, start + param.start..start + param.end);
            }
            out.drain(start..end);
            if out.len() == start {
                out.truncate(question_mark);
            }
        }
    }

    /// Returns false if no change alters the query. Otherwise `params`, empty before the call, has the parameters that are left.
    fn select_params(&self, query: &str, params: &mut Params) -> bool {
        if query.is_empty() {
            return self.has(Change::DropEmptyQuery);
        }
        let bytes = query.as_bytes();
        let (mut start, mut equals) = (0, None);
        let mut removed = false;
        // Only `&` separates parameters; `;` is data, as in the URL Standard §5.1.
        for at in 0..=bytes.len() {
            match bytes.get(at) {
                None | Some(b'&') => {
                    let param = Param { start, name_end: equals.unwrap_or(at), end: at };
                    if self.removes_param(&query[start..param.name_end], start == at) {
                        removed = true;
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
        // Most queries are sorted already, or have a single parameter. Then nothing is moved.
        let unsorted = self.has(Change::SortQuery) && !params.is_sorted_by(|a, b| name(a) <= name(b));
        if unsorted {
            // A stable sort would allocate. The place in the query decides between equal names, so that they keep their order.
            params.sort_unstable_by(|a, b| name(a).cmp(name(b)).then(a.start.cmp(&b.start)));
        }
        removed || unsorted
    }

    /// `is_empty` is true for a parameter without a name and a `=`.
    fn removes_param(&self, name: &str, is_empty: bool) -> bool {
        (is_empty && self.has(Change::SortQuery))
            || (self.has(Change::KeepOnly) && !self.lists.keeps(name))
            || (self.has(Change::DropTracking) && self.lists.tracking.contains(name))
            || (self.has(Change::DropSession) && SESSION.iter().any(|entry| entry_matches(entry, name)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::super::change::{Change, ChangeSet};
    use super::super::parameter_lists::ParameterLists;
    use crate::normal::UriWriter;
    use crate::uri::UriRef;

    /// The query must change in the same way whether its encoding changes or not.
    #[test]
    fn queries_are_changed_whether_recoded_or_not() {
        let lists = ParameterLists::new(["t*"]).keep_only(["b", "a"]);
        let sort = ChangeSet::EMPTY.with(Change::SortQuery);
        for (changes, uri, expected) in [
            (sort, "http://h?b=2&a&b=1&&a=", "http://h?a&a=&b=2&b=1"),
            (sort, "http://h?&&", "http://h"),
            (sort, "http://h?", "http://h?"),
            (ChangeSet::EMPTY.with(Change::DropEmptyQuery), "http://h?", "http://h"),
            (ChangeSet::EMPTY.with(Change::DropTracking), "http://h?tx&b=t&", "http://h?b=t&"),
            (ChangeSet::EMPTY.with(Change::KeepOnly), "http://h?c&a=1&&B&b", "http://h?a=1&b"),
            (sort, "ftp://h?b&a", "ftp://h?b&a"),
        ] {
            for changes in [changes, changes.with(Change::Encoding)] {
                let mut out = String::new();
                UriWriter::new(changes, &lists, UriRef::new(uri), false).write(&mut out);
                assert_eq!(out, expected, "{uri}");
            }
        }
    }
}
