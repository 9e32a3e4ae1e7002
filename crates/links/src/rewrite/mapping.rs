//! New references by the URIs that they mean.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::{memchr2_iter, memchr3_iter};
use relref::crawl::Normalizer;
use relref::percent::decode_lossy;
use relref::private::{origin, path_relative};
use relref::{UriRef, whatwg};

use super::choose::{Asked, Sealed};
use super::totals::LeftReason;
use crate::equivalent::strip_equivalent;
use crate::html::{Kind, Link, OwnedBase, PageBase};

/// The form of new references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// The absolute URI.
    Absolute,
    /// The shortest reference without a scheme, a host or a slash at its start, such as `../x`, `?q` or `#f`. To other origins than
    /// that of the page, references that are absolute or start with `//` stay as they are written, and others become absolute.
    Relative,
    /// A reference that starts with a slash, such as `/a/x`. To other origins, as [`Relative`](Mode::Relative).
    Rooted,
    /// The form that the reference has. Only those change that would mean another URI than they are mapped to.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let mapping = Mapping::new(Mode::AsWritten).map("http://h/old/", "http://h/new/")?;
    /// let page = "<a href=/old/a><a href=old/b><a href=//h/old/c><a href=d>";
    /// let page = Rewriter::from(mapping).html(page, None, &Base::new("http://h/")?).into_owned();
    /// assert_eq!(String::from_utf8(page)?, "<a href=/new/a><a href=new/b><a href=//h/new/c><a href=d>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    AsWritten,
}

/// New references that mean the same URI as before, or the one that it is mapped to.
///
/// A reference stays as it is written if it has the form that the mode asks for, means the right URI, and is not longer than the
/// new one. So does each absolute one in the mode [`Absolute`](Mode::Absolute), or to another origin, unless its URI is mapped or
/// normalized.
///
/// ```
/// use relref_links::rewrite::{Mapping, Mode, Rewriter};
/// use relref::whatwg::Base;
///
/// let page = r#"<a href="http://old.example/docs/x">x</a> <a href=/y>y</a>"#;
/// let mapping = Mapping::new(Mode::Relative).map("http://old.example/", "https://new.example/")?;
/// let base = Base::new("http://old.example/docs/")?;
/// let mut rewriter = Rewriter::from(mapping);
/// assert_eq!(*rewriter.html(page, None, &base), *br#"<a href="x">x</a> <a href=../y>y</a>"#);
/// assert_eq!((rewriter.totals.rewritten, rewriter.totals.kept), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mapping {
    mode: Mode,
    /// The longest first, and of two of one length, the exact one.
    pairs: Vec<Pair>,
    /// See [`resources`](Mapping::resources).
    resources: Option<(Box<str>, Box<str>)>,
    keep_fragments: bool,
    normalizer: Option<Normalizer>,
    leave: Option<Box<Leave>>,
    changes: Option<Box<Changes>>,
    mirror: Option<Mirror>,
}

type Changes = dyn Fn(&str) -> bool + Send + Sync;
type Leave = dyn Fn(&Link<'_>) -> Option<LeftReason> + Send + Sync;

/// A start of URIs, and what replaces it.
struct Pair {
    old: Box<str>,
    new: Box<str>,
    reach: Reach,
    is_used: AtomicBool,
}

/// The rest of the URIs that a pair maps, after `old`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Nothing, or a fragment.
    Exact,
    /// What is below a URI.
    Below,
    /// Any text.
    Text,
}

