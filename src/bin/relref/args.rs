//! The command line's arguments, with an example that works for each command.

use std::path::PathBuf;
use std::str::FromStr;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use relref::Rules;
use relref::crawl::Change;
use relref::html::Kind;

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

/// Print the absolute URI that each reference means, one a line.
///
/// Results are printed as they are, control characters included: use --json for untrusted input.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref resolve magic://a/b/c//d/e/f ../g /g
  magic://a/b/c//d/g
  magic://a/b/c//d/g
  $ relref resolve --rules rfc3986 magic://a/b/c//d/e/f /g
  magic://a/g")]
pub struct Resolve {
    /// The rule set: rfc1630, draft-www-uri-00, url7, rfc1808, rfc2396 or rfc3986, perhaps with +lenient.
    #[arg(long, value_name = "RULES", default_value = "rfc1630")]
    pub rules: Rules,

    /// Print the steps, indented, before each result.
    #[arg(long, conflicts_with = "pairs")]
    pub explain: bool,

    /// Print a JSON object a line: the reference, the URI, its components, and the steps if asked to explain.
    #[arg(long)]
    pub json: bool,

    /// Read lines `BASE<TAB>REF` from standard input; print exactly one line for each, an empty one if it is bad.
    #[arg(long, conflicts_with_all = ["base", "references"])]
    pub pairs: bool,

    /// The absolute URI of the document that holds the references.
    #[arg(required_unless_present = "pairs")]
    pub base: Option<String>,

    /// References; from standard input, one a line, if none are given.
    #[arg(value_name = "REF")]
    pub references: Vec<String>,
}

/// Print the shortest reference to each URI, one a line.
///
/// Results are printed as they are, control characters included: use --json for untrusted input.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref relativize http://example.com/a/b/c http://example.com/a/d#top http://example.com/x
  ../d#top
  /x")]
pub struct Relativize {
    /// The rule set by which the reference is to resolve back: rfc1630, draft-www-uri-00, url7, rfc1808, rfc2396 or
    /// rfc3986, perhaps with +lenient.
    #[arg(long, value_name = "RULES", default_value = "rfc1630")]
    pub rules: Rules,

    /// Print a JSON object a line: the URI and the reference.
    #[arg(long)]
    pub json: bool,

    /// Read lines `BASE<TAB>URI` from standard input; print exactly one line for each, an empty one if it is bad.
    #[arg(long, conflicts_with_all = ["base", "uris"])]
    pub pairs: bool,

    /// The absolute URI of the document that is to hold the references.
    #[arg(required_unless_present = "pairs")]
    pub base: Option<String>,

    /// Absolute URIs; from standard input, one a line, if none are given.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

/// Print a table of what every rule set makes of each reference; what differs from rfc3986 is marked.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref compare http://a/b ?y
  reference  url7          draft-www-uri-00  rfc1630       rfc1808       rfc2396       rfc3986
  ?y         http://a/?y*  http://a/?y*      http://a/?y*  http://a/b?y  http://a/?y*  http://a/b?y")]
pub struct Compare {
    /// Print a JSON object a row.
    #[arg(long)]
    pub json: bool,

    /// The absolute URI of the document that holds the references.
    pub base: String,

    /// References.
    #[arg(value_name = "REF", required = true)]
    pub references: Vec<String>,
}

/// Print the links of HTML pages, of folders of pages, and of web archives (WARC, also gzipped, and under other names).
///
/// A line of `tsv` is page, element, attribute, reference and absolute URI, with tabs between them; `jsonl` is an object a line
/// that also has the kind and the rel of the link; `text` is the URI alone. Pages come in the order in which they are given,
/// those of a folder by name. In an archive, pages are its response records of HTML, each with its own URI, which is also the
/// page of its lines. Control characters and those that set the direction of text are percent-encoded in `tsv` and `text` and
/// escaped in `jsonl`. In the name of a file, also of an archive, they are percent-encoded everywhere, as are `%` and bytes that
/// are not UTF-8, so that different files have different names. Problems and a line of totals go to
/// standard error; a damaged page, record or archive does not keep the others from being read. The lines of a page have at
/// most 1 MiB and 256 times the page's length; links after that are counted, and the page is reported.
///
/// Symbolic links are followed, but each folder is read once: at its own place in the given folder, or, if it is outside, at
/// the first link to it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref links --base http://example.com/docs/ index.html
  index.html\ta\thref\tintro.html\thttp://example.com/docs/intro.html
  index.html\timg\tsrc\t/logo.png\thttp://example.com/logo.png
  $ relref links --base http://example.com/docs --kind hyperlink --format text site
  http://example.com/docs/a/c.html
  $ relref links --format jsonl --follow --unique crawl.warc
  {\"page\":\"http://h/x\",\"archive\":\"crawl.warc\",\"offset\":0,\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\"rel\":\"\",\"reference\":\"y\",\"uri\":\"http://h/y\"}")]
