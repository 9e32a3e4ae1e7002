//! The pages of EPUB files, by the manifest of the package (EPUB 3.3 §4, §5).

#[cfg(feature = "check")]
use std::collections::btree_map::{self, BTreeMap};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read, SeekFrom};
use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use relref::percent::decode_leaving_illegal;
use relref::{AnyBase, RuleSet};

use super::Page;
use super::bytes::Store;
use super::kind::PageKind;
use super::other_kind::starts_epub;
use super::problem::{ArchiveProblem, Skipped};
use crate::archive::sniff::START_LEN;
use crate::archive::zip::{Entry, EntryReader, find, lists, name_of};
#[cfg(feature = "check")]
use crate::archive::zip::{Room, find_within};
use crate::archive::{ReadSeek, invalid};

const CONTAINER: &str = "META-INF/container.xml";
const ENCRYPTION: &str = "META-INF/encryption.xml";
/// The root of an EPUB while references in it are resolved: none leaves it (EPUB 3.3 §4.2.5).
const ROOT: &str = "epub:///";
/// The most bytes of each file that says what the others are.
const MAX_XML_LEN: u64 = 2 << 20;
/// The most memory in bytes that reading an EPUB needs, without that of a page.
pub(super) const MEMORY: u64 = 16 << 20;
const MAX_PACKAGES: usize = 4;
const MAX_PACKAGE_PATH_LEN: usize = 1 << 10;
const MAX_PAGES: usize = 1 << 13;
/// The most bytes that the paths of all pages may have together.
const MAX_PATHS_LEN: usize = 1 << 20;

pub(super) struct Epub<R> {
    zip: R,
    /// Ends with a slash.
    root: String,
    items: VecDeque<Item>,
    problems: VecDeque<ArchiveProblem>,
    /// Entries whose content is not read.
    skipped: u64,
    pub(super) bytes_read: u64,
}

struct Item {
    /// Below the root.
    path: String,
    kind: PageKind,
    entry: Entry,
    is_encrypted: bool,
}

/// Reports whether a ZIP file is an EPUB: its first entry says so, or its directory lists the file that names package documents.
/// Reads the start and the end of the file.
///
/// # Errors
/// The file cannot be read.
pub fn is_epub(mut zip: impl ReadSeek) -> io::Result<bool> {
    let mut start = Vec::new();
    zip.seek(SeekFrom::Start(0))?;
    zip.by_ref().take(START_LEN as u64).read_to_end(&mut start)?;
    Ok(starts_epub(&start) || lists(&mut zip, &|name| name == CONTAINER)?)
}

/// Reports whether a path is that of an EPUB, by its name or, as [`is_epub`] does, by its content.
///
/// # Errors
/// There is nothing, or it cannot be read.
///
/// ```
/// use relref_links::page::is_epub_file;
///
/// let folder = tempfile::tempdir()?;
/// let book = folder.path().join("a.epub");
/// std::fs::write(&book, "")?;
/// assert!(is_epub_file(&book)? && !is_epub_file(folder.path())?);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn is_epub_file(path: impl AsRef<Path>) -> io::Result<bool> {
    let path = path.as_ref();
    if !fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let is_named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("epub"));
    Ok(is_named || is_epub(File::open(path)?)?)
}

/// The facts that an EPUB gives about its files.
struct About {
    /// The pages that it lists.
    manifest: Manifest,
    /// The paths of the files that are encrypted.
    encrypted: HashSet<String>,
    problems: Vec<ArchiveProblem>,
}

impl About {
    fn read(zip: &mut dyn ReadSeek) -> io::Result<Self> {
        let mut problems = Vec::new();
        let (entries, _) = find(zip, &|name| name == CONTAINER || name == ENCRYPTION)?;
        let mut text_of = |name: &str| {
            let entry = entries.iter().find(|entry| entry.name == name)?;
            let text = read_text(zip, entry).map_err(|error| problem(entry.header, format!("{name}: {error}")));
            text.map_err(|problem| problems.push(problem)).ok()
        };
        let encrypted = paths_in(&text_of(ENCRYPTION).unwrap_or_default(), "CipherReference", "URI", MAX_PAGES);
        let packages = paths_in(&text_of(CONTAINER).unwrap_or_default(), "rootfile", "full-path", MAX_PACKAGES);
        let manifest = read_manifest(zip, packages, &mut problems)?;
        if manifest.is_full {
            let why =
                "its manifest has more than 8192 pages, or their paths have more than 1 MiB: the rest is not read";
            problems.push(problem(0, why));
        }
        Ok(About { manifest, encrypted: encrypted.into_iter().collect(), problems })
    }
}

