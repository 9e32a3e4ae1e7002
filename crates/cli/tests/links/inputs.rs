//! Files, folders, lists and standard input as inputs, and inputs that cannot be read.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::run::{links, path};
use crate::archive::made::record;
use crate::command::process::{expect, folder, relref};

#[test]
fn links_of_files_have_file_uris() {
    let folder = folder("links");
    let page = folder.join("a b#c.html");
    fs::write(&page, "<a href='?page=2'><img src=../x.png>").unwrap();
    let (text, problems, code) = links(&[path(&page)], b"");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0][..4], [path(&page), "a", "href", "?page=2"]);
    assert!(lines[0][4].starts_with("file:///") && lines[0][4].ends_with("/links/a%20b%23c.html?page=2"), "{text}");
    assert!(lines[1][4].ends_with("/x.png") && !lines[1][4].contains(".."), "{text}");
    assert_eq!((problems.as_str(), code), ("", 0));
    expect(&["links", "-q", "--base", "http://h/", "-"], b"<a href=x>", "-\ta\thref\tx\thttp://h/x\n", "", 0);
}

#[test]
fn what_git_ignores_below_a_folder_is_left_out() {
    let root = folder("links-ignored");
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir_all(root.join("out/deep")).unwrap();
    fs::write(root.join(".gitignore"), "/out/\n").unwrap();
    fs::write(root.join("a.html"), "<a href=x>").unwrap();
    fs::write(root.join("out/deep/b.html"), "<a href=y>").unwrap();
    let uris = |args: &[&str]| links(&[&["--base=http://h/", "--format=text"], args].concat(), b"").0;
    assert_eq!(uris(&[path(&root)]), "http://h/x\n");
    assert_eq!(uris(&["--no-ignore", path(&root)]), "http://h/x\nhttp://h/out/deep/y\n");
    assert_eq!(uris(&[path(&root.join("out"))]), "http://h/deep/y\n");
}

#[test]
fn folders_are_copies_of_sites() {
    let root = folder("site");
    let write = |name: &str, text: &str| {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    };
    write("b/index.html", "<a href=x>");
    write("a/été 1.HTM", "<a href=x>");
    write("a/c.xhtml", "<a href='../../x/'/>");
    write("a/no-name", "  <!DOCTYPE html><a href=x>");
    write("a/xml", "<?xml version='1.0'?><html><a href='x'/></html>");
    write("a/rss", "<?xml version='1.0'?><rss><link href='x'/></rss>");
    write("a/text", "a <a href=x>");
    write("a/page.txt", "<html><a href=x>");
    write("z.html", "<base href=//other/><a href=x>");
    let root = path(&root);
    for base in ["http://h/s", "http://h/s/"] {
        let (text, problems, code) = links(&["--base", base, "--format", "text", root], b"");
        let expected = "\
http://h/x/
http://h/s/a/x
http://h/s/a/x
http://h/s/a/x
http://h/s/a/x
http://h/s/b/x
http://other/x
";
        assert_eq!((text.as_str(), problems.as_str(), code), (expected, "", 0));
    }
    // Names of pages are not URIs.
    let (text, ..) = links(&["--base", "http://h/s", root, "--format", "jsonl"], b"");
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[4]["page"], format!("{root}/a/été 1.HTM"));
    let (text, ..) = links(&["--format", "text", &format!("{root}/../site/a")], b"");
    assert!(text.lines().all(|line| line.ends_with("/site/a/x") || line.ends_with("/x/")), "{text}");
    // A reference without a path resolves to the URI of its page.
    fs::write(format!("{root}/b/index.html"), "<a href='#x'>").unwrap();
    fs::write(format!("{root}/a/été 1.HTM"), "<a href='#x'>").unwrap();
    let (text, ..) = links(&["--base", "http://h/s", "--format", "text", root], b"");
    assert!(text.contains("http://h/s/b/index.html#x\n"), "{text}");
    assert!(text.contains("http://h/s/a/%C3%A9t%C3%A9%201.HTM#x\n"), "{text}");
}