impl Pair {
    /// The part of a URI after `old`.
    fn rest<'u>(&self, uri: &'u str) -> Option<&'u str> {
        match self.reach {
            Reach::Exact => strip_equivalent(uri, &self.old).filter(|rest| rest.is_empty() || rest.starts_with('#')),
            Reach::Below => rest_below(uri, &self.old),
            Reach::Text => uri.strip_prefix(&*self.old),
        }
    }

    /// The part of a URI after `old`, unless the URI starts with a `new` that is longer: it is where it should be.
    fn rest_to_map<'u>(&self, uri: &'u str) -> Option<&'u str> {
        let rest = self.rest(uri)?;
        let is_new = match self.reach {
            _ if self.rest(&self.new).is_none() => false,
            Reach::Text => uri.starts_with(&*self.new),
            Reach::Exact | Reach::Below => rest_below(uri, &self.new).is_some(),
        };
        (!is_new).then_some(rest)
    }

    fn mapped(&self, rest: &str) -> String {
        let (new_ends, old_ends) = (self.new.ends_with('/'), self.old.ends_with('/'));
        // What a whole host becomes is a folder.
        let is_of_host = old_ends && UriRef::new(&self.old).path() == "/";
        let is_folder = rest.is_empty() || rest.starts_with(['?', '#']);
        match () {
            () if self.reach != Reach::Below || new_ends == old_ends => [&self.new, rest].concat(),
            () if new_ends => [&self.new, rest.strip_prefix('/').unwrap_or(rest)].concat(),
            () if is_folder && !is_of_host => [&self.new, rest].concat(),
            () => [&self.new, "/", rest].concat(),
        }
    }
}

/// The part of a URI after one that ends where a part of it does: its authority, a segment of its path, or its path. Hosts beyond US-ASCII
/// are compared as browsers' rules have them, as which `start` has its own.
fn rest_below<'u>(uri: &'u str, start: &str) -> Option<&'u str> {
    let in_ascii = if uri.is_ascii() { None } else { with_ascii_host(uri) };
    let rest = strip_equivalent(in_ascii.as_deref().unwrap_or(uri), start)?;
    let is_end = rest.is_empty() || rest.starts_with(['/', '?', '#']) || start.ends_with(['/', '?', '#']);
    if is_end { uri.get(uri.len().checked_sub(rest.len())?..) } else { None }
}

struct Mirror {
    find: Box<FindFile>,
    has_file: Option<Box<HasFile>>,
    /// A URI of the page that is being rewritten, by its name.
    page: whatwg::Base,
}

type HasFile = dyn Fn(&str) -> bool + Send + Sync;
type FindFile = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The URI of the root of the copy. Only differences between URIs that start with it count.
const ROOT: &str = "http://relref.invalid/";

/// The reason why [`Mapping::map`] refuses a pair: rewriting twice would not be the same as once, or one is no absolute URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    uri: String,
    old: Option<String>,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.old {
            Some(old) => write!(f, "{} starts with {old}, and would be replaced again", self.uri),
            None => write!(f, "{:?} is no absolute URI", self.uri),
        }
    }
}

impl Error for MapError {}

