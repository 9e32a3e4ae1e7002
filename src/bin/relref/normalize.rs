//! `relref normalize`: the normal form of URIs.

use std::io;

use relref::canon::{Rung, normalize};

use crate::args::Normalize;
use crate::lines::{blocks, lines};
use crate::output::{Output, quoted};

pub fn run(args: &Normalize, out: &mut Output) -> io::Result<()> {
    for uri in &args.uris {
        if let Err(why) = one(uri.as_bytes(), out) {
            out.problem(quoted(uri), why);
        }
        out.end_line()?;
    }
    if !args.uris.is_empty() {
        return Ok(());
    }
    let mut number = 0;
    blocks(out, |block, out| {
        for line in lines(block) {
            number += 1;
            if let Err(why) = one(line, out) {
                let text = String::from_utf8_lossy(line);
                out.problem(format_args!("line {number}: {}", quoted(&text)), why);
            }
            out.end_line()?;
        }
        out.flush()
    })
}

fn one(uri: &[u8], out: &mut Output) -> Result<(), String> {
    let uri = std::str::from_utf8(uri).map_err(|error| error.to_string())?;
    let form = normalize(uri, Rung::Scheme).map_err(|error| error.to_string())?;
    out.text.push_str(&form);
    Ok(())
}
