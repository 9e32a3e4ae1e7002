//! The states of path, query and fragment (URL Standard §4.4).

use memchr::memrchr;

use super::encode_set::EncodeSet;
use super::inspect::State;
use super::parser::{Next, Parser};
use super::record::is_drive_letter;
use super::scheme::Scheme;
use super::unchanged::is_simple;
use crate::scan::{find_byte, find_either};

impl Parser<'_> {
    /// Runs the *path start state*: skips the slash before the first segment. A scheme that is not special may have no path.
    pub(super) fn path_start(&mut self) -> Next {
        self.path_offset = self.out.len();
        let has_path = self.skip_slash(self.scheme) || self.scheme.is_special();
        Ok(if has_path { Some(State::Path) } else { self.after_path() })
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
            let end = start + rest.iter().position(|&c| ends(c)).unwrap_or(rest.len());
            let segment = &self.input[start..end];
            self.tell_invalid_units(start..end);
            self.at = end;
            let has_slash = self.skip_slash(self.scheme);
            match Dots::of(segment.as_bytes()) {
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
                    if is_first && self.scheme == Scheme::File && is_drive_letter(segment.as_bytes()) {
                        self.out.push_str(&segment[..1]);
                        self.out.push(':');
                    } else {
                        self.encode(segment, EncodeSet::Path);
                    }
                }
            }
            if !has_slash {
                return Ok(self.after_path());
            }
        }
    }

    /// Returns the length in bytes of the path at the pointer, if it can be copied as it is. `None` if it might change, or if
    /// there is an inspection.
    fn unchanged_path_len(&self) -> Option<usize> {
        if self.inspection.is_some() || self.scheme == Scheme::File {
            return None;
        }
        let rest = self.remaining();
        let path = &rest[..find_either(rest, [b'?', b'#']).unwrap_or(rest.len())];
        is_simple(path).then_some(path.len())
    }

    /// Returns the state for what follows a path or a query, and skips its `?` or `#`. `None` at the end of the input.
    pub(super) fn after_path(&mut self) -> Option<State> {
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
        self.tell_invalid_units(start..self.at);
        let path = &self.input[start..self.at];
        // Only at the end of an input are spaces removed first.
        match path.strip_suffix(' ').filter(|_| self.c().is_some()) {
            Some(path) => {
                self.encode(path, EncodeSet::C0Control);
                self.out.push_str("%20");
                self.tell_encoded(self.at - 1..self.at, EncodeSet::C0Control);
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
        self.tell_invalid_units(start..self.at);
        let query = &self.input[start..self.at];
        let set = match self.scheme {
            Scheme::Other => EncodeSet::Query,
            _ => EncodeSet::SpecialQuery,
        };
        match self.query_charset {
            // There, a query is always in UTF-8.
            _ if matches!(self.scheme, Scheme::Other | Scheme::Ws | Scheme::Wss) => self.encode(query, set),
            #[cfg(feature = "html")]
            Some(charset) => {
                self.tell_all_encoded(query, set);
                super::query_charset::encode_query(query, charset.output_encoding(), set.bytes(), self.out);
            }
            _ => self.encode(query, set),
        }
        Ok(self.after_path())
    }

    /// Runs the *fragment state*: appends `#` and the fragment, percent-encoded.
    pub(super) fn fragment(&mut self) -> Next {
        self.out.push('#');
        self.tell_invalid_units(self.at..self.input.len());
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
