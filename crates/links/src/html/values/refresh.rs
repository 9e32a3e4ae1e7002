//! Reads the `content` of `meta http-equiv=refresh`: a number of seconds and a reference (HTML §4.2.5.3).
//! ("Shared declarative refresh steps".)

/// `None` without a number of seconds and a separator, or with nothing after these. May be empty, as in `1;url=`. One pass.
pub(crate) fn reference(content: &str) -> Option<&str> {
    let space = |c: char| c.is_ascii_whitespace();
    let content = content.trim_start_matches(space);
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == content.len() && !rest.starts_with('.') {
        return None;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !rest.starts_with(|c: char| matches!(c, ';' | ',') || space(c)) {
        return None;
    }
    let rest = rest.trim_start_matches(space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(space);
    if rest.is_empty() {
        return None;
    }
    let is_named = rest.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"));
    let named = if is_named { rest[3..].trim_start_matches(space).strip_prefix('=') } else { None };
    // Only a quote that is the first character, or the first after `url=`, starts a quoted reference.
    let value = named.map_or(rest, |value| value.trim_start_matches(space));
    let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return Some(value) };
    value[1..].split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn a_number_and_a_separator_come_before_the_reference() {
        for content in ["1;x", " 1 x", "1.5 , x", ".;x", "0; URL = x", "1..2;url=x", "1;'x'y", "1 url=\"x\"y"] {
            assert_eq!(reference(content), Some("x"), "{content}");
        }
        for content in ["", "x", ";x", "-1;x", "1x", "1", "1;", "1 ; ", "url=x"] {
            assert_eq!(reference(content), None, "{content}");
        }
    }

    #[test]
    fn quotes_and_names_elsewhere_are_part_of_the_reference() {
        for (content, expected) in [
            ("1;url", "url"),
            ("1;url x", "url x"),
            ("1;urn:x", "urn:x"),
            ("1;x'y'", "x'y'"),
            ("1;url=", ""),
            ("1;url='", ""),
            ("1;'", ""),
            ("1;'x", "x"),
            ("1;x ", "x "),
            ("1;éé", "éé"),
        ] {
            assert_eq!(reference(content), Some(expected), "{content}");
        }
    }
}
