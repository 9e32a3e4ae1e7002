//! `inspect`, and what the parser reports for it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::base::Base;
use super::encode_set::{EncodeSet, Encoded};
use super::encoder::encode_into;
use super::error::{Error, ErrorKind};
use super::input::Input;
use super::inspection::{Inspection, LeftOut, push_within_limit};
use super::parser::{Parser, parse_by_states};
use super::state::State;
use super::step::{Action, Step};
use super::url::Url;
use crate::percent::octet;
use crate::uri::{UriRef, scheme_end};

/// Parses an input, against a base if there is one, and reports each step and each validation error.
///
/// The result is the same as that of [`Base::resolve`], but always by the Standard's own states.
///
/// Cost: linear time and memory, at most [`Inspection::LIMIT`] items in each list. The texts of all steps together are some twenty
/// times as long as the input and the base at most; that is where each character becomes a numeric escape of five digits.
///
/// ```
/// use relref::whatwg::{Base, EncodeSet, ErrorKind, inspect};
///
/// let base = Base::new("http://example.com/docs/")?;
/// let inspection = inspect("a\\b c", Some(&base));
/// assert_eq!(inspection.url?, "http://example.com/docs/a/b%20c");
/// let steps: Vec<_> = inspection.steps.iter().map(|step| (step.action.name(), &*step.text, &*step.written)).collect();
/// assert_eq!(steps, [("directory", "", "http://example.com/docs/"), ("backslash", "\\", "/"), ("encoded", " ", "%20")]);
/// let errors: Vec<_> = inspection.errors.iter().map(|error| (error.kind(), error.position())).collect();
/// assert_eq!(errors, [(ErrorKind::InvalidReverseSolidus, 1), (ErrorKind::InvalidUrlUnit, 3)]);
/// assert_eq!((&inspection.encoded[0].range, inspection.encoded[0].set), (&(3..4), EncodeSet::Path));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn inspect(input: &str, base: Option<&Base>) -> Inspection {
    let input = Input::new(input);
    let mut out = String::new();
    let mut found = Inspection {
        url: Ok(Url::of_serialized(UriRef::new(String::new()))),
        steps: Vec::new(),
        errors: Vec::new(),
        encoded: Vec::new(),
        states: Vec::new(),
        left_out: LeftOut::default(),
    };
    input.report_removed(&mut found);
    let (removed_errors, removed_steps) = (found.errors.len(), found.steps.len());
    let parsed = parse_by_states(&input, base.map(Base::prepared), &mut out, Some(&mut found));
    found.url = parsed.map(|()| Url::of_serialized(UriRef::new(out)));
    let mut positions: Vec<_> = found.errors[removed_errors..].iter_mut().map(|error| &mut error.position).collect();
    // The end of a range is found from its last byte: characters that were removed after that are not in the range.
    let mut ranges: Vec<_> = found.steps[removed_steps..].iter_mut().map(|step| &mut step.range).collect();
    ranges.extend(found.encoded.iter_mut().map(|one| &mut one.range));
    // The offsets of errors and ranges are restored together, in one ascending pass over the input: each alone would read it
    // again.
    let lens: Vec<_> = ranges.iter().map(|range| usize::from(range.start < range.end)).collect();
    for (range, last) in ranges.into_iter().zip(&lens) {
        range.end -= last;
        positions.extend([&mut range.start, &mut range.end]);
    }
    positions.sort();
    input.restore_positions(positions.into_iter());
    let ranges = found.steps[removed_steps..].iter_mut().map(|step| &mut step.range);
    let ranges = ranges.chain(found.encoded.iter_mut().map(|one| &mut one.range));
    ranges.zip(lens).for_each(|(range, last)| range.end += last);
    found.errors.sort_by_key(Error::position);
    found
}

