//! The second pass over a page, chunk by chunk, once the facts about it are known: it finds the links.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::mem;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use relref::whatwg;

use crate::html::link::PageFacts;
use crate::html::link_finder::LinkFinder;
use crate::html::link_resolver::{LinkBuffers, LinkResolver};
use crate::html::options::Options;
use crate::html::page_base::{OwnedBase, PageBase};
use crate::html::page_sink::PageSink;
use crate::html::places::{Places, Positions, TextOffsets};
use crate::html::preview::Preview;
use crate::html::rendered::SourceMap;
use crate::html::tokens::character_references::TextKind;
use crate::html::tokens::scanner::{After, Scanner};
use crate::html::values::clean::{charset_of_text, decode};

pub(crate) struct LinkPass {
    /// See [`PageBase::in_charset`].
    copy: Option<whatwg::Base>,
    /// The base that the `base` element gives; `None` if the page has no valid one.
    base: Option<OwnedBase>,
    /// See [`LinkFinder::css_base`].
    css_copy: Option<whatwg::Base>,
    pub(super) charset: &'static Encoding,
    /// The character encoding of the page that is rendered.
    rendered_from: Option<&'static Encoding>,
    page_nofollow: bool,
    title: String,
    /// The length, in bytes, that all later URIs may have together, as in [`Limits`](crate::html::limits::Limits).
    remaining: u64,
    places: Option<Places>,
    /// Facts that are still sought, as the page was too long to wait for them: they count up to the first link.
    late_facts: Option<Preview>,
    has_links: bool,
    /// Such a fact came after a link.
    is_late: bool,
    pub(super) failure: Option<io::Error>,
}

impl LinkPass {
    /// `own_base` is the same for each call.
    pub(super) fn new(options: &Options, mut preview: Preview, own_base: PageBase<'_>, positions: Positions) -> Self {
        let Preview { charset, bom_len, nofollow, .. } = preview;
        preview.has_changed = false;
        let title = preview.title();
        let positions = if options.places { Positions::Lines } else { positions };
        let places = (positions != Positions::Unknown).then(|| {
            let bom_len = bom_len as u64;
            Places::new(
                charset_of_text(charset),
                bom_len,
                match charset {
                    _ if charset.is_ascii_compatible() => TextOffsets::Same(bom_len),
                    _ if charset == UTF_16LE || charset == UTF_16BE => TextOffsets::Utf16(bom_len),
                    _ => TextOffsets::Points([(0, bom_len)].into()),
                },
                positions,
            )
        });
        let mut pass = LinkPass {
            copy: None,
            base: None,
            css_copy: None,
            charset,
            rendered_from: None,
            page_nofollow: nofollow,
            title,
            remaining: options.max_total,
            places,
            late_facts: None,
            has_links: false,
            is_late: false,
            failure: None,
        };
        pass.set_base(options, own_base, preview.base.as_deref());
        pass.late_facts = Some(preview).filter(Preview::seeks_any);
        pass
    }

    /// Reads the HTML that the page is rendered to, instead of the page.
    #[cfg_attr(not(feature = "markdown"), allow(dead_code))]
    pub(super) fn set_source(&mut self, parts: SourceMap, charset: &'static Encoding) {
        self.rendered_from = Some(charset);
        if let Some(places) = &mut self.places {
            *places = Places::new(None, 0, TextOffsets::Rendered(parts), Positions::Offsets);
        }
    }

    pub(super) fn points(&mut self) -> Option<&mut VecDeque<(u64, u64)>> {
        self.places.as_mut()?.points()
    }

    /// Sets the length, in bytes, of what follows the byte order mark. Must be called if the text that is scanned is not the page.
    pub(super) fn set_page_len(&mut self, len: u64) {
        if let Some(places) = &mut self.places {
            places.page_len = len.saturating_add(places.bom_len);
        }
    }

    /// The length of the page after which places are still asked for.
    pub(super) fn read_len(&self) -> u64 {
        self.places.as_ref().map_or(0, Places::read_len)
    }