/// In a folder, the content of a file decides whether it is read. Skipped files are counted.
#[test]
fn pages_have_any_name() {
    let root = folder("any-name");
    let page = "<!DOCTYPE html><a href=x>";
    #[cfg(unix)]
    let queries = ["index.html?x=1", "view.php?image=a.png"];
    #[cfg(not(unix))]
    let queries = ["index.html", "view.php"];
    let names = ["a.php", "b.shtml", "c.", "d.aspx", "e.unknown"];
    for name in names.into_iter().chain(queries).chain(["no.png", "no.TXT"]) {
        fs::write(root.join(name), page).unwrap();
    }
    fs::write(root.join("no.php"), "<?php echo 1 ?>").unwrap();
    fs::write(root.join("no.data"), b"\0\x01").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("no.png", root.join("link.png")).unwrap();
    let output = relref(&["links", "--base=http://h", "--names=plain", "--format=text", path(&root)], b"");
    let [text, totals] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!((text, output.status.code()), ("http://h/x\n".repeat(7), Some(0)));
    let skipped = if cfg!(unix) { 5 } else { 4 };
    assert!(totals.starts_with("relref: 7 inputs, 7 pages, 7 links, "), "{totals}");
    assert!(totals.ends_with(&format!("; {skipped} files skipped\n")), "{totals}");
    // A file that is given by its name is read.
    let (text, ..) = links(&["--base=http://h", "--format=text", path(&root.join("no.TXT"))], b"");
    assert_eq!(text, "http://h/x\n");
}

/// The base of a folder is a directory, with or without a slash at its end. One that is named like a page is probably a mistake.
#[test]
fn the_base_of_a_folder_is_a_directory() {
    let root = folder("base-of-folder");
    fs::create_dir(root.join("archives")).unwrap();
    fs::write(root.join("a.html"), "<a href=x>").unwrap();
    fs::write(root.join("archives/a.warc"), record("warcinfo", "", b"")).unwrap();
    let root = path(&root);
    let archives = &format!("{root}/archives");
    let note = "relref: --base http://h/index.html?q is the URI of a folder: its files are http://h/index.html/…\n";
    for (args, text, note) in [
        (&["--base=http://h/s", root][..], "http://h/s/x\n", ""),
        (&["--base=http://h/s/", root], "http://h/s/x\n", ""),
        (&["--base=http://h/index.html?q", root], "http://h/index.html/x\n", note),
        (&["--base=http://h/index.html?q", "--root", root, &format!("{root}/a.html")], "http://h/index.html/x\n", note),
        (&["--base=http://h/index.html?q", &format!("{root}/a.html")], "http://h/x\n", ""),
        (&["--base=http://h/index.html?q", "--files-from=-"], "http://h/index.html/x\n", note),
        // Archives need no base.
        (&["--base=http://h/index.html?q", archives], "", ""),
        (&["--base=http://h/index.html?q", "--root", archives, archives], "", ""),
    ] {
        let found = links(&[&["--format=text"], args].concat(), root.as_bytes());
        assert_eq!(found, (text.to_owned(), note.to_owned(), 0), "{args:?}");
    }
}

