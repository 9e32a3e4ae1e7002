//! Bases: an absolute URI made ready once, then asked many times.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::levels::Levels;
use crate::long::LongSegments;
use crate::rules::Rules;
use crate::scan::{find_byte, has_run, last_slashes, slashes_back};
use crate::segments::{Stack, last_dots};
use crate::undotted::Undotted;
use crate::uri::UriRef;

/// An absolute URI against which references are resolved, under one rule set.
///
/// The places where it is cut for the common references are found once, in one pass. Nothing is copied or allocated, with
/// two exceptions: a base with dot segments keeps its directory without them, and a base longer than 1 KiB the places of its
/// long segments and, by level, of its slash runs.
///
/// ```
/// use relref::{Base, Rules};
///
/// let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630)?;
/// assert_eq!(base.resolve("../g").to_string(), "magic://a/b/c//d/g");
///
/// let mut out = String::new();
/// base.resolve_into("/g", &mut out);
/// assert_eq!(out, "magic://a/b/c//d/g");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone)]
pub struct Base<'a> {
    pub(crate) uri: UriRef<'a>,
    pub(crate) rules: Rules,
    /// The byte after the last slash of the path.
    pub(crate) directory_end: usize,
    /// Whether the base ends in a host, its own or a nested one, so that its path lacks the slash.
    pub(crate) ends_in_host: bool,
    /// By level: false if the only `//` is the one before a non-empty host. Then each level is cut at a component, and no `..`
    /// meets a run of two.
    pub(crate) nested: bool,
    pub(crate) cuts: Cuts,
    /// Present if the base has dot segments or is long: else each reference would walk it again.
    pub(crate) prepared: Option<Box<Prepared<'a>>>,
}

/// The parts of a base that only a walk over it finds.
#[derive(Clone)]
pub(crate) struct Prepared<'a> {
    /// The slash runs, if these are levels.
    pub(crate) levels: Option<Levels>,
    /// The directory without its dot segments, if it has any.
    pub(crate) undotted: Option<Undotted<'a>>,
    /// The long segments of the path, or of that directory.
    pub(crate) long: LongSegments,
}

/// Where a base is cut for a reference that then follows as it stands: the common ones, made ready.
///
/// `usize::MAX`, where no text can be cut, says that the engine has to look at the segments.
#[derive(Clone)]
pub(crate) struct Cuts {
    /// For one leading slash, and for two.
    pub(crate) slashes: [usize; 2],
    /// For a name, and for names behind one `../` and more. More of them would cost each base more than they save.
    pub(crate) ups: [usize; 4],
}

impl<'a> Prepared<'a> {
    /// Prepares a base; `dotted` is its directory without the slash after it, if that has dot segments.
    #[cold]
    fn new(uri: &UriRef<'a>, path_end: usize, dotted: Option<&'a str>, rules: Rules) -> Box<Self> {
        let (text, start) = (uri.as_str(), uri.path_start);
        let region = uri.scheme_end..path_end;
        let levels = rules.by_level().then(|| Levels::new(text.as_bytes(), region, rules.slashes));
        let undotted = dotted.map(|directory| {
            let stack = Stack::new(None, LongSegments::NONE, rules, uri.authority() == Some(""));
            let places = levels.iter().flat_map(Levels::places);
            let last = text[..path_end].rsplit('/').next().unwrap_or_default();
            Undotted::new(directory, start, last, stack, places)
        });
        let long = match &undotted {
            Some(undotted) => LongSegments::new(undotted.directory().unwrap_or_default()),
            None => LongSegments::new(&text[start..path_end]),
        };
        Box::new(Prepared { levels, undotted, long })
    }
}

impl<'a> Base<'a> {
    /// Makes a URI ready as a base.
    ///
    /// # Errors
    /// The text has no scheme: `""`, `"/a/b"`, `"//host"`, `"a/b:c"`, `"1a:b"`, `":b"`. Nothing else is required of it.
    pub fn new(uri: &'a str, rules: Rules) -> Result<Self, Error> {
        let uri = UriRef::split(uri);
        if uri.scheme_end > 0 { Ok(Base::ready(uri, rules)) } else { Err(no_scheme(uri.as_str())) }
    }

    /// An absolute URI made ready.
    #[inline(always)]
    fn ready(uri: UriRef<'a>, rules: Rules) -> Self {
        let bytes = uri.as_str().as_bytes();
        let path_end = path_end(&uri, rules);
        let mut ups = [usize::MAX; 4];
        ups[0] = uri.path_start;
        last_slashes(&bytes[..path_end], uri.path_start, &mut ups);
        let directory_end = ups[0];
        let dotted = last_dots(&bytes[uri.path_start..directory_end]).is_some();
        let mut ends_in_host = uri.path_start == path_end && uri.path_start > uri.scheme_end;
        let mut slashes = [uri.path_start, uri.scheme_end];
        let nested = rules.by_level() && is_nested(&uri, path_end);
        if nested {
            let levels = Levels::new(bytes, uri.scheme_end..path_end, rules.slashes);
            ends_in_host = levels.ends_in_host();
            let ready = |cut| if dotted && cut > uri.path_start { usize::MAX } else { cut };
            slashes = [ready(levels.cut(1).at()), ready(levels.cut(2).at())];
            // No `..` crosses a run of slashes.
            let in_run = |end: &usize| bytes.get(end - 2..*end) == Some(b"//");
            if let Some(run) = ups.iter().position(in_run) {
                ups[run.max(1)..].fill(usize::MAX);
            }
        }
        if dotted || ends_in_host {
            ups.fill(usize::MAX);
        }
        let prepared = if dotted || path_end - uri.scheme_end > LongSegments::LONG {
            let directory_end = if ends_in_host { path_end } else { directory_end.saturating_sub(1) };
            let directory = uri.as_str().get(uri.path_start..directory_end);
            Some(Prepared::new(&uri, path_end, directory.filter(|_| dotted), rules))
        } else {
            None
        };
        Base { uri, rules, directory_end, ends_in_host, nested, cuts: Cuts { slashes, ups }, prepared }
    }

