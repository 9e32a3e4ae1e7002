//! Decides for one link whether it works.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use memchr::{memchr, memchr_iter, memchr2};
use relref::percent::{ByteSet, decode_leaving_illegal, encode_with};
use relref::scheme::info;
use relref::{UriRef, whatwg};

use super::files::{Ending, Found, last_name};
use super::fragment_key::FragmentKeys;
use super::fragments::{MAX_REDIRECTS, indicated};
use super::problem::ProblemKind;
use super::recent::Recent;
use super::site::{Below, Site};
use crate::html::{Kind, Link, Rejected, is_fetched};
use crate::markdown::Renderer;
use crate::rewrite::has_template;

/// About one link.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// To another site, or of another scheme.
    External,
    LeadsTo(LinkedFile),
    Fails(Failure),
    /// Out of the root, from Markdown: to a page that a forge has there.
    Outside,
    /// Its URI is too long.
    NotChecked,
}

/// The file that a link leads to. The link works if the file has the fragment and needs no slash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinkedFile {
    pub(super) file: u32,
    /// `None` unless the file is a page, in which the fragment must be looked for.
    pub(super) keys: Option<FragmentKeys>,
    pub(super) is_without_slash: bool,
}

/// The target of a link.
pub(super) struct LinkTarget<'l> {
    /// The path below the root that its URI means.
    pub(super) path: Cow<'l, str>,
    /// The length of the start of `path` that its URI leaves out: the folder of the sources, with a slash.
    pub(super) site_root_len: usize,
    query: Option<&'l str>,
    pub(super) fragment: &'l str,
    pub(super) found: Found,
}

/// Why a link does not work.
#[derive(Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) kind: ProblemKind,
    /// Relative to the root.
    pub(super) target: Option<Vec<u8>>,
    /// More than the kind says.
    pub(super) note: Option<String>,
}

impl Verdict {
    fn fails(kind: ProblemKind, target: Option<Vec<u8>>, note: Option<&str>) -> Self {
        Verdict::Fails(Failure { kind, target, note: note.map(str::to_owned) })
    }
}

/// Judges the links of a page.
pub(super) struct Judge<'s> {
    pub(super) site: &'s Site,
    pub(super) page: u32,
    uri: String,
    /// The number of folders between the root and the base; `None` if that is elsewhere.
    depth: Option<usize>,
    /// The URI of the `base` element of the page.
    base: Option<String>,
    /// `None` unless the page is Markdown.
    pub(super) renderer: Option<Renderer>,
    /// The path of the folder of sources that is the root of references that start with a slash, encoded, with a slash at its end.
    site_root: Option<String>,
    recent: RefCell<RecentlyFound>,
}

/// The files that were found not long ago: two of three links lead where another one of the same page does. Far fewer bytes are touched than by a
/// search in all paths, most of which are in no cache of the processor.
#[derive(Default)]
struct RecentlyFound {
    hasher: RandomState,
    /// The files that links lead to, by the path, query and fragment below the root.
    links: Recent<LinkedFile>,
    /// The files and folders at paths below the root, for links to other fragments.
    paths: Recent<Found>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(site: &'s Site, page: u32) -> Self {
        let uri = site.uri_of(page);
        let depth = Some(depth(&uri[site.root.len()..]));
        let renderer = site.renderer_of(page);
        let site_root = site.renderers.site_root(site.files.path(page));
        let site_root = site_root.map(|root| format!("{}/", encode_with(root, ByteSet::PATH)));
        Judge { site, page, uri, depth, base: None, renderer, site_root, recent: RefCell::default() }
    }

    /// Returns the judge of another page, which knows what this one found.
    pub(super) fn next(self, page: u32) -> Self {
        Judge { recent: self.recent, ..Judge::new(self.site, page) }
    }

    pub(super) fn set_base(&mut self, uri: &str) {
        if self.base.as_deref() != Some(uri) {
            self.base = Some(uri.to_owned());
            self.depth = self.site.below_root(uri).map(|below| depth(below.rest));
        }
    }

    /// The URI of the `base` element of the page.
    pub(super) fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    pub(super) fn judge(&self, link: &Link<'_>) -> Verdict {
        match link.rejected {
            Some(Rejected::Invalid(error)) => {
                return Verdict::fails(ProblemKind::Invalid, None, Some(&error.to_string()));
            }
            Some(_) => return Verdict::NotChecked,
            None => {}
        }
        // A third of the links of reference documentation are like this.
        let own = || link.uri.strip_prefix(&*self.uri)?.strip_prefix('#');
        match link.reference.strip_prefix('#').and_then(|_| own()) {
            Some(fragment) => self.in_file(link, self.page, fragment, false),
            None => self.judge_by_path(link),
        }
    }

