//! `relref check` on sites made to be hard: its memory, its messages, and what a terminal gets to see.

use std::fs;

use super::formats::check;
use crate::command::process::folder;

#[test]
fn nothing_controls_a_terminal() {
    let root = folder("check-terminal");
    fs::write(
        root.join("a\u{1b}[31m\n.html"),
        "<a href='x\u{1b}]0;t\u{7}\u{202e}&#13;.html'><a href='#\u{9b}1m'><a href='http://[\u{1b}[2J'><a href='B.html#\u{1b}\u{202e}'>",
    )
    .unwrap();
    fs::write(root.join("b.html"), "\u{7f}ELF\0").unwrap();
    for format in ["text", "jsonl", "github", "gitlab", "sarif", "junit"] {
        let (text, messages, code) = check(&root, &["--format", format]);
        assert_eq!(code, 1);
        let is_unsafe = |c: char| c.is_control() && c != '\n' || ('\u{2028}'..='\u{202e}').contains(&c);
        assert!(!text.contains(is_unsafe) && !messages.contains(is_unsafe), "{format}: {text:?} {messages:?}");
        // A line break in a name ends no line.
        assert!(!text.lines().any(|line| line.starts_with(".html")), "{format}: {text:?}");
    }
    let (text, _, _) = check(&root, &["--fix", "--dry-run"]);
    assert!(
        text.contains(": B.html#") && text.lines().count() == 1 && !text.trim_end().contains(char::is_control),
        "{text:?}"
    );
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
    for format in ["text", "github", "gitlab", "sarif", "junit"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(["check", "-q", "--format", format, path]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let peak = watch_child(child, |_| ()).peak;
        assert!(peak < 40 << 10, "{format}: {peak} KiB");
    }
    fs::write(root.join("a.html"), "<a href='#no'>x</a>".repeat(30_000)).unwrap();
    let (text, _, _) = check(&root, &["-q"]);
    assert_eq!(
        text,
        "missing-fragment a.html#no: 1 page links to it\n    a.html:1:10, 1:29, 1:48, 1:67, 1:86, 1:105, 1:124, 1:143, 1:162, 1:181, …\n"
    );
    let (text, _, _) = check(&root, &["-q", "--format", "sarif"]);
    assert!(text.contains("5000 more problems are left out"));
}

/// What a problem has is as long as the page says.
#[cfg(target_os = "linux")]
#[test]
fn long_problems_take_little_memory() {
    use std::process::{Command, Stdio};

    use crate::command::measure::watch_child;

    let root = folder("check-long");
    let base = format!("<base href='/{}/'>", "a".repeat(1_000_000));
    let links: String = (0..1000).map(|number| format!("<a href=x{number}><a href=y{number}/>")).collect();
    fs::write(root.join("a.html"), base + &links).unwrap();
    for args in [&["--format", "text"][..], &["--format", "junit"], &["--report", "/dev/null"], &["--threads", "16"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(["check", "-q"]).args(args).arg(&root);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let peak = watch_child(child, |_| ()).peak;
        assert!(peak < 150 << 10, "{args:?}: {peak} KiB");
    }
}

#[test]
fn no_output_replaces_an_input_or_another_output() {
    let root = folder("check-outputs");
    let page = root.join("a.html");
    fs::write(&page, "<a href=b>mine").unwrap();
    let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let (site, page, new) = (text(&root), text(&page), text(&root.join("new.html")));
    for args in [
        &["--report", &page][..],
        &["--write-baseline", &page],
        &["--report", &new, "--write-baseline", &new],
        &["--report", &new, "--write-baseline", &text(&root.join("./new.html"))],
    ] {
        let args = [&["check", "-q"], args, &[&site]].concat();
        let output = crate::command::process::relref(&args, b"");
        let messages = String::from_utf8(output.stderr).unwrap();
        assert!(messages.contains("it is also ") && output.status.code() == Some(1), "{args:?}: {messages}");
        assert!(!std::path::Path::new(&new).exists() && fs::read(&page).unwrap() == b"<a href=b>mine", "{args:?}");
    }
    // An earlier report is replaced, although it is in the site.
    for _ in 0..2 {
        crate::command::process::relref(&["check", "-q", "--report", &new, &site], b"");
        assert!(fs::read_to_string(&new).unwrap().contains("a.html:1:9"));
    }
}

/// A name before a colon would be a scheme.
#[cfg(unix)]
#[test]
fn names_with_colons_are_relative_in_sarif() {
    let root = folder("check-colon");
    fs::write(root.join("a:b.html"), "<a href=x>").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_relref"));
    let output = command.args(["check", "-q", "--format", "sarif", "."]).current_dir(&root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\"uri\":\"./a:b.html\""), "{text}");
}

#[cfg(unix)]
#[test]
fn a_compressed_page_that_cannot_be_stored_is_told() {
    use std::io::Read;

    let root = folder("check-storage");
    let (mut page, mut zeros) = (Vec::new(), std::io::repeat(b' ').take(3 << 20));
    zeros.read_to_end(&mut page).unwrap();
    page.splice(..0, *b"<!DOCTYPE html><a href=b>");
    fs::write(root.join("a.html.gz"), crate::archive::made::gzip(&page)).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["check", "-q"]).arg(&root).env("TMPDIR", "/nonexistent");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("a.html.gz: "));
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
