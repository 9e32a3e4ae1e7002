//! `Effect`: what a change does to a URI, and the sources of what it did.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::change::{Change, ChangeSet, DECODING, ESCAPING, NO_SCHEME, UPPER_CASE, UTF8};
use super::parameter_lists::ParameterLists;
use super::uri_writer::UriWriter;
use crate::percent::octet;
use crate::source::Source;
use crate::uri::UriRef;

/// The effect of a change on a URI. [`Display`](fmt::Display) prints the name of the change, both texts and the sources.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Effect {
    /// The change.
    pub change: Change,
    /// The URI with all earlier changes, but without this one.
    pub before: String,
    /// The URI with all earlier changes and this one.
    pub after: String,
}

impl Effect {
    /// Returns the sources of the change: of all that it does, only those of what it did here.
    ///
    /// ```
    /// use relref::Source;
    /// use relref::crawl::Normalizer;
    ///
    /// let effects = Normalizer::safe().explain("http://h/a b")?;
    /// assert!(matches!(effects[0].sources()[..], [Source::Document { document: "RFC 3986", section: "§2.1", .. }]));
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn sources(&self) -> Vec<Source> {
        let sources = self.change.sources();
        let before = UriRef::new(&*self.before);
        match self.change {
            Change::Encoding => {}
            // The first source is of `mailto`, and of the name `localhost`.
            Change::SchemeCase if !before.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("urn")) => {
                return sources[..1].to_vec();
            }
            Change::Localhost if before.authority().is_some() => return sources[..1].to_vec(),
            Change::SchemeCase | Change::Localhost => return sources[1..].to_vec(),
            _ => return sources.to_vec(),
        }
        // `./` is before the text if it cannot be aligned without.
        let aligned = encoding_sources(&self.before, &self.after).or_else(|| {
            let mut sources = encoding_sources(&self.before, self.after.strip_prefix("./")?)?;
            sources.push(NO_SCHEME);
            Some(sources)
        });
        aligned.unwrap_or_else(|| self.change.sources().to_vec())
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} becomes {} (", self.change, self.before, self.after)?;
        for (number, source) in self.sources().iter().enumerate() {
            write!(f, "{}{source}", if number == 0 { "" } else { "; " })?;
        }
        f.write_str(")")
    }
}

/// Returns only changes that have an effect, in the order of [`Change::ALL`]. Illegal escapes stay.
pub(crate) fn effects(changes: ChangeSet, lists: &ParameterLists, uri: &str) -> Vec<Effect> {
    let (mut partial, mut before) = (ChangeSet::EMPTY, String::from(uri));
    let mut effects = Vec::new();
    // The changes are added one by one, and the URI is written anew each time. That costs a pass for each change, but the writer
    // needs no second way in which it tells what it does, and no change can be told that it does not make.
    for &change in Change::ALL.iter().filter(|&&change| changes.has(change)) {
        partial = partial.with(change);
        let mut after = String::new();
        UriWriter::new(partial, lists, UriRef::new(uri), false).write(&mut after);
        if after != before {
            effects.push(Effect { change, before, after: after.clone() });
            before = after;
        }
    }
    effects
}

/// Returns sources in the order of [`Change::sources`]; `None` if more than the encoding of characters differs.
fn encoding_sources(before: &str, after: &str) -> Option<Vec<Source>> {
    let (mut before, mut after) = (before.as_bytes(), after.as_bytes());
    let (mut decoded, mut escaped, mut utf8, mut upper_case) = (false, false, false, false);
    while let Some(&byte) = before.first() {
        let (old, new) = (octet(before), octet(after));
        let (old_len, new_len) = match (old, new) {
            (Some(one), Some(other)) if one == other => {
                upper_case |= before[..3] != after[..3];
                (3, 3)
            }
            (Some(octet), _) if after.first() == Some(&octet) => {
                decoded = true;
                (3, 1)
            }
            (None, _) if after.first() == Some(&byte) => (1, 1),
            (None, Some(octet)) if octet == byte => {
                escaped = true;
                utf8 |= !byte.is_ascii();
                (1, 3)
            }
            _ => return None,
        };
        (before, after) = (&before[old_len..], &after[new_len..]);
    }
    let did = [(decoded, DECODING), (escaped, ESCAPING), (utf8, UTF8), (upper_case, UPPER_CASE)];
    after.is_empty().then(|| did.into_iter().filter(|(did, _)| *did).map(|(_, source)| source).collect())
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::normal::NO_NAMES;

    #[test]
    fn only_what_was_done_is_cited() {
        for (uri, sources) in [
            ("http://h/a b", &[ESCAPING][..]),
            ("http://h/%7ea", &[DECODING]),
            ("http://h/%c3%a9", &[UPPER_CASE]),
            ("http://h/книга", &[ESCAPING, UTF8]),
            ("http://h/%2f 本%41%", &[DECODING, ESCAPING, UTF8, UPPER_CASE]),
            ("%61:b", &[DECODING, NO_SCHEME]),
            ("%2e/%61:b", &[DECODING]),
            ("%2E%2f%61:b", &[DECODING, UPPER_CASE]),
            ("%61 :b", &[DECODING, ESCAPING]),
            ("http://h/%%341 ", &[ESCAPING]),
        ] {
            let effects = effects(ChangeSet::EMPTY.with(Change::Encoding), &NO_NAMES, uri);
            assert_eq!(effects[0].sources(), sources, "{uri}");
        }
    }

    #[test]
    fn all_sources_are_printed() {
        let effect = Effect { change: Change::Encoding, before: " %7e".to_string(), after: "%20~".to_string() };
        assert_eq!(
            effect.to_string(),
            [" %7e becomes %20~ (", &DECODING.to_string(), "; ", &ESCAPING.to_string(), ")"].concat().replacen(
                " %7e",
                "encoding:  %7e",
                1
            )
        );
    }
}
