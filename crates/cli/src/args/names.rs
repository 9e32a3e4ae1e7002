//! Parsers of the names of rule sets and of other values, which the help lists.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use relref::RuleSet;

/// Parses the name of a rule set. The help lists the names and titles.
#[derive(Clone)]
pub struct RulesParser;

impl TypedValueParser for RulesParser {
    type Value = RuleSet;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, value: &OsStr) -> Result<RuleSet, clap::Error> {
        RuleSet::from_str.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |rules: RuleSet| PossibleValue::new(rules.name()).help(rules.title());
        Some(Box::new(RuleSet::ALL.iter().copied().map(value)))
    }
}

/// Parses one of the names of `all`, which the help lists.
pub fn names<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    parser(all, name, PossibleValuesParser::new(all.iter().map(move |&value| name(value))))
}

/// Like [`names`], with a line about each name.
pub fn described_names<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(move |&value| PossibleValue::new(name(value)).help(about(value)));
    parser(all, name, PossibleValuesParser::new(values))
}

fn parser<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    values: PossibleValuesParser,
) -> impl TypedValueParser<Value = T> {
    values.try_map(move |text| all.iter().copied().find(|&value| name(value) == text).ok_or("unknown name"))
}
