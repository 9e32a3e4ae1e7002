//! `relref move`.

use std::fs;
use std::process::Command;

use super::process::folder;

/// Not the current folder, which may be that of all files.
#[test]
fn the_root_is_the_work_tree_of_what_is_moved() {
    let root = folder("move-root");
    let (tree, other) = (root.join("tree"), root.join("other"));
    fs::create_dir_all(tree.join(".git")).unwrap();
    fs::create_dir_all(tree.join("docs")).unwrap();
    fs::create_dir_all(other.join(".git")).unwrap();
    fs::write(tree.join("a.md"), "[b](docs/b.md)").unwrap();
    fs::write(tree.join("docs/b.md"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.current_dir(&other).arg("move").args([tree.join("docs/b.md"), tree.join("c.md")]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(tree.join("a.md")).unwrap(), "[b](c.md)");
}

/// Also if nothing else is printed.
#[test]
fn what_cannot_be_rewritten_is_told() {
    let root = folder("move-unwritable");
    // A dot at its end would be no part of a bare address.
    fs::write(root.join("a.md"), "http://h/b.md").unwrap();
    fs::write(root.join("b.md"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    let output =
        command.current_dir(&root).args(["move", "-q", "--root=.", "--base=http://h/", "b.md", "c."]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && told.contains("1 reference: cannot be written in its place"), "{told}");
}

/// `move` and `check --fix` show the same things alike, and say so with a diff, too.
#[test]
fn previews_are_alike() {
    let root = folder("move-previews");
    fs::write(root.join("a.md"), "[b](b.md) [b](B.md)\n").unwrap();
    fs::write(root.join("b.md"), "").unwrap();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_relref")).current_dir(&root).args(args).output().unwrap();
        assert!(output.status.code() != Some(2), "{output:?}");
        let [out, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (out, told.lines().next().unwrap_or_default().to_owned())
    };
    let (fix, rename) = (["check", "--fix", "."], ["move", "--root=.", "b.md", "c.md"]);
    let told = "relref: 1 reference would change in 1 file";
    let diff = |new: &str| format!("-[b](b.md) [b](B.md)\n+[b]({new}\n");
    for (command, text, line, changed) in [
        (&fix[..], "a.md:1:15: B.md -> b.md\n", r#""old":"B.md","new":"b.md"}"#, diff("b.md) [b](b.md)")),
        (&rename, "b.md -> c.md\na.md: 1 reference\n", r#""old":"b.md","new":"c.md"}"#, diff("c.md) [b](B.md)")),
    ] {
        let run = |options: &[&str]| run(&[command, options].concat());
        assert_eq!(run(&["--dry-run"]), (text.to_owned(), told.to_owned()));
        let (lines, summary) = run(&["--dry-run", "--format=jsonl"]);
        assert!(lines.starts_with(r#"{"page":"a.md","line":1,"column":"#) && lines.contains(line), "{lines}");
        assert_eq!(summary, told);
        let (shown, summary) = run(&["--dry-run", "--diff"]);
        assert!(shown.contains(&changed), "{shown}");
        assert_eq!((shown, summary), run(&["--diff"]));
    }
    let (out, told) = run(&fix);
    assert_eq!(
        (out.as_str(), told.as_str()),
        ("a.md:1:15: B.md -> b.md\n", "relref: 1 reference changed in 1 file, 0 problems left")
    );
    let (out, told) = run(&rename);
    assert_eq!(
        (out.as_str(), told.as_str()),
        ("b.md -> c.md\na.md: 2 references\n", "relref: 2 references changed in 1 file")
    );
}
