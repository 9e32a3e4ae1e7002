//! Finds the URLs of CSS, in a style sheet or a `style` attribute, with the tokenizer of cssparser (CSS Syntax Level 3).

use std::mem;
use std::ops::Range;

use cssparser::{Parser, Token};
use memchr::{memchr, memchr3_iter, memmem};

use crate::html::tokens::scanner::After;

/// The meaning of the next token, after white space and comments, if it is a string or a URL.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Expected {
    /// A URL is a link; a string only in an image set.
    #[default]
    Nothing,
    /// The string in `url("…")` or `src("…")`.
    Url,
    /// The string or URL of `@import`.
    Import,
    /// The name of an `@namespace`, or of an `@import` where none is allowed: not a link.
    NoLink,
}

/// A token that is too long to be kept.
#[derive(Clone, Copy)]
enum LongToken {
    Comment,
    /// A string that starts with this quote.
    Text(u8),
    Url,
    Name,
}

/// Where CSS stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssContext {
    Sheet,
    /// Declarations alone, without `@import`.
    Attribute,
}

/// A URL in CSS. Its escapes are decoded.
pub(crate) struct CssUrl<'u> {
    pub(crate) url: &'u str,
    /// The place in the CSS where it starts as it is written.
    pub(crate) start: usize,
    pub(crate) is_import: bool,
}

/// Where an `@import` may stand: before all rules but `@charset` and statements of `@layer` (CSS Cascade 5 §2). Unknown rules that are
/// statements do not count, either.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Imports {
    /// A rule starts here, which may be one.
    #[default]
    Allowed,
    /// A statement that another one may follow.
    InStatement,
    /// The same, of a rule that is not known, and in so many of its blocks: it is ignored as a whole (CSS Syntax §9).
    InUnknown(u32),
    Over,
}

/// The rules that end the imports with a block; those without one are not valid.
const RULES: [&str; 20] = [
    "color-profile",
    "container",
    "counter-style",
    "custom-media",
    "font-face",
    "font-feature-values",
    "font-palette-values",
    "function",
    "keyframes",
    "layer",
    "media",
    "-moz-keyframes",
    "page",
    "position-try",
    "property",
    "scope",
    "starting-style",
    "supports",
    "view-transition",
    "-webkit-keyframes",
];

impl Imports {
    /// Returns the state after a token. `depth` is the number of open parentheses before it.
    fn after(self, token: &Token<'_>, depth: usize) -> Self {
        match (token, self) {
            (Token::CurlyBracketBlock, Imports::InUnknown(blocks)) => Imports::InUnknown(blocks.saturating_add(1)),
            (Token::CloseCurlyBracket, Imports::InUnknown(1)) => Imports::Allowed,
            (Token::CloseCurlyBracket, Imports::InUnknown(blocks @ 2..)) => Imports::InUnknown(blocks - 1),
            (Token::Semicolon, Imports::InUnknown(0)) if depth == 0 => Imports::Allowed,
            (_, Imports::InUnknown(_)) => self,
            _ => self.after_known(token, depth),
        }
    }

    fn after_known(self, token: &Token<'_>, depth: usize) -> Self {
        match token {
            Token::CurlyBracketBlock => Imports::Over,
            _ if self == Imports::Over => self,
            Token::WhiteSpace(_) | Token::Comment(_) => self,
            Token::Semicolon if self == Imports::InStatement && depth == 0 => Imports::Allowed,
            _ if self == Imports::InStatement => self,
            Token::CDO | Token::CDC => self,
            Token::AtKeyword(name) => match () {
                () if name.eq_ignore_ascii_case("namespace") => Imports::Over,
                () if ["charset", "import"].iter().chain(&RULES).any(|known| name.eq_ignore_ascii_case(known)) => {
                    Imports::InStatement
                }
                () => Imports::InUnknown(0),
            },
            _ => Imports::Over,
        }
    }
}

/// The state between two chunks of CSS.
#[derive(Default)]
pub(crate) struct CssScanner {
    imports: Imports,
    expected: Expected,
    /// The number of open parentheses.
    depth: usize,
    /// The number of parentheses that are open around the strings of the open image set; `None` if none is open.
    image_set_depth: Option<usize>,
    long: Option<LongToken>,
    /// A string or URL was left out because it was too long to be kept.
    pub(crate) is_incomplete: bool,
}

/// The number of bytes that must follow a token in a chunk: more than any token needs after its end to be certain, as `<` does
/// before `!--`.
const LOOKAHEAD: usize = 8;
const MAX_URL_NAME_LEN: usize = 32;