#[test]
fn bad_inputs_are_reported_and_others_are_read() {
    let root = folder("bad");
    let good = root.join("page.html");
    fs::write(&good, "<a href=g>").unwrap();
    fs::write(root.join("empty.html"), "").unwrap();
    fs::write(root.join("image.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR<a href=no>").unwrap();
    fs::write(root.join("open.html"), "<a href='g").unwrap();
    fs::write(root.join("long.html"), format!("<a href='{}'", "x".repeat(1 << 20)) + "><a href=g>").unwrap();
    let [good, empty, image, open, long] = ["page.html", "empty.html", "image.png", "open.html", "long.html"]
        .map(|name| path(&root.join(name)).to_owned());
    let missing = format!("{}/missing\n.html", path(&root));
    let (text, problems, code) =
        links(&["--max-uri=2M", "--base=a:/b", "--format=text", &missing, &empty, &image, &open, &long, &good], b"");
    assert_eq!(text.lines().map(|line| line.len()).collect::<Vec<_>>(), [3 + (1 << 20), 4, 4]);
    let problems: Vec<&str> = problems.lines().collect();
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems[0].starts_with(&format!("relref: {}/missing%0A.html: ", path(&root))), "{problems:?}");
    assert_eq!(problems[1], format!("relref: {image}: binary data, not a page"));
    assert!(problems[2].starts_with("relref: 5 files have the same URI, "), "{problems:?}");
    assert_eq!(code, 1);
    for (rules, why) in [
        ("rfc3986", "not an absolute URI: expected `:` to end the scheme, found the end at byte 1"),
        ("whatwg", "missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme"),
    ] {
        let (text, problems, code) = links(&["--rules", rules, "--base", "b", &good, &good], b"");
        assert_eq!(problems, format!("relref: --base b: {why}\n"));
        assert_eq!((text.as_str(), code), ("", 1));
    }
    let output = relref(&["links", "--base", "a:/", &missing, &good, &missing, &image], b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let totals = stderr.lines().last().unwrap();
    assert!(totals.starts_with("relref: 4 inputs, 1 page, 1 link, 10 B in "), "{totals}");
    assert!(totals.ends_with("; 3 inputs failed"), "{totals}");
}

/// A base that is wrong, and that only files of a list need, is reported once, whatever their number.
#[test]
fn a_bad_base_of_a_list_is_reported_once() {
    let root = folder("bad-base-list");
    fs::create_dir(root.join("folder")).unwrap();
    let names = ["a.html", "b.html", "c.html", "folder/d.html"].map(|name| root.join(name));
    names.iter().for_each(|name| fs::write(name, "<a href=g>").unwrap());
    let [a, b, c, _] = names.each_ref().map(|name| path(name));
    let at = path(&root);
    let list = format!("{a}\n{b}\thttp://h/b\n{at}/folder\n{c}\n/no/such/file\n");
    let why = "missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme";
    for root in [&[][..], &["--root", at]] {
        let args = [&["links", "--base=x", "--format=text", "--files-from=-"], root].concat();
        let output = relref(&args, list.as_bytes());
        let [text, problems] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let problems: Vec<&str> = problems.lines().collect();
        assert_eq!((text.as_str(), output.status.code()), ("http://h/g\n", Some(1)));
        assert_eq!((problems.len(), problems[0]), (3, &*format!("relref: --base x: {why}")), "{problems:?}");
        assert!(problems[1].starts_with("relref: /no/such/file: "), "{problems:?}");
        assert!(problems[2].starts_with("relref: 5 inputs, 1 page, 1 link, "), "{problems:?}");
        assert!(problems[2].ends_with("; 4 inputs failed"), "{problems:?}");
    }
}

#[cfg(unix)]
#[test]
fn looping_and_broken_symlinks_are_reported() {
    use std::os::unix::fs::symlink;
    let root = folder("loops");
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::write(root.join("a/b/x.html"), "<a href=g>").unwrap();
    fs::write(root.join("z.html"), "<a href=g>").unwrap();
    symlink("..", root.join("a/b/up")).unwrap();
    symlink("nowhere", root.join("dead.html")).unwrap();
    symlink("nowhere", root.join("dead.js")).unwrap();
    symlink("z.html", root.join("y.html")).unwrap();
    let (text, problems, code) = links(&["--base", "h:/", "--format", "text", path(&root)], b"");
    assert_eq!((text.as_str(), code), ("h:/a/b/g\nh:/g\nh:/g\n", 1));
    let root = path(&root);
    let problems: Vec<&str> = problems.lines().collect();
    assert_eq!(problems[0], format!("relref: {root}/a/b/up: a symbolic link back to {root}/a"));
    assert_eq!(problems[1], format!("relref: {root}/dead.html: a broken symbolic link to nowhere"));
    assert_eq!(problems.len(), 2);
}

/// Makes files with one link (`NAME`) and symbolic links (`NAME -> TARGET`) in the folder `root`, and the folders that they need.
#[cfg(unix)]
fn make(root: &Path, names: &[&str]) {
    for name in names {
        let (name, target) = name.split_once(" -> ").unwrap_or((name, ""));
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match target {
            "" => fs::write(path, "<a href=g>").unwrap(),
            target => std::os::unix::fs::symlink(target, path).unwrap(),
        }
    }
}

#[cfg(unix)]
#[test]
fn each_folder_is_read_once() {
    let root = folder("linked");
    let run = |names: &[&str]| {
        let _ = fs::remove_dir_all(&root);
        make(&root, names);
        let site = root.join("site");
        links(&["--base", "h:/", "--format", "text", path(&site)], b"")
    };
    let good = |text: &str| (text.to_owned(), String::new(), 0);
    // A folder of the site is read at its own path, wherever symbolic links to it are.
    let names =
        ["site/z/p.html", "site/a -> z", "site/b/c -> ../z", "site/zz -> b", "site/z/deep/q.html", "site/d -> z/deep"];
    assert_eq!(run(&names), good("h:/z/deep/g\nh:/z/g\n"));
    // A folder outside of the site is read once, at the first symbolic link.
    let names = ["other/p.html", "other/x/q.html", "site/b -> ../other", "site/a/c -> ../../other", "site/d -> b/x"];
    assert_eq!(run(&names), good("h:/a/c/g\nh:/a/c/x/g\n"));
    // A folder in it may be read before it.
    let names = ["other/p.html", "other/x/q.html", "site/a -> ../other/x", "site/b -> ../other"];
    assert_eq!(run(&names), good("h:/a/g\nh:/b/g\n"));
    // The folder that contains the site is read, without the site.
    let names = ["p.html", "q/x -> ../site/y", "site/a -> ..", "site/y/r.html", "site/y/s -> ../../q"];
    assert_eq!(run(&names), good("h:/a/g\nh:/y/g\n"));
    // A symbolic link back through a folder outside of the site.
    let names = ["other/p.html", "other/x/up -> ../../other", "other/x/site -> ../../site", "site/a -> ../other"];
    let at = path(&root);
    let problems = format!(
        "relref: {at}/site/a/x/site: a symbolic link back to {at}/site\nrelref: {at}/site/a/x/up: a symbolic link back to {at}/site/a\n"
    );
    let (text, reported, code) = run(&names);
    assert_eq!((text.as_str(), reported, code), ("h:/a/g\n", problems, 1));
    // Two symbolic links in each of 12 folders: there are 2^12 paths to the last.
    let levels: Vec<String> = (0..12)
        .flat_map(|level| {
            let next = level + 1;
            ["a", "b"].map(|name| format!("other/{level:02}/{name} -> ../{next:02}"))
        })
        .chain([String::from("other/12/p.html"), String::from("site/a -> ../other/00")])
        .collect();
    let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
    assert_eq!(run(&levels), good(&format!("h:/{}g\n", "a/".repeat(13))));
    // An argument that is there twice is two inputs.
    let site = root.join("site");
    let (text, ..) = links(&["--base", "h:/", "--format", "text", path(&site), path(&site)], b"");
    assert_eq!(text.lines().count(), 2);
}

/// The files and folders of a folder are read in order, also if their names do not fit in memory at once.
#[cfg(unix)]
#[test]
fn long_folders_are_in_order() {
    let root = folder("long");
    let mut names: Vec<String> = (0..12_000).map(|number| format!("{:0250}", number * 7919 % 12_000)).collect();
    for name in &mut names {
        if name.ends_with('0') {
            fs::create_dir(root.join(&name)).unwrap();
            name.push_str("/x.html");
        }
        fs::write(root.join(&name), "<!DOCTYPE html><a href=g>").unwrap();
    }
    names.sort_unstable();
    let (text, problems, code) = links(&["--base", "h:/", path(&root)], b"");
    let found: Vec<&str> = text.lines().map(|line| &line[path(&root).len() + 1..line.find('\t').unwrap()]).collect();
    assert!(found == names && problems.is_empty() && code == 0, "{} of {}: {problems}", found.len(), names.len());
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder("unreadable");
    let [locked, good] = ["a.html", "b.html"].map(|name| root.join(name));
    fs::write(&locked, "<a href=no>").unwrap();
    fs::write(&good, "<a href=g>").unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&locked).is_ok() {
        // Root may read every file, but not this one.
        fs::remove_file(&locked).unwrap();
        std::os::unix::fs::symlink("/proc/self/mem", &locked).unwrap();
    }
    let (text, problems, code) = links(&["--base", "h:/", "--format", "text", path(&root)], b"");
    assert_eq!((text.as_str(), code), ("h:/g\n", 1));
    assert!(problems.starts_with(&format!("relref: {}: ", path(&locked))), "{problems}");
}

