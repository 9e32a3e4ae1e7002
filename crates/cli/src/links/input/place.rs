//! The path of a file in the folder that is a copy of a site, and the URI that follows from it.

use std::fs::canonicalize;
use std::io;
use std::path::{Path, PathBuf, absolute};

use super::FileKind;
use super::mirror_names::path_and_query;
use crate::args::Links;
use crate::file_uri::{folder_of, has_parent, uri_path};
use crate::output::shown;
use crate::quoting::file_name;

/// Returns a path relative to the folder of `--root`. Both may be relative, and have `..` and symbolic links.
pub fn path_below(root_folder: &Path, path: &Path) -> io::Result<PathBuf> {
    if !has_parent(root_folder) && !has_parent(path) {
        if let Ok(below) = absolute(path)?.strip_prefix(absolute(root_folder)?) {
            return Ok(below.to_owned());
        }
    }
    let not_in = || io::Error::other(format!("it is not in {} (--root)", file_name(root_folder)));
    let root_folder = canonicalize(root_folder).map_err(|_| not_in())?;
    // A symbolic link in the folder keeps its own name.
    let linked = path.file_name().and_then(|name| Some(canonicalize(folder_of(path)).ok()?.join(name)));
    let places = linked.into_iter().chain(canonicalize(path));
    places.filter_map(|path| path.strip_prefix(&root_folder).ok().map(Path::to_owned)).next().ok_or_else(not_in)
}

/// `base` is the URI of the site, whose query and fragment are left out. `path` is relative to the folder of the copy. With `--names
/// wget`, `index` has the names of files that are their folders.
pub fn uri_below(base: &str, path: &Path, index: Option<&[impl AsRef<str>]>) -> String {
    let base = without_query(base);
    let slash = if base.ends_with('/') { "" } else { "/" };
    let path = index.map_or_else(|| uri_path(path), |index| path_and_query(path, index));
    format!("{base}{slash}{path}")
}

fn without_query(uri: &str) -> &str {
    uri.split(['?', '#']).next().unwrap_or(uri)
}

/// Returns a note if the last segment of `--base`, which is the URI of a folder, looks like the name of a page.
pub fn note_about_base(args: &Links) -> Option<String> {
    let base = args.base.as_ref()?;
    let page = without_query(base);
    let is_named_like_page = !page.ends_with('/') && FileKind::of(Path::new(page)) == FileKind::Page;
    let (base, page) = (shown(base), shown(page));
    is_named_like_page.then(|| format!("--base {base} is the URI of a folder: its files are {page}/…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_any_spelling() {
        let here = absolute("src").unwrap();
        let here = here.to_str().unwrap();
        for (root_folder, path, expected) in [
            ("src", "src/main.rs", Some("main.rs")),
            (".", "src/main.rs", Some("src/main.rs")),
            (".", "./src", Some("src")),
            ("src", "./src/./main.rs", Some("main.rs")),
            ("./src/", "src/main.rs", Some("main.rs")),
            ("src", &format!("{here}/main.rs"), Some("main.rs")),
            (here, "src/main.rs", Some("main.rs")),
            ("src", "src/../src/main.rs", Some("main.rs")),
            ("src/links/..", "src/main.rs", Some("main.rs")),
            ("src", "src/links/..", Some("")),
            ("src", "src/../Cargo.toml", None),
            ("src/../tests", "src/main.rs", None),
            ("src", "srcs", None),
            ("src", "Cargo.toml", None),
        ] {
            assert_eq!(
                path_below(Path::new(root_folder), Path::new(path)).ok().as_deref(),
                expected.map(Path::new),
                "{root_folder} {path}"
            );
        }
    }

    #[test]
    fn paths_follow_the_path_of_the_site() {
        for (base, expected) in [
            ("http://h", "http://h/a"),
            ("http://h/s/", "http://h/s/a"),
            ("http://h/s?q/#f", "http://h/s/a"),
            ("http://h/?q", "http://h/a"),
            ("http://h#f?", "http://h/a"),
        ] {
            assert_eq!(uri_below(base, Path::new("a"), None::<&[&str]>), expected, "{base}");
            let folder = expected.strip_suffix('a');
            assert_eq!(Some(&*uri_below(base, Path::new("index.html"), Some(&["index.html"]))), folder, "{base}");
        }
    }
}
