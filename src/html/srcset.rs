//! `srcset`: image candidates with commas between them, where a URL may hold commas too (HTML §4.8.4.3.10).

/// Hands over the URL of each candidate whose descriptors are valid. One pass.
pub(super) fn candidates(value: &str, mut each: impl FnMut(&str)) {
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        if rest.is_empty() {
            return;
        }
        let (url, behind) = rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()));
        let trimmed = url.trim_end_matches(',');
        let mut descriptors = Descriptors::default();
        rest = if trimmed.len() < url.len() { behind } else { descriptors.read(behind) };
        if descriptors.are_valid() {
            each(trimmed);
        }
    }
}

/// What the descriptors of one candidate say.
#[derive(Default)]
struct Descriptors {
    width: bool,
    density: bool,
    height: bool,
    error: bool,
}

impl Descriptors {
    /// Reads descriptors up to the comma that ends them; parentheses hide commas. Returns what stands behind it.
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

    fn add(&mut self, descriptor: &str) {
        let Some(unit) = descriptor.chars().next_back() else { return };
        let number = &descriptor[..descriptor.len() - unit.len_utf8()];
        let (valid, seen) = match unit {
            'w' => (is_positive_integer(number) && !self.density, &mut self.width),
            'x' => (is_density(number) && !self.width && !self.height, &mut self.density),
            'h' => (is_positive_integer(number) && !self.density, &mut self.height),
            _ => (false, &mut self.error),
        };
        let again = std::mem::replace(seen, true);
        self.error |= !valid || again;
    }

    /// A height, which is kept for the future, needs a width.
    fn are_valid(&self) -> bool {
        !self.error && (self.width || !self.height)
    }
}

/// A valid non-negative integer (HTML §2.3.4.2) that is not zero.
fn is_positive_integer(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte != b'0')
}

/// A valid floating-point number (HTML §2.3.4.3) that is not negative.
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
