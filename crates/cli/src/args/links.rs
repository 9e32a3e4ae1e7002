//! Arguments of `relref links`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use clap::error::ErrorKind;
use encoding_rs::Encoding;
use relref::RuleSet;
use relref::crawl::{Normalizer, Scope};
use relref_links::html::{Kind, Options, Pages};
use relref_links::page::{LinkReader, Statuses, UriForms};

use super::names::{RulesParser, described_names};
use super::{Changes, Key};
use crate::symlinks::open_file_number;

const PAGES: &str = "Pages";
const LINKS: &str = "Links to print";
const FORMS: &str = "Normal forms and keys";
const OUTPUT: &str = "Output";
const LIMITS: &str = "Limits";

/// The help of `--with`: that of `normalize` says what each change does.
const WITH: &str =
    "Changes to add, separated by commas; `relref normalize --help` lists them. Can be given more than once";

/// Print the links of HTML pages and Markdown, of folders of pages, and of web archives (WARC and ARC, uncompressed or compressed with gzip
/// or Zstandard; WAT; WACZ; MHTML; EPUB).
///
/// `relref links -h` has the options on one screen.
///
/// Each line has the page, element, attribute, reference and absolute URI, separated by tabs (--format, --columns). Pages are read in the
/// order given, those in a folder by name. The pages of an archive are its HTML responses and files (response and resource records); each
/// has its own URI. The HTTP fields Location, Link, Refresh and Content-Location of archives are links of the element `http`. Links also
/// come from WAT files, and from the metadata records in which Heritrix writes outlinks: these are printed for pages that the archive does
/// not have before them, such as revisits, or that are not HTML, such as PDF files. Each archive in a WACZ file is named
/// FILE.wacz:archive/NAME. A WACZ file on standard input is first written to a temporary file, which may take half of --max-temp. Sitemaps,
/// RSS, Atom and the Sitemap lines of robots.txt are read, too. Links of style sheets have the element `css`, and the attribute `import` or
/// `url`. XHTML (by its media type, a name that ends with .xhtml or .xht, or `<?xml` and its namespace at the start of a file) and SVG
/// images are read as XML; at the first error of well-formedness, which is reported, reading goes on as HTML. Markdown (.md, .markdown,
/// .mdown, .mkd, .mkdn, .mdx, text/markdown) has the links of the HTML that GitHub renders it to, and each definition once. A link of HTML
/// in a feed or in `srcdoc` has the element and attribute that hold the HTML, and in jsonl the field `inner` with its own. Files and
/// streams may be compressed with gzip or Zstandard.
///
/// The HTML parts of MHTML files and mails (.mht, .mhtml, .eml) are pages, whose URI is their Content-Location; in mails without one, it is
/// thismessage:/. The pages of an EPUB are those of its manifest, in reading order. Its root is --base (in a folder, with FILE.epub added),
/// or without --base epub:// and the percent-encoded path of the file, which no reference leads out of. HAR, JSON Feed, OPML, CDX, CDXJ,
/// PDF and other ZIP files are not read: each is an error that says so; in folders, they are skipped.
///
/// A damaged page, record or archive is reported on standard error, and the others are read. The last line has the totals, and counts the
/// records that were not read and the links that were not printed, by reason; repeated ones (--unique)
/// and those of another kind or scheme than is asked for are not counted. --rejected lists the links that were rejected. At most 100
/// problems of one input are reported, and 1 MiB of them in all; the rest are counted.
///
/// No output can control a terminal: control characters, and those that set the direction of text, are percent-encoded in tsv and text, and
/// escaped in jsonl. In file names they are always percent-encoded, as are `%` and bytes that are not UTF-8, so that different files have
/// different names. The lines of one page take at most 1 MiB plus 256 times its length, and so do its URIs before --normalize or --key,
/// where one of 512 bytes or more that repeats the one before it does not count. Links beyond that are counted, and the page is reported.
///
/// In folders, a file is read if its first bytes show that it is a page, feed or archive, or if it is a style sheet (.css) or Markdown;
/// files with the ending of something else, such as an image or a script, are skipped. There, a ZIP file is a WACZ if its name ends with
/// .wacz, or if its directory lists a WARC file in the folder `archive`, and an EPUB if its name ends with .epub, or its first entry or
/// META-INF/container.xml says so. Named pipes, sockets and devices are skipped, too; the totals count what was skipped. Symbolic links are
/// followed, but each folder is read once: at its own place in the given folder, or, if it is outside, at the first symbolic link to it.
/// What git ignores below the folder is left out.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ relref links --base http://example.com/docs/ index.html
  index.html\ta\thref\tintro.html\thttp://example.com/docs/intro.html
  index.html\timg\tsrc\t/logo.png\thttp://example.com/logo.png
  $ relref links --base http://example.com/docs --kind hyperlink --format text site
  http://example.com/docs/a/c.html
  $ relref links --format jsonl --follow --unique crawl.warc
  {\"page\":\"http://h/x\",\"archive\":\"crawl.warc\",\"offset\":0,\"status\":200,\"media_type\":\"text/html\",\"charset\":\"UTF-8\",\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\"rel\":\"\",\"reference\":\"y\",\"uri\":\"http://h/y\"}")]
