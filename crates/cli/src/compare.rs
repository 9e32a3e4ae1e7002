//! `relref compare`: resolves each reference by several rule sets, and prints a table of the results.

mod table;

use std::io;

use relref::{AnyBase, RuleSet, Rules, whatwg};
use serde_json::{Map, Value, json};

use self::table::{Cell, write_table};
use crate::args::Compare;
use crate::base::new_base;
use crate::output::{Output, shown};

pub fn run(args: &Compare, out: &mut Output) -> io::Result<()> {
    let chosen = if args.rules.is_empty() { RuleSet::ALL.to_vec() } else { args.rules.clone() };
    let mut bases = Vec::new();
    // Each error once, with the names of the rule sets.
    let mut problems: Vec<(Vec<String>, String)> = Vec::new();
    for rules in chosen {
        match new_base(&args.base, rules, args.nested) {
            Ok(base) => bases.push(base),
            Err(error) => match problems.iter_mut().find(|(_, known)| *known == error) {
                Some((names, _)) => names.push(rules.to_string()),
                None => problems.push((vec![rules.to_string()], error)),
            },
        }
    }
    if let (true, Some((_, error))) = (bases.is_empty(), problems.first()) {
        out.problem(shown(&args.base), error);
        return Ok(());
    }
    for (names, error) in problems {
        out.problem(format_args!("{}: by {}", shown(&args.base), names.join(", ")), error);
    }
    let rows = args.references.iter().map(|reference| (reference.as_str(), resolve_by_all(reference, &bases)));
    if args.json {
        for (reference, results) in rows {
            out.json(&results_object(&args.base, reference, &bases, &results))?;
            out.end_line()?;
        }
        return Ok(());
    }
    let cell = |text, differs| Cell { text, differs };
    let names = bases.iter().map(|base| base.rules().to_string());
    let names = [String::from("reference")].into_iter().chain(names).map(|name| cell(name, false)).collect();
    let standard = bases.iter().position(|base| base.rules() == RuleSet::Rules(Rules::RFC3986)).unwrap_or(0);
    let row = |(reference, results): (&str, Results)| {
        let cells = results.iter().map(|result| {
            let text = match result {
                Ok(uri) => shown(uri),
                Err(error) => format!("({})", error.kind()),
            };
            cell(text, *result != results[standard])
        });
        [cell(shown(reference), false)].into_iter().chain(cells).collect()
    };
    write_table([names].into_iter().chain(rows.map(row)).collect(), out)
}

/// In the order of the bases.
type Results = Vec<Result<String, whatwg::Error>>;

fn resolve_by_all(reference: &str, bases: &[AnyBase]) -> Results {
    bases.iter().map(|base| base.resolve(reference)).collect()
}

/// A result that is an error is null in `results`, and has its message in `errors`, which is missing if there are none.
fn results_object(base: &str, reference: &str, bases: &[AnyBase], results: &Results) -> Value {
    let (mut uris, mut errors) = (Map::new(), Map::new());
    for (base, result) in bases.iter().zip(results) {
        let name = base.rules().to_string();
        if let Err(error) = result {
            errors.insert(name.clone(), error.to_string().into());
        }
        uris.insert(name, result.as_ref().ok().cloned().into());
    }
    let mut object = json!({ "base": base, "reference": reference, "results": uris });
    if !errors.is_empty() {
        object["errors"] = errors.into();
    }
    object
}
