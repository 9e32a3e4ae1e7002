//! The path of a file in the folder that is a copy of a site, and the URI that follows from it, also by the names that wget gives.

use std::fs::canonicalize;
use std::io;
use std::path::{Component, Path, PathBuf, absolute};

use memchr::memchr_iter;
use relref::percent::{ByteSet, encode_with};
use relref_links::page::{FileKind, split_query};

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

/// Returns the path and the query of the URI for which a file in a copy that wget has made stands. A file with one of the names in `index` is its folder.
fn path_and_query(path: &Path, index: &[impl AsRef<str>]) -> String {
    let mut out = String::new();
    let names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.as_encoded_bytes()),
        _ => None,
    });
    let mut names = names.peekable();
    while let Some(name) = names.next() {
        if names.peek().is_some() {
            push(name, ByteSet::PATH, &mut out);
            out.push('/');
            continue;
        }
        let (file, query) = split_query(name).map_or((name, None), |(file, query)| (file, Some(query)));
        if !index.iter().any(|index| index.as_ref().as_bytes() == file) {
            push(file, ByteSet::PATH, &mut out);
        }
        if let Some(query) = query {
            out.push('?');
            push(without_ending(query), ByteSet::QUERY, &mut out);
        }
    }
    out
}

/// Removes what `wget --adjust-extension` adds.
fn without_ending(query: &[u8]) -> &[u8] {
    let before = query.strip_suffix(b".html").or(query.strip_suffix(b".css"));
    before.filter(|before| !before.is_empty()).unwrap_or(query)
}

/// Appends a part of a name. The escapes that wget writes stay, as what they stand for would mean something else in a name.
fn push(part: &[u8], plain: ByteSet, out: &mut String) {
    let mut start = 0;
    for at in memchr_iter(b'%', part) {
        if at >= start && part.get(at + 1..at + 3).is_some_and(is_escaped_by_wget) {
            out.extend(encode_with(&part[start..at], plain));
            out.extend(part[at..at + 3].iter().map(|byte| char::from(*byte)));
            start = at + 3;
        }
    }
    out.extend(encode_with(&part[start..], plain));
}

/// `digits` are two bytes after a `%`. wget escapes controls, octets beyond US-ASCII by some of its options, and what a file system
/// does not permit.
fn is_escaped_by_wget(digits: &[u8]) -> bool {
    let digit = |byte: u8| char::from(byte).to_digit(16).filter(|_| !byte.is_ascii_lowercase());
    let [Some(high), Some(low)] = [digits[0], digits[1]].map(digit) else { return false };
    let octet = (high * 16 + low) as u8;
    matches!(octet, 0..0x20 | 0x80..) || b"/\\:*?\"<>|".contains(&octet)
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

    #[test]
    fn names_become_paths_and_queries() {
        for (name, expected) in [
            ("a/b.html", "a/b.html"),
            ("index.html", ""),
            ("a/index.html", "a/"),
            ("index.html/b", "index.html/b"),
            ("a/INDEX.HTML", "a/INDEX.HTML"),
            ("a/index.htm", "a/index.htm"),
            ("p.php?id=3", "p.php?id=3"),
            ("p.php?id=3&a[]=x y?z", "p.php?id=3&a%5B%5D=x%20y?z"),
            ("a?b/p.php?q", "a%3Fb/p.php?q"),
            ("index.html?id=3", "?id=3"),
            ("a/index.html@id=3", "a/?id=3"),
            ("?C=N;O=D", "?C=N;O=D"),
            ("p.php@id=3", "p.php?id=3"),
            ("p.php@mail=a@b.c", "p.php?mail=a@b.c"),
            ("me@h.php@id=3@4", "me@h.php?id=3@4"),
            // Without a `=`, or at the start, it is part of the name.
            ("logo@2x.png", "logo@2x.png"),
            ("@id=3", "@id=3"),
            ("@me/a=b", "@me/a=b"),
            ("p.php?mail=a@b", "p.php?mail=a@b"),
            // What `--adjust-extension` adds is left out where it can be told.
            ("p.php?id=3.html", "p.php?id=3"),
            ("p.php@id=3.html", "p.php?id=3"),
            ("index.html?id=3.html", "?id=3"),
            ("s.css?v=5.1.css", "s.css?v=5.1"),
            ("p?.html", "p?.html"),
            ("about.html", "about.html"),
            ("p.php?", "p.php?"),
            // `%` is a character, except in the escapes of wget.
            ("a%20b", "a%2520b"),
            ("100%", "100%25"),
            ("a%2Fb", "a%2Fb"),
            ("a%2fb", "a%252fb"),
            ("p.php?u=http:%2F%2Fh%2Fa", "p.php?u=http:%2F%2Fh%2Fa"),
            ("p.php@u=http%3A%2F%2Fh%3Fa", "p.php?u=http%3A%2F%2Fh%3Fa"),
            ("%2E%2E/a", "%252E%252E/a"),
            ("%25%2F%", "%2525%2F%25"),
            ("a#b", "a%23b"),
            (
                "новости.php?тег=日本",
                "%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8.php?%D1%82%D0%B5%D0%B3=%E6%97%A5%E6%9C%AC",
            ),
        ] {
            assert_eq!(path_and_query(Path::new(name), &["index.html"]), expected, "{name}");
        }
        let index = ["Default.aspx", "a.php"];
        for (name, expected) in [("b/Default.aspx", "b/"), ("a.php?b", "?b"), ("index.html", "index.html")] {
            assert_eq!(path_and_query(Path::new(name), &index), expected, "{name}");
        }
    }

    /// wget writes the octets of an escape, but may escape some or all of UTF-8 again.
    #[cfg(unix)]
    #[test]
    fn octets_become_escapes() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        for (name, expected) in [
            (&b"caf\xE9?q=\xFC%80"[..], "caf%E9?q=%FC%80"),
            (b"\xE6%97\xA5\xE6%9C\xAC", "%E6%97%A5%E6%9C%AC"),
            (b"%D0%BF?%D1%84", "%D0%BF?%D1%84"),
        ] {
            assert_eq!(path_and_query(Path::new(OsStr::from_bytes(name)), &["index.html"]), expected);
        }
    }
}
