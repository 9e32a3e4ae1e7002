//! Resolves links that were found, within the limits, and passes those on that the options and the sink want.

use std::borrow::Cow;
use std::io;

use relref::UriRef;

use super::anchor::Anchor;
use super::kind::{Kind, is_fetched};
use super::limits::{Limits, MAX_KEPT_LEN};
use super::link::{FoundLink, Link, PageFacts, Rejected};
use super::occurrence::Occurrence;
use super::options::Options;
use super::page_base::{OwnedBase, PageBase};
use super::page_sink::{Locate, PageSink};
use super::places::Places;
use super::values::clean::clean_reference;

pub(super) struct LinkResolver<'s> {
    pub(super) options: &'s Options,
    pub(super) buffers: &'s mut LinkBuffers,
    /// The base of the page as if there were no `base` element.
    pub(super) own_base: PageBase<'s>,
    /// The base that the `base` element gives, or `own_base` if the page has no valid one.
    pub(super) base: PageBase<'s>,
    /// In a reference, `\` is a character like any other, not a separator as in HTML: the page is rendered from another markup, whose
    /// renderer percent-encodes it.
    pub(super) escapes_backslash: bool,
    /// `None` unless the options or the sink want positions.
    pub(super) places: Option<Places>,
    /// A link was reported, or waits.
    pub(super) has_links: bool,
    /// `nofollow` is always false unless [`Options::robots`] is on. Links are reported either way.
    pub(super) page: PageFacts<'s>,
    /// Receives no more links after an error.
    pub(super) sink: &'s mut dyn PageSink,
    pub(super) failure: Option<io::Error>,
    pub(super) limits: Limits,
}

#[derive(Default)]
pub(super) struct LinkBuffers {
    /// Used only if the reference has line breaks or tabs, then without these.
    reference: String,
    /// The URI of a link; empty if the link is rejected.
    uri: String,
    pub(super) anchor: Anchor,
    /// The `media` of the `style` whose text comes next.
    pub(super) style_media: String,
    /// Its `type` is not that of CSS.
    pub(super) skips_style: bool,
    /// The last `form` is not sent by GET. Buttons outside of it may belong to it, too.
    pub(super) is_posted_form: bool,
    /// A value or text while it is decoded.
    pub(super) value: Vec<u8>,
}

/// Passes on a link, or lets it wait for the text of the open `a`. Returns true if that must be closed now.
pub(super) fn pass_on(
    anchor: &mut Anchor,
    max_text: usize,
    link: &Link<'_>,
    is_anchor: bool,
    locate: &mut Locate<'_, '_>,
    sink: &mut dyn PageSink,
) -> io::Result<bool> {
    if max_text > 0 && (is_anchor || anchor.is_open()) {
        return Ok(anchor.push_link(link, is_anchor));
    }
    sink.link(link, locate).map(|()| false)
}

impl<'s> LinkResolver<'s> {
    /// If the page has a `base` or `nofollow`, the caller sets [`base`](Self::base) and [`page`](Self::page).
    pub(super) fn new(
        options: &'s Options,
        buffers: &'s mut LinkBuffers,
        base: PageBase<'s>,
        page: PageFacts<'s>,
        sink: &'s mut dyn PageSink,
    ) -> Self {
        let limits = Limits { max_uri: options.max_uri, remaining: options.max_total };
        let (own_base, places, has_links, failure) = (base, None, false, None);
        LinkResolver {
            options,
            buffers,
            own_base,
            base,
            escapes_backslash: false,
            places,
            has_links,
            page,
            sink,
            failure,
            limits,
        }
    }

    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.options.kinds.is_empty() || self.options.kinds.contains(&kind)
    }

    /// Resolves a link and passes it on, or lets it wait for the text of the open `a`. `text` is `None` on an `a`, whose text is not yet
    /// known. `locate` finds the occurrence of the reference.
    pub(super) fn add<'l>(
        &mut self,
        link: &FoundLink<'_>,
        text: Option<&str>,
        may_be_empty: bool,
        base: PageBase<'_>,
        rejected: Option<Rejected>,
        locate: impl FnOnce(Option<&mut Places>, &str) -> Option<Occurrence<'l>>,
    ) {
        let FoundLink { kind, reference: written, .. } = *link;
        if !self.wants(kind) {
            return;
        }
        // Such a form is sent to its page (HTML §4.10.21.3). A space would be an action.
        let has_no_action = written.is_empty() && kind == Kind::Form;
        let LinkBuffers { reference: buffer, uri, anchor, .. } = &mut *self.buffers;
        let reference = clean_reference(written, buffer);
        if self.failure.is_some() || (reference.is_empty() && !may_be_empty) {
            return;
        }
        let (own_base, written_base) = (self.own_base, base);
        let base = if has_no_action { own_base } else { base };
        let scheme = || UriRef::new(reference).scheme().unwrap_or(base.scheme());
        if self.options.fetchable && !is_fetched(scheme()) {
            return;
        }
        self.has_links = true;
        if !self.sink.wants_link() {
            return;
        }
        uri.clear();
        let encoded = match self.escapes_backslash && reference.contains('\\') {
            true => Cow::Owned(reference.replace('\\', "%5C")),
            false => Cow::Borrowed(reference),
        };
        let rejected = rejected.or_else(|| self.limits.resolve_into(base, &encoded, uri).err());
        if rejected.is_some() && !self.options.rejected && !self.sink.wants_rejected() {
            return;
        }
        let (mut locate, places) = (Some(locate), &mut self.places);
        let mut occurrence = || {
            let mut found = locate.take()?(places.as_mut(), written)?;
            found.reading.may_be_empty = may_be_empty || found.is_base;
            found.base = Some(written_base);
            // A base within others is not relative to the page.
            found.own_base = Some(if found.is_base { written_base } else { own_base });
            Some(found)
        };
        let place = if self.options.places { occurrence().map(|found| found.place) } else { None };
        let is_anchor = text.is_none();
        let text = text.unwrap_or_default();
        let link = Link { uri, text, place, rejected, reference, ..self.page.link(link) };
        match pass_on(anchor, self.options.max_text, &link, is_anchor, &mut occurrence, self.sink) {
            Ok(false) => {}
            Ok(true) => self.close_anchor(),
            Err(error) => self.failure = Some(error),
        }
    }

    pub(super) fn close_anchor(&mut self) {
        let anchor = &mut self.buffers.anchor;
        if anchor.is_open() && self.failure.is_none() {
            self.failure = anchor.close(self.options.max_text, self.page, self.sink).err();
        }
    }

    /// Resolves a value such as that of `codebase`; `None` if it is only white space.
    pub(super) fn inner_base(&mut self, value: &str, base: PageBase<'_>) -> Result<Option<OwnedBase>, Rejected> {
        let mut buffer = String::new();
        let reference = clean_reference(value, &mut buffer);
        if reference.is_empty() {
            return Ok(None);
        }
        let mut uri = String::new();
        // The limits count it, because many short values with a long base could take too much time.
        self.limits.resolve_into(base, reference, &mut uri)?;
        Ok(Some(OwnedBase::new(uri, base)))
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
        (self.skips_style, self.is_posted_form) = (false, false);
    }
}
