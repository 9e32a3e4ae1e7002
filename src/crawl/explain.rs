//! Which steps changed what.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Normalizer;
use super::step::{Step, Steps};
use crate::error::Error;

/// What a step changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The step.
    pub step: Step,
    /// The URI without it, normalised by the steps before.
    pub before: String,
    /// The URI with it.
    pub after: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} becomes {}", self.step, self.before, self.after)
    }
}

impl Normalizer {
    /// Normalises a URI and tells which steps changed it, in the order of [`Step::ALL`]; the last change's `after` is the
    /// normal form, and without changes the URI is. A change is the difference that switching on one more step makes, so what
    /// a step uncovers for an earlier one is the later one's change.
    ///
    /// Cost: [`normalize_into`](Normalizer::normalize_into) once for each step that is on.
    ///
    /// # Errors
    /// As [`normalize_into`](Normalizer::normalize_into).
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let changes = Normalizer::crawl().explain("http://Example.com/?b=2&a=1")?;
    /// assert_eq!(changes[0].to_string(), "case: http://Example.com/?b=2&a=1 becomes http://example.com/?b=2&a=1");
    /// assert_eq!(changes[1].to_string(), "sort-query: http://example.com/?b=2&a=1 becomes http://example.com/?a=1&b=2");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain(&self, uri: &str) -> Result<Vec<Change>, Error> {
        let mut partial = Normalizer { steps: Steps::EMPTY, ..self.clone() };
        let mut before = partial.normalize(uri)?;
        let mut changes = Vec::new();
        for &step in Step::ALL.iter().filter(|step| self.has(**step)) {
            partial.steps = partial.steps.with(step);
            let after = partial.normalize(uri)?;
            if after != before {
                changes.push(Change { step, before, after: after.clone() });
                before = after;
            }
        }
        Ok(changes)
    }
}
