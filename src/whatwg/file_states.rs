//! The states of `file` URLs (URL Standard §4.4): file, file slash, file host.

use super::error::ErrorKind;
use super::inspect::State;
use super::parser::{NextState, Parser};
use super::scheme::Scheme;
use super::url_record::{is_drive_letter, starts_with_drive_letter};

impl Parser<'_> {
    /// Runs the *file state*: writes `file://`, or the part of a `file` base that a reference without a leading slash keeps.
    pub(super) fn file_state(&mut self) -> NextState {
        if self.skip_slash(Scheme::File) {
            self.replace_by_file();
            return Ok(Some(State::FileSlash));
        }
        let Some(base) = self.base.filter(|base| base.scheme == Scheme::File) else {
            self.replace_by_file();
            return Ok(Some(State::Path));
        };
        if starts_with_drive_letter(self.rest()) {
            self.report_error(ErrorKind::FileInvalidWindowsDriveLetter, self.pointer);
            self.replace_by_base(base, base.authority_end);
            return Ok(Some(State::Path));
        }
        Ok(self.copy_from_base(base))
    }

    /// Runs the *file slash state*, after the first slash. Without a second slash, it keeps the host and the drive letter of a
    /// `file` base.
    pub(super) fn file_slash_state(&mut self) -> NextState {
        if self.skip_slash(Scheme::File) {
            return Ok(Some(State::FileHost));
        }
        if let Some(base) = self.base.filter(|base| base.scheme == Scheme::File) {
            self.replace_by_base(base, base.authority_end);
            if let Some(letter) = base.drive_letter() {
                if !starts_with_drive_letter(self.rest()) {
                    self.out.push_str(letter);
                }
            }
        }
        Ok(Some(State::Path))
    }

    /// Runs the *file host state*: appends the host, except `localhost`. A drive letter is left to the *path state*.
    pub(super) fn file_host_state(&mut self) -> NextState {
        let rest = self.rest();
        let len = rest.iter().position(|c| b"/\\?#".contains(c)).unwrap_or(rest.len());
        if is_drive_letter(&rest[..len]) {
            self.report_error(ErrorKind::FileInvalidWindowsDriveLetterHost, self.pointer);
            // The path starts with the drive letter.
            return Ok(Some(State::Path));
        }
        if len > 0 {
            let host = self.out.len();
            self.parse_host(self.pointer..self.pointer + len)?;
            if &self.out[host..] == "localhost" {
                self.out.truncate(host);
            }
            self.path_start = self.out.len();
            self.pointer += len;
        }
        Ok(Some(State::PathStart))
    }

    /// Replaces the URL written so far by `file://`, and sets the scheme and an empty host.
    fn replace_by_file(&mut self) {
        self.out.truncate(self.url_start);
        self.out.push_str("file://");
        self.scheme = Scheme::File;
        self.has_host = true;
        self.path_start = self.out.len();
    }
}
