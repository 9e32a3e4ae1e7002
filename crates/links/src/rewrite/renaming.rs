//! Renames: the reference that each link needs so that it leads where it led, in any page and without a look at the disk.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::{Component, Path};

use relref::percent::{ByteSet, decode_leaving_illegal, encode_with};
use relref::{UriRef, whatwg};

use super::choose::{Asked, Sealed};
use super::restyled::{Restyled, climbs_above};
use super::totals::LeftReason;
use crate::equivalent::strip_equivalent;
use crate::html::{DestinationForm, Link};

/// Files and folders that get other names, as paths below a root with `/` between names. Of a file in a folder, both of which get another
/// name, that of the file counts.
///
/// ```
/// use relref_links::rewrite::Renames;
///
/// let renames = Renames::from([("docs", "book"), ("docs/a.md", "b.md")]); // or `pairs.collect()`, or `add` for each
/// assert_eq!(*renames.new_path(b"docs/c.md"), *b"book/c.md");
/// assert_eq!(*renames.new_path(b"docs/a.md"), *b"b.md");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    new: PathMap,
    old: PathMap,
}

/// New paths by old ones, or old ones by new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PathMap {
    paths: HashMap<Vec<u8>, Vec<u8>>,
    /// The most names in a path. Only as many starts of a path are looked up.
    depth: usize,
}

impl PathMap {
    fn add(&mut self, from: Vec<u8>, to: Vec<u8>) {
        self.depth = self.depth.max(1 + from.iter().filter(|byte| **byte == b'/').count());
        self.paths.insert(from, to);
    }

    fn get<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let ends = slashes.chain([path.len()]).take(self.depth);
        let found = ends.filter_map(|end| Some((self.paths.get(&path[..end])?, end))).last();
        found.map_or(Cow::Borrowed(path), |(to, end)| Cow::Owned([to, &path[end..]].concat()))
    }
}

impl Renames {
    /// Adds a file, or a folder with all that is in it.
    pub fn add(&mut self, old: impl AsRef<Path>, new: impl AsRef<Path>) {
        let [old, new] = [old.as_ref(), new.as_ref()].map(path_bytes);
        self.old.add(new.clone(), old.clone());
        self.new.add(old, new);
    }

    /// Returns the new path of a file or folder.
    #[must_use]
    pub fn new_path<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        self.new.get(path)
    }

    /// Returns the old path of a file or folder, by its new one.
    #[must_use]
    pub fn old_path<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        self.old.get(path)
    }
}

/// Old and new names.
impl<O: AsRef<Path>, N: AsRef<Path>> FromIterator<(O, N)> for Renames {
    fn from_iter<I: IntoIterator<Item = (O, N)>>(pairs: I) -> Self {
        let mut renames = Renames::default();
        pairs.into_iter().for_each(|(old, new)| renames.add(old, new));
        renames
    }
}

/// Old and new names.
impl<O: AsRef<Path>, N: AsRef<Path>, const LEN: usize> From<[(O, N); LEN]> for Renames {
    fn from(pairs: [(O, N); LEN]) -> Self {
        pairs.into_iter().collect()
    }
}

/// The names of a path, with `/` between them.
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    let names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.as_encoded_bytes()),
        _ => None,
    });
    names.collect::<Vec<_>>().join(&b'/')
}

/// Where a link leads, and where it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// The reference is right as it is.
    #[cfg(feature = "check")]
    Stays,
    /// The link leads from a path below the root, which its reference names, to another, which may be the same. `is_file` if that is known
    /// to be a file.
    To { asked: Vec<u8>, new: Vec<u8>, is_file: bool },
    /// No reference of its style leads there any more.
    #[cfg(feature = "check")]
    Lost,
    /// Out of the root, which stays where it is.
    Out,
}

type FindLead = dyn Fn(&Renames, &Link<'_>, [&str; 2]) -> Lead + Send + Sync;

/// References as they should be when files have got other names. Each leads where it led: to a file that was renamed, or from
/// a page that was. It keeps its style: absolute, with a slash or `./` at its start, or relative and then the shortest, with the
/// names that stay as they are written, its query and its fragment. Other references stay.
///
/// A [`Rewriter`](super::Rewriter) writes them into a page, which it reads with the base of its old place.
///
/// ```
/// use relref::whatwg::Base;
/// use relref_links::rewrite::{Renaming, Rewriter};
///
/// let renaming = Renaming::new("file:///repo/", [("docs/guide.md", "book/the guide.md")])?;
/// let base = Base::new("file:///repo/README.md")?;
/// assert_eq!(renaming.reference("./docs/guide.md#top", &base).as_deref(), Some("./book/the%20guide.md#top"));
/// assert_eq!(renaming.reference("docs/", &base), None);
///
/// let base = Base::new("file:///repo/docs/guide.md")?;
/// let page = Rewriter::from(renaming).markdown("[a](a.md) [b](../b.md) [me](guide.md)", None, &base).into_owned();
/// assert_eq!(String::from_utf8(page)?, "[a](../docs/a.md) [b](../b.md) [me](the%20guide.md)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Renaming {
    /// Its URI, with a slash at its end.
    root: String,
    /// Others, at which a forge shows the same files.
    others: Vec<String>,
    renames: Renames,
    find: Option<Box<FindLead>>,
    page: PageBases,
}