/// A file of an EPUB, wherever it is listed.
#[cfg(feature = "check")]
pub(crate) struct EpubFile {
    entry: Entry,
    /// The kind that the manifest gives it, if it is a page there.
    pub(crate) kind: Option<PageKind>,
    is_encrypted: bool,
}

/// The files of an EPUB by their names.
#[cfg(feature = "check")]
pub(crate) type EpubFiles = BTreeMap<Vec<u8>, EpubFile>;

#[cfg(feature = "check")]
impl EpubFile {
    /// Returns all files of an EPUB, and what is wrong with it: damage, and names that no reader writes.
    pub(crate) fn all(zip: &mut dyn ReadSeek) -> io::Result<(EpubFiles, Vec<String>)> {
        let About { mut manifest, encrypted, problems } = About::read(zip)?;
        let (pages, encrypted) =
            (manifest.by_name(), encrypted.iter().map(|path| key_of(path)).collect::<HashSet<_>>());
        let (entries, mut damage) = find_within(Room::of_all(), zip, &|_| true)?;
        damage.extend(problems.into_iter().map(|problem| problem.error.to_string()));
        let mut files = BTreeMap::new();
        for entry in entries {
            let kind = pages.get(&entry.name).map(|(_, _, kind)| *kind);
            let name = decode_leaving_illegal(&entry.name).to_bytes().into_owned();
            let names = name.strip_suffix(b"/").unwrap_or(&name).split(|byte| *byte == b'/');
            let mut names = names.map(|name| !matches!(name, b"" | b"." | b".."));
            if !names.all(|is_plain| is_plain) {
                damage.push(format!("its file {} has a name that leads elsewhere: not read", entry.name));
                continue;
            }
            let is_encrypted = encrypted.contains(&entry.name);
            match files.entry(name) {
                btree_map::Entry::Vacant(place) => _ = place.insert(EpubFile { entry, kind, is_encrypted }),
                btree_map::Entry::Occupied(_) => {
                    damage.push(format!("two of its files have the name {}: the second is not read", entry.name));
                }
            }
        }
        Ok((files, damage))
    }

    /// Returns the length of the file in bytes, if it is known.
    pub(crate) fn len(&self) -> u64 {
        self.entry.len().unwrap_or(u64::MAX)
    }

    /// Returns a reader of the file, from the EPUB that has it.
    pub(crate) fn reader<'z>(&self, zip: &'z mut dyn ReadSeek) -> io::Result<impl Read + use<'z>> {
        if self.is_encrypted {
            return Err(encrypted());
        }
        EntryReader::new(zip, &self.entry)
    }
}

fn encrypted() -> io::Error {
    io::Error::other(format!("it is encrypted ({ENCRYPTION})"))
}

impl<R: ReadSeek> Epub<R> {
    /// Damage is no error here: it is a problem before the pages.
    pub(super) fn new(mut zip: R, root: &str) -> io::Result<Self> {
        let About { mut manifest, encrypted, mut problems } = About::read(&mut zip)?;
        let pages = manifest.by_name();
        let (entries, damage) = find(&mut zip, &|name| match pages.is_empty() {
            true => has_page_name(name),
            false => pages.contains_key(name),
        })?;
        if pages.is_empty() && damage.is_empty() {
            problems.push(problem(0, "it has no manifest: files with the names of pages are read"));
        }
        problems.splice(0..0, damage.into_iter().map(|why| problem(0, why)));
        let known: HashSet<&str> = entries.iter().map(|entry| &*entry.name).collect();
        let missing = pages.iter().filter(|(name, _)| !known.contains(name.as_str()));
        let mut missing: Vec<_> = missing.map(|(_, (place, path, _))| (place, path)).collect();
        missing.sort_unstable();
        let why = |path: &str| format!("{path}, which is in its manifest, is missing");
        problems.extend(missing.into_iter().map(|(_, path)| problem(0, why(path))));
        let item = |entry: Entry| {
            let by_name = || (0, entry.name.clone(), PageKind::Html.named(&entry.name));
            let (place, path, kind) = pages.get(&entry.name).cloned().unwrap_or_else(by_name);
            let is_encrypted = encrypted.contains(&path);
            (place, Item { path, kind, entry, is_encrypted })
        };
        let mut items: Vec<(usize, Item)> = entries.into_iter().map(item).collect();
        items.sort_by_key(|(place, _)| *place);
        let slash = if root.ends_with('/') { "" } else { "/" };
        Ok(Epub {
            zip,
            root: format!("{root}{slash}"),
            items: items.into_iter().map(|(_, item)| item).collect(),
            problems: problems.into(),
            skipped: manifest.others,
            bytes_read: 0,
        })
    }

