//! Links that are found but not resolved yet. Those that another reader finds are resolved and filtered like the links of pages.

use std::fmt;
use std::io;

use super::anchor::fold_white_space;
use super::kind::Kind;
use super::link::FoundLink;
#[cfg(feature = "page")]
use super::link::Rejected;
#[cfg(feature = "feeds")]
use super::link_finder::LinkFinder;
use super::link_resolver::LinkResolver;
use super::occurrence::Occurrence;
use super::page_base::{OwnedBase, PageBase};
use super::tokens::attribute::{Attribute, AttributeSet, Syntax};
#[cfg(feature = "feeds")]
use super::tokens::character_references::TextKind;
use super::tokens::element::Element;
#[cfg(feature = "feeds")]
use super::values::clean::kept_range;
use super::values::clean::{prefix, whole_tokens};
#[cfg(feature = "page")]
use super::values::field_error::FieldError;
use super::values::references::{MAX_NAME_LEN, MAX_REL_LEN, href_kind, may_be_empty, references};

/// An attribute of a page that another reader found: WAT files list such attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FoundAttribute<'f> {
    /// The name of the element, in lower case.
    pub element: &'f str,
    /// The name of the attribute, in lower case.
    pub attribute: &'f str,
    /// The relation types of the link; empty without any.
    pub rel: &'f str,
    /// The value, as written in the page. If the attribute or element holds CSS, one of the URLs in that CSS.
    pub value: &'f str,
    /// The text of the link.
    pub text: &'f str,
}

impl<'f> FoundAttribute<'f> {
    /// Returns an attribute of an element without relation types and text.
    #[must_use]
    pub fn new(element: &'f str, attribute: &'f str, value: &'f str) -> Self {
        FoundAttribute { element, attribute, value, rel: "", text: "" }
    }
}

/// The length, in bytes, to which a longer value of a field that cannot be read is shortened.
#[cfg(feature = "page")]
const MAX_REJECTED_LEN: usize = 1 << 10;

/// The receiver of the links that the function `find` of [`Pages::found_links`](super::Pages::found_links) finds. It resolves, filters and reports them.
pub struct LinkReceiver<'s> {
    links: LinkResolver<'s>,
    /// The inner bases of the last link not added by [`add`](LinkReceiver::add), the outermost first. The next link often has the
    /// same.
    inner_bases: Vec<PartBase>,
}

impl fmt::Debug for LinkReceiver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkReceiver").field("base", &self.links.base).finish_non_exhaustive()
    }
}

impl<'s> LinkReceiver<'s> {
    pub(super) fn new(links: LinkResolver<'s>) -> Self {
        LinkReceiver { links, inner_bases: Vec::new() }
    }

    /// Fails with the error that ended the receiving.
    pub(super) fn finish(self) -> io::Result<()> {
        self.links.failure.map_or(Ok(()), Err)
    }

    /// Reports a link that is relative to the base. An empty reference is left out, except of a `Link` field. Returns false if no more links are needed.
    pub fn add(&mut self, link: FoundLink<'_>) -> bool {
        self.add_located(link, None)
    }

    /// Reports the value of a field that cannot be read, as a rejected link.
    #[cfg(feature = "page")]
    pub(crate) fn reject_field(&mut self, name: &str, value: &[u8], why: FieldError) {
        let (name, value) = (name.to_ascii_lowercase(), String::from_utf8_lossy(value));
        let link = FoundLink::new("http", &name, Kind::Metadata, prefix(&value, MAX_REJECTED_LEN));
        self.links.add(&link, Some(""), false, self.links.base, Some(Rejected::Field(why)), |_, _| None);
    }

    /// Like [`add`](Self::add), with the place of the reference.
    pub(crate) fn add_located(&mut self, link: FoundLink<'_>, occurrence: Option<Occurrence<'_>>) -> bool {
        let may_be_empty = link.element == "http" && link.attribute == "link";
        self.links.add(&link, Some(""), may_be_empty, self.links.base, None, |_, _| occurrence);
        self.links.failure.is_none()
    }

    /// Reports a link that is relative to inner bases, such as those of `xml:base`, the outermost first. They are references
    /// themselves, each relative to the one before. One that is not a valid URL, or is longer than [`Options::max_uri`](super::Options::max_uri), is ignored.
    /// An empty reference is left out, except of the `href` of a `link`. Returns false if no more links are needed.
    ///
    /// The bases are kept for the next link: only those that differ from the last link's are resolved.
    pub fn add_within<S: AsRef<str>>(&mut self, inner: &[S], link: FoundLink<'_>) -> bool {
        self.add_located_within(inner, link, None)
    }

    fn add_located_within<S: AsRef<str>>(
        &mut self,
        inner: &[S],
        link: FoundLink<'_>,
        occurrence: Option<Occurrence<'_>>,
    ) -> bool {
        self.resolve_inner_bases(inner);
        let base = innermost(&self.inner_bases, self.links.base);
        // RFC 4287 §4.2.7.1.
        let may_be_empty = link.attribute == "href" && link.element.rsplit(':').next() == Some("link");
        self.links.add(&link, Some(""), may_be_empty, base, None, |_, _| occurrence);
        self.links.failure.is_none()
    }

