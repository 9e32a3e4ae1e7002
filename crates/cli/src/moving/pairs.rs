//! The old and new names of files: from the arguments, and from a map.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use relref_links::Unmarked;

use crate::args::Move;
use crate::output::shown;
use crate::quoting::path_name;
use crate::symlinks::real_path;

/// A file or folder that gets another name. Both are relative to the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub old: PathBuf,
    pub new: PathBuf,
    /// It has its new name already.
    pub is_done: bool,
}

/// A path, and what is wrong with it.
pub type Refusal = (PathBuf, String);

/// The most bytes of a map.
const MAX_MAP_LEN: u64 = 64 << 20;

/// Returns the pairs in an order in which they can be renamed one by one. `root` is canonical.
pub fn pairs(args: &Move, root: &Path) -> Result<Vec<Pair>, Refusal> {
    let mut pairs = Vec::new();
    if let Some((new, old)) = args.paths.split_last() {
        for old in old {
            pairs.push(given_pair(args, root, old, new, args.paths.len() > 2)?);
        }
    }
    if let Some(map) = &args.map {
        let renames =
            read_map(map).and_then(|text| map_pairs(&text)).map_err(|error| (map.clone(), error.to_string()))?;
        for [old, new] in renames {
            pairs.push(Pair { old: below_root(&old)?, new: below_root(&new)?, is_done: false });
        }
    }
    if args.after {
        find_done(&mut pairs, root);
    }
    let olds = pairs.iter().map(|pair| &*pair.old).collect();
    for pair in &pairs {
        check_pair(pair, root, &olds, args.after)?;
    }
    check_nesting(&pairs)?;
    in_order(pairs)
}

/// Finds the pairs that have their new names: nothing has the old one, or only what has got it since.
fn find_done(pairs: &mut [Pair], root: &Path) {
    let by_new: HashMap<PathBuf, usize> = pairs.iter().enumerate().map(|(at, pair)| (pair.new.clone(), at)).collect();
    for at in 0..pairs.len() {
        let mut chain = vec![at];
        let is_done = loop {
            let old = &pairs[chain[chain.len() - 1]].old;
            match by_new.get(old) {
                _ if root.join(old).symlink_metadata().is_err() => break true,
                Some(next) if pairs[*next].is_done => break true,
                Some(next) if chain.len() <= pairs.len() => chain.push(*next),
                _ => break false,
            }
        };
        if is_done {
            chain.into_iter().for_each(|at| pairs[at].is_done = true);
        }
    }
}

fn given_pair(args: &Move, root: &Path, old: &Path, new: &Path, are_several: bool) -> Result<Pair, Refusal> {
    let refused = |path: &Path, why: &str| (path.to_owned(), why.to_owned());
    let below = |path: &Path| {
        let real = real_path_of_name(path).ok_or_else(|| refused(path, "its path cannot be followed"))?;
        let below = real.strip_prefix(root).map(Path::to_owned);
        below.map_err(|_| refused(path, &format!("it is not in {}", shown(&path_name(root)))))
    };
    let from = below(old)?;
    let name = from.file_name().ok_or_else(|| refused(old, "it is the root"))?.to_owned();
    let into = new.join(&name);
    let is_into = match args.after {
        // A folder that was moved to this name may have had one of its own.
        true => new.is_dir() && (are_several || into.symlink_metadata().is_ok()),
        false => new.is_dir() && !is_same_file(old, new),
    };
    let ends_with_slash = new.as_os_str().as_encoded_bytes().ends_with(b"/");
    if are_several && !new.is_dir() {
        return Err(refused(new, "it is not a folder"));
    }
    let new = below(if is_into || ends_with_slash && !new.exists() { &into } else { new })?;
    Ok(Pair { old: from, new, is_done: false })
}

/// The same file under a name that differs in case only, where these are the same.
fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let ids = [one, other].map(|path| path.symlink_metadata().map(|found| (found.dev(), found.ino())).ok());
        ids[0].is_some() && ids[0] == ids[1]
    }
    #[cfg(not(unix))]
    {
        one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
    }
}

/// The canonical path of a name, which may itself be a symbolic link.
fn real_path_of_name(path: &Path) -> Option<PathBuf> {
    match path.file_name() {
        Some(name) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(real_path(folder)?.join(name))
        }
        None => path.canonicalize().ok(),
    }
}

