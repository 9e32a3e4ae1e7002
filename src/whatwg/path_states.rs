//! The states of path, query and fragment (URL Standard §4.4).

use alloc::string::String;

use memchr::memrchr;

use super::dot_segment::DotSegment;
use super::encode_set::EncodeSet;
use super::parser::{NextState, Parser};
use super::scheme::Scheme;
use super::simple::is_simple;
use super::state::State;
use super::step::Action;
use super::url_record::is_drive_letter;
use crate::scan::{find_byte, find_either};

impl Parser<'_> {
    /// Skips the slash at the start of the path. Without it, a URL whose scheme is not special has no path: then skips the `?` or
    /// `#` at the pointer. The value of a setter needs no slash.
    pub(super) fn path_start_state(&mut self) -> NextState {
        self.path_start = self.out.len();
        if self.skip_slash(self.scheme) {
            return Ok(Some(State::Path));
        }
        if !self.scheme.is_special() {
            return Ok(self.skip_delimiter());
        }
        self.report_step(Action::SlashAdded, self.pointer..self.pointer, "", "/");
        Ok(Some(State::Path))
    }

    pub(super) fn path_state(&mut self) -> NextState {
        // A path that needs nothing is copied at once; the loop below takes it apart.
        if let Some(len) = self.simple_path_len() {
            self.out.push('/');
            self.out.push_str(&self.input[self.pointer..self.pointer + len]);
            self.pointer += len;
            return Ok(self.skip_delimiter());
        }
        loop {
            let start = self.pointer;
            let rest = self.rest();
            let is_special = self.scheme.is_special();
            let ends = |c: u8| matches!(c, b'/' | b'?' | b'#') || c == b'\\' && is_special;
            let end = start + rest.iter().position(|&c| ends(c)).unwrap_or(rest.len());
            let segment = &self.input[start..end];
            self.report_invalid_units(start..end);
            self.pointer = end;
            let has_slash = self.skip_slash(self.scheme);
            match DotSegment::of(segment.as_bytes()) {
                Some(dots) => {
                    if self.inspection.is_some() {
                        self.report_dots(start..self.pointer, dots == DotSegment::Double);
                    }
                    if dots == DotSegment::Double {
                        self.shorten_path();
                    }
                    if !has_slash {
                        self.out.push('/');
                    }
                }
                None => {
                    let is_first = self.out.len() == self.path_start;
                    self.out.push('/');
                    if is_first && self.scheme == Scheme::File && is_drive_letter(segment.as_bytes()) {
                        self.out.push_str(&segment[..1]);
                        self.out.push(':');
                        if self.inspection.is_some() && segment.ends_with('|') {
                            let written = [&segment[..1], ":"].concat();
                            self.report_step(Action::DriveLetter, start..end, segment, &written);
                        }
                    } else {
                        self.encode(segment, EncodeSet::Path);
                    }
                }
            }
            if !has_slash {
                return Ok(self.skip_delimiter());
            }
        }
    }

    /// `None` if the path cannot be copied as it is, and with an inspection, for which each segment must be read.
    fn simple_path_len(&self) -> Option<usize> {
        if self.inspection.is_some() || self.scheme == Scheme::File {
            return None;
        }
        let rest = self.rest();
        let path = &rest[..find_either(rest, [b'?', b'#']).unwrap_or(rest.len())];
        is_simple(path).then_some(path.len())
    }

    /// Skips `?` or `#` at the pointer and returns the state after it. At another byte, skips nothing and returns the *path state*.
    pub(super) fn skip_delimiter(&mut self) -> Option<State> {
        let next = match self.c()? {
            b'?' => State::Query,
            b'#' => State::Fragment,
            // Only in a relative reference that starts with a path.
            _ => return Some(State::Path),
        };
        self.pointer += 1;
        Some(next)
    }

    /// Removes the last segment (§4.2, *shorten a URL's path*), but no lone drive letter of a `file` URL.
    // The path that is written is the stack of the Standard, with a slash before each segment. To pop is to truncate: what is
    // searched for the slash is removed, so that any number of `..` takes linear time.
    pub(super) fn shorten_path(&mut self) {
        self.out.truncate(self.path_start + self.shortened_path_len());
    }

    #[inline(always)]
    pub(super) fn shortened_path_len(&self) -> usize {
        let path = &self.out.as_bytes()[self.path_start..];
        if self.scheme == Scheme::File && matches!(path, [b'/', letter, b':'] if letter.is_ascii_alphabetic()) {
            return path.len();
        }
        memrchr(b'/', path).unwrap_or(0)
    }

    pub(super) fn opaque_path_state(&mut self) -> NextState {
        let start = self.pointer;
        let rest = self.rest();
        let len = find_either(rest, [b'?', b'#']).unwrap_or(rest.len());
        self.pointer += len;
        self.report_invalid_units(start..self.pointer);
        let path = &self.input[start..self.pointer];
        // Spaces at the end of the input are removed before the parsing, those before `?` and `#` are not.
        match path.strip_suffix(' ').filter(|_| self.c().is_some()) {
            Some(path) => {
                self.encode(path, EncodeSet::C0Control);
                self.out.push_str("%20");
                let space = self.pointer - 1..self.pointer;
                self.report_step(Action::SpaceEncoded, space.clone(), " ", "%20");
                self.report_encoded(space, EncodeSet::C0Control);
            }
            None => self.encode(path, EncodeSet::C0Control),
        }
        Ok(self.skip_delimiter())
    }

    pub(super) fn query_state(&mut self) -> NextState {
        self.out.push('?');
        let start = self.pointer;
        let rest = self.rest();
        let len = find_byte(rest, b'#').unwrap_or(rest.len());
        self.pointer += len;
        self.report_invalid_units(start..self.pointer);
        let query = &self.input[start..self.pointer];
        let set = match self.scheme {
            Scheme::Other => EncodeSet::Query,
            _ => EncodeSet::SpecialQuery,
        };
        match self.query_charset {
            // With these schemes, a query is always in UTF-8.
            _ if matches!(self.scheme, Scheme::Other | Scheme::Ws | Scheme::Wss) => self.encode(query, set),
            Some(charset) => {
                let start = self.out.len();
                // A character depends on those before it, so the steps are not of characters.
                self.report_characters_in_set(query, set, false);
                (charset.encode)(charset.name, query, *set.bytes(), self.out);
                if self.inspection.is_some() && &self.out[start..] != query {
                    let range = self.pointer - query.len()..self.pointer;
                    let written = String::from(&self.out[start..]);
                    self.report_step(Action::QueryEncoded(charset.name), range, query, &written);
                }
            }
            _ => self.encode(query, set),
        }
        Ok(self.skip_delimiter())
    }

    pub(super) fn fragment_state(&mut self) -> NextState {
        self.out.push('#');
        self.report_invalid_units(self.pointer..self.input.len());
        self.encode(&self.input[self.pointer..], EncodeSet::Fragment);
        Ok(None)
    }
}