    fn judge_by_path(&self, link: &Link<'_>) -> Verdict {
        let (site, base) = (self.site, self.base.as_deref());
        let Some(Below { rest: below, is_root_without_slash }) = self.below_root(link) else {
            if self.is_file_with_colon(link) {
                let scheme = UriRef::new(link.reference).scheme().unwrap_or_default();
                let note = format!("`{scheme}:` is read as a scheme: write ./{}", link.reference);
                return Verdict::fails(ProblemKind::Missing, None, Some(&note));
            }
            let is_near = link.uri.starts_with(site.server()) && is_relative_path(link.reference);
            let leaves_root = is_near && base.is_none_or(|base| site.below_root(base).is_some());
            return match () {
                () if leaves_root => self.above_root(),
                () if self.lacks_root_path(link) => {
                    let note = format!("it lacks the path of the base, {}", &site.root[site.server().len()..]);
                    Verdict::fails(ProblemKind::Missing, None, Some(&note))
                }
                () => Verdict::External,
            };
        };
        if self.leads_above(link) {
            return self.above_root();
        }
        // A link of Markdown, of a page below a folder of sources or of a `srcdoc`, one to the page itself, and the root without its slash may
        // lead elsewhere than others with this path, query and fragment.
        let is_special = self.renderer.is_some() || self.site_root.is_some() || !link.inner.is_empty();
        if is_special || is_root_without_slash || self.is_own(link) {
            return self.judge_below_root(link, below, is_root_without_slash);
        }
        let hash = self.recent.borrow().hasher.hash_one(below);
        if let Some(linked) = self.recent.borrow().links.get(hash) {
            return Verdict::LeadsTo(linked);
        }
        let verdict = self.judge_below_root(link, below, is_root_without_slash);
        if let Verdict::LeadsTo(linked) = verdict {
            self.recent.borrow_mut().links.put(hash, linked);
        }
        verdict
    }

    fn judge_below_root(&self, link: &Link<'_>, below: &str, is_root_without_slash: bool) -> Verdict {
        let site = self.site;
        let LinkTarget { mut path, mut site_root_len, query, fragment, mut found } =
            self.target(link, below, is_root_without_slash);
        // On a forge, a leading slash is the root of the repository.
        let is_on_forge = || matches!(self.renderer, Some(Renderer::GitHub | Renderer::GitLab));
        if found == Found::Nothing && link.reference.starts_with('/') && is_on_forge() {
            let written = &path[site_root_len..];
            if let Some(own) = site.own_part(written) {
                (found, site_root_len) = (self.look_up(own, None), 0);
                path = own.to_owned().into();
            } else if site.is_in_repository(written) {
                return Verdict::External;
            }
        }
        let redirected = self.redirected(found, &path[site_root_len..], query);
        let Some((found, new_fragment)) = redirected else { return Verdict::External };
        // That of the target counts (RFC 9110 §10.2.2).
        let fragment = new_fragment.as_deref().unwrap_or(fragment);
        let (page, is_without_slash) = match found {
            Found::File(file) => (file, false),
            Found::Index { .. } | Found::FolderWithoutIndex { .. } if self.renderer.is_some() => {
                return self.in_folder(found, &path, fragment);
            }
            Found::Index { file, is_without_slash } => (file, is_without_slash),
            Found::FolderWithoutIndex { .. } => return self.no_index(file_path(&path)),
            // An expression of a template or of JSX, which only its renderer knows.
            Found::Nothing if self.renderer.is_some() && link.reference.starts_with('{') => return Verdict::External,
            // The sources of a site have templates; what is rendered should have none.
            Found::Nothing if site.has_markdown && self.has_expression(link.reference) => return Verdict::External,
            Found::Nothing => return self.missing(link, file_path(&path), fragment),
        };
        self.in_file(link, page, fragment, is_without_slash)
    }

