//! Bases: an absolute URI made ready once, then asked many times.

use alloc::string::String;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::levels::Levels;
use crate::rules::Rules;
use crate::scan::{find_byte, has_run, last_slashes, slashes_back};
use crate::segments::last_dots;
use crate::uri::UriRef;

/// An absolute URI against which references are resolved, under one rule set.
///
/// Where it is cut for the common references is found once, in one pass; nothing is copied, and nothing allocated (but by
/// level, for more than four lengths of runs).
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
    /// Where the path ends, without the parameters where these are a component.
    pub(crate) path_end: usize,
    /// Just past the last slash of the path.
    pub(crate) directory_end: usize,
    /// Whether the base ends in a host, its own or a nested one, so that its path lacks the slash.
    pub(crate) ends_in_host: bool,
    /// Whether the directory has dot segments.
    pub(crate) dotted: bool,
    /// By level: whether the levels have to be looked for. If not, they are where the components are, and no `..` meets a run.
    pub(crate) nested: bool,
    pub(crate) cuts: Cuts,
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
        Base { uri, rules, path_end, directory_end, ends_in_host, dotted, nested, cuts: Cuts { slashes, ups } }
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

    /// Its runs of slashes, to be asked for where these are levels.
    pub(crate) fn levels(&self) -> Levels {
        Levels::new(self.as_str().as_bytes(), self.uri.scheme_end..self.path_end, self.rules.slashes)
    }

    /// Where the base is cut for a climb past the directories that are ready; `None` where a run of slashes may be in the way.
    pub(crate) fn cut_above(&self, ups: usize) -> Option<usize> {
        if self.nested {
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

    /// The segments that a relative path is appended to, dots and all, without the slash behind them.
    pub(crate) fn directory(&self) -> Option<&'a str> {
        let end = if self.ends_in_host { Some(self.path_end) } else { self.directory_end.checked_sub(1) };
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

/// Whether the levels of a URI may be elsewhere than its components: not if the only two slashes next to each other are those in
/// front of its host, and it has one.
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
