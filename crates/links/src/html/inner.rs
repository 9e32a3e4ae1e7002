//! The links of the HTML that an attribute, or a text of a feed, holds.

use std::fmt::Write;

use encoding_rs::UTF_8;

use super::link::Link;
use super::page_base::{NewBase, PageBase};
use super::places::{Origin, Places};
use super::preview::{self, Preview};
use super::reporter::{LinkBuffers, Reporter, pass_on};
use super::tokens::character_references::TextKind;
use super::tokens::scanner::{After, Scanner};
use super::values::clean::decode;

impl Reporter<'_> {
    /// Reports the links of `html` as those of this element and attribute, with `base`; with `may_have_base`, a `base` element counts.
    /// The `srcdoc` of an `iframe` in it is not read, so that the depth is 1.
    pub(super) fn report_inner(
        &mut self,
        html: &str,
        (element, attribute): (&str, &str),
        base: PageBase<'_>,
        may_have_base: bool,
    ) {
        if self.is_inner || self.failure.is_some() || !html.contains('<') {
            return;
        }
        let (options, page) = (self.options, self.page);
        let mut copy = None;
        // It is read as UTF-8 (HTML §7.4.5, "create navigation params from a srcdoc resource").
        let own_base = base.in_charset(None, options.legacy_queries, &mut copy);
        let mut scanner = Scanner::default();
        let base = if may_have_base { base_element(html, &mut scanner, own_base) } else { None };
        let (mut buffers, mut inner_name) = (LinkBuffers::default(), String::new());
        // The page in an attribute is not rewritten.
        buffers.for_rewriting = self.buffers.for_rewriting && !may_have_base;
        let (anchor, each) = (&mut self.buffers.anchor, &mut *self.each);
        let mut each_inner = |link: &Link<'_>| {
            inner_name.clear();
            let _ = write!(inner_name, "{} {}", link.element, link.attribute);
            let link = Link { element, attribute, inner: &inner_name, ..*link };
            if pass_on(anchor, options.max_text, &link, false, each)? {
                anchor.close(options.max_text, page, each)?;
            }
            Ok(())
        };
        let mut inner = Reporter::new(options, &mut buffers, own_base, &mut each_inner);
        inner.base = base.as_ref().map_or(own_base, NewBase::as_page_base);
        inner.page = page;
        inner.limits.remaining = self.limits.remaining;
        inner.is_inner = true;
        if inner.buffers.for_rewriting {
            let mut places = Places::new(None, 0, Origin::Same(0));
            places.counts_lines = false;
            inner.places = Some(places);
        }
        scanner.scan(html.as_bytes(), After::Nothing, &mut inner);
        inner.close_anchor();
        self.limits.remaining = inner.limits.remaining;
        self.has_links |= inner.has_links;
        self.failure = inner.failure.take();
    }
}

fn base_element(html: &str, scanner: &mut Scanner, own_base: PageBase<'_>) -> Option<NewBase> {
    let mut preview = Preview::new(UTF_8, 0, preview::may_be_in(html.as_bytes(), preview::BASE, UTF_8));
    scanner.scan(html.as_bytes(), After::Nothing, &mut preview);
    scanner.clear();
    NewBase::of_element(&decode(&preview.base?, TextKind::Attribute, None, &mut Default::default()), own_base)
}