    fn in_file(&self, link: &Link<'_>, page: u32, fragment: &str, is_without_slash: bool) -> Verdict {
        let site = self.site;
        // The page in `srcdoc` has a URL of its own.
        let is_inner = !link.inner.is_empty() && page == self.page;
        // A view of an image, or a part of it (SVG 2 §16.3), or a place in a book (EPUB CFI 1.1).
        let is_view = || {
            site.files.ending(page) == Ending::Svg && fragment.contains(['=', '(']) || fragment.starts_with("epubcfi(")
        };
        match self.indicated(fragment).filter(|_| !is_inner && !is_view() && site.files.may_be_html(page)) {
            None if is_without_slash => {
                Verdict::fails(ProblemKind::MissingSlash, Some(site.files.path(page).into()), None)
            }
            fragment => {
                let keys = fragment.map(|fragment| site.fragment_keys(page, fragment));
                Verdict::LeadsTo(LinkedFile { file: page, keys, is_without_slash })
            }
        }
    }

    /// Reports whether a reference has an expression of a template. A page of Markdown may have other marks for another reason.
    fn has_expression(&self, reference: &str) -> bool {
        match self.renderer {
            Some(_) => reference.contains("{{") || reference.contains("{%"),
            None => has_template(reference),
        }
    }

    /// Reports whether a link leads to its page.
    fn is_own(&self, link: &Link<'_>) -> bool {
        // Most others are told apart by one byte, not by the long start that they have in common.
        let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b'#');
        is_end(link.uri.as_bytes().get(self.uri.len())) && link.uri.starts_with(&*self.uri)
    }

    /// Finds what is at the part of a link's URI below the root.
    fn target<'l>(&self, link: &Link<'l>, below: &'l str, is_root_without_slash: bool) -> LinkTarget<'l> {
        let path_len = memchr2(b'?', b'#', below.as_bytes()).unwrap_or(below.len());
        let (path, rest) = below.split_at(path_len);
        let (query, fragment) = split_at_byte(rest, b'#');
        let query = query.strip_prefix('?').unwrap_or_default();
        // A forge has no files by their queries, as the copy of a site has.
        let query = Some(query).filter(|query| !query.is_empty() && self.renderer.is_none());
        let is_own = || self.is_own(link);
        let found = match () {
            () if is_root_without_slash => self.site.files.find(b"", false, None, &self.site.options.index),
            // Not for Markdown: what is found there depends on the renderer, and the paths are kept from page to page.
            () if query.is_none() && self.renderer.is_none() => self.look_up_as_before(path),
            () => self.look_up(path, query),
        };
        // Also a page whose path is too long to be looked for.
        let found = if found == Found::Nothing && is_own() { Found::File(self.page) } else { found };
        let rooted = self.site_root.as_ref().filter(|_| is_rooted(link.reference) && !is_own());
        if let Some(root) = rooted {
            let in_site = format!("{root}{path}");
            let found_in_site = self.look_up(&in_site, query);
            let in_other_case = |path: &str| self.site.files.in_other_case(&file_path(path)).is_some();
            let is_elsewhere = || found != Found::Nothing || !in_other_case(&in_site) && in_other_case(path);
            if found_in_site != Found::Nothing || !is_elsewhere() {
                let (path, site_root_len) = (in_site.into(), root.len());
                return LinkTarget { path, site_root_len, query, fragment, found: found_in_site };
            }
        }
        LinkTarget { path: path.into(), site_root_len: 0, query, fragment, found }
    }

    /// Finds what is at the URI of a link, as [`target`](Self::target) does; `None` if that is out of the root.
    pub(super) fn target_in_site<'l>(&self, link: &Link<'l>) -> Option<LinkTarget<'l>> {
        let Below { rest, is_root_without_slash } = self.below_root(link)?;
        (!self.leads_above(link)).then(|| self.target(link, rest, is_root_without_slash))
    }

    /// Reports whether a relative path leads above the root. At the root of a host, browsers stay there (URL Standard §4.4, "shorten").
    fn leads_above(&self, link: &Link<'_>) -> bool {
        self.site.may_be_left() && self.depth.is_some_and(|depth| is_link_above(link.reference, link.uri, depth))
    }

    /// Reports whether a reference with a scheme that no document defines is the name of a file with a colon.
    fn is_file_with_colon(&self, link: &Link<'_>) -> bool {
        let scheme = UriRef::new(link.reference).scheme().unwrap_or_default();
        let is_known = scheme.is_empty() || info(scheme).is_some() || is_fetched(scheme);
        if is_known || link.reference[scheme.len() + 1..].starts_with("//") {
            return false;
        }
        let base = whatwg::Base::new(&self.uri).ok();
        let uri = base.and_then(|base| base.resolve(&format!("./{}", link.reference)).ok());
        let below = uri.as_ref().and_then(|uri| self.site.below_root(uri.as_str()));
        below.is_some_and(|below| {
            let (path, _) = split_at_byte(below.rest, b'#');
            let (path, query) = split_at_byte(path, b'?');
            matches!(self.look_up(path, Some(query).filter(|query| !query.is_empty())), Found::File(_))
        })
    }

    /// Reports whether a link that starts with a slash leads out of the root, and would lead to a file if the path of the root were before it.
    /// The home page of the host does not count: it is another.
    fn lacks_root_path(&self, link: &Link<'_>) -> bool {
        let site = self.site;
        let path = link.uri.strip_prefix(site.server()).filter(|_| is_rooted(link.reference));
        let path = path.and_then(|rest| rest.strip_prefix('/'));
        let path = path.and_then(|path| path.split(['?', '#']).next()).unwrap_or_default();
        let is_home = path.is_empty() || site.options.index.iter().any(|index| index == path);
        !is_home && matches!(self.look_up(path, None), Found::File(_) | Found::Index { .. })
    }

    /// Returns the fragment if it must indicate an element, by [`indicated`] and by the options.
    fn indicated<'f>(&self, fragment: &'f str) -> Option<&'f str> {
        let fragment = indicated(fragment)?;
        let is_line = self.renderer.is_some() && is_line(fragment);
        (!is_line && self.site.options.fragments).then_some(fragment)
    }

    /// A root in a forge is also the root of references that start with a slash.
    fn below_root<'u>(&self, link: &Link<'u>) -> Option<Below<'u>> {
        match self.site.forge {
            Some(_) if is_rooted(link.reference) && self.renderer.is_some() => {
                Some(Below { rest: &link.reference[1..], is_root_without_slash: false })
            }
            _ => self.site.below_root(link.uri),
        }
    }

    fn above_root(&self) -> Verdict {
        match self.renderer {
            Some(_) => Verdict::Outside,
            None => Verdict::fails(ProblemKind::Missing, None, Some("it leads out of the root")),
        }
    }

    /// Judges a link of Markdown to a folder, which a forge shows, with its README below its files.
    fn in_folder(&self, found: Found, path: &str, fragment: &str) -> Verdict {
        let files = &self.site.files;
        let readme = files.first_in(&file_path(path), &READMES);
        let (folder, page) = match found {
            Found::Index { file, .. } => (file, Some(readme.unwrap_or(file))),
            Found::FolderWithoutIndex { folder } => (folder, readme),
            _ => return Verdict::External,
        };
        let fragment = page.zip(self.indicated(fragment)).filter(|(page, _)| files.may_be_html(*page));
        let keys = fragment.map(|(page, fragment)| self.site.fragment_keys(page, fragment));
        Verdict::LeadsTo(LinkedFile { file: page.unwrap_or(folder), keys, is_without_slash: false })
    }

    /// Looks for the source of a page of a book: `a.html` is made of `a.md`, and `index.html` of `README.md`, too.
    fn source_of_book(&self, path: &[u8]) -> Found {
        let Some(stem) = path.strip_suffix(b".html").filter(|_| self.renderer == Some(Renderer::MdBook)) else {
            return Found::Nothing;
        };
        let folder = stem.strip_suffix(b"index").filter(|folder| folder.is_empty() || folder.ends_with(b"/"));
        let readme = folder.map(|folder| [folder, b"README.md"].concat());
        let sources = [Some([stem, b".md"].concat()), readme];
        let find = |path: Vec<u8>| self.site.files.find(&path, false, None, &[]);
        sources.into_iter().flatten().map(find).find(|found| *found != Found::Nothing).unwrap_or(Found::Nothing)
    }

    /// The path is that of a URI, below the root.
    fn look_up(&self, path: &str, query: Option<&str>) -> Found {
        let has_escape = memchr(b'%', path.as_bytes()).is_some();
        if has_escape && (path.contains("%2F") || path.contains("%2f")) {
            return Found::Nothing;
        }
        let has_slash = path.ends_with('/') || path.is_empty();
        let path = path.strip_prefix('/').unwrap_or(path);
        let decoded = if has_escape { decode_leaving_illegal(path).to_bytes() } else { path.as_bytes().into() };
        let mut decoded = Cow::Borrowed(decoded.strip_suffix(b"/").unwrap_or(&decoded));
        let index = &self.site.options.index;
        let find = |path: &[u8], query: Option<&str>| {
            let plain = self.site.files.find(path, has_slash, query.map(str::as_bytes), index);
            let Some(query) = query.filter(|_| plain == Found::Nothing) else { return plain };
            // wget writes an escape for a slash, and adds the ending of a page or of a style sheet.
            let names = [&*decode_leaving_illegal(query).to_bytes(), query.replace('/', "%2F").as_bytes()]
                .map(|name| ["", ".html", ".css"].map(|ending| [name, ending.as_bytes()].concat()));
            let mut found = names.iter().flatten().map(|name| self.site.files.find(path, has_slash, Some(name), index));
            found.find(|found| *found != Found::Nothing).unwrap_or(Found::Nothing)
        };
        let mut found = find(&decoded, query);
        // No file has a path with empty segments: only what is not found is searched for them.
        if found == Found::Nothing {
            let path = without_empty_segments(&decoded).into_owned();
            if *path != *decoded {
                decoded = Cow::Owned(path);
                found = find(&decoded, query);
            }
        }
        if matches!(found, Found::File(_)) || has_slash {
            return found;
        }
        // Servers that try endings do so before they redirect to a folder.
        let mut with_ending = self.site.options.try_ext.iter().map(|ending| {
            let path = [&decoded, &b"."[..], ending.as_bytes()].concat();
            self.site.files.find(&path, false, None, index)
        });
        match with_ending.find(|found| matches!(found, Found::File(_))) {
            Some(with_ending) => with_ending,
            None if found == Found::Nothing => self.source_of_book(&decoded),
            None => found,
        }
    }

    fn look_up_as_before(&self, path: &str) -> Found {
        let hash = self.recent.borrow().hasher.hash_one(path);
        let known = self.recent.borrow().paths.get(hash);
        known.unwrap_or_else(|| {
            let found = self.look_up(path, None);
            self.recent.borrow_mut().paths.put(hash, found);
            found
        })
    }

    /// Follows the redirects of the server to a file, and returns the fragment of the last one; `None` if they lead to another site.
    fn redirected(&self, found: Found, path: &str, query: Option<&str>) -> Option<(Found, Option<String>)> {
        if !matches!(found, Found::Nothing | Found::FolderWithoutIndex { .. }) {
            return Some((found, None));
        }
        // They are those of a server, not of a folder of it.
        let root = &self.site.root[self.site.server().len()..];
        let (mut now, mut path, mut query) = (found, format!("{root}{path}"), query.map(str::to_owned));
        let mut fragment = None;
        for _ in 0..MAX_REDIRECTS {
            if !matches!(now, Found::Nothing | Found::FolderWithoutIndex { .. }) {
                break;
            }
            let target = self.site.options.redirects.target(&path, query.as_deref().unwrap_or_default());
            let Some(target) = target else { break };
            let own = target.strip_prefix(self.site.server()).unwrap_or(&target);
            let (rest, new_fragment) = split_at_byte(own, b'#');
            let (new_path, new_query) = split_at_byte(rest, b'?');
            let below = new_path.strip_prefix(root)?;
            now = match self.look_up(below, Some(new_query).filter(|query| !query.is_empty())) {
                Found::Index { file, .. } => Found::File(file),
                now => now,
            };
            fragment = Some(new_fragment.to_owned()).filter(|fragment| !fragment.is_empty()).or(fragment);
            (path, query) = (new_path.to_owned(), Some(new_query.to_owned()));
        }
        Some(if now == Found::Nothing { (found, None) } else { (now, fragment) })
    }

    /// Returns the file that is meant by a link that lacks only a slash, or differs only in case.
    pub(super) fn meant(&self, failure: &Failure) -> Option<u32> {
        let is_near = matches!(failure.kind, ProblemKind::WrongCase | ProblemKind::MissingSlash);
        let path = failure.target.as_deref().filter(|_| is_near)?;
        let files = &self.site.files;
        let readme = self.renderer.and_then(|_| files.first_in(path, &READMES));
        readme.or_else(|| match files.find(path, false, None, &self.site.options.index) {
            Found::File(file) | Found::Index { file, .. } => Some(file),
            _ => None,
        })
    }

    fn no_index(&self, folder: Vec<u8>) -> Verdict {
        let in_folder = |name: &String| {
            if folder.is_empty() { name.clone().into() } else { [&folder, &b"/"[..], name.as_bytes()].concat() }
        };
        let other = self.site.options.index.iter().find_map(|name| self.site.files.in_other_case(&in_folder(name)));
        let note = other
            .map(|(other, _)| format!("it has {}, which differs in case", String::from_utf8_lossy(last_name(other))));
        Verdict::fails(ProblemKind::NoIndex, Some(folder), note.as_deref())
    }

    fn missing(&self, link: &Link<'_>, mut path: Vec<u8>, fragment: &str) -> Verdict {
        let files = &self.site.files;
        // The URI has a slash after it.
        let is_file = files.has(&path);
        if is_file {
            path.push(b'/');
        }
        if link.kind == Kind::Hyperlink && is_like_address(link.reference) {
            return Verdict::fails(ProblemKind::NotALink, Some(path), None);
        }
        let with_ending = |ending: &str| [&path, &b"."[..], ending.as_bytes()].concat();
        let endings = self.site.options.try_ext.iter().map(|ending| with_ending(ending));
        let stem = path.strip_suffix(b".html").filter(|_| self.renderer == Some(Renderer::MdBook));
        let source = stem.map(|stem| [stem, b".md"].concat());
        let mut paths = [path.clone()].into_iter().chain(endings).chain(source);
        if let Some((other, _)) = paths.find_map(|path| files.in_other_case(&path)) {
            return Verdict::fails(ProblemKind::WrongCase, Some(other.into()), None);
        }
        let with_number_sign = || [&path, &b"#"[..], &decode_leaving_illegal(fragment).to_bytes()].concat();
        let note = match () {
            () if is_file => None,
            () if !fragment.is_empty() && files.has(&with_number_sign()) => {
                Some("a file has the # in its name: in a link, it is written %23")
            }
            () if files.in_other_form(&path).is_some() => {
                Some("a file has this name in another Unicode normalization form")
            }
            () if TRIED_ENDINGS.iter().any(|ending| files.has(&with_ending(ending))) => {
                Some("it exists with the ending html: if the server adds that, --try-ext html")
            }
            () => None,
        };
        Verdict::fails(ProblemKind::Missing, Some(path), note)
    }
}