/// `css` is a whole style sheet or value of an attribute.
pub(crate) fn urls(css: &str, context: CssContext, mut each: impl FnMut(CssUrl<'_>)) {
    if may_have_urls(css.as_bytes()) {
        let imports = if context == CssContext::Sheet { Imports::Allowed } else { Imports::Over };
        CssScanner { imports, ..CssScanner::default() }.scan(css, After::Nothing, &mut |url| {
            each(url);
            true
        });
    }
}

impl CssScanner {
    /// Reads a chunk, until `each` returns false. Returns the length that was read, as
    /// [`Scanner::scan`](crate::html::tokens::scanner::Scanner::scan) does. No recursion, one pass.
    pub(crate) fn scan(&mut self, css: &str, after: After, each: &mut impl FnMut(CssUrl<'_>) -> bool) -> usize {
        let mut at = 0;
        if let Some(long) = self.long {
            let (len, has_end) = long.skip(css.as_bytes());
            if !has_end {
                return len;
            }
            (at, self.long) = (len, None);
        }
        let certain_end = if after == After::Nothing { css.len() } else { css.len().saturating_sub(LOOKAHEAD) };
        'blocks: loop {
            let mut parser = Parser::new(&css[at..]);
            let block = at;
            loop {
                let start = block + parser.position().byte_index();
                let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return css.len() };
                let end = block + parser.position().byte_index();
                if end > certain_end {
                    return if after == After::NoRoom { self.leave_out(css, start) } else { start };
                }
                let wants_more = self.url_of(&token, css, start).is_none_or(&mut *each);
                if !wants_more {
                    return end;
                }
                if opens_block(&token) {
                    // A parser skips the block of CSS that it finds: a new parser reads from the start of its content.
                    at = end;
                    continue 'blocks;
                }
            }
        }
    }

    /// Takes the next token, which starts at `start`. Returns its URL if that is one of a link.
    fn url_of<'t>(&mut self, token: &'t Token<'_>, css: &str, start: usize) -> Option<CssUrl<'t>> {
        let was = mem::take(&mut self.expected);
        let (is_import, depth, imports) = (was == Expected::Import, self.depth, self.imports);
        self.imports = imports.after(token, depth);
        match token {
            Token::WhiteSpace(_) | Token::Comment(_) => self.expected = was,
            Token::UnquotedUrl(url) if was != Expected::NoLink => {
                return Some(CssUrl { url, start: unquoted_start(css, start), is_import });
            }
            Token::QuotedString(url)
                if matches!(was, Expected::Url | Expected::Import) || self.image_set_depth == Some(depth) =>
            {
                // After the quote.
                return Some(CssUrl { url, start: start + 1, is_import });
            }
            Token::AtKeyword(name) => {
                self.expected = match () {
                    () if name.eq_ignore_ascii_case("namespace") => Expected::NoLink,
                    () if !name.eq_ignore_ascii_case("import") => Expected::Nothing,
                    () if imports == Imports::Allowed => Expected::Import,
                    () => Expected::NoLink,
                };
            }
            // The prefix of the namespace.
            Token::Ident(_) if was == Expected::NoLink => self.expected = was,
            Token::CloseParenthesis => {
                self.image_set_depth = self.image_set_depth.filter(|open| *open != depth);
                self.depth = depth.saturating_sub(1);
            }
            Token::Function(name) => {
                let is = |known: &str| name.eq_ignore_ascii_case(known);
                if was != Expected::NoLink && (is("url") || is("src")) {
                    self.expected = if is_import { was } else { Expected::Url };
                } else if self.image_set_depth.is_none() && (is("image-set") || is("-webkit-image-set")) {
                    self.image_set_depth = Some(depth + 1);
                }
                self.depth += 1;
            }
            Token::ParenthesisBlock => self.depth += 1,
            _ => {}
        }
        None
    }

    /// Starts to skip the token at `start`, which does not end in the chunk.
    fn leave_out(&mut self, css: &str, start: usize) -> usize {
        let token = &css.as_bytes()[start..];
        let long = match *token {
            [b'/', b'*', ..] => LongToken::Comment,
            [quote @ (b'"' | b'\''), ..] => LongToken::Text(quote),
            [first, ..] if first.is_ascii_whitespace() => return css.len(),
            // Each letter of `url` may be an escape.
            _ if memchr(b'(', &token[..token.len().min(MAX_URL_NAME_LEN)]).is_some() => LongToken::Url,
            _ => LongToken::Name,
        };
        if !matches!(long, LongToken::Comment) {
            if self.imports == Imports::Allowed {
                self.imports = Imports::Over;
            }
            self.is_incomplete |= !matches!(long, LongToken::Name);
            self.expected = Expected::Nothing;
        }
        // The start of the token must not end it.
        let skipped = start + if matches!(long, LongToken::Comment) { 2 } else { 1 };
        let (len, has_end) = long.skip(&css.as_bytes()[skipped..]);
        self.long = Some(long).filter(|_| !has_end);
        skipped + len
    }
}