    /// The URI, as given.
    pub fn as_str(&self) -> &'a str {
        self.uri.as_str()
    }

    /// The URI, split.
    pub fn uri(&self) -> UriRef<'a> {
        self.uri
    }

    /// The rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub(crate) fn scheme(&self) -> &'a str {
        &self.uri.as_str()[..self.uri.scheme_end - 1]
    }

    /// Returns where its path ends, without the parameters where these are a component.
    pub(crate) fn path_end(&self) -> usize {
        path_end(&self.uri, self.rules)
    }

    /// Returns its slash runs, where these are levels. Those of a short base are found anew each time.
    pub(crate) fn levels(&self) -> Cow<'_, Levels> {
        let found = || Levels::new(self.as_str().as_bytes(), self.uri.scheme_end..self.path_end(), self.rules.slashes);
        let kept = self.prepared.as_ref().and_then(|prepared| prepared.levels.as_ref());
        kept.map_or_else(|| Cow::Owned(found()), Cow::Borrowed)
    }

    /// Returns its directory without dot segments, if it has any.
    pub(crate) fn undotted(&self) -> Option<&Undotted<'a>> {
        self.prepared.as_ref()?.undotted.as_ref()
    }

    /// Returns the long segments of the text that [`directory`](Base::directory) is, or is part of.
    pub(crate) fn long(&self) -> &LongSegments {
        self.prepared.as_ref().map_or(LongSegments::NONE, |prepared| &prepared.long)
    }

    /// Returns where the base is cut for more `../` than were prepared; `None` where a slash run may come before that, or
    /// the base is long.
    pub(crate) fn cut_above(&self, ups: usize) -> Option<usize> {
        if self.nested || self.prepared.is_some() {
            return None;
        }
        let [.., last] = self.cuts.ups;
        let mut left = ups - (self.cuts.ups.len() - 1);
        let directory = self.as_str().as_bytes().get(..last)?;
        let mut cut = None;
        slashes_back(&directory[self.uri.path_start..last - 1], |slash| {
            left -= 1;
            cut = (left == 0).then_some(self.uri.path_start + slash + 1);
            left > 0
        });
        cut
    }

    /// Returns the segments that a relative path is appended to, without dot segments and without the slash after them.
    pub(crate) fn directory(&self) -> Option<&str> {
        match self.undotted() {
            Some(undotted) => undotted.directory(),
            None => self.written_directory(),
        }
    }

    /// Returns the segments that a relative path is appended to, as they are written, without the slash after them.
    pub(crate) fn written_directory(&self) -> Option<&'a str> {
        let end = if self.ends_in_host { Some(self.path_end()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.uri.as_str().get(self.uri.path_start..end))
    }
}

/// Where the path of a URI ends under a rule set that may count parameters apart from it.
#[inline(always)]
pub(crate) fn path_end(uri: &UriRef<'_>, rules: Rules) -> usize {
    match rules.params.then(|| find_byte(uri.path().as_bytes(), b';')).flatten() {
        Some(at) => uri.path_start + at,
        None => uri.path_end,
    }
}

/// Reports whether a URI has slash runs of two or more other than the one before its host. True also if its host is empty.
#[inline(never)]
fn is_nested(uri: &UriRef<'_>, path_end: usize) -> bool {
    let path = &uri.as_str().as_bytes()[uri.path_start..path_end];
    uri.path_start <= uri.scheme_end + "//".len() || has_run(path)
}

/// Says where a text stops being able to start with a scheme.
fn no_scheme(text: &str) -> Error {
    let stop = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(text.len());
    match text.as_bytes().first() {
        Some(first) if first.is_ascii_alphabetic() => {
            Error::new(ErrorKind::NotAbsolute, "`:` to end the scheme", text, stop)
        }
        _ => Error::new(ErrorKind::NotAbsolute, "a letter to start a scheme", text, 0),
    }
}

impl fmt::Display for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(f)
    }
}

impl fmt::Debug for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base({:?}, {})", self.as_str(), self.rules)
    }
}

/// A base that owns its text, to be kept in a struct.
///
/// Borrow a [`Base`] from it with [`base`](BaseBuf::base), once for as many references as there are.
///
/// ```
/// use relref::{BaseBuf, Rules};
///
/// struct Page { uri: BaseBuf }
///
/// let page = Page { uri: BaseBuf::new(String::from("http://a/b"), Rules::RFC3986)? };
/// let base = page.uri.base();
/// assert_eq!(base.resolve("c").to_string(), "http://a/c");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BaseBuf {
    text: String,
    rules: Rules,
}

impl BaseBuf {
    /// Takes a text as a base.
    ///
    /// # Errors
    /// As [`Base::new`].
    pub fn new(uri: String, rules: Rules) -> Result<Self, Error> {
        match UriRef::new(&uri).scheme() {
            Some(_) => Ok(BaseBuf { text: uri, rules }),
            None => Err(no_scheme(&uri)),
        }
    }

    /// The base made ready; costs what [`Base::new`] costs.
    pub fn base(&self) -> Base<'_> {
        Base::new(&self.text, self.rules).expect("the scheme was checked when the text came in")
    }

    /// The URI, as given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Gives the text back.
    pub fn into_string(self) -> String {
        self.text
    }
}

impl fmt::Display for BaseBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
