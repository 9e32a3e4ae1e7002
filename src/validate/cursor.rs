//! `Cursor`: the part of a text that is left to check, from which the productions take characters.

use crate::error::{Error, ErrorKind};
use crate::percent::{self, ByteSet};
use crate::uri::UriRef;

/// The error is at the first byte that does not fit.
pub(super) type Checked = Result<(), Error>;

// Three words and a function, so that it is copied for each attempt of a production: to go back is to forget the copy.
/// A range of bytes of a text that is left to check.
///
/// A method `take…` takes what it names from the start of the range if that comes next. A method `expect…` also fails otherwise,
/// with `expected`. So do the functions `expect_…` of the grammars; their messages name the part that is missing.
///
/// A method with a set `permitted` takes its characters that are US-ASCII, those beyond that [`permitting`](Cursor::permitting)
/// permits, and every escape. It fails at a `%` without two hex digits, also if it is a method `take…`.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// Always at the start of a character.
    at: usize,
    end: usize,
    permits_beyond_ascii: fn(char) -> bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, at: usize, end: usize) -> Self {
        Cursor { text, at, end, permits_beyond_ascii: |_| false }
    }

    pub(super) fn permitting(self, permits: fn(char) -> bool) -> Self {
        Cursor { permits_beyond_ascii: permits, ..self }
    }

    pub(super) fn after_scheme(uri: &UriRef<&'a str>) -> Self {
        Cursor::new(uri.as_str(), uri.scheme_end, uri.as_str().len())
    }

    /// The error is at the colon after a scheme.
    pub(super) fn without_scheme(uri: &UriRef<&'a str>) -> Result<Self, Error> {
        let cursor = Cursor::new(uri.as_str(), 0, uri.as_str().len());
        match uri.scheme() {
            None => Ok(cursor),
            Some(scheme) => Err(Cursor { at: scheme.len(), ..cursor }.error("a relative reference, without a scheme")),
        }
    }

    /// The caller has checked that so many bytes are left.
    pub(super) fn limited_to(mut self, len: usize) -> Self {
        self.end = self.at + len;
        self
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    /// Takes any bytes. The caller has checked that so many are left.
    pub(super) fn take_bytes(&mut self, len: usize) {
        self.at += len;
    }

    pub(super) fn error(&self, expected: &'static str) -> Error {
        Error::new(ErrorKind::NotValid, expected, self.text, self.at)
    }

    pub(super) fn take(&mut self, literal: &str) -> bool {
        let follows = self.rest().starts_with(literal);
        if follows {
            self.at += literal.len();
        }
        follows
    }

    pub(super) fn expect(&mut self, literal: &str, expected: &'static str) -> Checked {
        if self.take(literal) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Takes only US-ASCII bytes, and returns their number.
    pub(super) fn take_while(&mut self, is_taken: impl Fn(u8) -> bool) -> usize {
        let len = self.rest().bytes().take_while(|&byte| byte.is_ascii() && is_taken(byte)).count();
        self.at += len;
        len
    }

    pub(super) fn expect_some_while(&mut self, is_taken: impl Fn(u8) -> bool, expected: &'static str) -> Checked {
        if self.take_while(is_taken) > 0 { Ok(()) } else { Err(self.error(expected)) }
    }

    pub(super) fn take_one(&mut self, permitted: ByteSet) -> Result<bool, Error> {
        let len = match self.peek() {
            Some(b'%') if percent::octet(self.rest().as_bytes()).is_some() => 3,
            Some(b'%') => return Err(percent::illegal_escape_error(self.text, self.at)),
            Some(byte) if byte.is_ascii() => usize::from(permitted.contains(byte)),
            _ => self.rest().chars().next().filter(|&c| (self.permits_beyond_ascii)(c)).map_or(0, char::len_utf8),
        };
        self.at += len;
        Ok(len > 0)
    }

    pub(super) fn expect_one(&mut self, permitted: ByteSet, expected: &'static str) -> Checked {
        if self.take_one(permitted)? { Ok(()) } else { Err(self.error(expected)) }
    }

    pub(super) fn take_many(&mut self, permitted: ByteSet) -> Checked {
        while self.take_one(permitted)? {}
        Ok(())
    }

    pub(super) fn expect_some(&mut self, permitted: ByteSet, expected: &'static str) -> Checked {
        self.expect_one(permitted, expected)?;
        self.take_many(permitted)
    }

    pub(super) fn expect_only(mut self, permitted: ByteSet, expected: &'static str) -> Checked {
        self.take_many(permitted)?;
        self.expect_end(expected)
    }

    /// `expected` is what could come next instead of the end.
    pub(super) fn expect_end(&self, expected: &'static str) -> Checked {
        if self.at == self.end { Ok(()) } else { Err(self.error(expected)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: ByteSet = ByteSet::new(b"0123456789");

    fn cursor(text: &str) -> Cursor<'_> {
        Cursor::new(text, 0, text.len())
    }

    #[test]
    fn characters_and_escapes_are_taken_up_to_the_first_other() {
        let mut all = cursor("1%412a3");
        all.take_many(DIGITS).unwrap();
        assert_eq!(all.rest(), "a3");
        assert!(all.take_many(DIGITS).is_ok() && all.rest() == "a3");
        assert_eq!(all.expect_some(DIGITS, "a digit").unwrap_err().position(), 5);
        assert_eq!(cursor("12").expect_only(DIGITS, "a digit"), Ok(()));
        assert_eq!(cursor("12a").expect_only(DIGITS, "a digit").unwrap_err().position(), 2);
    }

    #[test]
    fn a_character_outside_ascii_is_never_taken() {
        let all = ByteSet::new(b"").complement();
        assert_eq!(cursor("1é").expect_only(all, "a digit").unwrap_err().position(), 1);
        assert_eq!(cursor("é").take_while(|_| true), 0);
    }

    #[test]
    fn an_escape_must_end_before_the_range_does() {
        let text = "1%41";
        assert_eq!(Cursor::new(text, 0, 4).expect_only(DIGITS, "a digit"), Ok(()));
        let error = Cursor::new(text, 0, 3).expect_only(DIGITS, "a digit").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IllegalEscape);
    }

    #[test]
    fn a_literal_that_does_not_follow_leaves_the_cursor_where_it_is() {
        let mut at = cursor("//h");
        assert!(!at.take("/h") && at.take("//") && at.take("") && at.rest() == "h");
        assert_eq!(at.expect("/", "a slash").unwrap_err().position(), 2);
        assert_eq!((at.limited_to(0).expect_end("more"), at.expect_end("nothing").is_err()), (Ok(()), true));
    }
}
