//! The columns made from a link's URI: its normal form and its sort key. The lines are in [`line`].

pub mod line;

use relref::crawl::Normalizer;

use super::progress::Progress;
use crate::args::{Links, NormalForm};

/// The normalizers of the columns, and buffers for their results.
pub struct UriColumns {
    normalizer: Option<Normalizer>,
    /// The normalizer of sort keys.
    keys: Option<Normalizer>,
    uri: String,
    key: String,
}

impl UriColumns {
    pub fn new(args: &Links) -> Self {
        let normalizer = match args.normalize {
            NormalForm::None => None,
            NormalForm::Safe => Some(Normalizer::safe()),
            NormalForm::Crawl => Some(Normalizer::crawl()),
        };
        let keys = args.key.map(|_| normalizer.clone().unwrap_or_else(Normalizer::safe));
        UriColumns { normalizer, keys, uri: String::new(), key: String::new() }
    }

    /// Empties the buffers, and frees the memory that a long URI has taken.
    pub fn clear(&mut self) {
        for text in [&mut self.uri, &mut self.key] {
            text.clear();
            text.shrink_to(64 << 10);
        }
    }

    /// Returns a URI in the form of `--normalize`, and its sort key with `--key`. A URI that cannot be normalized stays as it
    /// is, is its own key, and is counted.
    pub fn of<'c>(&'c mut self, uri: &'c str, progress: &Progress) -> (&'c str, Option<&'c str>) {
        self.clear();
        let mut is_normal = true;
        if let Some(normalizer) = &self.normalizer {
            is_normal = normalizer.normalize_into(uri, &mut self.uri).is_ok();
        }
        if let Some(keys) = self.keys.as_ref().filter(|_| is_normal) {
            is_normal = keys.surt_into(uri, &mut self.key).is_ok();
        }
        if !is_normal {
            progress.not_normalized.add(1);
        }
        let normal = if self.normalizer.is_some() && is_normal { &self.uri } else { uri };
        (normal, self.keys.as_ref().map(|_| if is_normal { self.key.as_str() } else { uri }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_that_cannot_be_normalized_stays() {
        let progress = Progress::new();
        let crawl = || Some(Normalizer::crawl().keep_illegal_escapes(false));
        let columns = |normalizer, keys| UriColumns { normalizer, keys, uri: String::new(), key: String::new() };
        let (uri, bad) = ("http://H.com:80/?b&a#c", "http://h/%zz");
        assert_eq!(columns(None, None).of(uri, &progress), (uri, None));
        let mut both = columns(crawl(), crawl());
        assert_eq!(both.of(uri, &progress), ("http://h.com/?a&b", Some("com,h)/?a&b")));
        assert_eq!(columns(None, crawl()).of(uri, &progress), (uri, Some("com,h)/?a&b")));
        assert_eq!(progress.not_normalized.get(), 0);
        assert_eq!(both.of(bad, &progress), (bad, Some(bad)));
        assert_eq!(progress.not_normalized.get(), 1);
    }
}
