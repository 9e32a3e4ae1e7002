//! What others reported about their tools, as small inputs: the command does right what was wrong there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use relref_links::files::Walk;
use serde::Deserialize;
use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::command::measure::watch_child;
use crate::command::process::{finish, folder};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    source: String,
    about: String,
    /// Why the answer is right.
    reason: String,
    /// Written into the folder in which the command runs. A name with a slash at its end is that of a folder.
    #[serde(default)]
    files: BTreeMap<PathBuf, Bytes>,
    /// Symbolic links, with what they lead to.
    #[serde(default)]
    links: BTreeMap<PathBuf, PathBuf>,
    args: Vec<String>,
    #[serde(default)]
    stdin: Bytes,
    exit: Option<i32>,
    /// All of standard output.
    stdout: Option<String>,
    /// Its lines, in any order.
    stdout_lines: Option<Vec<String>>,
    /// The number of its lines.
    lines: Option<usize>,
    /// The page, the kind and the reference of each problem of a check, in any order.
    problems: Option<Vec<String>>,
    #[serde(default)]
    stdout_has: Vec<String>,
    #[serde(default)]
    stdout_lacks: Vec<String>,
    #[serde(default)]
    stderr_has: Vec<String>,
    #[serde(default)]
    stderr_lacks: Vec<String>,
    /// Files as they are then; `null` for none.
    #[serde(default)]
    after: BTreeMap<PathBuf, Option<Bytes>>,
    /// The most files and folders that there may be then.
    most_files: Option<usize>,
    /// The most memory that the command may take, in MiB.
    peak: Option<usize>,
    /// The longest time that it may take: much more than it does, so that only what grows faster than the input exceeds it.
    seconds: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Base64 {
        b64: String,
    },
    /// Texts, each with the number of its repetitions.
    Parts {
        parts: Vec<(String, usize)>,
    },
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::Text(String::new())
    }
}

impl Bytes {
    fn get(&self) -> Vec<u8> {
        match self {
            Bytes::Text(text) => text.clone().into_bytes(),
            Bytes::Base64 { b64 } => BASE64.decode(b64.as_bytes()).unwrap(),
            Bytes::Parts { parts } => {
                parts.iter().map(|(text, count)| text.repeat(*count)).collect::<String>().into_bytes()
            }
        }
    }
}

impl Case {
    /// Returns what is wrong.
    fn faults(&self, folder: &Path) -> Vec<String> {
        for (name, content) in &self.files {
            let path = folder.join(name);
            if name.to_str().unwrap().ends_with('/') {
                fs::create_dir_all(path).unwrap();
                continue;
            }
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content.get()).unwrap();
        }
        #[cfg(unix)]
        for (name, target) in &self.links {
            std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(&self.args).current_dir(folder).env("NO_COLOR", "1");
        let start = Instant::now();
        let output = finish(&mut command, &self.stdin.get());
        let time = start.elapsed();
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let code = output.status.code();
        let mut faults = Vec::new();
        if self.exit.is_some_and(|exit| Some(exit) != code) {
            faults.push(format!("exit {code:?}: {stderr}"));
        }
        faults.extend(self.excesses(folder, time, &mut command));
        if self.lines.is_some_and(|lines| lines != stdout.lines().count()) {
            faults.push(format!("standard output has {} lines", stdout.lines().count()));
        }
        let sorted = |mut lines: Vec<&str>| {
            lines.sort_unstable();
            lines.join("\n")
        };
        let is_other = |lines: &Vec<String>| {
            sorted(lines.iter().map(String::as_str).collect()) != sorted(stdout.lines().collect())
        };
        if self.stdout.as_ref().is_some_and(|text| *text != stdout) || self.stdout_lines.as_ref().is_some_and(is_other)
        {
            faults.push(format!("standard output is {stdout:?}"));
        }
        let field = |problem: &Value, name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        let short = |line: &str| {
            let problem: Value = serde_json::from_str(line).unwrap_or_default();
            ["page", "problem", "reference"].map(|name| field(&problem, name)).join(" | ")
        };
        if let Some(problems) = &self.problems {
            let found: Vec<String> = stdout.lines().map(short).collect();
            if sorted(found.iter().map(String::as_str).collect())
                != sorted(problems.iter().map(String::as_str).collect())
            {
                faults.push(format!("the problems are {found:?}"));
            }
        }
        for (name, content) in &self.after {
            let found = fs::read(folder.join(name)).ok();
            if found != content.as_ref().map(Bytes::get) {
                let found = found.map(|found| found.escape_ascii().to_string());
                faults.push(format!("{} is {found:?}", name.display()));
            }
        }
        for (parts, text, is_wanted) in [
            (&self.stdout_has, &stdout, true),
            (&self.stdout_lacks, &stdout, false),
            (&self.stderr_has, &stderr, true),
            (&self.stderr_lacks, &stderr, false),
        ] {
            let wrong = parts.iter().filter(|part| text.contains(*part) != is_wanted);
            faults.extend(wrong.map(|part| format!("{part:?} in {text:?} is {}", !is_wanted)));
        }
        faults
    }

    /// Returns what the command takes or leaves too much of. `command` runs again if its memory counts.
    fn excesses(&self, folder: &Path, time: Duration, command: &mut Command) -> Vec<String> {
        let mut found = Vec::new();
        let count = || Walk::new(folder).without_following().count();
        if let Some(count) = self.most_files.map(|most| (most, count())).filter(|(most, count)| count > most) {
            found.push(format!("there are {} files and folders", count.1));
        }
        if self.seconds.is_some_and(|seconds| time > Duration::from_secs(seconds)) {
            found.push(format!("it took {time:?}"));
        }
        #[cfg(target_os = "linux")]
        if let Some(most) = self.peak {
            let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let peak = watch_child(child, |_| ()).peak >> 10;
            if peak > most {
                found.push(format!("it took {peak} MiB"));
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (self.peak, command);
        found
    }
}

#[test]
fn resolution() {
    run(include_str!("../../../tests/vectors/reports/resolution.jsonl"), "reports-resolution");
}

#[test]
fn extraction() {
    run(include_str!("../../../tests/vectors/reports/extraction.jsonl"), "reports-extraction");
}

#[cfg(unix)]
#[test]
fn checking() {
    run(include_str!("../../../tests/vectors/reports/checking.jsonl"), "reports-checking");
}

#[cfg(unix)]
#[test]
fn rewriting() {
    run(include_str!("../../../tests/vectors/reports/rewriting.jsonl"), "reports-rewriting");
}

/// Attacks that need a script have tests of their own, in `.ci/memory` and in `.ci/linear`.
#[cfg(unix)]
#[test]
fn attacks() {
    run(include_str!("../../../tests/vectors/reports/attacks.jsonl"), "reports-attacks");
}

#[cfg(unix)]
#[test]
fn moving() {
    run(include_str!("../../../tests/vectors/reports/moving.jsonl"), "reports-moving");
}

/// Runs cases, which are lines of JSON, each in a folder of its own.
fn run(cases: &str, name: &str) {
    let root = folder(name);
    let mut faults = Vec::new();
    for case in cases.lines() {
        let case: Case = serde_json::from_str(case).unwrap();
        let folder = root.join(&case.id);
        fs::create_dir(&folder).unwrap();
        let wrong = case.faults(&folder);
        let Case { id, source, about, reason, .. } = &case;
        if !wrong.is_empty() {
            faults.push(format!("{id} ({source}): {about}\n  {}\n  {reason}", wrong.join("\n  ")));
        }
    }
    assert!(faults.is_empty(), "{} cases:\n{}", faults.len(), faults.join("\n"));
}
