//! The receiver of what a reader finds in a page: its links, ids and bases.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;

use super::link::Link;
use super::occurrence::Occurrence;
use super::places::Positions;
#[cfg(all(feature = "markdown", feature = "page"))]
use crate::renderer::Renderer;

/// Receives the events of a page in their order, and answers what it wants to know. It knows nothing of the tokens of a format, so
/// that the readers of all formats report to it. A function that takes links is one that wants nothing else.
pub(crate) trait PageSink {
    /// Reports how exactly [`link`](Self::link) finds out where references stand.
    fn positions(&self) -> Positions {
        Positions::Unknown
    }

    /// Reports whether the links are those that browsers follow: none in a `template`, and none of a form that is not sent by GET.
    fn is_browser(&self) -> bool {
        false
    }

    /// Reports whether the reference of each `base` is received as a link, too, whose [occurrence](Occurrence::is_base) says so.
    fn wants_bases(&self) -> bool {
        false
    }

    /// Reports whether the URLs of Open Graph are links, whatever [`Options::lazy`](super::Options::lazy) is.
    fn wants_open_graph(&self) -> bool {
        false
    }

    /// Reports whether the `integrity` of each `link` is received as a link to the file that it guards, whose place is that of the attribute.
    fn wants_integrity(&self) -> bool {
        false
    }

    /// Reports whether only the canonical links of the page itself are wanted.
    fn seeks_canonical(&self) -> bool {
        false
    }

    fn wants_ids(&self) -> bool {
        false
    }

    /// Returns the renderer by which the headings of Markdown have ids, if these are wanted.
    #[cfg(all(feature = "markdown", feature = "page"))]
    fn renderer(&self) -> Option<Renderer> {
        None
    }

    /// Reports whether the next link is wanted; another one is neither resolved nor received. It is called once for each link.
    fn wants_link(&mut self) -> bool {
        true
    }

    /// Reports whether links that have no URI are received, whatever [`Options::rejected`](super::Options::rejected) is.
    fn wants_rejected(&self) -> bool {
        true
    }

    /// Receives a link. After an error, nothing more is received. `locate` finds out where the reference stands, once, if
    /// [`positions`](Self::positions) said so: its cost is that of a pass over the text before.
    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()>;

    /// Receives an `id`, or the `name` of an `a`: that of a potential indicated element (HTML §7.4.6.4).
    fn id(&mut self, _id: &str) {}

    /// Receives the URI that the `base` element gives, before the links that it changes; perhaps more than once.
    fn base(&mut self, _uri: &str) {}
}

/// Finds the occurrence of a reference; `None` if it is in several pieces, or positions are unknown.
pub(crate) type Locate<'f, 'o> = dyn FnMut() -> Option<Occurrence<'o>> + 'f;

// Links are passed by reference: to copy 240 bytes that were just written field by field takes a tenth of the time of a link.
impl<F: FnMut(&Link<'_>) -> io::Result<()>> PageSink for F {
    fn wants_rejected(&self) -> bool {
        false
    }

    fn link(&mut self, link: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
        self(link)
    }
}

/// Calls `read` with a receiver that returns an error when `each` breaks off, so that `read` ends.
pub(super) fn until_break_off<B>(
    mut each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    read: impl FnOnce(&mut dyn PageSink),
) -> ControlFlow<B> {
    let mut broken = None;
    read(&mut |link: &Link<'_>| match each(*link) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(value) => {
            broken = Some(value);
            // Only ends the reading.
            Err(io::Error::from(ErrorKind::Interrupted))
        }
    });
    broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}
