//! The states of `file` URLs (URL Standard §4.4): file, file slash, file host.

use super::error::ErrorKind;
use super::inspect::State;
use super::parser::{Next, Parser};
use super::record::{is_drive_letter, starts_with_drive_letter};
use super::scheme::Scheme;

impl Parser<'_> {
    /// Runs the *file state*: writes `file://`, or the part of a `file` base that a reference without a leading slash keeps.
    pub(super) fn file(&mut self) -> Next {
        if self.skip_slash(Scheme::File) {
            self.set_file();
            return Ok(Some(State::FileSlash));
        }
        let Some(base) = self.base.filter(|base| base.scheme == Scheme::File) else {
            self.set_file();
            return Ok(Some(State::Path));
        };
        if starts_with_drive_letter(self.remaining()) {
            self.tell(ErrorKind::FileInvalidWindowsDriveLetter, self.at);
            self.keep(base, base.authority_end);
            return Ok(Some(State::Path));
        }
        Ok(self.relative_to(base))
    }

    /// Runs the *file slash state*, after the first slash. Without a second slash, it keeps the host and the drive letter of a
    /// `file` base.
    pub(super) fn file_slash(&mut self) -> Next {
        if self.skip_slash(Scheme::File) {
            return Ok(Some(State::FileHost));
        }
        if let Some(base) = self.base.filter(|base| base.scheme == Scheme::File) {
            self.keep(base, base.authority_end);
            if let Some(letter) = base.drive_letter() {
                if !starts_with_drive_letter(self.remaining()) {
                    self.out.push_str(letter);
                }
            }
        }
        Ok(Some(State::Path))
    }

    /// Runs the *file host state*: appends the host, except `localhost`. A drive letter is left to the *path state*.
    pub(super) fn file_host(&mut self) -> Next {
        let rest = self.remaining();
        let len = rest.iter().position(|c| b"/\\?#".contains(c)).unwrap_or(rest.len());
        if is_drive_letter(&rest[..len]) {
            self.tell(ErrorKind::FileInvalidWindowsDriveLetterHost, self.at);
            // The path starts with the drive letter.
            return Ok(Some(State::Path));
        }
        if len > 0 {
            let host = self.out.len();
            self.parse_host(self.at..self.at + len)?;
            if &self.out[host..] == "localhost" {
                self.out.truncate(host);
            }
            self.path_offset = self.out.len();
            self.at += len;
        }
        Ok(Some(State::PathStart))
    }

    /// Replaces the URL written so far by `file://`, and sets the scheme and an empty host.
    fn set_file(&mut self) {
        self.out.truncate(self.start);
        self.out.push_str("file://");
        self.scheme = Scheme::File;
        self.has_host = true;
        self.path_offset = self.out.len();
    }
}
