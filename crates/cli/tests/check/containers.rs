//! `relref check` of EPUB and MHTML files, by the table in tests/vectors/check/containers.jsonl: `members` of an EPUB, or the `text` of
//! the file `name`; the `problems` as `page | kind | reference`, and a part of each message about what is not read.

use std::fs;

use serde_json::Value;

use super::formats::check;
use crate::archive::made::{ZipEntry, zip, zip_entry};
use crate::command::process::folder;

const TABLE: &str = include_str!("../../../../tests/vectors/check/containers.jsonl");

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn containers_are_sites() {
    let root = folder("check-containers");
    let mut failed = Vec::new();
    for row in TABLE.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let (name, bytes) = match row["members"].as_array() {
            Some(members) => {
                let members = members.iter().map(strings);
                let entry = |member: Vec<&str>| ZipEntry {
                    is_deflated: member[0] != "mimetype",
                    ..zip_entry(member[0], member[1].as_bytes())
                };
                ("x.epub", zip(&members.map(entry).collect::<Vec<_>>()).0)
            }
            None => (row["name"].as_str().unwrap(), row["text"].as_str().unwrap().into()),
        };
        fs::write(root.join(name), bytes).unwrap();
        let (out, messages, code) = check(&root, &["--format", "jsonl", name]);
        let found = out.lines().map(|line| {
            let problem: Value = serde_json::from_str(line).unwrap();
            let [page, kind, reference] =
                ["page", "problem", "reference"].map(|field| problem[field].as_str().unwrap());
            format!("{page} | {kind} | {reference}")
        });
        let mut found: Vec<String> = found.collect();
        let (mut wanted, unread) = (strings(&row["problems"]), strings(&row["unread"]));
        found.sort();
        wanted.sort_unstable();
        let messages: Vec<&str> = messages.lines().collect();
        let are_told = unread.iter().all(|part| messages.iter().any(|message| message.contains(part)));
        // The last line counts.
        let is_whole = if unread.is_empty() { messages.len() == 1 } else { are_told };
        let wanted_code = i32::from(!wanted.is_empty() || !unread.is_empty());
        if found != wanted || !is_whole || code != wanted_code {
            failed.push(format!("{}: {found:#?} {messages:#?} {code}", row["id"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_book_is_not_repaired_but_shown_in_each_format() {
    let root = folder("check-book");
    let page = b"<html xmlns='http://www.w3.org/1999/xhtml'><a href='B.xhtml'>1</a></html>";
    let members =
        [zip_entry("mimetype", b"application/epub+zip"), zip_entry("a.xhtml", page), zip_entry("b.xhtml", b"")];
    let (book, _) = zip(&members);
    fs::write(root.join("ä b.epub"), &book).unwrap();
    let (_, messages, code) = check(&root, &["-q", "--fix", "ä b.epub"]);
    assert!(messages.contains("--fix: only the files of a folder are changed"), "{messages}");
    assert_eq!((code, fs::read(root.join("ä b.epub")).unwrap()), (1, book));
    for (format, part) in [
        (
            "text",
            "wrong-case ä b.epub!/b.xhtml: 1 page links to it\n    better: ä b.epub!/b.xhtml\n    ä b.epub!/a.xhtml:1:",
        ),
        ("sarif", "\"uri\":\"%C3%A4%20b.epub!/a.xhtml\""),
        ("junit", "file=\"ä b.epub!/a.xhtml\""),
        ("github", "file=ä b.epub!/a.xhtml,"),
        ("gitlab", "\"path\":\"ä b.epub!/a.xhtml\""),
    ] {
        let (out, _, _) = check(&root, &["-q", "--format", format, "ä b.epub"]);
        assert!(out.contains(part), "{format}: {out}");
    }
    check(&root, &["-q", "--write-baseline", "known", "ä b.epub"]);
    let (out, _, _) = check(&root, &["-q", "--baseline", "known", "ä b.epub"]);
    assert_eq!(out, "");
    // It is known by its content, too.
    fs::rename(root.join("ä b.epub"), root.join("book.zip")).unwrap();
    let (out, _, code) = check(&root, &["-q", "--format", "jsonl", "book.zip"]);
    assert!(out.contains("\"book.zip!/a.xhtml\"") && code == 1, "{out}");
}

#[test]
fn an_archive_is_not_repaired() {
    let root = folder("check-archive-fix");
    let row = TABLE.lines().find(|row| row.contains("\"mhtml-mail\"")).unwrap();
    let row: Value = serde_json::from_str(row).unwrap();
    fs::write(root.join("x.eml"), row["text"].as_str().unwrap()).unwrap();
    let (out, messages, code) = check(&root, &["-q", "--fix", "x.eml"]);
    assert!(messages.contains("--fix: only the files of a folder are changed, not those in an archive"), "{messages}");
    assert!(out.contains("none@x") && code == 1, "{out}");
}
