//! Names: what parses prints the same, what prints parses, and errors are in their text.
//!
//! Input: options, a name.

#![no_main]

use std::fmt::Display;
use std::str::FromStr;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::canon::Rung;
use relref::validate::Grammar;
use relref::{Error, RuleSet, Rules, crawl};
use relref_fuzz::{check_error, documents, mix, text};
use relref_links::html::Kind;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, name)) = text(input) else { return Corpus::Reject };
    comes_back::<Rules>(name);
    comes_back::<RuleSet>(name);
    comes_back::<Kind>(name);
    comes_back::<crawl::Change>(name);
    comes_back::<Grammar>(name);
    comes_back::<Rung>(name);

    let rules = mix(bits);
    let printed = rules.to_string();
    match printed.parse() {
        Ok(parsed) => assert_eq!(rules, parsed),
        Err(_) => assert!(printed.contains("+changed"), "{rules:?} = {printed}"),
    }
    assert!(documents().all(|document| document.name().parse() == Ok(document.rules())));
    assert!(crawl::public_suffix(name).is_none_or(|suffix| name.ends_with(suffix)));
    Corpus::Keep
});

/// Checks that a name which parses is what the value prints.
fn comes_back<T: FromStr<Err = Error> + Display>(name: &str) {
    match name.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string(), name),
        Err(error) => check_error(&error, name),
    }
}
