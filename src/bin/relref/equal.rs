//! `relref equal`: compares two URIs.

use std::io::{self, Write};

use relref::canon::{Comparison, Rung, compare, normalize};
use serde_json::json;

use crate::args::Equal;
use crate::output::{Output, shown};

/// Runs `relref equal`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &Equal, out: &mut Output) -> io::Result<()> {
    match compare(&args.left, &args.right) {
        Ok(Comparison::Equal(rung)) if args.json => {
            out.json(&json!({ "equal": true, "rung": rung.name(), "source": rung.source() }))?;
        }
        Ok(Comparison::Equal(rung)) => write!(out, "same {} ({})", rung.name(), rung.source())?,
        Ok(Comparison::Different { component, left, right }) => {
            out.exits_with_1 = true;
            if args.json {
                out.json(&json!({ "equal": false, "component": component, "left": left, "right": right }))?;
            } else {
                let side = |text: Option<String>| text.map_or(String::from("none"), |text| shown(&text));
                write!(out, "different {component}: {} and {}", side(left), side(right))?;
            }
        }
        Err(error) => {
            let bad = if normalize(&args.left, Rung::Encoding).is_err() { &args.left } else { &args.right };
            out.problem(shown(bad), error);
            if !args.json {
                return Ok(());
            }
            out.json(&json!({ "uri": bad, "error": error.to_string() }))?;
        }
    }
    out.end_line()
}