/// The names of the file that a forge shows with a folder.
pub(super) const READMES: [&str; 5] = ["README.md", "README.markdown", "README", "index.md", "_index.md"];

/// The endings that servers add most.
const TRIED_ENDINGS: [&str; 1] = ["html"];

/// Faster than [`str::split_once`] on texts as short as these.
fn split_at_byte(text: &str, byte: u8) -> (&str, &str) {
    memchr(byte, text.as_bytes()).map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
}

/// A line of a file, or several, as forges show them: `L10`, `L10-L20`, `L1C2-L3C4`.
fn is_line(fragment: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_place = |text: &str| {
        let Some(text) = text.strip_prefix('L') else { return false };
        text.split_once('C').map_or_else(|| is_number(text), |(line, column)| is_number(line) && is_number(column))
    };
    fragment
        .split_once('-')
        .map_or_else(|| is_place(fragment), |(first, last)| is_place(first) && (is_place(last) || is_number(last)))
}

/// The path of a file, from that of a URI. A slash that is encoded stays so: decoded, the path could be that of a file that exists.
pub(super) fn file_path(path: &str) -> Vec<u8> {
    let parts: Vec<_> = path.split("%2F").flat_map(|part| part.split("%2f")).map(decode_leaving_illegal).collect();
    let path = parts.iter().map(|part| part.to_bytes()).collect::<Vec<_>>().join(&b"%2F"[..]);
    let path = without_empty_segments(&path);
    path.strip_suffix(b"/").unwrap_or(&path).into()
}

