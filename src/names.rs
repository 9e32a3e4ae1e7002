//! Names of values: how they parse and print, and which name is nearest to an unknown one.

use core::fmt;

/// The names of the values of a type, such as of all rule sets.
#[derive(PartialEq, Eq, Hash)]
pub struct ValueNames {
    /// A noun for one value, with its article, such as "a rule set".
    pub noun: &'static str,
    /// The names, in their order.
    pub all: &'static [&'static str],
    /// A text that may follow each name, such as `+lenient`; `None` if nothing may.
    pub ending: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownName {
    names: &'static ValueNames,
    /// The index of the name that was probably meant.
    nearest: Option<u8>,
    /// The text has the first character of the ending, so that the suggested name gets the ending, too.
    has_ending: bool,
}

impl ValueNames {
    /// Returns the index of the name that is equal to `text`; if there is none, the result of [`unknown`](ValueNames::unknown).
    pub fn find(&'static self, text: &str) -> Result<usize, (UnknownName, usize)> {
        self.all.iter().position(|name| *name == text).ok_or_else(|| self.unknown(text))
    }

    /// Returns the error for a text that is none of the names, and its position: the length of the longest start that the text
    /// shares with a name and its ending.
    #[must_use]
    pub fn unknown(&'static self, text: &str) -> (UnknownName, usize) {
        let ending = self.ending.unwrap_or_default();
        let shared = |name: &&str| {
            let name = name.bytes().chain(ending.bytes());
            name.zip(text.bytes()).take_while(|(expected, found)| expected == found).count()
        };
        let position = self.all.iter().map(shared).max().unwrap_or(0);
        let stem = match ending.chars().next().and_then(|first| text.split_once(first)) {
            Some((stem, _)) => stem,
            None => text,
        };
        let nearest = nearest(stem, self.all).and_then(|index| u8::try_from(index).ok());
        (UnknownName { names: self, nearest, has_ending: stem.len() < text.len() }, position)
    }
}

impl UnknownName {
    /// If there are more names, a message lists none of them.
    const MAX_LISTED: usize = 64;
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueNames { noun, all, ending } = self.names;
        write!(f, "not {noun}")?;
        let listed = if all.len() <= Self::MAX_LISTED { all } else { &[][..] };
        for (index, name) in listed.iter().enumerate() {
            let separator = match index {
                0 => ": expected ",
                _ if index + 1 == all.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{name}")?;
        }
        if let Some(ending) = ending {
            write!(f, ", optionally with {ending}")?;
        }
        match self.nearest.and_then(|index| all.get(usize::from(index))) {
            Some(name) => {
                let ending = ending.filter(|_| self.has_ending).unwrap_or_default();
                write!(f, "; did you mean {name}{ending}?")
            }
            None => Ok(()),
        }
    }
}

/// Returns the name with the smallest [`distance`], at most a third of its length in bytes, rounded up; else, for more than one
/// byte, the first name that starts with the text. Upper and lower case are the same.
fn nearest(text: &str, names: &[&str]) -> Option<usize> {
    let distances = names.iter().enumerate().filter_map(|(index, name)| {
        let most = name.len().div_ceil(3);
        // The distance of a longer text is greater than that, and is not computed.
        let is_near = text.len() <= name.len() + most;
        let distance = if is_near { distance(text.as_bytes(), name.as_bytes()) } else { usize::MAX };
        (distance <= most).then_some((distance, index))
    });
    let starts = |name: &&str| name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    match distances.min() {
        Some((_, index)) => Some(index),
        None if text.len() > 1 => names.iter().position(starts),
        None => None,
    }
}

/// Returns the optimal string alignment distance in bytes: a swap of two neighbors counts as one. Upper and lower case are the
/// same.
fn distance(from: &[u8], to: &[u8]) -> usize {
    let is_same = |a: usize, b: usize| from[a].eq_ignore_ascii_case(&to[b]);
    // Three rows are enough: a swap of neighbors looks two rows back. The names are short, and this runs only for an error.
    let mut before = alloc::vec::Vec::new();
    let mut above: alloc::vec::Vec<usize> = (0..=to.len()).collect();
    for a in 0..from.len() {
        let mut row = alloc::vec![a + 1];
        for b in 0..to.len() {
            let mut least = (above[b + 1] + 1).min(row[b] + 1).min(above[b] + usize::from(!is_same(a, b)));
            if a > 0 && b > 0 && is_same(a, b - 1) && is_same(a - 1, b) {
                let swapped: &[usize] = &before;
                least = least.min(swapped[b - 1] + 1);
            }
            row.push(least);
        }
        before = core::mem::replace(&mut above, row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::error::Error;

    const NAMES: &ValueNames =
        &ValueNames { noun: "a color", all: &["red", "green", "light-green"], ending: Some("+bright") };

    #[test]
    fn changes_of_characters_are_counted() {
        for (from, to, count) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("ABC", "abc", 0),
            ("abc", "acb", 1),
            ("abc", "ab", 1),
            ("abc", "xbc", 1),
            ("abc", "xabc", 1),
            ("rfc3968", "rfc3986", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            assert_eq!(distance(from.as_bytes(), to.as_bytes()), count, "{from} {to}");
            assert_eq!(distance(to.as_bytes(), from.as_bytes()), count, "{to} {from}");
        }
    }

    #[test]
    fn an_unknown_name_has_the_list_and_the_nearest() {
        let list = "not a color: expected red, green or light-green, optionally with +bright";
        for (text, position, end) in [
            ("gren", 3, "; did you mean green?"),
            ("GREEN", 0, "; did you mean green?"),
            ("light", 5, "; did you mean light-green?"),
            ("rde+bright", 1, "; did you mean red+bright?"),
            ("red+brihgt", 7, "; did you mean red+bright?"),
            ("blue", 0, ""),
            ("", 0, ""),
            ("grün", 2, "; did you mean green?"),
            ("+", 0, ""),
        ] {
            let error = Error::unknown_name(NAMES.find(text).unwrap_err());
            assert_eq!((error.to_string(), error.position()), ([list, end].concat(), position), "{text}");
        }
        let long = "green".repeat(1 << 20);
        assert_eq!(Error::unknown_name(NAMES.find(&long).unwrap_err()).to_string(), list);
    }
}
