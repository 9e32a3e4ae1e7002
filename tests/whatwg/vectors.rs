//! The tables of web-platform-tests.

use relref::whatwg::{Base, Error, ErrorKind, inspect};
use serde_json::Value;

use super::checks;
use super::hrefs::parse;

/// The cases that fail, as `FILE:LINE`. There are none. A case that no longer fails must be removed from here.
const EXPECTED_FAILURES: &[&str] = &[];

const URLS: &str = include_str!("../vectors/whatwg/urltestdata.jsonl");
const MORE: &str = include_str!("../vectors/whatwg/more.jsonl");
#[cfg(feature = "idna")]
const TO_ASCII: &str = include_str!("../vectors/whatwg/toascii.jsonl");
#[cfg(feature = "idna")]
const IDNA: &str = include_str!("../vectors/whatwg/IdnaTestV2.jsonl");

/// Tries each line of a table with `count` lines. `case` returns an error that says what is wrong.
fn try_all(file: &str, table: &str, count: usize, case: impl Fn(&[Option<String>]) -> Result<(), String>) {
    let mut wrong = Vec::new();
    let mut expected = 0;
    for (number, line) in table.lines().enumerate() {
        let cells: Vec<Value> = serde_json::from_str(line).unwrap();
        let cells: Vec<Option<String>> = cells.iter().map(|cell| cell.as_str().map(String::from)).collect();
        let name = format!("{file}:{}", number + 1);
        let is_expected = EXPECTED_FAILURES.contains(&&*name);
        expected += usize::from(is_expected);
        match case(&cells) {
            Err(why) if !is_expected => wrong.push(format!("{name}: {line}\n    {why}")),
            Ok(()) if is_expected => wrong.push(format!("{name} passes: remove it from EXPECTED_FAILURES")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.lines().count(), wrong.join("\n"));
    assert_eq!(table.lines().count(), count);
    assert_eq!(EXPECTED_FAILURES.iter().filter(|name| name.starts_with(file)).count(), expected);
}

/// Returns an error that shows both results if they differ.
fn same(ours: Option<&str>, theirs: Option<&str>) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?} instead of {theirs:?}")) }
}

#[test]
fn urls() {
    try_all("urltestdata", URLS, 891, url);
}

/// Odd URLs, of which the tables of web-platform-tests have few.
#[test]
fn more_urls() {
    try_all("more", MORE, 1215, url);
}

/// Resolves the case of one line. The error says how the result differs.
fn url(cells: &[Option<String>]) -> Result<(), String> {
    let [Some(input), base, href] = cells else { return Err("no case".into()) };
    let check = |result: Result<String, Error>, base: Option<&Base>| {
        let inspection = inspect(input, base);
        assert_eq!(inspection.url.clone().map(String::from), result);
        checks::check(input, &inspection);
        // The failure is not one of the errors that do not end the parsing.
        assert!(!result.as_ref().is_err_and(|failure| inspection.errors.contains(failure)), "{input:?}");
        result
    };
    let result = match base {
        Some(base) => Base::new(base).and_then(|base| check(base.resolve(input), Some(&base))),
        None => check(parse(input), None),
    };
    if let Err(error) = result {
        assert!(error.position() <= input.len().max(base.as_ref().map_or(0, String::len)));
        if error.kind() == ErrorKind::FeatureIdnaMissing {
            let is_ascii = input.is_ascii() && base.as_deref().is_none_or(str::is_ascii) && !input.contains('%');
            assert!(!cfg!(feature = "idna") && !is_ascii);
            return Ok(());
        }
    }
    same(result.as_deref().ok(), href.as_deref())
}

/// Returns a URL with this domain. Characters that would end the domain are percent-encoded.
#[cfg(feature = "idna")]
fn in_url(domain: &str) -> String {
    let mut url = String::from("https://");
    for c in domain.chars() {
        match c {
            ':' | '/' | '?' | '#' | '\\' => url += &format!("%{:02X}", u32::from(c)),
            c => url.push(c),
        }
    }
    url + "/x"
}

#[cfg(feature = "idna")]
fn to_ascii(cells: &[Option<String>]) -> Result<(), String> {
    let [Some(domain), labels] = cells else { return Err("no case".into()) };
    let expected = labels.as_ref().map(|labels| format!("https://{labels}/x"));
    same(parse(&in_url(domain)).as_deref().ok(), expected.as_deref())
}

#[cfg(feature = "idna")]
#[test]
fn domains() {
    try_all("toascii", TO_ASCII, 87, to_ascii);
    try_all("IdnaTestV2", IDNA, 2670, to_ascii);
}
