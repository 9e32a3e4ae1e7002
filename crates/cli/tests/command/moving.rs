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
