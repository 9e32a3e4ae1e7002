//! Patterns of files.

use std::io;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns of files below a folder, as in a `.gitignore` in it: the last one that matches counts.
///
/// ```
/// use relref_links::files::Patterns;
///
/// let patterns = Patterns::new(&["vendor/", "*.min.css", "!own.min.css"])?;
/// assert!(patterns.has("a/vendor/b/index.html"));
/// assert!(patterns.has("a/b.min.css") && !patterns.has("a/own.min.css"));
/// assert!(Patterns::new(&["a{b"]).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patterns(Gitignore);

impl Patterns {
    /// # Errors
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if a pattern is not valid.
    pub fn new(patterns: &[impl AsRef<str>]) -> io::Result<Self> {
        let invalid = |why: ignore::Error| io::Error::new(io::ErrorKind::InvalidInput, why.to_string());
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            builder.add_line(None, pattern.as_ref()).map_err(invalid)?;
        }
        builder.build().map(Patterns).map_err(invalid)
    }

    /// Reports whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reports whether they match a file, or a folder that it is in. The path starts at the folder of the patterns.
    #[must_use]
    pub fn has(&self, path: impl AsRef<Path>) -> bool {
        self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}
