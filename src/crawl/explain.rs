//! `Normalizer::explain`: the effect of each change on a URI.

use alloc::vec::Vec;

use super::Normalizer;
use crate::error::Error;
use crate::normal::{Effect, effects};
use crate::percent::decode_bytes;

impl Normalizer {
    /// Normalizes a URI and returns the effect of each change that had one, in the order of [`Change::ALL`](super::Change::ALL). The
    /// last effect's `after` is the normal form; without effects the URI is normal.
    ///
    /// Changes are added one after the other. An effect is the difference that the last added one makes. If it lets an earlier
    /// change do more, that is also part of its effect.
    ///
    /// Cost and errors: those of [`normalize_into`](Normalizer::normalize_into), once for each change that is on.
    ///
    /// ```
    /// use relref::Source;
    /// use relref::crawl::Normalizer;
    ///
    /// let effects = Normalizer::crawl().explain("http://Example.com/?b=2&a=1")?;
    /// assert_eq!(
    ///     effects[0].to_string(),
    ///     "case: http://Example.com/?b=2&a=1 becomes http://example.com/?b=2&a=1 (RFC 3986 §6.2.2.1: \"the scheme and host \
    ///      are case-insensitive and therefore should be normalized to lowercase\")",
    /// );
    /// assert_eq!(effects[1].after, "http://example.com/?a=1&b=2");
    /// assert!(matches!(effects[1].sources()[..], [Source::Decision { .. }]));
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain(&self, uri: impl AsRef<str>) -> Result<Vec<Effect>, Error> {
        let uri = uri.as_ref();
        if !self.keeps_illegal_escapes {
            decode_bytes(uri)?;
        }
        Ok(effects(self.changes, &self.lists, uri))
    }
}
