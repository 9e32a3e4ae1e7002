//! The options of a check.

/// The options of a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The URI of the root: absolute links below it lead to files of the site, as do those that start with its path. Without one, the
    /// root is that of its server, and all links with a scheme and a host lead to other sites.
    pub base: Option<String>,
    /// The names of the file that a folder is, the first that exists; `index.html` by default.
    pub index: Vec<String>,
    /// Endings that servers try, without the dot: with `html`, `a` is `a.html` if there is no file `a`. None by default.
    pub try_ext: Vec<String>,
    /// True to look for the elements that fragments indicate. True by default.
    pub fragments: bool,
    /// True to count the links between [sections](super::Structure). False by default.
    pub structure: bool,
    /// The number of threads that read pages; 0, the default, for one on each core.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        let index = vec!["index.html".to_owned()];
        Options { base: None, index, try_ext: Vec::new(), fragments: true, structure: false, threads: 0 }
    }
}
