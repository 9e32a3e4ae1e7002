//! One page while it is rewritten: from its links to the bytes to write.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
#[cfg(feature = "markdown")]
use std::ops::Range;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8};
use memchr::{memchr, memmem};

use super::choose::{Asked, Choose};
use super::splicer::Splicer;
use super::totals::{LeftReason, Totals};
use super::value::{NewText, Value, may_have_several, reads_as};
use super::written::Target;
#[cfg(feature = "markdown")]
use crate::html::Delimiters;
use crate::html::{Link, Locate, Occurrence, PageSink, Place, Positions, Rejected};
#[cfg(feature = "markdown")]
use crate::markdown;

/// A reference that is rewritten; or an attribute `integrity` that is left out, with the white space before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Edit<'e> {
    /// The offset in bytes of the first byte of the old reference in the page.
    pub start: u64,
    /// The offset after its last byte.
    pub end: u64,
    /// The same with its line and column; `None` in feeds.
    pub place: Option<Place>,
    /// The text from `start` to `end`, decoded by the page's character encoding: with character references and CSS escapes as they
    /// are written.
    pub old: &'e str,
    /// The text that replaces it, with quotes if the value had none and needs them.
    pub new: &'e str,
    /// The bytes that it is written as, in the page's character encoding.
    pub bytes: &'e [u8],
}

/// Receives the edits of pages.
pub(super) type EachEdit<'e> = Box<dyn FnMut(Edit<'_>) + Send + 'e>;

/// Where the new texts of a page go, in its order.
pub(super) trait NewTexts {
    /// Returns `false` if there is no room for it.
    fn add(&mut self, new: NewText<'_>, charset: &'static Encoding) -> bool;

    /// Returns the bytes of the page in a range that was not written yet, if they are known.
    #[cfg(feature = "markdown")]
    fn page_bytes(&self, _range: Range<u64>) -> Option<&[u8]> {
        None
    }

    /// Reports whether the output has failed, so that no more is wanted.
    fn has_failed(&self) -> bool;

    /// Reports how exactly the places of the new texts must be known.
    fn positions(&self) -> Positions {
        Positions::Offsets
    }
}

pub(super) struct Session<'s, C, T> {
    choose: &'s mut C,
    pub(super) totals: &'s mut Totals,
    pub(super) texts: T,
    pub(super) is_xml: bool,
    /// All URIs must be absolute, as the specification of the format demands.
    pub(super) needs_absolute: bool,
    value: Value,
    charset: &'static Encoding,
    /// The length that bases and URIs may have together, so that time is linear.
    remaining: u64,
}

impl<'s, C: Choose, T: NewTexts> Session<'s, C, T> {
    pub(super) fn new(choose: &'s mut C, totals: &'s mut Totals, texts: T, remaining: u64) -> Self {
        let value = Value::default();
        Session { choose, totals, texts, is_xml: false, needs_absolute: false, value, charset: UTF_8, remaining }
    }

    fn add_link(&mut self, link: &Link<'_>, occurrence: Option<&Occurrence<'_>>) {
        let charset = link.page_charset.unwrap_or(UTF_8);
        self.charset = charset;
        if link.attribute == "integrity" {
            return self.add_integrity(link, occurrence);
        }
        let Some(occurrence) = occurrence else {
            self.finish_value();
            let why = match link.attribute {
                _ if !link.inner.is_empty() => LeftReason::Srcdoc,
                "text" if link.element == "guid" => LeftReason::Identifier,
                "text" if link.element == "script" => LeftReason::Script,
                _ => LeftReason::Unwritable,
            };
            return self.totals.add_left(why, 1);
        };
        let is_in_list = may_have_several(occurrence);
        if !self.value.is_of(occurrence) {
            self.finish_value();
            if is_in_list {
                self.value.start(occurrence);
            }
        }
        if is_in_list && self.value.is_too_long() {
            // To choose a reference that is left would only take time.
            return self.totals.add_left(LeftReason::TooLong, 1);
        }
        let new = match self.choose(link, occurrence, charset) {
            Ok(new) => {
                self.totals.kept += u64::from(new.is_none() && !occurrence.is_base);
                new
            }
            Err(why) => {
                // One that should be another, and is not, counts: links have another meaning by it.
                let counts = !occurrence.is_base || why == LeftReason::Unwritable;
                self.totals.add_left(why, u64::from(counts));
                None
            }
        };
        match new {
            new if is_in_list => self.value.add(occurrence, link.reference, new),
            Some(new) => self.write(new),
            None => {}
        }
    }

