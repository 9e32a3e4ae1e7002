//! The `relref` command: arguments, then the command, then the exit code.

mod args;
mod compare;
mod equal;
mod file_uri;
mod inspect;
mod json;
mod lines;
mod links;
mod normalize;
mod output;
mod resolve;
mod unwrap;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::output::Output;

fn main() -> ExitCode {
    let args = match Args::try_parse().and_then(Args::check) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            let text = error.render().to_string();
            eprint!("relref: {}", text.strip_prefix("error: ").unwrap_or(&text));
            return ExitCode::from(2);
        }
        Err(help) => {
            // Nothing is lost if nobody reads it.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let mut out = Output::new();
    let done = match args.command {
        Command::Resolve(args) => resolve::resolve(&args, &mut out),
        Command::Relativize(args) => resolve::relativize(&args, &mut out),
        Command::Compare(args) => compare::run(&args, &mut out),
        Command::Links(args) => links::run(args, &mut out),
        Command::Inspect(args) => inspect::run(&args, &mut out),
        Command::Unwrap(args) => unwrap::run(&args, &mut out),
        Command::Normalize(args) => normalize::run(&args, &mut out),
        Command::Equal(args) => equal::run(&args, &mut out),
    };
    match done.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::from(u8::from(out.failed)),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            out.problem("output", error);
            let _ = out.flush();
            ExitCode::FAILURE
        }
    }
}