    pub(super) fn next_stored(
        &mut self,
        store: &mut Store<'_>,
        skipped: &mut Skipped,
    ) -> Option<Result<Page, ArchiveProblem>> {
        skipped.other_media_types += std::mem::take(&mut self.skipped);
        if let Some(problem) = self.problems.pop_front() {
            return Some(Err(problem));
        }
        loop {
            let item = self.items.pop_front()?;
            self.bytes_read += item.entry.compressed_len();
            match self.read(&item, store) {
                Ok(None) => skipped.not_pages += 1,
                Ok(Some(page)) => return Some(Ok(page)),
                Err(error) => return Some(Err(problem(item.entry.header, format!("{}: {error}", item.path)))),
            }
        }
    }

    fn read(&mut self, item: &Item, store: &mut Store<'_>) -> io::Result<Option<Page>> {
        if item.is_encrypted {
            return Err(encrypted());
        }
        let reader = EntryReader::new(&mut self.zip, &item.entry)?;
        let mut reader = UntilDamage { reader, is_started: false, damage: None };
        let bytes = store.store(&mut reader)?;
        let damage = reader.damage;
        let mut page = Page::new([&*self.root, &item.path].concat(), bytes);
        let kind = item.kind.of_start(&page.bytes.start()?, &page.uri);
        if kind == PageKind::None {
            return Ok(None);
        }
        (page.offset, page.kind) = (Some(item.entry.header), kind);
        (page.is_cut_short, page.damage) = (damage.is_some(), damage);
        Ok(Some(page))
    }
}

/// The pages that package documents list, and those of these documents that have a guide.
#[derive(Default)]
struct Manifest {
    /// Paths and kinds, in the order of the spine, then in that of the manifest.
    pages: Vec<(String, PageKind)>,
    paths_len: usize,
    /// True if some pages are left out.
    is_full: bool,
    /// The number of items that are no pages.
    others: u64,
}

impl Manifest {
    fn add(&mut self, package: &str, text: &str) {
        let Some(base) = base_in(package) else { return };
        let (mut items, mut spine, mut has_guide) = (Vec::new(), HashMap::new(), false);
        each_element(text, |element, attribute| match element {
            "item" if !self.is_full => {
                let Some(path) = attribute("href").and_then(|href| path_of(&base, &href)) else { return };
                let media_type = attribute("media-type").unwrap_or_default().trim().to_ascii_lowercase();
                let kind = PageKind::of_head("resource", &media_type, &path);
                self.paths_len += if kind == PageKind::None { 0 } else { path.len() };
                self.is_full = self.pages.len() + items.len() == MAX_PAGES || self.paths_len > MAX_PATHS_LEN;
                match kind {
                    PageKind::None => self.others += 1,
                    _ if self.is_full => {}
                    kind => items.push((attribute("id"), path, kind)),
                }
            }
            "itemref" if spine.len() < MAX_PAGES => {
                let place = spine.len();
                attribute("idref").map(|id| spine.entry(id).or_insert(place));
            }
            "reference" => has_guide |= attribute("href").is_some(),
            _ => {}
        });
        items.sort_by_key(|(id, ..)| id.as_ref().and_then(|id| spine.get(id)).copied().unwrap_or(usize::MAX));
        let has_pages = !items.is_empty();
        self.pages.extend(items.into_iter().map(|(_, path, kind)| (path, kind)));
        // A guide is no file of its own, as a navigation document is. Its links are read as those of feeds.
        if has_guide && has_pages {
            self.pages.push((package.to_owned(), PageKind::Feed));
        }
    }

    /// The place, path and kind of each page by the name of its entry. The first of several counts.
    fn by_name(&mut self) -> HashMap<String, (usize, String, PageKind)> {
        let mut by_name = HashMap::new();
        for (place, (path, kind)) in std::mem::take(&mut self.pages).into_iter().enumerate() {
            by_name.entry(key_of(&path)).or_insert((place, path, kind));
        }
        by_name
    }
}

/// The base of references in the file with this path.
fn base_in(path: &str) -> Option<AnyBase> {
    AnyBase::new(format!("{ROOT}{path}"), RuleSet::Whatwg).ok()
}

