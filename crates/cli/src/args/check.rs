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

/// Print the broken links of a site or a repository: of its folder, of pages, of an EPUB, or of web archives. Nothing is ever fetched.
///
/// The links of pages, Markdown, style sheets, SVG images and feeds are checked: if one leads to a file of the site, the file and the
/// fragment must be there; of all others, only the syntax is checked. A link gets one problem, the first that applies: `invalid` (not a
/// URL), `not-a-link` (a mail address or the name of a server without a scheme), `wrong-case` (a file has this name in another case),
/// `missing`, `no-index` (a folder without an index file), `missing-fragment` (no element has this id), `missing-slash` (a folder without
/// its final slash: a note, which does not count). Links in `template` elements, of forms that are not sent by GET, and those that only
/// name something, such as `canonical`, are not checked.
///
/// In Markdown, a link to a folder works, and its fragment is looked for in the folder's README; #L10 and the like are lines of any file.
/// A link out of the root is counted but not checked, since forges have pages there, such as ../../issues. In a folder of a repository,
/// /x is also looked for at the root of the repository, and from below the `docs_dir` of a mkdocs.yml, first in that. With --base
/// https://github.com/OWNER/NAME/blob/BRANCH/, absolute links to files of the repository are checked, too.
///
/// An EPUB is a site of the files in it, named as in book.epub!/text/a.xhtml; what its manifest, its guide and its table of contents name
/// must be there, too. In a web archive, a link to a crawled host fails if its target was not captured (`missing`), or was captured only
/// with an error status (`status`); the capture of an https: URI does not stand for its http: form. There, fragments are not checked. In an MHTML file or a mail,
/// a link fails if it leads to a part or a fragment that is not there.
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

    /// The root of the site, if PATHs are pages or folders in it. Without it, each folder is its own root, and a page has its folder as
    /// root.
    #[arg(help_heading = SITE, long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,

    /// The file that stands for its folder; can be given more than once, and the first that exists counts.
    #[arg(help_heading = SITE, long, value_name = "NAME", default_value = "index.html")]
    pub index: Vec<String>,

    /// An ending that the server tries: with `html`, the link `a` leads to the file `a.html`, also beside a folder `a`. Can be given more
    /// than once.
    #[arg(help_heading = SITE, long, value_name = "ENDING")]
    pub try_ext: Vec<String>,

    /// The renderer whose rules give Markdown headings their ids. Without it, the renderer that is configured nearest above a page
    /// (book.toml, mkdocs.yml, zensical.toml, hugo.toml, _config.yml, docusaurus.config.*, .vitepress), or else github.
    #[arg(help_heading = SITE, long, value_name = "RENDERER", value_parser = names(Renderer::ALL, Renderer::name))]
    pub ids: Option<Renderer>,

    /// Also check what git ignores below the folder. The folder itself is checked even if it is ignored.
    #[arg(help_heading = SITE, long)]
    pub no_ignore: bool,

    /// Do not check the links of files that match this pattern, written as in a .gitignore in the root; links to them still work. Can be
    /// given more than once.
    #[arg(help_heading = SITE, long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// The redirects of the server, written as in Netlify's `_redirects`. They count where there is no file.
    #[arg(help_heading = SITE, long, value_name = "FILE")]
    pub redirects: Option<PathBuf>,

    /// Also check what only scripts read, such as data-src.
    #[arg(help_heading = PROBLEMS, long)]
    pub lazy: bool,

    /// Exit with 1 for notes, too.
    #[arg(help_heading = PROBLEMS, long)]
    pub strict: bool,

    /// Do not check fragments.
    #[arg(help_heading = PROBLEMS, long)]
    pub no_fragments: bool,

    /// Ignore links whose URI or printed target matches this regular expression (for an invalid URL, the reference as written). Can be
    /// given more than once.
    #[arg(help_heading = PROBLEMS, long, value_name = "REGEX")]
    pub ignore: Vec<Regex>,

    /// Ignore problems of these kinds, such as `missing-slash,no-index`.
    #[arg(help_heading = PROBLEMS, long, value_name = "KIND", value_delimiter = ',')]
    pub ignore_kind: Vec<ProblemKind>,

    /// Ignore the problems in this file, which --write-baseline wrote. A problem is recognized by its page, kind and reference, not by its
    /// line.
    #[arg(help_heading = PROBLEMS, long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the problems to this file, for --baseline. They do not count for the exit code.
    #[arg(help_heading = PROBLEMS, long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,

    /// Correct the files where it is certain which reference is meant: names in another case or Unicode form, with a raw `#`, `?` or `%`,
    /// or without their ending; files that are now elsewhere, if only one has the name; fragments in another case or punctuation; missing
    /// slashes, `mailto:` and `https://`. As text, each edit is printed (OLD -> NEW), and then the problems that are left. What --ignore and
    /// --ignore-kind name stays as it is.
    #[arg(help_heading = PROBLEMS, long)]
    pub fix: bool,

    /// With --fix: print what would be done, and change nothing. With another --format than text, each edit is a JSON object.
    #[arg(help_heading = PROBLEMS, long, requires = "fix")]
    pub dry_run: bool,

    /// With --fix: print what would change as a diff for `git apply` and `patch -p1`, and change nothing.
    #[arg(help_heading = PROBLEMS, long, requires = "fix", conflicts_with = "format")]
    pub diff: bool,

    /// The format of the problems: `text` for people, grouped by where the links lead; `jsonl`, an object per line; `sarif` (2.1.0),
    /// `junit`, `github` (annotations) and `gitlab` (Code Quality) for CI services.
    #[arg(help_heading = OUTPUT, long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,

    /// Also write a report of everything found to this file: an HTML page that needs no network.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Also list the pages that no other page links to, except for the index of the root: in `text` a line for each, in `jsonl` an
    /// object with its `page` and `unlinked`. Links of sitemaps do not count, and those in another case or without a slash do. They are no
    /// problems. The page of --report has them, too.
    #[arg(help_heading = OUTPUT, long)]
    pub unlinked: bool,

    /// The number of threads that read pages. The default is one per core.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Show no progress bar, no totals, and not what --fix changed.
    #[arg(help_heading = OUTPUT, long, short)]
    pub quiet: bool,

    /// Folders, each with a copy of a site; pages; EPUB and MHTML files; and web archives.
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,
}

impl Check {
    /// Reports whether edits are only shown.
    pub fn is_preview(&self) -> bool {
        self.dry_run || self.diff
    }
}

/// A URI that a site can have.
pub fn root_uri(text: &str) -> Result<String, String> {
    let base = whatwg::Base::new(text).map_err(|error| error.to_string())?;
    let has_host = base.as_str()[base.scheme().len()..].starts_with("://");
    if has_host { Ok(text.to_owned()) } else { Err("it has no host: write it as in https://example.com/".to_owned()) }
}

/// The format of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    Text,
    Jsonl,
    Sarif,
    Junit,
    Github,
    Gitlab,
}
