//! Memory that `resolve` takes.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::measure::watch_child;

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

/// Steps and results are written at once, not collected: a reference of a megabyte has half a million steps.
#[test]
fn explaining_takes_little_memory() {
    for (unit, count) in [("./", 500_000), ("a/../", 200_000), ("a/", 500_000)] {
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
            assert!(watched.written > 10_000_000 || !is_long, "{unit}, {args:?}: {} bytes", watched.written);
            assert!(watched.peak < 24 << 10, "{unit}, {args:?}: {} KiB", watched.peak);
        }
    }
}
