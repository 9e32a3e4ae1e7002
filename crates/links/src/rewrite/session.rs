//! One page while it is rewritten: from its links to the bytes to write.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::mem;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8};
use memchr::memmem;

use super::choose::{Asked, Choose};
use super::splicer::Splice;
use super::totals::{Left, Totals};
use super::value::{NewText, Value, may_have_several, reads_as};
use super::written::{Target, encode_all};
use crate::html::{Link, Rejected, Site};

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
    value: Value,
    charset: &'static Encoding,
    pub(super) splices: Vec<Splice>,
    /// In a part of a feed, gets the new texts instead.
    pub(super) part: Option<Vec<NewText>>,
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
        let (value, splices) = (Value::default(), Vec::new());
        Session { choose, totals, each_edit, is_xml: false, value, charset: UTF_8, splices, part: None, remaining }
    }

    pub(super) fn link(&mut self, link: &Link<'_>, charset: Option<&'static Encoding>) {
        let charset = charset.or(link.page_charset).unwrap_or(UTF_8);
        self.charset = charset;
        let Some(site) = link.site else {
            self.finish_value();
            let why = match link.attribute {
                _ if !link.inner.is_empty() => Left::Srcdoc,
                "text" if link.element == "guid" => Left::Identifier,
                "text" if link.element == "script" => Left::Script,
                _ => Left::Unwritable,
            };
            return self.totals.add_left(why, 1);
        };
        if site.is_base && !C::WANTS_BASES {
            return;
        }
        let is_in_list = may_have_several(site);
        if !self.value.is_of(site) {
            self.finish_value();
            if is_in_list {
                self.value.start(site);
            }
        }
        let (new, reference) = match self.choose(link, site, charset) {
            Ok(Some((reference, new))) => (Some(new), reference),
            Ok(None) => {
                self.totals.kept += u64::from(!site.is_base);
                (None, String::new())
            }
            Err(why) => {
                self.totals.add_left(why, u64::from(!site.is_base));
                (None, String::new())
            }
        };
        match new {
            new if is_in_list => {
                let reference = if new.is_some() { &reference } else { link.reference };
                self.value.add(site, reference, new);
            }
            Some(new) => self.write(new),
            None => {}
        }
    }

    fn choose(
        &mut self,
        link: &Link<'_>,
        site: &Site<'_>,
        charset: &'static Encoding,
    ) -> Result<Option<(String, NewText)>, Left> {
        match link.rejected {
            _ if site.has_no_value() => return Err(Left::NoValue),
            Some(Rejected::Invalid(_)) => return Err(Left::Invalid),
            Some(_) => return Err(Left::TooLong),
            None => {}
        }
        let (Some(place), Some(base), Some(own_base)) = (link.place, site.base, site.own_base) else {
            return Err(Left::Unwritable);
        };
        let target = Target { charset, is_xml: self.is_xml };
        let text = RefCell::new(String::new());
        let can_be = |reference: &str| {
            *text.borrow_mut() = target.text(reference, site);
            reads_as(site, &text.borrow(), reference)
        };
        let cost = (base.as_str().len() + link.uri.len()) as u64;
        self.remaining = self.remaining.checked_sub(cost).ok_or(Left::TooLong)?;
        let asked = Asked { link, site, base, own_base, can_be: &can_be };
        let Some(reference) = self.choose.choose(&asked)? else { return Ok(None) };
        // In a mirror, a short URI may redirect to a file with a long name.
        let excess = (reference.len() as u64).saturating_sub(cost);
        let Some(remaining) = self.remaining.checked_sub(excess) else {
            self.remaining = 0;
            return Err(Left::TooLong);
        };
        self.remaining = remaining;
        let old = match &self.each_edit {
            Some(_) => {
                site.reading.charset.unwrap_or(UTF_8).decode_without_bom_handling(site.written().0).0.into_owned()
            }
            None => String::new(),
        };
        // That of the last reference that could be written is that of the chosen one.
        Ok(Some((reference, NewText { range: place.start..place.end, text: text.into_inner(), old })))
    }

    /// Of the links after it, none is in the same value.
    pub(super) fn finish_value(&mut self) {
        let (edits, is_read_back) = self.value.finish();
        if !is_read_back {
            return self.totals.add_left(Left::Unwritable, edits.len() as u64);
        }
        edits.into_iter().for_each(|new| self.write(new));
    }

    fn write(&mut self, new: NewText) {
        self.totals.rewritten += 1;
        if let Some(part) = &mut self.part {
            return part.push(new);
        }
        let NewText { range, text, old } = new;
        if let Some(each) = &mut self.each_edit {
            each(Edit { start: range.start, end: range.end, old: &old, new: &text });
        }
        let bytes = encode_all(text, self.charset);
        self.splices.push(Splice { range, bytes, has_modes: self.charset == ISO_2022_JP });
    }

    pub(super) fn take_splices(&mut self) -> Vec<Splice> {
        self.finish_value();
        mem::take(&mut self.splices)
    }
}

/// Reports whether a page is written for readers of XML, too. `start` is its first bytes.
pub(super) fn is_xml(start: &[u8]) -> bool {
    let start: Vec<u8> = start[..start.len().min(START_LEN)].iter().copied().filter(|byte| *byte != 0).collect();
    [&b"<?xml"[..], b"//DTD XHTML", b"http://www.w3.org/1999/xhtml", b"http://www.w3.org/2000/svg"]
        .into_iter()
        .any(|sign| memmem::find(&start, sign).is_some())
}

const START_LEN: usize = 1024;
