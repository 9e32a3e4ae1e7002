//! Arguments of `relref resolve`, `relativize` and `compare`.

use relref::RuleSet;

use super::names::RulesParser;

/// Print the absolute URI that each reference means, one per line.
///
/// With --rules whatwg, a reference that browsers refuse gives an empty line, and a message with the URL Standard's name of the error.
/// With all other rules, every reference resolves. Control characters in results are percent-encoded; with --json, results are exact.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref resolve magic://a/b/c//d/e/f ../g /g
  magic://a/b/c//d/g
  magic://a/b/c//d/g
  $ relref resolve --rules rfc3986 magic://a/b/c//d/e/f /g
  magic://a/g
  $ relref resolve --rules whatwg http://example.com/a/b '..\\é'
  http://example.com/%C3%A9")]
pub struct Resolve {
    /// The rule set, by the name of its document. With +lenient after the name, `http:g` is relative to an http base. The default is
    /// `rfc1630`, the web's first rules, which this engine is about; browsers' rules are `whatwg`, also by the name `browsers`.
    #[arg(long, value_name = "RULES", value_parser = RulesParser)]
    pub rules: Option<RuleSet>,

    /// Resolve against the innermost URI in the base, and put what comes before it in front of each result, so that links of an archived
    /// page stay in the archive. The innermost URI starts at the last `scheme:/` that follows a slash, the `=` of a query or the colon of a
    /// scheme. In a jar: URI, the part after `!/` has no scheme, so it is no URI of its own: `!/` is an ordinary part of the path. `c.html`
    /// stays in the archive, but `/c.html`, and more `../` than it has folders, lead out of it.
    #[arg(long)]
    pub nested: bool,

    /// Print the steps that lead to each result, indented, before it. Each step cites its document and section.
    #[arg(long, conflicts_with = "pairs")]
    pub explain: bool,

    /// Print a JSON object per line: the reference, the URI, its components, and, with --explain, the steps.
    #[arg(long)]
    pub json: bool,

    /// Read lines `BASE<TAB>REF` from standard input. Print exactly one line for each; it is empty if the input line is bad.
    #[arg(long, conflicts_with_all = ["base", "references"])]
    pub pairs: bool,

    /// The absolute URI that the references are relative to.
    #[arg(required_unless_present = "pairs")]
    pub base: Option<String>,

    /// References. If none are given, they are read from standard input, one per line.
    #[arg(value_name = "REF")]
    pub references: Vec<String>,
}

/// Print the shortest reference to each URI, one per line.
///
/// With --rules whatwg, the URI is first written as browsers write it. Control characters in results are percent-encoded; with
/// --json, results are exact.
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
    pub rules: RuleSet,

    /// Find references to the innermost URI in the base, which is what `resolve --nested` resolves against.
    #[arg(long)]
    pub nested: bool,

    /// Print a JSON object per line: the URI and the reference.
    #[arg(long)]
    pub json: bool,

    /// Read lines `BASE<TAB>URI` from standard input. Print exactly one line for each; it is empty if the input line is bad.
    #[arg(long, conflicts_with_all = ["base", "uris"])]
    pub pairs: bool,

    /// The absolute URI that the references will be relative to.
    #[arg(required_unless_present = "pairs")]
    pub base: Option<String>,

    /// Absolute URIs. If none are given, they are read from standard input, one per line.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

/// Print a table of what each reference means by each rule set.
///
/// Results that differ from that of rfc3986 (without it, from the first) are colored on a terminal, and marked with `*` elsewhere. Where
/// browsers refuse a reference, the column `whatwg` has the URL Standard's name of the error in parentheses. If the terminal is narrower
/// than the table, each result gets a line of its own.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  $ relref compare --rules rfc1630,rfc3986,whatwg http://a/b '?y' 'c\\d' //h:x
  reference  rfc1630       rfc3986       whatwg
  ?y         http://a/?y*  http://a/b?y  http://a/b?y
  c\\d        http://a/c\\d  http://a/c\\d  http://a/c/d*
  //h:x      http://h:x    http://h:x    (port-invalid)*")]
pub struct Compare {
    /// The rule sets, by the names of their documents, separated by commas. The default is all.
    #[arg(long, value_name = "RULES,…", value_delimiter = ',', value_parser = RulesParser)]
    pub rules: Vec<RuleSet>,

    /// Resolve against the innermost URI in the base, and put what comes before it in front of each result, so that links of an archived
    /// page stay in the archive. The innermost URI starts at the last `scheme:/` that follows a slash, the `=` of a query or the colon of a
    /// scheme.
    #[arg(long)]
    pub nested: bool,

    /// Print a JSON object per reference.
    #[arg(long)]
    pub json: bool,

    /// The absolute URI that the references are relative to.
    pub base: String,

    /// The references.
    #[arg(value_name = "REF", required = true)]
    pub references: Vec<String>,
}
