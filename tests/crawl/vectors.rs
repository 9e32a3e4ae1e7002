//! The tables of `tests/vectors` that are about crawling, row by row.

use std::fs;
use std::path::Path;

use relref::crawl::{Change, Normalizer};

/// Returns the normalizer that a row names: a preset, then changes after `+` or `-`. The list of names for `keep-only` follows it
/// as `keep-only=a,b`, and so does that of parameters to drop after `drop-param`.
pub fn normalizer(names: &str) -> Normalizer {
    let mut names = names.split(' ');
    let none = || Change::ALL.iter().fold(Normalizer::safe(), |normalizer, change| normalizer.without(*change));
    let preset = match names.next() {
        Some("safe") => Normalizer::safe(),
        Some("crawl") => Normalizer::crawl(),
        Some("none") => none(),
        preset => panic!("{preset:?}"),
    };
    names.fold(preset, |normalizer, name| match name.split_at(1) {
        ("+", name) => match name.split_once('=') {
            Some(("keep-only", list)) => normalizer.keep_only(list.split(',')),
            Some(("drop-param", list)) => list.split(',').fold(normalizer, Normalizer::drop_param),
            _ => normalizer.with(name.parse().unwrap()),
        },
        ("-", name) => normalizer.without(name.parse().unwrap()),
        _ => panic!("{name}"),
    })
}

/// A row: its file and line, the changes, the input and the expected form.
type Row = (String, String, String, String);

/// Returns the rows of a table, without those that need a feature that is off.
fn rows(name: &str) -> Vec<Row> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    let text = fs::read_to_string(file).unwrap();
    let row = |(at, line): (usize, &str)| match line.split('\t').collect::<Vec<_>>()[..] {
        [changes, input, expected] => (format!("{name}:{}", at + 1), changes.into(), input.into(), expected.into()),
        _ => panic!("{name}:{}: not three fields", at + 1),
    };
    let rows = text.lines().enumerate().skip(1).map(row);
    rows.filter(|(_, changes, input, _): &Row| cfg!(feature = "idna") || !needs_idna(changes, input)).collect()
}

/// Reports whether a row may need A-labels.
fn needs_idna(changes: &str, input: &str) -> bool {
    changes.contains("idna") || !input.is_ascii() || input.contains("%C3%BC")
}

#[test]
fn every_row() {
    let mut failures = Vec::new();
    let tables = ["crawl.tsv", "crawl-unchanged.tsv"];
    let rows: Vec<_> = tables.into_iter().flat_map(rows).collect();
    assert!(rows.len() > 150, "only {} rows", rows.len());
    for (place, changes, input, expected) in rows {
        let normalizer = normalizer(&changes);
        match normalizer.normalize(&input) {
            Ok(form) if form == expected => {
                let again = normalizer.normalize(&form);
                if again.as_deref() != Ok(&form) {
                    failures.push(format!("{place}: {form} again is {again:?}"));
                }
            }
            form => failures.push(format!("{place}: {changes}: {input} is {form:?}, not {expected}")),
        }
    }
    assert!(failures.is_empty(), "{} rows fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_key() {
    for (place, changes, input, expected) in rows("surt.tsv") {
        let mut key = String::from("<");
        normalizer(&changes).surt_into(&input, &mut key).unwrap();
        assert_eq!(key, format!("<{expected}"), "{place}: {changes}: {input}");
    }
}

/// A row has the URI, its host and its domain. Of two that can be fetched, one is in the scope of the other if these are the same.
#[cfg(all(feature = "idna", feature = "psl"))]
#[test]
fn every_host_and_domain() {
    use relref::crawl::{Key, Scope};

    let rows = rows("hosts.tsv");
    assert!(rows.len() > 30);
    let [any, host, domain] = [Scope::new(), Scope::new().same_host(), Scope::new().same_domain()];
    let fetched = rows.iter().filter(|row| any.check(&row.1, "").is_ok() && !row.1.starts_with("file:"));
    let fetched: Vec<_> = fetched.collect();
    for (one, other) in fetched.iter().flat_map(|one| fetched.iter().map(move |other| (one, other))) {
        assert_eq!(host.check(&one.1, &other.1).is_ok(), one.2 == other.2, "{} {}", one.1, other.1);
        assert_eq!(domain.check(&one.1, &other.1).is_ok(), one.3 == other.3, "{} {}", one.1, other.1);
    }
    for (place, uri, host, domain) in rows {
        for normalizer in [Normalizer::new(), Normalizer::safe(), Normalizer::crawl()] {
            for (kind, expected) in [(Key::Host, &host), (Key::Domain, &domain)] {
                let mut key = String::from("<");
                kind.append(&normalizer, &uri, &mut key).unwrap();
                assert_eq!(key, format!("<{expected}"), "{place}: {kind} of {uri}, {normalizer:?}");
            }
        }
    }
}

/// Every change is in some row, and changes something there.
#[test]
fn every_change_has_a_row() {
    let rows = rows("crawl.tsv");
    for change in Change::ALL {
        let shows = |(_, changes, input, expected): &Row| {
            let on = normalizer(changes);
            on.has(*change) && on.without(*change).normalize(input).unwrap() != *expected
        };
        assert!(rows.iter().any(shows), "{change}");
    }
}
