//! The renderer of each Markdown page of a site, by the files that configure one.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::files::{Files, last_name};
use crate::markdown::{Renderer, is_mdx};
use crate::rewrite::Content;

/// The renderers of the folders that configure one.
pub(super) struct Renderers {
    by_folder: HashMap<Box<[u8]>, Renderer>,
    /// The renderer of pages in no such folder.
    other: Renderer,
    is_chosen: bool,
    /// Folders of sources, whose content is the root of a site.
    site_roots: HashSet<Box<[u8]>>,
}

impl Renderers {
    /// `chosen` is that of all pages.
    pub(super) fn new(files: &Files, chosen: Option<Renderer>) -> Self {
        let (mut by_folder, mut site_roots) = (HashMap::new(), HashSet::new());
        for path in files.paths() {
            let name = last_name(path);
            let renderer = std::str::from_utf8(name).ok().and_then(Renderer::of_configuration);
            if let Some(renderer) = renderer {
                let open = || files.contents.open(path, &files.full_path(path), Vec::new());
                let text = configuration(renderer, || start(open()?.reader()));
                let folder = &path[..path.len() - name.len()];
                site_roots.extend(renderer.site_root(&text).map(|root| [folder, root.as_bytes()].concat().into()));
                let renderer = renderer.with_extensions(&text);
                by_folder.entry(folder.strip_suffix(b"/").unwrap_or(folder).into()).or_insert(renderer);
            }
        }
        if let Some(other) = chosen {
            return Renderers { by_folder: HashMap::new(), other, is_chosen: true, site_roots };
        }
        let above = || {
            let mut folders = FolderRenderers::new(&files.root);
            folders.above(&folders.real_root.clone())
        };
        let above = if files.contents.is_folder() { above() } else { None };
        Renderers { by_folder, other: above.unwrap_or_default(), is_chosen: false, site_roots }
    }

    /// Returns the folder of sources, with a page at this path, whose content is the root of its site.
    pub(super) fn site_root(&self, path: &[u8]) -> Option<&[u8]> {
        let ends = memchr::memrchr_iter(b'/', path).filter(|_| !self.site_roots.is_empty());
        ends.into_iter().find_map(|end| self.site_roots.get(&path[..end])).map(|root| &**root)
    }

    /// Returns the renderer of a page, by its path from the root.
    pub(super) fn of(&self, path: &[u8]) -> Renderer {
        if is_mdx(path) && !self.is_chosen {
            return Renderer::Docusaurus;
        }
        if self.by_folder.is_empty() {
            return self.other;
        }
        let ends = memchr::memrchr_iter(b'/', path).chain([0]);
        ends.into_iter().find_map(|end| self.by_folder.get(&path[..end])).copied().unwrap_or(self.other)
    }
}

/// The renderers of the Markdown pages of a folder on the disk, each by the nearest configuration file above it, as [`Site`](super::Site)
/// finds them, but without a look at other folders.
#[derive(Clone, Debug)]
pub struct FolderRenderers {
    root: PathBuf,
    real_root: PathBuf,
    /// The folder of the repository; outside of any, the one around the root.
    top: PathBuf,
    by_folder: HashMap<PathBuf, Option<Renderer>>,
}

impl FolderRenderers {
    /// The most folders that are known at once.
    const MOST: usize = 1 << 12;

    /// Costs a few system calls for each folder around the root.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let repository = real_root.ancestors().find(|folder| folder.join(".git").exists());
        let top = repository.or(real_root.parent()).unwrap_or(&real_root).to_owned();
        FolderRenderers { root: root.to_owned(), real_root, top, by_folder: HashMap::new() }
    }

    /// Returns what a file below the root holds, as [`Content::of_file`] does with `uri` and `is_page`. A page of Markdown is MDX where its
    /// renderer reads it so. Costs a look at each folder above a page of Markdown, once.
    ///
    /// # Errors
    /// Those of the file.
    ///
    /// ```
    /// use relref_links::check::FolderRenderers;
    /// use relref_links::rewrite::Content;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let page = folder.path().join("a.md");
    /// std::fs::write(folder.path().join("docusaurus.config.js"), "")?;
    /// std::fs::write(&page, "import X from './x';")?;
    /// let mut renderers = FolderRenderers::new(folder.path());
    /// let content = renderers.content(std::fs::File::open(&page)?, &page, "http://h/a.md", false)?;
    /// assert_eq!(content, Content::Mdx);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn content(&mut self, file: impl Read + Seek, path: &Path, uri: &str, is_page: bool) -> io::Result<Content> {
        let content = Content::of_file(file, path, uri, is_page)?;
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        Ok(match content {
            Content::Markdown => content.rendered_by(self.above(&self.real_root.join(below))),
            _ => content,
        })
    }

    /// Looks above a path, up to the top.
    fn above(&mut self, path: &Path) -> Option<Renderer> {
        if self.by_folder.len() > Self::MOST {
            self.by_folder.clear();
        }
        let folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.top));
        folders.into_iter().find_map(|folder| match self.by_folder.get(folder) {
            Some(known) => *known,
            None => *self.by_folder.entry(folder.to_owned()).or_insert(configured_in(folder)),
        })
    }
}

fn configured_in(folder: &Path) -> Option<Renderer> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let known = names.filter_map(|name| Some((Renderer::of_configuration(name.to_str()?)?, name)));
    let (renderer, name) = known.min_by(|one, other| one.1.cmp(&other.1))?;
    let path = folder.join(name);
    let text = configuration(renderer, || {
        // To open a named pipe could wait forever.
        let is_file = path.is_file();
        if is_file { start(File::open(&path)?) } else { Err(io::ErrorKind::InvalidInput.into()) }
    });
    Some(renderer.with_extensions(&text))
}

/// Returns the first bytes of a configuration file, as far as its renderer needs them. One that cannot be read says nothing.
fn configuration(renderer: Renderer, read: impl FnOnce() -> io::Result<Vec<u8>>) -> String {
    let text = (renderer == Renderer::MkDocs).then(read).and_then(Result::ok).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

fn start(file: impl Read) -> io::Result<Vec<u8>> {
    const MOST: u64 = 1 << 18;
    let mut text = Vec::new();
    file.take(MOST).read_to_end(&mut text)?;
    Ok(text)
}