#[command(mut_arg("with", |with| with.hide_possible_values(true).help(WITH)))]
pub struct Links {
    /// The rule set, by the name of its document. The default is browsers' rules, because authors write pages for browsers: they correct
    /// and encode references, and refuse some. The other rule sets resolve every reference, and encode nothing. With +lenient after the
    /// name of one of these, `http:g` is relative to an http base.
    #[arg(help_heading = PAGES, long, value_name = "RULES", value_parser = RulesParser, default_value = "whatwg")]
    pub rules: RuleSet,

    /// Resolve the links of a page against the innermost URI in its own: what comes before it stands before each result, too, so that links
    /// of an archived page stay in the archive. Scope, normal forms and keys are those of the innermost URIs.
    #[arg(help_heading = PAGES, long)]
    pub nested: bool,

    /// The URI of the page. For a FOLDER, the URI that the folder has on its site: FOLDER/a/b.html is URI/a/b.html, even if URI does not
    /// end with a slash. Without this option, a file has its own file:// URI. The pages of archives always have their own URIs.
    #[arg(help_heading = PAGES, long, value_name = "URI")]
    pub base: Option<String>,

    /// The folder that is a copy of the site --base: FOLDER/a/b.html is URI/a/b.html, however the file is named. Files outside of it are
    /// reported, except archives.
    #[arg(help_heading = PAGES, long = "root", value_name = "FOLDER", requires = "base")]
    pub root_folder: Option<PathBuf>,

    /// Use the canonical link of a page, if it has one, as its URI: in the column of the page or the field `page_uri`, and where links are
    /// compared with it (--same-host, --same-domain). It is the first `link` element or Link field with rel=canonical and an http or https
    /// URI with a host, without its fragment. It is not the base of links. Pages are read twice.
    #[arg(help_heading = PAGES, long, hide_short_help = true)]
    pub canonical: bool,

    /// How the names of files become URIs below --base.
    #[arg(help_heading = PAGES, long, value_enum, hide_short_help = true)]
    pub names: Option<Names>,

    /// With --names wget, the name of the file that wget writes for a folder (wget --default-page); can be given more than once.
    #[arg(help_heading = PAGES, long, value_name = "NAME", requires = "names", default_value = "index.html", hide_short_help = true)]
    pub index: Vec<String>,

    /// Read a list of more files, folders and archives; `-` is standard input. Names are separated by line breaks. In a line, a tab
    /// and the URI of the page, or of the site, can follow the name.
    #[arg(help_heading = PAGES, long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,

    /// The names in the list of --files-from end with NUL, as find -print0 writes them.
    #[arg(help_heading = PAGES, short = '0', long, requires = "files_from", hide_short_help = true)]
    pub null: bool,

    /// Also read what git ignores below a folder. The folder itself is read even if it is ignored.
    #[arg(help_heading = PAGES, long, hide_short_help = true)]
    pub no_ignore: bool,

    /// Read only captures with these status codes, separated by commas, such as 200,3xx; others are counted.
    ///
    /// Pages without a status code are read: those that are files, also in archives, and those of WAT files.
    #[arg(help_heading = PAGES, long, value_name = "STATUS,…", hide_short_help = true)]
    pub status: Option<Statuses>,

    /// Print only links of these kinds, separated by commas: what a link is for, by its element, attribute and `rel`. Links of other
    /// kinds are not looked at, and not in the totals.
    #[arg(help_heading = LINKS, long = "kind", value_name = "KIND,…", value_delimiter = ',', value_parser = described_names(Kind::ALL, Kind::name, about_kind))]
    pub kinds: Vec<Kind>,

