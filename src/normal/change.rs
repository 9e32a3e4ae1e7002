//! The changes that a normalizer can make, in one table, and sets of them.

use crate::by_name::parse_and_print_by_name;
use crate::source::Source;

/// One thing that a normalizer does to a URI.
///
/// The table in [`crawl`](crate::crawl) says what each does, and whether it can change what the URI names. *Web* URIs are
/// those of `http`, `https`, `ws`, `wss` and `ftp` with an authority; only they get the changes that no general document
/// permits. Changes of queries leave out `ftp`, which has no query (RFC 1738 §3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Brings the URI to the encoding [`Encoding::RFC3986`](crate::canon::Encoding::RFC3986) (RFC 3986 §6.2.2).
    ///
    /// Plain reserved characters stay plain, also where RFC 3986 does not permit them: `[` and `]` outside an IPv6 address, and each
    /// `#` after the first one. Their escapes stay, too. Characters that no URI can contain are escaped: controls, the space,
    /// `` " < > \ ^ ` { | } `` and all beyond US-ASCII. A `\` stays, with the rest of its component, if browsers look for the host
    /// there: in the authority of `http`, `https`, `ws`, `wss`, `ftp`, `file` and of a reference without a scheme, and in the path
    /// of such a URI without an authority. As an escape, it would no longer end the host. So does such a path with a `:` and an escape
    /// of a digit, which may be a port.
    Encoding,
    /// Maps an IRI to a URI, as [`iri_to_uri`](crate::percent::iri_to_uri) does (RFC 3987 §3.1): characters beyond US-ASCII become
    /// escapes, and existing escapes stay. The change `encoding` does this and more, so with it this one has no effect.
    Iri,
    /// Writes A-labels for a web host beyond US-ASCII, by UTS 46 as browsers read it. A host that UTS 46 does not permit, or
    /// that has escapes of US-ASCII, stays as it is. Browsers fetch the same; a resolver other than DNS may not (RFC 3986
    /// §3.2.2).
    #[cfg(feature = "idna")]
    Idna,
    /// Puts scheme and host in lower case (RFC 3986 §6.2.2.1).
    Case,
    /// Puts in lower case what has no case by the document of the scheme: the domains of `mailto:` (RFC 3986 §6.2.3), and the
    /// namespace of `urn:` (RFC 8141 §3.1).
    SchemeCase,
    /// Removes the host `localhost` of `file:` (RFC 1738 §3.10), and writes the `//` of the empty host where it is left out, as in
    /// `file:/a` (RFC 8089 §2).
    Localhost,
    /// Writes the IPv4 or IPv6 address of a web host as browsers do (URL Standard §3.5): `0x7f.1` becomes `127.0.0.1`.
    IpAddress,
    /// Removes the `:` of an empty port after a host (RFC 3986 §6.2.3).
    EmptyPort,
    /// Removes a port that is the default of the scheme, after a host (RFC 3986 §6.2.3).
    DefaultPort,
    /// Removes dot segments from a rooted path, if slashes mean hierarchy in the scheme (RFC 3986 §6.2.2.3). A path of `http`,
    /// `https`, `ws`, `wss` or `ftp` without an authority, or with an empty one, keeps them: browsers find a host in it.
    Dots,
    /// Writes `/` for an empty path after a host, if the scheme has a default port (RFC 3986 §6.2.3).
    EmptyPath,
    /// Removes the type `1` of a `gopher` URI that has a host, and nothing after the type (RFC 1738 §3.4.1).
    GopherType,
    /// Removes the r-, q- and f-component of a URN, as in `urn:example:a?+r?=q#f` (RFC 8141 §3.1).
    UrnComponents,
    /// Removes an empty userinfo, `@` or `:@`, in `http`, `https`, `ws` and `wss`, as browsers do (URL Standard §4.5). In `ftp` an
    /// empty user is not the same as no user (RFC 1738 §3.1).
    EmptyUserinfo,
    /// Removes the final dot of a web host. A name without the dot may also be a local one (RFC 3986 §3.2.2).
    FinalDot,
    /// Removes the fragment, if there is an authority. The same is fetched (RFC 3986 §3.5), but some sites show another page
    /// for each fragment.
    DropFragment,
    /// Removes a `#` with nothing after it (RFC 1630, *Fragment-id*). To RFC 3986 §6.2.3 the URIs differ.
    EmptyFragment,
    /// Removes the parameters in [`TRACKING`](super::TRACKING), or in the caller's list; a site may use such a name otherwise.
    DropTracking,
    /// Sorts parameters by name. Those of the same name keep their order, and `a` and `a=` stay different. Removes empty
    /// ones, as in `a&&b`, which parsers of forms skip (URL Standard §5.1). On some sites the order matters.
    SortQuery,
    /// Removes a `?` with nothing after it. For RFC 3986 §6.2.3 the URIs differ; for most sites they do not.
    DropEmptyQuery,
    /// Writes `https` for `http`, and removes its port 80; other ports stay (RFC 6797 §8.3). Not every site has both.
    Upgrade,
    /// Removes user and password. Another user may see another page.
    DropUserinfo,
    /// Removes each `www.` at the start of a host, also with a number as in `www2.`, as long as two labels are left. The other host
    /// may not exist.
    DropWww,
    /// Puts the path of a web URI in lower case. On most servers another path is another page.
    LowerPath,
    /// Removes session ids: parameters of the query, and those after `;` in a path segment, whose names are in
    /// [`SESSION`](super::SESSION), and path segments that ASP.NET writes in place of cookies, such as
    /// `/(S(lit3py55t21z5v55vlm25s55))/`. A segment that would become `.` or `..` keeps its parameters.
    DropSession,
    /// Makes each slash run of the path one slash, except after the scheme of a nested URI (`/web/2020/http://h/`).
    CollapseSlashes,
    /// Removes the last segment if it is in [`INDEX`](super::INDEX).
    DropIndex,
    /// Removes slashes at the end of the path, but not the root. Relative references in the page then mean something else.
    DropTrailingSlash,
    /// Keeps only the parameters with the names given to [`Normalizer::keep_only`](crate::crawl::Normalizer::keep_only);
    /// without names it keeps none.
    KeepOnly,
}

