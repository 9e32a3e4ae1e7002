//! A reference to another file in the style of the one that stands there: what both have in common stays as it is written.

use std::borrow::Cow;

use relref::UriRef;
use relref::percent::{ByteSet, decode_leaving_illegal, encode_with};

use crate::html::{Delimiters, DestinationForm};

/// A reference that is to lead to another file.
#[derive(Clone, Copy)]
pub(crate) struct Restyled<'r> {
    pub(crate) reference: &'r str,
    /// The URI of the base by which the reference was written.
    pub(crate) old_base: &'r str,
    /// The URI of the base by which the new one is read.
    pub(crate) base: &'r str,
    /// The number of names in the path below the root that the reference leads to: those before belong to the root, and stay.
    pub(crate) depth: usize,
    /// The new path is that of a file, and no slash follows it.
    pub(crate) is_file: bool,
    pub(crate) form: Option<DestinationForm>,
    /// What follows the new path; without it, what follows the old one.
    pub(crate) after: Option<&'r str>,
}

/// A name on the way to a file, and how the reference writes it, if it does.
type Name<'r> = (Cow<'r, [u8]>, Option<&'r str>);

impl<'r> Restyled<'r> {
    /// Returns the reference to a path below the root, in the style of the old one. `None` if the old one does not lead so deep.
    pub(crate) fn to(&self, path: &[u8]) -> Option<String> {
        // With another base, a longer reference than the shortest would stay only because the old one had it.
        self.leading_to(path, self.base == self.old_base)
    }

    /// Reports whether the reference is the shortest of its style to a path, from where it was written.
    pub(crate) fn is_shortest(&self, path: &[u8]) -> bool {
        let anew = Restyled { base: self.old_base, ..*self };
        anew.leading_to(path, false).as_deref() == Some(self.reference)
    }

    fn leading_to(&self, path: &[u8], keeps_dots: bool) -> Option<String> {
        let parts = UriRef::new(self.reference);
        let written = parts.path();
        let start = written.as_ptr() as usize - self.reference.as_ptr() as usize;
        let before = &self.reference[..start];
        let after = self.after.unwrap_or(&self.reference[start + written.len()..]);
        let is_relative = before.is_empty() && !written.starts_with(['/', '\\']);
        let mut old = if is_relative { folder_names(self.old_base) } else { Vec::new() };
        walk(&mut old, written);
        let root = old.get(..old.len().checked_sub(self.depth)?)?.to_vec();
        let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        let new: Vec<Name<'_>> = root.into_iter().chain(names.map(|name| (Cow::Borrowed(name), None))).collect();
        let text = PathText { old: &old, new: &new, restyled: self };
        let slash = if written.ends_with(['/', '\\']) && !self.is_file { "/" } else { "" };
        if !is_relative {
            return Some([before, "/", &text.from(0), if new.is_empty() { "" } else { slash }, after].concat());
        }
        if let Some(in_place) =
            text.in_place(written).filter(|_| keeps_dots && (!self.is_file || !written.ends_with('/')))
        {
            return Some([&*in_place, after].concat());
        }
        if let Some(kept) = self.beside(written, &new).filter(|_| keeps_dots) {
            let name = text.from(new.len() - 1);
            let kept = match kept {
                "" if name.contains(':') => "./",
                "./" if !has_dot_style(written) && !name.contains(':') => "",
                kept => kept,
            };
            return Some([kept, &name, slash, after].concat());
        }
        Some([&*self.shortest(written, &text, slash), after].concat())
    }

