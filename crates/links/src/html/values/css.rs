//! Finds the URLs of CSS, in a style sheet or a `style` attribute, with the cssparser tokenizer (CSS Syntax Level 3).

use core::mem;
use core::ops::Range;

use cssparser::{Parser, ParserInput, Token};
use memchr::memchr3_iter;

/// The meaning of the next token, after white space and comments, if it is a string or a URL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// A URL is a link; a string only in an image set.
    Nothing,
    /// The string in `url("…")`, `src("…")` or `@import "…"`.
    Url,
    /// The name of an `@namespace`, which is not a link.
    Namespace,
}

/// `css` is a style sheet or the value of a `style` attribute. Escapes in URLs are decoded. No recursion, one pass. Also passes the
/// place in `css` where the URL starts as it is written.
pub(crate) fn urls(css: &str, mut each: impl FnMut(&str, usize)) {
    if !may_have_urls(css.as_bytes()) {
        return;
    }
    let mut rest = css;
    let mut expected = Expected::Nothing;
    // The number of open parentheses, and of those that are open around the strings of the open image set.
    let (mut depth, mut image_set_depth) = (0_usize, None);
    'blocks: loop {
        let mut input = ParserInput::new(rest);
        let mut parser = Parser::new(&mut input);
        let block = css.len() - rest.len();
        loop {
            let start = block + parser.position().byte_index();
            let Ok(token) = parser.next_including_whitespace_and_comments() else { return };
            let was = mem::replace(&mut expected, Expected::Nothing);
            match token {
                Token::WhiteSpace(_) | Token::Comment(_) => expected = was,
                Token::UnquotedUrl(_) if was == Expected::Namespace => {}
                Token::UnquotedUrl(url) => each(url, unquoted_start(css, start)),
                Token::QuotedString(url) if was == Expected::Url || image_set_depth == Some(depth) => {
                    // After the quote.
                    each(url, start + 1);
                }
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => expected = Expected::Url,
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("namespace") => expected = Expected::Namespace,
                // The prefix of the namespace.
                Token::Ident(_) if was == Expected::Namespace => expected = was,
                Token::CloseParenthesis => {
                    if image_set_depth == Some(depth) {
                        image_set_depth = None;
                    }
                    depth = depth.saturating_sub(1);
                }
                Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                    if let Token::Function(name) = token {
                        let is = |known: &str| name.eq_ignore_ascii_case(known);
                        if was != Expected::Namespace && (is("url") || is("src")) {
                            expected = Expected::Url;
                        } else if image_set_depth.is_none() && (is("image-set") || is("-webkit-image-set")) {
                            image_set_depth = Some(depth + 1);
                        }
                    }
                    depth += usize::from(matches!(token, Token::Function(_) | Token::ParenthesisBlock));
                    // A parser skips the block of CSS that it finds: a new parser reads from the start of its content.
                    rest = &rest[parser.position().byte_index()..];
                    continue 'blocks;
                }
                _ => {}
            }
        }
    }
}

/// The place of the URL in the token `url(…)` at `token`.
fn unquoted_start(css: &str, token: usize) -> usize {
    let rest = &css[token..];
    let url = rest.split_once('(').map_or("", |(_, url)| url);
    css.len() - url.trim_start_matches(|c: char| c.is_ascii_whitespace()).len()
}

/// The range in `css`, as it is written, of a part of `url`, which starts at `start`.
pub(crate) fn written_range(css: &str, start: usize, url: &str, part: Range<usize>) -> Range<usize> {
    let written = &css[start..];
    if written.starts_with(url) && !url.contains('\\') {
        return start + part.start..start + part.end;
    }
    let (mut at, mut url_at) = (0, 0);
    let mut skip_to = |end: usize| {
        while url_at < end && at < written.len() {
            let (written_len, len) = unit(&written[at..]);
            at += written_len;
            url_at += len;
        }
        start + at
    };
    skip_to(part.start)..skip_to(part.end)
}