impl Mapping {
    /// Returns the mapping of each URI to itself.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        Mapping {
            mode,
            pairs: Vec::new(),
            resources: None,
            keep_fragments: false,
            normalizer: None,
            leave: None,
            changes: None,
            mirror: None,
        }
    }

    /// Maps `old`, and the URIs below it, to `new` and those below that. Both are compared in normal form, and where a part of them ends:
    /// `http://h/a` is the start of `http://h/a/b` and `http://h/a?b`, and not of `http://h/ab`. References are resolved before. Of several
    /// pairs, the one with the longest `old` counts. A `new` may be below its own `old`: what is below that already stays. The page's
    /// own URI and the `href` of its `base` element are mapped, too.
    ///
    /// # Errors
    /// One of both is no absolute URI, or a `new` is below the `old` of another pair.
    pub fn map(self, old: impl AsRef<str>, new: impl AsRef<str>) -> Result<Self, MapError> {
        self.add_normal_pair(old.as_ref(), new.as_ref(), Reach::Below)
    }

    /// Maps `old` alone, with any fragment, to `new`. What [`map`](Mapping::map) does with `old` and the URIs below it stays for those.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let mapping = Mapping::new(Mode::Rooted).map_exact("http://h/faq", "http://h/help.html")?;
    /// let page = Rewriter::from(mapping).html("<a href=faq#x><a href=faq/y>", None, &Base::new("http://h/")?).into_owned();
    /// assert_eq!(String::from_utf8(page)?, "<a href=/help.html#x><a href=/faq/y>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As those of `map`.
    pub fn map_exact(self, old: impl AsRef<str>, new: impl AsRef<str>) -> Result<Self, MapError> {
        self.add_normal_pair(old.as_ref(), new.as_ref(), Reach::Exact)
    }

    fn add_normal_pair(self, old: &str, new: &str, reach: Reach) -> Result<Self, MapError> {
        // Making one sorts its list of parameters.
        static SAFE: LazyLock<Normalizer> = LazyLock::new(Normalizer::safe);
        let [old, new] = [old, new]
            .map(|uri| SAFE.normalize(uri).map_or_else(|_| String::from(uri), |normal| normal.to_string()))
            .map(|uri| with_ascii_host(&uri).unwrap_or(uri));
        self.add_pair(&old, &new, reach)
    }

    /// Like [`map`](Mapping::map), with texts: URIs that start with `old` start with `new` instead, wherever it ends.
    ///
    /// # Errors
    /// As those of `map`.
    pub fn map_text(self, old: impl AsRef<str>, new: impl AsRef<str>) -> Result<Self, MapError> {
        self.add_pair(old.as_ref(), new.as_ref(), Reach::Text)
    }

    fn add_pair(mut self, old: &str, new: &str, reach: Reach) -> Result<Self, MapError> {
        if let Some(uri) = [old, new].into_iter().find(|uri| UriRef::new(*uri).scheme().is_none()) {
            return Err(MapError { uri: uri.into(), old: None });
        }
        let pair = Pair { old: old.into(), new: new.into(), reach, is_used: AtomicBool::new(false) };
        // The others were compared with each other as they came. To compare all pairs each time would be cubic.
        for (from, to) in self.pairs.iter().flat_map(|other| [(other, &pair), (&pair, other)]) {
            if to.rest(&from.new).is_some() {
                return Err(MapError { uri: from.new.to_string(), old: Some(to.old.to_string()) });
            }
        }
        let place = |pair: &Pair| (std::cmp::Reverse(pair.old.len()), pair.reach != Reach::Exact);
        let at = self.pairs.partition_point(|other| place(other) <= place(&pair));
        self.pairs.insert(at, pair);
        Ok(self)
    }

    /// Maps the URIs of resources, such as images, that start with `old`: they start with `new` instead, before others are mapped. A
    /// registry that shows a README finds the images of a repository elsewhere than its pages.
    ///
    /// # Errors
    /// As [`map`](Mapping::map).
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let repository = "https://github.com/o/r/blob/main/";
    /// let images = "https://raw.githubusercontent.com/o/r/main/";
    /// let mapping = Mapping::new(Mode::Absolute).resources(repository, images)?;
    /// let page = Rewriter::from(mapping).html("<a href=a.md><img src=b.png></a>", None, &Base::new(repository)?).into_owned();
    /// let expected = "<a href=https://github.com/o/r/blob/main/a.md><img src=https://raw.githubusercontent.com/o/r/main/b.png></a>";
    /// assert_eq!(String::from_utf8(page)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resources(mut self, old: impl AsRef<str>, new: impl AsRef<str>) -> Result<Self, MapError> {
        let (old, new) = (old.as_ref(), new.as_ref());
        if let Some(uri) = [old, new].into_iter().find(|uri| UriRef::new(*uri).scheme().is_none()) {
            return Err(MapError { uri: uri.into(), old: None });
        }
        if new.starts_with(old) {
            return Err(MapError { uri: new.into(), old: Some(old.into()) });
        }
        self.resources = Some((old.into(), new.into()));
        Ok(self)
    }

    /// Returns the pairs that no link was mapped by, as they are compared.
    pub fn unused(&self) -> impl Iterator<Item = (&str, &str)> {
        let unused = self.pairs.iter().filter(|pair| !pair.is_used.load(Ordering::Relaxed));
        unused.map(|pair| (&*pair.old, &*pair.new))
    }

    /// Leaves the references of links for which `leave` returns a reason.
    #[must_use]
    pub fn leave(mut self, leave: impl Fn(&Link<'_>) -> Option<LeftReason> + Send + Sync + 'static) -> Self {
        self.leave = Some(Box::new(leave));
        self
    }

    /// Leaves out the `integrity` of each `link` to a file that `changes`, which gets the link's URI: browsers would not load it any
    /// more. Only style sheets can be such files, as scripts are not rewritten.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let mapping = Mapping::new(Mode::Rooted).drop_integrity(|uri| uri == "http://h/a.css");
    /// let page = "<link rel=stylesheet integrity='sha256-x' href=a.css> <script integrity=sha256-y src=b.js></script>";
    /// let page = Rewriter::from(mapping).html(page, None, &Base::new("http://h/")?).into_owned();
    /// let expected = "<link rel=stylesheet href=/a.css> <script integrity=sha256-y src=/b.js></script>";
    /// assert_eq!(String::from_utf8(page)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn drop_integrity(mut self, changes: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.changes = Some(Box::new(changes));
        self
    }

    /// Keeps references that are only a fragment, if `keep` is true.
    #[must_use]
    pub fn keep_fragments(mut self, keep: bool) -> Self {
        self.keep_fragments = keep;
        self
    }

    /// Normalizes the URIs, before and after they are mapped.
    #[must_use]
    pub fn normalize(mut self, normalizer: Option<Normalizer>) -> Self {
        self.normalizer = normalizer;
        self
    }

    /// Makes the copy of a site work where it is, as `wget -k` does: a link to a file of the copy becomes a reference relative to
    /// the file of the page, and any other the absolute URI, whatever the mode. `find` returns the file for a URI without a
    /// fragment: its path from the root of the copy, percent-encoded (`a/b%3Fc.html`), and after a redirect to a fragment that, too, which
    /// then counts in place of the link's. The `href` of a `base` element becomes
    /// empty. Before each page, [`set_page`](Mapping::set_page) tells its file.
    ///
    /// ```
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    /// use relref::whatwg::Base;
    ///
    /// let file = |uri: &str| (uri == "http://h/p.php?id=3").then(|| "p.php%3Fid=3".to_owned());
    /// let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute).mirror(file));
    /// rewriter.choose.set_page("docs/x.html");
    /// let base = Base::new("http://h/docs/x.html")?;
    /// let page = rewriter.html("<base href=/><a href='p.php?id=3#top'><a href=y>", None, &base);
    /// assert_eq!(*page, *b"<base href=\"\"><a href='../p.php%3Fid=3#top'><a href=http://h/y>");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[must_use]
    pub fn mirror(mut self, find: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.mirror = Some(Mirror { find: Box::new(find), has_file: None, page: mirror_base("") });
        self
    }

    /// Leaves relative references, in a copy with a folder for each host, that lead from the file of the page to another one, where their
    /// URIs have no file: an earlier run has written them. `has_file` reports whether the copy has a file with a path from its root.
    #[must_use]
    pub fn mirrored_hosts(mut self, has_file: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        if let Some(mirror) = &mut self.mirror {
            mirror.has_file = Some(Box::new(has_file));
        }
        self
    }

    fn is_in_copy(&self, reference: &str) -> bool {
        let Some(Mirror { has_file: Some(has_file), page, .. }) = &self.mirror else { return false };
        if !reference.starts_with("..") {
            return false;
        }
        let uri = page.resolve(reference).ok();
        let path = uri.as_ref().and_then(|uri| uri.as_str().strip_prefix(ROOT)?.split(['?', '#']).next());
        path.is_some_and(|path| has_file(&decode_lossy(path)))
    }

    /// Sets the file of the next page of a copy: its path from the root, percent-encoded.
    pub fn set_page(&mut self, path: &str) {
        if let Some(mirror) = &mut self.mirror {
            mirror.page = mirror_base(path);
        }
    }

    /// Returns the URI that a page with this URI has after it was rewritten.
    #[must_use]
    pub fn page_uri<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        self.mapped(uri).unwrap_or(Cow::Borrowed(uri))
    }

    /// `None` if the result would be mapped again.
    fn mapped<'u>(&self, uri: &'u str) -> Option<Cow<'u, str>> {
        let find = |uri: &str| self.pairs.iter().position(|pair| pair.rest_to_map(uri).is_some());
        let Some(pair) = find(uri).map(|at| &self.pairs[at]) else { return Some(Cow::Borrowed(uri)) };
        pair.is_used.store(true, Ordering::Relaxed);
        let mapped = pair.mapped(pair.rest(uri).unwrap_or_default());
        find(&mapped).is_none().then_some(Cow::Owned(mapped))
    }

    /// The URI that a link to `uri` should have.
    fn target<'u>(&self, uri: &'u str, rules: PageBase<'_>) -> Result<Cow<'u, str>, LeftReason> {
        let absolute = |uri: &str| rules.absolute(uri).map(Cow::Owned).ok_or(LeftReason::Invalid);
        let Some(normalizer) = &self.normalizer else {
            if self.pairs.is_empty() {
                return Ok(Cow::Borrowed(uri));
            }
            let mapped = self.mapped(uri).ok_or(LeftReason::MappedAgain)?;
            return if *mapped == *uri { Ok(mapped) } else { absolute(&mapped) };
        };
        let once = |uri: &str| -> Result<Cow<'u, str>, LeftReason> {
            let normal = normalizer.normalize(uri).map_err(|_| LeftReason::Invalid)?;
            let mapped = self.mapped(&normal).ok_or(LeftReason::MappedAgain)?;
            let normal = normalizer.normalize(&*mapped).map_err(|_| LeftReason::Invalid)?;
            absolute(&normal)
        };
        let target = once(uri)?;
        if once(&target)? == target { Ok(target) } else { Err(LeftReason::MappedAgain) }
    }

    fn choose_base<'l>(&self, asked: &Asked<'l, '_>) -> Result<Option<Cow<'l, str>>, LeftReason> {
        let Asked { link, own_base, .. } = *asked;
        if self.mirror.is_some() {
            return if link.reference.is_empty() { Ok(None) } else { written(asked, Cow::Borrowed("")) };
        }
        if self.pairs.is_empty() {
            return Ok(None);
        }
        let target = self.mapped(link.uri).ok_or(LeftReason::MappedAgain)?;
        let target = own_base.absolute(&target).ok_or(LeftReason::Invalid)?;
        let own = self.new_base(own_base, false);
        if resolves(own.as_page_base(), link.reference, &target) {
            return Ok(None);
        }
        written(asked, Cow::Owned(target))
    }

    /// The base that is in force after the page was rewritten.
    fn new_base(&self, base: PageBase<'_>, is_codebase: bool) -> OwnedBase {
        let uri = base.as_str();
        let new = if is_codebase {
            self.target(uri, base).ok()
        } else {
            self.mapped(uri).and_then(|mapped| base.absolute(&mapped)).map(Cow::Owned)
        };
        OwnedBase::new(new.unwrap_or(Cow::Borrowed(uri)).into_owned(), base)
    }
}

