//! Reports links: leaves out those that the caller does not want, resolves the others within the limits, and passes them on.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::sync::Arc;

use encoding_rs::Encoding;
use relref::UriRef;

use super::anchor::Anchor;
use super::asked::{AskedPlaces, WantedLinks};
use super::kind::{Kind, is_fetched};
use super::limits::{Limits, MAX_KEPT_LEN};
use super::link::{FoundLink, Link, PageFacts, Rejected};
use super::options::Options;
use super::page_base::{NewBase, PageBase};
use super::places::Places;
use super::preview::Preview;
use super::site::Located;
use super::tokens::attribute::{Attribute, AttributeSet};
use super::tree::Tree;
use super::values::clean::clean_reference;

pub(super) struct Reporter<'s> {
    pub(super) options: &'s Options,
    pub(super) buffers: &'s mut LinkBuffers,
    /// The base of the page as if there were no `base` element.
    pub(super) own_base: PageBase<'s>,
    /// The base that the `base` element gives, or `own_base` if the page has no valid one.
    pub(super) base: PageBase<'s>,
    /// The same for CSS, in which queries are UTF-8 whatever the page is in (CSS Values 4 §4.5.4); `None` if there is no difference.
    pub(super) css_base: Option<PageBase<'s>>,
    pub(super) needed_attributes: AttributeSet,
    /// The character encoding of the bytes that are scanned; `None` for UTF-8.
    pub(super) charset: Option<&'static Encoding>,
    /// `None` unless [`Options::places`] is on.
    pub(super) places: Option<Places>,
    /// Facts that are still sought: see [`Report`](super::read::Report).
    pub(super) open: Option<Preview>,
    /// The place in the chunk of the tag that stated one.
    pub(super) late_tag: Option<usize>,
    /// A link was reported, or waits.
    pub(super) has_links: bool,
    /// `nofollow` is always false unless [`Options::robots`] is on. Links are reported either way.
    pub(super) page: PageFacts<'s>,
    /// Receives no more links after an error.
    pub(super) each: &'s mut dyn FnMut(&Link<'_>) -> io::Result<()>,
    pub(super) failure: Option<io::Error>,
    pub(super) limits: Limits,
    /// The HTML is that of an attribute or of a feed.
    pub(super) is_inner: bool,
}

// By reference: to copy 240 bytes that were just written field by field takes a tenth of the time of a link.
pub(super) type Each<'e> = dyn FnMut(&Link<'_>) -> io::Result<()> + 'e;