/// A row of [`TABLE`]. The table in the docs of `crawl` has the same rows.
struct Row {
    change: Change,
    name: &'static str,
    summary: &'static str,
    sources: &'static [Source],
    smallest_preset: Preset,
}

/// The smallest preset that has a change. Each preset has the changes of the variants before it, too.
#[derive(Clone, Copy)]
enum Preset {
    Safe,
    Crawl,
    /// No preset: only the caller can add the change.
    None,
}

const fn row(
    preset: Preset,
    change: Change,
    name: &'static str,
    summary: &'static str,
    sources: &'static [Source],
) -> Row {
    Row { change, name, summary, sources, smallest_preset: preset }
}

const fn rfc3986(section: &'static str, words: &'static str) -> Source {
    Source::document("RFC 3986", section, words)
}

// Each is the source of one thing that `encoding` does.
pub(super) const DECODING: Source = rfc3986(
    "§6.2.2.2",
    "be normalized by decoding any percent-encoded octet that corresponds to an unreserved character",
);
pub(super) const ESCAPING: Source = rfc3986(
    "§2.1",
    "to represent a data octet in a component when that octet's corresponding character is outside the allowed set",
);
pub(super) const UTF8: Source =
    rfc3986("§2.5", "the data should first be encoded as octets according to the UTF-8 character encoding");
pub(super) const UPPER_CASE: Source =
    rfc3986("§6.2.2.1", "should be normalized to use uppercase letters for the digits A-F");
pub(super) const NO_SCHEME: Source =
    rfc3986("§4.2", "it would be mistaken for a scheme name. Such a segment must be preceded by a dot-segment");

const PORT: Source = rfc3986(
    "§6.2.3",
    "for which the port is empty or the default for the scheme, is equivalent to one where the port and its \":\" \
     delimiter are elided",
);

