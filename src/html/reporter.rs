//! Reports links: leaves out those that are not wanted, resolves the others within the limits, and passes them to the caller.

use alloc::string::String;
use core::ops::ControlFlow;
use std::io::{self, ErrorKind};

use super::anchor::Anchor;
use super::attribute::{Attribute, AttributeSet};
use super::clean::clean_reference;
use super::found::FoundLink;
use super::limits::Limits;
use super::link::{Kind, Link, Rejected, is_fetched};
use super::page_base::{NewBase, PageBase};
use super::pages::Pages;
use super::tag::MAX_KEPT_LEN;
use crate::uri::UriRef;

/// The reporter of a page's links: the filters, the limits, and the receiver.
pub(super) struct Reporter<'s> {
    /// The options and the buffers.
    pub(super) pages: &'s mut Pages,
    /// The base by the page's own URI, without its `base` element.
    pub(super) own_base: PageBase<'s>,
    /// The base of the page.
    pub(super) base: PageBase<'s>,
    /// The attributes whose values matter with these options.
    pub(super) wanted: AttributeSet,
    /// True if the page asks robots to follow none of its links.
    pub(super) page_nofollow: bool,
    /// Receives the links.
    pub(super) each: &'s mut dyn FnMut(Link<'_>) -> io::Result<()>,
    /// The error of `each`, after which no link is reported.
    pub(super) failure: Option<io::Error>,
    pub(super) limits: Limits,
}

/// Calls `read` with a receiver of links that passes each link to `each` and returns an error when `each` breaks off. Returns what
/// `each` broke off with.
pub(super) fn until_break<B>(
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

/// The buffers for the link that is being reported, and for links that wait for the text of an `a`.
#[derive(Default)]
pub(super) struct Buffers {
    reference: String,
    uri: String,
    pub(super) anchor: Anchor,
}

impl<'s> Reporter<'s> {
    /// Returns a reporter of links relative to `base`, on a page without a `base` element.
    pub(super) fn new(
        pages: &'s mut Pages,
        base: PageBase<'s>,
        each: &'s mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> Self {
        let mut wanted = AttributeSet::reported(pages.lazy, pages.items);
        if pages.max_text > 0 {
            wanted.insert(Attribute::Alt);
        }
        let limits = Limits { max_uri: pages.max_uri, remaining: pages.max_total };
        Reporter { pages, own_base: base, base, wanted, page_nofollow: false, each, failure: None, limits }
    }

    /// Reports whether links of a kind are wanted.
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.pages.kinds.is_empty() || self.pages.kinds.contains(&kind)
    }

    /// Reports a link if it is wanted.
    ///
    /// `text` is the text of the link; `None` on an `a`, where it is not yet known. `may_be_empty` is true if the empty reference
    /// is a link, to the page itself. The link has no URI if `rejected` has a reason, if it exceeds a limit, or if it is no valid
    /// URL.
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
        let Buffers { reference: buffer, uri, anchor } = &mut self.pages.buffers;
        let reference = clean_reference(reference, buffer);
        if self.failure.is_some() || (reference.is_empty() && !may_be_empty) {
            return;
        }
        let base = if has_no_action { self.own_base } else { base };
        let scheme = || UriRef::new(reference).scheme().unwrap_or(base.scheme());
        if self.pages.followable && !is_fetched(scheme()) {
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
            if anchor.hold(link, is_anchor) {
                self.close_anchor();
            }
        } else {
            self.failure = (self.each)(link).err();
        }
    }

    /// Ends the text of the open `a`, if there is one, and reports the links that wait for it.
    pub(super) fn close_anchor(&mut self) {
        let anchor = &mut self.pages.buffers.anchor;
        if anchor.is_open() && self.failure.is_none() {
            self.failure = anchor.close(self.pages.max_text, self.page_nofollow, self.each).err();
        }
    }

    /// Returns the base that a reference inside of the page gives, such as a `codebase`; `None` if the reference is empty. The
    /// length of its URI counts like that of a link: many short references to a long base could take too much.
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

impl Buffers {
    /// Prepares for the next page. Keeps only small buffers.
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.reference, &mut self.uri] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_LEN);
        }
        self.anchor.clear();
    }
}