// Each report is a test of `inspection` that is inlined, and a cold function for the rest: so one parser serves both, and a resolution
// without an inspection pays a branch that is never taken.
/// The reports of errors, steps and encoded characters. Without an inspection, these do nothing.
impl Parser<'_> {
    /// Adds an error that does not end the parsing. `at` is a byte offset in `input`.
    #[inline(always)]
    pub(super) fn report_error(&mut self, kind: ErrorKind, at: usize) {
        if let Some(inspection) = &mut self.inspection {
            inspection.add_error(Error::new(kind, at));
        }
    }

    #[inline(always)]
    pub(super) fn report_step(&mut self, action: Action, range: Range<usize>, text: &str, written: &str) {
        if self.inspection.is_some() {
            self.add_step(action, range, text, written);
        }
    }

    #[cold]
    fn add_step(&mut self, action: Action, range: Range<usize>, text: &str, written: &str) {
        let Some(inspection) = &mut self.inspection else { return };
        let state = inspection.states.last().copied().filter(|_| action != Action::Guard);
        let (text, written) = (String::from(text), String::from(written));
        inspection.add_step(Step { action, state, range, text, written });
    }

    /// `start` is the byte in `input` before which the kept part of the base comes.
    #[inline(always)]
    pub(super) fn report_kept(&mut self, action: Action, start: usize) {
        if self.inspection.is_some() {
            let mut written = String::from(&self.out[self.url_start..]);
            // The path state writes the last slash of a directory with the segment after it.
            if action == Action::Directory && self.base.is_some_and(|base| !base.path().is_empty()) {
                written.push('/');
            }
            self.add_step(action, start..start, "", &written);
        }
    }

    /// `next` is the state for what follows the kept part of the base, from the byte `start` of `input` on.
    #[cold]
    pub(super) fn report_kept_for(&mut self, next: Option<State>, start: usize) {
        let action = match next {
            None => Action::Empty,
            Some(State::Fragment) => Action::Fragment,
            Some(State::Query) => Action::Query,
            _ => Action::Directory,
        };
        self.report_kept(action, start);
        if next == Some(State::Path) && self.base.is_some_and(|base| base.path().is_empty()) {
            self.report_step(Action::SlashAdded, start..start, "", "/");
        }
    }

    #[inline(always)]
    pub(super) fn report_scheme_ignored(&mut self) {
        if self.inspection.is_some() {
            let end = scheme_end(self.input.as_bytes());
            if end > 0 {
                self.add_step(Action::SchemeIgnored, 0..end, &self.input[..end], "");
            }
        }
    }

    #[inline(always)]
    pub(super) fn report_absolute(&mut self) {
        if self.inspection.is_some() && self.base.is_some() {
            let end = scheme_end(self.input.as_bytes());
            if end > 0 {
                self.add_step(Action::Absolute, 0..0, &self.input[..end - 1], "");
            }
        }
    }

    /// Must be called before the last segment is removed, as `removes` says it will be. `range` has the slash after the dots, too.
    #[cold]
    pub(super) fn report_dots(&mut self, range: Range<usize>, removes: bool) {
        let Some(inspection) = &mut self.inspection else { return };
        // The backslash after the dots goes with them.
        if inspection.steps.last().is_some_and(|last| last.action == Action::Backslash && last.range.end == range.end) {
            let last = inspection.steps.pop();
            debug_assert!(last.is_some_and(|last| last.text == "\\"));
        }
        let dots = &self.input[range.clone()];
        let path = &self.out[self.path_start..];
        let kept = self.shortened_path_len();
        if !removes {
            self.add_step(Action::DotRemoved, range, dots, "");
        } else if kept < path.len() {
            let removed = [&path[kept + 1..], "/", dots.trim_end_matches(['/', '\\'])].concat();
            self.add_step(Action::SegmentRemoved, range, &removed, "");
        } else if path.is_empty() {
            self.add_step(Action::SurplusDropped, range, dots, "");
        } else {
            self.add_step(Action::DriveLetterKept, range, dots, "");
        }
    }

    /// Joins a range right after the last one, with the same set, to it.
    pub(super) fn report_encoded(&mut self, range: Range<usize>, set: EncodeSet) {
        let Some(inspection) = &mut self.inspection else { return };
        match inspection.encoded.last_mut() {
            Some(last) if last.range.end == range.start && last.set == set => last.range.end = range.end,
            _ => push_within_limit(&mut inspection.encoded, Encoded { range, set }, &mut inspection.left_out.encoded),
        }
    }

    /// `part` must be a slice of `self.input`. With `steps`, also adds a step for each run of characters in the set.
    #[inline(always)]
    pub(super) fn report_characters_in_set(&mut self, part: &str, set: EncodeSet, steps: bool) {
        if self.inspection.is_some() {
            self.add_characters_in_set(part, set, steps);
        }
    }

    #[cold]
    fn add_characters_in_set(&mut self, part: &str, set: EncodeSet, steps: bool) {
        let start = part.as_ptr().addr() - self.input.as_ptr().addr();
        let mut at = 0;
        for run in part.split_inclusive(|c: char| !is_in(c, set)) {
            // A character that is not in the set ends the run.
            let characters = run.trim_end_matches(|c| !is_in(c, set));
            if !characters.is_empty() {
                let range = start + at..start + at + characters.len();
                self.report_encoded(range.clone(), set);
                if steps {
                    let mut written = String::new();
                    encode_into(characters, set, &mut written);
                    self.add_step(Action::Encoded(set), range, characters, &written);
                }
            }
            at += run.len();
        }
    }

    /// Adds an error for each character that is not a URL unit (§4.3).
    #[inline(always)]
    pub(super) fn report_invalid_units(&mut self, range: Range<usize>) {
        if self.inspection.is_none() {
            return;
        }
        for (at, c) in self.input[range.clone()].char_indices() {
            let at = range.start + at;
            let is_unit = match c {
                '%' => octet(&self.input.as_bytes()[at..]).is_some(),
                c => is_url_code_point(c),
            };
            if !is_unit {
                self.report_error(ErrorKind::InvalidUrlUnit, at);
            }
        }
    }
}

fn is_in(c: char, set: EncodeSet) -> bool {
    // All sets have the characters beyond US-ASCII.
    u8::try_from(c).map_or(true, |c| set.bytes().contains(c))
}

/// Reports whether a character is a *URL code point* (§4.3).
fn is_url_code_point(c: char) -> bool {
    match c {
        _ if c.is_ascii_alphanumeric() => true,
        _ if c.is_ascii() => "!$&'()*+,-./:;=?@_~".contains(c),
        // Noncharacters.
        '\u{FDD0}'..='\u{FDEF}' => false,
        _ => c >= '\u{A0}' && u32::from(c) & 0xFFFE != 0xFFFE,
    }
}
