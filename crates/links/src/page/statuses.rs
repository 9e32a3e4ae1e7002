//! Sets of status codes, by which captures are selected.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A set of HTTP status codes, written as codes and classes separated by commas, such as `200,3xx`.
///
/// ```
/// use relref_links::page::Statuses;
///
/// let statuses: Statuses = "200, 3xx".parse()?;
/// assert!(statuses.contains(200) && statuses.contains(304) && !statuses.contains(404));
/// assert!("2x".parse::<Statuses>().is_err());
/// # Ok::<(), relref_links::page::StatusesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statuses(Vec<RangeInclusive<u16>>);

impl Statuses {
    /// Reports whether a status code is in the set.
    #[must_use]
    pub fn contains(&self, status: u16) -> bool {
        self.0.iter().any(|range| range.contains(&status))
    }
}

/// The part of a text that is neither a status code from 100 to 999 nor a class such as `3xx`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StatusesError(String);

impl fmt::Display for StatusesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is neither a status code, such as 200, nor a class, such as 3xx", self.0)
    }
}

impl Error for StatusesError {}

impl FromStr for Statuses {
    type Err = StatusesError;

    fn from_str(text: &str) -> Result<Self, StatusesError> {
        let ranges = text.split(',').map(|part| {
            let part = part.trim_ascii();
            let number = |digits: &[u8]| digits.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0'));
            match part.as_bytes() {
                [class @ b'1'..=b'9', b'x' | b'X', b'x' | b'X'] => {
                    let first = 100 * number(&[*class]);
                    Ok(first..=first + 99)
                }
                code @ [b'1'..=b'9', b'0'..=b'9', b'0'..=b'9'] => Ok(number(code)..=number(code)),
                _ => Err(StatusesError(part.to_owned())),
            }
        });
        ranges.collect::<Result<_, _>>().map(Statuses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_classes_are_read() {
        let all = |text: &str| -> Vec<u16> {
            let statuses: Statuses = text.parse().unwrap();
            (0..1200).filter(|status| statuses.contains(*status)).collect()
        };
        assert_eq!(all("200"), [200]);
        assert_eq!(all(" 404 ,200,200"), [200, 404]);
        assert_eq!(all("3xX"), (300..400).collect::<Vec<_>>());
        assert_eq!(all("100,9xx").len(), 101);
        for wrong in ["", "2", "20", "2000", "2x", "xxx", "0xx", "099", "200,", "+20", "2 0", "２００", "-1", "200 300"]
        {
            let part = wrong.strip_prefix("200,").unwrap_or(wrong);
            assert_eq!(wrong.parse::<Statuses>(), Err(StatusesError(part.to_owned())), "{wrong}");
        }
    }
}
