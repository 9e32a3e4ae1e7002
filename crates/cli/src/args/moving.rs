//! Arguments of `relref move`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::error::ErrorKind;

use super::check::root_uri;

/// Rename files and folders, and keep every link from and to them.
///
/// As with `git mv`, OLD becomes NEW, or goes into it if NEW is a folder. A link keeps its style (relative, with a slash or `./` at its
/// start, or absolute below --base), its query, and its fragment. Links that lead nowhere stay as they are. Markdown, HTML, XHTML, SVG,
/// style sheets and feeds below the root are read, except what git ignores. In other files, the lines that name OLD are printed, not
/// changed; so are symbolic links that would lead elsewhere.
///
/// Nothing is overwritten. All new contents are written before anything is renamed. After an error, everything is put back; after a kill,
/// --after completes the run. The index of git stays as it is.
///
/// Exit codes: 0 if all was done; 1 if nothing was, or if some references could not be rewritten where they stand; 2 for wrong usage.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref move docs/guide.md docs/intro.md book
  $ git mv docs book && relref move --after docs book
  $ git diff --name-status -M HEAD | relref move --after --map -")]
pub struct Move {
    /// The folder whose links are kept, and where links that start with a slash begin. By default, the root of the git work tree of the
    /// current folder or of OLD, or else the current folder.
    #[arg(long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,

    /// The URI of the root, so that absolute links below it are kept, too.
    #[arg(long, value_name = "URI", value_parser = root_uri)]
    pub base: Option<String>,

    /// The file that a link to a folder means; can be given more than once.
    #[arg(long, value_name = "NAME", default_value = "index.html")]
    pub index: Vec<String>,

    /// An ending that the server tries: with `html`, the link `a` leads to the file `a.html`. Can be given more than once.
    #[arg(long, value_name = "ENDING")]
    pub try_ext: Vec<String>,

    /// Only mend the links: the files already have their new names. Also completes a run that was killed.
    #[arg(long)]
    pub after: bool,

    /// Also rename what this file lists: an old and a new path from the root on each line, with a tab between them. The output of `git
    /// diff --name-status -M` will do, also with -z; only its renames count. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,

    /// Print what would be done, and change nothing.
    #[arg(long)]
    pub dry_run: bool,

    /// Print what would change as a diff for `git apply` and `patch -p1`, and change nothing.
    #[arg(long, conflicts_with = "format")]
    pub diff: bool,

    /// What to print: `text`, or `jsonl`, an object for each new name, each edit, and each line that names OLD.
    #[arg(long, value_enum, default_value_t = MoveFormat::Text)]
    pub format: MoveFormat,

    /// Print only problems, and how many links --try-ext would rewrite.
    #[arg(long, short)]
    pub quiet: bool,

    /// The old names, and then the new name or a folder.
    #[arg(value_name = "PATH", required_unless_present_any = ["map", "after"])]
    pub paths: Vec<PathBuf>,
}

/// The format of what was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MoveFormat {
    Text,
    Jsonl,
}

impl Move {
    /// The error is the message about wrong usage.
    pub fn check(&self) -> Result<(), (ErrorKind, &'static str)> {
        if self.paths.len() == 1 {
            return Err((ErrorKind::MissingRequiredArgument, "give the new name, or a folder, after the old name"));
        }
        Ok(())
    }
}