    /// The folders before the last name as they are written, if they lead to the folder of the new file.
    fn beside(&self, written: &'r str, new: &[Name<'_>]) -> Option<&'r str> {
        let trimmed = written.trim_end_matches(['/', '\\']);
        let folders = &trimmed[..trimmed.rfind(['/', '\\']).map_or(0, |slash| slash + 1)];
        if trimmed.is_empty() || dots(&trimmed[folders.len()..]).is_some() {
            return None;
        }
        let mut names = folder_names(self.base);
        if climbs_above(names.len(), folders) {
            return None;
        }
        walk(&mut names, folders);
        let (_, folder) = new.split_last()?;
        let is_same = names.len() == folder.len() && names.iter().zip(folder).all(|(one, other)| one.0 == other.0);
        is_same.then_some(folders)
    }

    fn shortest(&self, written: &str, text: &PathText<'_, '_>, slash: &str) -> String {
        let folder = folder_names(self.base);
        let common = common(&folder, text.new);
        let ups = "../".repeat(folder.len() - common);
        let rest = text.from(common);
        let is_read_as_scheme = ups.is_empty() && rest.split('/').next().is_some_and(|name| name.contains(':'));
        let start = if has_dot_style(written) || is_read_as_scheme { "./" } else { "" };
        match () {
            () if !rest.is_empty() => [start, &ups, &rest, slash].concat(),
            () if ups.is_empty() => if slash.is_empty() { "." } else { "./" }.to_owned(),
            () if slash.is_empty() => [start, ups.trim_end_matches('/')].concat(),
            () => [start, &ups].concat(),
        }
    }
}

/// Reports whether a path starts with a dot that it need not have: before a name with a colon, it needs one.
fn has_dot_style(path: &str) -> bool {
    let rest = path.strip_prefix('.').and_then(|rest| rest.strip_prefix(['/', '\\']));
    rest.is_some_and(|rest| !rest.split('/').next().unwrap_or_default().contains(':'))
}

/// The names of a path, and how each is written.
struct PathText<'t, 'r> {
    old: &'t [Name<'r>],
    new: &'t [Name<'t>],
    restyled: &'t Restyled<'r>,
}

impl PathText<'_, '_> {
    /// The path as it is written, with other names in place of those that differ, if they do in case only.
    fn in_place(&self, written: &str) -> Option<String> {
        let differs = |at: &usize| self.old[*at].0 != self.new[*at].0;
        if self.old.len() != self.new.len() {
            return None;
        }
        let lower = |name: &[u8]| String::from_utf8_lossy(name).to_lowercase();
        if self.old.iter().zip(self.new).any(|(old, new)| old.0 != new.0 && lower(&old.0) != lower(&new.0)) {
            return None;
        }
        let first = (0..self.old.len()).find(differs)?;
        let mut segments: Vec<Cow<'_, str>> = written.split('/').map(Cow::Borrowed).collect();
        let mut at = self.old.len();
        for segment in segments.iter_mut().rev().filter(|segment| !segment.is_empty()) {
            if at == first || dots(segment).is_some() || segment.contains('\\') {
                break;
            }
            at -= 1;
            if differs(&at) {
                *segment = self.encoded(&self.new[at].0).into();
            }
        }
        let text = segments.join("/");
        let is_read_as_scheme = text.split('/').next().is_some_and(|name| name.contains(':'));
        (at == first && !is_read_as_scheme).then_some(text)
    }

    /// The names from this one on. Those at the start and at the end that the old reference has, too, are written as there.
    fn from(&self, first: usize) -> String {
        let start = common(self.old, self.new);
        let reversed = self.old.iter().rev().zip(self.new.iter().rev());
        let end = self.new.len() - reversed.take_while(|(old, new)| old.0 == new.0).count();
        let written = |at: usize| match at {
            at if at < start => self.old[at].1,
            at if at >= end => self.old[self.old.len() - (self.new.len() - at)].1,
            _ => None,
        };
        let names = (first..self.new.len()).map(|at| match written(at) {
            Some(written) => Cow::Borrowed(written),
            None => self.encoded(&self.new[at].0).into(),
        });
        names.collect::<Vec<_>>().join("/")
    }

