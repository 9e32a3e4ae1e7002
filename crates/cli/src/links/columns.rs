//! The columns that are made from the URI of a link: its normal form and its sort key. The lines are in `line`.

pub mod line;
pub mod reason;

use std::borrow::Cow;
use std::ops::RangeInclusive;

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
    /// The number of bytes of URIs that may still be normalized for the page.
    remaining: u64,
    /// The last URI, if it is long enough that comparing takes much less time than normalizing. Empty otherwise.
    last_uri: String,
    /// True if the last URI has a normal form, and without `--normalize`.
    has_normal_form: bool,
    /// True if the last URI has a sort key, and without `--key`.
    has_key: bool,
    /// The normal form of the last URI. Empty if it has none, or without `--normalize`.
    normal_form: String,
    /// The sort key of the last URI. Empty if it has none, or without `--key`.
    key: String,
}

impl UriColumns {
    /// The lengths in bytes of URIs that are remembered.
    const REMEMBERED_LENS: RangeInclusive<usize> = 512..=64 << 10;

    /// Returns the columns that the arguments ask for, with empty buffers. No URI can be normalized before
    /// [`set_remaining`](Self::set_remaining) is called.
    pub fn new(args: &Links) -> Self {
        let preset = match args.normalize {
            NormalForm::None | NormalForm::Safe => Normalizer::safe(),
            NormalForm::Crawl => Normalizer::crawl(),
        };
        UriColumns::with(args.changes.apply(preset), args.normalize != NormalForm::None, args.key)
    }

    /// Returns the columns that these values describe, with empty buffers.
    fn with(normalizer: Normalizer, normalizes: bool, key_kind: Option<Key>) -> Self {
        UriColumns {
            normalizer,
            normalizes,
            key_kind,
            remaining: 0,
            last_uri: String::new(),
            has_normal_form: true,
            has_key: true,
            normal_form: String::new(),
            key: String::new(),
        }
    }

    /// Sets the number of bytes of URIs that may be normalized from now on, for the next page.
    pub fn set_remaining(&mut self, bytes: u64) {
        self.remaining = bytes;
    }

    /// Empties the buffers. Frees their memory above 64 KiB, which a long URI may have taken.
    pub fn clear(&mut self) {
        for text in [&mut self.last_uri, &mut self.normal_form, &mut self.key] {
            text.clear();
            text.shrink_to(64 << 10);
        }
    }

    /// Returns the two columns for a URI: the URI in its normal form, or as it is without `--normalize`; and its sort key, or
    /// `None` without `--key`. If the URI has no normal form or no key, the URI itself takes its place, and is counted once in
    /// `progress`. Returns `None` if the URI is longer than the bytes that may still be normalized.
    pub fn uri_and_key<'c>(&'c mut self, uri: &'c str, progress: &Progress) -> Option<(&'c str, Option<&'c str>)> {
        if !self.normalizes && self.key_kind.is_none() {
            return Some((uri, None));
        }
        // The links of a page may all have its long query.
        if self.last_uri.is_empty() || self.last_uri != uri {
            self.remaining = self.remaining.checked_sub(uri.len() as u64)?;
            self.make(uri);
        }
        if !(self.has_normal_form && self.has_key) {
            progress.not_normalized.add(1);
        }
        let normal = if self.normalizes && self.has_normal_form { &self.normal_form } else { uri };
        Some((normal, self.key_kind.map(|_| if self.has_key { self.key.as_str() } else { uri })))
    }

    /// Returns the URI of a page in the form with which those of its links are compared.
    pub fn page_uri<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        let form = if self.normalizes { self.normalizer.normalize(uri).ok() } else { None };
        form.map_or(Cow::Borrowed(uri), Cow::Owned)
    }

    /// Makes the normal form and the key of a URI. Remembers the URI if it is long.
    fn make(&mut self, uri: &str) {
        self.clear();
        self.has_normal_form = !self.normalizes || self.normalizer.normalize_into(uri, &mut self.normal_form).is_ok();
        self.has_key = match self.key_kind {
            None => true,
            Some(Key::Surt) => self.normalizer.surt_into(uri, &mut self.key).is_ok(),
            Some(Key::Cdx) => cdx_key_into(uri, &mut self.key).is_ok(),
        };
        if Self::REMEMBERED_LENS.contains(&uri.len()) {
            self.last_uri.push_str(uri);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_that_cannot_be_normalized_stays() {
        let progress = Progress::default();
        let columns = |normalizes, key_kind| UriColumns {
            remaining: 100,
            ..UriColumns::with(Normalizer::crawl().keep_illegal_escapes(false), normalizes, key_kind)
        };
        let (uri, bad) = ("http://H.com:80/?b&a#c", "http://h/%zz");
        assert_eq!(columns(false, None).uri_and_key(uri, &progress), Some((uri, None)));
        let mut both = columns(true, Some(Key::Surt));
        assert_eq!(both.uri_and_key(uri, &progress), Some(("http://h.com/?a&b", Some("com,h)/?a&b"))));
        assert_eq!(columns(false, Some(Key::Surt)).uri_and_key(uri, &progress), Some((uri, Some("com,h)/?a&b"))));
        assert_eq!(progress.not_normalized.get(), 0);
        assert_eq!(both.uri_and_key(bad, &progress), Some((bad, Some(bad))));
        assert_eq!(progress.not_normalized.get(), 1);
        // The key of CDX files needs no normal form, and a port that is a number.
        let mut cdx = columns(true, Some(Key::Cdx));
        assert_eq!(cdx.uri_and_key(bad, &progress), Some((bad, Some("h)/%25zz"))));
        assert_eq!(cdx.uri_and_key("http://H:x/", &progress), Some(("http://h:x/", Some("http://H:x/"))));
        assert_eq!(progress.not_normalized.get(), 3);
    }

    #[test]
    fn the_bytes_that_are_normalized_are_bounded() {
        let progress = Progress::default();
        let mut columns = UriColumns::with(Normalizer::crawl(), true, None);
        assert_eq!(columns.uri_and_key("http://h/", &progress), None);
        columns.set_remaining(1000);
        let [long, short] = [600, 300].map(|len| format!("http://пример.рф/?{}", "x".repeat(len)));
        let normal = format!("http://xn--e1afmkfd.xn--p1ai/?{}", "x".repeat(600));
        // The long one is normalized once.
        for _ in 0..9 {
            assert_eq!(columns.uri_and_key(&long, &progress), Some((&*normal, None)));
        }
        assert!(columns.uri_and_key(&short, &progress).is_some());
        assert_eq!(columns.uri_and_key(&short, &progress), None);
    }
}
