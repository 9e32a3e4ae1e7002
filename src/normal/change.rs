//! The changes that a normalizer can make, in one table, and sets of them.

use super::sources;
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
    /// Removes the host `localhost` of `file:` (RFC 1738 §3.10).
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
    /// Removes each `www.` at the start of a host, as long as two labels are left. The other host may not exist.
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
    sources: &'static [Source],
    summary: &'static str,
) -> Row {
    Row { change, name, summary, sources, smallest_preset: preset }
}

/// In the order of the variants of [`Change`].
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row(Preset::Safe, Change::Encoding, "encoding", sources::ENCODING, "Decodes escapes of unreserved characters, encodes illegal characters, writes hex digits in upper case"),
    row(Preset::None, Change::Iri, "iri", sources::IRI, "Maps an IRI to a URI: encodes characters beyond US-ASCII, as `encoding` does, too"),
    #[cfg(feature = "idna")]
    row(Preset::Crawl, Change::Idna, "idna", sources::IDNA, "Writes A-labels for a host beyond US-ASCII"),
    row(Preset::Safe, Change::Case, "case", sources::CASE, "Puts scheme and host in lower case"),
    row(Preset::Safe, Change::Localhost, "localhost", sources::LOCALHOST, "Removes the host `localhost` of `file:`"),
    row(Preset::Crawl, Change::IpAddress, "ip-address", sources::IP_ADDRESS, "Writes IPv4 and IPv6 addresses as browsers do"),
    row(Preset::Safe, Change::EmptyPort, "empty-port", sources::PORT, "Removes the `:` of an empty port"),
    row(Preset::Safe, Change::DefaultPort, "default-port", sources::PORT, "Removes a port that is the default of the scheme"),
    row(Preset::Safe, Change::Dots, "dots", sources::DOTS, "Removes dot segments"),
    row(Preset::Safe, Change::EmptyPath, "empty-path", sources::EMPTY_PATH, "Writes `/` for an empty path after a host"),
    row(Preset::Safe, Change::GopherType, "gopher-type", sources::GOPHER_TYPE, "Removes the type `1` of `gopher` if nothing follows"),
    row(Preset::Crawl, Change::EmptyUserinfo, "empty-userinfo", sources::EMPTY_USERINFO, "Removes an empty user and password"),
    row(Preset::Crawl, Change::FinalDot, "final-dot", sources::FINAL_DOT, "Removes the final dot of the host"),
    row(Preset::Crawl, Change::DropFragment, "drop-fragment", sources::DROP_FRAGMENT, "Removes the fragment"),
    row(Preset::None, Change::EmptyFragment, "empty-fragment", sources::EMPTY_FRAGMENT, "Removes a `#` with nothing after it"),
    row(Preset::Crawl, Change::DropTracking, "drop-tracking", sources::DROP_TRACKING, "Removes tracking parameters"),
    row(Preset::Crawl, Change::SortQuery, "sort-query", sources::SORT_QUERY, "Sorts parameters by name, removes empty ones"),
    row(Preset::Crawl, Change::DropEmptyQuery, "drop-empty-query", sources::DROP_EMPTY_QUERY, "Removes a `?` with nothing after it"),
    row(Preset::None, Change::Upgrade, "upgrade", sources::UPGRADE, "Writes `https` for `http`"),
    row(Preset::None, Change::DropUserinfo, "drop-userinfo", sources::DROP_USERINFO, "Removes user and password"),
    row(Preset::None, Change::DropWww, "drop-www", sources::DROP_WWW, "Removes `www.` from the start of the host"),
    row(Preset::None, Change::LowerPath, "lower-path", sources::LOWER_PATH, "Puts the path in lower case"),
    row(Preset::None, Change::DropSession, "drop-session", sources::DROP_SESSION, "Removes session ids from path and query"),
    row(Preset::None, Change::CollapseSlashes, "collapse-slashes", sources::COLLAPSE_SLASHES, "Makes each slash run of the path one slash"),
    row(Preset::None, Change::DropIndex, "drop-index", sources::DROP_INDEX, "Removes a last segment such as `index.html`"),
    row(Preset::None, Change::DropTrailingSlash, "drop-trailing-slash", sources::DROP_TRAILING_SLASH, "Removes slashes at the end of the path"),
    row(Preset::None, Change::KeepOnly, "keep-only", sources::KEEP_ONLY, "Removes all parameters except those named"),
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
