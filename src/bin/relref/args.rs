//! The command line: each command's arguments, and an example that works for each.

mod inspect;
mod links;
mod normalize;
mod resolve;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

pub use self::inspect::{Inspect, Unwrap};
pub use self::links::{Form, Format, Links};
pub use self::normalize::{Equal, Key, Normalize, Preset};
pub use self::resolve::{Compare, Relativize, Resolve};

/// Resolve relative URI references by RFC 1630's partial form and by each of its successors.
///
/// Rule sets: rfc1630, draft-www-uri-00, url7, rfc1808, rfc2396, rfc3986; each also with +lenient behind it, which reads
/// `http:g` as relative to an http base. Exit codes: 0 all well, 1 some input was bad, 2 wrong usage.
#[derive(Parser)]
#[command(name = "relref", version, max_term_width = 120)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Refuses what the declarations cannot.
    pub fn check(self) -> Result<Self, clap::Error> {
        if let Command::Links(Links { base, files, files_from, .. }) = &self.command {
            let stdin = files.iter().filter(|file| file.as_os_str() == "-").count();
            if stdin > 0 && base.is_none() {
                let why = "standard input has no URI of its own: give --base\n";
                return Err(Args::command().error(ErrorKind::MissingRequiredArgument, why));
            }
            let list = files_from.as_ref().is_some_and(|list| list.as_os_str() == "-");
            if stdin + usize::from(list) > 1 {
                let why = "standard input can be read only once\n";
                return Err(Args::command().error(ErrorKind::ArgumentConflict, why));
            }
        }
        Ok(self)
    }
}

#[derive(Subcommand)]
pub enum Command {
    Resolve(Resolve),
    Relativize(Relativize),
    Compare(Compare),
    Links(Links),
    Inspect(Inspect),
    Unwrap(Unwrap),
    Normalize(Normalize),
    Equal(Equal),
}
