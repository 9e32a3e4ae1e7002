//! Laws of renamed files, for random trees and references, by a naive reading of paths.

use quickcheck::{Arbitrary, Gen, QuickCheck};
use relref::percent::decode_leaving_illegal;
use relref::whatwg::Base;
use relref_links::rewrite::{Renames, Renaming, Rewriter};

const ROOT: &str = "http://site.example/my%20repo/";
const NAMES: [&str; 8] = ["a", "b.md", "введение", "c d", "50%", "x#y", "e:f", "(g"];

fn path(g: &mut Gen) -> String {
    let depth = usize::arbitrary(g) % 4;
    let names: Vec<_> = (0..=depth).map(|_| *g.choose(&NAMES).unwrap()).collect();
    names.join("/")
}

/// A name as a segment.
fn encoded(name: &str) -> String {
    let special = |c: char| " %#?".contains(c);
    name.chars().map(|c| if special(c) { format!("%{:02X}", u32::from(c)) } else { c.into() }).collect()
}

/// The shortest reference from a page to a path, of one of four styles.
fn shortest(page: &str, target: &str, style: usize) -> String {
    let absolute = target.split('/').map(encoded).collect::<Vec<_>>().join("/");
    match style {
        0 => return format!("http://site.example/my%20repo/{absolute}"),
        1 => return format!("/my%20repo/{absolute}"),
        _ => {}
    }
    let folder: Vec<&str> = page.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
    let names: Vec<&str> = target.split('/').collect();
    let common = folder.iter().zip(&names[..names.len() - 1]).take_while(|(one, other)| one == other).count();
    let ups = "../".repeat(folder.len() - common);
    let rest = names[common..].iter().map(|name| encoded(name)).collect::<Vec<_>>().join("/");
    let has_dot = style == 2 && (!ups.is_empty() || !names[common].contains(':'));
    let needs_dot = has_dot || (ups.is_empty() && names[common].contains(':'));
    format!("{}{ups}{rest}", if needs_dot { "./" } else { "" })
}

/// The path below the root that a reference of a page leads to, by the segments.
fn target(page: &str, reference: &str) -> Option<String> {
    let reference = reference.split(['?', '#']).next()?;
    let root = "/my%20repo/";
    let rooted = reference.strip_prefix("http://site.example").unwrap_or(reference);
    let full = if rooted.starts_with('/') {
        rooted.to_owned()
    } else {
        let folder = page.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let folder: String = folder.split('/').map(encoded).collect::<Vec<_>>().join("/");
        format!("{root}{folder}{rooted}")
    };
    let mut names: Vec<String> = Vec::new();
    for segment in full.split('/').skip(1) {
        match segment {
            "." => {}
            ".." => drop(names.pop()),
            _ => names.push(decode_leaving_illegal(segment).to_string()),
        }
    }
    (names.first()? == "my repo").then(|| names[1..].join("/"))
}

/// Old and new paths, a page, and a link in it.
#[derive(Clone, Debug)]
struct Tree {
    renames: Vec<(String, String)>,
    page: String,
    target: String,
    style: usize,
}

impl Arbitrary for Tree {
    fn arbitrary(g: &mut Gen) -> Self {
        let renames = (0..usize::arbitrary(g) % 3).map(|n| (path(g), format!("new {n}/{}", path(g))));
        let renames: Vec<(String, String)> = renames.collect();
        let target = if bool::arbitrary(g) { renames.first().map(|(old, _)| old.clone()) } else { None };
        Tree { target: target.unwrap_or_else(|| path(g)), page: path(g), style: usize::arbitrary(g) % 4, renames }
    }
}

impl Tree {
    /// The new path of a file, by a look at each rename: the longest old path counts.
    fn new_path(&self, path: &str) -> String {
        let below = |(old, new): &(String, String)| {
            let rest = path.strip_prefix(&**old).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some((old.len(), format!("{new}{rest}")))
        };
        self.renames.iter().filter_map(below).max_by_key(|(len, _)| *len).map_or(path.to_owned(), |(_, new)| new)
    }

    /// A page in a file, or files in a file that is renamed, too.
    fn is_odd(&self) -> bool {
        if self.page.starts_with(&format!("{}/", self.target)) {
            return true;
        }
        let olds: Vec<_> = self.renames.iter().map(|(old, _)| old).collect();
        olds.iter().any(|one| olds.iter().any(|other| !std::ptr::eq(*one, *other) && other.starts_with(&***one)))
    }
}

fn renaming<'r>(pairs: impl Iterator<Item = (&'r String, &'r String)>) -> Renaming {
    let mut renames = Renames::default();
    pairs.for_each(|(old, new)| renames.add(old, new));
    Renaming::new(ROOT, renames).unwrap()
}

fn base(page: &str) -> Base {
    Base::new(format!("{ROOT}{}", page.split('/').map(encoded).collect::<Vec<_>>().join("/"))).unwrap()
}

#[test]
fn each_link_leads_where_it_led_and_back() {
    fn law(tree: Tree) -> bool {
        if tree.is_odd() {
            return true;
        }
        let old = shortest(&tree.page, &tree.target, tree.style) + "?q#f";
        let mut is_right = target(&tree.page, &old).as_deref() == Some(&*tree.target);
        let there = renaming(tree.renames.iter().map(|(old, new)| (old, new)));
        let (new_page, new_target) = (tree.new_path(&tree.page), tree.new_path(&tree.target));
        let new = there.reference(&old, &base(&tree.page)).unwrap_or_else(|| old.clone());
        let back = renaming(tree.renames.iter().map(|(old, new)| (new, old)));
        let restored = back.reference(&new, &base(&new_page)).unwrap_or_else(|| new.clone());
        is_right &= target(&new_page, &new).as_deref() == Some(&*new_target);
        // Before a name with a colon, the dot says nothing about the style.
        let is_guarded = new.starts_with("./e:f") && restored.trim_start_matches("./") == old.trim_start_matches("./");
        let is_back = restored == old || is_guarded;
        let holds = is_right && is_back && new.ends_with("?q#f");
        assert!(holds, "{tree:?}: {old} became {new} in {new_page}, and {restored} back");
        true
    }
    QuickCheck::new().tests(10_000).quickcheck(law as fn(Tree) -> bool);
}

#[test]
fn in_a_page_only_what_must_change_changes() {
    fn law(trees: Vec<Tree>) -> bool {
        let Some(first) = trees.first().filter(|first| !first.is_odd()) else { return true };
        let texts: Vec<String> = trees.iter().map(|tree| shortest(&first.page, &tree.target, tree.style)).collect();
        let page = |references: &[String]| -> String {
            references.iter().map(|reference| format!("<a href=\"{reference}\">{reference}</a>\r\n")).collect()
        };
        let there = || renaming(first.renames.iter().map(|(old, new)| (old, new)));
        let old = page(&texts);
        let new = Rewriter::from(there()).html(&old, None, &base(&first.page)).into_owned();
        let wanted: String = texts
            .iter()
            .map(|text| {
                let new = there().reference(text, &base(&first.page)).unwrap_or_else(|| text.clone());
                format!("<a href=\"{new}\">{text}</a>\r\n")
            })
            .collect();
        String::from_utf8(new).unwrap() == wanted
    }
    QuickCheck::new().tests(2_000).quickcheck(law as fn(Vec<Tree>) -> bool);
}
