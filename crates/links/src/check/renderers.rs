//! The renderer of each Markdown page of a site, by the files that configure one.

use std::collections::HashMap;
use std::path::Path;

use super::files::{Files, last_name};
use crate::markdown::Renderer;

/// The renderers of the folders that configure one.
pub(super) struct Renderers {
    by_folder: HashMap<Box<[u8]>, Renderer>,
    /// The renderer of pages in no such folder.
    other: Renderer,
}

impl Renderers {
    /// `chosen` is that of all pages.
    pub(super) fn new(files: &Files, chosen: Option<Renderer>) -> Self {
        let mut by_folder = HashMap::new();
        if let Some(other) = chosen {
            return Renderers { by_folder, other };
        }
        for path in files.paths() {
            let name = last_name(path);
            let renderer = std::str::from_utf8(name).ok().and_then(Renderer::of_configuration);
            if let Some(renderer) = renderer {
                let folder = &path[..path.len() - name.len()];
                by_folder.entry(folder.strip_suffix(b"/").unwrap_or(folder).into()).or_insert(renderer);
            }
        }
        Renderers { by_folder, other: above(&files.root).unwrap_or_default() }
    }

    /// Returns the renderer of a page, by its path from the root.
    pub(super) fn of(&self, path: &[u8]) -> Renderer {
        if self.by_folder.is_empty() {
            return self.other;
        }
        let ends = memchr::memrchr_iter(b'/', path).chain([0]);
        ends.into_iter().find_map(|end| self.by_folder.get(&path[..end])).copied().unwrap_or(self.other)
    }
}

/// The names of files that configure a renderer and stand above the folder with the pages.
const ABOVE: [&str; 9] = [
    "book.toml",
    "mkdocs.yml",
    "mkdocs.yaml",
    "hugo.toml",
    "hugo.yaml",
    "_config.yml",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    ".vitepress",
];

/// Looks above the root, up to the folder of its repository.
fn above(root: &Path) -> Option<Renderer> {
    let root = root.canonicalize().ok()?;
    let repository = root.ancestors().find(|folder| folder.join(".git").exists())?;
    let folders = root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository));
    folders
        .flat_map(|folder| ABOVE.map(|name| (folder, name)))
        .find_map(|(folder, name)| folder.join(name).exists().then(|| Renderer::of_configuration(name)).flatten())
}
