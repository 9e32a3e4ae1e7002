//! `relref::whatwg` agrees with ada on random pairs, on the tables of `tests/vectors`, and with the tables that ada carries: a newer
//! ada has newer ones.
//!
//! `QUICKCHECK_TESTS=10000000 cargo test --release --manifest-path benches/compare/Cargo.toml --test whatwg` tries ten million.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use quickcheck::quickcheck;
use relref::whatwg::{Base, Error, Url};
use serde_json::Value;

#[path = "../../../tests/whatwg/inputs.rs"]
mod inputs;

use inputs::Pair;

fn parse(url: &str) -> Result<String, Error> {
    Url::parse(url).map(String::from)
}

fn ada(reference: &str, base: Option<&str>) -> Option<String> {
    ada_url::Url::parse(reference, base).ok().map(|url| url.href().to_string())
}

quickcheck! {
    fn ada_resolves_the_same(pair: Pair) -> bool {
        let ours = Base::new(&pair.base).ok().and_then(|base| base.resolve(&pair.reference).ok());
        let theirs = ada(&pair.reference, Some(&pair.base));
        assert_eq!(ours, theirs, "{pair:?}");
        true
    }

    fn ada_parses_the_same(pair: Pair) -> bool {
        for url in [&pair.base, &pair.reference] {
            assert_eq!(parse(url).ok(), ada(url, None), "{url:?}");
        }
        true
    }
}

fn relref(reference: &str, base: Option<&str>) -> Option<String> {
    match base {
        Some(base) => Base::new(base).ok()?.resolve(reference).ok(),
        None => parse(reference).ok(),
    }
}

/// An input, its base, and the serialized URL; `None` for a failure.
type Case = (String, Option<String>, Option<String>);

/// Reads a table in `tests/vectors/whatwg`.
fn table(name: &str) -> Vec<Case> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/whatwg").join(name);
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn ada_agrees_on_our_tables() {
    for name in ["urltestdata.jsonl", "more.jsonl"] {
        let cases = table(name);
        let differ = |case: &&Case| ada(&case.0, case.1.as_deref()) != case.2;
        let different: Vec<_> = cases.iter().filter(differ).collect();
        assert!(different.is_empty(), "{name}: {different:#?}");
        assert!(cases.len() > 800, "{name}");
    }
}

/// Returns the folder of ada's copies of the tables of web-platform-tests.
fn copies() -> PathBuf {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let arguments = ["metadata", "--format-version=1", "--locked", "--manifest-path", manifest];
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ada = packages.iter().find(|package| package["name"] == "ada-url").unwrap();
    PathBuf::from(ada["manifest_path"].as_str().unwrap()).with_file_name("tests/wpt")
}

#[test]
fn the_tables_that_ada_carries_pass() {
    for (name, least) in
        [("urltestdata.json", 891), ("ada_extra_urltestdata.json", 28), ("ada_long_urltestdata.json", 1)]
    {
        let text = fs::read_to_string(copies().join(name)).unwrap();
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
        let cases: Vec<&Value> = cases.iter().filter(|case| case.is_object()).collect();
        let expected = |case: &Value| case["href"].as_str().filter(|_| case["failure"] != true).map(String::from);
        let differs = |case: &&&Value| relref(case["input"].as_str().unwrap(), case["base"].as_str()) != expected(case);
        let different: Vec<_> = cases.iter().filter(differs).collect();
        assert!(different.is_empty(), "{name}: {different:#?}");
        assert!(cases.len() >= least, "{name}: {}", cases.len());
    }
}
