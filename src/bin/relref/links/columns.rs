//! The columns that are made from the URI of a link: its normal form and its sort key. The lines are in `line`.

pub mod line;
pub mod reason;

use relref::crawl::{Normalizer, cdx_key_into};

use super::progress::Progress;
use crate::args::{Key, Links, NormalForm};

/// The normalizer for the columns `--normalize` and `--key`, and buffers for their text.
pub struct UriColumns {
    /// The normalizer for normal forms and SURT keys.
    normalizer: Normalizer,
    /// True if URIs are printed in their normal form. False if they are printed as they are.
    normalizes: bool,
    /// The kind of the sort keys. `None` without `--key`.
    key_kind: Option<Key>,
    /// The normal form of the last URI. Empty if it has none, or without `--normalize`.
    normal_form: String,
    /// The sort key of the last URI. Empty if it has none, or without `--key`.
    key: String,
}

impl UriColumns {
    /// Returns the columns that the arguments ask for, with empty buffers.
    pub fn new(args: &Links) -> Self {
        let preset = match args.normalize {
            NormalForm::None | NormalForm::Safe => Normalizer::safe(),
            NormalForm::Crawl => Normalizer::crawl(),
        };
        UriColumns {
            normalizer: args.changes.apply(preset),
            normalizes: args.normalize != NormalForm::None,
            key_kind: args.key,
            normal_form: String::new(),
            key: String::new(),
        }
    }

    /// Empties the buffers. Frees their memory above 64 KiB, which a long URI may have taken.
    pub fn clear(&mut self) {
        for text in [&mut self.normal_form, &mut self.key] {
            text.clear();
            text.shrink_to(64 << 10);
        }
    }

    /// Returns the two columns for a URI: the URI in its normal form, or as it is without `--normalize`; and its sort key, or
    /// `None` without `--key`. If the URI has no normal form or no key, the URI itself takes its place, and is counted once in
    /// `progress`.
    pub fn uri_and_key<'c>(&'c mut self, uri: &'c str, progress: &Progress) -> (&'c str, Option<&'c str>) {
        self.clear();
        let is_normal = !self.normalizes || self.normalizer.normalize_into(uri, &mut self.normal_form).is_ok();
        let has_key = match self.key_kind {
            None => true,
            Some(Key::Surt) => self.normalizer.surt_into(uri, &mut self.key).is_ok(),
            Some(Key::Cdx) => cdx_key_into(uri, &mut self.key).is_ok(),
        };
        if !(is_normal && has_key) {
            progress.not_normalized.add(1);
        }
        let normal = if self.normalizes && is_normal { &self.normal_form } else { uri };
        (normal, self.key_kind.map(|_| if has_key { self.key.as_str() } else { uri }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_that_cannot_be_normalized_stays() {
        let progress = Progress::default();
        let columns = |normalizes, key_kind| UriColumns {
            normalizer: Normalizer::crawl().keep_illegal_escapes(false),
            normalizes,
            key_kind,
            normal_form: String::new(),
            key: String::new(),
        };
        let (uri, bad) = ("http://H.com:80/?b&a#c", "http://h/%zz");
        assert_eq!(columns(false, None).uri_and_key(uri, &progress), (uri, None));
        let mut both = columns(true, Some(Key::Surt));
        assert_eq!(both.uri_and_key(uri, &progress), ("http://h.com/?a&b", Some("com,h)/?a&b")));
        assert_eq!(columns(false, Some(Key::Surt)).uri_and_key(uri, &progress), (uri, Some("com,h)/?a&b")));
        assert_eq!(progress.not_normalized.get(), 0);
        assert_eq!(both.uri_and_key(bad, &progress), (bad, Some(bad)));
        assert_eq!(progress.not_normalized.get(), 1);
        // The key of CDX files needs no normal form, and a port that is a number.
        let mut cdx = columns(true, Some(Key::Cdx));
        assert_eq!(cdx.uri_and_key(bad, &progress), (bad, Some("h)/%25zz")));
        assert_eq!(cdx.uri_and_key("http://H:x/", &progress), ("http://h:x/", Some("http://H:x/")));
        assert_eq!(progress.not_normalized.get(), 3);
    }
}
