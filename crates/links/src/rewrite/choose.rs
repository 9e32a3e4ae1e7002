//! The choice of a new reference.

use std::borrow::Cow;

use super::totals::LeftReason;
use crate::html::{Link, Occurrence, PageBase};

/// The chooser of new references: a [`Mapping`](super::Mapping), or a function that returns the new reference for a link, or `None`
/// if its reference stays.
pub trait Choose: Sealed {}

impl<C: Sealed> Choose for C {}

pub trait Sealed {
    /// Asked about the `href` of `base` elements, too.
    #[doc(hidden)]
    const WANTS_BASES: bool = false;

    /// Asked about the URLs of Open Graph, which must be absolute, whatever [`lazy`](crate::html::Options::lazy) is.
    #[doc(hidden)]
    const WANTS_OPEN_GRAPH: bool = false;

    /// Asked [whether the file changes](Self::changes) that an `integrity` guards.
    #[doc(hidden)]
    fn wants_integrity(&self) -> bool {
        false
    }

    /// Reports whether the file for a URI has other bytes after the rewriting.
    #[doc(hidden)]
    fn changes(&self, _uri: &str) -> bool {
        false
    }

    /// `None` if the reference stays as it is. A new one is the last that [`Asked::can_be`] was asked about.
    #[doc(hidden)]
    fn choose<'l>(&mut self, asked: &Asked<'l, '_>) -> Result<Option<Cow<'l, str>>, LeftReason>;
}

/// A link that needs a choice, and its place.
pub struct Asked<'l, 'a> {
    pub(crate) link: &'l Link<'l>,
    pub(crate) occurrence: &'a Occurrence<'a>,
    pub(crate) base: PageBase<'a>,
    pub(crate) own_base: PageBase<'a>,
    /// The new reference must be absolute, as the specification of the format demands.
    pub(crate) needs_absolute: bool,
    /// Reports whether a reference that is written here reads as it is.
    pub(crate) can_be: &'a dyn Fn(&str) -> bool,
}

impl<F: FnMut(&Link<'_>) -> Option<String>> Sealed for F {
    fn choose<'l>(&mut self, asked: &Asked<'l, '_>) -> Result<Option<Cow<'l, str>>, LeftReason> {
        match self(asked.link) {
            Some(new) if new != asked.link.reference => {
                if (asked.can_be)(&new) {
                    Ok(Some(Cow::Owned(new)))
                } else {
                    Err(LeftReason::Unwritable)
                }
            }
            _ => Ok(None),
        }
    }
}
