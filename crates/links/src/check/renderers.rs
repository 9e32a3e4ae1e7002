//! The renderer of each Markdown page of a site, by the files that configure one.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
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
                let open = || files.contents.open(path, &files.full_path(path), Vec::new());
                let renderer = configured(renderer, || start(open()?.reader()));
                let folder = &path[..path.len() - name.len()];
                by_folder.entry(folder.strip_suffix(b"/").unwrap_or(folder).into()).or_insert(renderer);
            }
        }
        let above = if files.contents.is_folder() { above(&files.root) } else { None };
        Renderers { by_folder, other: above.unwrap_or_default(), is_chosen: false }
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
        first.map(|(renderer, name)| {
            let path = folder.join(name);
            configured(renderer, || {
                // To open a named pipe could wait forever.
                let is_file = path.is_file();
                if is_file { start(File::open(&path)?) } else { Err(io::ErrorKind::InvalidInput.into()) }
            })
        })
    })
}

/// Returns the renderer that a configuration file chooses, by what it says in its first bytes. One that cannot be read says nothing.
fn configured(renderer: Renderer, read: impl FnOnce() -> io::Result<Vec<u8>>) -> Renderer {
    match (renderer == Renderer::MkDocs).then(read) {
        Some(Ok(text)) => renderer.with_extensions(&String::from_utf8_lossy(&text)),
        _ => renderer,
    }
}

fn start(file: impl Read) -> io::Result<Vec<u8>> {
    const MOST: u64 = 1 << 18;
    let mut text = Vec::new();
    file.take(MOST).read_to_end(&mut text)?;
    Ok(text)
}