fn check_pair(pair: &Pair, root: &Path, olds: &HashSet<&Path>, after: bool) -> Result<(), Refusal> {
    let Pair { old, new, is_done } = pair;
    let is_there = |path: &Path| root.join(path).symlink_metadata().is_ok();
    let refused = |path: &Path, why: &str| Err((path.to_owned(), why.to_owned()));
    if old == new {
        return refused(old, "the new name is the old one");
    }
    if new.starts_with(old) {
        return refused(new, "a folder cannot go into itself");
    }
    if is_of_git(old) || is_of_git(new) {
        return refused(if is_of_git(old) { old } else { new }, "it is git's own");
    }
    if old.as_os_str().is_empty() || new.as_os_str().is_empty() {
        return refused(root, "it is the root");
    }
    let is_vacated = olds.contains(&**new) || is_same_file(&root.join(old), &root.join(new));
    match (is_there(old) && !is_done, is_there(new)) {
        (true, true) if !is_vacated => refused(new, "it already exists"),
        (false, true) if !after && !is_vacated => {
            refused(old, "it does not exist; use --after if it already has its new name")
        }
        (false, false) => refused(old, "it does not exist"),
        _ => Ok(()),
    }
}

/// Reports whether a path leads into the folder of a repository, whose files name commands that git runs.
pub fn is_of_git(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git"))
}

/// Returns the old names that are given, below the root; `None` if none are.
pub fn given_olds(args: &Move, root: &Path) -> Option<HashSet<PathBuf>> {
    let given = args.paths.split_last().map_or(&[][..], |(_, old)| old);
    let below = |old: &PathBuf| real_path_of_name(old)?.strip_prefix(root).map(Path::to_owned).ok();
    let mapped = args.map.iter().filter_map(|map| map_pairs(&read_map(map).ok()?).ok()).flatten();
    let mapped = mapped.filter_map(|[old, _]| below_root(&old).ok());
    let is_given = !args.paths.is_empty() || args.map.is_some();
    is_given.then(|| given.iter().filter_map(below).chain(mapped).collect())
}

fn check_nesting(pairs: &[Pair]) -> Result<(), Refusal> {
    let (mut olds, mut news) = (HashSet::new(), HashSet::new());
    for Pair { old, new, .. } in pairs {
        if !olds.insert(&**old) {
            return Err((old.clone(), "it is given twice".into()));
        }
        if !news.insert(&**new) {
            return Err((new.clone(), "it would be the name of two files".into()));
        }
    }
    let parent = |path: &Path, all: &HashSet<&Path>| path.ancestors().skip(1).any(|folder| all.contains(folder));
    for Pair { old, new, .. } in pairs {
        if parent(old, &olds) || parent(new, &olds) || parent(new, &news) {
            let why = "a folder on the way to it gets another name, too: move one after the other";
            return Err((if parent(old, &olds) { old } else { new }.clone(), why.into()));
        }
    }
    Ok(())
}

/// Puts each pair after the one whose old name is its new one.
fn in_order(pairs: Vec<Pair>) -> Result<Vec<Pair>, Refusal> {
    let by_old: HashMap<PathBuf, usize> = pairs.iter().enumerate().map(|(at, pair)| (pair.old.clone(), at)).collect();
    let (mut order, mut is_placed) = (Vec::new(), vec![false; pairs.len()]);
    for start in 0..pairs.len() {
        let (mut chain, mut next) = (Vec::new(), Some(start));
        while let Some(at) = next.filter(|at| !is_placed[*at]) {
            if chain.len() > pairs.len() || chain.contains(&at) && chain.len() > 1 {
                return Err((
                    pairs[at].old.clone(),
                    "two files would swap their names: move one out of the way first".into(),
                ));
            }
            chain.push(at);
            next = by_old.get(&pairs[at].new).copied();
        }
        for at in chain.into_iter().rev() {
            is_placed[at] = true;
            order.push(pairs[at].clone());
        }
    }
    Ok(order)
}

fn read_map(map: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if map.as_os_str() == "-" {
        Unmarked::new(io::stdin().lock()).take(MAX_MAP_LEN + 1).read_to_end(&mut text)?;
    } else {
        Unmarked::new(fs::File::open(map)?).take(MAX_MAP_LEN + 1).read_to_end(&mut text)?;
    }
    if text.len() as u64 > MAX_MAP_LEN { Err(io::Error::other("it has more than 64 MiB")) } else { Ok(text) }
}