impl Sealed for Mapping {
    const WANTS_BASES: bool = true;
    const WANTS_OPEN_GRAPH: bool = true;

    fn wants_integrity(&self) -> bool {
        self.changes.is_some()
    }

    fn changes(&self, uri: &str) -> bool {
        self.changes.as_ref().is_some_and(|changes| changes(uri))
    }

    fn choose<'l>(&mut self, asked: &Asked<'l, '_>) -> Result<Option<Cow<'l, str>>, LeftReason> {
        let Asked { link, occurrence, .. } = *asked;
        if occurrence.is_base {
            return self.choose_base(asked);
        }
        if has_template(link.reference) {
            return Err(LeftReason::Template);
        }
        if let Some(why) = self.leave.as_ref().and_then(|leave| leave(link)) {
            return Err(why);
        }
        if !has_host(link.uri) {
            return Err(LeftReason::NoHost);
        }
        if self.keep_fragments && link.reference.starts_with('#') {
            return Ok(None);
        }
        let resource = self.resources.as_ref().filter(|_| link.kind == Kind::Resource);
        let is_absolute_only = asked.needs_absolute || is_absolute_only(link);
        let moved = resource.and_then(|(old, new)| Some([new, link.uri.strip_prefix(&**old)?].concat()));
        let target = match moved {
            Some(uri) => Cow::Owned(self.target(&uri, asked.base)?.into_owned()),
            None => self.target(link.uri, asked.base)?,
        };
        if let Some(Mirror { find, page, .. }) = &self.mirror {
            let (uri, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
            // A codebase is a folder.
            let file = if occurrence.has_codebase { None } else { find(uri) };
            let file = file.filter(|_| !is_absolute_only);
            let stays = file.is_none() && !is_absolute_only && self.is_in_copy(link.reference);
            if stays {
                return Ok(None);
            }
            let is_redirected = file.as_ref().is_some_and(|file| file.contains('#'));
            let fragment = if is_redirected { "" } else { fragment };
            let (mode, target, base) = match &file {
                Some(file) => (Mode::Relative, Cow::Owned([ROOT, file, fragment].concat()), PageBase::from(page)),
                None => (Mode::Absolute, target, asked.base),
            };
            let form = ReferenceForm { mode, target, base, own_base: base, asked };
            return form.choose(self.normalizer.is_none());
        }
        let mode = if is_absolute_only && self.mode != Mode::AsWritten { Mode::Absolute } else { self.mode };
        let is_mapped = !self.pairs.is_empty() || (occurrence.has_codebase && self.normalizer.is_some());
        let new_bases = is_mapped
            .then(|| [self.new_base(asked.base, occurrence.has_codebase), self.new_base(asked.own_base, false)]);
        let [base, own_base] = match &new_bases {
            Some(bases) => bases.each_ref().map(OwnedBase::as_page_base),
            None => [asked.base, asked.own_base],
        };
        let mut form = ReferenceForm { mode, target, base, own_base, asked };
        if mode == Mode::AsWritten {
            if form.means_target(link.reference) {
                return Ok(None);
            }
            form.mode = if is_absolute_only { Mode::Absolute } else { mode_of(link.reference) };
            if !is_absolute_only && link.reference.starts_with("//") {
                let without_scheme = form.target.split_once(':').map_or("", |(_, rest)| rest).to_owned();
                if without_scheme.starts_with("//") && form.means_target(&without_scheme) {
                    return form.take(without_scheme.into());
                }
            }
        }
        form.choose(self.normalizer.is_none())
    }
}

/// The mode whose form a reference has.
fn mode_of(reference: &str) -> Mode {
    match reference.as_bytes() {
        [b'/' | b'\\', b'/' | b'\\', ..] => Mode::Absolute,
        [b'/' | b'\\', ..] => Mode::Rooted,
        _ if UriRef::new(reference).scheme().is_some() => Mode::Absolute,
        _ => Mode::Relative,
    }
}

/// A reference to be found.
struct ReferenceForm<'f, 'l> {
    mode: Mode,
    target: Cow<'l, str>,
    /// The base that is in force after the page was rewritten.
    base: PageBase<'f>,
    /// The page's own base after it was rewritten.
    own_base: PageBase<'f>,
    asked: &'f Asked<'l, 'f>,
}

impl<'l> ReferenceForm<'_, 'l> {
    fn choose(&self, keeps_absolute: bool) -> Result<Option<Cow<'l, str>>, LeftReason> {
        let reference = self.asked.link.reference;
        let is_absolute = || self.base.is_absolute(reference, &self.target);
        if self.mode == Mode::Absolute {
            return if keeps_absolute && is_absolute() { Ok(None) } else { self.take(self.target.clone()) };
        }
        let has_origin = |base: PageBase<'_>| origin(base.as_str()) == origin(&self.target);
        if !has_origin(self.own_base) {
            let is_kept =
                keeps_absolute && (is_absolute() || (reference.starts_with("//") && self.means_target(reference)));
            return if is_kept { Ok(None) } else { self.take(self.target.clone()) };
        }
        if !has_origin(self.base) {
            return self.take(self.target.clone());
        }
        let has_form = |reference: &str| match self.mode {
            Mode::Rooted => is_rooted(reference),
            _ => !reference.starts_with(['/', '\\']) && UriRef::new(reference).scheme().is_none(),
        };
        // The shortest of all forms, in nearly all places.
        if self.mode == Mode::Relative {
            let shortest = self.base.relativize(&self.target);
            if !shortest.is_empty() && has_form(&shortest) {
                let is_right =
                    || reference.len() <= shortest.len() && has_form(reference) && self.means_target(reference);
                if *shortest == *reference || is_right() {
                    return Ok(None);
                }
                if (self.asked.can_be)(&shortest) {
                    return Ok(Some(shortest.into_owned().into()));
                }
            }
        }
        let rest = &self.target[origin(&self.target).len()..];
        let mut candidates: Vec<Cow<'_, str>> = Vec::new();
        if self.mode == Mode::Rooted {
            candidates.push(rest.into());
            candidates.push(["/.", rest].concat().into());
        } else {
            candidates.push(self.base.relativize(&self.target));
            candidates.extend(path_relative(self.base.as_str(), &self.target).map(Cow::Owned));
            // In a form, that is the page.
            candidates.push("".into());
            candidates.extend(rest.find('?').map(|query| rest[query..].into()));
            let guarded = candidates.iter().map(|path| Cow::Owned(["./", path].concat())).collect::<Vec<_>>();
            candidates.extend(guarded);
        }
        candidates.retain(|candidate| has_form(candidate));
        candidates.sort_by_key(|candidate| candidate.len());
        for candidate in &candidates {
            if has_form(reference) && reference.len() <= candidate.len() && self.means_target(reference) {
                return Ok(None);
            }
            if self.means_target(candidate) && (self.asked.can_be)(candidate) {
                return Ok(Some(candidate.to_string().into()));
            }
        }
        self.take(self.target.clone())
    }

    /// An empty reference of a form means the page.
    fn means_target(&self, reference: &str) -> bool {
        let is_of_form = reference.is_empty() && self.asked.link.kind == Kind::Form;
        resolves(if is_of_form { self.own_base } else { self.base }, reference, &self.target)
    }

    fn take(&self, new: Cow<'l, str>) -> Result<Option<Cow<'l, str>>, LeftReason> {
        if new == self.asked.link.reference {
            return Ok(None);
        }
        if new.starts_with(ROOT) {
            return Err(LeftReason::Unwritable);
        }
        // By browsers' rules, the URI that a reference means resolves to itself. Others are the same from any base.
        let is_certain = self.asked.base.is_whatwg() && new == self.asked.link.uri && new == self.target;
        if is_certain || resolves(self.asked.base, &new, &self.target) {
            written(self.asked, new)
        } else {
            Err(LeftReason::Unwritable)
        }
    }
}