/// Servers skip them. Without a slash at either end.
fn without_empty_segments(path: &[u8]) -> Cow<'_, [u8]> {
    let trimmed = path.strip_suffix(b"/").unwrap_or(path);
    let pairs = trimmed.iter().zip(trimmed.get(1..).unwrap_or_default());
    // Without a branch for each, which is faster.
    let has_two_slashes = pairs.fold(false, |found, (one, next)| found | ((*one == b'/') & (*next == b'/')));
    let has_empty = trimmed.starts_with(b"/") || trimmed.ends_with(b"/") || has_two_slashes;
    if !has_empty {
        return Cow::Borrowed(trimmed);
    }
    let segments = trimmed.split(|byte| *byte == b'/').filter(|segment| !segment.is_empty());
    Cow::Owned(segments.collect::<Vec<_>>().join(&b'/'))
}

/// Relative to a path: not to a root or a scheme, and with a path of its own.
fn is_relative_path(reference: &str) -> bool {
    !reference.starts_with(['/', '\\', '?', '#']) && !reference.is_empty() && UriRef::new(reference).scheme().is_none()
}

/// Relative to the root of the host.
pub(super) fn is_rooted(reference: &str) -> bool {
    reference.starts_with('/') && !reference.starts_with("//")
}

/// The number of folders in a path below the root.
pub(super) fn depth(path: &str) -> usize {
    let len = memchr2(b'?', b'#', path.as_bytes()).unwrap_or(path.len());
    memchr_iter(b'/', &path.as_bytes()[..len]).count()
}