/// Two inputs count as two, even if their names are not UTF-8 and look alike.
#[cfg(target_os = "linux")]
#[test]
fn failed_inputs_are_counted_by_name() {
    use std::os::unix::ffi::OsStrExt;
    let root = folder("failed-names");
    for name in [b"d\xfe.warc", b"d\xff.warc"] {
        fs::write(root.join(std::ffi::OsStr::from_bytes(name)), "WARC/1.1\r\nWARC-Type: response\r\n").unwrap();
    }
    let output = relref(&["links", path(&root)], b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = stderr.lines().collect();
    for (line, name) in lines.iter().zip(["d%FE.warc", "d%FF.warc"]) {
        assert!(line.starts_with(&format!("relref: {}/{name}: record at byte 0: ", path(&root))), "{stderr}");
    }
    assert!(lines[2].starts_with("relref: 2 inputs, ") && lines[2].ends_with("; 2 inputs failed"), "{stderr}");
}

/// An argument that is there twice is two inputs, and so are two lines of a list.
#[test]
fn inputs_of_one_name_fail_each() {
    let archive = folder("failed-twice").join("d.warc");
    fs::write(&archive, "WARC/1.1\r\nWARC-Type: response\r\n").unwrap();
    let archive = path(&archive);
    let long = format!("{}\n", "x".repeat(1 << 17));
    for (args, list) in [
        (&[archive, archive][..], ""),
        (&["no-such-file", "no-such-file"], ""),
        (&["--files-from=-"], &*long.repeat(2)),
    ] {
        let output = relref(&[&["links"], args].concat(), list.as_bytes());
        let stderr = String::from_utf8(output.stderr).unwrap();
        let totals = stderr.lines().last().unwrap();
        assert!(totals.starts_with("relref: 2 inputs, ") && totals.ends_with("; 2 inputs failed"), "{stderr}");
    }
}

#[test]
fn lists_of_files() {
    let root = folder("lists");
    fs::create_dir(root.join("d")).unwrap();
    let [one, other] = ["a b.html", "d/x\ny.html"].map(|name| root.join(name));
    fs::write(&one, "<a href=1>").unwrap();
    fs::write(&other, "<a href=2>").unwrap();
    let list = format!("{}\r\n\n{}\nno-such-file", path(&one), path(&root.join("d")));
    let args = ["--base", "h:/", "--format", "text"];
    let (text, problems, code) = links(&[&args[..], &["--files-from", "-", path(&one)]].concat(), list.as_bytes());
    assert_eq!((text.as_str(), code), ("h:/1\nh:/1\nh:/2\n", 1));
    assert!(problems.starts_with("relref: no-such-file: "), "{problems}");
    let list = root.join("list");
    fs::write(&list, format!("{}\0{}\0", path(&one), path(&other))).unwrap();
    let (text, problems, code) = links(&[&args[..], &["-0", "--files-from", path(&list)]].concat(), b"");
    assert_eq!((text.as_str(), problems.lines().count(), code), ("h:/1\nh:/2\n", 1, 0));
    let (_, problems, code) = links(&[&args[..], &["--files-from", path(&list)]].concat(), b"");
    assert!(
        problems.contains(": line 1 has a NUL: give --null if NULs separate the names: ") && code == 1,
        "{problems}"
    );
    // In a list, `-` is a file of that name.
    let (_, problems, code) = links(&["--files-from", "-"], b"-\n");
    assert!(problems.starts_with("relref: -: ") && code == 1, "{problems}");
    let (_, problems, code) = links(&["--files-from", "no-such-list"], b"");
    assert!(problems.starts_with("relref: no-such-list: ") && code == 1);
}

#[test]
fn listed_files_have_their_own_uris() {
    let root = folder("listed");
    fs::create_dir_all(root.join("a b")).unwrap();
    for name in ["a b/p.html", "q.html"] {
        fs::write(root.join(name), "<a href=x>").unwrap();
    }
    let root = path(&root);
    let list = format!("{root}/a b/p.html\n{root}/q.html\n");
    let args = ["--format=text", "--files-from=-", "--base=http://h/s"];
    // One base for several pages is a warning, even if there are no totals.
    let (text, problems, code) = links(&args, list.as_bytes());
    assert_eq!((text.as_str(), code), ("http://h/x\nhttp://h/x\n", 0));
    let warning =
        "relref: 2 files have the same URI, that of --base: give --root, or lines PATH<TAB>URI in --files-from\n";
    assert_eq!(problems, warning);
    let (text, problems, code) = links(&[&args[..], &["--root", root]].concat(), list.as_bytes());
    assert_eq!((text.as_str(), problems.as_str(), code), ("http://h/s/a%20b/x\nhttp://h/s/x\n", "", 0));
    // A folder below the root keeps its place.
    let (text, problems, code) = links(&[&args[..], &["--root", root]].concat(), format!("{root}/a b").as_bytes());
    assert_eq!((text.as_str(), problems.as_str(), code), ("http://h/s/a%20b/x\n", "", 0));
    let (text, problems, code) = links(&[&args[..], &["--root", &format!("{root}/a b")]].concat(), list.as_bytes());
    let elsewhere = format!("relref: {root}/q.html: it is not in {root}/a b (--root)\n");
    assert_eq!((text.as_str(), problems.as_str(), code), ("http://h/s/x\n", elsewhere.as_str(), 1));
    let list = format!("{root}/a b/p.html\thttp://h/1/\n{root}\thttp://h/2\n");
    let (text, problems, code) = links(&args[..2], list.as_bytes());
    let expected = "http://h/1/x\nhttp://h/2/a%20b/x\nhttp://h/2/x\n";
    assert_eq!((text.as_str(), problems.as_str(), code), (expected, "", 0));
    // A URI may be as long as --max-uri says.
    let uri = format!("http://h/{}/", "y".repeat(60 << 10));
    let (text, problems, code) = links(&args[..2], format!("{root}/q.html\t{uri}\n").as_bytes());
    assert!(text == format!("{uri}x\n") && code == 0, "{problems}");
    assert_eq!(relref(&["links", "--root", root, root], b"").status.code(), Some(2));
    // The place follows the path of the base.
    for base in ["--base=http://h/s?q", "--base=http://h/s/#f"] {
        let (text, problems, code) = links(&["--format=text", base, root], b"");
        assert_eq!((&*text, &*problems, code), ("http://h/s/a%20b/x\nhttp://h/s/x\n", "", 0));
    }
}

#[test]
fn a_bad_base_is_reported_once() {
    let root = folder("bad-base");
    for name in ["a.html", "b.html"] {
        fs::write(root.join(name), "<a href=x>").unwrap();
    }
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=y>";
    let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/x";
    let archive = root.join("a.warc");
    fs::write(&archive, format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len())).unwrap();
    for (rules, inputs) in [("whatwg", &[path(&root)][..]), ("rfc3986", &[path(&root.join("a.html")), path(&archive)])]
    {
        let (text, problems, code) = links(&[&["--base=nobase", "--rules", rules], inputs].concat(), b"");
        assert_eq!((&*text, problems.lines().count(), code), ("", 1, 1), "{problems}");
        assert!(problems.starts_with("relref: --base nobase: "), "{problems}");
    }
    // The pages of archives do not need it.
    let (text, problems, code) = links(&["--base=nobase", "--format=text", path(&archive)], b"");
    assert_eq!((&*text, &*problems, code), ("http://h/y\n", "", 0));
}