/// An impossible path is the root.
fn mirror_base(path: &str) -> whatwg::Base {
    let root = || whatwg::Base::new(ROOT).expect("a URL");
    whatwg::Base::new([ROOT, path].concat()).unwrap_or_else(|_| root())
}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mapping { mode, pairs, resources, keep_fragments, normalizer, mirror, .. } = self;
        f.debug_struct("Mapping")
            .field("mode", mode)
            .field("pairs", &pairs.iter().map(|pair| (&pair.old, &pair.new)).collect::<Vec<_>>())
            .field("resources", resources)
            .field("keep_fragments", keep_fragments)
            .field("normalizer", normalizer)
            .field("page", &mirror.as_ref().map(|mirror| mirror.page.as_str()))
            .finish_non_exhaustive()
    }
}

/// `None` if the host is in US-ASCII, or invalid.
fn with_ascii_host(uri: &str) -> Option<String> {
    let authority = UriRef::new(uri).authority().filter(|host| !host.is_ascii() || host.contains('%'))?;
    let start = authority.as_ptr() as usize - uri.as_ptr() as usize;
    let base = whatwg::Base::new(uri).ok()?;
    let in_ascii = UriRef::new(base.as_str()).authority()?;
    Some([&uri[..start], in_ascii, &uri[start + authority.len()..]].concat())
}

