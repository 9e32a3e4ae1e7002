//! `Part`: a part of a URI, with the name that its scheme gives it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::percent::{decode_bytes, decode_query};

/// A part of a URI that its scheme defines. [`View::parts`](super::View::parts) lists them.
///
/// ```
/// use relref::scheme::view;
///
/// let parts = view("mailto:a@h,b@i").parts();
/// assert_eq!((parts[0].name, parts[0].value.to_string()), ("addresses", "a@h, b@i".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Part {
    /// The name.
    pub name: &'static str,
    /// The value.
    pub value: PartValue,
}

/// The value of a [`Part`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartValue {
    /// The value of a part that is there once.
    One(String),
    /// The value of a part that is a number.
    Number(u64),
    /// No text: the part is a property, and the URI has it.
    Flag,
    /// The values of a part that can be there several times, at least one.
    List {
        /// The values; of more than a thousand, the first thousand.
        values: Vec<String>,
        /// The number of values that are left out.
        left_out: usize,
    },
}

/// A flag is `yes`. The values of a list have commas between them.
impl fmt::Display for PartValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartValue::One(value) => f.write_str(value),
            PartValue::Number(number) => write!(f, "{number}"),
            PartValue::Flag => f.write_str("yes"),
            PartValue::List { values, left_out } => {
                f.write_str(&values.join(", "))?;
                if *left_out > 0 { write!(f, " and {left_out} more") } else { Ok(()) }
            }
        }
    }
}

/// The number of values that a list keeps. A URI of a megabyte can have a million empty segments.
const MAX_VALUES: usize = 1000;

#[derive(Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
}

impl Parts {
    pub(super) fn add(&mut self, name: &'static str, value: impl ToString) {
        self.list.push(Part { name, value: PartValue::One(value.to_string()) });
    }

    pub(super) fn add_number(&mut self, name: &'static str, number: impl Into<u64>) {
        self.list.push(Part { name, value: PartValue::Number(number.into()) });
    }

    pub(super) fn add_flag(&mut self, name: &'static str) {
        self.list.push(Part { name, value: PartValue::Flag });
    }

    pub(super) fn add_some(&mut self, name: &'static str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    pub(super) fn add_decoded(&mut self, name: &'static str, text: &str) {
        self.add(name, decoded(text));
    }

    pub(super) fn add_list(&mut self, name: &'static str, mut all: impl Iterator<Item = String>) {
        let values: Vec<String> = all.by_ref().take(MAX_VALUES).collect();
        if !values.is_empty() {
            self.list.push(Part { name, value: PartValue::List { values, left_out: all.count() } });
        }
    }

    pub(super) fn add_decoded_list<'a>(&mut self, name: &'static str, texts: impl Iterator<Item = &'a str>) {
        self.add_list(name, texts.map(decoded));
    }
}

/// U+FFFD is for what is not UTF-8. A text with an illegal escape stays, and there is a warning.
pub(super) fn decoded(text: &str) -> String {
    decode_bytes(text).map_or_else(|_| text.to_string(), |octets| octets.to_string())
}

/// `+` becomes a space; otherwise as [`decoded`].
pub(super) fn decoded_query(query: &str) -> String {
    decode_query(query).map_or_else(|_| query.to_string(), |octets| String::from_utf8_lossy(&octets).into_owned())
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;

    #[test]
    fn missing_parts_are_left_out_and_illegal_escapes_are_kept() {
        let mut parts = Parts::default();
        parts.add_some("a", None::<&str>);
        parts.add_decoded_list("b", [].into_iter());
        assert!(parts.list.is_empty());
        parts.add_decoded_list("c", ["%41", "%z%41"].into_iter());
        let values = ["A", "%z%41"].map(String::from).to_vec();
        assert_eq!(parts.list[0].value, PartValue::List { values, left_out: 0 });
        parts.add_decoded_list("d", core::iter::repeat_n("", 1002));
        assert!(matches!(&parts.list[1].value, PartValue::List { values, left_out: 2 } if values.len() == 1000));
    }
}
