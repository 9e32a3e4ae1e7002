//! The law of repairs: a link whose meaning is certain is as it was before it was broken, and no other byte changes.

use std::collections::BTreeMap;
use std::fs;

use quickcheck::{Arbitrary, Gen, QuickCheck};
use relref::percent::decode_leaving_illegal;
use relref_links::check::{Options, Redirects, Site};

/// File names, and the same in another Unicode form. Each occurs once in a site.
const FILES: [[&str; 2]; 8] = [
    ["guide.md", ""],
    ["Введённое.md", "Введе\u{308}нное.md"],
    ["c d.md", ""],
    ["50%de.md", ""],
    ["x#y.md", ""],
    ["faq?.html", ""],
    ["日本がいど.html", "日本か\u{3099}いど.html"],
    ["Ünï (1).html", "U\u{308}ni\u{308} (1).html"],
];
const FOLDERS: [&str; 5] = ["", "docs/", "docs/книга/", "a b/", "a b/c/d/"];

/// The ways in which references break.
#[derive(Clone, Copy, Debug)]
enum Break {
    Case,
    Form,
    Raw,
    Ending,
    Moved,
    Fragment,
}

#[derive(Clone, Debug)]
struct Broken {
    /// The folders of the files.
    folders: Vec<&'static str>,
    page: usize,
    target: usize,
    has_dot: bool,
    has_fragment: bool,
    kind: Break,
    /// Where the file was before it moved.
    old_folder: &'static str,
}

impl Arbitrary for Broken {
    fn arbitrary(g: &mut Gen) -> Self {
        use Break::{Case, Ending, Form, Fragment, Moved, Raw};
        Broken {
            folders: FILES.iter().map(|_| *g.choose(&FOLDERS).unwrap()).collect(),
            page: usize::arbitrary(g) % FILES.len(),
            target: usize::arbitrary(g) % FILES.len(),
            has_dot: bool::arbitrary(g),
            has_fragment: bool::arbitrary(g),
            kind: *g.choose(&[Case, Form, Raw, Ending, Moved, Fragment]).unwrap(),
            old_folder: g.choose(&FOLDERS).unwrap(),
        }
    }
}

/// A name as a segment.
fn encoded(name: &str) -> String {
    let special = |c: char| " %#?".contains(c);
    name.chars().map(|c| if special(c) { format!("%{:02X}", u32::from(c)) } else { c.into() }).collect()
}

/// The folders that lead from one to another.
fn between(from: &str, to: &str) -> String {
    let [from, to] = [from, to].map(|folder| folder.split_terminator('/').collect::<Vec<_>>());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let below = to[common..].iter().map(|name| encoded(name) + "/");
    "../".repeat(from.len() - common) + &below.collect::<String>()
}

impl Broken {
    /// The right reference of the page and the one that stands there; `None` if this target does not break so.
    fn references(&self) -> Option<[String; 2]> {
        let [from, to] = [self.page, self.target].map(|file| self.folders[file]);
        let [name, other_form] = FILES[self.target];
        let folder = between(from, to);
        let dot = if self.has_dot && !folder.starts_with("..") { "./" } else { "" };
        let fragment = if self.has_fragment { "#top-1" } else { "" };
        let right = format!("{dot}{folder}{}{fragment}", encoded(name));
        let with_name = |name: &str| format!("{dot}{folder}{name}{fragment}");
        let broken = match self.kind {
            Break::Case => with_name(&encoded(&name.to_uppercase())),
            Break::Form => with_name(&encoded(other_form)),
            Break::Raw => with_name(&decode_leaving_illegal(&encoded(name)).to_string()),
            Break::Ending => with_name(&encoded(name.rsplit_once('.')?.0)),
            Break::Moved => {
                let old = between(from, self.old_folder);
                let dot = if old.starts_with("..") { "" } else { dot };
                format!("{dot}{old}{}{fragment}", encoded(name))
            }
            Break::Fragment => with_name(&encoded(name)).replace("#top-1", "#Top_1"),
        };
        let breaks = match self.kind {
            Break::Form => !other_form.is_empty(),
            // Spaces do not stand in each place of Markdown. In HTML, a file may have a query in its name.
            Break::Raw => !name.contains(' ') && (!name.contains('?') || FILES[self.page][0].ends_with(".md")),
            // The style of a reference that climbs is unknown, and elsewhere a page may be one in another language.
            Break::Moved => {
                self.old_folder != to && right.starts_with("./") == broken.starts_with("./") && self.page != self.target
            }
            _ => true,
        };
        (breaks && right != broken).then_some([right, broken])
    }

    /// The pages, by their paths. That of the break has a reference as links, and the broken one as text.
    fn site(&self, link: &str, broken: &str) -> BTreeMap<String, String> {
        let text = |file: usize| {
            let [link, text] = if file == self.page { [link, broken] } else { ["#top-1"; 2] };
            match FILES[file][0].ends_with(".md") {
                true => format!("# Top 1\r\n\r\n`{text}` [\u{2192}]({link} \"{text}\") [x](#top-1)\n\n> [y]: {link}\n"),
                false => format!("<h1 id=top-1>{text}</h1><a\nhref='{link}'>{text}</a><a href=#top-1>"),
            }
        };
        let files = FILES.iter().zip(&self.folders).enumerate();
        files.map(|(at, ([name, _], folder))| (format!("{folder}{name}"), text(at))).collect()
    }
}

#[test]
fn what_is_certain_is_as_before() {
    fn law(case: Broken) -> bool {
        let Some([right, broken]) = case.references() else { return true };
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in case.site(&broken, &broken) {
            fs::create_dir_all(path(&name).parent().unwrap()).unwrap();
            fs::write(path(&name), text).unwrap();
        }
        let site = Site::open(folder.path(), Options::default()).unwrap();
        site.each_fix(|_| true, |page| page.apply().map(|_| ())).unwrap();
        for (name, expected) in case.site(&right, &broken) {
            assert_eq!(fs::read_to_string(path(&name)).unwrap(), expected, "{name} of {case:?}");
        }
        true
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Broken) -> bool);
}

/// A fragment directive is a part of the reference that is no name; that of a redirect is missing whatever the link's is.
#[test]
fn fragments_are_repaired_alone() {
    let page = b"<p id=foo></p><a href='#Foo:~:text=x'></a>";
    let site = Site::in_memory([("a.html", &page[..])], Options::default()).unwrap();
    assert_eq!(site.problems().next().unwrap().unwrap().suggestion.as_deref(), Some("#foo:~:text=x"));
    let page = b"<p id=foo></p><a href=/old#foo></a>";
    let redirects = Redirects::new("/old /a.html#gone\n");
    let site = Site::in_memory([("a.html", &page[..])], Options { redirects, ..Options::default() }).unwrap();
    assert_eq!(site.problems().next().unwrap().unwrap().suggestion, None);
}
