//! Arguments of the commands about relref itself: `rules`, `completions`, `man` and `licenses`.

use std::path::PathBuf;

use relref::RuleSet;

use super::names::RulesParser;

/// Print what each rule set decides: its document and, for each question on which they differ, an example, the answer, and the
/// words of the document that say so. Then the decisions of relref where the document is silent, unclear or not followed to the
/// letter, with their reasons.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  relref rules rfc3986
  relref rules --json | jq -r .name")]
pub struct Rules {
    /// Print a JSON object per rule set.
    #[arg(long)]
    pub json: bool,

    /// Rule sets; all if none are given.
    #[arg(value_name = "RULES", value_parser = RulesParser, hide_possible_values = true)]
    pub rules: Vec<RuleSet>,
}

/// Print the script that completes relref's commands and options in a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  relref completions bash > ~/.local/share/bash-completion/completions/relref")]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Print the manual page of relref, or write one for each command.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  relref man | man -l -
  relref man --output ~/.local/share/man/man1")]
pub struct Man {
    /// Write the manual pages of relref and of each command to this folder, which must exist.
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// Print the licenses of relref and of the libraries that it contains, with their copyright notices.
#[derive(clap::Args)]
pub struct Licenses {}
