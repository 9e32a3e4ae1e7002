//! The places of the errors in references that are no valid URLs.

use std::io::{self, Read, Seek, SeekFrom};

use super::found_problem::FoundProblem;
use super::site::Site;
use crate::html::{Place, place_in};
use crate::page::PageBytes;

/// Finds them in the bytes of the pages: few references are invalid, so that no reader of pages keeps their raw text.
#[derive(Default)]
pub(super) struct ErrorPlaces {
    /// The last page, as the next problem is often of the same one.
    page: Option<(u32, PageBytes)>,
}

impl ErrorPlaces {
    /// `None` of a problem that is none of an invalid reference, and if the page has changed or cannot be read.
    pub(super) fn place(&mut self, site: &Site, page: u32, found: &FoundProblem) -> Option<Place> {
        let (offset, charset) = found.error?;
        let place = found.problem.place?;
        if self.page.as_ref().is_none_or(|(number, _)| *number != page) {
            self.page = Some((page, site.files.open(page, Vec::new()).ok()?));
        }
        let (_, bytes) = self.page.as_mut()?;
        let raw = read_place(bytes, &place).ok()?;
        place_in(place, &raw, charset, &found.problem.reference, offset)
    }
}

fn read_place(bytes: &mut PageBytes, place: &Place) -> io::Result<Vec<u8>> {
    let len = place.end - place.start;
    let mut raw = Vec::new();
    match bytes {
        PageBytes::Memory(bytes) => {
            let start = usize::try_from(place.start).unwrap_or(usize::MAX).min(bytes.len());
            (&bytes[start..]).take(len).read_to_end(&mut raw)?;
        }
        PageBytes::File(file) => {
            file.seek(SeekFrom::Start(place.start))?;
            file.take(len).read_to_end(&mut raw)?;
        }
    }
    Ok(raw)
}
