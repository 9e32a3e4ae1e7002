//! The fields of an HTTP head (RFC 9110 §5).

use std::ops::Range;
use std::str;

/// The fields of an HTTP head, in their order.
///
/// ```
/// use relref_links::archive::Fields;
///
/// let fields: Fields = [("Location", "/a"), ("Link", "<b>; rel=next")].into_iter().collect();
/// assert_eq!(fields.get("location"), Some(&b"/a"[..]));
/// assert_eq!(fields.iter().count(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fields {
    text: Vec<u8>,
    /// The ranges in `text` of each name and of its value.
    ranges: Vec<(Range<u32>, Range<u32>)>,
}

impl Fields {
    /// Returns the value of the first field with this name, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.all(name).next()
    }

    /// Returns the values of all fields with this name, in any case.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.iter().filter(move |(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns the names and values. A folded value has line breaks in it.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        let at = |range: &Range<u32>| &self.text[range.start as usize..range.end as usize];
        self.ranges.iter().map(move |(name, value)| (str::from_utf8(at(name)).unwrap_or_default(), at(value)))
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> FromIterator<(N, V)> for Fields {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        let mut all = Fields::default();
        for (name, value) in fields {
            let mut add = |bytes: &[u8]| {
                let start = all.text.len() as u32;
                all.text.extend_from_slice(bytes);
                start..all.text.len() as u32
            };
            let ranges = (add(name.as_ref().as_bytes()), add(value.as_ref()));
            // A head of 4 GiB does not exist: its reader has a limit.
            if ranges.1.end >= ranges.0.start {
                all.ranges.push(ranges);
            }
        }
        all
    }
}