pub struct Links {
    /// The rule set: rfc1630, draft-www-uri-00, url7, rfc1808, rfc2396 or rfc3986, perhaps with +lenient.
    #[arg(long, value_name = "RULES", default_value = "rfc3986")]
    pub rules: Rules,

    /// The URI of the page, or of the site that a folder is a copy of: FOLDER/a/b.html is URI/a/b.html. A file's own file://
    /// URI if none is given. Records of archives have their own.
    #[arg(long, value_name = "URI")]
    pub base: Option<String>,

    /// Read more files, folders and archives from a list, one a line, or with NUL after each (after the first, which then
    /// has no line break); `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,

    /// Print only links of these kinds: hyperlink, resource, form, citation, refresh, metadata.
    #[arg(long = "kind", value_name = "KIND,…", value_delimiter = ',')]
    pub kinds: Vec<Kind>,

    /// Print only what a crawler can follow: http, https, ftp and file.
    #[arg(long)]
    pub follow: bool,

    /// Print each URI once, at its first place. After some 190,000 URIs, lines are printed in batches.
    #[arg(long)]
    pub unique: bool,

    /// Bring URIs to a normal form, as `relref normalize --preset` does. One with an illegal escape stays as it is resolved
    /// and is counted. Queries of pages that are not in Unicode keep their page's encoding.
    #[arg(long, value_enum, value_name = "PRESET", default_value_t = Form::None)]
    pub normalize: Form,

    /// Add a sort key: a last column, or the field `key`. It is of the normal form, the safe one with `--normalize none`.
    #[arg(long, value_name = "KEY")]
    pub key: Option<Key>,

    /// Also the references of scripts that load late: data-src, data-srcset, data-href, data-original.
    #[arg(long)]
    pub lazy: bool,

    /// Also the identifiers of items: itemtype and itemid.
    #[arg(long)]
    pub items: bool,

    /// The encoding of pages without a byte order mark; without it what the HTTP head or the page says, else UTF-8.
    #[arg(long, value_name = "LABEL")]
    pub charset: Option<String>,

    /// How to print links.
    #[arg(long, value_enum, default_value_t = Format::Tsv)]
    pub format: Format,

    /// Write links to a file, which must not be one of the inputs. It is replaced at the end of the run, also if some inputs
    /// failed; if the links cannot be written, the older one stays as it was. A run that is killed leaves a file
    /// `.relref-*.tmp` beside it. A file that cannot be replaced (it is mounted, or its folder may not be written) is written to
    /// at the end.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The largest page, decoded: a larger one is reported and skipped. Also with K, M or G behind it.
    #[arg(long, value_name = "BYTES", default_value = "1G")]
    pub max_page: Size,

    /// The longest URI: a link with a longer one is counted and not printed, a page at a longer one is reported and skipped.
    /// Also with K, M or G after it.
    #[arg(long, value_name = "BYTES", default_value = "64K")]
    pub max_uri: Size,

    /// The bytes that the temporary files of pages may have at a time, in all threads, and one page more: others wait. A page
    /// that alone does not fit is reported and skipped. Pages from streams and archives have such files if they are large.
    /// Those of --unique do not count. Also with K, M or G after it.
    #[arg(long, value_name = "BYTES", default_value = "4G")]
    pub max_temp: Size,

    /// How many threads read pages: at most, and if not given, one for each core, up to 32.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// No progress bar, no totals.
    #[arg(long, short)]
    pub quiet: bool,

    /// Pages, folders, archives; `-` is standard input, which needs --base.
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
}

/// How links are normalized.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Form {
    None,
    Safe,
    Crawl,
}

/// How links are printed.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Format {
    Tsv,
    Jsonl,
    Text,
}

/// A number of bytes.
#[derive(Clone, Copy)]
pub struct Size(pub u64);

