//! The links of an MHTML file, or of a mail, to parts and elements that it should have, but has not.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::BuildHasher;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use relref::crawl::Normalizer;
use relref::percent::decode_lossy;
use relref::{UriRef, whatwg};

use super::fragment_key::{FragmentHasher, FragmentKeys};
use super::fragments::{Fragments, MAX_IDS, Missing, NeededFragment, decoded_fragment, indicated};
use super::page_reader::{KINDS, link_options};
use super::problem::{Problem, ProblemKind, Totals, Unread};
use crate::html::{Link, Locate, PageSink, Pages, Rejected};
use crate::page::{Captures, LinkReader, Page, PageKind};

/// The URI that a part has without `Content-Location`, and the start of those that nothing makes absolute (RFC 2557 §5).
const THIS_MESSAGE: &str = "thismessage:/";

/// The most names of parts that are known: URIs, and those of `Content-ID`.
const MAX_NAMES: usize = 1 << 20;

/// The parts of a file, by their URIs.
struct Parts {
    hasher: RandomState,
    normalizer: Normalizer,
    /// The numbers of parts, by hashes of their URIs. Parts with one URI are one.
    numbers: HashMap<u64, u32>,
    /// The next number.
    next: u32,
    is_full: bool,
    fragments: FragmentHasher,
}

impl Parts {
    fn new() -> Self {
        Parts {
            hasher: RandomState::new(),
            normalizer: Normalizer::safe(),
            numbers: HashMap::new(),
            next: 0,
            is_full: false,
            fragments: FragmentHasher::default(),
        }
    }

    /// The hash of a URI without its fragment. The names of `cid:` are those of mail (RFC 2392), whose case counts.
    fn key(&self, uri: &str) -> u64 {
        let uri = uri.split('#').next().unwrap_or_default();
        if let Some(id) = content_id(uri) {
            return self.hasher.hash_one(decode_lossy(id));
        }
        match self.normalizer.normalize(uri) {
            Ok(normal) => self.hasher.hash_one(&*normal),
            Err(_) => self.hasher.hash_one(uri),
        }
    }

    fn add(&mut self, uri: &str, id: Option<&str>) {
        let normal = whatwg::Base::new(uri);
        let key = self.key(normal.as_ref().map_or(uri, |base| base.as_str()));
        let number = *self.numbers.entry(key).or_insert(self.next);
        if let Some(id) = id {
            let key = self.hasher.hash_one(id);
            self.numbers.entry(key).or_insert(number);
        }
        self.next = self.next.max(number + 1);
        self.is_full = self.numbers.len() >= MAX_NAMES;
    }

    fn number_of(&self, uri: &str) -> Option<u32> {
        self.numbers.get(&self.key(uri)).copied()
    }

    /// Judges a link of the part with this number.
    fn judge(&self, link: &Link<'_>, own: Option<u32>) -> LinkJudgement {
        match link.rejected {
            Some(Rejected::Invalid(error)) => return LinkJudgement::Fails(ProblemKind::Invalid, error.to_string()),
            Some(_) => return LinkJudgement::External,
            None => {}
        }
        let Some(number) = self.number_of(link.uri) else {
            let note = match () {
                // The link may lead to one that is not known.
                () if self.is_full => return LinkJudgement::External,
                () if content_id(link.uri).is_some() => "no part has this Content-ID",
                () if link.uri.starts_with(THIS_MESSAGE) && !link.uri.starts_with("thismessage://") => {
                    "no part has this Content-Location"
                }
                () => return LinkJudgement::External,
            };
            return LinkJudgement::Fails(ProblemKind::Missing, note.to_owned());
        };
        let fragment = link.uri.split_once('#').and_then(|(_, fragment)| indicated(fragment));
        // The page in `srcdoc` has a URL of its own.
        let is_inner = !link.inner.is_empty() && own == Some(number);
        match fragment.filter(|_| !is_inner) {
            Some(fragment) => LinkJudgement::Fragment(self.fragment_keys(number, fragment)),
            None => LinkJudgement::Works,
        }
    }

    fn fragment_keys(&self, number: u32, fragment: &str) -> FragmentKeys {
        let decoded = decoded_fragment(fragment);
        let written = (decoded != fragment).then(|| self.fragments.key(number, fragment));
        FragmentKeys { decoded: self.fragments.key(number, &decoded), written }
    }
}

fn content_id(uri: &str) -> Option<&str> {
    let (scheme, id) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("cid").then_some(id)
}

enum LinkJudgement {
    External,
    Works,
    Fragment(FragmentKeys),
    /// Why, with more about it.
    Fails(ProblemKind, String),
}

