//! `relref completions`, `man` and `licenses`: texts for those who install and distribute the command.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Args, Completions, Man};
use crate::output::{Output, shown};
use crate::quoting::file_name;

pub fn completions(args: &Completions, out: &mut Output) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "relref", &mut script);
    out.write_all(&script)
}

/// Prints the manual page of relref or, with `--output`, writes those of all commands to files in that folder.
pub fn man(args: &Man, out: &mut Output) -> io::Result<()> {
    let relref = Args::command().disable_help_subcommand(true);
    let Some(folder) = &args.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(relref).render(&mut page)?;
        return out.write_all(&page);
    };
    if let Err(error) = clap_mangen::generate_to(relref, folder) {
        out.problem(shown(&file_name(folder)), error);
    }
    Ok(())
}

pub fn licenses(out: &mut Output) -> io::Result<()> {
    out.write_all(include_bytes!("../THIRD-PARTY.txt"))
}