fn written<'l>(asked: &Asked<'l, '_>, new: Cow<'l, str>) -> Result<Option<Cow<'l, str>>, LeftReason> {
    if (asked.can_be)(&new) { Ok(Some(new)) } else { Err(LeftReason::Unwritable) }
}

fn resolves(base: PageBase<'_>, reference: &str, target: &str) -> bool {
    let mut uri = String::new();
    base.resolve_into(reference, &mut uri).is_ok() && uri == target
}

/// Reports whether a link is one for which its specification demands an absolute URI: a page's `canonical` and its languages, and the
/// properties of Open Graph.
fn is_absolute_only(link: &Link<'_>) -> bool {
    let element = link.element.rsplit(':').next().unwrap_or_default();
    match (link.attribute, element) {
        _ if !link.inner.is_empty() => false,
        ("href", "link") => link.has_rel("canonical") || (!link.hreflang.is_empty() && link.has_rel("alternate")),
        ("content", "meta") => link.rel.starts_with("og:"),
        _ => false,
    }
}

/// Reports whether a reference has an expression of a template, or a name that one replaces.
pub(crate) fn has_template(reference: &str) -> bool {
    let bytes = reference.as_bytes();
    let is_mark = |at: usize| {
        let pair = bytes.get(at.saturating_sub(1)..=at).unwrap_or_default();
        matches!(pair, b"{{" | b"{%" | b"<%" | b"${" | b"[[" | b"%%" | b"<?" | b"*|") || bytes[at..].starts_with(b"{$")
    };
    memchr3_iter(b'{', b'%', b'[', bytes).chain(memchr2_iter(b'?', b'|', bytes)).any(is_mark)
        || bytes.contains(&b'%') && has_name_in_percents(reference)
}

