//! Links that are found outside of pages, resolved and filtered like those of pages.

use alloc::string::String;
use core::fmt;
use core::ops::ControlFlow;
use std::io::{self, ErrorKind};

use super::limits::Limits;
use super::link::{Kind, Link};
use super::page_base::{NewBase, PageBase};
use super::pages::Pages;
use super::reporter::{LinkSource, Reporter};

/// A link that was found outside of a page: in an HTTP field, a feed, a sitemap or a WAT file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundLink<'f> {
    /// The name of the element; `http` for a field of an HTTP head.
    pub element: &'f str,
    /// The name of the attribute or of the field, in lower case; `text` for the text of an element.
    pub attribute: &'f str,
    /// The purpose of the link.
    pub kind: Kind,
    /// The relation types of the link, separated by spaces; empty if it has none.
    pub rel: &'f str,
    /// The reference, as written.
    pub reference: &'f str,
}

/// The receiver of the links that [`Pages::found_links`] finds.
pub struct FoundLinks<'s, 'b> {
    reporter: Reporter<'s>,
    base: PageBase<'b>,
    /// A buffer for the URIs of inner bases.
    inner: String,
}

impl fmt::Debug for FoundLinks<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoundLinks").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl FoundLinks<'_, '_> {
    /// Reports a link that is relative to the base. Returns false if the caller needs no more.
    pub fn add(&mut self, link: FoundLink<'_>) -> bool {
        let FoundLink { element, attribute, kind, rel, reference } = link;
        let source = LinkSource { element, attribute, kind, rel, text: Some(""), may_be_empty: false };
        self.reporter.report(source, reference, self.base, None);
        self.reporter.failure.is_none()
    }

    /// Reports a link that is relative to inner bases, such as those of `xml:base`, the outermost first. They are references
    /// themselves, each relative to the one before; one that is no valid URL is ignored. Returns false if the caller needs no
    /// more.
    pub fn add_within<S: AsRef<str>>(&mut self, inner: &[S], link: FoundLink<'_>) -> bool {
        let mut uri = String::new();
        for reference in inner.iter().map(AsRef::as_ref).filter(|reference| !reference.is_empty()) {
            self.inner.clear();
            let done = match uri.as_str() {
                "" => self.base.resolve_into(reference, &mut self.inner),
                uri => NewBase::new(uri, self.base).as_page_base().resolve_into(reference, &mut self.inner),
            };
            if done.is_ok() {
                core::mem::swap(&mut uri, &mut self.inner);
            }
        }
        if uri.is_empty() {
            return self.add(link);
        }
        let FoundLink { element, attribute, kind, rel, reference } = link;
        let source = LinkSource { element, attribute, kind, rel, text: Some(""), may_be_empty: false };
        self.reporter.report(source, reference, NewBase::new(&uri, self.base).as_page_base(), None);
        self.reporter.failure.is_none()
    }
}

impl Pages {
    /// Reports the links that `find` finds outside of a page to `each`. The filters and limits are those of pages. Returns what
    /// `each` breaks off with.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use relref::html::{Pages, field_links};
    /// use relref::whatwg::Base;
    ///
    /// let base = Base::new("http://example.com/a/b")?;
    /// let mut uris = Vec::new();
    /// let find = |links: &mut relref::html::FoundLinks<'_, '_>| {
    ///     field_links("Link", b"<c?page=2>; rel=next, </style.css>; rel=stylesheet", |link| links.add(link));
    /// };
    /// let _ = Pages::new().found_links(&base, find, |link| {
    ///     uris.push(format!("{} {} {}", link.attribute, link.rel, link.uri));
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(uris, ["link next http://example.com/a/c?page=2", "link stylesheet http://example.com/style.css"]);
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn found_links<'b, B>(
        &mut self,
        base: impl Into<PageBase<'b>>,
        find: impl FnOnce(&mut FoundLinks<'_, 'b>),
        mut each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut broken = None;
        let mut each = |link: Link<'_>| match each(link) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(value) => {
                broken = Some(value);
                Err(io::Error::from(ErrorKind::Interrupted))
            }
        };
        let base = base.into();
        let reporter = Reporter {
            document: base,
            buffers: &mut self.buffers,
            page_nofollow: false,
            each: &mut each,
            failure: None,
            kinds: &self.kinds,
            followable: self.followable,
            limits: Limits { max_uri: self.max_uri, rest: self.max_uris },
            max_text: 0,
        };
        find(&mut FoundLinks { reporter, base, inner: String::new() });
        self.buffers.clear();
        broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}
