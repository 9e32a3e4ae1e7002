//! Arguments of `relref check`.

use std::path::PathBuf;

use clap::ValueEnum;
use regex::Regex;
use relref::whatwg;
use relref_links::check::ProblemKind;
use relref_links::markdown::Renderer;

use super::names::names;

const SITE: &str = "Options about the site";
const PROBLEMS: &str = "Options about problems";
const OUTPUT: &str = "Options about output";

/// Print the links of a site or a repository that do not work: its folder, pages of it, or web archives. Never fetches anything.
///
/// Checked are the links of pages, Markdown, style sheets, SVG images and feeds that lead to files of the site, with their fragments, and the
/// syntax of all others. A link gets one problem, the first that applies: `invalid` (no URL), `not-a-link` (a mail
/// address or the name of a server without a scheme), `wrong-case` (another file has the name in other letters), `missing`, `no-index` (a
/// folder without index file), `missing-fragment` (no element has this id), `missing-slash` (a folder, written without the slash at
/// its end: a note, which does not count). Not checked are links in `template` elements, of forms that are not sent by GET, and
/// those that only name something, such as `canonical`.
///
/// In Markdown, a link to a folder works, and its fragment is one of the folder's README; #L10 and the like are lines of any file; and a
/// link out of the root is not checked, but counted: forges have pages such as ../../issues there. With --base
/// https://github.com/OWNER/NAME/blob/BRANCH/, absolute links to files of the repository are checked, too.
///
/// In a web archive, a link fails that leads to a host which was crawled, and was not captured (`missing`), or captured with the status
/// of an error (`status`).
///
/// Exit codes: 0 without problems, 1 with problems or if something could not be read, 2 for wrong usage.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref check target/doc
  $ relref check --ids mdbook book/src")]
pub struct Check {
    /// The URI of the root: absolute links below it lead to files of the site. Without it, links that start with `/` do.
    #[arg(help_heading = SITE, long, value_name = "URI", value_parser = root_uri)]
    pub base: Option<String>,

    /// The root of the site, if pages or folders in it are given. Without it, the root is the folder of each page, and each folder.
    #[arg(help_heading = SITE, long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,

    /// The name of the file that a folder is; may be given more than once, for the first that exists.
    #[arg(help_heading = SITE, long, value_name = "NAME", default_value = "index.html")]
    pub index: Vec<String>,

    /// An ending that the server tries: with `html`, the link `a` leads to the file `a.html`, also beside a folder `a`. May be given
    /// more than once.
    #[arg(help_heading = SITE, long, value_name = "ENDING")]
    pub try_ext: Vec<String>,

    /// The renderer by whose rule the headings of Markdown have ids. Without it, the one that the nearest file above a page configures
    /// (book.toml, mkdocs.yml, hugo.toml, _config.yml, docusaurus.config.*, .vitepress), else github.
    #[arg(help_heading = SITE, long, value_name = "RENDERER", value_parser = names(&Renderer::ALL, Renderer::name))]
    pub ids: Option<Renderer>,

    /// Also check what git ignores below the folder. The folder itself is checked even if it is ignored.
    #[arg(help_heading = SITE, long)]
    pub no_ignore: bool,

    /// Do not check the links of files that match this pattern, as in a .gitignore in the root; links may lead to them. May be given
    /// more than once.
    #[arg(help_heading = SITE, long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// The redirects of the server, which count where there is no file: a text as the file `_redirects` of Netlify.
    #[arg(help_heading = SITE, long, value_name = "FILE")]
    pub redirects: Option<PathBuf>,

    /// Also check what only scripts read, such as data-src.
    #[arg(help_heading = PROBLEMS, long)]
    pub lazy: bool,

    /// Exit with 1 for notes, too.
    #[arg(help_heading = PROBLEMS, long)]
    pub strict: bool,

    /// Do not look for the elements that fragments name.
    #[arg(help_heading = PROBLEMS, long)]
    pub no_fragments: bool,

    /// Ignore links whose URI, or what is printed as their target, matches this regular expression (for an invalid URL, the reference as
    /// written). May be given more than once.
    #[arg(help_heading = PROBLEMS, long, value_name = "REGEX")]
    pub ignore: Vec<Regex>,

    /// Leave out the problems of these kinds, such as `missing-slash,no-index`.
    #[arg(help_heading = PROBLEMS, long, value_name = "KIND", value_delimiter = ',')]
    pub ignore_kind: Vec<ProblemKind>,

    /// Leave out the problems in this file, which --write-baseline wrote. A problem is known by its page, kind and reference, not by
    /// its line.
    #[arg(help_heading = PROBLEMS, long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the problems to this file, for --baseline. They do not count for the exit code.
    #[arg(help_heading = PROBLEMS, long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,

    /// Write the references that are meant into the files, where that is certain: names in another case or form, with `#`, `?` or `%`, without
    /// their ending; files that are now elsewhere, if only one has the name; fragments in another case or punctuation; missing slashes,
    /// `mailto:` and `https://`. What is left is printed. With --ignore and --ignore-kind, what they leave out stays.
    #[arg(help_heading = PROBLEMS, long)]
    pub fix: bool,

    /// With --fix: print a JSON object for each edit instead, and change nothing.
    #[arg(help_heading = PROBLEMS, long, requires = "fix")]
    pub dry_run: bool,

    /// With --fix: print the lines that would change instead, as a diff for `patch -p1` and `git apply`.
    #[arg(help_heading = PROBLEMS, long, requires = "fix", conflicts_with = "dry_run")]
    pub diff: bool,

    /// The format of the problems: `text` for people, grouped by where the links lead; `jsonl`, an object per line; `sarif` (2.1.0),
    /// `junit` and `github` (annotations) for services that build and test.
    #[arg(help_heading = OUTPUT, long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,

    /// Also write a report to this file: a page of HTML with all that was found, which needs no network.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// The number of threads that read pages. The default is one per core.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Show no progress bar and no totals.
    #[arg(help_heading = OUTPUT, long, short)]
    pub quiet: bool,

    /// Folders, each with a copy of a site; pages; and web archives.
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,
}

/// A URI that a site can have.
pub fn root_uri(text: &str) -> Result<String, String> {
    let base = whatwg::Base::new(text).map_err(|error| error.to_string())?;
    let has_host = base.as_str()[base.scheme().len()..].starts_with("://");
    if has_host { Ok(text.to_owned()) } else { Err("it has no host, so that nothing is relative to it".to_owned()) }
}

/// The format of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    Text,
    Jsonl,
    Sarif,
    Junit,
    Github,
}
