//! The URLs of CSS, in a style sheet or a `style` attribute, by the cssparser tokenizer (CSS Syntax Level 3).

use cssparser::{Parser, ParserInput, Token};
use memchr::memchr3_iter;

/// What the next token that is neither white space nor a comment may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Nothing,
    /// The string of `url("…")`, `src("…")` or `@import "…"`.
    Url,
    /// The name in `@namespace`, which is nothing to be fetched.
    Namespace,
}

/// Hands over each URL, escapes decoded: `url(…)`, `src(…)`, the strings of `@import` and of `image-set(…)`.
///
/// Nested blocks are walked without recursion. One pass.
pub(super) fn urls(css: &str, mut each: impl FnMut(&str)) {
    if !may_have_urls(css.as_bytes()) {
        return;
    }
    let mut rest = css;
    let mut expected = Expected::Nothing;
    // How many parentheses are open, and at which depth the strings of an image set stand, if one is open.
    let (mut depth, mut set) = (0_usize, None);
    'blocks: loop {
        let mut input = ParserInput::new(rest);
        let mut parser = Parser::new(&mut input);
        while let Ok(token) = parser.next_including_whitespace_and_comments() {
            let was = expected;
            expected = Expected::Nothing;
            match token {
                Token::WhiteSpace(_) | Token::Comment(_) => expected = was,
                Token::UnquotedUrl(_) if was == Expected::Namespace => {}
                Token::UnquotedUrl(url) => each(url),
                Token::QuotedString(url) if was == Expected::Url || set == Some(depth) => each(url),
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => expected = Expected::Url,
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("namespace") => expected = Expected::Namespace,
                // The prefix.
                Token::Ident(_) if was == Expected::Namespace => expected = was,
                Token::CloseParenthesis => {
                    if set == Some(depth) {
                        set = None;
                    }
                    depth = depth.saturating_sub(1);
                }
                Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                    if let Token::Function(name) = token {
                        let is = |known: &str| name.eq_ignore_ascii_case(known);
                        if was != Expected::Namespace && (is("url") || is("src")) {
                            expected = Expected::Url;
                        } else if set.is_none() && (is("image-set") || is("-webkit-image-set")) {
                            set = Some(depth + 1);
                        }
                    }
                    depth += usize::from(matches!(token, Token::Function(_) | Token::ParenthesisBlock));
                    // A parser steps over the blocks that it finds: what is in them, and behind, is for a new one.
                    rest = &rest[parser.position().byte_index()..];
                    continue 'blocks;
                }
                _ => {}
            }
        }
        return;
    }
}

/// Whether it is worth tokenizing: most sheets and attributes have no URL, which is seen faster without it. A backslash may
/// hide one.
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
