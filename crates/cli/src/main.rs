//! The `relref` command: parses the arguments, runs the command that they name, and returns the exit code. A program uses the libraries
//! instead: `relref` for references, `relref-links` for links.

mod args;
mod base;
mod check;
mod compare;
mod edits;
mod equal;
mod file_uri;
mod guarded;
mod inspect;
mod iri;
mod lines;
mod links;
mod manual;
mod moving;
mod normalize;
mod output;
mod progress_bar;
mod quoting;
mod resolve;
mod rewrite;
mod rules;
mod symlinks;
mod unwrap;
mod validate;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::error::ContextValue;

use crate::args::{Args, Command};
use crate::output::{Output, quoted};

fn main() -> ExitCode {
    let args = match Args::from_process() {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            let text = usage_message(error);
            eprint!("relref: {}", text.strip_prefix("error: ").unwrap_or(&text));
            return ExitCode::from(2);
        }
        Err(help) => {
            // A closed pipe is not an error here.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let mut out = Output::new();
    // Commands report problems of inputs in `out`. Their errors are about the output.
    let done = match args.command {
        Command::Resolve(args) => resolve::resolve(&args, &mut out),
        Command::Relativize(args) => resolve::relativize(&args, &mut out),
        Command::Compare(args) => compare::run(&args, &mut out),
        Command::Links(args) => links::run(*args, &mut out),
        Command::Check(args) => check::run(&args, &mut out),
        Command::Rewrite(args) => rewrite::run(&args, &mut out),
        Command::Move(args) => moving::run(&args, &mut out),
        Command::Inspect(args) => inspect::run(&args, &mut out),
        Command::Unwrap(args) => unwrap::run(&args, &mut out),
        Command::Normalize(args) => normalize::run(&args, &mut out),
        Command::Equal(args) => equal::run(&args, &mut out),
        Command::Validate(args) => validate::run(&args, &mut out),
        Command::Rules(args) => rules::run(&args, &mut out),
        Command::Completions(args) => manual::completions(&args, &mut out),
        Command::Man(args) => manual::man(&args, &mut out),
        Command::Licenses(_) => manual::licenses(&mut out),
    };
    match done.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::from(u8::from(out.exits_with_1)),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            out.problem("output", error);
            let _ = out.flush();
            ExitCode::FAILURE
        }
    }
}

/// Quotes unsafe characters of arguments, so that none can add lines to the message.
fn usage_message(mut error: clap::Error) -> String {
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(quoted(&text)),
            ContextValue::Strings(texts) => ContextValue::Strings(texts.iter().map(|text| quoted(text)).collect()),
            ContextValue::StyledStrs(texts) => {
                ContextValue::StyledStrs(texts.iter().map(|text| quoted(&text.to_string()).into()).collect())
            }
            other => other,
        };
        error.insert(kind, value);
    }
    error.render().to_string().split('\n').map(quoted).collect::<Vec<_>>().join("\n")
}
