//! SIGINT and SIGTERM: the run ends in order, with totals and without temporary files.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use super::run::{names, page, path};
use crate::command::process::folder;

/// Sends a signal to a running command.
fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success());
}

/// Starts the command with the actions of signals that a terminal gives it: the tests may run in the background, where SIGINT is
/// ignored.
fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM", env!("CARGO_BIN_EXE_relref"), "links"]).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a condition holds, at most a minute.
#[track_caller]
fn wait_until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not hold");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a command that writes little to standard error. Returns what it writes there, the signal that ended it, and
/// its exit code.
fn end(mut child: Child) -> (String, Option<i32>, Option<i32>) {
    let mut text = String::new();
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() < Duration::from_secs(60) => std::thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill().unwrap();
                panic!("the command does not end");
            }
        }
    };
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (text, status.signal(), status.code())
}

/// Starts a run that has printed the links of one page and waits for more names of pages, with an output that exists.
fn start(root: &Path, args: &[&str]) -> (Child, ChildStdin) {
    let page_file = root.join("страница.html");
    fs::write(&page_file, page(1, 10)).unwrap();
    fs::write(root.join("out.tsv"), "older\n").unwrap();
    let mut child = spawn(&[&["--base=h:/", "--files-from=-"], args].concat());
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", path(&page_file)).unwrap();
    (child, stdin)
}

#[test]
fn a_signal_ends_the_run_in_order() {
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        for quiet in [false, true] {
            let root = folder(&format!("signal-{signal}-{quiet}"));
            let (out, rejected) = (root.join("out.tsv"), root.join("отвергнутые.tsv"));
            let quiet = if quiet { &["-q"][..] } else { &[] };
            let (child, stdin) =
                start(&root, &[&["--output", path(&out), "--rejected", path(&rejected)], quiet].concat());
            wait_until(|| names(&root).iter().filter(|name| name.starts_with(".relref-")).count() == 2);
            // The page is read by then.
            std::thread::sleep(Duration::from_millis(300));
            send(signal, &child);
            let (text, ended_by, _) = end(child);
            drop(stdin);
            assert_eq!(ended_by, Some(number), "{text}");
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines[0], format!("relref: stopped by SIG{signal} before the end of the inputs"), "{text}");
            assert_eq!(lines[1], format!("relref: {}: left as it was before the command", path(&out)));
            assert_eq!(lines[2], format!("relref: {}: left as it was before the command", path(&rejected)));
            assert_eq!(lines.len(), if quiet.is_empty() { 4 } else { 3 }, "{text}");
            assert!(quiet.len() == 1 || lines[3].starts_with("relref: 1 input, 1 page, 10 links, "), "{text}");
            assert_eq!(names(&root), ["out.tsv", "страница.html"]);
            assert_eq!(fs::read_to_string(&out).unwrap(), "older\n");
        }
    }
}

/// The printed links are whole lines, and stay.
#[test]
fn printed_links_stay() {
    let root = folder("signal-printed");
    let (mut child, stdin) = start(&root, &["--format=text"]);
    let mut stdout = child.stdout.take().unwrap();
    let mut start = [0; 4];
    stdout.read_exact(&mut start).unwrap();
    send("INT", &child);
    let (problems, ended_by, _) = end(child);
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!((start, rest.lines().count(), rest.ends_with("/9?q\n")), (*b"h:/1", 10, true), "{rest}");
    assert!(problems.contains(" 10 links, "), "{problems}");
    assert_eq!(ended_by, Some(2));
}

/// The output cannot be written, so the first signal waits. The second one does not, and also removes the temporary file.
#[test]
fn a_second_signal_ends_at_once() {
    let root = folder("signal-second");
    let large = root.join("large.html");
    fs::write(&large, "<a href='//h:x/'>".repeat(20_000)).unwrap();
    let out = root.join("out.tsv");
    let child = spawn(&["--base=h:/", "--output", path(&out), "--rejected=-", path(&large)]);
    wait_until(|| names(&root).len() == 2);
    std::thread::sleep(Duration::from_millis(500));
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    send("INT", &child);
    let (_, ended_by, _) = end(child);
    assert_eq!(ended_by, Some(2));
    assert_eq!(names(&root), ["large.html"]);
}

/// A shell lets its background jobs ignore SIGINT.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let root = folder("signal-ignored");
    let out = root.join("out.tsv");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' INT; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_relref"), "links", "-q", "--base=h:/"]);
    command.args(["--output", path(&out), "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    wait_until(|| names(&root).len() == 1);
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    stdin.write_all(b"<a href=x>").unwrap();
    drop(stdin);
    assert_eq!(end(child), (String::new(), None, Some(0)));
    assert!(fs::read_to_string(&out).unwrap().ends_with("\th:/x\n"));
}