    /// A name as a segment. What is beyond US-ASCII is written as it is, unless the old reference encodes it,
    /// and so are marks that browsers leave, if the old one has them.
    fn encoded(&self, name: &[u8]) -> String {
        let Restyled { reference, form, .. } = self.restyled;
        let path = UriRef::new(reference).path();
        let is_angle = form.is_some_and(|form| form.delimiters == Delimiters::Angle);
        let is_encoded = reference.is_ascii() && has_encoded_letters(reference);
        // Those at the ends would be no part of the destination.
        let keeps_spaces = is_angle && !reference.contains("%20") && name == name.trim_ascii();
        let depth = name.iter().try_fold(0_usize, |depth, byte| match byte {
            b'(' => Some(depth + 1),
            b')' => depth.checked_sub(1),
            _ => Some(depth),
        });
        let set = match form {
            Some(form) if depth != Some(0) && !is_angle && form.delimiters != Delimiters::Html => {
                ByteSet::SEGMENT.add(b'(').add(b')')
            }
            _ => ByteSet::SEGMENT,
        };
        let mut text = String::new();
        for chunk in name.utf8_chunks() {
            for c in chunk.valid().chars() {
                let is_kept = match c {
                    '|' | '^' | '`' | '{' | '}' | '[' | ']' => path.contains(c),
                    c => !c.is_ascii() && !is_encoded && !c.is_control() && !c.is_whitespace(),
                };
                match c {
                    ' ' if keeps_spaces => text.push(c),
                    c if is_kept => text.push(c),
                    c => text.push_str(&encode_with(c.encode_utf8(&mut [0; 4]).as_bytes(), set).to_string()),
                }
            }
            text.push_str(&encode_with(chunk.invalid(), ByteSet::SEGMENT).to_string());
        }
        text
    }
}

/// Returns the reference with another fragment, which is not encoded yet.
#[cfg(any(feature = "check", test))]
pub(crate) fn with_fragment(reference: &str, fragment: &str) -> String {
    let before = reference.split('#').next().unwrap_or_default();
    let is_encoded = reference.is_ascii() && has_encoded_letters(reference);
    let set = ByteSet::WHATWG_FRAGMENT.add(b'%').add(b'(').add(b')').add(b'\\').add(b'[').add(b']');
    let encoded = fragment.chars().map(|c| match c {
        c if !c.is_ascii() && !is_encoded && !c.is_control() && !c.is_whitespace() => c.to_string(),
        c => encode_with(c.encode_utf8(&mut [0; 4]).as_bytes(), set).to_string(),
    });
    format!("{before}#{}", encoded.collect::<String>())
}

