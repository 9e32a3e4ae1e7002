//! Runs the command, and measures it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs the command with these arguments and this standard input. Returns its output and exit status.
pub fn relref(args: &[&str], input: &[u8]) -> Output {
    finish(Command::new(env!("CARGO_BIN_EXE_relref")).args(args), input)
}

/// Runs a command with this standard input. Returns its output and exit status.
pub fn finish(command: &mut Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may stop reading early.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs the command, and checks that it writes these texts to standard output and standard error, and returns this exit code.
#[track_caller]
pub fn expect(args: &[&str], input: &[u8], stdout: &str, stderr: &str, code: i32) {
    let output = relref(args, input);
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{args:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{args:?}");
    assert_eq!(output.status.code(), Some(code), "{args:?}");
}

/// Makes an empty folder for the files of one test, and returns its path.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
