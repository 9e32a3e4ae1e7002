//! `relref equal`: compares two URIs.

use std::io::{self, Write};

use relref::Source;
use relref::canon::{Comparison, Rung, compare, normalize_at};
use serde_json::json;

use crate::args::Equal;
use crate::output::{Output, shown};

pub fn run(args: &Equal, out: &mut Output) -> io::Result<()> {
    match compare(&args.left, &args.right, args.rules.rules()) {
        Ok(Comparison::Equal { rung, sources, .. }) if args.json => {
            out.json(&json!({ "equal": true, "rung": rung.name(), "sources": sources }))?;
        }
        Ok(Comparison::Equal { rung, sources, .. }) => write!(out, "same {rung} ({})", listed(&sources))?,
        Ok(Comparison::Different { component, left, right, .. }) => {
            out.exits_with_1 = true;
            if args.json {
                out.json(&json!({ "equal": false, "component": component, "left": left, "right": right }))?;
            } else {
                let side = |text: Option<String>| text.map_or(String::from("none"), |text| shown(&text));
                write!(out, "different {component}: {} and {}", side(left), side(right))?;
            }
        }
        Err(error) => {
            let bad = if normalize_at(&args.left, Rung::Encoding).is_err() { &args.left } else { &args.right };
            out.problem(shown(bad), error);
            if !args.json {
                return Ok(());
            }
            out.json(&json!({ "uri": bad, "error": error.to_string() }))?;
        }
    }
    out.end_line()
}

pub fn listed(sources: &[Source]) -> String {
    sources.iter().map(Source::to_string).collect::<Vec<_>>().join("; ")
}
