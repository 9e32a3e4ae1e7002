//! `relref check` on sites made to be hard: its memory, its messages, and what a terminal gets to see.

use std::fs;

use super::formats::check;
use crate::command::process::folder;

#[test]
fn nothing_controls_a_terminal() {
    let root = folder("check-terminal");
    fs::write(
        root.join("a\u{1b}[31m\n.html"),
        "<a href='x\u{1b}]0;t\u{7}\u{202e}&#13;.html'><a href='#\u{9b}1m'><a href='http://[\u{1b}[2J'>",
    )
    .unwrap();
    fs::write(root.join("b.html"), "\u{7f}ELF\0").unwrap();
    for format in ["text", "jsonl", "github", "sarif", "junit"] {
        let (text, messages, code) = check(&root, &["--format", format]);
        assert_eq!(code, 1);
        let is_unsafe = |c: char| c.is_control() && c != '\n' || ('\u{2028}'..='\u{202e}').contains(&c);
        assert!(!text.contains(is_unsafe) && !messages.contains(is_unsafe), "{format}: {text:?} {messages:?}");
        // A line break in a name ends no line.
        assert!(!text.lines().any(|line| line.starts_with(".html")), "{format}: {text:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn very_many_links_to_one_missing_id_take_little_memory() {
    use std::process::{Command, Stdio};

    use crate::command::measure::watch_child;

    let root = folder("check-many");
    fs::write(root.join("a.html"), "<a href='#no'>x</a>".repeat(300_000)).unwrap();
    fs::write(
        root.join("b.html"),
        ["<p id=\"", &"x".repeat(3 << 20), "\"><a href='#", &"x".repeat(3 << 20), "'>y</a>"].concat(),
    )
    .unwrap();
    let path = root.to_str().unwrap();
    for format in ["text", "github", "sarif", "junit"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(["check", "-q", "--format", format, path]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let peak = watch_child(child, |_| ()).peak;
        assert!(peak < 40 << 10, "{format}: {peak} KiB");
    }
    fs::write(root.join("a.html"), "<a href='#no'>x</a>".repeat(30_000)).unwrap();
    let (text, _, _) = check(&root, &["-q"]);
    assert_eq!(text, "missing-fragment a.html#no: 1 page links to it\n    a.html:1:10\n");
    let (text, _, _) = check(&root, &["-q", "--format", "sarif"]);
    assert!(text.contains("5000 more problems are left out"));
}

/// Each target is another one.
#[test]
fn many_targets_are_counted() {
    let root = folder("check-targets");
    let page: String =
        (0..100_000).map(|number| format!("<a href=missing-file-with-a-long-name-{number}>x</a>")).collect();
    fs::write(root.join("a.html"), page).unwrap();
    let (text, _, code) = check(&root, &["-q", "--report", "report.html"]);
    let last = text.lines().last().unwrap();
    assert!(code == 1 && last.ends_with(" more problems are left out: --format jsonl prints all"), "{last}");
    assert!(text.len() < 16 << 20);
    assert!(fs::metadata(root.join("report.html")).unwrap().len() < 24 << 20);
    let (text, _, _) = check(&root, &["-q", "--format", "jsonl"]);
    assert_eq!(text.lines().count(), 100_000);
}
