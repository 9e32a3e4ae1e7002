//! Markdown in `relref links`, `check` and `rewrite`, by the cases of tests/vectors/markdown.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command::process::folder;

const CASES: &str = include_str!("../../../tests/vectors/markdown/cases.jsonl");

fn write_files(root: &Path, files: &Value) {
    for (name, content) in files.as_object().unwrap() {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let bytes = match &content["latin1"] {
            Value::String(text) => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(),
            _ => content.as_str().unwrap().as_bytes().to_vec(),
        };
        fs::write(path, bytes).unwrap();
    }
}

/// A problem as the cases have it.
fn problem(line: &str) -> String {
    let problem: Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| match &problem[name] {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    ["page", "line", "column", "problem", "reference"].map(text).join(" | ")
}

#[test]
fn markdown_is_read_as_the_cases_say() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let root = folder("markdown-case");
        write_files(&root, &case["files"]);
        if case["git"] == true {
            fs::create_dir(root.join(".git")).unwrap();
        }
        let args: Vec<&str> = case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_relref")).args(&args).current_dir(&root).output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let mut lines: Vec<String> = stdout.lines().map(str::to_owned).collect();
        if args[0] == "check" {
            lines = lines.iter().map(|line| problem(line)).collect();
        }
        lines.sort_unstable();
        let mut is_right = output.status.code().map(i64::from) == case["exit"].as_i64();
        if let Some(expected) = case["stdout_lines"].as_array() {
            let mut expected: Vec<&str> = expected.iter().map(|line| line.as_str().unwrap()).collect();
            expected.sort_unstable();
            is_right &= lines == expected;
        }
        is_right &= case["stdout"].as_str().is_none_or(|expected| stdout == expected);
        if !is_right {
            wrong.push(format!("{}: {stdout}{}", case["id"], String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