// One row for each change: its name, what it does, and on whose words, so that the documentation, `explain` and the command say
// the same. A test prints the table of the documentation from it.
/// In the order of the variants of [`Change`].
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row(Preset::Safe, Change::Encoding, "encoding", "Decodes escapes of unreserved characters, encodes illegal characters, writes hex digits in upper case",
        &[DECODING, ESCAPING, UTF8, UPPER_CASE, NO_SCHEME]),
    row(Preset::None, Change::Iri, "iri", "Maps an IRI to a URI: encodes characters beyond US-ASCII, as `encoding` does, too",
        &[Source::document("RFC 3987", "§3.1",
            "For each character in 'ucschar' or 'iprivate' … Convert the character to a sequence of one or more octets \
             using UTF-8")]),
    #[cfg(feature = "idna")]
    row(Preset::Crawl, Change::Idna, "idna", "Writes A-labels for a host beyond US-ASCII", &[
        rfc3986("§3.2.2", "the name must be transformed to the IDNA encoding"),
        Source::decision("by UTS 46, as browsers do (URL Standard §3.3), since there is more than one IDNA"),
    ]),
    row(Preset::Safe, Change::Case, "case", "Puts scheme and host in lower case",
        &[rfc3986("§6.2.2.1",
            "the scheme and host are case-insensitive and therefore should be normalized to lowercase")]),
    row(Preset::Safe, Change::SchemeCase, "scheme-case", "Puts the domains of `mailto:` and the namespace of `urn:` in lower case", &[
        rfc3986("§6.2.3",
            "Some schemes define additional subcomponents that consist of case-insensitive data, giving an implicit license \
             to normalizers to convert this data to a common case"),
        Source::document("RFC 8141", "§3.1", "the NID, by conversion to lower case"),
    ]),
    row(Preset::Safe, Change::Localhost, "localhost", "Writes the empty host of `file:` for `localhost` and for none", &[
        Source::document("RFC 1738", "§3.10", "can be the string \"localhost\" or the empty string"),
        Source::document("RFC 8089", "§2",
            "can match the string \"localhost\" that is interpreted as … exactly as if no authority were present"),
    ]),
    row(Preset::Crawl, Change::IpAddress, "ip-address", "Writes IPv4 and IPv6 addresses as browsers do",
        &[Source::decision("browsers write addresses so (URL Standard §3.5); to RFC 3986 §3.2.2, `0x7f.1` is a name")]),
    row(Preset::Safe, Change::EmptyPort, "empty-port", "Removes the `:` of an empty port", &[PORT]),
    row(Preset::Safe, Change::DefaultPort, "default-port", "Removes a port that is the default of the scheme", &[PORT]),
    row(Preset::Safe, Change::Dots, "dots", "Removes dot segments",
        &[rfc3986("§6.2.2.3",
            "normalizers should remove dot-segments by applying the remove_dot_segments algorithm to the path")]),
    row(Preset::Safe, Change::EmptyPath, "empty-path", "Writes `/` for an empty path after a host",
        &[rfc3986("§6.2.3",
            "a URI that uses the generic syntax for authority with an empty path should be normalized to a path of \
             \"/\"")]),
    row(Preset::Safe, Change::GopherType, "gopher-type", "Removes the type `1` of `gopher` if nothing follows",
        &[Source::document("RFC 1738", "§3.4.1",
            "may also be empty, in which case the delimiting \"/\" is also optional and the … defaults to \"1\"")]),
    row(Preset::Safe, Change::UrnComponents, "urn-components", "Removes the r-, q- and f-component of `urn:`",
        &[Source::document("RFC 8141", "§3.1", "they MUST be ignored for purposes of determining URN-equivalence")]),
    row(Preset::Crawl, Change::EmptyUserinfo, "empty-userinfo", "Removes an empty user and password",
        &[Source::decision("browsers do so (URL Standard §4.5); to RFC 3986 §6.2.3, the delimiters are significant")]),
    row(Preset::Crawl, Change::FinalDot, "final-dot", "Removes the final dot of the host",
        &[Source::decision(
            "the dot only tells a complete name from a local one (RFC 3986 §3.2.2), and links have complete names")]),
    row(Preset::Crawl, Change::DropFragment, "drop-fragment", "Removes the fragment",
        &[rfc3986("§6.1",
            "When URIs are compared to select (or avoid) a network action, … fragment components (if any) should be \
             excluded from the comparison")]),
    row(Preset::None, Change::EmptyFragment, "empty-fragment", "Removes a `#` with nothing after it",
        &[Source::document("RFC 1630", "Fragment-id",
            "A void fragment-id with or without the hash sign means that the URL refers to the whole object")]),
    row(Preset::Crawl, Change::DropTracking, "drop-tracking", "Removes tracking parameters",
        &[Source::decision("such a parameter says how a person came to a page, and nothing about the page")]),
    row(Preset::Crawl, Change::SortQuery, "sort-query", "Sorts parameters by name, removes empty ones",
        &[Source::decision(
            "programs look parameters up by name, and skip empty ones, as in forms (URL Standard §5.1)")]),
    row(Preset::Crawl, Change::DropEmptyQuery, "drop-empty-query", "Removes a `?` with nothing after it",
        &[Source::decision("most sites have the same page for both; to RFC 3986 §6.2.3, the URIs differ")]),
    row(Preset::None, Change::Upgrade, "upgrade", "Writes `https` for `http`",
        &[Source::document("RFC 6797", "§8.3", "The UA MUST replace the URI scheme with \"https\"")]),
    row(Preset::None, Change::DropUserinfo, "drop-userinfo", "Removes user and password",
        &[Source::decision("most pages are the same for every user")]),
    row(Preset::None, Change::DropWww, "drop-www", "Removes `www.`, `www2.` and the like from the start of the host",
        &[Source::decision("most sites have the same pages on both hosts")]),
    row(Preset::None, Change::LowerPath, "lower-path", "Puts the path in lower case",
        &[Source::decision("some servers ignore the case of paths")]),
    row(Preset::None, Change::DropSession, "drop-session", "Removes session ids from path and query",
        &[Source::decision("a session id names a visit, not a page")]),
    row(Preset::None, Change::CollapseSlashes, "collapse-slashes", "Makes each slash run of the path one slash",
        &[Source::decision("many servers read a slash run as one slash")]),
    row(Preset::None, Change::DropIndex, "drop-index", "Removes a last segment such as `index.html`",
        &[Source::decision("servers send such a file for its directory")]),
    row(Preset::None, Change::DropTrailingSlash, "drop-trailing-slash", "Removes slashes at the end of the path",
        &[Source::decision("many sites redirect from one to the other (RFC 3986 §6.2.4)")]),
    row(Preset::None, Change::KeepOnly, "keep-only", "Removes all parameters except those named",
        &[Source::decision("the caller knows which parameters name the page")]),
];

