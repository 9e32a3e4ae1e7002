//! One page while it is rewritten: from its links to the bytes to write.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::mem;

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem};

use super::choose::{Asked, Choose};
use super::splicer::Splices;
use super::totals::{LeftReason, Totals};
use super::value::{NewText, Value, may_have_several, reads_as};
use super::written::Target;
use crate::html::{Link, Locate, Occurrence, PageSink, Positions, Rejected};
#[cfg(feature = "markdown")]
use crate::markdown;

/// A reference that is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Edit<'e> {
    /// The offset in bytes of the first byte of the old reference in the page.
    pub start: u64,
    /// The offset after its last byte.
    pub end: u64,
    /// The text from `start` to `end`, decoded by the page's character encoding: with character references and CSS escapes as they
    /// are written.
    pub old: &'e str,
    /// The text that replaces it, with quotes if the value had none and needs them.
    pub new: &'e str,
}

/// Receives the edits of pages.
pub(super) type EachEdit<'e> = Box<dyn FnMut(Edit<'_>) + Send + 'e>;

pub(super) struct Session<'s, 'e, C> {
    pub(super) choose: &'s mut C,
    pub(super) totals: &'s mut Totals,
    pub(super) each_edit: Option<&'s mut EachEdit<'e>>,
    pub(super) is_xml: bool,
    /// The page, if the HTML that is read is not it.
    pub(super) source: &'s [u8],
    value: Value,
    charset: &'static Encoding,
    pub(super) splices: Splices,
    /// In a part of a feed, gets the new texts instead.
    pub(super) part: Option<Vec<NewText<'static>>>,
    /// The length that bases and URIs may have together, so that time is linear.
    remaining: u64,
}

impl<'s, 'e, C: Choose> Session<'s, 'e, C> {
    pub(super) fn new(
        choose: &'s mut C,
        totals: &'s mut Totals,
        each_edit: Option<&'s mut EachEdit<'e>>,
        remaining: u64,
    ) -> Self {
        let (value, splices) = (Value::default(), Splices::default());
        Session {
            choose,
            totals,
            each_edit,
            is_xml: false,
            source: &[],
            value,
            charset: UTF_8,
            splices,
            part: None,
            remaining,
        }
    }

    fn add_link(&mut self, link: &Link<'_>, occurrence: Option<&Occurrence<'_>>) {
        let charset = link.page_charset.unwrap_or(UTF_8);
        self.charset = charset;
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
        let new = match self.choose(link, occurrence, charset) {
            Ok(new) => {
                self.totals.kept += u64::from(new.is_none() && !occurrence.is_base);
                new
            }
            Err(why) => {
                self.totals.add_left(why, u64::from(!occurrence.is_base));
                None
            }
        };
        match new {
            new if is_in_list => self.value.add(occurrence, link.reference, new),
            Some(new) => self.write(new),
            None => {}
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
            if let Some(form) = occurrence.form {
                *written.borrow_mut() = markdown::written(reference, form);
                return written.borrow().is_some();
            }
            let text = target.text(reference, occurrence);
            let can_be = reads_as(occurrence, text.as_deref(), reference);
            *written.borrow_mut() = text;
            can_be
        };
        let cost = (base.as_str().len() + link.uri.len()) as u64;
        self.remaining = self.remaining.checked_sub(cost).ok_or(LeftReason::TooLong)?;
        let asked = Asked { link, occurrence, base, own_base, can_be: &can_be };
        let Some(reference) = self.choose.choose(&asked)? else { return Ok(None) };
        // In a mirror, a short URI may redirect to a file with a long name.
        let excess = (reference.len() as u64).saturating_sub(cost);
        let Some(remaining) = self.remaining.checked_sub(excess) else {
            self.remaining = 0;
            return Err(LeftReason::TooLong);
        };
        self.remaining = remaining;
        let old = match &self.each_edit {
            Some(_) if occurrence.form.is_some() => {
                let old =
                    self.source.get(occurrence.place.start as usize..occurrence.place.end as usize).unwrap_or_default();
                charset.decode_without_bom_handling(old).0.into_owned()
            }
            Some(_) => occurrence
                .reading
                .charset
                .unwrap_or(UTF_8)
                .decode_without_bom_handling(occurrence.written().0)
                .0
                .into_owned(),
            None => String::new(),
        };
        // That of the last reference that could be written is that of the chosen one.
        Ok(Some(NewText {
            range: occurrence.place.start..occurrence.place.end,
            reference,
            written: written.into_inner(),
            old,
        }))
    }

    /// Finishes the current value: none of the links that follow is in it.
    pub(super) fn finish_value(&mut self) {
        if !self.value.is_started() {
            return;
        }
        let (edits, is_read_back) = self.value.finish();
        if !is_read_back {
            return self.totals.add_left(LeftReason::Unwritable, edits.len() as u64);
        }
        edits.into_iter().for_each(|new| self.write(new));
    }

    fn write(&mut self, new: NewText<'_>) {
        self.totals.rewritten += 1;
        if let Some(part) = &mut self.part {
            return part.push(new.into_owned());
        }
        if let Some(each) = &mut self.each_edit {
            each(Edit { start: new.range.start, end: new.range.end, old: &new.old, new: new.text() });
        }
        self.splices.push(new.range.clone(), new.text(), self.charset);
    }

    pub(super) fn take_splices(&mut self) -> Splices {
        self.finish_value();
        mem::take(&mut self.splices)
    }
}

impl<C: Choose> PageSink for Session<'_, '_, C> {
    fn positions(&self) -> Positions {
        Positions::Offsets
    }

    fn wants_bases(&self) -> bool {
        C::WANTS_BASES
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        self.add_link(link, locate().as_ref());
        Ok(())
    }
}

/// The session of a page of which another reader finds the links, and takes the edits while it does.
impl<C: Choose> PageSink for &RefCell<Session<'_, '_, C>> {
    fn positions(&self) -> Positions {
        Positions::Offsets
    }

    fn wants_bases(&self) -> bool {
        C::WANTS_BASES
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
