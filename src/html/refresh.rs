//! `meta http-equiv=refresh`: a time and a reference (HTML §4.2.5.3, "shared declarative refresh steps").

/// The reference in the content; `None` if there is none, as where a page only asks to be loaded again, or if there is no
/// time in front of it. One pass.
pub(super) fn reference(content: &str) -> Option<&str> {
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
    // Quotes count as such only at the very start or behind `url=`.
    let value = named.map_or(rest, |value| value.trim_start_matches(space));
    let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return Some(value) };
    value[1..].split(quote).next()
}