/// Reports whether a text has an octet beyond US-ASCII as `%XX`.
fn has_encoded_letters(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| matches!(pair, [b'%', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F']))
}

/// Returns the names on the way from the folder of a URI along a path, as they are written.
#[cfg(feature = "check")]
pub(crate) fn path_names<'p>(base: &'p str, path: &'p str) -> Vec<&'p str> {
    let folder = if path.starts_with(['/', '\\']) { "" } else { folder_of(base) };
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for segment in path.split(['/', '\\']).filter(|segment| !segment.is_empty()) {
        match dots(segment) {
            Some(1) => {}
            Some(_) => drop(names.pop()),
            None => names.push(segment),
        }
    }
    names
}

/// The path of a URI up to its last slash.
fn folder_of(uri: &str) -> &str {
    let path = UriRef::new(uri).path();
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

/// The names of the folder of a URI.
fn folder_names(uri: &str) -> Vec<Name<'_>> {
    let names = folder_of(uri).split('/').filter(|name| !name.is_empty());
    names.map(|name| (decode_leaving_illegal(name).to_bytes(), None)).collect()
}

/// Goes from a folder along a path as it is written.
fn walk<'p>(names: &mut Vec<Name<'p>>, path: &'p str) {
    for segment in path.split(['/', '\\']).filter(|segment| !segment.is_empty()) {
        match dots(segment) {
            Some(1) => {}
            Some(_) => drop(names.pop()),
            None => names.push((decode_leaving_illegal(segment).to_bytes(), Some(segment))),
        }
    }
}

/// Reports whether a path leads out of the folder that is so many folders above where it starts.
pub(crate) fn climbs_above(depth: usize, path: &str) -> bool {
    let mut segments = path.split(['/', '\\']).filter(|segment| !segment.is_empty());
    let below = segments.try_fold(depth, |depth, segment| match dots(segment) {
        Some(1) => Some(depth),
        Some(_) => depth.checked_sub(1),
        None => Some(depth + 1),
    });
    below.is_none()
}

/// The number of dots of a segment that is `.` or `..` (URL Standard §4.1).
fn dots(segment: &str) -> Option<usize> {
    let decoded = segment.replace("%2e", ".").replace("%2E", ".");
    matches!(&*decoded, "." | "..").then_some(decoded.len())
}

/// The number of names that two paths have in common at their starts.
fn common(one: &[Name<'_>], other: &[Name<'_>]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one.0 == other.0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_stays() {
        const ROOT: &str = "http://h/";
        let restyled = |reference: &str, old_page: &str, page: &str, old: &str, new: &str| {
            let (old_base, base) = (format!("{ROOT}{old_page}"), format!("{ROOT}{page}"));
            let depth = old.split('/').count();
            Restyled { reference, old_base: &old_base, base: &base, depth, is_file: false, form: None, after: None }
                .to(new.as_bytes())
        };
        for (reference, page, old, new, expected) in [
            ("b.md", "a.md", "b.md", "c.md", "c.md"),
            ("./b.md#x", "a.md", "b.md", "c.md", "./c.md#x"),
            ("./../B.md?x#y", "d/a.md", "B.md", "b.md", "./../b.md?x#y"),
            ("guide.md", "d/e/a.md", "d/e/guide.md", "guide.md", "../../guide.md"),
            ("/d/b.md#x", "d/a.md", "d/b.md", "e/b.md", "/e/b.md#x"),
            ("http://h/d/b.md", "d/a.md", "d/b.md", "e/b.md", "http://h/e/b.md"),
            ("//h/d/b.md", "d/a.md", "d/b.md", "b.md", "//h/b.md"),
            ("b.md", "a.md", "b.md", "c#1 (x) 5%.md", "c%231%20(x)%205%25.md"),
            ("%E6%97%A5%E6%9C%AC/b.md", "a.md", "日本/b.md", "日本/c.md", "%E6%97%A5%E6%9C%AC/c.md"),
            ("日本/b.md", "a.md", "日本/b.md", "日本/語.md", "日本/語.md"),
            ("%E6%97%A5/b.md", "a.md", "日/b.md", "語/b.md", "%E8%AA%9E/b.md"),
            ("x/", "a.md", "x", "y/z", "y/z/"),
            ("x", "d/a.md", "d/x", "d", "."),
            ("x/", "d/a.md", "d/x", "d", "./"),
            ("b.md", "a.md", "b.md", "c:d.md", "./c:d.md"),
            ("..", "d/a.md", "", "x", "../x"),
            ("../D/B.md#x", "d/a.md", "D/B.md", "d/b.md", "../d/b.md#x"),
            ("x/../B.md", "d/a.md", "d/B.md", "d/b.md", "x/../b.md"),
            ("../D/%42.md", "d/a.md", "D/B.md", "d/B.md", "../d/%42.md"),
            ("../d/b.md", "d/a.md", "d/b.md", "e/b.md", "../e/b.md"),
        ] {
            let depth = if old.is_empty() { 0 } else { old.split('/').count() };
            let base = format!("{ROOT}{page}");
            let made =
                Restyled { reference, old_base: &base, base: &base, depth, is_file: false, form: None, after: None }
                    .to(new.as_bytes());
            assert_eq!(made.as_deref(), Some(expected), "{reference} {old} {new}");
        }
        assert_eq!(restyled("a.md", "b.md", "d/b.md", "a.md", "a.md").as_deref(), Some("../a.md"));
        assert_eq!(restyled("../a.md", "d/b.md", "b.md", "a.md", "a.md").as_deref(), Some("a.md"));
        assert_eq!(restyled("./x.md", "p.md", "d/p.md", "x.md", "x.md").as_deref(), Some("./../x.md"));
    }

    #[test]
    fn fragments_are_encoded() {
        for (reference, fragment, expected) in
            [("a.md?q#b", "-b", "a.md?q#-b"), ("#a", "größe 1", "#größe%201"), ("%C3%9F#a", "ß", "%C3%9F#%C3%9F")]
        {
            assert_eq!(with_fragment(reference, fragment), expected);
        }
    }
}