impl Size {
    /// What is said of a page that is larger.
    pub fn exceeded(self) -> String {
        format!("the page has more than {} bytes (--max-page)", self.0)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let shift = match &text[digits.len()..] {
            "" => 0,
            "K" | "k" => 10,
            "M" | "m" => 20,
            "G" | "g" => 30,
            _ => return Err(String::from("expected K, M or G behind the number")),
        };
        let number: u64 = digits.parse().map_err(|error| format!("{error}"))?;
        number.checked_mul(1 << shift).map(Size).ok_or_else(|| String::from("too large"))
    }
}

/// Print what a URI consists of: its components, the fields of its scheme, and what to beware of.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref inspect ftp://host.dom/%2Fetc/motd;type=a
  uri        ftp://host.dom/%2Fetc/motd;type=a
  scheme     ftp
  authority  host.dom
  path       /%2Fetc/motd;type=a
  host       host.dom
  port       21 (default)
  user       anonymous
  cwd        /etc
  name       motd
  type       ASCII")]
pub struct Inspect {
    /// Print a JSON object a line.
    #[arg(long)]
    pub json: bool,

    /// URIs or references.
    #[arg(value_name = "URI", required = true)]
    pub uris: Vec<String>,
}

/// Print the URIs in running text that stand in `<URL:…>` or `<…>`: byte offset, a tab and the URI, one a line.
///
/// Where a line breaks right behind a hyphen, the hyphen may or may not belong to the URI: both readings are printed. Of
/// several files each line starts with the name of the file, escaped as `relref links` does, and a tab.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref unwrap mail.txt
  12\tftp://info.cern.ch/pub/www/doc
  59\thttp://ds.internic.net/instructions/overview.html#WARNING")]
pub struct Unwrap {
    /// Text files; standard input if none are given, or for `-`.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Print the normal form of each URI, one a line.
///
/// The preset `safe` changes nothing that could change what a URI names, as RFC 3986 reads it: encoding, case, dots, and what
/// the scheme leaves out (`..` takes the host of a URI inside another). `crawl` gives links to the same page the same form,
/// as crawlers do: it also drops fragments, empty queries and tracking parameters, sorts queries, and puts hosts in A-labels.
///
/// Changes: encoding, idna, case, localhost, default-port, dots, empty-path (but for idna, those of safe); drop-fragment,
/// drop-tracking, sort-query, drop-empty-query (with idna, those that crawl adds); upgrade (http to https), drop-userinfo,
/// drop-www, drop-session, collapse-slashes, drop-index, drop-trailing-slash, keep-only.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref normalize HTTP://Example.com:80/a/../%7eb mailto:A@B
  http://example.com/~b
  mailto:A@B
  $ relref normalize --preset crawl --with upgrade http://h.com/?utm_source=x&b&a#top
  https://h.com/?a&b
  $ relref normalize --preset crawl --explain http://example.com/?b&a#top
    drop-fragment: http://example.com/?b&a#top becomes http://example.com/?b&a
    sort-query: http://example.com/?b&a becomes http://example.com/?a&b
  http://example.com/?a&b
  $ relref normalize --key surt https://docs.example.com/a?b
  com,example,docs)/a?b")]
pub struct Normalize {
    /// The changes to start from.
    #[arg(long, value_name = "PRESET", default_value = "safe")]
    pub preset: Preset,

    /// Changes to add, with commas or given again.
    #[arg(long, value_name = "CHANGE", value_delimiter = ',')]
    pub with: Vec<Change>,

    /// Changes to leave out, even if they are added.
    #[arg(long, value_name = "CHANGE", value_delimiter = ',')]
    pub without: Vec<Change>,

    /// Of queries, keep only the parameters of these names.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub keep_only: Vec<String>,

    /// Print a sort key of the normal form instead: surt, the host read from the right, as web archives have it.
    #[arg(long, value_name = "KEY")]
    pub key: Option<Key>,

    /// Print each change that had an effect, indented, before each result.
    #[arg(long)]
    pub explain: bool,

    /// URIs; from standard input, one a line, if none are given. A bad one gives an empty line.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

/// What `normalize` starts from.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Preset {
    Safe,
    Crawl,
}

/// What `normalize` prints instead of the form.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Key {
    Surt,
}

/// Tell whether two URIs are the same, and on which grounds: text, encoding, case, dots or scheme.
///
/// Exits with 0 if they are, with 1 if they differ or one cannot be read.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref equal http://h/marie-claude http://h/marie%2Dclaude
  same encoding
  $ relref equal http://h/a/b http://h/a%2Fb
  different path: /a/b and /a%2Fb")]
pub struct Equal {
    /// A URI.
    pub left: String,

    /// Another.
    pub right: String,
}
