//! The states of path, query and fragment (URL Standard §4.4).

use memchr::memrchr;

use super::encode_set::EncodeSet;
use super::error::ErrorKind;
use super::observer::{Observer, State, tell_invalid_units};
use super::parser::{Next, Parser};
use super::record::is_drive_letter;
use super::scheme::Scheme;
use super::unchanged::is_simple;
use crate::scan::{find_byte, find_either};

impl<O: Observer> Parser<'_, O> {
    /// Runs the *path start state*: skips the slash before the first segment. A scheme that is not special may have no path.
    pub(super) fn path_start(&mut self) -> Next {
        self.path_offset = self.out.len();
        match self.c() {
            Some(b'/') => self.at += 1,
            Some(b'\\') if self.scheme.is_special() => {
                self.tell(ErrorKind::InvalidReverseSolidus, self.at);
                self.at += 1;
            }
            _ if self.scheme.is_special() => {}
            _ => return Ok(self.after_path()),
        }
        Ok(Some(State::Path))
    }

    /// Runs the *path state*: appends the path up to its end, percent-encoded and without dot segments.
    pub(super) fn path(&mut self) -> Next {
        if let Some(len) = self.unchanged_path_len() {
            self.out.push('/');
            self.out.push_str(&self.input[self.at..self.at + len]);
            self.at += len;
            return Ok(self.after_path());
        }
        loop {
            let start = self.at;
            let rest = self.remaining();
            let is_special = self.scheme.is_special();
            let ends = |c: u8| matches!(c, b'/' | b'?' | b'#') || c == b'\\' && is_special;
            let len = rest.iter().position(|&c| ends(c)).unwrap_or(rest.len());
            self.at += len;
            let has_slash = match rest.get(len) {
                Some(b'\\') => {
                    self.tell(ErrorKind::InvalidReverseSolidus, self.at);
                    true
                }
                c => c == Some(&b'/'),
            };
            tell_invalid_units(self.input, start..self.at, self.observer);
            match Dots::of(&rest[..len]) {
                Some(dots) => {
                    if dots == Dots::Double {
                        self.shorten();
                    }
                    if !has_slash {
                        self.out.push('/');
                    }
                }
                None => {
                    let is_first = self.out.len() == self.path_offset;
                    self.out.push('/');
                    if is_first && self.scheme == Scheme::File && is_drive_letter(&rest[..len]) {
                        self.out.push_str(&self.input[start..start + 1]);
                        self.out.push(':');
                    } else {
                        self.encode(&self.input[start..self.at], EncodeSet::Path);
                    }
                }
            }
            if !has_slash {
                return Ok(self.after_path());
            }
            self.at += 1;
        }
    }

    /// Returns the length in bytes of the path at the pointer, if it can be copied as it is. `None` if it might change, or if an
    /// observer listens.
    fn unchanged_path_len(&self) -> Option<usize> {
        if O::LISTENS || self.scheme == Scheme::File {
            return None;
        }
        let rest = self.remaining();
        let path = &rest[..find_either(rest, [b'?', b'#']).unwrap_or(rest.len())];
        is_simple(path).then_some(path.len())
    }

    /// Returns the state for what follows a path or a query, and skips its `?` or `#`. `None` at the end of the input.
    fn after_path(&mut self) -> Option<State> {
        let next = match self.c()? {
            b'?' => State::Query,
            b'#' => State::Fragment,
            // Only after a host of a scheme that is not special: the path has not been read.
            _ => return Some(State::Path),
        };
        self.at += 1;
        Some(next)
    }

    /// Removes the last segment of the written path (§4.2, *shorten a URL's path*). A drive letter that is the only segment of a
    /// `file` URL stays.
    pub(super) fn shorten(&mut self) {
        let path = &self.out.as_bytes()[self.path_offset..];
        if self.scheme == Scheme::File && matches!(path, [b'/', letter, b':'] if letter.is_ascii_alphabetic()) {
            return;
        }
        let last = memrchr(b'/', path).unwrap_or(0);
        self.out.truncate(self.path_offset + last);
    }

    /// Runs the *opaque path state*: appends the path, percent-encoded.
    pub(super) fn opaque_path(&mut self) -> Next {
        let start = self.at;
        let rest = self.remaining();
        let len = find_either(rest, [b'?', b'#']).unwrap_or(rest.len());
        self.at += len;
        tell_invalid_units(self.input, start..self.at, self.observer);
        let path = &self.input[start..self.at];
        // Only at the end of an input are spaces removed first.
        match path.strip_suffix(' ').filter(|_| self.c().is_some()) {
            Some(path) => {
                self.encode(path, EncodeSet::C0Control);
                self.out.push_str("%20");
                self.observer.encoded(self.at - 1..self.at, EncodeSet::C0Control);
            }
            None => self.encode(path, EncodeSet::C0Control),
        }
        Ok(self.after_path())
    }

    /// Runs the *query state*: appends `?` and the query, percent-encoded.
    pub(super) fn query(&mut self) -> Next {
        self.out.push('?');
        let start = self.at;
        let rest = self.remaining();
        let len = find_byte(rest, b'#').unwrap_or(rest.len());
        self.at += len;
        tell_invalid_units(self.input, start..self.at, self.observer);
        let query = &self.input[start..self.at];
        let set = match self.scheme {
            Scheme::Other => EncodeSet::Query,
            _ => EncodeSet::SpecialQuery,
        };
        self.encode_query(query, set);
        Ok(self.after_path())
    }

    /// Appends a query, and percent-encodes the characters of a set.
    #[cfg(not(feature = "html"))]
    fn encode_query(&mut self, query: &str, set: EncodeSet) {
        self.encode(query, set);
    }

    /// Appends a query, and percent-encodes the characters of a set. The query is in the character encoding of the page, except in
    /// `ws`, `wss` and schemes that are not special: there it is in UTF-8.
    #[cfg(feature = "html")]
    fn encode_query(&mut self, query: &str, set: EncodeSet) {
        match self.query_encoding.encoding {
            Some(encoding) if !matches!(self.scheme, Scheme::Other | Scheme::Ws | Scheme::Wss) => {
                self.tell_encoded(query, set);
                super::query_encoding::encode_query(query, encoding.output_encoding(), set.bytes(), self.out);
            }
            _ => self.encode(query, set),
        }
    }

    /// Runs the *fragment state*: appends `#` and the fragment, percent-encoded.
    pub(super) fn fragment(&mut self) -> Next {
        self.out.push('#');
        tell_invalid_units(self.input, self.at..self.input.len(), self.observer);
        self.encode(&self.input[self.at..], EncodeSet::Fragment);
        Ok(None)
    }
}

/// A dot segment, whose dots may be percent-encoded (§4.3).
#[derive(PartialEq)]
enum Dots {
    Single,
    Double,
}

impl Dots {
    /// Returns the kind of a dot segment; `None` if the segment is not one.
    #[inline(always)]
    fn of(segment: &[u8]) -> Option<Self> {
        if !matches!(segment.first(), Some(b'.' | b'%')) {
            return None;
        }
        match dot(dot(segment)?) {
            _ if dot(segment)?.is_empty() => Some(Dots::Single),
            Some([]) => Some(Dots::Double),
            _ => None,
        }
    }
}

/// Returns the text after the plain or escaped dot that a text starts with; `None` if it starts with none.
fn dot(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => Some(rest),
        _ => None,
    }
}
