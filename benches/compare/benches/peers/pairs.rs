//! The pairs that are measured: those for which all contenders that follow RFC 3986 give the same result.

use std::collections::BTreeMap;
use std::{env, fs};

use crate::contenders::{Ada, Contender, FluentUri, IriString, Oxiri, OxiriUnchecked, Rfc3986, Url};

/// The number of pairs that are measured: about as many as fit into a second-level cache. Whole pages are chosen, evenly from the
/// file.
const MEASURED: usize = 10_000;

/// The bases for a run without a file. They and their references are those of some pages, each kind about as often as in pages.
const BASES: [&str; 3] = [
    "https://doc.rust-lang.org/std/option/enum.Option.html",
    "https://doc.rust-lang.org/nightly/core/arch/x86_64/struct.__m128i.html",
    "https://example.com/docs/guide/2024/getting-started/index.html",
];
const REFERENCES: [&str; 12] = [
    "../../static.files/rustdoc-46f98efaafac5295.css",
    "../index.html",
    "index.html",
    "#method.is_some",
    "#impl-Clone-for-Option%3CT%3E",
    "../primitive.bool.html",
    "../../src/core/option.rs.html#571",
    "trait.Iterator.html#tymethod.next",
    "https://github.com/rust-lang/rust/blob/master/README.md",
    "/g/rooted/path.html",
    "?page=2",
    "a/./b/../c.html",
];

/// A base and its links.
pub struct Page {
    pub base: &'static str,
    pub links: Vec<Link>,
}

/// A reference and the URI that it means by RFC 3986.
#[derive(Clone, Copy)]
pub struct Link {
    pub reference: &'static str,
    pub uri: &'static str,
}

pub struct Pairs {
    /// The pages, with their links.
    pub pages: Vec<Page>,
    /// The lines of a report: which pairs are measured, and which are left out.
    pub report: Vec<String>,
}

impl Pairs {
    /// Reads the pairs from the file that `RELREF_PAIRS` names, in lines `BASE<TAB>REFERENCE`. Without a file, returns the pairs of
    /// [`BASES`].
    pub fn load() -> Pairs {
        match env::var("RELREF_PAIRS") {
            Ok(file) => {
                let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("RELREF_PAIRS: {file}: {error}"));
                let name = file.rsplit('/').next().unwrap_or(&file);
                agreed(name, text.lines().filter_map(|line| line.split_once('\t')))
            }
            Err(_) => agreed("built in", BASES.iter().flat_map(|base| REFERENCES.map(|reference| (*base, reference)))),
        }
    }

    pub fn links(&self) -> impl Iterator<Item = (&'static str, Link)> {
        self.pages.iter().flat_map(|page| page.links.iter().map(|link| (page.base, *link)))
    }

    /// Returns the same pairs in another order, so that the base changes: the first pair of each page, then the second pair of each
    /// page, and so on.
    pub fn one_by_one(&self) -> Vec<(&'static str, Link)> {
        let longest = self.pages.iter().map(|page| page.links.len()).max().unwrap_or(0);
        let nth = |n| self.pages.iter().filter_map(move |page| Some((page.base, *page.links.get(n)?)));
        let pairs: Vec<_> = (0..longest).flat_map(nth).collect();
        let texts = packed(pairs.iter().flat_map(|(base, link)| [*base, link.reference]));
        let uris = packed(pairs.iter().map(|(_, link)| link.uri));
        texts.chunks_exact(2).zip(uris).map(|(pair, uri)| (pair[0], Link { reference: pair[1], uri })).collect()
    }
}

/// Copies texts to consecutive places in memory, as the links of a page are. Otherwise the time to fetch them from memory would be
/// measured, too.
pub fn packed(texts: impl Iterator<Item = impl AsRef<str>>) -> Vec<&'static str> {
    let (mut all, mut ends) = (String::new(), Vec::new());
    for text in texts {
        all += text.as_ref();
        ends.push(all.len());
    }
    let (all, mut start) = (&*all.leak(), 0);
    ends.into_iter().map(|end| &all[std::mem::replace(&mut start, end)..end]).collect()
}

