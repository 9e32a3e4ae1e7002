//! Arguments of `relref normalize` and `equal`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use relref::RuleSet;
use relref::crawl::{self, Change, Normalizer};

use super::names::RulesParser;

/// Print the normal form of each URI, one per line.
///
/// The preset `safe` never changes what a URI names by RFC 3986: it normalizes percent-encoding, case, dot segments (`/a/../b` becomes
/// `/b`), and what the scheme implies, such as its default port. (To RFC 3986, a URI inside a path is just segments, so `..` may remove
/// its host: http://a/http://b/../c becomes http://a/http://c.) Browsers find the same host in the result, or none where tabs, line
/// breaks or outer spaces have become escapes. The preset `crawl` gives links to the same page the same form, as crawlers do: it also
/// drops fragments, empty queries and tracking parameters, sorts queries, and writes hosts as A-labels. An illegal escape, as in `100%`,
/// is an error with `safe`, and stays as it is with `crawl`.
///
/// Escapes of letters, digits and -._~ are decoded. Reserved characters (:/?#[]@!$&'()*+,;=) stay as they are, escaped or not, even where
/// RFC 3986 requires an escape: [ and ] outside an IPv6 address, and a second #. All other characters are escaped: controls, the space,
/// "<>\^`{|} and all beyond US-ASCII, also in hosts: `--with idna` writes these as browsers do, such as xn--bcher-kva.example. The one
/// exception is a \ where browsers look for the host: then that component stays as it is. `relref unwrap` takes the URL out of the link of
/// a redirector.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref normalize HTTP://Example.com:80/a/../%7eb mailto:A@B
  http://example.com/~b
  mailto:A@b
  $ relref normalize --preset crawl --with upgrade 'http://h.com/?utm_source=x&b&a#top'
  https://h.com/?a&b
  $ relref normalize --with lower-path --explain http://h/A
    lower-path: http://h/A becomes http://h/a (decision: some servers ignore the case of paths)
  http://h/a
  $ relref normalize --preset none --with iri 'http://Example.com/日本?q=é%7e'
  http://Example.com/%E6%97%A5%E6%9C%AC?q=%C3%A9%7e
  $ relref normalize --iri http://xn--bcher-kva.example/caf%C3%A9%2F
  http://bücher.example/café%2F
  $ relref normalize --drop-param '*id' --drop-param ref 'http://h.com/?sid=1&page=2&ref=x'
  http://h.com/?page=2
  $ relref normalize --key surt 'https://docs.example.com/a?b'
  com,example,docs)/a?b
  $ relref normalize --key cdx 'https://www.Example.com/A/?y&x'
  com,example)/a?x&y
  $ relref normalize --key domain 'https://docs.Example.co.uk:8080/a'
  example.co.uk")]
pub struct Normalize {
    /// The set of changes to start from.
    #[arg(long, value_name = "PRESET", default_value = "safe")]
    pub preset: Preset,

    #[command(flatten)]
    pub changes: Changes,

    /// Print a sort key, host or domain instead of the normal form.
    #[arg(long, value_name = "KEY")]
    pub key: Option<Key>,

    /// Print the normal form as an IRI, for people to read: escapes become characters, and A-labels of the host Unicode, except where the
    /// same URI would not come back, or where the result could mislead, as by marks that change the direction of text. Letters that only
    /// look alike are not told apart.
    #[arg(long, conflicts_with = "key")]
    pub iri: bool,

    /// Print each change that had an effect, indented, before each result, with its sources: a document, its section and
    /// its words, or a decision of relref with the reason.
    #[arg(long)]
    pub explain: bool,

    /// Print a JSON object per line: the URI, its normal form or key, with --iri the IRI, and with --explain the changes.
    #[arg(long)]
    pub json: bool,

    /// The document by which URIs are read before they are normalized.
    #[arg(long, value_name = "RULES", default_value = "rfc3986")]
    pub rules: Reading,

    /// URIs. If none are given, they are read from standard input, one per line. A bad URI gives an empty line.
    #[arg(value_name = "URI")]
    pub uris: Vec<String>,
}

impl Normalize {
    /// Checks that no option about changes comes with the key cdx, and what [`Changes::check`] does. The error is the message about
    /// wrong usage.
    pub fn check(&self) -> Result<(), (ErrorKind, &'static str)> {
        if matches!(self.key, Some(Key::Cdx)) && (self.explain || !self.changes.is_empty()) {
            let why =
                "--key cdx makes no changes: leave out --explain, --with, --without, --keep-only and --drop-param";
            return Err((ErrorKind::ArgumentConflict, why));
        }
        self.changes.check()
    }
}

/// The changes to add to a preset, and those to leave out.
#[derive(clap::Args)]
pub struct Changes {
    /// Changes to add, separated by commas; can be given more than once.
    #[arg(long, value_name = "CHANGE", value_delimiter = ',', value_parser = changes(), hide_short_help = true)]
    pub with: Vec<Change>,

    /// Changes to leave out, even if --with adds them; can be given more than once.
    #[arg(long, value_name = "CHANGE", value_delimiter = ',', hide_possible_values = true, value_parser = changes(), hide_short_help = true)]
    pub without: Vec<Change>,

