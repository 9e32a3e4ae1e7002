//! The options of a check.

use super::redirects::Redirects;
use crate::markdown::Renderer;

/// The options of a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The URI of the root: absolute links below it lead to files of the site, as do those that start with its path. Without one, the
    /// root is that of its server, all links with a scheme and a host lead to other sites, and a link of Markdown that starts with a slash
    /// may also lead to what is in the repository around the root, as forges have it: then only its existence is checked. For links of a
    /// repository to its own files on a forge, it is that of the files of a branch: `https://github.com/OWNER/NAME/blob/main/`, on GitLab
    /// with `/-/blob/`.
    pub base: Option<String>,
    /// The names of the file that a folder is, the first that exists; `index.html` by default.
    pub index: Vec<String>,
    /// Endings that servers try, without the dot: with `html`, `a` is `a.html` if there is no file `a`. None by default.
    pub try_ext: Vec<String>,
    /// The redirects of the server, which count where there is no file. None by default.
    pub redirects: Redirects,
    /// True to look for the elements that fragments indicate. True by default.
    pub fragments: bool,
    /// The renderer by which the headings of Markdown have ids. Without one, that of the nearest file above a page that
    /// [configures](Renderer::of_configuration) one, and GitHub's without any.
    pub ids: Option<Renderer>,
    /// The patterns, as in a `.gitignore` in the root, of files whose links are not checked. Links may lead to them.
    pub exclude: Vec<String>,
    /// True to leave out what git ignores, and its own folder `.git`, below the root; true by default. Links to what is left out lead
    /// nowhere. The root itself may be ignored.
    pub git_ignore: bool,
    /// True to check what only scripts read, such as `data-src`, too. False by default.
    pub lazy: bool,
    /// True to find [sections](super::Structure) and to count the links between them. False by default.
    pub structure: bool,
    /// The number of threads that read pages; 0, the default, for one on each core.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        let index = vec!["index.html".to_owned()];
        Options {
            base: None,
            index,
            try_ext: Vec::new(),
            redirects: Redirects::default(),
            fragments: true,
            ids: None,
            exclude: Vec::new(),
            git_ignore: true,
            lazy: false,
            structure: false,
            threads: 0,
        }
    }
}
