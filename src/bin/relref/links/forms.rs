//! The normal form of a URI and its sort key.

use relref::crawl::Normalizer;

use super::progress::Progress;
use crate::args::{Form, Links};

/// What makes forms and keys, and where they are kept until they are written.
pub struct Forms {
    normalizer: Option<Normalizer>,
    keys: Option<Normalizer>,
    form: String,
    key: String,
}

impl Forms {
    pub fn new(args: &Links) -> Self {
        let normalizer = match args.normalize {
            Form::None => None,
            Form::Safe => Some(Normalizer::safe()),
            Form::Crawl => Some(Normalizer::crawl()),
        };
        let keys = args.key.map(|_| normalizer.clone().unwrap_or_else(Normalizer::safe));
        Forms { normalizer, keys, form: String::new(), key: String::new() }
    }

    /// Empties the buffers, and frees the memory that a long URI took.
    pub fn clear(&mut self) {
        for text in [&mut self.form, &mut self.key] {
            text.clear();
            text.shrink_to(64 << 10);
        }
    }

    /// Returns the URI in its form, and its key. One that has none stays as it is, and is counted.
    pub fn of<'f>(&'f mut self, uri: &'f str, progress: &Progress) -> (&'f str, Option<&'f str>) {
        self.clear();
        let mut good = true;
        if let Some(normalizer) = &self.normalizer {
            good = normalizer.normalize_into(uri, &mut self.form).is_ok();
        }
        if let Some(keys) = self.keys.as_ref().filter(|_| good) {
            good = keys.surt_into(uri, &mut self.key).is_ok();
        }
        if !good {
            progress.kept.add(1);
        }
        let form = if self.normalizer.is_some() && good { &self.form } else { uri };
        (form, self.keys.as_ref().map(|_| if good { self.key.as_str() } else { uri }))
    }
}
