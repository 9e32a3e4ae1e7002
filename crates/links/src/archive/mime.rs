//! The media type in `Content-Type` fields (Fetch, "extract a MIME type"; MIME Sniffing §4.4).

/// A media type, in lower case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MediaType {
    /// The type and subtype, such as `text/html`; empty if there is no media type that can be read.
    pub(super) essence: String,
    /// The value of the parameter `charset`; `None` without one.
    pub(super) charset: Option<String>,
}

/// The greatest length in bytes of a charset: a longer one counts as missing. The longest label of a character encoding has 19
/// bytes.
const MAX_CHARSET_LEN: usize = 64;

/// Returns the media type that the values of all `Content-Type` fields give together. Of several types the last one that can be
/// read counts, except `*/*`. If it has no charset and has the same essence as the type before, it gets the charset of that type.
pub(super) fn extract(values: impl IntoIterator<Item: AsRef<str>>) -> MediaType {
    let mut found = MediaType::default();
    for value in values {
        for one in split(value.as_ref(), ',').filter_map(parse_media_type).filter(|one| one.essence != "*/*") {
            let inherited = if one.essence == found.essence { found.charset.take() } else { None };
            found = MediaType { charset: one.charset.or(inherited), ..one };
        }
    }
    found
}

/// Parses one media type with its parameters; `None` if its type or subtype is not valid.
fn parse_media_type(text: &str) -> Option<MediaType> {
    let mut parts = split(text, ';');
    let essence = parts.next()?.trim();
    let (kind, subtype) = essence.split_once('/')?;
    if !is_token(kind) || !is_token(subtype) {
        return None;
    }
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        // Some servers write single quotes.
        let value = value.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\''));
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        (is_charset && (1..=MAX_CHARSET_LEN).contains(&value.len())).then(|| value.to_ascii_lowercase())
    });
    Some(MediaType { essence: essence.to_ascii_lowercase(), charset })
}

/// Splits a text at each `separator` that is not in a quoted string.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |c: char| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match c {
            '"' if !was_escaped => is_quoted = !is_quoted,
            '\\' if is_quoted => is_escaped = !was_escaped,
            _ => return !is_quoted && c == separator,
        }
        false
    })
}

/// Reports whether a text is a token of HTTP (RFC 9110 §5.6.2).
pub(super) fn is_token(text: &str) -> bool {
    let is_one = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_type_that_can_be_read_counts() {
        for (values, essence, charset) in [
            (&["Text/HTML; Charset=\"UTF-8\""][..], "text/html", Some("utf-8")),
            (&["text/html, text/html; charset=utf-8"], "text/html", Some("utf-8")),
            // The examples of Fetch.
            (&["text/plain;charset=gbk, text/html"], "text/html", None),
            (&["text/html;charset=gbk;a=b, text/html;x=y"], "text/html", Some("gbk")),
            (&["text/html;charset=gbk;a=b", "text/html;x=y"], "text/html", Some("gbk")),
            (&["text/html;charset=gbk, x/x, text/html;x=y"], "text/html", None),
            (&["text/html", "cannot-parse"], "text/html", None),
            (&["text/html", "*/*"], "text/html", None),
            (&["text/html", ""], "text/html", None),
            (&["x/x;a=\"b,\\\"c\", text/html"], "text/html", None),
            (&["text/html;x=\";charset=a\";charset='b'"], "text/html", Some("b")),
            (&["text/html charset=utf-8"], "", None),
            (&["html"], "", None),
            (&["/html", "text/", "text/html/x"], "", None),
            (&[], "", None),
        ] {
            let found = extract(values);
            assert_eq!((&*found.essence, found.charset.as_deref()), (essence, charset), "{values:?}");
        }
    }
}