    /// Print only links that a crawler can follow: those with the scheme http, https, ftp or file, with a possible host and port. Links
    /// with another scheme, such as mailto:, are not looked at, and not in the totals; those without a possible host or port are counted
    /// as out of scope.
    #[arg(help_heading = LINKS, long)]
    pub follow: bool,

    /// Print only links to the host of their page. This and the next three options imply --follow, and count the links that
    /// they leave out. They look at the URI that is printed.
    #[arg(help_heading = LINKS, long, conflicts_with = "same_domain")]
    pub same_host: bool,

    /// Print only links to the domain of their page, by the list of public suffixes: a.example.co.uk and b.example.co.uk are in
    /// one domain.
    #[arg(help_heading = LINKS, long)]
    pub same_domain: bool,

    /// Print only links whose URI matches a regular expression, anywhere in it; can be given more than once.
    #[arg(help_heading = LINKS, long, value_name = "REGEX", value_parser = pattern)]
    pub include: Vec<String>,

    /// Leave out links whose URI matches a regular expression, even if --include matches it; can be given more than once.
    #[arg(help_heading = LINKS, long, value_name = "REGEX", value_parser = pattern)]
    pub exclude: Vec<String>,

    /// Leave out links that robots should not follow: those with rel=nofollow, and all of pages whose `<meta name=robots>` or HTTP field
    /// X-Robots-Tag says nofollow or none to all robots, with those in their HTTP fields. They are counted.
    #[arg(help_heading = LINKS, long)]
    pub no_nofollow: bool,

    /// Leave out links that the robots.txt of their host disallows (RFC 9309), and count them. This option implies --follow.
    ///
    /// A file has the rules for the scheme, host and port of --base; other links are not checked. A folder has a file for each host:
    /// HOST/robots.txt or HOST.txt; if the port is not the default of the scheme, HOST:PORT, HOST+PORT or HOST_PORT in place of HOST. A
    /// host without a file allows everything; a file that cannot be read is reported, and allows nothing. Only the first 500 KiB of a file
    /// count.
    #[arg(help_heading = LINKS, long, value_name = "FILE|FOLDER")]
    pub robots: Option<PathBuf>,

    /// The crawler whose rules count, by its name in robots.txt (product token), such as ExampleBot.
    #[arg(help_heading = LINKS, long, value_name = "NAME", default_value = "*", hide_short_help = true)]
    pub user_agent: String,

    /// Print each URI once, where it occurs first, or each key (--key). When --max-memory is full, lines that may be new wait in a
    /// temporary file, and are printed at the end.
    #[arg(help_heading = LINKS, long, value_name = "COLUMN", num_args = 0..=1, require_equals = true, default_missing_value = "uri")]
    pub unique: Option<Unique>,

    /// Leave out links whose URI or key (--key) is in a list, and count them; with --unique, each is counted once. The list has one URI or
    /// key a line, as --format text prints them; a tab and what follows it are ignored. Without --seen-normalize, a line must be the
    /// printed URI or key. `-` is standard input. Can be given more than once. However long, lists take at most --max-memory, and up to 48
    /// bytes of disk for each line.
    #[arg(help_heading = LINKS, long, value_name = "FILE")]
    pub seen: Vec<PathBuf>,

    /// Read each line of the lists of --seen as the reference of a link: resolve it by --rules, and normalize it as links are, so that
    /// lists of other programs match. A link is left out if a line then has its URI or, with --unique=key, its key. A line that is not an
    /// absolute URI, or longer than --max-uri, stays as it is.
    #[arg(help_heading = LINKS, long, requires = "seen", hide_short_help = true)]
    pub seen_normalize: bool,

    /// Normalize URIs, as `relref normalize --preset` does. With safe, a URI with an illegal escape (`100%`) is printed as it is, and
    /// counted; crawl keeps the `%`. A query of a page that is not in Unicode keeps the page's character encoding. --with, --without and
    /// --keep-only change what a preset does. With none, --drop-param only removes parameters.
    #[arg(help_heading = FORMS, long, value_enum, value_name = "PRESET", default_value_t = NormalForm::None)]
    pub normalize: NormalForm,

    #[command(flatten, next_help_heading = FORMS)]
    pub changes: Changes,

