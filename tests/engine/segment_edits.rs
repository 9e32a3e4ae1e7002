//! Laws of edits of segments: random ones are those of a list of segments.

use std::path::Path;

use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use relref::UriRef;

use crate::inputs::edits::{Part, Parts, Start, failed, is_valid, splits_so};

/// A text is encoded for a segment, octet by octet.
fn encoded(segment: &str, keeps_colon: bool) -> String {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@".contains(&byte) || (byte == b':' && keeps_colon);
    segment
        .bytes()
        .map(|byte| if is_plain(byte) { String::from(char::from(byte)) } else { format!("%{byte:02X}") })
        .collect()
}

#[derive(Clone, Debug)]
enum SegmentEdit {
    Push(Part),
    Extend(Vec<Part>),
    Pop,
    FileName(Part),
    Extension(Part),
}

impl Arbitrary for SegmentEdit {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 6 {
            0 | 1 => SegmentEdit::Push(Part::arbitrary(g)),
            2 => SegmentEdit::Extend((0..u8::arbitrary(g) % 4).map(|_| Part::arbitrary(g)).collect()),
            3 => SegmentEdit::Pop,
            4 => SegmentEdit::FileName(Part::arbitrary(g)),
            _ => SegmentEdit::Extension(Part::arbitrary(g)),
        }
    }
}

/// A path as a list of segments.
#[derive(Clone)]
struct Model {
    rooted: bool,
    segments: Vec<String>,
    has_scheme: bool,
    has_authority: bool,
}

fn is_dots(segment: &str) -> bool {
    segment == "." || segment == ".."
}

impl Model {
    fn of(uri: UriRef<&str>) -> Model {
        let rooted = uri.path().starts_with('/');
        let segments = match uri.path() {
            "" => vec![],
            path => path[usize::from(rooted)..].split('/').map(String::from).collect(),
        };
        Model { rooted, segments, has_scheme: uri.scheme().is_some(), has_authority: uri.authority().is_some() }
    }

    fn path(&self) -> String {
        format!("{}{}", if self.rooted { "/" } else { "" }, self.segments.join("/"))
    }

    fn encoded(&self, segment: &str, is_first: bool) -> String {
        encoded(segment, self.rooted || self.has_scheme || self.has_authority || !is_first)
    }

    /// Returns `None` for an error.
    fn push(mut self, added: &[Part]) -> Option<Model> {
        if added.iter().any(|Part(segment)| is_dots(segment)) {
            return None;
        }
        if added.is_empty() {
            return Some(self);
        }
        self.rooted |= self.segments.is_empty() && self.has_authority;
        if self.segments.last().is_some_and(String::is_empty) {
            self.segments.pop();
        }
        for Part(segment) in added {
            let encoded = self.encoded(segment, self.segments.is_empty());
            self.segments.push(encoded);
        }
        let starts_empty = self.segments[0].is_empty();
        let is_other = if self.rooted { !self.has_authority && self.segments.len() > 1 } else { true };
        (!(starts_empty && is_other)).then_some(self)
    }

    fn edit(mut self, edit: &SegmentEdit) -> Option<Model> {
        match edit {
            SegmentEdit::Push(segment) => self.push(std::slice::from_ref(segment)),
            SegmentEdit::Extend(segments) => self.push(segments),
            SegmentEdit::Pop => {
                self.segments.pop();
                if self.rooted && self.segments.is_empty() {
                    self.segments.push(String::new());
                }
                Some(self)
            }
            SegmentEdit::FileName(Part(name)) if is_dots(name) => None,
            SegmentEdit::FileName(name) => match self.segments.last() {
                None if name.0.is_empty() => Some(self),
                None => self.push(std::slice::from_ref(name)),
                Some(last) if is_dots(last) => self.push(std::slice::from_ref(name)),
                Some(_) => {
                    self.segments.pop();
                    let encoded = self.encoded(&name.0, self.segments.is_empty());
                    if self.rooted || !self.segments.is_empty() || !encoded.is_empty() {
                        self.segments.push(encoded);
                    }
                    Some(self)
                }
            },
            SegmentEdit::Extension(Part(extension)) => {
                let last = self.segments.pop().filter(|last| !last.is_empty() && !is_dots(last))?;
                let stem = Path::new(&last).file_stem()?.to_str()?;
                let encoded = self.encoded(extension, self.segments.is_empty());
                let name = if extension.is_empty() { String::from(stem) } else { format!("{stem}.{encoded}") };
                self.segments.push(name.clone());
                (!is_dots(&name)).then_some(self)
            }
        }
    }
}

quickcheck! {
    /// Edits of segments are those of a list of segments; what it cannot hold is an error. The other components stay.
    fn segments(start: Start, edits: Vec<SegmentEdit>) -> TestResult {
        let mut uri = UriRef::new(start.0);
        for edit in edits {
            let before = uri.clone();
            let model = Model::of(before.as_borrowed());
            let is_popped = !(model.segments.is_empty() || model.path() == "/");
            let result = match &edit {
                SegmentEdit::Push(Part(segment)) => uri.push_segment(segment),
                SegmentEdit::Extend(segments) => uri.extend_segments(segments.iter().map(|Part(segment)| segment)),
                SegmentEdit::Pop if uri.pop_segment() != is_popped => return failed(&edit, before.as_str(), uri.as_str(), "not popped"),
                SegmentEdit::Pop => Ok(()),
                SegmentEdit::FileName(Part(name)) => uri.set_file_name(name),
                SegmentEdit::Extension(Part(extension)) => uri.set_extension(extension),
            };
            let failed = |why| failed(&edit, before.as_str(), uri.as_str(), why);
            let expected = model.clone().edit(&edit);
            if expected.is_some() != result.is_ok() {
                return failed("an error, or none");
            }
            let expected = expected.unwrap_or(model);
            let listed = expected.segments.iter().map(String::as_str);
            if uri.path() != expected.path() || !uri.path_segments().eq(listed.clone()) || !uri.path_segments().rev().eq(listed.rev()) {
                return failed("other segments");
            }
            if !splits_so(&uri) || (is_valid(before.as_str()) && !is_valid(uri.as_str())) {
                return failed("not valid");
            }
            let others = |uri: &UriRef<String>| Parts { path: String::new(), ..Parts::of(uri.as_str()) };
            if others(&uri) != others(&before) {
                return failed("other components");
            }
        }
        TestResult::passed()
    }

    /// The parts of a file name are those of the standard library.
    fn file_names(start: Start, part: Part) -> bool {
        [start.0, part.0].iter().all(|text| {
            let uri = UriRef::new(text.as_str());
            let last = Model::of(uri).segments.pop().unwrap_or_default();
            let path = Path::new(&last);
            let text = |part: Option<&std::ffi::OsStr>| part.map(|part| String::from(part.to_str().unwrap()));
            let of_path = if is_dots(&last) { (None, None, None) } else { (text(path.file_name()), text(path.file_stem()), text(path.extension())) };
            let owned = |part: Option<&str>| part.map(String::from);
            (owned(uri.file_name()), owned(uri.file_stem()), owned(uri.extension())) == of_path
        })
    }
}