    fn query_charset(&self) -> Option<&'static Encoding> {
        Some(self.charset).filter(|charset| ![UTF_8, UTF_16LE, UTF_16BE].contains(charset))
    }

    /// `href` is as written, and may be empty.
    fn set_base(&mut self, options: &Options, own_base: PageBase<'_>, href: Option<&[u8]>) {
        let (Some(href), mut buffer) = (href, Vec::new()) else { return };
        let charset = self.query_charset();
        let own_base = own_base.in_charset(charset, options.legacy_queries, &mut self.copy);
        let href = decode(href, TextKind::Attribute, charset_of_text(self.charset), &mut buffer);
        self.base = OwnedBase::of_element(&href, own_base);
        self.css_copy = None;
    }

    /// Returns the length that was read. After a failure, nothing more is reported.
    pub(super) fn scan(
        &mut self,
        options: &Options,
        page_base: PageBase<'_>,
        scanner: &mut Scanner,
        buffers: &mut LinkBuffers,
        (chunk, after): (&[u8], After),
        sink: &mut dyn PageSink,
    ) -> usize {
        let mut read = 0;
        loop {
            if let Some(base) = &self.base {
                sink.base(base.as_page_base().as_str());
            }
            let charset = self.query_charset();
            let own_base = page_base.in_charset(charset, options.legacy_queries, &mut self.copy);
            let page_charset = self.rendered_from.unwrap_or(self.charset);
            let page = PageFacts { title: &self.title, charset: Some(page_charset), nofollow: self.page_nofollow };
            let mut links = LinkResolver::new(options, buffers, own_base, page, sink);
            links.base = self.base.as_ref().map_or(own_base, OwnedBase::as_page_base);
            links.escapes_backslash = self.rendered_from.is_some();
            links.limits.remaining = self.remaining;
            links.places = self.places.take();
            let css_base = charset.map(|_| links.base.in_charset(None, false, &mut self.css_copy));
            let mut finder = LinkFinder::new(links, charset_of_text(self.charset));
            finder.css_base = css_base;
            finder.late_facts = self.late_facts.take();
            let len = scanner.scan(&chunk[read..], after, &mut finder);
            // The tag of a late fact is read again, by it.
            let len = finder.late_tag.unwrap_or(len);
            let LinkFinder { links, late_facts, .. } = finder;
            self.remaining = links.limits.remaining;
            self.places = links.places;
            self.failure = links.failure;
            self.has_links |= links.has_links;
            let goes_on = late_facts.as_ref().is_some_and(|facts| facts.has_changed) && self.failure.is_none();
            // The lines at the end of a page, where no place is asked for any more, need not be counted.
            if let Some(places) = self.places.as_mut().filter(|_| goes_on || after != After::Nothing) {
                places.end_chunk(&chunk[read..], len);
            }
            read += len;
            match late_facts {
                Some(facts) if goes_on => self.take_late_facts(options, page_base, facts),
                facts => {
                    self.late_facts = facts;
                    return read;
                }
            }
        }
    }

    fn take_late_facts(&mut self, options: &Options, own_base: PageBase<'_>, mut facts: Preview) {
        facts.has_changed = false;
        if self.has_links || facts.other_charset.is_some() {
            self.is_late = true;
        } else {
            (self.charset, self.page_nofollow) = (facts.charset, self.page_nofollow | facts.nofollow);
            self.title = facts.title();
            if let Some(places) = &mut self.places {
                places.set_charset(charset_of_text(self.charset));
            }
            self.set_base(options, own_base, facts.base.as_deref());
        }
        self.late_facts = Some(facts).filter(Preview::seeks_any);
    }

    /// Reports what waits for its text. Fails if something was too long to be kept.
    pub(super) fn finish(
        &mut self,
        options: &Options,
        scanner: &Scanner,
        buffers: &mut LinkBuffers,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        let anchor = &mut buffers.anchor;
        let mut done = mem::take(&mut self.failure).map_or(Ok(()), Err);
        if done.is_ok() && anchor.is_open() {
            let page = PageFacts { title: &self.title, charset: Some(self.charset), nofollow: self.page_nofollow };
            done = anchor.close(options.max_text, page, sink);
        }
        let why = match () {
            () if scanner.is_incomplete => "links in a tag or a style sheet of more than 8 MiB",
            () if self.is_late => {
                "a base, a character encoding or a rule for robots after links that did not wait for it"
            }
            () => "",
        };
        if done.is_ok() && !why.is_empty() {
            done = Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        if let Some((place, why)) = scanner.xml_error().filter(|_| done.is_ok()) {
            let form = if self.charset.is_ascii_compatible() { "" } else { " as UTF-8" };
            let rest = if scanner.is_html() { ": the rest is read as HTML" } else { "" };
            let why = format!("not well-formed XML, {why} at byte {place}{form}{rest}");
            done = Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        done
    }
}