#[test]
fn the_root_may_be_spelled_in_any_way() {
    let root = folder("root-spelled");
    fs::create_dir_all(root.join("site/d")).unwrap();
    for name in ["site/b.html", "site/d/c.html", "o.html"] {
        fs::write(root.join(name), "<a href=x>").unwrap();
    }
    let full = format!("{}/site/b.html", path(&root));
    let run = |folder: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(["links", "-q", "--format=text", "--base=http://h/", "--root"]).args(args);
        let output = command.current_dir(root.join(folder)).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for (folder, args) in [
        ("site", &[".", "b.html"]),
        ("site", &["../site", "./b.html"]),
        ("", &["site", "./site/b.html"]),
        ("", &["./site", "site/b.html"]),
        ("", &["site", &full]),
        ("", &["site", "site/../site/b.html"]),
        ("", &["site", "site/d/../b.html"]),
    ] {
        assert_eq!(run(folder, args), "http://h/x\n", "{folder} {args:?}");
    }
    assert_eq!(run("", &["site", "./site/d"]), "http://h/d/x\n");
    assert_eq!(run("", &["./site", "site/../site/"]), "http://h/x\nhttp://h/d/x\n");
    assert_eq!(run("", &["site", "site/../o.html"]), "relref: site/../o.html: it is not in site (--root)\n");
    // A symbolic link has the place of its own name.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../../o.html", root.join("site/d/l.html")).unwrap();
        std::os::unix::fs::symlink("site", root.join("copy")).unwrap();
        assert_eq!(run("", &["site", "site/d/l.html"]), "http://h/d/x\n");
        assert_eq!(run("", &["site", "site/d/../d/l.html"]), "http://h/d/x\n");
        assert_eq!(run("", &["site", "copy/b.html"]), "http://h/x\n");
        assert_eq!(run("", &["copy", "copy/../copy"]), "http://h/x\nhttp://h/d/x\nhttp://h/d/x\n");
    }
}

