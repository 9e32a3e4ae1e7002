//! `Normalizer::explain`: the effect of each change on a URI.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Normalizer;
use crate::error::Error;
use crate::normal::{Change, ChangeSet};

/// The effect of a change on a URI.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The change.
    pub change: Change,
    /// The URI with all earlier changes, but without this one.
    pub before: String,
    /// The URI with all earlier changes and this one.
    pub after: String,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} becomes {} ({})", self.change, self.before, self.after, self.change.source())
    }
}

impl Normalizer {
    /// Normalizes a URI and returns the effect of each change that had one, in the order of [`Change::ALL`]. The last effect's
    /// `after` is the normal form; without effects the URI is normal.
    ///
    /// Changes are added one after the other. An effect is the difference that the last added one makes. If it lets an earlier
    /// change do more, that is also part of its effect.
    ///
    /// Cost: [`normalize_into`](Normalizer::normalize_into) once for each change that is on.
    ///
    /// # Errors
    /// The same as [`normalize_into`](Normalizer::normalize_into).
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let effects = Normalizer::crawl().explain("http://Example.com/?b=2&a=1")?;
    /// assert_eq!(effects[0].to_string(), "case: http://Example.com/?b=2&a=1 becomes http://example.com/?b=2&a=1 (RFC 3986 §6.2.2.1)");
    /// assert_eq!(effects[1].after, "http://example.com/?a=1&b=2");
    /// assert_eq!(effects[1].change.source(), "practice of crawlers");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain(&self, uri: &str) -> Result<Vec<Effect>, Error> {
        let mut partial = Normalizer { changes: ChangeSet::EMPTY, ..self.clone() };
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
