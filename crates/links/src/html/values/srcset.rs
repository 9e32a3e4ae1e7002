//! Reads `srcset`: image candidates separated by commas, although a URL may have commas, too (HTML §4.8.4.3.10).

/// Passes the URL of each image candidate with valid descriptors to `each`. One pass.
pub(crate) fn candidates(value: &str, mut each: impl FnMut(&str)) {
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        if rest.is_empty() {
            return;
        }
        let (url, after) = rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()));
        let trimmed = url.trim_end_matches(',');
        let mut descriptors = Descriptors::None;
        rest = if trimmed.len() < url.len() { after } else { descriptors.read(after) };
        if descriptors.are_valid() {
            each(trimmed);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Descriptors {
    None,
    Width,
    Density,
    Height,
    WidthAndHeight,
    Invalid,
}

impl Descriptors {
    /// Reads up to a comma that is not in parentheses. Returns the text after it; empty if there is none.
    fn read<'v>(&mut self, text: &'v str) -> &'v str {
        let mut start = 0;
        let mut in_parens = false;
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b')' if in_parens => in_parens = false,
                _ if in_parens => {}
                b'(' => in_parens = true,
                b',' => {
                    self.add(&text[start..at]);
                    return &text[at + 1..];
                }
                _ if byte.is_ascii_whitespace() => {
                    self.add(&text[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        self.add(&text[start..]);
        ""
    }

    /// A descriptor that is no number with a unit, or may not be combined with those before it, makes all of them invalid.
    fn add(&mut self, descriptor: &str) {
        let Some(unit) = descriptor.chars().next_back() else { return };
        let number = &descriptor[..descriptor.len() - unit.len_utf8()];
        *self = match (*self, unit) {
            (Descriptors::None, 'w') if is_positive_integer(number) => Descriptors::Width,
            (Descriptors::None, 'h') if is_positive_integer(number) => Descriptors::Height,
            (Descriptors::None, 'x') if is_density(number) => Descriptors::Density,
            (Descriptors::Width, 'h') | (Descriptors::Height, 'w') if is_positive_integer(number) => {
                Descriptors::WidthAndHeight
            }
            _ => Descriptors::Invalid,
        };
    }

    fn are_valid(self) -> bool {
        // A height is only valid with a width.
        !matches!(self, Descriptors::Height | Descriptors::Invalid)
    }
}

fn is_positive_integer(text: &str) -> bool {
    // A valid non-negative integer other than zero (HTML §2.3.4.2).
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte != b'0')
}

/// A valid floating-point number that is not negative (HTML §2.3.4.3).
fn is_density(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let number = number.strip_prefix('-').unwrap_or(number);
    let is_number = match number.split_once('.') {
        Some((whole, fraction)) => (whole.is_empty() || digits(whole)) && digits(fraction),
        None => digits(number),
    };
    is_number && digits(exponent) && text.parse::<f64>().is_ok_and(|density| density >= 0.0 && density.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(value: &str) -> Vec<String> {
        let mut urls = Vec::new();
        candidates(value, |url| urls.push(url.to_owned()));
        urls
    }

    #[test]
    fn commas_separate_candidates_or_belong_to_urls() {
        assert_eq!(urls("a, b 2x,c , ,d"), ["a", "b", "c", "d"]);
        assert_eq!(urls("a,b 1x"), ["a,b"]);
        assert_eq!(urls("a,, b"), ["a", "b"]);
        assert_eq!(urls("a 1x (x, y), b"), ["b"]);
        assert_eq!(urls(" ,\t\n"), [""; 0]);
    }

    #[test]
    fn descriptors_in_any_order() {
        for (text, expected, rest) in [
            ("", Descriptors::None, ""),
            (" 1w", Descriptors::Width, ""),
            (" 1.5x, b", Descriptors::Density, " b"),
            (" 1h", Descriptors::Height, ""),
            (" 1h  2w,", Descriptors::WidthAndHeight, ""),
            (" 1w 2h", Descriptors::WidthAndHeight, ""),
            (" 1w 2w", Descriptors::Invalid, ""),
            (" 1h 2h", Descriptors::Invalid, ""),
            (" 1x 2w", Descriptors::Invalid, ""),
            (" 1w 2x", Descriptors::Invalid, ""),
            (" 1h 2x", Descriptors::Invalid, ""),
            (" 1w 2h 3w", Descriptors::Invalid, ""),
            (" 1é 1w", Descriptors::Invalid, ""),
            (" 0w", Descriptors::Invalid, ""),
            (" w", Descriptors::Invalid, ""),
            (" (1w, 2x)", Descriptors::Invalid, ""),
        ] {
            let mut descriptors = Descriptors::None;
            assert_eq!((descriptors.read(text), descriptors), (rest, expected), "{text:?}");
        }
        assert!(!Descriptors::Height.are_valid() && !Descriptors::Invalid.are_valid());
        assert!(Descriptors::None.are_valid() && Descriptors::WidthAndHeight.are_valid());
    }

    #[test]
    fn densities_are_floating_point_numbers() {
        for text in ["0", "1", "1.5", ".5", "1e3", "1E-3", "1e+3", "-0"] {
            assert!(is_density(text), "{text}");
        }
        for text in ["", "1.", ".", "+1", "-1", "1e", "e1", "1e999", "inf", "NaN", "1 ", "0x1", "1e1.5"] {
            assert!(!is_density(text), "{text}");
        }
    }
}
