//! The tables in `tests/README.md` and `CONTRIBUTING.md` are true.
//!
//! `tests/README.md`: every number is there, and what it names as shown by is a test of this binary, a function in the tests of
//! `crates/`, or a row of a table that `engine::vectors` resolves. `CONTRIBUTING.md`: each row of the map uses only rows below it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Returns the full names of the tests in this binary.
fn tests() -> HashSet<String> {
    let listed = Command::new(env::current_exe().unwrap()).args(["--list", "--format", "terse"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    listed.lines().filter_map(|line| line.strip_suffix(": test")).map(String::from).collect()
}

/// Reports whether the tests of a package in `crates/` have the function with this name, such as `html::markup::kinds`.
fn is_test_of_crates(name: &str) -> bool {
    let Some((module, function)) = name.rsplit_once("::") else { return false };
    ["links", "cli"].iter().any(|package| {
        let file = format!("{}/crates/{package}/tests/{}.rs", env!("CARGO_MANIFEST_DIR"), module.replace("::", "/"));
        fs::read_to_string(file).is_ok_and(|code| code.contains(&format!("#[test]\nfn {function}() {{\n")))
    })
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
            if !name.is_some_and(|name| tests.contains(name) || is_test_of_crates(name) || is_row(name)) {
                bad.push(format!("{number}: {test}"));
            }
        }
    }
    assert!(bad.is_empty(), "neither tests nor rows:\n{}", bad.join("\n"));
}

/// The map of the gate has each step of its lanes, in their order.
#[test]
fn the_map_of_the_gate_is_complete() {
    let read = |file: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let steps: Vec<(String, &str)> = ["run", "nightly"]
        .into_iter()
        .flat_map(|lane| {
            let script = read(&format!(".ci/{lane}"));
            let names = script.lines().filter_map(|line| line.strip_prefix("step \"")?.split('"').next());
            names.map(|name| (name.to_owned(), lane)).collect::<Vec<_>>()
        })
        .collect();
    let map = read("CONTRIBUTING.md");
    let mut rows = map.lines().skip_while(|line| !line.starts_with("| step | lane |")).skip(2);
    for (name, lane) in steps {
        let row = rows.next().unwrap_or_default();
        assert!(row.starts_with(&format!("| {name} | {lane} | ")), "{row:?} is not for {name:?} of {lane}");
    }
    assert_eq!(rows.next(), Some(""));
}

/// Returns the source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Returns the modules of its library that the text of a source file names. A source file must name them directly, not by their
/// names in `lib.rs`, which is above them in the map. Not counted are those that a macro names by `$crate`.
fn used_modules(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains("$crate::"));
    lines
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|path| path.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap())
}

#[test]
fn each_row_of_the_map_uses_only_rows_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let places = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let rows: Vec<String> = places.map(|places| format!("`{places}")).collect();

    let mut bad = Vec::new();
    for library in ["crates/links/src", "src"] {
        let row = |module: &str| {
            let (folder, file) = (format!("`{library}/{module}/`"), format!("`{library}/{module}.rs`"));
            rows.iter().position(|row| row.contains(&folder) || row.contains(&file))
        };
        for path in sources(&root.join(library)) {
            let name = path.strip_prefix(root.join(library)).unwrap().to_str().unwrap();
            let module = name.split(['/', '\\', '.']).next().unwrap();
            if module == "lib" {
                continue;
            }
            let own = row(module).unwrap_or_else(|| panic!("{library}: {module} is not in the map"));
            for used in used_modules(&fs::read_to_string(&path).unwrap()) {
                if used != module && row(used).is_none_or(|row| row <= own) {
                    bad.push(format!("{library}/{name} uses {used}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "up the map of CONTRIBUTING.md:\n{}", bad.join("\n"));
}