/// Returns the path below the root of the file that a reference in another one names. `None` for a file elsewhere.
fn path_of(base: &AnyBase, reference: &str) -> Option<String> {
    let uri = base.resolve(reference).ok()?.to_string();
    let path = uri.strip_prefix(ROOT)?;
    Some(path.split(['?', '#']).next().unwrap_or_default().to_owned())
}

/// Returns the name that the entry of a path has.
fn key_of(path: &str) -> String {
    name_of(&decode_leaving_illegal(path).to_bytes())
}

fn has_page_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".xhtml", ".xht", ".html", ".htm"].iter().any(|end| name.ends_with(end))
}

fn problem(offset: u64, why: impl Into<String>) -> ArchiveProblem {
    ArchiveProblem { offset, error: invalid(why) }
}

/// Returns what the package documents with these paths list. Without any path, they are those that have the name of one.
fn read_manifest(
    zip: &mut dyn ReadSeek,
    mut packages: Vec<String>,
    problems: &mut Vec<ArchiveProblem>,
) -> io::Result<Manifest> {
    let (entries, damage) = find(zip, &|name| match packages.is_empty() {
        true => name.ends_with(".opf"),
        false => packages.iter().any(|package| name == key_of(package)),
    })?;
    if packages.is_empty() {
        // It may be what the damage hides, which is reported.
        if damage.is_empty() {
            problems.push(problem(0, format!("it has no {CONTAINER} that names its package document")));
        }
        packages.extend(entries.iter().take(MAX_PACKAGES).map(|entry| entry.name.clone()));
    }
    let mut manifest = Manifest::default();
    for package in packages {
        let mut add =
            |offset, why: &str| problems.push(problem(offset, format!("its package document {package} {why}")));
        let Some(entry) = entries.iter().find(|entry| entry.name == key_of(&package)) else {
            add(0, "is missing");
            continue;
        };
        match read_text(zip, entry) {
            Ok(_) if package.len() > MAX_PACKAGE_PATH_LEN => {
                add(entry.header, "has a path of more than 1 KiB: not read")
            }
            Ok(text) => manifest.add(&package, &text),
            Err(error) => add(entry.header, &format!("cannot be read: {error}")),
        }
    }
    Ok(manifest)
}

/// Returns the first paths that an attribute of an element has, below the root.
fn paths_in(text: &str, element: &str, attribute: &str, most: usize) -> Vec<String> {
    let (mut paths, base) = (Vec::new(), base_in(""));
    each_element(text, |found, value_of| {
        let value = if found == element && paths.len() < most { value_of(attribute) } else { None };
        paths.extend(value.and_then(|value| path_of(base.as_ref()?, &value)));
    });
    paths
}

/// Reads a whole file that describes others. What cannot be decoded is replaced.
fn read_text(zip: &mut dyn ReadSeek, entry: &Entry) -> io::Result<String> {
    let mut bytes = Vec::new();
    EntryReader::new(zip, entry)?.take(MAX_XML_LEN + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_XML_LEN {
        return Err(io::Error::other("it has more than 2 MiB"));
    }
    Ok(encoding_rs::UTF_8.decode(&bytes).0.into_owned())
}

/// Calls `each` for each start tag, with its name without prefix and a function that returns its attributes. Ends at damage.
fn each_element(text: &str, mut each: impl FnMut(&str, &dyn Fn(&str) -> Option<String>)) {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    while let Ok(event) = reader.read_event() {
        let (Event::Start(tag) | Event::Empty(tag)) = event else {
            if event == Event::Eof {
                return;
            }
            continue;
        };
        let name = tag.local_name();
        each(std::str::from_utf8(name.as_ref()).unwrap_or_default(), &|wanted| attribute(&tag, wanted));
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found =
        tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name.as_bytes())?;
    let value = std::str::from_utf8(&found.value).ok()?;
    Some(quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), |value| value.into_owned()))
}

/// The bytes of an entry before its damage.
struct UntilDamage<R> {
    reader: R,
    is_started: bool,
    damage: Option<String>,
}

impl<R: Read> Read for UntilDamage<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(into) {
            _ if self.damage.is_some() => Ok(0),
            Ok(read) => {
                self.is_started |= read > 0;
                Ok(read)
            }
            Err(error) if self.is_started && error.raw_os_error().is_none() => {
                self.damage = Some(error.to_string());
                Ok(0)
            }
            failed => failed,
        }
    }
}