/// The bases of the page of the last link.
#[derive(Default)]
struct PageBases {
    own: String,
    new_own: Option<whatwg::Base>,
}

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renaming").field("root", &self.root).field("renames", &self.renames).finish_non_exhaustive()
    }
}

impl Renaming {
    /// `root` is the URI of the folder that the paths start from; `renames` are [`Renames`], or an array of pairs. Each path of a reference is taken for that of a file or folder:
    /// `Site::renaming`, of the feature `check`, knows which there are.
    ///
    /// # Errors
    /// `root` is no absolute URL.
    pub fn new(root: impl AsRef<str>, renames: impl Into<Renames>) -> Result<Self, whatwg::Error> {
        let base = whatwg::Base::new(root.as_ref())?;
        let uri = base.as_str().split(['?', '#']).next().unwrap_or_default();
        let slash = if uri.ends_with('/') { "" } else { "/" };
        let (root, others) = (format!("{uri}{slash}"), Vec::new());
        let renames = renames.into();
        Ok(Renaming { root, others, renames, find: None, page: PageBases::default() })
    }

    /// Finds where links lead by `find`, which gets a link and the URIs of the base and of the page. `others` are URIs of the root, too.
    #[cfg(feature = "check")]
    pub(crate) fn finding(
        mut self,
        others: Vec<String>,
        find: impl Fn(&Renames, &Link<'_>, [&str; 2]) -> Lead + Send + Sync + 'static,
    ) -> Self {
        self.find = Some(Box::new(find));
        self.others = others;
        self
    }

    /// Returns the reference that should stand in place of one, in a page whose old URI is that of `base`. `None` if it stays.
    #[must_use]
    pub fn reference(&self, reference: &str, base: &whatwg::Base) -> Option<String> {
        let uri = base.resolve(reference).ok()?;
        let new_base = self.renamed(base);
        let lead = self.lead(uri.as_str());
        self.candidate(reference, base.as_str(), &new_base, &lead, None).ok().flatten()
    }

    /// The new URI of a page or of a folder.
    fn renamed(&self, base: &whatwg::Base) -> whatwg::Base {
        let Some(below) = strip_equivalent(base.as_str(), &self.root) else { return base.clone() };
        let (path, rest) = below.split_at(below.find(['?', '#']).unwrap_or(below.len()));
        let (path, slash) = path.strip_suffix('/').map_or((path, ""), |path| (path, "/"));
        let old = decode_leaving_illegal(path).to_bytes();
        let new = self.renames.new_path(&old);
        if *new == *old {
            return base.clone();
        }
        let uri = format!("{}{}{slash}{rest}", self.root, encode_with(&new, ByteSet::PATH));
        whatwg::Base::new(uri).unwrap_or_else(|_| base.clone())
    }

    /// Where a URI leads, if it is that of a file or folder.
    fn lead(&self, uri: &str) -> Lead {
        let Some(below) = strip_equivalent(uri, &self.root) else { return Lead::Out };
        let path = below.split(['?', '#']).next().unwrap_or_default();
        let asked = decode_leaving_illegal(path.strip_suffix('/').unwrap_or(path)).to_bytes().into_owned();
        Lead::To { new: self.renames.new_path(&asked).into_owned(), asked, is_file: false }
    }

    /// `None` if the reference stays.
    fn candidate(
        &self,
        reference: &str,
        old_base: &str,
        new_base: &whatwg::Base,
        lead: &Lead,
        form: Option<DestinationForm>,
    ) -> Result<Option<String>, LeftReason> {
        let parts = UriRef::new(reference);
        let is_here = parts.path().is_empty() && parts.authority().is_none();
        let is_moved = new_base.as_str() != old_base;
        let (asked, new, is_file) = match lead {
            Lead::To { asked, new, is_file } if !is_here && (asked != new || is_moved) => (asked, new, *is_file),
            #[cfg(feature = "check")]
            Lead::Lost => return Err(LeftReason::Unwritable),
            Lead::Out if is_moved && !is_here && is_relative(reference) => {
                return Ok(outward(reference, old_base, new_base.as_str()));
            }
            _ => return Ok(None),
        };
        let depth = asked.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).count();
        let restyled = Restyled { reference, old_base, base: new_base.as_str(), depth, is_file, form, after: None };
        if self.path_of(new_base, reference).as_deref() == Some(new) {
            // What was the shortest stays so, or a page that moves back would keep its way around.
            let may_be_shorter = is_moved && is_relative(reference) && restyled.is_shortest(asked);
            let shortest = restyled.to(new).filter(|shortest| may_be_shorter && shortest.len() < reference.len());
            return Ok(shortest.filter(|shortest| self.path_of(new_base, shortest).as_deref() == Some(new)));
        }
        let found = restyled.to(new).ok_or(LeftReason::Unwritable)?;
        // A rooted reference may be one of a forge, whose root is that of the repository.
        let leads_there = found.starts_with('/') || self.path_of(new_base, &found).as_deref() == Some(new);
        if leads_there { Ok(Some(found)) } else { Err(LeftReason::Unwritable) }
    }