/// Calls `read` with a receiver that returns an error when `each` breaks off, so that `read` ends.
pub(super) fn until_break_off<B>(
    mut each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    read: impl FnOnce(&mut dyn FnMut(&Link<'_>) -> io::Result<()>),
) -> ControlFlow<B> {
    let mut broken = None;
    read(&mut |link| match each(*link) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(value) => {
            broken = Some(value);
            // Only ends the reading.
            Err(io::Error::from(ErrorKind::Interrupted))
        }
    });
    broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// Returns true if the open `a` must be closed now.
pub(super) fn pass_on(
    anchor: &mut Anchor,
    max_text: usize,
    link: &Link<'_>,
    is_anchor: bool,
    each: &mut dyn FnMut(&Link<'_>) -> io::Result<()>,
) -> io::Result<bool> {
    if max_text > 0 && (is_anchor || anchor.is_open()) {
        return Ok(anchor.push_link(link, is_anchor));
    }
    each(link).map(|()| false)
}

#[derive(Default)]
pub(super) struct LinkBuffers {
    /// Used only if the reference has line breaks or tabs, then without these.
    reference: String,
    /// The URI of a link; if the link is rejected, only the scheme and the colon.
    uri: String,
    pub(super) anchor: Anchor,
    /// The `media` of the `style` whose text comes next.
    pub(super) style_media: String,
    /// Its `type` is not that of CSS.
    pub(super) skips_style: bool,
    /// A value or text while it is decoded.
    pub(super) value: Vec<u8>,
    /// `Some` to read a page as the tree that browsers make of it: without the links in a `template`, and those of forms that are
    /// not sent by GET.
    pub(super) tree: Option<Tree>,
    /// If it is there, links are reported without their places.
    pub(super) asked_places: Option<Arc<AskedPlaces>>,
    /// `None` for all.
    pub(super) wanted_links: Option<Arc<WantedLinks>>,
    /// Links have sites, and the `href` of each `base` counts as one.
    pub(super) for_rewriting: bool,
}

impl<'s> Reporter<'s> {
    /// If the page has a `base` or `nofollow`, the caller sets [`base`](Self::base) and [`page`](Self::page).
    pub(super) fn new(
        options: &'s Options,
        buffers: &'s mut LinkBuffers,
        base: PageBase<'s>,
        each: &'s mut dyn FnMut(&Link<'_>) -> io::Result<()>,
    ) -> Self {
        let mut needed_attributes = AttributeSet::for_links(options.lazy, options.items);
        if options.max_text > 0 {
            needed_attributes.insert(Attribute::Alt);
        }
        if let Some(tree) = &buffers.tree {
            needed_attributes = needed_attributes.union(tree.needed_attributes());
        }
        let limits = Limits { max_uri: options.max_uri, remaining: options.max_total };
        Reporter {
            options,
            buffers,
            own_base: base,
            base,
            css_base: None,
            needed_attributes,
            charset: None,
            places: None,
            open: None,
            late_tag: None,
            has_links: false,
            page: PageFacts::default(),
            each,
            failure: None,
            limits,
            is_inner: false,
        }
    }

    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.options.kinds.is_empty() || self.options.kinds.contains(&kind)
    }

    /// Reports a link, or lets it wait for the text of the open `a`. `text` is `None` on an `a`, whose text is not yet known. `locate`
    /// finds the place of the reference.
    pub(super) fn report<'l>(
        &mut self,
        link: &FoundLink<'_>,
        text: Option<&str>,
        may_be_empty: bool,
        base: PageBase<'_>,
        rejected: Option<Rejected>,
        locate: impl FnOnce(Option<&mut Places>, &str) -> Option<Located<'l>>,
    ) {
        let FoundLink { kind, reference, .. } = *link;
        if !self.wants(kind) {
            return;
        }
        // Such a form is sent to its page (HTML §4.10.21.3). A space would be an action.
        let has_no_action = reference.is_empty() && kind == Kind::Form;
        let is_wanted = self.buffers.wanted_links.as_ref().is_none_or(|wanted| wanted.wants_next());
        let locates_later = self.buffers.asked_places.is_some();
        let LinkBuffers { reference: buffer, uri, anchor, for_rewriting, .. } = &mut *self.buffers;
        let written = reference;
        let reference = clean_reference(written, buffer);
        if self.failure.is_some() || (reference.is_empty() && !may_be_empty) {
            return;
        }
        let written_base = base;
        let base = if has_no_action { self.own_base } else { base };
        let scheme = || UriRef::new(reference).scheme().unwrap_or(base.scheme());
        if self.options.fetchable && !is_fetched(scheme()) {
            return;
        }
        uri.clear();
        let resolve = || self.limits.resolve_into(base, reference, uri).err();
        let rejected = if is_wanted { rejected.or_else(resolve) } else { None };
        if rejected.is_some() {
            uri.push_str(scheme());
            uri.push(':');
        }
        let mut locate = Some(locate);
        // Assigned once, so that it is not copied.
        let mut located = match locate.take_if(|_| is_wanted && !locates_later) {
            Some(locate) => locate(self.places.as_mut(), written),
            None => None,
        };
        if let Some(Located { site, .. }) = &mut located {
            site.reading.may_be_empty = may_be_empty || site.is_base;
            site.base = Some(written_base);
            // A base within others is not relative to the page.
            site.own_base = Some(if site.is_base { written_base } else { self.own_base });
        }
        let place = located.as_ref().map(|located| located.place);
        let site = located.as_ref().filter(|_| *for_rewriting).map(|located| &located.site);
        self.has_links = true;
        let is_anchor = text.is_none();
        let text = text.unwrap_or_default();
        let link = Link { uri, text, place, site, rejected, reference, ..self.page.link(link) };
        match pass_on(anchor, self.options.max_text, &link, is_anchor, self.each) {
            Ok(false) => {}
            Ok(true) => self.close_anchor(),
            Err(error) => self.failure = Some(error),
        }
        if let (Some(asked), Some(locate)) = (&self.buffers.asked_places, locate) {
            asked.answer(|| locate(self.places.as_mut(), written).map(|located| located.place));
        }
    }

    pub(super) fn close_anchor(&mut self) {
        let anchor = &mut self.buffers.anchor;
        if anchor.is_open() && self.failure.is_none() {
            self.failure = anchor.close(self.options.max_text, self.page, self.each).err();
        }
    }

    /// Resolves a value such as that of `codebase`; `None` if it is only white space.
    pub(super) fn inner_base(&mut self, value: &str, base: PageBase<'_>) -> Result<Option<NewBase>, Rejected> {
        let mut buffer = String::new();
        let reference = clean_reference(value, &mut buffer);
        if reference.is_empty() {
            return Ok(None);
        }
        let mut uri = String::new();
        // The limits count it, because many short values with a long base could take too much time.
        self.limits.resolve_into(base, reference, &mut uri)?;
        Ok(Some(NewBase::new(uri, base)))
    }
}

impl LinkBuffers {
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.reference, &mut self.uri] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_LEN);
        }
        self.value.clear();
        self.value.shrink_to(MAX_KEPT_LEN);
        self.anchor.clear();
        self.style_media.clear();
        self.skips_style = false;
        if let Some(tree) = &mut self.tree {
            tree.clear();
        }
    }
}