#[test]
fn damage_may_be_said_to_be_well() {
    let root = folder("damaged-ok");
    let archive = root.join("cut-short.warc");
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=y>";
    let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/x";
    fs::write(&archive, format!("{head}\r\nContent-Length: {}\r\n\r\n{http}", http.len() + 9)).unwrap();
    for (options, expected) in [(&[][..], 1), (&["--damaged-ok"], 0)] {
        let (text, problems, code) = links(&[options, &["--format=text", path(&archive)]].concat(), b"");
        assert_eq!((text.as_str(), code), ("http://h/y\n", expected));
        assert!(problems.contains("cut-short.warc: record at byte 0: "), "{problems}");
    }
}

#[test]
fn json_has_the_uri_of_a_page_that_is_a_file() {
    let page = folder("page-uri").join("p.html");
    fs::write(&page, "<base href=//other/><a href=x>").unwrap();
    let (text, _, code) = links(&["--json", "--base=http://h/p", path(&page)], b"");
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&object["page"], &object["page_uri"]), (&path(&page).into(), &"http://h/p".into()));
    assert_eq!((object["uri"].as_str(), code), (Some("http://other/x"), 0));
    assert_eq!(relref(&["links", "--json", "--format", "tsv", path(&page)], b"").status.code(), Some(2));
}

