//! Arguments of `relref links`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::error::ErrorKind;
use relref::Rules;
use relref::html::Kind;

use super::{Key, RulesParser};

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
    /// The rule set, by the name of its document. With +lenient after the name, `http:g` is relative to an http base.
    #[arg(long, value_name = "RULES", value_parser = RulesParser, default_value = "rfc3986")]
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

impl Links {
    /// Checks that standard input is read at most once, and that its page has a URI.
    pub fn check(&self) -> Result<(), (ErrorKind, &'static str)> {
        let from_stdin = self.files.iter().filter(|file| file.as_os_str() == "-").count();
        if from_stdin > 0 && self.base.is_none() {
            let why = "standard input has no URI of its own: give --base\n";
            return Err((ErrorKind::MissingRequiredArgument, why));
        }
        let list = self.files_from.iter().filter(|list| list.as_os_str() == "-").count();
        if from_stdin + list > 1 {
            return Err((ErrorKind::ArgumentConflict, "standard input can be read only once\n"));
        }
        Ok(())
    }
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