/// The old and new names of a map: in lines, or with NUL after each name and status, as git prints them with `-z`.
fn map_pairs(text: &[u8]) -> io::Result<Vec<[Vec<u8>; 2]>> {
    if !text.contains(&0) {
        return Ok(text.split(|byte| *byte == b'\n').filter_map(map_line).collect());
    }
    let (mut pairs, mut fields) = (Vec::new(), text.split(|byte| *byte == 0));
    while let Some(status) = fields.next().filter(|status| !status.is_empty()) {
        let old = fields.next();
        match (status, old) {
            ([b'R', ..], Some(old)) => pairs.extend(fields.next().map(|new| [old.to_vec(), new.to_vec()])),
            ([b'C', ..], Some(_)) => drop(fields.next()),
            (status, Some(_)) if is_status(status) => {}
            _ => return Err(io::Error::other("it has a NUL, but is not the output of git diff -z --name-status")),
        }
    }
    Ok(pairs)
}

/// `OLD<tab>NEW`, or as git prints a rename: `R100<tab>OLD<tab>NEW`. `None` for other changes.
fn map_line(line: &[u8]) -> Option<[Vec<u8>; 2]> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b'\t').collect();
    match fields[..] {
        [old, new] if !is_status(old) => Some([unquoted(old), unquoted(new)]),
        [status, old, new] if status.starts_with(b"R") => Some([unquoted(old), unquoted(new)]),
        _ => None,
    }
}

/// The letter of a change of one file.
fn is_status(field: &[u8]) -> bool {
    matches!(field, [b'A' | b'D' | b'M' | b'T' | b'U' | b'X'])
}

/// A name as git quotes it: as a string of C.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let Some(quoted) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else { return name.into() };
    let (mut out, mut rest) = (Vec::new(), quoted);
    while let [first, after @ ..] = rest {
        let (byte, len) = match (first, after) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..]) => {
                ((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'), 4)
            }
            (b'\\', [letter, ..]) => {
                let letters = b"a\x07b\x08t\tn\nv\x0Bf\x0Cr\r";
                (letters.chunks(2).find(|pair| pair[0] == *letter).map_or(*letter, |pair| pair[1]), 2)
            }
            _ => (*first, 1),
        };
        out.push(byte);
        rest = &rest[len..];
    }
    out
}

/// A path of a map, which is relative to the root.
fn below_root(path: &[u8]) -> Result<PathBuf, Refusal> {
    #[cfg(unix)]
    let path = PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(path.to_vec()));
    #[cfg(not(unix))]
    let path = PathBuf::from(String::from_utf8_lossy(path).into_owned());
    let parts: Vec<Component<'_>> = path.components().filter(|part| *part != Component::CurDir).collect();
    if parts.is_empty() || !parts.iter().all(|part| matches!(part, Component::Normal(_))) {
        return Err((path, "this is not a path from the root".into()));
    }
    Ok(parts.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let line = |line: &str| map_line(line.as_bytes()).map(|pair| pair.map(|name| String::from_utf8(name).unwrap()));
        let pair = |old: &str, new: &str| Some([old.to_owned(), new.to_owned()]);
        assert_eq!(line("a b.md\tc.md\r"), pair("a b.md", "c.md"));
        assert_eq!(line("R087\ta.md\t\"d/\\346\\227\\245\\\"\\t.md\""), pair("a.md", "d/日\"\t.md"));
        for other in ["M\ta.md", "A\tb.md", "C100\ta\tb", "", "a.md"] {
            assert_eq!(line(other), None, "{other}");
        }
    }

    #[test]
    fn maps_with_nul() {
        let names = |text: &str| {
            let pairs = map_pairs(text.as_bytes()).ok()?;
            Some(pairs.concat().into_iter().map(|name| String::from_utf8(name).unwrap()).collect::<Vec<_>>())
        };
        let text = "M\0a.md\0R100\0b\tc.md\0новая/b.md\0C75\0x\0y\0R087\0d\0e\0";
        assert_eq!(names(text), Some(vec!["b\tc.md".into(), "новая/b.md".into(), "d".into(), "e".into()]));
        assert_eq!(names("a.md\0b.md\0"), None);
    }

    #[test]
    fn a_name_is_free_before_another_takes_it() {
        let pair = |old: &str, new: &str| Pair { old: old.into(), new: new.into(), is_done: false };
        let pairs = vec![pair("a", "b"), pair("b", "c"), pair("d", "a")];
        assert_eq!(in_order(pairs).unwrap(), [pair("b", "c"), pair("a", "b"), pair("d", "a")]);
        assert!(in_order(vec![pair("a", "b"), pair("b", "a")]).is_err());
    }
}
