//! Reads the table of `tests/README.md`: every number is there, and what it names as shown by is a test of this binary or a
//! row of a table that `engine::vectors` resolves.

use std::collections::HashSet;
use std::process::Command;
use std::{env, fs};

/// The full names of the tests in this binary.
fn tests() -> HashSet<String> {
    let listed = Command::new(env::current_exe().unwrap()).args(["--list", "--format", "terse"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    listed.lines().filter_map(|line| line.strip_suffix(": test")).map(String::from).collect()
}

/// Reports whether `FILE: BASE + REFERENCE = RESULT` is a row of that file.
fn is_row(text: &str) -> bool {
    let Some((file, row)) = text.split_once(": ") else { return false };
    let table = fs::read_to_string(format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap_or_default();
    table.lines().skip(1).any(|line| match line.split('\t').collect::<Vec<_>>()[..] {
        [_, base, reference, result, _] => row == format!("{base} + {reference} = {result}"),
        _ => false,
    })
}

#[test]
fn the_table_is_complete_and_true() {
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/README.md")).unwrap();
    let rows: Vec<(&str, &str)> = table
        .lines()
        .skip_while(|line| !line.starts_with("| number | "))
        .skip(1)
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .map(|(number, rest)| (number, rest.rsplit_once(" | ").unwrap_or_else(|| panic!("{number}: no test")).1))
        .collect();

    let numbers: Vec<&str> = rows.iter().map(|(number, _)| *number).collect();
    let mut expected: Vec<String> = (1..=138).map(|number| number.to_string()).collect();
    expected.insert(83, "83b".to_string());
    expected.extend((1..=8).map(|number| format!("D{number}")));
    assert_eq!(numbers, expected);

    let tests = tests();
    let mut bad = Vec::new();
    for (number, shown_by) in rows {
        if shown_by.strip_prefix("nothing: ").is_some_and(|why| why.len() > 10) {
            continue;
        }
        for test in shown_by.split(", ") {
            let name = test.strip_prefix('`').and_then(|test| test.strip_suffix('`'));
            if !name.is_some_and(|name| tests.contains(name) || is_row(name)) {
                bad.push(format!("{number}: {test}"));
            }
        }
    }
    assert!(bad.is_empty(), "neither tests nor rows:\n{}", bad.join("\n"));
}
