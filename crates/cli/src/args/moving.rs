//! Arguments of `relref move`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::error::ErrorKind;

use super::check::root_uri;

/// Rename files and folders, and keep every link: those of other pages to them, and those of them to others.
///
/// Names are as those of `git mv`: OLD becomes NEW or, if NEW is a folder, goes into it. A link keeps its style: relative, with a slash
/// or `./` at its start, or absolute below --base; and its query, its fragment and the names that stay. Links that lead nowhere stay as they
/// are. Read are Markdown, HTML, XHTML, SVG, style sheets and feeds below the root, but for what git ignores. Of other files, the lines that
/// name OLD are printed, and not changed; so are symbolic links that would lead elsewhere.
///
/// Nothing is overwritten. All new contents are written before anything is renamed; an error puts all back, and what a run that was killed
/// has left is completed by --after. The index of git stays as it is.
///
/// Exit codes: 0 if all was done; 1 if nothing was, or if references are left in whose places no other can be written; 2 for wrong usage.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref move docs/guide.md docs/intro.md book
  $ git mv docs book && relref move --after docs book
  $ git diff --name-status -M HEAD | relref move --after --map -")]
pub struct Move {
    /// The folder that the links are in, and from which those with a slash at their start lead. Without it, the root of the git work
    /// tree, or the current folder.
    #[arg(long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,

    /// The URI of the root: absolute links below it are kept, too.
    #[arg(long, value_name = "URI", value_parser = root_uri)]
    pub base: Option<String>,

    /// The name of the file that a folder is; may be given more than once.
    #[arg(long, value_name = "NAME", default_value = "index.html")]
    pub index: Vec<String>,

    /// An ending that the server tries: with `html`, the link `a` leads to the file `a.html`. May be given more than once.
    #[arg(long, value_name = "ENDING")]
    pub try_ext: Vec<String>,

    /// The files have their new names already; or complete what a run that was killed has left.
    #[arg(long)]
    pub after: bool,

    /// Also rename the pairs in this file, which are paths from the root, with a tab between them, one pair a line: as `git diff
    /// --name-status -M` prints them, also with -z, of which only renames count. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,

    /// Print what would be done, and change nothing.
    #[arg(long)]
    pub dry_run: bool,

    /// Print what would change as a diff for `git apply` and `patch -p1`, and change nothing.
    #[arg(long, conflicts_with_all = ["dry_run", "format"])]
    pub diff: bool,

    /// The format of what is printed: `text`, or `jsonl`, an object for each new name, edit, and line that names OLD.
    #[arg(long, value_enum, default_value_t = MoveFormat::Text)]
    pub format: MoveFormat,

    /// Print nothing but problems.
    #[arg(long, short)]
    pub quiet: bool,

    /// The old names, and the new one: a name or a folder.
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
            return Err((ErrorKind::MissingRequiredArgument, "a new name is needed after the old one"));
        }
        Ok(())
    }
}
