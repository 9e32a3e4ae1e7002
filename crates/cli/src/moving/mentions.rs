//! The lines of files that are no pages and name what is moved: configuration and scripts, for people to look at.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use aho_corasick::AhoCorasick;
use memchr::{memchr, memchr_iter, memrchr};
use relref_links::files::{EntryKind, Walk, WalkEntry, is_new_file};
use relref_links::rewrite::Content;
use serde_json::json;

use super::pairs::Pair;
use super::steps::{JOURNAL, NewNames};
use crate::args::MoveFormat;
use crate::output::{Output, shown};
use crate::quoting::path_name;

/// The lines that were found.
#[derive(Default)]
pub struct Mentions {
    lines: Vec<Mention>,
    /// The number of lines beyond those.
    more: u64,
}

struct Mention {
    file: PathBuf,
    line: u64,
    text: String,
}

/// The most lines that are kept.
const MAX_LINES: usize = 1000;

/// The most bytes of a line that are kept.
const MAX_LINE_LEN: usize = 200;

/// The length in bytes of the longest file that is read.
const MAX_FILE_LEN: u64 = 1 << 20;

impl Mentions {
    /// Reads the files below the root, but for pages and for what git ignores. Symbolic links that would lead elsewhere are told, too.
    pub fn find(root: &Path, pairs: &[Pair], new_names: &NewNames) -> Self {
        let paths: Vec<Vec<u8>> = pairs.iter().map(|pair| slashed(&pair.old)).collect();
        let names = paths.iter().map(|path| &path[memrchr(b'/', path).map_or(0, |slash| slash + 1)..]);
        let mut mentions = Mentions::default();
        let Ok(finder) = AhoCorasick::new(names) else { return mentions };
        let mut bytes = Vec::new();
        for found in Walk::new(root).without_ignored() {
            let Ok(WalkEntry { path, kind, .. }) = found else { continue };
            let below = path.strip_prefix(root).unwrap_or(&path);
            if let Some(target) = fs::read_link(&path).ok().filter(|target| leads_elsewhere(below, target, new_names)) {
                mentions.add(below, 1, format!("-> {}", path_name(&target)));
                continue;
            }
            if kind != EntryKind::File {
                continue;
            }
            let is_own = path.file_name().is_some_and(|name| is_new_file(name) || name == JOURNAL);
            bytes.clear();
            if is_own || !matches!(read_text(&path, &mut bytes), Ok(true)) {
                continue;
            }
            mentions.find_in(below, &bytes, &finder, &paths);
        }
        mentions
    }

    fn find_in(&mut self, file: &Path, text: &[u8], finder: &AhoCorasick, paths: &[Vec<u8>]) {
        let (mut counted, mut line, mut last) = (0, 1, 0);
        for found in finder.find_overlapping_iter(text) {
            let (start, end, which) = (found.start(), found.end(), found.pattern().as_usize());
            if !names_path(text, start, end, &paths[which]) {
                continue;
            }
            line += memchr_iter(b'\n', &text[counted..end]).count() as u64;
            counted = end;
            if last == line {
                continue;
            }
            last = line;
            let line_start = memrchr(b'\n', &text[..start]).map_or(0, |end| end + 1);
            let line_end = memchr(b'\n', &text[start..]).map_or(text.len(), |len| start + len);
            let line_end = line_end.min(line_start + MAX_LINE_LEN);
            let text = String::from_utf8_lossy(&text[line_start..line_end]).trim().to_owned();
            self.add(file, line, text);
        }
    }

    fn add(&mut self, file: &Path, line: u64, text: String) {
        if self.lines.len() == MAX_LINES {
            self.more += 1;
        } else {
            self.lines.push(Mention { file: file.to_owned(), line, text });
        }
    }

    pub fn count(&self) -> u64 {
        self.lines.len() as u64 + self.more
    }

    pub fn print(&self, format: MoveFormat, out: &mut Output) -> io::Result<()> {
        for Mention { file, line, text } in &self.lines {
            let file = path_name(file);
            match format {
                MoveFormat::Text => writeln!(out, "{}:{line}: {}", shown(&file), shown(text))?,
                MoveFormat::Jsonl => {
                    out.json(&json!({"file": file, "line": line, "text": text}))?;
                    out.end_line()?;
                }
            }
        }
        Ok(())
    }
}

