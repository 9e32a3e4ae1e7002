//! Arguments of `relref normalize` and `equal`.

use relref::crawl::Change;

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
