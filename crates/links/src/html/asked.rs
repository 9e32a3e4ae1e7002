//! The links that a check wants, and those whose places it asks for: few of all.
#![cfg_attr(not(feature = "check"), allow(dead_code))]

use std::mem::take;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::places::Place;

/// The links that are wanted: the others have no URIs and no places. The receiver of the links counts them all.
#[derive(Debug, Default)]
pub(crate) struct WantedLinks {
    /// Bit `n % 64` of both together is set if link `n` is wanted. Not every processor has atomic numbers of 64 bits.
    mask: [AtomicU32; 2],
    count: AtomicU32,
}

impl WantedLinks {
    pub(crate) fn start(&self, mask: u64) {
        self.mask[0].store(mask as u32, Relaxed);
        self.mask[1].store((mask >> 32) as u32, Relaxed);
        self.count.store(0, Relaxed);
    }

    pub(crate) fn wants_next(&self) -> bool {
        let bit = self.count.load(Relaxed) % u64::BITS;
        self.mask[(bit / 32) as usize].load(Relaxed) >> (bit % 32) & 1 == 1
    }

    pub(crate) fn count_link(&self) {
        self.count.fetch_add(1, Relaxed);
    }
}

/// The places of the links that their receiver asks for: few of all, so that those of the others need not be found out.
#[derive(Debug, Default)]
pub(crate) struct AskedPlaces {
    is_asked: AtomicBool,
    places: Mutex<Vec<Option<Place>>>,
}

impl AskedPlaces {
    /// Asks for the place of the link that is received.
    pub(crate) fn ask(&self) {
        self.is_asked.store(true, Relaxed);
    }

    /// Answers, if the place of a link was asked for.
    pub(super) fn answer(&self, place: impl FnOnce() -> Option<Place>) {
        if self.is_asked.load(Relaxed) {
            self.is_asked.store(false, Relaxed);
            self.lock().push(place());
        }
    }

    /// Takes the places, in the order in which they were asked for; `None` for a link that has no place.
    pub(crate) fn take(&self) -> Vec<Option<Place>> {
        self.answer(|| None);
        take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Place>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
