//! Arguments of `relref inspect`, `unwrap` and `validate`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use relref::validate::Grammar;

use super::normalize::Reading;

/// Print the components of a URI, the parts that its scheme defines, and what to beware of.
///
/// A URI with escapes or A-labels is also printed as an IRI, as people read it. It is read by RFC 3986; `beware` tells where browsers
/// find another host, or refuse the URI.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref inspect 'ftp://host.dom/%2Fetc/motd;type=a'
  uri        ftp://host.dom/%2Fetc/motd;type=a
  scheme     ftp
  authority  host.dom
  path       /%2Fetc/motd;type=a
  host       host.dom
  port       21
  default    yes
  user       anonymous
  cwd        /etc
  name       motd
  type       ASCII
  $ relref inspect --rules whatwg 'http://h\\@evil.com'
  input      http://h\\@evil.com
  error      invalid-reverse-solidus at byte 8: a backslash counts as a slash
  uri        http://h/@evil.com
  scheme     http
  authority  h
  path       /@evil.com
  host       h
  port       80
  default    yes
  request    /@evil.com")]
pub struct Inspect {
    /// The document by which URIs are read. By `whatwg`, the URL that browsers make of the input is inspected, and `error` lists what
    /// they accept but the URL Standard calls an error.
    #[arg(long, value_name = "RULES", default_value = "rfc3986")]
    pub rules: Reading,

    /// Print a JSON object per line.
    #[arg(long)]
    pub json: bool,

    /// URIs or references. If none are given, they are read from standard input, one per line.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

/// Find the URIs in running text that are wrapped in `<URL:…>` or `<…>`. Print the byte offset of the `<`, a tab and the URI, one
/// per line.
///
/// If a line ends with a hyphen inside a URI, the hyphen may or may not belong to the URI: both readings are printed. For
/// several files, each line starts with the name of the file, percent-encoded as `relref links` does, and a tab.
///
/// FILE can also be the http or https link of a redirector, such as those of Google, Facebook, YouTube and Outlook: then the URL in it is
/// printed, as it is, also if it is such a link itself. Nothing is fetched.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref unwrap mail.txt
  12\tftp://info.cern.ch/pub/www/doc
  59\thttp://ds.internic.net/instructions/overview.html#WARNING
  $ relref unwrap 'https://www.google.com/url?q=https%3A%2F%2Fexample.com%2F'
  https://example.com/")]
pub struct Unwrap {
    /// Print a JSON object per line: the file and the byte offset, or the link, and the URI.
    #[arg(long)]
    pub json: bool,

    /// Text files, or links of redirectors; `-` is standard input, which is also read if none are given.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Check each URI against the grammar of a document. Print a line for each: `valid as` and the start production, or the production
/// that fails and the byte.
///
/// A grammar is named by its document and start production: each document has several, for absolute URIs, for references, or for
/// the schemes that it lists. An IRI may have characters beyond US-ASCII; `relref normalize --preset none --with iri` maps it to a
/// URI.
///
/// The exit code is 0 if all are valid, and 1 if one is not. No other command checks a grammar.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref validate 'http://h/a b' 'http://h/?q'
  not valid as `URI` of RFC 3986: expected a character of `path`, found ` ` at byte 10
  valid as `URI` of RFC 3986
  $ relref validate --grammar rfc1630-url,rfc1738-url 'http://host?find'
  valid as `url` of RFC 1630
  not valid as `url` of RFC 1738: expected `/` and an `hpath`, found `?` at byte 11
  $ relref validate --grammar rfc3986-uri,rfc3987-iri 'http://пример.example/'
  not valid as `URI` of RFC 3986: expected a character of `reg-name`, found `п` at byte 7
  valid as `IRI` of RFC 3987")]
pub struct Validate {
    /// The grammars, separated by commas.
    #[arg(long, value_name = "GRAMMAR", value_delimiter = ',', default_value = "rfc3986-uri", value_parser = grammars())]
    pub grammar: Vec<Grammar>,

    /// Print a JSON object per line: the URI, the grammar, true if it is valid, and the error and its byte if it is not.
    #[arg(long)]
    pub json: bool,

    /// URIs. If none are given, they are read from standard input, one per line.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

/// Returns a parser of arguments that name a grammar. The help gives the title of each grammar.
fn grammars() -> impl TypedValueParser<Value = Grammar> {
    let value = |grammar: Grammar| PossibleValue::new(grammar.name()).help(grammar.title());
    PossibleValuesParser::new(Grammar::ALL.iter().copied().map(value))
        .map(|name| name.parse().expect("a possible value"))
}
