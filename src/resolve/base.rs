//! Bases: an absolute URI, prepared once for many references.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::dotless::DotlessDirectory;
use super::dots::last_dots;
use super::long_segments::LongSegments;
use super::prepared::{Cuts, Offset, Prepared};
use super::slash_runs::SlashRuns;
use crate::error::{Error, ErrorKind};
use crate::rules::Rules;
use crate::scan::{find_byte, has_run, slashes_back};
use crate::uri::UriRef;

/// An absolute URI against which references are resolved, under one rule set.
///
/// The offsets at which it is cut for common references are found once, in one pass. Nothing is copied or allocated, with
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
    /// The byte after the last slash of the path; the start of a path without one.
    pub(crate) directory_end: usize,
    /// True if the base ends in a host, its own or by level that of a URI in its path. The path then lacks its first slash.
    pub(crate) ends_in_host: bool,
    /// By level: true if there is a slash run of two or more besides the one before a non-empty host. If false, each level is
    /// cut where its component starts, and no `..` meets such a run.
    pub(crate) has_inner_runs: bool,
    pub(crate) cuts: Cuts,
    /// Present if the base has dot segments or is long: otherwise each reference would walk through it again.
    pub(crate) prepared: Option<Box<Prepared<'a>>>,
}

impl<'a> Base<'a> {
    /// Prepares a URI as a base.
    ///
    /// # Errors
    /// The text has no scheme: `""`, `"/a/b"`, `"//host"`, `"a/b:c"`, `"1a:b"`, `":b"`. Nothing else is required of it.
    pub fn new(uri: &'a str, rules: Rules) -> Result<Self, Error> {
        let uri = UriRef::split(uri);
        if uri.scheme_end > 0 {
            Ok(Base::prepare(uri, rules))
        } else {
            Err(Error::no_scheme(ErrorKind::NotAbsolute, uri.as_str()))
        }
    }

    /// Prepares an absolute URI.
    #[inline(always)]
    fn prepare(uri: UriRef<'a>, rules: Rules) -> Self {
        let bytes = uri.as_str().as_bytes();
        let path_end = path_end(&uri, rules);
        let mut cuts = Cuts::by_component(bytes, uri.scheme_end, uri.path_start, path_end);
        let directory_end = cuts.directory_end();
        let is_dotted = last_dots(&bytes[uri.path_start..directory_end]).is_some();
        let mut ends_in_host = uri.path_start == path_end && uri.path_start > uri.scheme_end;
        let has_inner_runs = rules.by_level() && has_inner_runs(&uri, path_end);
        if has_inner_runs {
            let runs = SlashRuns::new(bytes, uri.scheme_end..path_end, rules.slashes);
            ends_in_host = runs.ends_in_host();
            cuts.set_slashes(|level| {
                let cut = runs.cut(level).at();
                if is_dotted && cut > uri.path_start { Offset::NONE } else { Offset::new(cut) }
            });
            cuts.stop_at_run(bytes);
        }
        if is_dotted || ends_in_host {
            cuts.parents.fill(Offset::NONE);
        }
        let prepared = if is_dotted || path_end - uri.scheme_end > LongSegments::LONG {
            let directory_end = if ends_in_host { path_end } else { directory_end.saturating_sub(1) };
            let directory = uri.as_str().get(uri.path_start..directory_end);
            Some(Prepared::new(&uri, path_end, directory.filter(|_| is_dotted), rules))
        } else {
            None
        };
        Base { uri, rules, directory_end, ends_in_host, has_inner_runs, cuts, prepared }
    }

    /// Returns the URI, as given.
    pub fn as_str(&self) -> &'a str {
        self.uri.as_str()
    }

    /// Returns the URI, split.
    pub fn uri(&self) -> UriRef<'a> {
        self.uri
    }

    /// Returns the rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub(crate) fn scheme(&self) -> &'a str {
        &self.uri.as_str()[..self.uri.scheme_end - 1]
    }

    /// Returns the byte at which its path ends, without the parameters where these are a component.
    pub(crate) fn path_end(&self) -> usize {
        path_end(&self.uri, self.rules)
    }

    /// Returns its slash runs, for rules that cut by level. Those of a short base are found anew each time.
    pub(crate) fn slash_runs(&self) -> Cow<'_, SlashRuns> {
        let found =
            || SlashRuns::new(self.as_str().as_bytes(), self.uri.scheme_end..self.path_end(), self.rules.slashes);
        let kept = self.prepared.as_ref().and_then(|prepared| prepared.slash_runs.as_ref());
        kept.map_or_else(|| Cow::Owned(found()), Cow::Borrowed)
    }

    /// Returns its directory without dot segments, if the base has any.
    pub(crate) fn dotless(&self) -> Option<&DotlessDirectory<'a>> {
        self.prepared.as_ref()?.dotless.as_ref()
    }

    /// Returns the long segments of the text that [`directory`](Base::directory) is, or is part of.
    pub(crate) fn long_segments(&self) -> &LongSegments {
        self.prepared.as_ref().map_or(LongSegments::NONE, |prepared| &prepared.long_segments)
    }

    /// Finds the cut for more `../` than were prepared; `None` where a slash run may come before that, or the base is long.
    pub(crate) fn cut_above(&self, parents: usize) -> Option<usize> {
        if self.has_inner_runs || self.prepared.is_some() {
            return None;
        }
        let [.., last] = self.cuts.parents;
        let mut left = parents - (self.cuts.parents.len() - 1);
        let directory = self.as_str().as_bytes().get(..last.get()?)?;
        let mut cut = None;
        slashes_back(&directory[self.uri.path_start..directory.len() - 1], |slash| {
            left -= 1;
            cut = (left == 0).then_some(self.uri.path_start + slash + 1);
            left > 0
        });
        cut
    }

    /// Returns the segments that a relative path is appended to, without dot segments and without the slash after them.
    pub(crate) fn directory(&self) -> Option<&str> {
        match self.dotless() {
            Some(dotless) => dotless.directory(),
            None => self.written_directory(),
        }
    }

    /// Returns the segments that a relative path is appended to, as they are written, without the slash after them.
    pub(crate) fn written_directory(&self) -> Option<&'a str> {
        let end = if self.ends_in_host { Some(self.path_end()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.uri.as_str().get(self.uri.path_start..end))
    }
}

/// Returns the byte at which the path of a URI ends, under rules that may make parameters a component of their own.
#[inline(always)]
pub(crate) fn path_end(uri: &UriRef<'_>, rules: Rules) -> usize {
    match rules.params.then(|| find_byte(uri.path().as_bytes(), b';')).flatten() {
        Some(at) => uri.path_start + at,
        None => uri.path_end,
    }
}

/// Reports whether a URI has a slash run of two or more besides the one before its host, or an empty host.
#[inline(never)]
fn has_inner_runs(uri: &UriRef<'_>, path_end: usize) -> bool {
    let path = &uri.as_str().as_bytes()[uri.path_start..path_end];
    uri.path_start <= uri.scheme_end + "//".len() || has_run(path)
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
/// Borrow a [`Base`] from it with [`base`](BaseBuf::base), once for all references of a page.
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
            None => Err(Error::no_scheme(ErrorKind::NotAbsolute, &uri)),
        }
    }

    /// Returns the prepared base; costs as much as [`Base::new`].
    pub fn base(&self) -> Base<'_> {
        Base::new(&self.text, self.rules).expect("`new` found a scheme")
    }

    /// Returns the URI, as given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the text and drops the rest.
    pub fn into_string(self) -> String {
        self.text
    }
}

impl fmt::Display for BaseBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