/// Reports whether a reference leads above the root, from a base so many folders below it. `uri` is what it resolves to.
fn is_link_above(reference: &str, uri: &str, depth: usize) -> bool {
    let (mut rest, mut parents) = (reference, 0);
    while let Some(after) = rest.strip_prefix("../") {
        (rest, parents) = (after, parents + 1);
    }
    // No segment is removed from a rest that the URI ends with. Few references need more than this.
    if uri.ends_with(rest) { parents > depth } else { is_relative_path(reference) && is_above(reference, depth) }
}

/// Reports whether a reference that is a relative path leads above the root, at any place.
fn is_above(reference: &str, mut depth: usize) -> bool {
    let path = &reference.as_bytes()[..memchr2(b'?', b'#', reference.as_bytes()).unwrap_or(reference.len())];
    for segment in path.split(|byte| matches!(byte, b'/' | b'\\')) {
        match segment {
            b"" => depth += 1,
            _ => match dots(segment) {
                Some(2) if depth == 0 => return true,
                Some(2) => depth -= 1,
                Some(1) => {}
                _ => depth += 1,
            },
        }
    }
    false
}

/// The number of dots if the segment has nothing else (URL Standard §4.1, "double-dot URL path segment").
fn dots(mut segment: &[u8]) -> Option<usize> {
    let mut count = 0;
    while let [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] = segment {
        (segment, count) = (rest, count + 1);
    }
    segment.is_empty().then_some(count)
}