/// Returns the result of a contender for a pair.
fn text<C: Contender>(base: &str, reference: &str) -> Option<String> {
    let base = C::base(base)?;
    let text = C::text(&C::resolve(&base, reference)?).to_string();
    let mut out = String::new();
    C::resolve_into(&base, reference, &mut out)?;
    assert!(!C::FILLS_BUFFERS || out == text, "{}: {reference}: {out}, {text}", C::name());
    Some(text)
}

type Answer = (fn() -> String, fn(&str, &str) -> Option<String>);

const ALL_AGREE: [Answer; 4] = [
    (OxiriUnchecked::name, text::<OxiriUnchecked>),
    (Oxiri::name, text::<Oxiri>),
    (FluentUri::name, text::<FluentUri>),
    (IriString::name, text::<IriString>),
];

/// For each reason why pairs are left out, and for each note about pairs: the number of pairs, and the first of them.
type Reasons = BTreeMap<String, (usize, String)>;

fn count(reasons: &mut Reasons, reason: String, base: &str, reference: &str) {
    reasons.entry(reason).or_insert_with(|| (0, format!("{base} + {reference}"))).0 += 1;
}

/// Returns a description of how the result of a contender differs from the right one; `None` if it is right.
fn difference(name: String, text: Option<String>, right: &str) -> Option<String> {
    match text {
        None => Some(format!("{name} refuses")),
        Some(text) if text != right => Some(format!("{name} differs")),
        Some(_) => None,
    }
}

fn agreed<'a>(name: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Pairs {
    let mut pages: Vec<(&str, Vec<(&str, String)>)> = Vec::new();
    let (mut all, mut used) = (0, 0);
    let mut left_out = Reasons::new();
    for (base, reference) in pairs {
        all += 1;
        let Some(uri) = text::<Rfc3986>(base, reference) else {
            count(&mut left_out, String::from("the base is not absolute"), base, reference);
            continue;
        };
        if let Some(why) = ALL_AGREE.iter().find_map(|(name, text)| difference(name(), text(base, reference), &uri)) {
            count(&mut left_out, why, base, reference);
            continue;
        }
        used += 1;
        match pages.last_mut() {
            Some((last, links)) if *last == base => links.push((reference, uri)),
            _ => pages.push((base, vec![(reference, uri)])),
        }
    }
    let step = (used / MEASURED).max(1);
    let mut links = 0;
    pages = pages
        .into_iter()
        .step_by(step)
        .take_while(|(_, on_page)| {
            let before = links;
            links += on_page.len();
            before < MEASURED
        })
        .collect();
    let on_pages = || pages.iter().flat_map(|(_, links)| links);
    let mut links = packed(on_pages().map(|(reference, _)| reference))
        .into_iter()
        .zip(packed(on_pages().map(|(_, uri)| uri)))
        .map(|(reference, uri)| Link { reference, uri });
    let page = |(base, (_, on_page)): (&'static str, &(_, Vec<_>))| Page {
        base,
        links: links.by_ref().take(on_page.len()).collect(),
    };
    let pages = packed(pages.iter().map(|(base, _)| base)).into_iter().zip(&pages).map(page).collect();
    let pairs = Pairs { pages, report: Vec::new() };

    let links = pairs.links().count();
    let mut report = vec![
        format!("pairs: {name}: all contenders of RFC 3986 agree on {used} of {all}"),
        format!("measured: {links} of these, of {} pages", pairs.pages.len()),
    ];
    let mut beside = Reasons::new();
    for (base, link) in pairs.links() {
        let answers =
            [(Url::name(), text::<Url>(base, link.reference)), (Ada::name(), text::<Ada>(base, link.reference))];
        for why in answers.into_iter().filter_map(|(name, text)| difference(name, text, link.uri)) {
            count(&mut beside, why, base, link.reference);
        }
    }
    let tell =
        |what| move |(why, (times, first)): (String, (usize, String))| format!("{what}: {times}: {why}, as in {first}");
    report.extend(left_out.into_iter().map(tell("left out")));
    report.extend(beside.into_iter().map(tell("measured nevertheless")));
    assert!(links > 0, "there is nothing to measure: {}", report.join("; "));
    Pairs { report, ..pairs }
}