/// The lengths of the first character or escape, as written and as it is read (CSS Syntax §4.3.7). The space that ends an escape
/// belongs to it.
fn unit(css: &str) -> (usize, usize) {
    let mut chars = css.chars();
    let first = chars.next().map_or(0, |c| if c == '\0' { 3 } else { c.len_utf8() });
    let Some(escaped) = css.strip_prefix('\\') else { return (css.chars().next().map_or(0, char::len_utf8), first) };
    let digits = escaped.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    if digits > 0 {
        let code = u32::from_str_radix(&escaped[..digits], 16).ok().filter(|&code| code != 0);
        let len = code.and_then(char::from_u32).unwrap_or('\u{FFFD}').len_utf8();
        let space =
            newline_len(&escaped[digits..]).unwrap_or_else(|| usize::from(escaped[digits..].starts_with([' ', '\t'])));
        return (1 + digits + space, len);
    }
    match (newline_len(escaped), escaped.chars().next()) {
        (Some(len), _) => (1 + len, 0),
        (None, Some('\0')) => (2, 3),
        (None, Some(c)) => (1 + c.len_utf8(), c.len_utf8()),
        (None, None) => (1, 3),
    }
}

fn newline_len(css: &str) -> Option<usize> {
    match css.as_bytes() {
        [b'\r', b'\n', ..] => Some(2),
        [b'\n' | b'\r' | b'\x0C', ..] => Some(1),
        _ => None,
    }
}

/// False is certain, and most CSS has none: faster than to tokenize. A backslash may start an escape in any of the names.
fn may_have_urls(css: &[u8]) -> bool {
    let opens = |at: usize| {
        let name = css[..at].last_chunk::<3>();
        name.is_some_and(|name| [b"url", b"src", b"set"].iter().any(|known| name.eq_ignore_ascii_case(*known)))
    };
    memchr3_iter(b'(', b'@', b'\\', css).any(|at| match css[at] {
        b'(' => opens(at),
        b'@' => matches!(css.get(at + 1), Some(b'i' | b'I')),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn css_without_urls_is_not_tokenized() {
        for css in ["a { color: red }", "", "(", "rl(", "b: calc(1 + (2))", "@media print {}", "@", "curl"] {
            assert!(!may_have_urls(css.as_bytes()), "{css}");
        }
        for css in ["url(", "a:URL(b)", "src(x)", "image-set(", "@import", "@I", "\\75rl(x)"] {
            assert!(may_have_urls(css.as_bytes()), "{css}");
        }
    }

    #[test]
    fn blocks_are_read_one_after_the_other() {
        let mut found = Vec::new();
        let css = "@import 'a'; b { c: url(d) } @namespace x url(y); e { f: image-set('g' 1x, h('i')) 'j' } url('k";
        urls(css, |url, _| found.push(url.to_owned()));
        assert_eq!(found, ["a", "d", "g", "k"]);
    }

    #[test]
    fn urls_have_places() {
        for (css, expected) in [
            ("a: url( x ) url('y') @import \"z\"", &["x", "y", "z"][..]),
            (r"b: URL(a\20 ) \75rl( \'b\') url('c\000064 e')", &[r"a", r"\'b\'", r"c\000064 e"]),
            ("{{ url(\\41\r\n ) ( src('\\\nx\\\r\n') }", &["\\41\r\n", "\\\nx"]),
            ("url(é\0\\\0\u{1F600}) url(", &["é\0\\\0\u{1F600}", ""]),
            (r"url('\110000 \0 \d800 x\", &[r"\110000 \0 \d800 x"]),
        ] {
            let mut found = Vec::new();
            urls(css, |url, start| {
                let kept = crate::html::values::clean::kept_range(url);
                found.push(&css[written_range(css, start, url, kept)]);
            });
            assert_eq!(found, expected, "{css}");
        }
    }
}