/// `x@y.tld` or `www.…`, in the first segment.
fn is_like_address(reference: &str) -> bool {
    let segment = reference.split(['/', '?', '#']).next().unwrap_or_default();
    let is_name = |name: &str| name.contains('.') && !name.starts_with('.') && !name.ends_with('.');
    let is_mail = || segment.split_once('@').is_some_and(|(user, host)| !user.is_empty() && is_name(host));
    let is_server = segment.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) && segment.len() > 4;
    is_server || is_mail()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::check::page_reader::{KINDS, PageReader};
    use crate::check::{Options, Redirects};
    use crate::html::{Locate, PageSink};

    /// Judges each link of a page a second time, without what is known of the others and of the page.
    struct Twice<'s> {
        judge: Judge<'s>,
        links: usize,
    }

    impl PageSink for Twice<'_> {
        fn link(&mut self, link: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
            let mut other = Judge::new(self.judge.site, self.judge.page);
            self.judge.base().into_iter().for_each(|base| other.set_base(base));
            let by_path = if link.rejected.is_some() { other.judge(link) } else { other.judge_by_path(link) };
            assert_eq!(self.judge.judge(link), by_path, "{} from {}", link.reference, other.uri);
            self.links += 1;
            Ok(())
        }

        fn base(&mut self, uri: &str) {
            self.judge.set_base(uri);
        }
    }

    quickcheck::quickcheck! {
        fn the_short_ways_give_what_a_search_by_the_path_gives(references: Vec<(Vec<u8>, u8)>, base: Option<Vec<u8>>) -> bool {
            const PARTS: [&str; 16] =
                ["#", "#", "a.html", "b", "/", "..", "../", "x", "%2e", "%61.html", "?", "top", "A.html", "b/", "//", "é"];
            let written = |parts: &Vec<u8>| -> String { parts.iter().take(6).map(|at| PARTS[usize::from(*at) % 16]).collect() };
            let base = base.as_ref().map_or(String::new(), |base| format!("<base href=\"{}\">", written(base)));
            let links = references.iter().map(|(parts, way)| match way % 8 {
                0 => format!("<object codebase=b/ data=\"{}\"></object>", written(parts)),
                1 => format!("<iframe srcdoc='<a href=\"{}\">'></iframe>", written(parts)),
                _ => format!("<a href=\"{}\">", written(parts)),
            });
            let links = base + &links.collect::<String>();
            let entries = references.iter().map(|(parts, way)| {
                format!("<entry xml:base='{}'><link href='{}'/></entry>", ["", "b/", ".."][usize::from(way % 3)], written(parts))
            });
            let feed = format!("<feed xmlns='http://www.w3.org/2005/Atom'>{}</feed>", entries.collect::<String>());
            let files = [("a.html", &*links), ("b/a.html", &links), ("b/index.html", ""), ("b/x", ""), ("x.html?top", ""), ("f.xml", &feed)];
            let site = Site::in_memory(files, Options::default()).unwrap();
            let page = |path: &str| site.files.file_at(path.as_bytes()).unwrap();
            let (first, mut reader) = (page("a.html"), PageReader::new(&site, &KINDS));
            let mut twice = Twice { judge: Judge::new(&site, first), links: 0 };
            for page in [first, page("b/a.html"), page("f.xml"), first] {
                twice = Twice { judge: twice.judge.next(page), ..twice };
                reader.read(page, &mut twice).unwrap();
            }
            let hyperlinks = references.iter().filter(|(_, way)| way % 8 > 0).count();
            twice.links >= 3 * hyperlinks
        }
    }

    #[test]
    fn a_redirect_from_a_page_that_only_its_own_links_find_is_not_theirs() {
        let first = "<a href=/z.html></a>".repeat(9)
            + "<a href=//site.invalid//p.html></a><a href='//site.invalid//p.html#y'></a>";
        let files = [("/!a.html", &*first), ("/p.html", "<a href='p.html#y'></a>"), ("z.html", "<p id=y>")];
        let redirects = Redirects::new("//p.html /z.html");
        let options = Options { redirects, threads: 1, ..Options::default() };
        let problems: Vec<_> = Site::in_memory(files, options).unwrap().problems().map(Result::unwrap).collect();
        assert_eq!(problems.iter().map(|problem| &*problem.reference).collect::<Vec<_>>(), ["p.html#y"]);
    }

    #[test]
    fn references_above_the_root() {
        for (base, reference, expected) in [
            ("a/b.html", "../c", false),
            ("a/b.html", "../../c", true),
            ("a/b.html", "../x/../../c", true),
            ("a/b.html", "x/../../c", false),
            ("b.html", "..", true),
            ("b.html", "./a/..", false),
            ("b.html?x/y/", "%2e%2E/c", true),
            ("a/b.html", "..\\..\\c", true),
            ("a/b.html", "c?../../../d", false),
        ] {
            assert_eq!(is_above(reference, depth(base)), expected, "{base} {reference}");
        }
    }

    quickcheck::quickcheck! {
        fn the_short_way_to_what_is_above_the_root_is_right(segments: Vec<u8>, depth: u8) -> bool {
            const SEGMENTS: [&str; 12] = ["..", "..", ".", "", "a", "b.", "%2e.", "..\\c", "?d", "#e", "x:", ".%2E"];
            let reference = segments.iter().map(|at| SEGMENTS[usize::from(*at) % 12]).collect::<Vec<_>>().join("/");
            let depth = usize::from(depth % 5);
            let base = format!("http://h/{}f", "a/".repeat(depth));
            let Ok(uri) = whatwg::Base::new(&base).unwrap().resolve(&reference) else { return true };
            is_link_above(&reference, uri.as_str(), depth) == (is_relative_path(&reference) && is_above(&reference, depth))
        }
    }

    #[test]
    fn addresses_without_a_scheme() {
        for (reference, expected) in [
            ("a@example.com", true),
            ("a.b@example.co.jp/x", true),
            ("www.example.com", true),
            ("WWW.example.com/a?b", true),
            ("www.", false),
            ("./www.example.com", false),
            ("a/b@example.com", false),
            ("logo@2x", false),
            ("@example.com", false),
            ("index.html", false),
            ("www", false),
        ] {
            assert_eq!(is_like_address(reference), expected, "{reference}");
        }
    }
}