    /// The path below the root to which a reference leads, decoded, without a slash at its end. At the root of a host, browsers stay there;
    /// in a folder, `..` leads out of it.
    fn path_of(&self, base: &whatwg::Base, reference: &str) -> Option<Vec<u8>> {
        let depth =
            strip_equivalent(base.as_str(), &self.root).map(|below| UriRef::new(below).path().matches('/').count());
        if is_relative(reference) && depth.is_some_and(|depth| climbs_above(depth, UriRef::new(reference).path())) {
            return None;
        }
        let uri = base.resolve(reference).ok()?;
        let mut roots = std::iter::once(&self.root).chain(&self.others);
        let below = roots.find_map(|root| strip_equivalent(uri.as_str(), root))?;
        let path = below.split(['?', '#']).next().unwrap_or_default();
        Some(decode_leaving_illegal(path.strip_suffix('/').unwrap_or(path)).to_bytes().into_owned())
    }
}

/// Returns a reference out of the root, from the new place of its page; `None` if it stays. The folders around the root are not known, but
/// that both places are in them.
fn outward(reference: &str, old_base: &str, new_base: &str) -> Option<String> {
    let around = "x/".repeat(reference.matches("..").count());
    let deep = |uri: &str| format!("http://h/{around}{}", UriRef::new(uri).path().trim_start_matches('/'));
    let (old_base, base) = (deep(old_base), deep(new_base));
    let leads_to = |base: &str| Some(whatwg::Base::new(base).ok()?.resolve(reference).ok()?.as_str().to_owned());
    if leads_to(&old_base) == leads_to(&base) {
        return None;
    }
    Restyled { reference, old_base: &old_base, base: &base, depth: 0, is_file: false, form: None, after: None }.to(b"")
}

/// Relative to a folder.
fn is_relative(reference: &str) -> bool {
    !reference.starts_with(['/', '\\']) && UriRef::new(reference).scheme().is_none()
}

impl Sealed for Renaming {
    const WANTS_BASES: bool = true;

    fn choose<'l>(&mut self, asked: &Asked<'l, '_>) -> Result<Option<Cow<'l, str>>, LeftReason> {
        let Asked { link, occurrence, .. } = *asked;
        let (base, own) = (asked.base.as_str(), asked.own_base.as_str());
        if self.page.new_own.is_none() || self.page.own != own {
            let old = whatwg::Base::new(own).map_err(|_| LeftReason::Invalid)?;
            self.page = PageBases { own: own.to_owned(), new_own: Some(self.renamed(&old)) };
        }
        let Some(new_own) = &self.page.new_own else { return Ok(None) };
        // The `href` of a `base` element is relative to the page.
        let base = if occurrence.is_base { own } else { base };
        let other;
        let new_base = if base == own {
            new_own
        } else {
            other = self.renamed(&whatwg::Base::new(base).map_err(|_| LeftReason::Invalid)?);
            &other
        };
        let lead = match &self.find {
            Some(find) => find(&self.renames, link, [base, own]),
            None => self.lead(link.uri),
        };
        let form = occurrence.form;
        match self.candidate(link.reference, base, new_base, &lead, form)? {
            Some(new) if (asked.can_be)(&new) => Ok(Some(new.into())),
            Some(_) => Err(LeftReason::Unwritable),
            None => Ok(None),
        }
    }
}
