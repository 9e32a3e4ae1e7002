//! The files of a copy of a site, by the URIs that they stand for.

use std::collections::HashMap;
use std::path::Path;

use relref::crawl::Normalizer;
use relref_links::files::{EntryKind, Walk};

use crate::file_uri::uri_path;
use crate::links::input::uri_below;

/// The index file of a folder.
const INDEX: &[&str] = &["index.html"];

/// The paths of the files of a copy, by the normal forms of their URIs. A file whose name is the path of a URI comes before one whose name
/// wget has made from it.
pub struct Mirror {
    files: HashMap<String, String>,
    normalizer: Normalizer,
}

impl Mirror {
    pub fn new(root: &Path, base: &str) -> Self {
        let mut mirror = Mirror { files: HashMap::new(), normalizer: Normalizer::safe() };
        for index in [None, Some(INDEX)] {
            let files = Walk::new(root).without_following().flatten();
            for file in files.filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Symlink)) {
                let path = file.path.strip_prefix(root).unwrap_or(&file.path);
                let uri = mirror.normal(&uri_below(base, path, index));
                mirror.files.entry(uri).or_insert_with(|| uri_path(path));
            }
        }
        mirror
    }

    pub fn find(&self, uri: &str) -> Option<String> {
        self.files.get(&self.normal(uri)).cloned()
    }

    fn normal(&self, uri: &str) -> String {
        self.normalizer.normalize(uri).unwrap_or_else(|_| uri.into())
    }
}
