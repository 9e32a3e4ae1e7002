//! `relref equal`: compares two URIs.

use std::io;

use relref::canon::{Comparison, Rung, compare, normalize_at};
use serde_json::json;

use crate::args::Equal;
use crate::output::{Output, shown};
use crate::quoting::write_shown;

pub fn run(args: &Equal, out: &mut Output) -> io::Result<()> {
    match compare(&args.left, &args.right, args.rules.rules()) {
        Ok(Comparison::Equal { rung, sources, .. }) if args.json => {
            out.json(&json!({ "equal": true, "rung": rung.name(), "sources": sources }))?;
        }
        Ok(Comparison::Different { component, left, right, .. }) if args.json => {
            out.exits_with_1 = true;
            out.json(&json!({ "equal": false, "component": component, "left": left, "right": right }))?;
        }
        Ok(comparison) => {
            out.exits_with_1 |= !comparison.is_equal();
            write_shown(out, &comparison.to_string())?;
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