    /// Add the text of the link: a column after the URI, or the field `text`, in one line of at most 1 KiB: for an
    /// `a` its text with the `alt` of its images, for another element its `alt`.
    #[arg(help_heading = OUTPUT, long)]
    pub text: bool,

    /// Add a sort key, the host or the domain as the last column, or as the field `key`. All but that of cdx are made from the normal
    /// form; with --normalize none, from the safe one. The key of a URI that has no such form, as its escapes are illegal (`100%`), is empty.
    #[arg(help_heading = FORMS, long, value_name = "KEY")]
    pub key: Option<Key>,

    /// Also print what only scripts and link previews read.
    ///
    /// These are the attributes data-src, data-srcset, data-original, data-lazy-src, data-bg, data-url, data-href, data-lazy,
    /// data-lazy-srcset, data-full-src, data-original-set, data-bgset, data-background, data-background-image, data-echo,
    /// data-hi-res-src, data-image, data-img, data-poster, data-full, data-large-file, data-medium-file, data-orig-file,
    /// data-zoom-image, data-actualsrc, data-fallback-src, data-large_image, data-src-retina, data-lazyload, data-thumb,
    /// data-flickity-lazyload, data-cfsrc, data-img-src, data-image-src, data-bg-image, data-hires, data-ezsrc, data-ezsrcset,
    /// data-defer-src, data-original-src, data-pin-media, data-ks-lazyload, data-delayed-url and data-litespeed-src, absolute URLs in quotes
    /// in `javascript:`, and the URLs in JSON-LD and in `meta` elements whose property starts with `og:` or `twitter:`, or is one of
    /// schema.org.
    #[arg(help_heading = LINKS, long)]
    pub lazy: bool,

    /// Also print the identifiers of items: itemtype and itemid.
    #[arg(help_heading = LINKS, long, hide_short_help = true)]
    pub items: bool,

    /// The character encoding of pages without a byte order mark: a label of the Encoding Standard. Without it, the HTTP head
    /// or the page decides; if neither does, UTF-8.
    #[arg(help_heading = PAGES, long, value_name = "LABEL", value_parser = relref_links::html::charset)]
    pub charset: Option<&'static Encoding>,

    /// The format of the lines. In jsonl, a field without a value is left out. Links in files and on standard input have the place of
    /// the reference as written: `start` and `end`, its offsets in bytes, and `line` and `column`, from 1. Those in archives and in
    /// compressed files have none. The other fields are explained at --columns.
    #[arg(help_heading = OUTPUT, long, value_enum, default_value_t = Format::Tsv, default_value_if("json", "true", "jsonl"))]
    pub format: Format,

    /// The same as --format jsonl.
    #[arg(help_heading = OUTPUT, long, conflicts_with = "format")]
    pub json: bool,

    /// The columns of tsv, or the fields of jsonl, in this order, separated by commas; --help lists them.
    ///
    /// A column without a value is empty, a field without one is left out. Of the page: `page` is its file or, in an archive, its URI,
    /// `page_uri` always its URI; `archive`, `offset` and `date` (WARC-Date) are those of its record, `status` and `media_type`
    /// those of its HTTP head; `charset` is the character encoding by which it is read, `title` the text of its `title`, of at most 1 KiB.
    /// Of the link: `element`, `attribute`, `inner` (those inside of the HTML that these hold), `kind`, `rel`, `reference`, `uri`;
    /// `hreflang` and `media`, which are attributes of the element or parameters of the field Link; `anchor`, which is one of the field;
    /// `text`, which implies --text; `key`, which needs --key; `start`, `end`, `line` and `column`, as --format says. The columns of
    /// --rejected stay the same.
    #[arg(help_heading = OUTPUT, long, value_name = "COLUMN,…", value_delimiter = ',', hide_possible_values = true, value_enum, hide_short_help = true)]
    pub columns: Vec<Column>,