impl LongToken {
    /// Returns the length up to its end, or of what needs no byte that follows; and true at its end.
    fn skip(self, css: &[u8]) -> (usize, bool) {
        if let LongToken::Comment = self {
            return match memmem::find(css, b"*/") {
                Some(at) => (at + 2, true),
                None => (css.len() - usize::from(css.ends_with(b"*")), false),
            };
        }
        let mut at = 0;
        while let Some(&byte) = css.get(at) {
            let is_end = match self {
                LongToken::Comment => false,
                LongToken::Text(quote) => byte == quote || matches!(byte, b'\n' | b'\r' | b'\x0C'),
                LongToken::Url => byte == b')',
                LongToken::Name => byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"-_\\".contains(&byte),
            };
            if is_end {
                return (at + usize::from(!matches!(self, LongToken::Name)), true);
            }
            if byte == b'\\' && at + 1 == css.len() {
                return (at, false);
            }
            at += if byte == b'\\' && css[at + 1].is_ascii() { 2 } else { 1 };
        }
        (css.len(), false)
    }
}

fn opens_block(token: &Token<'_>) -> bool {
    use Token::{CurlyBracketBlock, Function, ParenthesisBlock, SquareBracketBlock};
    matches!(token, Function(_) | ParenthesisBlock | SquareBracketBlock | CurlyBracketBlock)
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
    let Some(escaped_char) = escaped.chars().next() else { return (1, 3) };
    let mut decoded = Vec::new();
    (1 + decode_escape(escaped, escaped_char, &mut decoded), decoded.len())
}

/// Appends what an escape of CSS stands for (CSS Syntax §4.3.7), and returns the length of what `text`, which follows its `\` and starts
/// with `first`, has of it.
pub(crate) fn decode_escape(text: &str, first: char, out: &mut Vec<u8>) -> usize {
    let digits = text.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    let (code, len) = match newline_len(text) {
        // A line break after it continues a string.
        Some(len) => return len,
        None if digits == 0 => (u32::from(first), first.len_utf8()),
        None => {
            let rest = &text[digits..];
            let space = newline_len(rest).unwrap_or_else(|| usize::from(rest.starts_with([' ', '\t'])));
            (u32::from_str_radix(&text[..digits], 16).unwrap_or_default(), digits + space)
        }
    };
    let c = char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    len
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
        urls(css, CssContext::Sheet, |url| found.push(url.url.to_owned()));
        assert_eq!(found, ["a", "d", "g", "k"]);
    }

    #[test]
    fn imports_come_first() {
        for (css, expected) in [
            (
                "@charset 'x'; /**/ <!-- @import 'a'; @layer b, c; @IMPORT url(d) layer(e) supports(f:g;h); @import 'i'",
                "adi",
            ),
            ("@unknown (;) x; @import 'a'; @namespace 'b'; @import 'c';", "a"),
            ("@import 'a';; @import 'b'", "a"),
            ("@layer a { @import 'b'; } @import 'c'", ""),
            ("@media x { @import 'b'; c: url(d) }", "d"),
            ("b { c: url(d) } @import url(e);", "d"),
            ("@x { } @import 'b'", "b"),
            ("@x y (;) { @import 'a'; { url(b) } ; } @import 'c'; @page { } @import 'd'", "bc"),
            ("@x { } b { } @import 'c'", ""),
            ("@Font-Face { } @import 'b'", ""),
            ("@x { ) } } @import 'b'", ""),
            ("b @import 'c';", ""),
            ("@foo @import 'c'; @import 'd'", "d"),
            ("--> @import 'a'", "a"),
        ] {
            let mut found = String::new();
            urls(css, CssContext::Sheet, |url| found += url.url);
            assert_eq!(found, expected, "{css}");
        }
    }

    #[test]
    fn urls_have_places() {
        for (css, expected) in [
            ("@import \"z\"; a: url( x ) url('y')", &["z", "x", "y"][..]),
            (r"b: URL(a\20 ) \75rl( \'b\') url('c\000064 e')", &[r"a", r"\'b\'", r"c\000064 e"]),
            ("{{ url(\\41\r\n ) ( src('\\\nx\\\r\n') }", &["\\41\r\n", "\\\nx"]),
            ("url(é\0\\\0\u{1F600}) url(", &["é\0\\\0\u{1F600}", ""]),
            (r"url('\110000 \0 \d800 x\", &[r"\110000 \0 \d800 x"]),
        ] {
            let mut found = Vec::new();
            urls(css, CssContext::Sheet, |CssUrl { url, start, .. }| {
                let kept = crate::html::values::clean::kept_range(url);
                found.push(&css[written_range(css, start, url, kept)]);
            });
            assert_eq!(found, expected, "{css}");
        }
    }
}
