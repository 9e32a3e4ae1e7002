//! A problem: the type of what a check reports, with the link and why it does not work.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use relref::parse_and_print_by_name;

use crate::html::{Link, Place};

named_enum! {
    /// The reason why a link does not work. Of several reasons, the first one in this order counts, except that a missing fragment
    /// comes before a missing slash.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
    #[non_exhaustive]
    pub enum ProblemKind {
        /// The reference is not a valid URL (URL Standard §4.4).
        Invalid "invalid",
        /// A hyperlink that looks like a mail address or the name of a web server, and is the path of no file: `a@example.com`,
        /// `www.example.com`.
        NotALink "not-a-link",
        /// The file does not exist, but one whose name differs in upper and lower case.
        WrongCase "wrong-case",
        /// The file does not exist, or was not captured.
        Missing "missing",
        /// A folder that has no index file.
        NoIndex "no-index",
        /// The page has no element that the fragment indicates (HTML §7.4.6.4).
        MissingFragment "missing-fragment",
        /// A folder whose path is written without the slash at its end: servers redirect, or links from there break. A note rather than
        /// a problem.
        MissingSlash "missing-slash",
        /// The capture is the error of a server.
        Status "status",
    }
}

impl ProblemKind {
    /// Reports whether the link works nevertheless: only [`MissingSlash`](ProblemKind::MissingSlash) is a note.
    #[must_use]
    pub const fn is_note(self) -> bool {
        matches!(self, ProblemKind::MissingSlash)
    }
}

parse_and_print_by_name!(ProblemKind, "a kind of problem");

/// A link that does not work. [`Display`](fmt::Display) writes a line such as
/// `docs/a.html:3:9: missing: ../b.html (b.html)`, with the place of the error if there is one. With the feature `serde`, it can be
/// serialized; a path that is not UTF-8 is then written with replacement characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Problem {
    /// The path of the file that has the link: the root, and the path below it. Of an EPUB, the path of a
    /// file in it, as in `book.epub!/text/a.xhtml`; of another archive, the URI of the page.
    #[cfg_attr(feature = "serde", serde(serialize_with = "path"))]
    pub page: PathBuf,
    /// The place of the reference in the file; `None` in a feed, in a compressed file, and in an archive.
    pub place: Option<Place>,
    /// The place in the file, up to the end of the reference, of the error for which a reference is invalid. `None` of other problems,
    /// and if it is not known.
    pub error_place: Option<Place>,
    /// As [`Link::element`](crate::html::Link::element).
    pub element: String,
    /// As [`Link::attribute`](crate::html::Link::attribute).
    pub attribute: String,
    /// As [`Link::reference`](crate::html::Link::reference).
    pub reference: String,
    /// The absolute URI. Without [`Options::base`](super::Options::base), the path, query and fragment: `/a/b.html#c`. `None` of an
    /// invalid reference.
    pub uri: Option<String>,
    /// The reason.
    pub kind: ProblemKind,
    /// The path of the file or folder that the link leads to, or that is missing; of a [wrong case](ProblemKind::WrongCase), the one that
    /// exists. `None` of an invalid reference, for a link out of the root, and in an archive.
    #[cfg_attr(feature = "serde", serde(serialize_with = "any_path"))]
    pub target: Option<PathBuf>,
    /// The reference that is meant, perhaps, in the style of the one that stands there.
    pub suggestion: Option<String>,
    /// The path of the file or folder that the suggestion leads to; `None` if it leads out of the site.
    #[cfg_attr(feature = "serde", serde(serialize_with = "any_path"))]
    pub suggested_file: Option<PathBuf>,
    /// True if nothing else than the suggestion can be meant, so that [`Fix`](super::Fix) writes it.
    pub is_certain: bool,
    /// More about the reason, in English: half a sentence.
    pub note: Option<String>,
}

#[cfg(feature = "serde")]
fn path<S: serde::Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

#[cfg(feature = "serde")]
fn any_path<S: serde::Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&path.as_ref().map(|path| path.to_string_lossy()), serializer)
}

impl Problem {
    /// Returns the problem of a link, without what is known of its page and its target.
    pub(super) fn of(link: &Link<'_>, kind: ProblemKind, uri: &str, note: Option<String>) -> Problem {
        let uri = (kind != ProblemKind::Invalid).then(|| uri.into());
        let [element, attribute, reference] = [link.element, link.attribute, link.reference].map(str::to_owned);
        Problem { place: link.place, uri, note, ..Problem::new(kind, element, attribute, reference) }
    }

    /// Returns a problem of which no more is known.
    pub(super) fn new(kind: ProblemKind, element: String, attribute: String, reference: String) -> Problem {
        Problem {
            page: PathBuf::new(),
            place: None,
            error_place: None,
            element,
            attribute,
            reference,
            uri: None,
            kind,
            target: None,
            suggestion: None,
            suggested_file: None,
            is_certain: false,
            note: None,
        }
    }

    /// Returns the size in bytes of the problem with its texts.
    pub(super) fn len(&self) -> usize {
        let Problem { page, element, attribute, reference, uri, target, suggestion, suggested_file, note, .. } = self;
        let texts = [element, attribute, reference].map(String::len);
        let others = [uri, suggestion, note].map(|text| text.as_ref().map_or(0, String::len));
        let path_len = |path: &PathBuf| path.as_os_str().len();
        let paths = path_len(page) + [target, suggested_file].into_iter().flatten().map(path_len).sum::<usize>();
        size_of::<Self>() + paths + texts.into_iter().chain(others).sum::<usize>()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.page.display())?;
        if let Some(place) = self.error_place.or(self.place) {
            write!(f, "{}:{}:", place.line, place.column)?;
        }
        write!(f, " {}: {}", self.kind, self.reference)?;
        match &self.target {
            Some(target) => write!(f, " ({})", target.display()),
            None => Ok(()),
        }
    }
}

/// A file or folder of a site that could not be read, as a whole or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unread {
    /// The path.
    pub path: PathBuf,
    /// The reason, in English.
    pub why: String,
}

impl Unread {
    /// Returns the file with this path, and the reason.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, why: impl fmt::Display) -> Self {
        Unread { path: path.into(), why: why.to_string() }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl Error for Unread {}

/// The numbers of what was read and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Pages, style sheets and feeds whose links were checked.
    pub pages: u64,
    /// The bytes of these files.
    pub bytes: u64,
    /// Links that were checked, with those to other sites, of which only the syntax was.
    pub links: u64,
    /// Links of Markdown that lead out of the root, which are not checked: a forge has pages of the repository there.
    pub outside: u64,
    /// Links that lead to files of the site.
    pub internal: u64,
    /// Problems that were reported, without notes.
    pub problems: u64,
    /// Notes that were reported.
    pub notes: u64,
    /// Files and folders that could not be read.
    pub unread: u64,
}
