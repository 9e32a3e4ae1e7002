//! The columns that are made from a link's URI: its normal form and its sort key. The lines are in [`line`].

pub mod line;
pub mod reason;

use relref::Error;
use relref::crawl::{Normalizer, cdx_key_into};

use super::progress::Progress;
use crate::args::{Key, Links, NormalForm};

/// The maker of the sort keys of `--key`.
enum KeyMaker {
    /// Makes SURT keys of the normal form that this normalizer gives.
    Surt(Box<Normalizer>),
    /// Makes the keys of CDX files.
    Cdx,
}

impl KeyMaker {
    /// Appends the sort key of a URI to `out`.
    fn key_into(&self, uri: &str, out: &mut String) -> Result<(), Error> {
        match self {
            KeyMaker::Surt(normalizer) => normalizer.surt_into(uri, out),
            KeyMaker::Cdx => cdx_key_into(uri, out),
        }
    }
}

/// The normalizer and the maker of keys for the columns, and buffers for their results.
pub struct UriColumns {
    /// The normalizer of `--normalize`. `None` if URIs are printed as they are.
    normalizer: Option<Normalizer>,
    /// The maker of the keys of `--key`. `None` without `--key`.
    keys: Option<KeyMaker>,
    /// The normal form of the last URI.
    uri: String,
    /// The sort key of the last URI.
    key: String,
}

impl UriColumns {
    /// Returns the columns of `--normalize` and `--key`, with empty buffers.
    pub fn new(args: &Links) -> Self {
        let normalizer = match args.normalize {
            NormalForm::None => None,
            NormalForm::Safe => Some(Normalizer::safe()),
            NormalForm::Crawl => Some(Normalizer::crawl()),
        };
        let normalizer = normalizer.map(|normalizer| args.changes.apply(normalizer));
        let keys = args.key.map(|key| match key {
            Key::Surt => KeyMaker::Surt(Box::new(normalizer.clone().unwrap_or_else(Normalizer::safe))),
            Key::Cdx => KeyMaker::Cdx,
        });
        UriColumns { normalizer, keys, uri: String::new(), key: String::new() }
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
        let is_normal = self.normalizer.as_ref().is_none_or(|one| one.normalize_into(uri, &mut self.uri).is_ok());
        let has_key = self.keys.as_ref().is_none_or(|keys| keys.key_into(uri, &mut self.key).is_ok());
        if !(is_normal && has_key) {
            progress.not_normalized.add(1);
        }
        let normal = if self.normalizer.is_some() && is_normal { &self.uri } else { uri };
        (normal, self.keys.as_ref().map(|_| if has_key { self.key.as_str() } else { uri }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_that_cannot_be_normalized_stays() {
        let progress = Progress::default();
        let crawl = || Some(Normalizer::crawl().keep_illegal_escapes(false));
        let surt = || crawl().map(Box::new).map(KeyMaker::Surt);
        let columns = |normalizer, keys| UriColumns { normalizer, keys, uri: String::new(), key: String::new() };
        let (uri, bad) = ("http://H.com:80/?b&a#c", "http://h/%zz");
        assert_eq!(columns(None, None).of(uri, &progress), (uri, None));
        let mut both = columns(crawl(), surt());
        assert_eq!(both.of(uri, &progress), ("http://h.com/?a&b", Some("com,h)/?a&b")));
        assert_eq!(columns(None, surt()).of(uri, &progress), (uri, Some("com,h)/?a&b")));
        assert_eq!(progress.not_normalized.get(), 0);
        assert_eq!(both.of(bad, &progress), (bad, Some(bad)));
        assert_eq!(progress.not_normalized.get(), 1);
        // The key of CDX files needs no normal form, and a port that is a number.
        let mut cdx = columns(crawl(), Some(KeyMaker::Cdx));
        assert_eq!(cdx.of(bad, &progress), (bad, Some("h)/%25zz")));
        assert_eq!(cdx.of("http://H:x/", &progress), ("http://h:x/", Some("http://H:x/")));
        assert_eq!(progress.not_normalized.get(), 3);
    }
}
