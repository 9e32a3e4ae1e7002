//! The command line: the arguments of each command, and a working example of each.

mod about;
mod check;
mod inspect;
mod links;
mod moving;
mod names;
mod normalize;
mod resolve;
mod rewrite;

use std::env;
use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use self::about::{Completions, Licenses, Man, Rules};
pub use self::check::{Check, CheckFormat};
pub use self::inspect::{Inspect, Unwrap, Validate};
pub use self::links::{Column, Format, Links, NormalForm, Unique, is_stdout};
pub use self::moving::{Move, MoveFormat};
pub use self::normalize::{Changes, Equal, Key, Normalize, Preset, Reading};
pub use self::resolve::{Compare, Relativize, Resolve};
pub use self::rewrite::Rewrite;
use crate::output::shown;

/// Resolve relative URI references by RFC 1630's partial form and by each of its successors.
///
/// Results go to standard output, problems to standard error. Exit codes: 0 if all is well, 1 if some input was bad (the
/// rest is done), 2 for wrong usage.
#[derive(Parser)]
#[command(name = "relref", version, max_term_width = 120)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Parses the arguments of the process, and checks what the declarations of clap cannot express.
    pub fn from_process() -> Result<Self, clap::Error> {
        let command = Args::command().mut_subcommands(|command| command.mut_args(with_short_help));
        let args: Vec<OsString> = env::args_os().collect();
        // Its letters would be taken for short options, and `-http://x` would print the help.
        if let Some(uri) = args.iter().skip(1).take_while(|arg| *arg != "--").find(|arg| is_uri_with_hyphen(arg)) {
            let why = format!("{} starts with a hyphen: put -- before it", shown(&uri.to_string_lossy()));
            return Err(command.clone().error(ErrorKind::UnknownArgument, why));
        }
        Args::from_arg_matches(&command.try_get_matches_from(args)?)?.check()
    }

    fn check(self) -> Result<Self, clap::Error> {
        let (command, checked) = match &self.command {
            Command::Links(links) => ("links", links.check()),
            Command::Normalize(normalize) => ("normalize", normalize.check()),
            Command::Move(args) => ("move", args.check()),
            Command::Rewrite(rewrite) => ("rewrite", rewrite.check()),
            _ => return Ok(self),
        };
        checked.map_err(|(kind, why)| {
            let mut all = Args::command();
            all.build();
            let command = all.find_subcommand_mut(command).expect("a command of this name");
            command.error(kind, why)
        })?;
        Ok(self)
    }
}

/// Reports whether an argument is a URI that starts with one hyphen.
fn is_uri_with_hyphen(arg: &OsStr) -> bool {
    let after = arg.to_str().and_then(|arg| arg.strip_prefix('-')).filter(|after| !after.starts_with('-'));
    after.is_some_and(|after| after.contains("://"))
}

/// Leaves for `-h` the start of the help of an option, so that the options have one screen. `--help` prints all of it.
fn with_short_help(arg: Arg) -> Arg {
    let Some(all) = arg.get_long_help().or(arg.get_help()).map(ToString::to_string) else { return arg };
    match [". ", "; ", ": ", ".\n"].iter().filter_map(|end| all.find(end)).min() {
        Some(end) => arg.help(all[..end].to_owned()).long_help(all),
        None => arg,
    }
}

#[derive(Subcommand)]
pub enum Command {
    Resolve(Resolve),
    Relativize(Relativize),
    Compare(Compare),
    Links(Box<Links>),
    Check(Box<Check>),
    Rewrite(Box<Rewrite>),
    Move(Box<Move>),
    Inspect(Inspect),
    Unwrap(Unwrap),
    Normalize(Normalize),
    Equal(Equal),
    Validate(Validate),
    Rules(Rules),
    Completions(Completions),
    Man(Man),
    Licenses(Licenses),
}
