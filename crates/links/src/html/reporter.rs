//! Reports links: leaves out those that the caller does not want, resolves the others within the limits, and passes them on.

use alloc::string::String;
use core::ops::ControlFlow;
use std::io::{self, ErrorKind};

use relref::UriRef;

use super::anchor::Anchor;
use super::attribute::{Attribute, AttributeSet};
use super::clean::clean_reference;
use super::found::FoundLink;
use super::limits::Limits;
use super::link::{Kind, Link, Rejected, is_fetched};
use super::page_base::{NewBase, PageBase};
use super::pages::Pages;
use super::tag::MAX_KEPT_LEN;

/// The reporter of the links of a page: it filters and resolves them, and passes them to the caller.
pub(super) struct Reporter<'s> {
    /// The options, and the buffers for links.
    pub(super) pages: &'s mut Pages,
    /// The page's own URI as a base, as if there were no `base` element.
    pub(super) own_base: PageBase<'s>,
    /// The base of the page: that of its `base` element, or `own_base` if it has no valid one.
    pub(super) base: PageBase<'s>,
    /// The attributes whose values must be read to report links with these options.
    pub(super) needed_attributes: AttributeSet,
    /// The [`Link::page_nofollow`] of all links: true if a `meta` asks robots to follow no link of the page. Always false unless
    /// [`Pages::robots`] is on. Links are reported either way.
    pub(super) page_nofollow: bool,
    /// The receiver of the links. After an error it receives no more.
    pub(super) each: &'s mut dyn FnMut(Link<'_>) -> io::Result<()>,
    /// The error that `each` returned; `None` as long as it returned none.
    pub(super) failure: Option<io::Error>,
    /// The limits for the lengths of the URIs that are still to come: of each, and of all of them together.
    pub(super) limits: Limits,
}

/// Calls `read` with a receiver of links that passes each link to `each`. When `each` breaks off, the receiver returns an error,
/// so that `read` ends. Returns the value that `each` broke off with, or `Continue` if it never did.
pub(super) fn until_break_off<B>(
    mut each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    read: impl FnOnce(&mut dyn FnMut(Link<'_>) -> io::Result<()>),
) -> ControlFlow<B> {
    let mut broken = None;
    read(&mut |link| match each(link) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(value) => {
            broken = Some(value);
            // Only ends the reading.
            Err(io::Error::from(ErrorKind::Interrupted))
        }
    });
    broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// The buffers for the link that is being reported, and for the links that wait for the text of an `a`.
#[derive(Default)]
pub(super) struct LinkBuffers {
    /// The reference of the link, if it has line breaks or tabs, without these. Otherwise not used.
    reference: String,
    /// The URI of the link; of a rejected link, its scheme and the colon.
    uri: String,
    /// The open `a`, and the links that wait for its text.
    pub(super) anchor: Anchor,
}

impl<'s> Reporter<'s> {
    /// Returns a reporter for a page with the URI `base`, as if it had no `base` element and no `nofollow`. If it has them, the
    /// caller sets the fields [`base`](Reporter::base) and [`page_nofollow`](Reporter::page_nofollow).
    pub(super) fn new(
        pages: &'s mut Pages,
        base: PageBase<'s>,
        each: &'s mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> Self {
        let mut needed_attributes = AttributeSet::for_links(pages.lazy, pages.items);
        if pages.max_text > 0 {
            needed_attributes.insert(Attribute::Alt);
        }
        let limits = Limits { max_uri: pages.max_uri, remaining: pages.max_total };
        let page_nofollow = pages.head_nofollow;
        Reporter { pages, own_base: base, base, needed_attributes, page_nofollow, each, failure: None, limits }
    }

    /// Reports whether the caller wants links of this kind.
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.pages.kinds.is_empty() || self.pages.kinds.contains(&kind)
    }

    /// Resolves a link against `base` and reports it, if the caller wants its kind and its scheme. If the caller wants texts,
    /// a link on or in an `a` waits for the text of the `a`. Does nothing after an error of `each`.
    ///
    /// `text` is the text of the link; `None` if the link is on an `a`, whose text is not yet known. `may_be_empty` is true if
    /// an empty reference is a link; if false, it is left out. The empty reference of a form is resolved against `own_base`
    /// instead of `base`. `rejected` is the reason why the link has no URI, if one is already known. If it is `None`, the link is
    /// still rejected if its URI exceeds a limit or is no valid URL.
    pub(super) fn report(
        &mut self,
        link: FoundLink<'_>,
        text: Option<&str>,
        may_be_empty: bool,
        base: PageBase<'_>,
        rejected: Option<Rejected>,
    ) {
        let FoundLink { element, attribute, kind, rel, reference } = link;
        if !self.wants(kind) {
            return;
        }
        // Such a form is sent to its page (HTML §4.10.21.3). A space would be an action.
        let has_no_action = reference.is_empty() && kind == Kind::Form;
        let LinkBuffers { reference: buffer, uri, anchor } = &mut self.pages.link_buffers;
        let reference = clean_reference(reference, buffer);
        if self.failure.is_some() || (reference.is_empty() && !may_be_empty) {
            return;
        }
        let base = if has_no_action { self.own_base } else { base };
        let scheme = || UriRef::new(reference).scheme().unwrap_or(base.scheme());
        if self.pages.fetchable && !is_fetched(scheme()) {
            return;
        }
        uri.clear();
        let rejected = rejected.or_else(|| self.limits.resolve_into(base, reference, uri).err());
        if rejected.is_some() {
            uri.push_str(scheme());
            uri.push(':');
        }
        let page_nofollow = self.page_nofollow;
        let is_anchor = text.is_none();
        let text = text.unwrap_or_default();
        let link = Link { element, attribute, kind, rel, page_nofollow, reference, uri, text, rejected };
        if self.pages.max_text > 0 && (is_anchor || anchor.is_open()) {
            if anchor.push_link(link, is_anchor) {
                self.close_anchor();
            }
        } else {
            self.failure = (self.each)(link).err();
        }
    }

    /// Closes the open `a`, whose text ends here, and reports the links that wait for it. Does nothing if no `a` is open,
    /// or after an error of `each`.
    pub(super) fn close_anchor(&mut self) {
        let anchor = &mut self.pages.link_buffers.anchor;
        if anchor.is_open() && self.failure.is_none() {
            self.failure = anchor.close(self.pages.max_text, self.page_nofollow, self.each).err();
        }
    }

    /// Returns the base that is the value of an attribute, such as `codebase`, resolved against `base`; `None` if the value is
    /// empty or only white space.
    ///
    /// The limits count its URI like that of a link, because many short values with a long base could take too much time.
    ///
    /// # Errors
    /// The URI exceeds a limit, or is no valid URL.
    pub(super) fn inner_base(&mut self, value: &str, base: PageBase<'_>) -> Result<Option<NewBase>, Rejected> {
        let mut buffer = String::new();
        let reference = clean_reference(value, &mut buffer);
        if reference.is_empty() {
            return Ok(None);
        }
        let mut uri = String::new();
        self.limits.resolve_into(base, reference, &mut uri)?;
        Ok(Some(NewBase::new(uri, base)))
    }
}

impl LinkBuffers {
    /// Prepares for the next page: empties the buffers, and gives back the memory of large ones.
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.reference, &mut self.uri] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_LEN);
        }
        self.anchor.clear();
    }
}