    /// Write the links to a file; it must not be an input, nor a page in an input folder. `-` and /dev/stdout are standard output. The
    /// file is replaced when the command ends, even if some inputs failed. If inputs failed and nothing was read, or the links cannot be
    /// written, the old file stays; in the first case, it is replaced with --damaged-ok. It also stays if SIGINT or SIGTERM stops the
    /// command, which then prints its totals; a second signal ends it at once. A killed command leaves a file `.relref-*.tmp` in the same
    /// folder. If the file cannot be replaced (it is mounted, or its folder is read-only), the links are written into it at the end.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the links that are not printed to a file, with the reason: not a valid URL (at line:column of the page, or at a byte of
    /// the reference), out of scope, nofollow (--no-nofollow), disallowed by a line of robots.txt (--robots) or too long (--max-uri).
    /// Columns: page, element, attribute, reference and why, or JSON objects of them with --format jsonl. Links of a kind, scheme or
    /// attribute that is not asked for are not among them, nor are repeated ones. The file is replaced like the file of --output, and must
    /// be another one. `-` is standard output, which needs --output FILE.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub rejected: Option<PathBuf>,

    /// The size limit of a page, decoded; a larger page is reported and skipped. K, M or G may follow the number.
    #[arg(help_heading = LIMITS, long, value_name = "BYTES", default_value = "1G", hide_short_help = true)]
    pub max_page: Size,

    /// The length limit of a URI; a link with a longer URI is counted, not printed; a page with a longer URI is reported and
    /// skipped. K, M or G may follow the number.
    #[arg(help_heading = LIMITS, long, value_name = "BYTES", default_value = "64K")]
    pub max_uri: Size,

    /// The disk budget for temporary files, which large pages from archives and streams need. In all threads together, they may take this
    /// much and one page more; other pages wait. A page that is larger than the budget is reported and skipped. The files of --unique and
    /// --seen are not counted. K, M or G may follow the number.
    #[arg(help_heading = LIMITS, long, value_name = "BYTES", default_value = "4G", hide_short_help = true)]
    pub max_temp: Size,

    /// The memory for what --unique and --seen compare; the default is enough for about seven million URIs. More are compared at the end,
    /// on disk. K, M or G may follow the number.
    #[arg(help_heading = LIMITS, long, value_name = "BYTES", default_value = "256M", hide_short_help = true)]
    pub max_memory: Size,

    /// The number of threads that read pages. The default, and the most that is used, is one per core, up to 32.
    #[arg(help_heading = LIMITS, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Exit with 0 even if some inputs are damaged or cannot be read; they are still reported.
    #[arg(help_heading = OUTPUT, long, hide_short_help = true)]
    pub damaged_ok: bool,

    /// Show no progress bar and no totals.
    #[arg(help_heading = OUTPUT, long, short)]
    pub quiet: bool,

    /// Pages, folders and archives; `-` is standard input, which needs --base unless it is an archive.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Returns the line of the help about a kind.
fn about_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Hyperlink => {
            "a page to go to: `a`, `area`, `link` with rel=next or alternate, an entry of a sitemap or feed"
        }
        Kind::Resource => {
            "a file that a page needs: `img`, `script`, `iframe`, `link` with rel=stylesheet or icon, url() in CSS"
        }
        Kind::Form => "where a form is sent: `form action`, `button formaction`",
        Kind::Citation => "the source of a quotation or an edit: `cite`",
        Kind::Refresh => "what replaces the page: `meta http-equiv=refresh`, the HTTP fields Refresh and Location",
        Kind::Metadata => "a name rather than a place to go to: `link` with rel=canonical, `profile`, og:url",
        _ => "another kind",
    }
}

impl Links {
    /// The most bytes of the text of a link, for `--text`.
    const MAX_LINK_TEXT_LEN: usize = 1 << 10;

    /// Returns the columns of the lines of links, in their order. Without `--columns`, those of `--format`, `--text` and `--key`.
    pub fn line_columns(&self) -> Vec<Column> {
        if !self.columns.is_empty() {
            return self.columns.clone();
        }
        use Column::{Attribute, Element, Key, Page, Reference, Text, Uri};
        let mut columns = match self.format {
            Format::Text => vec![Uri, Text, Key],
            Format::Tsv => vec![Page, Element, Attribute, Reference, Uri, Text, Key],
            Format::Jsonl => Column::value_variants().to_vec(),
        };
        columns.retain(|column| match column {
            Text => self.text,
            Key => self.key.is_some(),
            _ => true,
        });
        columns
    }

    /// Reports whether only links that can be fetched are printed: with `--follow`, or an option that implies it.
    pub fn only_fetchable(&self) -> bool {
        let has_scope = self.same_host || self.same_domain || !self.include.is_empty() || !self.exclude.is_empty();
        self.follow || has_scope || self.robots.is_some()
    }