    /// Browsers do not load a file whose bytes are others than those that an `integrity` was made of (SRI §3.3).
    fn add_integrity(&mut self, link: &Link<'_>, occurrence: Option<&Occurrence<'_>>) {
        self.finish_value();
        let Some(Occurrence { place, is_emptied, .. }) = occurrence.filter(|_| link.rejected.is_none()) else { return };
        if self.choose.changes(link.uri) {
            let text = if *is_emptied { "\"\"" } else { "" };
            let nothing = NewText { place: *place, reference: Cow::Borrowed(text), written: None };
            self.totals.integrity += u64::from(self.texts.add(nothing, self.charset));
        }
    }

    fn choose<'l>(
        &mut self,
        link: &'l Link<'l>,
        occurrence: &Occurrence<'_>,
        charset: &'static Encoding,
    ) -> Result<Option<NewText<'l>>, LeftReason> {
        match link.rejected {
            _ if occurrence.has_no_value() => return Err(LeftReason::NoValue),
            Some(Rejected::Invalid(_)) => return Err(LeftReason::Invalid),
            Some(_) => return Err(LeftReason::TooLong),
            None => {}
        }
        if occurrence.is_local {
            return Ok(None);
        }
        let (Some(base), Some(own_base)) = (occurrence.base, occurrence.own_base) else {
            return Err(LeftReason::Unwritable);
        };
        let target = Target { charset, is_xml: self.is_xml };
        let written = RefCell::new(None);
        let can_be = |reference: &str| {
            #[cfg(feature = "markdown")]
            if let Some(form) = occurrence.form.filter(|form| form.delimiters != Delimiters::Html) {
                if form.delimiters == Delimiters::Bare && !markdown::is_replaceable(link.reference) {
                    return false;
                }
                let old = self.texts.page_bytes(occurrence.place.start..occurrence.place.end);
                let old = old.filter(|_| charset == UTF_8).and_then(|old| std::str::from_utf8(old).ok());
                let around = old.and_then(|old| markdown::written_around(old, reference, form));
                *written.borrow_mut() = around.or_else(|| markdown::written(reference, form));
                return written.borrow().is_some();
            }
            // In a cell of a table, it would get the escapes of `|` once more.
            let around = target.text_around(reference, occurrence).filter(|_| occurrence.form.is_none());
            if around.as_deref().is_some_and(|text| reads_as(occurrence, Some(text), reference)) {
                *written.borrow_mut() = around;
                return true;
            }
            let text = target.text(reference, occurrence);
            // In the Roman set of JIS, which a page may be in there, a `\\` is a yen sign, and escapes nothing.
            let is_lost = charset == ISO_2022_JP && text.as_deref().unwrap_or(reference).contains(['\\', '~']);
            // In a cell of a table, a `|` needs an escape, which a list of references is not read back with.
            let has_pipe = occurrence.form.is_some() && text.as_deref().unwrap_or(reference).contains('|');
            let is_lost = is_lost || (has_pipe && may_have_several(occurrence));
            let can_be = !is_lost && reads_as(occurrence, text.as_deref(), reference);
            let text = if has_pipe { Some(text.as_deref().unwrap_or(reference).replace('|', "\\|")) } else { text };
            *written.borrow_mut() = text;
            can_be
        };
        let cost = (base.as_str().len() + link.uri.len()) as u64;
        self.remaining = self.remaining.checked_sub(cost).ok_or(LeftReason::TooLong)?;
        let needs_absolute = self.needs_absolute;
        let asked = Asked { link, occurrence, base, own_base, needs_absolute, can_be: &can_be };
        let Some(reference) = self.choose.choose(&asked)? else { return Ok(None) };
        // In a mirror, a short URI may redirect to a file with a long name.
        let excess = (reference.len() as u64).saturating_sub(cost);
        let Some(remaining) = self.remaining.checked_sub(excess) else {
            self.remaining = 0;
            return Err(LeftReason::TooLong);
        };
        self.remaining = remaining;
        // That of the last reference that could be written is that of the chosen one.
        Ok(Some(NewText { place: occurrence.place, reference, written: written.into_inner() }))
    }

    /// Finishes the current value: none of the links that follow is in it.
    pub(super) fn finish_value(&mut self) {
        if !self.value.is_started() {
            return;
        }
        match self.value.finish() {
            Ok(edits) => edits.into_iter().for_each(|new| self.write(new)),
            Err((why, count)) => self.totals.add_left(why, count),
        }
    }

    fn write(&mut self, new: NewText<'_>) {
        if self.texts.add(new, self.charset) {
            self.totals.rewritten += 1;
        } else {
            self.totals.add_left(LeftReason::TooLong, 1);
        }
    }
}