/// Named pipes, sockets and devices in folders are not opened: a pipe to which nobody writes would never end.
#[cfg(unix)]
#[test]
fn special_files_in_folders_are_counted() {
    let root = folder("special");
    fs::create_dir(root.join("ниже")).unwrap();
    fs::write(root.join("a.html"), "<a href=x>").unwrap();
    for pipe in ["труба.html", "ниже/pipe.warc"] {
        let made = std::process::Command::new("mkfifo").arg(root.join(pipe)).status().unwrap();
        assert!(made.success());
    }
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.join("zero.html")).unwrap();
    let output = relref(&["links", "--base=h:/", "--format=text", path(&root)], b"");
    let [text, totals] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!((text.as_str(), output.status.code()), ("h:/x\n", Some(0)));
    assert!(totals.starts_with("relref: 1 input, 1 page, 1 link, "), "{totals}");
    assert!(totals.ends_with(" s; 4 special files skipped (named pipe, socket or device)\n"), "{totals}");
}

/// Nothing is fetched, and the message says what to do instead.
#[test]
fn uris_are_no_files() {
    for uri in ["http://h/", "https://пример.рф/日本", "http://192.0.2.1:80/a", "ftp://[::1]/"] {
        let (text, problems, code) = links(&["--base=h:/", uri, "-"], b"<a href=x>");
        assert!(problems.starts_with(&format!("relref: {uri}: ")), "{problems}");
        let remedy = "; relref reads files, and never fetches: curl -sL URI | relref links --base URI -\n";
        assert!(problems.ends_with(remedy), "{problems}");
        assert_eq!((text.lines().count(), code), (1, 1));
    }
    for name in ["h/x", "mailto:a", "C:/x"] {
        let (_, problems, _) = links(&[name], b"");
        assert!(!problems.contains("fetches") && problems.lines().count() == 1, "{problems}");
    }
}

/// A base that is a host without a scheme is probably one of `https`.
#[test]
fn a_missing_scheme_is_suggested() {
    for (base, suggested) in [
        ("example.com", "https://example.com"),
        ("//example.com/a?b", "https://example.com/a?b"),
        ("пример.рф/日本", "https://пример.рф/日本"),
        ("例え.jp", "https://例え.jp"),
        ("192.0.2.1/x", "https://192.0.2.1/x"),
        ("[::1]", "https://[::1]"),
        ("localhost/x", "https://localhost/x"),
        ("WWW.Example.CO.UK", "https://WWW.Example.CO.UK"),
        ("192.0.2.1:8080/x", "https://192.0.2.1:8080/x"),
        ("index.html", ""),
        ("docs/example.com", ""),
        ("/example.com/a", ""),
        (r"\\example.com\a", ""),
        ("com", ""),
        ("", ""),
        ("пример", ""),
        ("exa mple.com", ""),
    ] {
        let expected = if suggested.is_empty() { String::new() } else { format!("did you mean {suggested}?") };
        for rules in ["rfc1630", "rfc3986", "whatwg"] {
            let check = |args: &[&str], input: &[u8]| {
                let problems = String::from_utf8(relref(args, input).stderr).unwrap();
                let line = problems.lines().next().unwrap_or_default();
                let found =
                    line.split_once("; did you mean ").map_or(String::new(), |(_, uri)| format!("did you mean {uri}"));
                assert_eq!(found, expected, "{args:?} {problems}");
            };
            check(&["links", "-q", "--rules", rules, "--base", base, "-"], b"<a href=x>");
            check(&["resolve", "--rules", rules, base, "x"], b"");
            check(&["resolve", "--rules", rules, "--pairs"], format!("{base}\tx\n").as_bytes());
            check(&["relativize", "--rules", rules, base, "http://h/"], b"");
            check(&["compare", "--rules", rules, base, "x"], b"");
        }
    }
}

