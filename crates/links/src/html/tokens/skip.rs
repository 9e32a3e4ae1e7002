//! Skips comments, scripts, and tags that are too long to be kept. Each can go on in another chunk.

use memchr::{memchr, memchr_iter, memchr2};

use super::name::{ENDS_TAG_NAME, SPACE, is_in};

/// The part of something skipped that a chunk has.
pub(super) enum Skip {
    /// Its length; the rest of the chunk comes after it.
    ToEnd(usize),
    /// No more than this can be decided without the next chunk.
    Part(usize),
}

/// Reports whether the text starts with this name, in any case, and the name ends there. `None` if the text is too short to tell.
pub(super) fn starts_with_name(text: &[u8], name: &[u8]) -> Option<bool> {
    let len = text.len().min(name.len());
    if !text[..len].eq_ignore_ascii_case(&name[..len]) {
        return Some(false);
    }
    text.get(name.len()).map(|&byte| is_in(byte, ENDS_TAG_NAME))
}

/// `text` is that after `<!--` if `is_start`; otherwise it starts with the last bytes of a part that was skipped.
pub(super) fn comment(text: &[u8], is_start: bool) -> Skip {
    let ends = |at: &usize| match &text[..*at] {
        [] | [b'-'] => is_start,
        before => before.ends_with(b"--") || before.ends_with(b"--!"),
    };
    match memchr_iter(b'>', text).find(ends) {
        Some(at) => Skip::ToEnd(at + 1),
        // These may be the hyphens of its end.
        None => Skip::Part(text.len().saturating_sub(3)),
    }
}

/// The content of a `script` ends before its end tag, unless that is after `<!--` and another `<script` (HTML §13.2.5.15 to §13.2.5.31).
#[derive(Clone, Copy, Default)]
pub(super) struct Script {
    state: ScriptState,
    /// The bytes at the start of the next chunk that were looked at, and matter only as those before others.
    seen: usize,
}

#[derive(Clone, Copy, Default)]
enum ScriptState {
    #[default]
    Plain,
    Escaped,
    DoubleEscaped,
}

impl Script {
    const HYPHENS: usize = 2;

    pub(super) fn skip(&mut self, text: &[u8], is_last: bool) -> Skip {
        use ScriptState::{DoubleEscaped, Escaped, Plain};
        let mut at = self.seen;
        loop {
            let next = match self.state {
                Plain => memchr(b'<', &text[at..]),
                _ => memchr2(b'<', b'>', &text[at..]),
            };
            let next = next.map_or(text.len(), |next| at + next);
            let rest = &text[next..];
            let name = |start: &[u8]| {
                rest.get(..start.len()) == Some(start)
                    && starts_with_name(&rest[start.len()..], b"script") == Some(true)
            };
            if rest.len() < "</script>".len() && !is_last && !rest.starts_with(b">") {
                let len = next.saturating_sub(Self::HYPHENS);
                self.seen = next - len;
                return Skip::Part(len);
            }
            if rest.is_empty() {
                return Skip::Part(next);
            }
            at = next + 1;
            self.state = match self.state {
                // The hyphens can be those of `<!--`.
                Escaped | DoubleEscaped if rest[0] == b'>' && text[..next].ends_with(b"--") => Plain,
                Plain | Escaped if name(b"</") => return Skip::ToEnd(next),
                Plain if rest.starts_with(b"<!--") => {
                    at = next + 4;
                    Escaped
                }
                Escaped if name(b"<") => {
                    // After the byte that ends the name, which may be a `>`.
                    at = next + 8;
                    DoubleEscaped
                }
                DoubleEscaped if name(b"</") => {
                    at = next + 9;
                    Escaped
                }
                state => state,
            };
        }
    }
}

/// A part of a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TagState {
    TagName,
    /// A slash, which closes the element if the tag ends here.
    Slash,
    Between,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
}

impl TagState {
    /// Skips to the end of the tag.
    pub(super) fn skip(&mut self, text: &[u8]) -> Skip {
        use TagState::{AfterName, BeforeValue, Between, Name, Quoted, Slash, TagName, Unquoted};
        for (at, &byte) in text.iter().enumerate() {
            let is_space = is_in(byte, SPACE);
            *self = match (*self, byte) {
                (Quoted(quote), _) if byte == quote => Between,
                (Quoted(_), _) => *self,
                (_, b'>') => return Skip::ToEnd(at + 1),
                (Name | AfterName, b'=') => BeforeValue,
                (BeforeValue, b'"' | b'\'') => Quoted(byte),
                (TagName | Slash | Between | Name | AfterName, b'/') => Slash,
                (Name | AfterName, _) if is_space => AfterName,
                (TagName | Slash | Between | Unquoted, _) if is_space => Between,
                (TagName, _) => TagName,
                (BeforeValue, _) if is_space => BeforeValue,
                (BeforeValue | Unquoted, _) => Unquoted,
                // A name may start with an equals sign.
                (Slash | Between | Name | AfterName, _) => Name,
            };
        }
        Skip::Part(text.len())
    }
}
