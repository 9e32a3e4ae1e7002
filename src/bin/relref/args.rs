//! The command line's arguments, with an example that works for each command.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use relref::Rules;
use relref::crawl::Step;

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
        if let Command::Links(Links { base: None, files, .. }) = &self.command {
            if files.iter().any(|file| file.as_os_str() == "-") {
                let why = "standard input has no URI of its own: give --base\n";
                return Err(Args::command().error(ErrorKind::MissingRequiredArgument, why));
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

/// Print the hyperlinks of HTML pages: page, element, attribute, reference and absolute URI, between tabs.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref links --base http://example.com/docs/ index.html
  index.html\ta\thref\tintro.html\thttp://example.com/docs/intro.html")]
pub struct Links {
    /// The rule set: rfc1630, draft-www-uri-00, url7, rfc1808, rfc2396 or rfc3986, perhaps with +lenient.
    #[arg(long, value_name = "RULES", default_value = "rfc3986")]
    pub rules: Rules,

    /// The URI of the pages; a file's own file:// URI if none is given.
    #[arg(long, value_name = "URI")]
    pub base: Option<String>,

    /// HTML files; `-` is standard input, which needs --base.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
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
/// several files each line starts with the file and a tab.
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
/// Steps: encoding, idna, case, localhost, default-port, dots, empty-path (but for idna, those of safe); drop-fragment,
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
    /// The steps to start from.
    #[arg(long, value_name = "PRESET", default_value = "safe")]
    pub preset: Preset,

    /// Steps to add, with commas or given again.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    pub with: Vec<Step>,

    /// Steps to leave out, even if they are added.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    pub without: Vec<Step>,

    /// Of queries, keep only the parameters of these names.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub keep_only: Vec<String>,

    /// Print a sort key of the normal form instead: surt, the host read from the right, as web archives have it.
    #[arg(long, value_name = "KEY")]
    pub key: Option<Key>,

    /// Print the steps that changed something, indented, before each result.
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
