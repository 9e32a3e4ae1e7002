//! The renderer of each Markdown page of a site, by the files that configure one.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::files::{Files, last_name};
use crate::markdown::Renderer;

/// The renderers of the folders that configure one.
pub(super) struct Renderers {
    by_folder: HashMap<Box<[u8]>, Renderer>,
    /// The renderer of pages in no such folder.
    other: Renderer,
    is_chosen: bool,
}

impl Renderers {
    /// `chosen` is that of all pages.
    pub(super) fn new(files: &Files, chosen: Option<Renderer>) -> Self {
        let mut by_folder = HashMap::new();
        if let Some(other) = chosen {
            return Renderers { by_folder, other, is_chosen: true };
        }
        for path in files.paths() {
            let name = last_name(path);
            let renderer = std::str::from_utf8(name).ok().and_then(Renderer::of_configuration);
            if let Some(renderer) = renderer {
                let renderer = configured(renderer, &files.full_path(path));
                let folder = &path[..path.len() - name.len()];
                by_folder.entry(folder.strip_suffix(b"/").unwrap_or(folder).into()).or_insert(renderer);
            }
        }
        Renderers { by_folder, other: above(&files.root).unwrap_or_default(), is_chosen: false }
    }

    /// Returns the renderer of a page, by its path from the root.
    pub(super) fn of(&self, path: &[u8]) -> Renderer {
        let is_mdx = path.last_chunk::<4>().is_some_and(|ending| ending.eq_ignore_ascii_case(b".mdx"));
        if is_mdx && !self.is_chosen {
            return Renderer::Docusaurus;
        }
        if self.by_folder.is_empty() {
            return self.other;
        }
        let ends = memchr::memrchr_iter(b'/', path).chain([0]);
        ends.into_iter().find_map(|end| self.by_folder.get(&path[..end])).copied().unwrap_or(self.other)
    }
}

/// Looks above the root, up to the folder of its repository; outside of any, in the folder around the root.
fn above(root: &Path) -> Option<Renderer> {
    let root = root.canonicalize().ok()?;
    let repository = root.ancestors().find(|folder| folder.join(".git").exists()).or(root.parent())?;
    let mut folders = root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository));
    folders.find_map(|folder| {
        let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let known = names.filter_map(|name| Some((Renderer::of_configuration(name.to_str()?)?, name)));
        let first = known.min_by(|one, other| one.1.cmp(&other.1));
        first.map(|(renderer, name)| configured(renderer, &folder.join(name)))
    })
}

/// Returns the renderer that a configuration file chooses, by what it says in its first bytes.
fn configured(renderer: Renderer, path: &Path) -> Renderer {
    const MOST: u64 = 1 << 18;
    let mut text = Vec::new();
    // One that cannot be read says nothing.
    let mut read = || File::open(path)?.take(MOST).read_to_end(&mut text);
    // To open a named pipe could wait forever.
    match renderer == Renderer::MkDocs && path.is_file() && read().is_ok() {
        true => renderer.with_extensions(&String::from_utf8_lossy(&text)),
        false => renderer,
    }
}
