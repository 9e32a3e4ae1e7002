//! `relref equal`: compares two URIs.

use std::io::{self, Write};

use relref::canon::{Comparison, Rung, compare, normalize};

use crate::args::Equal;
use crate::json::object;
use crate::output::{Output, quoted};
use crate::quoting::json;

/// Runs `relref equal`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &Equal, out: &mut Output) -> io::Result<()> {
    match compare(&args.left, &args.right) {
        Ok(Comparison::Equal(rung)) if args.json => {
            write!(out, "{{\"equal\":true,\"rung\":\"{}\",\"source\":\"{}\"}}", rung.name(), rung.source())?;
        }
        Ok(Comparison::Equal(rung)) => write!(out, "same {} ({})", rung.name(), rung.source())?,
        Ok(Comparison::Different { component, left, right }) => {
            out.failed = true;
            if args.json {
                write!(out, "{{\"equal\":false,\"component\":\"{component}\"")?;
                for (name, text) in [("left", left), ("right", right)] {
                    write!(out, ",\"{name}\":")?;
                    match text {
                        Some(text) => json(out, &text)?,
                        None => out.write_all(b"null")?,
                    }
                }
                out.write_all(b"}")?;
            } else {
                let side = |text: Option<String>| text.map_or(String::from("none"), |text| quoted(&text));
                write!(out, "different {component}: {} and {}", side(left), side(right))?;
            }
        }
        Err(error) => {
            let bad = if normalize(&args.left, Rung::Encoding).is_err() { &args.left } else { &args.right };
            out.problem(quoted(bad), error);
            if !args.json {
                return Ok(());
            }
            object(out, &[("uri", bad), ("error", &error.to_string())])?;
        }
    }
    out.end_line()
}
