//! Arguments of `relref rewrite`.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use regex::Regex;
use relref::{RuleSet, UriRef};
use relref_links::page::FileKind;
use relref_links::rewrite::{MapError, Mapping, Mode};

use super::Preset;
use super::names::RulesParser;
use crate::links::is_archive_file;

/// Rewrite the references in pages, Markdown, style sheets, feeds, sitemaps and SVG images, and change no other byte.
///
/// The result of one page, or of standard input, goes to standard output. With --output, a folder is copied, and the pages in it
/// are rewritten; with --in-place, files are replaced, each at once and only if it changes. The links are those of `relref links`;
/// each new reference is read back in its place before it is written.
///
/// Left as they are, and counted: URIs without a host except file: (javascript:, data:, mailto:), references that are not valid URLs, those
/// with the mark of a template ({{ {% <% <? ${ {$ [[ %% *| %NAME%), attributes without a value, what srcdoc and scripts hold, and places in
/// which no reference with the right meaning can be written. A reference that already has the form asked for and means the right URI stays
/// as it is written; so does an absolute one, unless it is normalized. The base element stays; with --map, its URI is mapped. What must be
/// absolute by its specification stays or becomes so: canonical, hreflang, og: properties, and the URIs of sitemaps, RSS and robots.txt.
///
/// In feeds, the HTML of texts is rewritten, too, and a guid that is not a permanent link stays. In a robots.txt at the root of --base,
/// the Sitemap lines are rewritten. Compressed files are copied as they are, and counted. The integrity attribute of a link to a style sheet that changes is left out, since browsers would no longer load the sheet.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ echo '<a href=x>' | relref rewrite --to absolute --base http://example.com/docs/ -
  <a href=http://example.com/docs/x>
  $ relref rewrite --map http://old.com/=https://new.com/ --in-place site
  $ relref rewrite --to relative --base http://old.com/ --map http://old.com/=https://new.com/ --output new site
  $ relref rewrite --to relative --base http://example.com/ --dry-run site
  {\"page\":\"site/a.html\",\"line\":1,\"column\":10,\"start\":9,\"end\":11,\"old\":\"/b\",\"new\":\"b\"}
  $ relref rewrite --mirror --base http://example.com/ --in-place example.com
  $ relref rewrite --mirror --output site crawl.warc.gz
  $ relref rewrite --to absolute --base https://github.com/o/r/blob/main/ \\
      --resources https://raw.githubusercontent.com/o/r/main/ README.md")]
pub struct Rewrite {
    /// The form of the new references; as-written by default with --map or --map-text.
    #[arg(long, value_name = "MODE", required_unless_present_any = ["mirror", "map", "map_text"])]
    pub to: Option<To>,

    /// Make a copy of a site work where it is, as wget -k does: links to files of FOLDER become relative, by the names of the files, and
    /// others absolute. Links also find a folder by its index file, with or without the final slash, about.html for about, files in folders
    /// behind symbolic links, names in other Unicode normalization forms, and the names that wget writes for a query (p.php?id=3,
    /// p.php@id=3, p.php?id=3.html). The href of a base element becomes empty.
    ///
    /// The captures of web archives (WARC, ARC, WACZ) become such a copy: --output is a new or empty folder, which gets an index.html that
    /// lists the pages. Names are those of wget --adjust-extension: the host, the folders, and the file with its query; where two files
    /// want one name, a number is added to the later one. The first capture of a URI that has a status below 400 counts, and links to
    /// redirects lead to the file that they end at. Bodies are written without their codings. Where only the HTTP head names the character
    /// encoding of a page, a byte order mark, a meta element, an XML declaration or @charset is added, since files have no head.
    #[arg(long, conflicts_with = "to")]
    pub mirror: bool,

    /// The file that stands for its folder, for --mirror; can be given more than once.
    #[arg(long, value_name = "NAME", default_value = "index.html")]
    pub index: Vec<String>,

    /// The folder has a folder for each host, as wget -H makes, and --base is the URI of one of them.
    #[arg(long, requires = "mirror")]
    pub hosts: bool,

    /// Name the files of archives so that Windows accepts them: ? becomes @, the : of a port +, and other such characters and names of
    /// devices are escaped, as in p.php@id=3.html. On Windows, this is always on. Names that differ only in case get numbers.
    #[arg(long)]
    pub windows_names: bool,

    /// The URI of the page. For a FOLDER, the URI that the folder has on its site: FOLDER/a/b.html is URI/a/b.html. Required, except
    /// for archives, and as-written, where without it only absolute references are mapped.
    #[arg(long, value_name = "URI")]
    pub base: Option<String>,

    /// The URI that images and other resources have instead of --base: a registry that shows a README finds pages at
    /// https://github.com/OWNER/NAME/blob/BRANCH/, and images at https://raw.githubusercontent.com/OWNER/NAME/BRANCH/.
    #[arg(long, value_name = "URI", conflicts_with = "mirror", value_parser = absolute)]
    pub resources: Option<String>,

    /// The folder that is a copy of the site --base: FOLDER/a/b.html is URI/a/b.html, however the file is named.
    #[arg(long = "root", value_name = "FOLDER")]
    pub root_folder: Option<PathBuf>,

    /// Replace the URI OLD with NEW, also at the start of the URIs below OLD; can be given more than once, and the longest OLD counts. URIs
    /// are compared in normal form, and OLD must end where a host, a segment, a path or a query ends. Links are resolved first. The page's
    /// own URI and that of its base element are mapped, too. What already starts with NEW stays.
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    pub map: Vec<(String, String)>,

    /// Like --map, but for plain text: absolute URIs that start with OLD, wherever it ends, start with NEW instead.
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    pub map_text: Vec<(String, String)>,

    /// Do not rewrite links whose URI matches this regular expression. Can be given more than once.
    #[arg(long, value_name = "REGEX")]
    pub ignore: Vec<Regex>,

    /// Do not rewrite files that match this pattern, written as in a .gitignore in the folder; --output copies them. Can be given more than
    /// once.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Also rewrite what git ignores below a folder, which otherwise stays. With --output, all is copied and rewritten.
    #[arg(long)]
    pub no_ignore: bool,

    /// Do not rewrite references that match this regular expression, such as those of templates. Can be given more than once.
    #[arg(long, value_name = "REGEX")]
    pub template: Vec<Regex>,

    /// Also normalize the URIs, before and after they are mapped.
    #[arg(long, value_name = "PRESET")]
    pub normalize: Option<Preset>,

    /// The rule set by which references are resolved, by the name of its document.
    #[arg(long, value_name = "RULES", value_parser = RulesParser, default_value = "whatwg")]
    pub rules: RuleSet,

    /// Do not rewrite references that are only a fragment, such as #top, which --to absolute otherwise makes absolute.
    #[arg(long)]
    pub keep_fragments: bool,

    /// Also rewrite what only scripts and readers other than browsers use, such as data-src and og:image.
    #[arg(long)]
    pub lazy: bool,

    /// Print a JSON object for each edit, and change nothing: the name of the file, the line, the column and the bytes of the old
    /// reference, the old text and the new one. Edits of feeds have no line.
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub dry_run: bool,

    /// Print the lines of pages that change, as a diff for `patch -p1` and `git apply`, and change nothing.
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub diff: bool,

    /// Replace the files. At any moment, each is the old or the new one, even after a power failure. A run that is killed leaves at most
    /// one other file, .relref-XXXXXXXX.tmp, which the next run on the folder removes.
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// Write the result to this folder: a folder as a copy, with its symbolic links, or pages by their names.
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// Print no totals.
    #[arg(long, short)]
    pub quiet: bool,

    /// Pages, Markdown, style sheets, feeds, SVG images and folders, and archives with --mirror; `-` is standard input. Symbolic links in folders are not followed.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum To {
    /// Absolute URIs.
    Absolute,
    /// The shortest without scheme, host and first slash, such as ../x, ?q or #f; only to the page's own origin.
    Relative,
    /// Rooted: with a first slash, such as /a/x; only to the page's own origin.
    Root,
    /// The form that each has: only references that --map, --resources or --normalize changes are written.
    AsWritten,
}

impl Rewrite {
    /// The error is the message about wrong usage.
    pub fn check(&self) -> Result<(), (ErrorKind, &'static str)> {
        let is_one_page = matches!(&self.paths[..], [path] if !path.is_dir());
        let has_stdin = self.paths.iter().any(|path| path.as_os_str() == "-");
        let writes_nothing = self.dry_run || self.diff;
        if !is_one_page && !writes_nothing && !self.in_place && self.output.is_none() {
            let why = "several pages need --in-place, --output, --dry-run or --diff";
            return Err((ErrorKind::MissingRequiredArgument, why));
        }
        if has_stdin && (self.in_place || self.paths.len() > 1) {
            return Err((
                ErrorKind::ArgumentConflict,
                "standard input is a single page: leave out --in-place and other PATHs",
            ));
        }
        if self.output.is_some() && self.paths.len() > 1 && self.paths.iter().any(|path| path.is_dir()) {
            return Err((
                ErrorKind::ArgumentConflict,
                "--output takes one folder or several pages: rewrite each folder by itself",
            ));
        }
        if self.windows_names && !self.reads_archives() {
            return Err((ErrorKind::ArgumentConflict, "--windows-names is only for archives, with --mirror"));
        }
        if self.reads_archives() {
            if self.output.is_none() {
                return Err((
                    ErrorKind::MissingRequiredArgument,
                    "archives need --output FOLDER, where their captures go",
                ));
            }
        } else if self.mirror && !matches!(&self.paths[..], [path] if path.is_dir()) && self.root_folder.is_none() {
            return Err((
                ErrorKind::MissingRequiredArgument,
                "--mirror needs a folder or archives, or --root for single pages",
            ));
        } else if self.base.is_none() && self.mode() != Mode::AsWritten {
            return Err((ErrorKind::MissingRequiredArgument, "pages need --base URI"));
        }
        if self.mapped(Mapping::new(Mode::Absolute)).is_err() {
            let why = match self.resources.is_some() && UriRef::new(self.base()).scheme().is_none() {
                true => "--resources needs a --base that is an absolute URI",
                false => {
                    "a NEW of --map starts with the OLD of another pair, or --resources with --base, so that a second run would change the result again: give these in separate runs"
                }
            };
            return Err((ErrorKind::ArgumentConflict, why));
        }
        Ok(())
    }

    /// Reports whether the captures of archives are written, rather than files rewritten.
    pub fn reads_archives(&self) -> bool {
        let is_archive = |path: &PathBuf| FileKind::of(path) == FileKind::Archive || is_archive_file(path);
        self.mirror && self.paths.iter().all(is_archive)
    }

    /// The form of the new references. A mirror does not ask for it.
    pub fn mode(&self) -> Mode {
        match self.to {
            Some(To::Relative) => Mode::Relative,
            Some(To::Root) => Mode::Rooted,
            Some(To::Absolute) => Mode::Absolute,
            Some(To::AsWritten) => Mode::AsWritten,
            None if self.mirror => Mode::Absolute,
            None => Mode::AsWritten,
        }
    }

    /// Without `--base`, one that no pair maps.
    pub fn base(&self) -> &str {
        self.base.as_deref().unwrap_or("http://relref.invalid/")
    }

    /// The folder that is the copy of a site.
    pub fn root(&self) -> &Path {
        self.root_folder.as_deref().or(self.paths.first().map(PathBuf::as_path)).unwrap_or(Path::new("."))
    }

    /// Adds the pairs of `--map`.
    pub fn mapped(&self, mapping: Mapping) -> Result<Mapping, MapError> {
        let mapping = match &self.resources {
            Some(uri) => {
                let (before, name) = self.base().rsplit_once('/').unwrap_or((self.base(), ""));
                let is_folder = self.root_folder.is_some() || self.paths.iter().any(|path| path.is_dir());
                let folder = if is_folder && !name.is_empty() { self.base() } else { before };
                // That of the page itself is one of its folder.
                let own = uri.strip_suffix(name).filter(|own| own.ends_with('/') && !is_folder).unwrap_or(uri);
                let with_slash = |uri: &str| format!("{}/", uri.strip_suffix('/').unwrap_or(uri));
                mapping.resources(with_slash(folder), with_slash(own))?
            }
            None => mapping,
        };
        let mapping = self.map.iter().try_fold(mapping, |mapping, (old, new)| mapping.map(old, new))?;
        self.map_text.iter().try_fold(mapping, |mapping, (old, new)| mapping.map_text(old, new))
    }
}

fn absolute(text: &str) -> Result<String, &'static str> {
    UriRef::new(text).scheme().map(|_| text.to_owned()).ok_or("not an absolute URI: it has no scheme")
}

/// Splits at the first `=` that is followed by an absolute URI.
fn pair(text: &str) -> Result<(String, String), String> {
    let is_absolute = |uri: &str| UriRef::new(uri).scheme().is_some();
    let at =
        text.match_indices('=').map(|(at, _)| at).find(|at| is_absolute(&text[..*at]) && is_absolute(&text[at + 1..]));
    let at = at.ok_or("expected OLD=NEW, two absolute URIs")?;
    Ok((text[..at].into(), text[at + 1..].into()))
}
