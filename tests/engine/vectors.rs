//! The tables of `tests/vectors` about resolving, row by row.

use std::fs;
use std::path::Path;

use relref::{Base, Rules};

/// Returns the rule set that a row names. A suffix names what a document permits besides its own rules.
fn rules(name: &str) -> Rules {
    match name {
        "rfc2396-lenient" => Rules { drop_surplus: true, ..Rules::RFC2396 },
        "rfc2396-compat" => Rules::RFC2396.lenient(),
        "rfc3986-nonstrict" => Rules::RFC3986.lenient(),
        name => name.parse().unwrap_or_else(|error| panic!("{name}: {error}")),
    }
}

#[test]
fn every_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tsv"));
    files.sort();
    let (mut rows, mut failures) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // The other tables are not about resolving.
        if !text.starts_with("rules\t") {
            continue;
        }
        for (at, line) in text.lines().enumerate().skip(1) {
            let place = format!("{}:{}", file.file_name().unwrap().to_string_lossy(), at + 1);
            let [names, base, reference, expected, source] =
                line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("{place}: not five fields"));
            for name in names.split(' ') {
                rows += 1;
                let base = Base::new(base, rules(name)).unwrap_or_else(|error| panic!("{place}: {error}"));
                let result = base.resolve(reference).to_string();
                if result != expected {
                    failures
                        .push(format!("{place}: {name}: {base} + {reference} = {result}, not {expected} ({source})"));
                }
            }
        }
    }
    assert!(rows > 300, "only {rows} rows were found");
    assert!(failures.is_empty(), "{} of {rows} rows fail:\n{}", failures.len(), failures.join("\n"));
}