/// Reads a file that is text and no page; else returns `false`.
fn read_text(path: &Path, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() > MAX_FILE_LEN || Content::of_file(&mut file, path, "", false)?.is_rewritten() {
        return Ok(false);
    }
    file.take(MAX_FILE_LEN).read_to_end(bytes)?;
    Ok(memchr(0, bytes).is_none())
}

/// Reports whether the name at a place of a text is that of the path: the names before it are those of its folders, as far as they
/// stand there.
fn names_path(text: &[u8], start: usize, end: usize, path: &[u8]) -> bool {
    let is_of_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'%' | 0x80..);
    // A point may end a sentence.
    let after = match &text[end..] {
        [b'.', next, ..] => is_of_name(*next),
        [next, ..] => is_of_name(*next) && *next != b'.',
        [] => false,
    };
    let before = text[..start].iter().rposition(|byte| !is_of_name(*byte) && *byte != b'/').map_or(0, |at| at + 1);
    let written = &text[before..end];
    if after || (start > before && text[start - 1] != b'/') {
        return false;
    }
    let written: Vec<&[u8]> =
        written.split(|byte| *byte == b'/').filter(|name| !matches!(*name, b"" | b"." | b"..")).collect();
    let names: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let has_ending = names.last().is_some_and(|name| name[1..].contains(&b'.'));
    let is_usual = names
        .last()
        .is_some_and(|name| name.to_ascii_lowercase().starts_with(b"readme") || name.starts_with(b"index."));
    // A name alone says enough if few files have it.
    let is_enough = written.len() > 1 || names.len() == 1 || (has_ending && !is_usual);
    let is_folder_or_file = has_ending || written.len() > 1 || text.get(end) == Some(&b'/');
    is_enough && is_folder_or_file && names.ends_with(&written[written.len().saturating_sub(names.len())..])
}

/// Reports whether a symbolic link below the root leads to another file than before when files have their new names.
fn leads_elsewhere(link: &Path, target: &Path, new_names: &NewNames) -> bool {
    let from = |link: &Path| below_root(&link.parent()?.join(target));
    let Some(before) = from(link) else { return false };
    from(&new_names.of(link)) != Some(new_names.of(&before))
}

/// A path without `.` and `..`; `None` if it leads out of the root.
fn below_root(path: &Path) -> Option<PathBuf> {
    let mut below = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::ParentDir => below.pop().then_some(())?,
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(below)
}

/// The names of a path, with `/` between them.
fn slashed(path: &Path) -> Vec<u8> {
    let names: Vec<&[u8]> = path.iter().map(std::ffi::OsStr::as_encoded_bytes).collect();
    names.join(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbolic_links_lead_elsewhere_when_their_target_moves_or_they_do() {
        let names =
            NewNames::new([(Path::new("a.md"), Path::new("d/a.md")), (Path::new("e"), Path::new("f/e"))].into_iter());
        for (link, target, expected) in [
            ("l", "a.md", true),
            ("d/l", "../b.md", false),
            ("e/l", "m.md", false),
            ("e/l", "../b.md", true),
            ("e/l", "/etc/hosts", false),
            ("l", "../out", false),
        ] {
            assert_eq!(leads_elsewhere(Path::new(link), Path::new(target), &names), expected, "{link} {target}");
        }
    }

    #[test]
    fn names_are_told_from_others() {
        let has = |text: &str, path: &str| {
            let name = path.rsplit('/').next().unwrap();
            text.match_indices(name).any(|(at, _)| names_path(text.as_bytes(), at, at + name.len(), path.as_bytes()))
        };
        for (text, path, expected) in [
            ("- Guide: guide.md", "docs/guide.md", true),
            ("docs/guide.md:", "docs/guide.md", true),
            ("see ./docs/guide.md.", "docs/guide.md", true),
            ("https://h/o/r/blob/main/docs/guide.md", "docs/guide.md", true),
            ("other/guide.md", "docs/guide.md", false),
            ("my-guide.md guide.mdx", "docs/guide.md", false),
            ("README.md", "docs/README.md", false),
            ("docs/README.md", "docs/README.md", true),
            ("cp -r docs/ out", "docs", true),
            ("the docs of it", "docs", false),
            ("a/docs", "a/docs", true),
        ] {
            assert_eq!(has(text, path), expected, "{text} {path}");
        }
    }
}
