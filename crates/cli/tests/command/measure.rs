//! Measures the command while it runs.

use std::fs;
use std::io::{Read, Write};
use std::process::Child;

/// Measurements of a command.
pub struct Watched {
    /// The most memory that the command took, in KiB.
    pub peak: usize,
    /// The number of system calls by which the command read.
    pub reads: usize,
    /// The number of bytes that the command wrote to standard output.
    pub written: u64,
    /// The text that the command wrote to standard error.
    pub problems: String,
    /// The exit code. `None` if a signal ended the command.
    pub code: Option<i32>,
}

/// Measures a running command whose standard input and output are pipes, and waits until it ends. `input` writes to the standard
/// input of the command.
pub fn watch_child(mut child: Child, input: impl FnOnce(&mut dyn Write) + Send + 'static) -> Watched {
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input(&mut stdin));
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap());
    let process = child.id();
    let number = |file: &str, name: &str| -> Option<usize> {
        let text = fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
        text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
    };
    // Also here: a command with much to tell waits until it is read.
    let mut stderr = child.stderr.take();
    let problems = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.as_mut().map_or(Ok(0), |stderr| stderr.read_to_string(&mut text)).unwrap();
        text
    });
    let (mut peak, mut reads) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        peak = number("status", "VmHWM:").unwrap_or(peak);
        reads = number("io", "syscr:").unwrap_or(reads);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    writer.join().unwrap();
    let code = child.wait().unwrap().code();
    Watched { peak, reads, written: reader.join().unwrap(), problems: problems.join().unwrap(), code }
}