    /// Like [`add_within`](Self::add_within) for a rewriting, in which the place of the reference is in its own text. With `is_base`,
    /// the link is a base within the others.
    #[cfg(feature = "feeds")]
    pub(crate) fn add_text<S: AsRef<str>>(&mut self, inner: &[S], link: FoundLink<'_>, is_base: bool) -> bool {
        let pieces = [(0..link.reference.len(), TextKind::RawText)];
        let mut occurrence =
            Occurrence::new(link.reference.as_bytes(), &pieces, None).in_text(kept_range(link.reference));
        occurrence.is_base = is_base;
        // Without a host, it would be no link.
        occurrence.reading.needs_host = link.element == "guid";
        (is_base && !self.links.sink.wants_bases()) || self.add_located_within(inner, link, Some(occurrence))
    }

    /// Reports the links of HTML in an element of a feed, relative to inner bases as [`add_within`](Self::add_within) takes them.
    #[cfg(feature = "feeds")]
    pub(crate) fn add_html<S: AsRef<str>>(&mut self, inner: &[S], element: &str, html: &str) -> bool {
        self.resolve_inner_bases(inner);
        let base = innermost(&self.inner_bases, self.links.base);
        LinkFinder::find_inner(&mut self.links, html, (element, "text"), base, false);
        self.links.failure.is_none()
    }

    /// Reports the links of an attribute as [`Pages::links`](super::Pages::links) does: by the table of [`html`](super), with its options. Other
    /// attributes are not known, so the conditions in the table (`with …`) count as met, and there is no `codebase`. An attribute
    /// that is not in the table is a reference to a resource. `inner` is the `href` of the page's `base`, or empty; it is ignored
    /// if it is not a valid URL or longer than [`Options::max_uri`](super::Options::max_uri). Returns false if no more links are needed.
    pub fn add_attribute(&mut self, inner: &str, found: FoundAttribute<'_>) -> bool {
        self.resolve_inner_bases(&[inner]);
        let FoundAttribute { element: name, attribute, rel, value, text } = found;
        let element = Element::new(name.as_bytes());
        let known = Attribute::new(attribute.as_bytes(), element);
        let row = known.and_then(|known| Some((known, known.row()?)));
        let kind = match row {
            Some((known, _))
                if !AttributeSet::for_links(self.links.options.lazy, self.links.options.items).contains(known) =>
            {
                None
            }
            Some((known, row)) => row.kind.or_else(|| href_kind(known, element, None, rel)),
            None => Some(Kind::Resource),
        };
        let Some(kind) = kind else { return true };
        let max_text = self.links.options.max_text;
        let text = if max_text > 0 { fold_white_space(text.as_bytes(), max_text) } else { String::new() };
        let (name, attribute) = (prefix(name, MAX_NAME_LEN), prefix(attribute, MAX_NAME_LEN));
        let rel = whole_tokens(rel, MAX_REL_LEN);
        let may_be_empty = row.is_some_and(|(_, row)| may_be_empty(row, kind, element));
        let base = innermost(&self.inner_bases, self.links.base);
        let syntax = row.map_or(Syntax::Reference, |(_, row)| row.syntax);
        references(syntax, element, value, &mut |reference| {
            let link = FoundLink { rel, ..FoundLink::new(name, attribute, kind, reference) };
            self.links.add(&link, Some(&text), may_be_empty, base, None, |_, _| None);
        });
        self.links.failure.is_none()
    }

    #[cfg(feature = "feeds")]
    pub(crate) fn inner_bases_len(&self) -> usize {
        self.inner_bases
            .iter()
            .filter_map(|inner| inner.base.as_ref())
            .map(|base| base.as_page_base().as_str().len())
            .sum()
    }

    /// The outer bases that are the same as before are not resolved again.
    fn resolve_inner_bases<S: AsRef<str>>(&mut self, inner: &[S]) {
        let most = self.links.limits.max_uri;
        let mut count = 0;
        for reference in inner.iter().map(AsRef::as_ref) {
            if reference.is_empty() || reference.len() > most {
                continue;
            }
            if self.inner_bases.get(count).is_none_or(|known| *known.reference != *reference) {
                self.inner_bases.truncate(count);
                let outer = innermost(&self.inner_bases, self.links.base);
                let base = self.links.inner_base(reference, outer).ok().flatten();
                self.inner_bases.push(PartBase { reference: reference.into(), base });
            }
            count += 1;
        }
        self.inner_bases.truncate(count);
    }
}

/// A base for some links of the page, such as that of an `xml:base`.
pub(super) struct PartBase {
    reference: Box<str>,
    /// `None` if the reference is only white space or no valid URL, or if its URI exceeds a limit.
    base: Option<OwnedBase>,
}

fn innermost<'i>(inner: &'i [PartBase], outer: PageBase<'i>) -> PageBase<'i> {
    // `inner` has the outermost first.
    inner.iter().rev().find_map(|inner| inner.base.as_ref()).map_or(outer, OwnedBase::as_page_base)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use relref::whatwg::Base;

    use super::*;
    use crate::html::Pages;

    #[test]
    fn an_inner_base_counts_once_also_with_other_links_between() {
        let mut pages = Pages::new();
        pages.options.max_total = ["http://h/b/", "http://h/b/x", "http://h/y", "http://h/b/z"].concat().len() as u64;
        let base = Base::new("http://h/").unwrap();
        let attribute = |value| FoundAttribute { element: "a", attribute: "href", value, ..FoundAttribute::default() };
        let other = FoundLink::new("http", "link", Kind::Hyperlink, "y");
        let find = |links: &mut LinkReceiver<'_>| {
            links.add_attribute("/b/", attribute("x"));
            links.add(other);
            links.add_attribute("/b/", attribute("z"));
        };
        let mut uris = Vec::new();
        let _ = pages.found_links(&base, find, |link| {
            uris.push(String::from(link.uri));
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(uris, ["http://h/b/x", "http://h/y", "http://h/b/z"]);
    }
}
