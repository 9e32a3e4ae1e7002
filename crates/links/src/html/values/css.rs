//! Finds the URLs of CSS, in a style sheet or a `style` attribute, with the cssparser tokenizer (CSS Syntax Level 3).

use core::mem;

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

/// `css` is a style sheet or the value of a `style` attribute. Escapes in URLs are decoded. No recursion, one pass.
pub(crate) fn urls(css: &str, mut each: impl FnMut(&str)) {
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
        while let Ok(token) = parser.next_including_whitespace_and_comments() {
            let was = mem::replace(&mut expected, Expected::Nothing);
            match token {
                Token::WhiteSpace(_) | Token::Comment(_) => expected = was,
                Token::UnquotedUrl(_) if was == Expected::Namespace => {}
                Token::UnquotedUrl(url) => each(url),
                Token::QuotedString(url) if was == Expected::Url || image_set_depth == Some(depth) => each(url),
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
        return;
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
        urls(css, |url| found.push(url.to_owned()));
        assert_eq!(found, ["a", "d", "g", "k"]);
    }
}
