//! The media type in `Content-Type` fields (Fetch, "extract a MIME type"; MIME Sniffing §4.4).

/// In lower case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MediaType {
    /// Type and subtype, such as `text/html`; empty if none can be read.
    pub(crate) essence: String,
    pub(crate) charset: Option<String>,
}

/// The length in bytes of the longest charset; a longer one counts as missing. The longest label of a character encoding has 19
/// bytes.
const MAX_CHARSET_LEN: usize = 64;

/// The last readable type counts, except `*/*`. Without a charset it gets that of the type before, if the essence is the same.
pub(crate) fn extract(values: impl IntoIterator<Item: AsRef<str>>) -> MediaType {
    let mut found = MediaType::default();
    for value in values {
        for one in split(value.as_ref(), ',').filter_map(parse_media_type).filter(|one| one.essence != "*/*") {
            let inherited = if one.essence == found.essence { found.charset.take() } else { None };
            found = MediaType { charset: one.charset.or(inherited), ..one };
        }
    }
    found
}

fn parse_media_type(text: &str) -> Option<MediaType> {
    let essence = split(text, ';').next()?.trim();
    let (kind, subtype) = essence.split_once('/')?;
    if !is_token(kind) || !is_token(subtype) {
        return None;
    }
    let charset = parameters(text, "charset").find(|value| (1..=MAX_CHARSET_LEN).contains(&value.len()));
    let charset = charset.map(str::to_ascii_lowercase);
    Some(MediaType { essence: essence.to_ascii_lowercase(), charset })
}

/// The values of a parameter of a media type, without quotes.
pub(crate) fn parameters<'t>(media_type: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    split(media_type, ';').skip(1).filter_map(move |part| {
        let (found, value) = part.split_once('=')?;
        // Some servers write single quotes.
        let value = value.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\''));
        found.trim().eq_ignore_ascii_case(name).then_some(value)
    })
}

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

/// RFC 9110 §5.6.2.
pub(crate) fn is_token(text: &str) -> bool {
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
