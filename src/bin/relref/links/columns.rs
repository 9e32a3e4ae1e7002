//! The columns that are made from a link's URI: its normal form and its sort key. The lines are in [`line`].

pub mod line;
pub mod reason;

use relref::crawl::{Normalizer, cdx_key_into};

use super::progress::Progress;
use crate::args::{Key, Links, NormalForm};

/// The normalizer and the sort keys for the columns, and buffers for their results.
pub struct UriColumns {
    /// The normalizer of `--normalize` and `--key=surt`.
    normalizer: Normalizer,
    /// False if URIs are printed as they are.
    normalizes: bool,
    /// The sort key of `--key`. `None` without `--key`.
    key_kind: Option<Key>,
    /// The normal form of the last URI.
    uri: String,
    /// The sort key of the last URI.
    key: String,
}

impl UriColumns {
    /// Returns the columns of `--normalize` and `--key`, with empty buffers.
    pub fn new(args: &Links) -> Self {
        let preset = match args.normalize {
            NormalForm::None | NormalForm::Safe => Normalizer::safe(),
            NormalForm::Crawl => Normalizer::crawl(),
        };
        UriColumns {
            normalizer: args.changes.apply(preset),
            normalizes: args.normalize != NormalForm::None,
            key_kind: args.key,
            uri: String::new(),
            key: String::new(),
        }
    }

    /// Empties the buffers. Frees their memory beyond 64 KiB, which a long URI may have taken.
    pub fn clear(&mut self) {
        for text in [&mut self.uri, &mut self.key] {
            text.clear();
            text.shrink_to(64 << 10);
        }
    }

    /// Returns a URI in the normal form of `--normalize`, and its sort key, or `None` without `--key`. If there is no normal form,
    /// the URI is returned as it is. If there is no key, the URI is its own key. In both cases, the URI is counted once.
    pub fn of<'c>(&'c mut self, uri: &'c str, progress: &Progress) -> (&'c str, Option<&'c str>) {
        self.clear();
        let is_normal = !self.normalizes || self.normalizer.normalize_into(uri, &mut self.uri).is_ok();
        let has_key = match self.key_kind {
            None => true,
            Some(Key::Surt) => self.normalizer.surt_into(uri, &mut self.key).is_ok(),
            Some(Key::Cdx) => cdx_key_into(uri, &mut self.key).is_ok(),
        };
        if !(is_normal && has_key) {
            progress.not_normalized.add(1);
        }
        let normal = if self.normalizes && is_normal { &self.uri } else { uri };
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
            uri: String::new(),
            key: String::new(),
        };
        let (uri, bad) = ("http://H.com:80/?b&a#c", "http://h/%zz");
        assert_eq!(columns(false, None).of(uri, &progress), (uri, None));
        let mut both = columns(true, Some(Key::Surt));
        assert_eq!(both.of(uri, &progress), ("http://h.com/?a&b", Some("com,h)/?a&b")));
        assert_eq!(columns(false, Some(Key::Surt)).of(uri, &progress), (uri, Some("com,h)/?a&b")));
        assert_eq!(progress.not_normalized.get(), 0);
        assert_eq!(both.of(bad, &progress), (bad, Some(bad)));
        assert_eq!(progress.not_normalized.get(), 1);
        // The key of CDX files needs no normal form, and a port that is a number.
        let mut cdx = columns(true, Some(Key::Cdx));
        assert_eq!(cdx.of(bad, &progress), (bad, Some("h)/%25zz")));
        assert_eq!(cdx.of("http://H:x/", &progress), ("http://h:x/", Some("http://H:x/")));
        assert_eq!(progress.not_normalized.get(), 3);
    }
}
