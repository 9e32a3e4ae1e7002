//! The normal forms and sort keys of the links of a page, up to a total length for each page.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use relref::crawl::{Key, Normalizer};

/// A maker of the normal forms and sort keys of links, with buffers for their text.
///
/// ```
/// use relref::crawl::{Key, Normalizer};
/// use relref_links::page::UriForms;
///
/// let mut forms = UriForms::new(Some(Normalizer::crawl()), Some(Key::Surt));
/// forms.start_page(1 << 20);
/// let form = forms.of("http://Example.com/a#b").unwrap();
/// assert_eq!((form.uri, form.key), ("http://example.com/a", Some("com,example)/a")));
/// ```
#[derive(Clone, Debug)]
pub struct UriForms {
    /// `None` if no normal forms are wanted.
    normalizer: Option<Normalizer>,
    key_normalizer: Normalizer,
    key_kind: Option<Key>,
    /// The number of bytes of URIs that may still be normalized for the page.
    remaining: u64,
    /// The last URI, if it is long enough that comparing takes much less time than normalizing. Empty otherwise.
    last_uri: String,
    /// True if the last URI has a normal form, or needs none.
    has_normal_form: bool,
    /// True if the last URI has a key, or needs none.
    has_key: bool,
    normal_form: String,
    key: String,
}

/// A URI in the forms that [`UriForms`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UriForm<'f> {
    /// The normal form, or the URI itself if it has none or none is wanted.
    pub uri: &'f str,
    /// The sort key, or the URI itself if it has none. `None` if no keys are wanted.
    pub key: Option<&'f str>,
    /// True if all that is wanted could be made.
    pub is_normal: bool,
}

impl UriForms {
    /// The lengths in bytes of URIs that are remembered.
    const REMEMBERED_LENS: RangeInclusive<usize> = 512..=64 << 10;

    /// Returns a maker of normal forms, if there is a normalizer, and of keys of a kind. Without a normalizer, keys are those of
    /// the preset [`safe`](Normalizer::safe).
    #[must_use]
    pub fn new(normalizer: Option<Normalizer>, key: Option<Key>) -> Self {
        UriForms {
            key_normalizer: normalizer.clone().unwrap_or_else(Normalizer::safe),
            normalizer,
            key_kind: key,
            remaining: 0,
            last_uri: String::new(),
            has_normal_form: true,
            has_key: true,
            normal_form: String::new(),
            key: String::new(),
        }
    }

    /// Makes keys by another normalizer than normal forms.
    ///
    /// ```
    /// use relref::crawl::{Key, Normalizer};
    /// use relref_links::page::UriForms;
    ///
    /// let drops = |normalizer: Normalizer| normalizer.drop_param("*id");
    /// let mut forms = UriForms::new(Some(drops(Normalizer::new())), Some(Key::Surt)).with_keys_by(drops(Normalizer::safe()));
    /// forms.start_page(1 << 20);
    /// let form = forms.of("http://Example.com/%61?sid=1&b#c").unwrap();
    /// assert_eq!((form.uri, form.key), ("http://Example.com/%61?b#c", Some("com,example)/a?b")));
    /// ```
    #[must_use]
    pub fn with_keys_by(self, normalizer: Normalizer) -> Self {
        UriForms { key_normalizer: normalizer, ..self }
    }

    /// Starts a page, for which so many bytes of URIs may be normalized: see [`max_links_len`](super::Page::max_links_len). Frees
    /// the memory of buffers above 64 KiB.
    pub fn start_page(&mut self, max_len: u64) {
        self.remaining = max_len;
        self.clear();
    }

    /// Returns the forms of a URI; `None` if it is longer than the bytes that may still be normalized. A URI of 512 bytes to 64 KiB
    /// that equals the one before is not normalized again, and does not count.
    #[inline]
    pub fn of<'f>(&'f mut self, uri: &'f str) -> Option<UriForm<'f>> {
        if self.normalizer.is_none() && self.key_kind.is_none() {
            return Some(UriForm { uri, key: None, is_normal: true });
        }
        // The links of a page may all have its long query.
        if self.last_uri.is_empty() || self.last_uri != uri {
            self.remaining = self.remaining.checked_sub(uri.len() as u64)?;
            self.make(uri);
        }
        let form = if self.normalizer.is_some() && self.has_normal_form { &self.normal_form } else { uri };
        let key = self.key_kind.map(|_| if self.has_key { self.key.as_str() } else { uri });
        Some(UriForm { uri: form, key, is_normal: self.has_normal_form && self.has_key })
    }

    /// Returns the URI of a page in the form with which those of its links are compared.
    pub fn page_uri<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        let form = self.normalizer.as_ref().and_then(|normalizer| normalizer.normalize(uri).ok());
        form.map_or(Cow::Borrowed(uri), Cow::Owned)
    }

    fn make(&mut self, uri: &str) {
        self.clear();
        let form = &mut self.normal_form;
        self.has_normal_form = self.normalizer.as_ref().is_none_or(|by| by.normalize_into(uri, form).is_ok());
        self.has_key = self.key_kind.is_none_or(|key| key.append(&self.key_normalizer, uri, &mut self.key).is_ok());
        if Self::REMEMBERED_LENS.contains(&uri.len()) {
            self.last_uri.push_str(uri);
        }
    }

    fn clear(&mut self) {
        for text in [&mut self.last_uri, &mut self.normal_form, &mut self.key] {
            text.clear();
            text.shrink_to(64 << 10);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(normalizer: Option<Normalizer>, key: Option<Key>) -> UriForms {
        let mut forms = UriForms::new(normalizer, key);
        forms.start_page(100);
        forms
    }

    #[test]
    fn a_uri_that_cannot_be_normalized_stays() {
        let crawl = || Some(Normalizer::crawl().keep_illegal_escapes(false));
        let (uri, bad) = ("http://H.com:80/?b&a#c", "http://h/%zz");
        let form = |uri, key, is_normal| Some(UriForm { uri, key, is_normal });
        assert_eq!(forms(None, None).of(uri), form(uri, None, true));
        let mut both = forms(crawl(), Some(Key::Surt));
        assert_eq!(both.of(uri), form("http://h.com/?a&b", Some("com,h)/?a&b"), true));
        assert_eq!(both.of(bad), form(bad, Some(bad), false));
        assert_eq!(forms(None, Some(Key::Surt)).of(uri), form(uri, Some("com,h)/?b&a"), true));
        // The key of CDX files needs no normal form, and a port that is a number.
        let mut cdx = forms(crawl(), Some(Key::Cdx));
        assert_eq!(cdx.of(bad), form(bad, Some("h)/%25zz"), false));
        assert_eq!(cdx.of("http://H:x/"), form("http://h:x/", Some("http://H:x/"), false));
    }

    #[test]
    fn the_bytes_that_are_normalized_are_bounded() {
        let mut forms = UriForms::new(Some(Normalizer::crawl()), None);
        assert_eq!(forms.of("http://h/"), None);
        forms.start_page(1000);
        let [long, short] = [600, 300].map(|len| format!("http://h.рф/?{}", "x".repeat(len)));
        let normal = Normalizer::crawl().normalize(&long).unwrap();
        // The long one is normalized once.
        for _ in 0..9 {
            assert_eq!(forms.of(&long).map(|form| form.uri), Some(&*normal));
        }
        assert!(forms.of(&short).is_some());
        assert_eq!(forms.of(&short), None);
    }
}
