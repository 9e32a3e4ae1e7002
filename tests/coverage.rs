//! Reads the table of `tests/README.md`: every number is there, and every test it names exists.

use std::fs;
use std::path::Path;

#[test]
fn the_table_is_complete_and_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let table = fs::read_to_string(folder.join("README.md")).unwrap();
    let modules = fs::read_to_string(folder.join("main.rs")).unwrap();
    let rows: Vec<(&str, &str)> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .filter(|(number, _)| *number != "number")
        .map(|(number, rest)| (number, rest.rsplit_once(" | ").unwrap_or_else(|| panic!("{number}: no test")).1))
        .collect();

    let numbers: Vec<&str> = rows.iter().map(|(number, _)| *number).collect();
    let mut expected: Vec<String> = (1..=138).map(|number| number.to_string()).collect();
    expected.insert(83, "83b".to_string());
    expected.extend((1..=8).map(|number| format!("D{number}")));
    assert_eq!(numbers, expected);

    let mut bad = Vec::new();
    for (number, tests) in rows {
        if tests.strip_prefix("nothing: ").is_some_and(|why| why.len() > 10) {
            continue;
        }
        for test in tests.split(", ") {
            let name = test.strip_prefix('`').and_then(|test| test.strip_suffix('`'));
            let known = name.and_then(|name| name.split_once("::")).is_some_and(|(module, function)| {
                let source = fs::read_to_string(folder.join(module).with_extension("rs")).unwrap_or_default();
                // A test of its own, or a law in `quickcheck!`, in a module of the binary.
                let is_test = ["#[test]\nfn ", "\n    fn "].map(|before| format!("{before}{function}("));
                modules.contains(&format!("mod {module};")) && is_test.iter().any(|test| source.contains(test))
            });
            if !known {
                bad.push(format!("{number}: {test}"));
            }
        }
    }
    assert!(bad.is_empty(), "no such tests:\n{}", bad.join("\n"));
}
