//! Which changes changed what.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Normalizer;
use crate::error::Error;
use crate::normal::{Change, Changes};

/// What a change changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The change.
    pub change: Change,
    /// The URI without it, normalised by the changes before.
    pub before: String,
    /// The URI with it.
    pub after: String,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} becomes {}", self.change, self.before, self.after)
    }
}

impl Normalizer {
    /// Normalises a URI and tells which changes changed it, in the order of [`Change::ALL`]; the last effect's `after` is the
    /// normal form, and the URI itself is the normal form if there are none. An effect is the difference that switching on one more change makes, so what
    /// a change uncovers for an earlier one is the later one's effect.
    ///
    /// Cost: [`normalize_into`](Normalizer::normalize_into) once for each change that is on.
    ///
    /// # Errors
    /// As [`normalize_into`](Normalizer::normalize_into).
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let effects = Normalizer::crawl().explain("http://Example.com/?b=2&a=1")?;
    /// assert_eq!(effects[0].to_string(), "case: http://Example.com/?b=2&a=1 becomes http://example.com/?b=2&a=1");
    /// assert_eq!(effects[1].to_string(), "sort-query: http://example.com/?b=2&a=1 becomes http://example.com/?a=1&b=2");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain(&self, uri: &str) -> Result<Vec<Effect>, Error> {
        let mut partial = Normalizer { changes: Changes::EMPTY, ..self.clone() };
        let mut before = partial.normalize(uri)?;
        let mut effects = Vec::new();
        for &change in Change::ALL.iter().filter(|change| self.has(**change)) {
            partial.changes = partial.changes.with(change);
            let after = partial.normalize(uri)?;
            if after != before {
                effects.push(Effect { change, before, after: after.clone() });
                before = after;
            }
        }
        Ok(effects)
    }
}