/// The names that wget gives to files, with and without its options for other names.
#[cfg(unix)]
#[test]
fn names_of_wget_are_read_as_uris() {
    let root = folder("mirror");
    for name in [
        "a/index.html",
        "a/p.php?id=3",
        "a/q.php@id=3&u=http%3A%2F%2Fh",
        "a/r.php?id=4.html",
        "тег.html?c=é%2F.html",
        "a%20b",
    ] {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "<a href=x><a href=?y>").unwrap();
    }
    let folder = path(&root);
    let pages = |args: &[&str], input: &str| {
        let (lines, problems, code) = links(&[&["--format=jsonl"], args].concat(), input.as_bytes());
        assert_eq!(code, 0, "{problems}");
        let uri = |line: &str| line.split_once("\"page_uri\":\"").unwrap().1.split('"').next().unwrap().to_owned();
        let mut uris: Vec<String> = lines.lines().map(uri).collect();
        uris.dedup();
        (uris, problems)
    };
    let expected = [
        "http://h/s/a/",
        "http://h/s/a/p.php?id=3",
        "http://h/s/a/q.php?id=3&u=http%3A%2F%2Fh",
        "http://h/s/a/r.php?id=4",
        "http://h/s/a%2520b",
        "http://h/s/%D1%82%D0%B5%D0%B3.html?c=%C3%A9%2F",
    ];
    let wget = ["--names=wget", "--base=http://h/s"];
    assert_eq!(pages(&[&wget[..], &[folder]].concat(), ""), (expected.map(String::from).to_vec(), String::new()));
    // In the folder of --root, and of a line.
    let page = root.join("a/p.php?id=3");
    let below = pages(&[&wget[..], &["--root", folder, path(&page)]].concat(), "");
    assert_eq!(below, (vec![expected[1].into()], String::new()));
    let (uris, problems) = pages(&["--names=wget", "--files-from=-"], &format!("{folder}\thttp://x/\n"));
    assert_eq!((uris.len(), &*uris[0], &*problems), (6, "http://x/a/", ""));
    let (uris, _) = pages(&[&wget[..], &["--index=q.php", "--index=r.php", folder]].concat(), "");
    assert_eq!(
        uris[..4],
        ["a/index.html", "a/p.php?id=3", "a/?id=3&u=http%3A%2F%2Fh", "a/?id=4"].map(|uri| format!("http://h/s/{uri}"))
    );
    // A query is resolved in its folder.
    let (lines, ..) = links(&[&wget[..], &["--format=text", "--unique", folder]].concat(), b"");
    assert!(lines.starts_with("http://h/s/a/x\nhttp://h/s/a/?y\nhttp://h/s/a/p.php?y\n"), "{lines}");

    // Without the option, a note says once what the names look like.
    let note = "relref: 4 files have queries in their names, as wget writes them, and they are read as part of the path: give --names wget or \
                --names plain\n";
    let (uris, problems) = pages(&["--base=http://h/s", folder], "");
    assert_eq!((&*uris[0], &*uris[1], &*problems), ("http://h/s/a/index.html", "http://h/s/a/p.php%3Fid=3", note));
    assert_eq!(pages(&["--names=plain", "--base=http://h/s", folder], ""), (uris, String::new()));
    let (_, problems, _) = links(&["--base=http://h/s", "--root", folder, path(&page)], b"");
    assert!(problems.starts_with("relref: 1 file has a query in its name, "), "{problems}");
    for args in [&[folder][..], &["--base=http://h/", path(&page)]] {
        assert_eq!(links(args, b"").1, "", "{args:?}");
    }
    for args in [&["--names=wget", folder][..], &["--index=x", "--base=http://h/", folder]] {
        assert_eq!(links(args, b"").2, 2, "{args:?}");
    }
}
