//! Trees in which another process puts symbolic links in place of folders while the command writes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::process::folder;

const PAGES: usize = 20;
const PAGE: &str = "<a href=http://h/docs/B.html>x</a>";
const SECRET: &str = "<a href=http://h/docs/B.html>secret</a>";

/// Swaps `docs` and a symbolic link to `outside`, until it is told to stop.
fn swap(root: &Path, outside: &Path, is_over: &AtomicBool) {
    let (docs, kept) = (root.join("docs"), root.with_extension("kept"));
    while !is_over.load(Ordering::Relaxed) {
        // The command may have moved the folder, or made another one.
        if fs::rename(&docs, &kept).is_ok() {
            let _ = symlink(outside, &docs);
            thread::yield_now();
            let _ = fs::remove_file(&docs);
            let _ = fs::rename(&kept, &docs);
        }
        thread::yield_now();
    }
}

#[test]
fn nothing_outside_is_read_or_changed() {
    let all = folder("swapped-folders");
    let outside = all.join("outside");
    fs::create_dir(&outside).unwrap();
    let runs: [&[&str]; 5] = [
        &["rewrite", "-q", "--in-place", "--to", "relative", "--base", "http://h/", "root"],
        &["rewrite", "-q", "--to", "relative", "--base", "http://h/", "root", "--output", "copy"],
        &["check", "-q", "--fix", "--base", "http://h/", "root"],
        &["move", "-q", "--root", "root", "root/docs/b.html", "root/docs/c.html"],
        &["move", "-q", "--root", "root", "root/docs", "root/other/docs"],
    ];
    for (number, args) in runs.iter().cycle().take(60).enumerate() {
        let root = all.join("root");
        for old in [&root, &root.with_extension("kept"), &all.join("copy")] {
            let _ = fs::remove_dir_all(old);
        }
        fs::create_dir_all(root.join("docs")).unwrap();
        for (folder, text) in [(&root.join("docs"), PAGE), (&outside, SECRET)] {
            fs::write(folder.join("b.html"), text).unwrap();
            (0..PAGES).for_each(|page| fs::write(folder.join(format!("{page}.html")), text).unwrap());
        }
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| swap(&root, &outside, &is_over));
            let status = Command::new(env!("CARGO_BIN_EXE_relref")).args(*args).current_dir(&all).output();
            is_over.store(true, Ordering::Relaxed);
            assert!(status.unwrap().status.code().is_some());
        });
        let names = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().path());
        let names: Vec<_> = names.collect();
        assert_eq!(names.len(), PAGES + 1, "{number} {args:?} {names:?}");
        for name in names {
            assert_eq!(fs::read_to_string(&name).unwrap(), SECRET, "{number} {args:?} {}", name.display());
        }
        // A symbolic link is copied as one.
        let copied = Some(all.join("copy/docs")).filter(|folder| !folder.is_symlink());
        for page in copied.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten() {
            let text = fs::read_to_string(page.unwrap().path()).unwrap_or_default();
            assert!(!text.contains("secret"), "{number} {text}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn extended_attributes_are_kept() {
    let root = folder("kept-attributes");
    let run = |command: &str, args: &[&str]| Command::new(command).args(args).current_dir(&root).output();
    fs::write(root.join("a.html"), PAGE).unwrap();
    fs::write(root.join("b.html"), "").unwrap();
    let is_set = |result: std::io::Result<std::process::Output>| result.is_ok_and(|output| output.status.success());
    if !is_set(run("setfattr", &["-n", "user.note", "-v", "kept", "a.html"])) {
        // Without the program, or on a file system without attributes, there is nothing to keep.
        return;
    }
    let has_list = is_set(run("setfacl", &["-m", "u:1:rw", "a.html"]));
    // New files of the folder have another list.
    let _ = run("setfacl", &["-d", "-m", "u:2:rw", "."]);
    let relref = env!("CARGO_BIN_EXE_relref");
    let runs: [&[&str]; 3] = [
        &["rewrite", "-q", "--in-place", "--to", "relative", "--base", "http://h/docs/", "a.html"],
        &["check", "-q", "--fix", "."],
        &["move", "-q", "--root", ".", "b.html", "c.html"],
    ];
    for args in runs {
        let before = fs::read_to_string(root.join("a.html")).unwrap();
        run(relref, args).unwrap();
        assert_ne!(fs::read_to_string(root.join("a.html")).unwrap(), before, "{args:?}");
        let text = |output: std::process::Output| String::from_utf8(output.stdout).unwrap();
        assert!(text(run("getfattr", &["-d", "a.html"]).unwrap()).contains("user.note=\"kept\""), "{args:?}");
        if has_list {
            let list = text(run("getfacl", &["-n", "a.html"]).unwrap());
            assert!(list.contains("user:1:rw-") && !list.contains("user:2:"), "{args:?} {list}");
        }
    }
}