    /// With `--names wget`, returns the names of the files that stand for their folders.
    pub fn index_of_mirror(&self) -> Option<&[String]> {
        (self.names == Some(Names::Wget)).then_some(&self.index)
    }

    /// Returns the file of `--output`. Returns `None` if the links are written to standard output.
    pub fn output_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }

    /// Returns the file of `--rejected`. Returns `None` without `--rejected`, or if that is standard output.
    pub fn rejected_file(&self) -> Option<&Path> {
        self.rejected.as_deref().filter(|path| !is_stdout(path))
    }

    /// Reports whether links or rejected links are written to standard output.
    pub fn writes_stdout(&self) -> bool {
        self.output_file().is_none() || self.rejected.as_deref().is_some_and(is_stdout)
    }

    /// Returns the scope to which a printed link must belong. With `--follow` alone, it has all URIs that can be fetched. Returns
    /// `None` without `--follow` and without an option that limits the scope.
    pub fn scope(&self) -> Option<Scope> {
        let mut scope = self.only_fetchable().then(Scope::new)?;
        if self.same_host {
            scope = scope.same_host();
        }
        if self.same_domain {
            scope = scope.same_domain();
        }
        if !self.include.is_empty() {
            scope = scope.include(&self.include).expect("each pattern was parsed");
        }
        if !self.exclude.is_empty() {
            scope = scope.exclude(&self.exclude).expect("each pattern was parsed");
        }
        Some(scope)
    }

    /// Returns a reader of links with the options that the arguments give.
    pub fn link_reader(&self) -> LinkReader {
        let columns = self.line_columns();
        let pages = Pages::with(Options {
            lazy: self.lazy,
            items: self.items,
            robots: self.no_nofollow,
            title: columns.contains(&Column::Title),
            legacy_queries: self.normalize != NormalForm::None,
            kinds: self.kinds.clone(),
            fetchable: self.only_fetchable(),
            rejected: true,
            max_uri: usize::try_from(self.max_uri.0).unwrap_or(usize::MAX),
            max_text: if columns.contains(&Column::Text) { Self::MAX_LINK_TEXT_LEN } else { 0 },
            ..Options::default()
        });
        LinkReader { pages, rules: self.rules, charset: self.charset }
    }

    /// Returns the maker of the normal forms and keys that are printed.
    pub fn uri_forms(&self) -> UriForms {
        let key = self.key.map(Key::kind);
        let changed = |preset| self.changes.apply(preset);
        match self.normalize {
            NormalForm::None if self.changes.is_empty() => UriForms::new(None, key),
            NormalForm::None => {
                UriForms::new(Some(changed(Normalizer::new())), key).with_keys_by(changed(Normalizer::safe()))
            }
            NormalForm::Safe => UriForms::new(Some(changed(Normalizer::safe())), key),
            NormalForm::Crawl => UriForms::new(Some(changed(Normalizer::crawl())), key),
        }
    }

    /// The error is the message about wrong usage.
    pub fn check(&self) -> Result<(), (ErrorKind, &'static str)> {
        if self.files.is_empty() && self.files_from.is_none() {
            let why = "nothing to read: give FILE (`-` is standard input), or --files-from with a list of files";
            return Err((ErrorKind::MissingRequiredArgument, why));
        }
        let files = self.files.iter().chain(&self.files_from).chain(&self.seen).chain(&self.robots);
        if files.filter(|file| file.as_os_str() == "-").count() > 1 {
            return Err((ErrorKind::ArgumentConflict, "standard input can be read only once"));
        }
        if self.base.is_none()
            && self.robots.as_ref().is_some_and(|robots| robots.is_file() || robots.as_os_str() == "-")
        {
            let why = "--robots FILE needs --base, the URI of the site whose robots.txt it is (a FOLDER has a file for each host)";
            return Err((ErrorKind::MissingRequiredArgument, why));
        }
        if self.output_file().is_none() && self.rejected.as_deref().is_some_and(is_stdout) {
            let why = "--rejected and the links would both go to standard output: give --rejected a file, or add --output FILE";
            return Err((ErrorKind::ArgumentConflict, why));
        }
        if self.names.is_some() && self.base.is_none() && self.files_from.is_none() {
            return Err((ErrorKind::MissingRequiredArgument, "--names needs --base, or URIs in --files-from"));
        }
        if self.unique == Some(Unique::Key) && self.key.is_none() {
            return Err((ErrorKind::MissingRequiredArgument, "--unique=key needs --key"));
        }
        if !self.columns.is_empty() && self.format == Format::Text {
            let why = "--columns needs --format tsv or jsonl: text has the URI, and the columns of --text and --key";
            return Err((ErrorKind::ArgumentConflict, why));
        }
        if self.columns.contains(&Column::Key) && self.key.is_none() {
            return Err((ErrorKind::MissingRequiredArgument, "the column key needs --key"));
        }
        if self.columns.iter().enumerate().any(|(at, column)| self.columns[..at].contains(column)) {
            return Err((ErrorKind::ArgumentConflict, "--columns has a column twice"));
        }
        if self.normalize == NormalForm::None && self.changes.need_preset() {
            let why = "--with, --without and --keep-only need --normalize safe or crawl";
            return Err((ErrorKind::MissingRequiredArgument, why));
        }
        self.changes.check()
    }
}

