//! A place in a text that moves over what a production takes.

use crate::error::{Error, ErrorKind};
use crate::percent::{self, ByteSet};
use crate::uri::UriRef;

pub(super) type Checked = Result<(), Error>;

/// What a scheme's production is: a check of all that stands behind the colon.
pub(super) type Production = fn(Cursor) -> Checked;

/// What is left to be read: from `at`, which is a character boundary, to `end`. Sets are of what may *not* stand.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, at: usize, end: usize) -> Self {
        Cursor { text, at, end }
    }

    pub(super) fn behind_scheme(uri: &UriRef<'a>) -> Self {
        Cursor::new(uri.as_str(), uri.scheme_end, uri.as_str().len())
    }

    /// What is left, cut after so many bytes.
    pub(super) fn first(mut self, len: usize) -> Self {
        self.end = self.at + len;
        self
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    pub(super) fn skip(&mut self, len: usize) {
        self.at += len;
    }

    pub(super) fn error(&self, expected: &'static str) -> Error {
        Error::new(ErrorKind::NotValid, expected, self.text, self.at)
    }

    /// Takes a literal, if it stands here.
    pub(super) fn eat(&mut self, literal: &str) -> bool {
        let here = self.rest().starts_with(literal);
        if here {
            self.at += literal.len();
        }
        here
    }

    /// Takes a literal, which must stand here.
    pub(super) fn need(&mut self, literal: &str, expected: &'static str) -> Checked {
        if self.eat(literal) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Takes all US-ASCII bytes that are such; how many.
    pub(super) fn take(&mut self, such: impl Fn(u8) -> bool) -> usize {
        let len = self.rest().bytes().take_while(|&byte| byte.is_ascii() && such(byte)).count();
        self.at += len;
        len
    }

    /// Takes one or more bytes that are such.
    pub(super) fn take_some(&mut self, such: impl Fn(u8) -> bool, expected: &'static str) -> Checked {
        if self.take(such) > 0 { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Takes a character that is not refused, or an escape, if there is one.
    fn step(&mut self, refused: ByteSet) -> Result<bool, Error> {
        let len = match self.peek() {
            Some(b'%') if percent::octet(self.rest().as_bytes()).is_some() => 3,
            Some(b'%') => return Err(percent::illegal_escape(self.text, self.at)),
            Some(byte) if !refused.contains(byte) => 1,
            _ => 0,
        };
        self.at += len;
        Ok(len > 0)
    }

    /// Takes one character or escape.
    pub(super) fn one(&mut self, refused: ByteSet, expected: &'static str) -> Checked {
        if self.step(refused)? { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Takes all characters that are not refused, and escapes.
    pub(super) fn run(&mut self, refused: ByteSet) -> Checked {
        while self.step(refused)? {}
        Ok(())
    }

    /// The same, and there must be one.
    pub(super) fn some(&mut self, refused: ByteSet, expected: &'static str) -> Checked {
        self.one(refused, expected)?;
        self.run(refused)
    }

    /// The same as `run`, and nothing else may be left.
    pub(super) fn all(mut self, refused: ByteSet, expected: &'static str) -> Checked {
        self.run(refused)?;
        self.end(expected)
    }

    /// Nothing may be left; `expected` is what could have gone on here.
    pub(super) fn end(&self, expected: &'static str) -> Checked {
        if self.at == self.end { Ok(()) } else { Err(self.error(expected)) }
    }
}
