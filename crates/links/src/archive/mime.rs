//! The media type in `Content-Type` fields (Fetch, "extract a MIME type"; MIME Sniffing §4.4), with the comments of RFC 2045 §5.1.

use std::borrow::Cow;

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
    let essence = without_comment(split(text, ';').next()?);
    let (kind, subtype) = essence.split_once('/')?;
    if !is_token(kind) || !is_token(subtype) {
        return None;
    }
    let charset = parameters(text, "charset").find_map(|value| {
        // Some servers write single quotes.
        let label = without_comment(&value).trim_matches('\'');
        (1..=MAX_CHARSET_LEN).contains(&label.len()).then(|| label.to_ascii_lowercase())
    });
    Some(MediaType { essence: essence.to_ascii_lowercase(), charset })
}

/// The values of a parameter of a media type, without quotes. Of what follows a value in quotes, nothing counts.
pub(crate) fn parameters<'t>(media_type: &'t str, name: &str) -> impl Iterator<Item = Cow<'t, str>> {
    split(media_type, ';').skip(1).filter_map(move |part| {
        let (found, value) = part.split_once('=')?;
        if !found.trim().eq_ignore_ascii_case(name) {
            return None;
        }
        let value = value.trim();
        Some(value.strip_prefix('"').map_or(Cow::Borrowed(value), unquoted))
    })
}

/// `text` starts after the opening quote.
fn unquoted(text: &str) -> Cow<'_, str> {
    let end = text.find(['"', '\\']).unwrap_or(text.len());
    if !text[end..].starts_with('\\') {
        return Cow::Borrowed(&text[..end]);
    }
    let mut value = text[..end].to_owned();
    let mut rest = text[end..].chars();
    while let Some(c) = rest.next().filter(|c| *c != '"') {
        value.push(if c == '\\' { rest.next().unwrap_or(c) } else { c });
    }
    Cow::Owned(value)
}

fn without_comment(value: &str) -> &str {
    value.split('(').next().unwrap_or_default().trim()
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
            (&["text/html (x) ; charset=a (b)"], "text/html", Some("a")),
            (&["text/html(x);charset=\"a (b)\" (c)"], "text/html", Some("a")),
            (&["text/html;charset=\"a\"b;charset=c"], "text/html", Some("a")),
            (&["text/html;charset=\"a\\b\\\"c\""], "text/html", Some("ab\"c")),
            (&["text/html;charset=\"a"], "text/html", Some("a")),
            (&["text/html;charset=\"\";charset=\"\\"], "text/html", Some("\\")),
            (&["(x)/html"], "", None),
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
