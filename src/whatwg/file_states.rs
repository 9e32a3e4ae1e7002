//! The states of `file` URLs (URL Standard §4.4): file, file slash, file host.

use super::error::ErrorKind;
use super::parser::{NextState, Parser};
use super::scheme::Scheme;
use super::state::State;
use super::step::Action;
use super::url_record::{is_drive_letter, starts_with_drive_letter};

impl Parser<'_> {
    pub(super) fn file_state(&mut self) -> NextState {
        if self.skip_slash(Scheme::File) {
            self.replace_by_file();
            return Ok(Some(State::FileSlash));
        }
        let Some(base) = self.base.filter(|base| base.scheme == Scheme::File) else {
            self.replace_by_file();
            self.report_absolute();
            self.report_step(Action::SlashesAdded, self.pointer..self.pointer, "", "//");
            self.report_step(Action::SlashAdded, self.pointer..self.pointer, "", "/");
            return Ok(Some(State::Path));
        };
        if starts_with_drive_letter(self.rest()) {
            self.report_error(ErrorKind::FileInvalidWindowsDriveLetter, self.pointer);
            self.report_scheme_ignored();
            self.replace_by_base(base, base.authority_end);
            self.report_kept(Action::Drive, self.pointer);
            self.report_step(Action::SlashAdded, self.pointer..self.pointer, "", "/");
            return Ok(Some(State::Path));
        }
        self.report_scheme_ignored();
        Ok(self.copy_from_base(base))
    }

    /// Reads what follows the first slash. If it is no second slash, keeps the host of a `file` base, and its drive letter unless
    /// the rest of the input starts with one.
    pub(super) fn file_slash_state(&mut self) -> NextState {
        let start = self.pointer - 1;
        if self.skip_slash(Scheme::File) {
            if self.inspection.is_some() {
                self.report_file_scheme(start);
            }
            return Ok(Some(State::FileHost));
        }
        if let Some(base) = self.base.filter(|base| base.scheme == Scheme::File) {
            self.report_scheme_ignored();
            self.replace_by_base(base, base.authority_end);
            self.report_kept(Action::Root, start);
            if let Some(letter) = base.drive_letter() {
                if !starts_with_drive_letter(self.rest()) {
                    self.out.push_str(letter);
                    self.report_step(Action::BaseDriveLetter, start..start, "", letter);
                }
            }
        } else {
            self.report_absolute();
            self.report_step(Action::SlashesAdded, start..start, "", "//");
        }
        Ok(Some(State::Path))
    }

    /// Leaves the pointer after the host. A drive letter in place of a host is left to the *path state*.
    pub(super) fn file_host_state(&mut self) -> NextState {
        let rest = self.rest();
        let len = rest.iter().position(|c| b"/\\?#".contains(c)).unwrap_or(rest.len());
        // The Standard leaves it in its buffer for the path state. Here it was not yet taken from the input.
        if is_drive_letter(&rest[..len]) {
            self.report_error(ErrorKind::FileInvalidWindowsDriveLetterHost, self.pointer);
            let end = self.pointer + len;
            self.report_step(Action::DriveLetterHost, self.pointer..self.pointer, &self.input[self.pointer..end], "/");
            // The path starts with the drive letter.
            return Ok(Some(State::Path));
        }
        if len > 0 {
            let host = self.out.len();
            self.parse_host(self.pointer..self.pointer + len)?;
            if &self.out[host..] == "localhost" {
                self.out.truncate(host);
                self.report_step(Action::LocalhostDropped, self.pointer..self.pointer + len, "localhost", "");
            }
            self.path_start = self.out.len();
            self.pointer += len;
        }
        Ok(Some(State::PathStart))
    }

    /// `start` is the byte in `input` at which the slashes before the host start.
    #[cold]
    fn report_file_scheme(&mut self, start: usize) {
        if start == 0 {
            self.report_step(Action::Authority, 0..0, "", "file:");
        } else {
            self.report_absolute();
        }
    }

    fn replace_by_file(&mut self) {
        self.out.truncate(self.url_start);
        self.out.push_str("file://");
        self.scheme = Scheme::File;
        self.has_host = true;
        self.path_start = self.out.len();
    }
}
