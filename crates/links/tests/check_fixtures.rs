//! `relref_links::check` on what the fixtures of lychee and html-proofer are about, by the table in tests/vectors/check/fixtures.tsv.

use std::fs::{create_dir_all, write};

use relref_links::check::{Options, Site};

/// The files that the links of the table lead to: HTML with these ids, or empty.
const FILES: [(&str, &str); 12] = [
    ("section.html", "existing-heading"),
    ("another page", "y"),
    ("same page.html", "x"),
    ("erstiebegrüßung.html", ""),
    ("kernel.html", "|>/2"),
    ("sub_dir/index.html", "valid-id"),
    ("index_dir/index.html", "id"),
    ("about/index.html", ""),
    ("target/index.html", "eigentümerschaft mitarbeit"),
    ("source/index.html", ""),
    ("folder.html/index.html", ""),
    ("folder-php/index.php", ""),
];

#[test]
fn fixtures_of_other_tools() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let save = |name: &str, content: &str| {
        create_dir_all(root.join(name).parent().unwrap()).unwrap();
        write(root.join(name), content).unwrap();
    };
    for name in ["zero.bin", "exists.pdf", "gpl.png", "empty_dir/x.txt"] {
        save(name, "\0");
    }
    let element = |id: &str| format!("<p id=\"{id}\">");
    for (name, ids) in FILES {
        save(name, &format!("<!doctype html><meta charset=utf-8>{}", ids.split(' ').map(element).collect::<String>()));
    }
    save("index.html", "<title>home</title>");
    let table = include_str!("../../../tests/vectors/check/fixtures.tsv");
    let mut failed = Vec::new();
    for row in table.lines().skip(1) {
        let [_, fixture, page, id, markup, expected, _, option] =
            row.split('\t').collect::<Vec<_>>().try_into().expect(row);
        let id = id.strip_prefix('#').map_or(String::new(), element);
        save(page, &format!("<!doctype html><meta charset=utf-8>{id}{markup}"));
        let mut options = Options::default();
        match option.split_once('=') {
            Some(("index", name)) => options.index = vec![name.into()],
            Some(("try-ext", ending)) => options.try_ext = vec![ending.into()],
            _ => assert_eq!(option, "", "{row}"),
        }
        let site = Site::open(root, options).unwrap().only([root.join(page)]).unwrap();
        let found = site.problems().map(|problem| problem.unwrap().kind.name()).collect::<Vec<_>>().join("; ");
        if found != expected {
            failed.push(format!("{fixture}: {markup}: {found:?}, not {expected:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