impl Change {
    /// All changes, in the order in which [`explain`](crate::crawl::Normalizer::explain) reports them.
    pub const ALL: &[Change] = &{
        let mut all = [Change::Encoding; TABLE.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = TABLE[at].change;
            assert!(all[at] as usize == at, "the table is in the order of the changes");
            at += 1;
        }
        all
    };

    /// Returns the name by which it parses and prints, in kebab case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].name
    }

    /// Returns a phrase that says what the change does.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        TABLE[self as usize].summary
    }

    /// Returns the sources of all that the change does; for one URI, see [`Effect::sources`](crate::crawl::Effect::sources).
    #[must_use]
    pub const fn sources(self) -> &'static [Source] {
        TABLE[self as usize].sources
    }

    /// Returns the names of the presets that have the change.
    #[must_use]
    pub const fn presets(self) -> &'static [&'static str] {
        match TABLE[self as usize].smallest_preset {
            Preset::Safe => &["safe", "crawl"],
            Preset::Crawl => &["crawl"],
            Preset::None => &[],
        }
    }
}

parse_and_print_by_name!(Change, "a change");

// A bit for each change, in the order of the table. A normalizer asks some twenty times for each URI whether it makes a change.
/// A set of changes: bit *n* is for variant number *n* of [`Change`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangeSet(u32);

impl ChangeSet {
    pub const EMPTY: ChangeSet = ChangeSet(0);

    pub const SAFE: ChangeSet = ChangeSet::of(Preset::Safe);

    pub const CRAWL: ChangeSet = ChangeSet::of(Preset::Crawl);

    const fn of(preset: Preset) -> ChangeSet {
        let (mut changes, mut at) = (ChangeSet::EMPTY, 0);
        while at < TABLE.len() {
            if TABLE[at].smallest_preset as u8 <= preset as u8 {
                changes = changes.with(TABLE[at].change);
            }
            at += 1;
        }
        changes
    }

    pub const fn with(self, change: Change) -> ChangeSet {
        ChangeSet(self.0 | 1 << change as u32)
    }

    pub const fn without(self, change: Change) -> ChangeSet {
        ChangeSet(self.0 & !(1 << change as u32))
    }

    pub const fn has(self, change: Change) -> bool {
        self.0 & 1 << change as u32 != 0
    }

    pub const fn meets(self, other: ChangeSet) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(all(test, feature = "idna"))]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use super::{Change, Preset, Row, TABLE};
    use crate::source::tests::assert_quoted;

    #[test]
    fn documents_say_what_is_quoted() {
        for Row { name, sources, .. } in TABLE {
            assert!(!sources.is_empty(), "{name}");
            sources.iter().for_each(|source| assert_quoted(*source));
        }
    }

    #[test]
    fn the_documentation_has_the_table() {
        let line = |Row { change, name, summary, sources, smallest_preset, .. }: &Row| {
            let source = sources.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            let (renames, presets) = match smallest_preset {
                Preset::Safe => ("no", "safe, crawl"),
                Preset::Crawl => ("yes", "crawl"),
                // Part of `encoding`.
                Preset::None if *change == Change::Iri => ("no", ""),
                Preset::None => ("yes", ""),
            };
            format!("//! | `{name}` | {summary} | {source} | {renames} | {presets} |\n")
        };
        let table: String = TABLE.iter().map(line).collect();
        let head = "//! | change | what it does | source | can it change what is named? | presets |\n//! |---|---|---|---|---|\n";
        assert!(include_str!("../crawl.rs").contains(&format!("{head}{table}//!\n")), "it should be:\n{head}{table}");
    }
}
