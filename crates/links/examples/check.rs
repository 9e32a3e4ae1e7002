//! Checks the links of a folder: `cargo run --example check --features check -- FOLDER [URI]`.

use std::env::args;
use std::io;

use relref_links::check::{Options, Site};

fn main() -> io::Result<()> {
    let mut args = args().skip(1);
    let folder = args.next().unwrap_or_else(|| "tests/peers".into());
    let site = Site::open(folder, Options { base: args.next(), ..Options::default() })?;
    for problem in site.problems() {
        match problem {
            Ok(problem) => println!("{problem}"),
            Err(unread) => eprintln!("{unread}"),
        }
    }
    Ok(())
}
