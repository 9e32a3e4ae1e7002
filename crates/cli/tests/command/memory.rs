//! Memory that `resolve` and other commands take for a long line.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::measure::watch_child;
use super::process::relref;

/// `resolve` takes little memory for a stream of 64 MB with one line of 2 MB in it.
#[test]
fn pairs_take_constant_memory() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["resolve", "--pairs"]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = b"http://h/a/b\t../c\n".repeat(50_000);
    stdin.write_all(format!("http://h/\t{}\n", "x".repeat(2 << 20)).as_bytes()).unwrap();
    let peak = |child: &std::process::Child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    (0..5).for_each(|_| stdin.write_all(&block).unwrap());
    let early = peak(&child);
    (0..70).for_each(|_| stdin.write_all(&block).unwrap());
    let late = peak(&child);
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(late < 32 << 10 && late <= early + 1024, "{early} KiB, then {late} KiB");
}

/// Steps and results are written at once, not collected: a reference of 340 KB has 170,000 steps.
#[test]
fn explaining_takes_little_memory() {
    for (unit, count) in [("./", 170_000), ("a/../", 70_000), ("a/", 170_000)] {
        for args in [&["--json"] as &[_], &["--explain"], &["--explain", "--json"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
            command.arg("resolve").args(args).arg("http://h/a/b");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let input = unit.repeat(count);
            let watched = watch_child(command.spawn().unwrap(), move |stdin| {
                stdin.write_all(input.as_bytes()).unwrap();
            });
            assert_eq!(watched.code, Some(0), "{unit}, {args:?}");
            assert!(watched.written > (unit.len() * count) as u64, "{unit}, {args:?}: {} bytes", watched.written);
            let is_long = unit != "a/" && args.contains(&"--explain");
            assert!(watched.written > 3_000_000 || !is_long, "{unit}, {args:?}: {} bytes", watched.written);
            assert!(watched.peak < 16 << 10, "{unit}, {args:?}: {} KiB", watched.peak);
        }
    }
}

/// One line of 256 KiB takes little memory, whatever it has: lists of what was found are bounded.
#[test]
fn a_long_line_takes_little_memory() {
    let whatwg = ["resolve", "--explain", "--rules", "whatwg", "http://h/a/b"];
    let commands: &[(&[&str], &[&str])] = &[
        (&["inspect"], &["http://h/x", "ftp://h/x", "prospero://h/x"]),
        (&["inspect", "--rules=whatwg"], &["http://h/x", "data:x"]),
        (&["inspect", "--json"], &["http://h/x", "ftp://h/x", "prospero://h/x"]),
        (&whatwg, &["x", "http://h/?x"]),
        (&[&whatwg[..], &["--json"]].concat(), &["x", "http://h/?x"]),
        (&["normalize", "--explain"], &["http://h/x", "http://h/?x"]),
        (&["normalize", "--explain", "--json"], &["http://h/x", "http://h/?x"]),
        (&["normalize", "--explain", "--rules", "whatwg"], &["http://h/x"]),
        (&["normalize", "--iri"], &["http://h/x", "http://xn--x"]),
        (&["validate"], &["http://h/x", "http://[::x"]),
        (&["validate", "--json"], &["http://h/x"]),
        (&["unwrap"], &["<http://h/x"]),
    ];
    for (args, starts) in commands {
        for start in *starts {
            for unit in ["\t", "\0", "\\", "%", "../", ";", "é"] {
                let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
                // A message can be as long as the line, and nobody reads it.
                command.args(*args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
                let input = [start, &*unit.repeat((256 << 10) / unit.len()), "x\n"].concat();
                let watched = watch_child(command.spawn().unwrap(), move |stdin| {
                    stdin.write_all(input.as_bytes()).unwrap();
                });
                assert!(watched.peak < 24 << 10, "{args:?}, {start}, {unit:?}: {} KiB", watched.peak);
                assert!(watched.written < 12 << 20, "{args:?}, {start}, {unit:?}: {} bytes", watched.written);
            }
        }
    }
}

/// Items that are left out are counted.
#[test]
fn what_is_left_out_is_counted() {
    let lines = |args: &[&str], input: &str| String::from_utf8(relref(args, input.as_bytes()).stdout).unwrap();
    let nuls = format!("http://h/{}", "\0".repeat(2500));
    let text = lines(&["inspect"], &nuls);
    assert_eq!(text.matches("beware").count(), 1001);
    assert!(text.ends_with("beware     and 1500 more\n"), "{}", &text[text.len() - 100..]);
    let object: serde_json::Value = serde_json::from_str(&lines(&["inspect", "--json"], &nuls)).unwrap();
    assert_eq!(object["warnings"].as_array().unwrap().len(), 1000);
    assert_eq!(object["left_out"], serde_json::json!({ "warnings": 1500 }));
    let folders = format!("ftp://h/{}", "я/".repeat(2500));
    let text = lines(&["inspect"], &folders);
    assert!(text.contains("\ncwd        я\ncwd        and 1500 more\n"), "{}", &text[text.len() - 200..]);
    let object: serde_json::Value = serde_json::from_str(&lines(&["inspect", "--json"], &folders)).unwrap();
    assert_eq!(object["parts"]["cwd"].as_array().unwrap().len(), 1000);
    assert_eq!(object["left_out"], serde_json::json!({ "cwd": 1500 }));

    let reference = "日/%/".repeat(2500);
    let text = lines(&["resolve", "--explain", "--rules", "whatwg", "http://h/"], &reference);
    assert!(text.contains("\n  and 1501 more steps\n  and 1500 more validation errors\nhttp://h/%E6"), "{text}");
    let args = ["resolve", "--explain", "--json", "--rules", "whatwg", "http://h/"];
    let object: serde_json::Value = serde_json::from_str(&lines(&args, &reference)).unwrap();
    assert_eq!(object["steps"].as_array().unwrap().len(), 1000);
    assert_eq!(object["left_out"], serde_json::json!({ "steps": 1501, "encoded": 1500, "errors": 1500 }));
}