/// Reports whether a path is or leads to standard output: `-`, `/dev/stdout`, `/proc/self/fd/1`.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || open_file_number(path) == Some(1)
}

fn pattern(text: &str) -> Result<String, String> {
    Scope::new().include([text]).map(|_| String::from(text)).map_err(|error| error.to_string())
}

/// How the names of files become URIs.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Names {
    /// A name is a part of the path: p.php?id=3 is URI/p.php%3Fid=3.
    Plain,
    /// The folder is a copy that wget has made. A `?` starts the query: p.php?id=3 is URI/p.php?id=3. If there is none, the last `@`
    /// before the first `=` does: p.php@id=3, of --restrict-file-names=windows. index.html is its folder, also with a query. A .html
    /// or .css at the end of a query is left out, as wget -E adds it; what it adds to other names cannot be told. The escapes that
    /// wget writes stay: of controls, of octets beyond US-ASCII, and of / \ : * ? " < > |. Any other `%` is a character, as wget decodes
    /// names, which also makes %26 and & in a query one name. Links that wget -k has changed stay so.
    Wget,
}

/// The normal form of printed URIs.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum NormalForm {
    /// URIs as they were resolved.
    None,
    /// The preset that never changes what a URI names.
    Safe,
    /// The preset of crawlers.
    Crawl,
}

/// The column that `--unique` compares: of lines with the same value in it, only the first is printed.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Unique {
    /// The URI.
    Uri,
    /// The sort key of --key.
    Key,
}

/// The format of printed lines.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Format {
    /// Page, element, attribute, reference and absolute URI, separated by tabs.
    Tsv,
    /// A JSON object per line, which also has the kind and the `rel` of the link, and the URI of a page that is a file.
    Jsonl,
    /// The absolute URI alone, or with the columns of --text and --key.
    Text,
}

/// A number of bytes. As an argument, it may end with K, M or G (1024, 1024² or 1024³ bytes).
#[derive(Clone, Copy)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let shift = match &text[digits.len()..] {
            "" => 0,
            "K" | "k" => 10,
            "M" | "m" => 20,
            "G" | "g" => 30,
            _ => return Err(String::from("expected a number of bytes, which K, M or G can follow")),
        };
        let number: u64 = digits.parse().map_err(|error| format!("{error}"))?;
        number.checked_mul(1 << shift).map(Size).ok_or_else(|| String::from("too large"))
    }
}

/// The columns of lines, in the order of JSON objects, by the names that `--columns` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Column {
    Page,
    Archive,
    PageUri,
    Offset,
    Status,
    Date,
    #[value(alias = "type")]
    MediaType,
    Charset,
    Title,
    Element,
    Attribute,
    Inner,
    Kind,
    Rel,
    Hreflang,
    Media,
    Anchor,
    Reference,
    Uri,
    Text,
    Key,
    Start,
    End,
    #[value(name = "line")]
    LineNumber,
    #[value(name = "column")]
    CharacterNumber,
    /// The reason why a link is rejected.
    #[value(skip)]
    Why,
}

impl Column {
    /// Reports whether the column is a part of the place of a link.
    pub fn is_place(self) -> bool {
        matches!(self, Column::Start | Column::End | Column::LineNumber | Column::CharacterNumber)
    }

    /// [`Column::Why`] is no value of `--columns`.
    pub fn name(self) -> String {
        self.to_possible_value().map_or("why".into(), |value| value.get_name().into())
    }
}
