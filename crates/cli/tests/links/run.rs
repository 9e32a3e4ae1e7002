//! Runs `relref links` on pages that are made for a test.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::command::process::{folder, relref};

/// Runs `relref links --quiet` with a standard input. Returns its standard output, its standard error and its exit code.
pub fn links(args: &[&str], input: &[u8]) -> (String, String, i32) {
    let output = relref(&[&["links", "--quiet"], args].concat(), input);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (stdout, stderr, output.status.code().unwrap())
}

/// Returns a path as text, for an argument.
pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Returns a page with `count` links, and text between them. `name` makes the links differ from those of other pages.
pub fn page(name: usize, count: usize) -> String {
    (0..count).map(|link| format!("<p>text <a href='{name}/{link}?q'>more</a>")).collect()
}

/// Makes a folder with 400 pages, from empty ones to one of 6 MiB, and returns its path. `name` is the name of the folder.
pub fn pages(name: &str) -> std::path::PathBuf {
    let root = folder(name);
    for number in 0..400 {
        let count = if number == 7 { 160_000 } else { number * number % 700 };
        fs::write(root.join(format!("{number:03}.html")), page(number, count)).unwrap();
    }
    root
}

/// Starts `relref links` with pipes for its standard streams.
pub fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.arg("links").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Returns the names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}