    /// Keep only the query parameters with these names.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', hide_short_help = true)]
    pub keep_only: Vec<String>,

    /// Remove the query parameters with this name: in upper or lower case, and whatever the preset. A `*` in NAME stands for any text:
    /// utm_*, *id, *ref*. Only queries of http, https, ws and wss have parameters. Names are separated by commas, or the option is repeated.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub drop_param: Vec<String>,
}

impl Changes {
    /// Reports whether no change is added or left out, so that the preset stays as it is.
    pub fn is_empty(&self) -> bool {
        !self.need_preset() && self.drop_param.is_empty()
    }

    /// Reports whether changes are added or left out that need a preset.
    pub fn need_preset(&self) -> bool {
        !(self.with.is_empty() && self.without.is_empty() && self.keep_only.is_empty())
    }

    /// Returns the normalizer of a preset with the changes of `--with` and `--keep-only` added, and those of `--without` left out.
    /// The parameters of `--drop-param` are removed also if `--without` leaves out those that the preset removes.
    pub fn apply(&self, mut normalizer: Normalizer) -> Normalizer {
        if !self.keep_only.is_empty() {
            normalizer = normalizer.keep_only(&self.keep_only);
        }
        normalizer = self.with.iter().fold(normalizer, |normalizer, change| normalizer.with(*change));
        normalizer = self.without.iter().fold(normalizer, |normalizer, change| normalizer.without(*change));
        self.drop_param.iter().fold(normalizer, Normalizer::drop_param)
    }

    /// Checks that `--with keep-only` comes with names of query parameters. The error is the message about wrong usage.
    pub fn check(&self) -> Result<(), (ErrorKind, &'static str)> {
        if self.with.contains(&Change::KeepOnly) && self.keep_only.is_empty() {
            let why = "keep-only needs the names of parameters: write --keep-only NAME,… instead of --with keep-only";
            return Err((ErrorKind::MissingRequiredArgument, why));
        }
        Ok(())
    }
}

/// Returns a parser of arguments that name a change. The help says what each change does, and which presets make it.
fn changes() -> impl TypedValueParser<Value = Change> {
    let value = |&change: &Change| {
        let presets = change.presets().join(", ");
        let presets = if presets.is_empty() { presets } else { format!(" ({presets})") };
        PossibleValue::new(change.name()).help(format!("{}{presets}", change.summary()))
    };
    PossibleValuesParser::new(Change::ALL.iter().map(value)).map(|name| name.parse().expect("a possible value"))
}

/// The document by which `normalize` and `inspect` read URIs.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Reading {
    /// RFC 3986: each component as it is written.
    Rfc3986,
    /// The URL Standard: the URL that a browser makes of the text; a text that is no URL to it is an error.
    #[value(aliases = ["browser", "browsers"])]
    Whatwg,
}

/// The set of changes that `normalize` starts from.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Preset {
    /// Never changes what a URI names.
    Safe,
    /// Gives links to the same page the same form.
    Crawl,
    /// Changes nothing: only the changes of --with are made.
    None,
}

/// A key by which URIs are sorted or put into groups.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Key {
    /// The host from right to left, then the path and query of the normal form.
    Surt,
    /// The key in CDX files, as pywb and the Python package surt make it from the URI as it is, without any change.
    Cdx,
    /// The host of the normal form, as browsers write it, without port and final dot; empty if there is none.
    Host,
    /// The domain of that host by the list of public suffixes, as --same-domain compares it: an address is its own domain; a name without
    /// a public suffix has its last two labels.
    Domain,
}

impl Key {
    /// Returns the kind of key of the library.
    pub fn kind(self) -> crawl::Key {
        match self {
            Key::Surt => crawl::Key::Surt,
            Key::Cdx => crawl::Key::Cdx,
            Key::Host => crawl::Key::Host,
            Key::Domain => crawl::Key::Domain,
        }
    }
}

/// Compare two URIs. If they are equal, print how much must be normalized (text, encoding, case, dots, scheme or fragment) and the
/// words that allow it; otherwise, what differs.
///
/// The exit code is 0 if they are equal, and 1 if they differ or one of them is bad, as with an illegal escape.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  $ relref equal file:///a file://localhost/a
  same scheme (RFC 1738 §3.10: \"can be the string \"localhost\" or the empty string\")
  $ relref equal http://h/a/b http://h/a%2Fb
  different path: /a/b and /a%2Fb
  $ relref equal --rules whatwg 'http://h\\a' http://h:80/a
  same URL (decision: browsers make the same URL of both (URL Standard §4.6))")]
pub struct Equal {
    /// The document whose rules decide. By `whatwg`, two URLs are equal if browsers write them the same. An empty fragment, as in
    /// `http://h/#`, is the same as none by url7, draft-www-uri-00 and rfc1630.
    #[arg(long, value_name = "RULES", default_value = "rfc3986", value_parser = RulesParser)]
    pub rules: RuleSet,

    /// Compare without fragments: http://h/a#b is then equal to http://h/a.
    #[arg(long)]
    pub no_fragment: bool,

    /// Print a JSON object: `equal`, and what made them equal, or what differs.
    #[arg(long)]
    pub json: bool,

    /// The first URI.
    pub left: String,

    /// The second URI.
    pub right: String,
}