/// Does what [`each_archive_problem`](super::each_archive_problem) does for an MHTML file, and returns `None` for other files.
pub(super) fn each_mhtml_problem(
    path: &Path,
    each: &mut dyn FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
) -> io::Result<Option<Totals>> {
    let mut parts = Parts::new();
    // What is no archive is told by its reader.
    let Ok(mut captures) = Captures::open(path) else { return Ok(None) };
    let mut add = |uri: &str, id: Option<&str>| {
        if !parts.is_full {
            parts.add(uri, id)
        }
    };
    if !captures.each_part_name(&mut add)? {
        return Ok(None);
    }
    let mut reader = LinkReader { pages: Pages::with(link_options(&KINDS, false)), ..LinkReader::default() };
    let mut needs =
        Needs { parts: &parts, number: None, found: Fragments::default(), ids: Vec::new(), failure: Ok(()) };
    let (mut html, mut in_part) = (HashSet::new(), HashSet::new());
    for mut page in Captures::open(path)?.flatten() {
        needs.number = parts.number_of(&page.uri);
        // Problems are told with those of links.
        let done = reader.read(&mut page, &mut needs);
        if let Some(number) = needs.number {
            needs.found.add_ids(number, needs.ids.drain(..))?;
        }
        if done.is_err() || page.is_cut_short {
            in_part.extend(needs.number);
        } else if matches!(page.kind, PageKind::Html | PageKind::Xml) {
            html.extend(needs.number);
        }
    }
    needs.failure?;
    // The ids that are looked for may stand in the part that was not read.
    html.retain(|number| !in_part.contains(number));
    let (missing, _) = needs.found.missing(|number| html.contains(&number), |_, _| {})?;
    let (totals, flow) = (Totals::default(), ControlFlow::Continue(()));
    let mut check = MhtmlCheck { path, parts, missing, page: PathBuf::new(), number: None, totals, flow, each };
    if check.parts.is_full {
        let _ = check.unread(&"its parts have more than 1,048,576 names: links to the other names are not checked");
    }
    if check.flow.is_continue() {
        let _ = Captures::open(path)?.try_for_each(|page| match page {
            Ok(page) => check.page(&mut reader, page),
            Err(problem) => check.unread(&problem),
        });
    }
    Ok(Some(check.totals))
}

/// Collects the fragments that parts have, and those that their links need.
struct Needs<'p> {
    parts: &'p Parts,
    /// The number of the part being read.
    number: Option<u32>,
    found: Fragments,
    /// The keys of the ids of the part being read.
    ids: Vec<u64>,
    /// The error of a temporary file.
    failure: io::Result<()>,
}

impl PageSink for Needs<'_> {
    fn is_browser(&self) -> bool {
        true
    }

    fn wants_ids(&self) -> bool {
        true
    }

    fn link(&mut self, link: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
        let LinkJudgement::Fragment(keys) = self.parts.judge(link, self.number) else { return Ok(()) };
        self.failure = std::mem::replace(&mut self.failure, Ok(()))
            .and_then(|()| self.found.need(0, [NeededFragment { keys, link: 0 }]));
        Ok(())
    }

    fn id(&mut self, id: &str) {
        let Some(number) = self.number else { return };
        self.ids.push(self.parts.fragments.key(number, id));
        if self.ids.len() == MAX_IDS {
            let added = self.found.add_ids(number, self.ids.drain(..));
            self.failure = std::mem::replace(&mut self.failure, Ok(())).and(added);
        }
    }
}

struct MhtmlCheck<'p> {
    path: &'p Path,
    parts: Parts,
    missing: Missing,
    /// The page being read, as people see it.
    page: PathBuf,
    number: Option<u32>,
    totals: Totals,
    /// Breaks once `each` does.
    flow: ControlFlow<()>,
    each: &'p mut dyn FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
}

impl MhtmlCheck<'_> {
    fn unread(&mut self, error: &dyn fmt::Display) -> ControlFlow<()> {
        self.totals.unread += 1;
        self.flow = (self.each)(Err(Unread::new(self.path, error)));
        self.flow
    }

    /// Returns the URI of a part, or the path of the file, with a URI that only means something in it.
    fn shown(&self, uri: &str) -> PathBuf {
        if UriRef::new(uri).host().is_some_and(|host| !host.is_empty()) {
            return uri.into();
        }
        let mut shown = self.path.as_os_str().to_owned();
        if uri != THIS_MESSAGE {
            shown.push("!/");
            shown.push(uri.strip_prefix(THIS_MESSAGE).unwrap_or(uri));
        }
        shown.into()
    }

    fn page(&mut self, reader: &mut LinkReader, mut page: Page) -> ControlFlow<()> {
        self.page = self.shown(&page.uri);
        self.number = self.parts.number_of(&page.uri);
        self.totals.pages += 1;
        self.totals.bytes += page.bytes.len().unwrap_or_default();
        match reader.read(&mut page, self) {
            Err(error) if self.flow.is_continue() => self.unread(&format_args!("{}: {error}", page.uri)),
            _ => self.flow,
        }
    }
}

impl PageSink for MhtmlCheck<'_> {
    fn is_browser(&self) -> bool {
        true
    }

    fn link(&mut self, link: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
        self.totals.links += 1;
        let (kind, note) = match self.parts.judge(link, self.number) {
            LinkJudgement::External => return Ok(()),
            LinkJudgement::Fails(kind, note) => (kind, Some(note)),
            LinkJudgement::Fragment(keys) if self.missing.has(keys) => (ProblemKind::MissingFragment, None),
            LinkJudgement::Works | LinkJudgement::Fragment(_) => {
                self.totals.internal += 1;
                return Ok(());
            }
        };
        self.totals.internal += u64::from(kind != ProblemKind::Invalid);
        self.totals.problems += 1;
        let page = self.page.clone();
        self.flow = (self.each)(Ok(Problem { page, ..Problem::of(link, kind, link.uri, note) }));
        if self.flow.is_break() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}
