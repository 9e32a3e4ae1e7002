//! Tests on the vectors of the engine: answers are JSON, and nearly all are drawn.

use std::fs;

use relref::RuleSet;

use crate::answers;

/// Returns the bases and references of the tables of resolution.
fn pairs() -> Vec<(String, String)> {
    let folder = [env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/"].concat();
    let mut pairs = Vec::new();
    for file in ["rfc1630", "rfc1808", "rfc2396", "rfc3986", "more"] {
        let table = fs::read_to_string([&folder, file, ".tsv"].concat()).unwrap();
        for row in table.lines().skip(1) {
            let fields: Vec<&str> = row.split('\t').collect();
            pairs.push((fields[1].to_owned(), fields[2].to_owned()));
        }
    }
    let table = fs::read_to_string([&folder, "nested.tsv"].concat()).unwrap();
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        pairs.push(([fields[1], fields[2]].concat(), fields[3].to_owned()));
    }
    pairs.sort();
    pairs.dedup();
    pairs
}

#[test]
fn vectors_are_drawn() {
    let (mut drawn, mut others) = (0, Vec::new());
    for (base, reference) in pairs() {
        let json = answers::json(&base, &reference);
        for (rules, answer) in RuleSet::ALL.iter().zip(json.split("{\"name\":").skip(1)) {
            match answer.contains("\"drawing\":null") {
                true => others.push(format!("{rules}: {base} {reference}")),
                false => drawn += usize::from(answer.contains("\"drawing\":")),
            }
        }
    }
    // The engine's step keeps `f://a/` of the base, without the guard that the base has.
    assert_eq!(others, ["whatwg: f:/.//a/b g"]);
    assert!(drawn > 2000, "{drawn}");
}

/// Returns the text of a field, or an empty one.
fn field<'a>(answer: &'a str, name: &str) -> &'a str {
    answer.split_once(&format!("\"{name}\":\"")).map_or("", |(_, rest)| rest.split('"').next().unwrap())
}

#[test]
fn differences_have_reasons() {
    let mut count = 0;
    for (base, reference) in pairs() {
        let json = answers::json(&base, &reference);
        let answers: Vec<&str> = json.split("{\"name\":").skip(1).collect();
        let standard = field(answers[5], "uri");
        for answer in answers.into_iter().filter(|answer| !answer.contains("\"error\":")) {
            let differs = field(answer, "uri") != standard;
            let has_reason = !answer.contains("\"differences\":[]");
            assert_eq!(differs, has_reason, "{base} {reference}: {answer}");
            count += usize::from(differs && has_reason);
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn odd_texts() {
    let long = "/".repeat(20_000);
    let texts =
        ["", ":", "#", "?", "//", "é:", "日本", "\0\t\n\"\\", "a:", "http:", "http://[", "http:///\\..", "x:..", &long];
    for base in texts {
        for reference in texts {
            answers::json(base, reference);
            answers::json(&["http://h/", base].concat(), reference);
        }
    }
}

#[test]
fn quotation_marks_are_escaped() {
    let json = answers::json("x:\"\\\u{1}", "");
    assert!(json.contains(r#""uri":"x:\"\\\u0001""#), "{json}");
}

#[test]
fn long_input_has_a_short_answer() {
    let reference = "../".repeat(5_000);
    let base = ["http://h/", &"é/".repeat(5_000)].concat();
    let json = answers::json(&base, &reference);
    assert_eq!(json.matches("\"more_steps\":4901").count(), RuleSet::ALL.len());
    assert!(json.len() < 400_000, "{}", json.len());
}
