//! Several commands that change the files of one folder at once.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use relref_links::files::HeldFolder;

use super::process::folder;

const PAGE: &str = "<a href=B.html>b</a> <a href=http://h/docs/b.html>b</a>";

fn relref(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(args).current_dir(root);
    command
}

fn names(root: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names.into_iter().map(|name| name.into_string().unwrap()).collect()
}

fn new_site(root: &Path) {
    fs::create_dir_all(root.join("docs")).unwrap();
    fs::write(root.join("docs/a.html"), PAGE).unwrap();
    fs::write(root.join("docs/b.html"), "").unwrap();
}

#[test]
fn a_folder_in_which_another_changes_files_is_left_alone() {
    let root = folder("at-once-locked");
    new_site(&root);
    let staged = root.join("docs/.relref-aaaaaaaa.tmp");
    fs::write(&staged, "theirs").unwrap();
    let runs: [&[&str]; 4] = [
        &["move", "--root", ".", "docs/b.html", "docs/c.html"],
        &["check", "--fix", "."],
        &["rewrite", "--in-place", "--to", "relative", "--base", "http://h/", "."],
        &["rewrite", "--in-place", "--to", "relative", "--base", "http://h/docs/a.html", "docs/a.html"],
    ];
    // The folder itself, and one in it. For the files of that one, the first is a folder around it.
    for locked in [root.clone(), root.join("docs")] {
        let _lock = HeldFolder::open(&locked).unwrap().lock().unwrap();
        for args in runs {
            let output = relref(&root, args).output().unwrap();
            let (code, told) = (output.status.code(), String::from_utf8(output.stderr).unwrap());
            assert_eq!(code, Some(1), "{args:?} {told}");
            assert!(
                told.contains("another program, perhaps relref, has locked ") && told.contains("when it has ended"),
                "{told}"
            );
            assert_eq!(fs::read_to_string(root.join("docs/a.html")).unwrap(), PAGE, "{args:?}");
            assert_eq!(names(&root.join("docs")), [".relref-aaaaaaaa.tmp", "a.html", "b.html"], "{args:?}");
        }
        // A preview needs no lock.
        assert!(
            relref(&root, &["move", "--dry-run", "--root", ".", "docs/b.html", "docs/c.html"])
                .output()
                .unwrap()
                .status
                .success()
        );
    }
    for args in runs.into_iter().rev() {
        let output = relref(&root, args).output().unwrap();
        assert!(output.status.success(), "{args:?} {output:?}");
    }
    assert_eq!(names(&root.join("docs")), ["a.html", "c.html"]);
    assert_eq!(fs::read_to_string(root.join("docs/a.html")).unwrap(), "<a href=c.html>b</a> <a href=c.html>b</a>");
}

/// One of them does its work, and the other does all of it or nothing.
#[test]
fn two_moves_at_once_lose_nothing() {
    const PAGES: usize = 60;
    for round in 0..6 {
        let root = folder(&format!("at-once-{round}"));
        for number in 0..PAGES {
            fs::write(root.join(format!("{number}.md")), "[a](a.png) [b](b.png)").unwrap();
        }
        ["a.png", "b.png"].iter().for_each(|name| fs::write(root.join(name), "").unwrap());
        let moves = ["a", "b"].map(|name| {
            let [old, new] = [format!("{name}.png"), format!("images/{name}.png")];
            relref(&root, &["move", "-q", "--root", ".", &old, &new])
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        });
        let done: Vec<Output> = moves.into_iter().map(|running| running.wait_with_output().unwrap()).collect();
        assert!(done.iter().any(|output| output.status.success()), "{done:?}");
        let [a, b] = [("a", &done[0]), ("b", &done[1])].map(|(name, output)| match output.status.success() {
            true => format!("images/{name}.png"),
            false => format!("{name}.png"),
        });
        assert!(root.join(&a).exists() && root.join(&b).exists(), "{done:?}");
        for number in 0..PAGES {
            let page = fs::read_to_string(root.join(format!("{number}.md"))).unwrap();
            assert_eq!(page, format!("[a]({a}) [b]({b})"), "{done:?}");
        }
        assert!(!names(&root).iter().any(|name| name.starts_with(".relref-")), "{:?}", names(&root));
    }
}
