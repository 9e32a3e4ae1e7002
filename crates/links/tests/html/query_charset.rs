//! Queries in the character encoding of their page, as `relref::whatwg` writes them.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16LE, WINDOWS_1251};
use relref::whatwg::{Base, Url, inspect};
use relref_links::html::query_charset;

use crate::checks::check;

/// The table of web-platform-tests.
#[test]
fn queries_in_an_encoding() {
    let table = include_str!("../../../../tests/vectors/whatwg/percent-encoding.jsonl");
    for line in table.lines() {
        let [query, encoding, expected]: [String; 3] = serde_json::from_str(line).unwrap();
        let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
        let base = Base::new("http://h/").unwrap().query_charset(query_charset(encoding));
        // As the table was made for: the end of the input is not trimmed, and a fragment is not encoded.
        let href = base.resolve(&format!("?{query}#{query}")).unwrap();
        let (found, fragment) = href.strip_prefix("http://h/?").unwrap().split_once('#').unwrap();
        assert_eq!(fragment, Url::parse(format!("x:#{query}")).unwrap().fragment().unwrap());
        assert_eq!(found, expected, "{line}");
    }
    assert_eq!(table.lines().count(), 16);
}

#[test]
fn a_query_in_another_character_encoding_is_one_step() {
    for (charset, input, expected) in [
        (WINDOWS_1251, "?да é'", "query '' 'http://h/', query-encoded 'да é'' '%E4%E0%20%26%23233%3B%27'"),
        (ISO_2022_JP, "?¥a#日", "query '' 'http://h/', query-encoded '¥a' '%1B(J\\\\a%1B(B', encoded '日' '%E6%97%A5'"),
        (UTF_8, "?д", "query '' 'http://h/', encoded 'д' '%D0%B4'"),
        (UTF_16LE, "?д", "query '' 'http://h/', encoded 'д' '%D0%B4'"),
        (WINDOWS_1251, "?d", "query '' 'http://h/'"),
    ] {
        let base = Base::new("http://h/").unwrap().query_charset(query_charset(charset));
        let inspection = inspect(input, Some(&base));
        check(input, &inspection);
        let told: Vec<_> = inspection
            .steps
            .iter()
            .map(|step| format!("{} {:?} {:?}", step.action.name(), step.text, step.written).replace('"', "'"))
            .collect();
        assert_eq!(told.join(", "), expected, "{input}");
    }
}