impl<C: Choose, W: Write> Session<'_, C, Splicer<'_, '_, W>> {
    /// Writes the page up to the offset `end`, up to which all links are known.
    pub(super) fn write_to(&mut self, end: u64) -> io::Result<()> {
        self.finish_value();
        self.texts.write_to(end)
    }

    /// Writes the rest of the page. Returns `false`, and writes nothing, if all of it stays as it is.
    pub(super) fn finish(mut self) -> io::Result<bool> {
        self.finish_value();
        let is_same = self.texts.start().is_some();
        if is_same { Ok(false) } else { self.texts.write_to(u64::MAX).map(|()| true) }
    }
}

impl<C: Choose, T: NewTexts> PageSink for Session<'_, C, T> {
    fn positions(&self) -> Positions {
        self.texts.positions()
    }

    fn wants_bases(&self) -> bool {
        C::WANTS_BASES
    }

    fn wants_open_graph(&self) -> bool {
        C::WANTS_OPEN_GRAPH
    }

    fn wants_integrity(&self) -> bool {
        self.choose.wants_integrity()
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        self.add_link(link, locate().as_ref());
        // Only ends the reading.
        if self.texts.has_failed() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

/// The session of a page of which another reader finds the links, and takes the edits while it does.
impl<C: Choose, T: NewTexts> PageSink for &RefCell<Session<'_, C, T>> {
    fn positions(&self) -> Positions {
        self.borrow().texts.positions()
    }

    fn wants_bases(&self) -> bool {
        C::WANTS_BASES
    }

    fn wants_open_graph(&self) -> bool {
        C::WANTS_OPEN_GRAPH
    }

    fn wants_integrity(&self) -> bool {
        self.borrow().choose.wants_integrity()
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        self.borrow_mut().link(link, locate)
    }
}

/// Reports whether a page is written for readers of XML, too. `start` is its first bytes.
pub(super) fn is_xml(start: &[u8]) -> bool {
    let start = &start[..start.len().min(START_LEN)];
    // Of UTF-16, half of the bytes.
    let start = match memchr(0, start) {
        None => Cow::Borrowed(start),
        Some(_) => start.iter().copied().filter(|byte| *byte != 0).collect(),
    };
    [&b"<?xml"[..], b"//DTD XHTML", b"http://www.w3.org/1999/xhtml", b"http://www.w3.org/2000/svg"]
        .into_iter()
        .any(|sign| memmem::find(&start, sign).is_some())
}

const START_LEN: usize = 1024;
