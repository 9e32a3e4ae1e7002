//! Arguments of `relref resolve`, `relativize` and `compare`.

use relref::Rules;

use super::RulesParser;

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
    /// The rule set, by the name of its document. With +lenient after the name, `http:g` is relative to an http base.
    #[arg(long, value_name = "RULES", value_parser = RulesParser, default_value = "rfc1630")]
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
    /// The rule set by which the references resolve back, by the name of its document. With +lenient after the name, `http:g`
    /// is relative to an http base.
    #[arg(long, value_name = "RULES", value_parser = RulesParser, default_value = "rfc1630")]
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
