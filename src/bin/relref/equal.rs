//! `relref equal`: compares two URIs.

use std::io;

use relref::canon::{Comparison, Rung, compare, normalize};

use crate::args::Equal;
use crate::output::{Output, quoted};

pub fn run(args: &Equal, out: &mut Output) -> io::Result<()> {
    match compare(&args.left, &args.right) {
        Ok(Comparison::Equal(rung)) => {
            out.text.push_str("same ");
            out.text.push_str(rung.name());
        }
        Ok(Comparison::Different { component, left, right }) => {
            let side = |text: Option<String>| text.map_or(String::from("none"), |text| quoted(&text));
            out.text.push_str(&format!("different {component}: {} and {}", side(left), side(right)));
            out.failed = true;
        }
        Err(error) => {
            let bad = if normalize(&args.left, Rung::Encoding).is_err() { &args.left } else { &args.right };
            out.problem(quoted(bad), error);
            return Ok(());
        }
    }
    out.end_line()
}
