//! Links in memory, as an iterator.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{ControlFlow, Deref, DerefMut};
use std::vec;

use relref::whatwg;

use super::link::LinkBuf;
use super::link_receiver::LinkReceiver;
use super::page_uri::PageUri;
use super::pages::Pages;

/// Links in memory: an iterator of them, and a slice of those that it has not returned yet.
///
/// ```
/// use relref_links::html;
///
/// let links = html::links("<a href=b><a href=c>", "http://h/a")?;
/// assert_eq!((links.len(), links[1].uri.as_str()), (2, "http://h/c"));
/// let uris: Vec<String> = links.map(|link| link.uri).collect();
/// assert_eq!(uris, ["http://h/b", "http://h/c"]);
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Links(vec::IntoIter<LinkBuf>);

impl Links {
    /// Returns the links that `find` finds, relative to `uri`.
    pub(super) fn found(uri: impl PageUri, find: impl FnOnce(&mut LinkReceiver<'_>)) -> Result<Self, whatwg::Error> {
        let mut links = Vec::new();
        let _ = Pages::new().found_links(uri.to_base()?.as_page_base(), find, |link| {
            links.push(LinkBuf::from(link));
            ControlFlow::<()>::Continue(())
        });
        Ok(links.into())
    }

    // These two are in the slice as well, but those of iterators come first, and `is_empty` of those is not stable.

    /// Returns the number of links that are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_slice().len()
    }

    /// Reports whether no link is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}

impl Iterator for Links {
    type Item = LinkBuf;

    fn next(&mut self) -> Option<LinkBuf> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Links {
    fn next_back(&mut self) -> Option<LinkBuf> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for Links {}

impl FusedIterator for Links {}

impl Deref for Links {
    type Target = [LinkBuf];

    fn deref(&self) -> &[LinkBuf] {
        self.0.as_slice()
    }
}

impl DerefMut for Links {
    fn deref_mut(&mut self) -> &mut [LinkBuf] {
        self.0.as_mut_slice()
    }
}

impl<'l> IntoIterator for &'l Links {
    type Item = &'l LinkBuf;
    type IntoIter = std::slice::Iter<'l, LinkBuf>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<Vec<LinkBuf>> for Links {
    fn from(links: Vec<LinkBuf>) -> Self {
        Links(links.into_iter())
    }
}

impl From<Links> for Vec<LinkBuf> {
    fn from(links: Links) -> Self {
        links.0.collect()
    }
}

impl PartialEq for Links {
    fn eq(&self, other: &Links) -> bool {
        **self == **other
    }
}

impl Eq for Links {}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