/// A name such as `%NAME%`, which is no percent-encoding.
fn has_name_in_percents(reference: &str) -> bool {
    let parts: Vec<&str> = reference.split('%').collect();
    let starts_encoded = |text: &str| text.len() > 1 && text.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    let is_name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    // The first and the last part are not between two marks.
    parts
        .windows(2)
        .skip(1)
        .any(|two| is_name(two[0]) && !(starts_encoded(two[0]) && starts_encoded(two[1])) && two[0].len() > 2)
}

/// `uri` is absolute. Not all of it is split.
fn has_host(uri: &str) -> bool {
    // Most schemes are too short for `memchr` to be faster.
    let colon = uri.bytes().position(|byte| byte == b':').unwrap_or(uri.len());
    let (scheme, rest) = uri.split_at(colon);
    let has_authority =
        rest.strip_prefix("://").is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']));
    has_authority || scheme.eq_ignore_ascii_case("file")
}

fn is_rooted(reference: &str) -> bool {
    reference.strip_prefix('/').is_some_and(|rest| !rest.starts_with(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_becomes_a_folder() {
        for (old, new) in [("http://h", "http://n/s"), ("http://h/", "http://n/s"), ("http://h", "http://n/s/")] {
            let mapping = Mapping::new(Mode::Absolute).map(old, new).unwrap();
            for (uri, expected) in [("/", "/"), ("/#f", "/#f"), ("/?q", "/?q"), ("/a", "/a"), ("/a/", "/a/")] {
                assert_eq!(mapping.page_uri(&format!("http://h{uri}")), format!("http://n/s{expected}"), "{old} {new}");
            }
        }
        let folder = Mapping::new(Mode::Absolute).map("http://h/a/", "http://n/b").unwrap();
        assert_eq!([folder.page_uri("http://h/a/"), folder.page_uri("http://h/a/c")], ["http://n/b", "http://n/b/c"]);
    }

    #[test]
    fn an_exact_pair_maps_one_uri() {
        let mapping = Mapping::new(Mode::Absolute).map("http://h/a", "http://n/b").unwrap();
        let mapping = mapping
            .map_exact("HTTP://h:80/a", "http://n/one?q")
            .unwrap()
            .map_exact("http://h/c/", "http://n/")
            .unwrap();
        for (uri, expected) in [
            ("http://h/a", "http://n/one?q"),
            ("http://h/%61#f", "http://n/one?q#f"),
            ("http://h/a/x", "http://n/b/x"),
            ("http://h/a?x", "http://n/b?x"),
            ("http://h/ab", "http://h/ab"),
            ("http://h/c/", "http://n/"),
            ("http://h/c/d", "http://h/c/d"),
            ("http://h/c", "http://h/c"),
        ] {
            assert_eq!(mapping.page_uri(uri), expected, "{uri}");
        }
        let again = Mapping::new(Mode::Absolute).map_exact("http://h/a", "http://h/b").unwrap();
        assert!(again.map_exact("http://h/b", "http://h/c").is_err());
        let below = Mapping::new(Mode::Absolute).map_exact("http://h/a", "http://h/b/x").unwrap();
        assert!(below.map_exact("http://h/b", "http://h/c").is_ok());
    }
}
