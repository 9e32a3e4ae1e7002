//! The changes of normalisation, by name, and sets of them.

use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorKind};

/// One thing that is done to a URI. Each says whether it can change what the URI names.
///
/// *Web* URIs are those of `http`, `https`, `ws`, `wss` and `ftp` with an authority; only to them is done what no general
/// document permits. The query changes leave `ftp` out, which has no query (RFC 1738 §3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Escapes of unreserved characters are decoded, illegal characters encoded, hex digits upper-case: the encoding
    /// [`Encoding::RFC3986`](crate::canon::Encoding::RFC3986). Never changes what is named (RFC 3986 §6.2.2).
    Encoding,
    /// A web host beyond US-ASCII becomes A-labels, by UTS 46 as browsers read it; what that refuses stays as it is, and
    /// so does a host with escapes of US-ASCII. Browsers fetch the same; a resolver that is no DNS may not (RFC 3986 §3.2.2).
    #[cfg(feature = "idna")]
    Idna,
    /// Scheme and host become lower-case. Never changes what is named (RFC 3986 §6.2.2.1).
    Case,
    /// `localhost` in `file:` becomes the void host. Never changes what is named (RFC 1738 §3.10).
    Localhost,
    /// An empty port, and the scheme's own, go. Never changes what is named (RFC 3986 §6.2.3).
    DefaultPort,
    /// Dot segments of rooted paths go, where slashes mean hierarchy. Never changes what is named (RFC 3986 §6.2.2.3).
    Dots,
    /// An empty path behind a host becomes `/`, where the scheme is one of the Internet's. Never changes what is named
    /// (RFC 3986 §6.2.3).
    EmptyPath,
    /// The fragment goes, where there is an authority. What is fetched is the same (RFC 3986 §3.5), but some sites show
    /// another page for each fragment.
    DropFragment,
    /// The parameters of the [`TRACKING`](super::TRACKING) list, or of the caller's, go. Can change what is named: sites
    /// choose their names as they please.
    DropTracking,
    /// Parameters are sorted by name. Those of the same name keep their order, and `a` and `a=` stay apart; empty ones, as in
    /// `a&&b`, go, as whoever parses forms skips them (URL Standard §5.1). Can change what is named: to some sites the order
    /// matters.
    SortQuery,
    /// A `?` with nothing behind it goes. Can change what is named: to RFC 3986 §6.2.3 these are two URIs, to most sites one.
    DropEmptyQuery,
    /// `http` becomes `https`, and its port 80 goes; other ports stay (RFC 6797 §8.3). Can change what is named, and reach
    /// nothing: not every site has both.
    Upgrade,
    /// User and password go. Can change what is named: another user may see another page.
    DropUserinfo,
    /// `www.` at the start of a host goes, as often as it is there, while two labels are left. Can change what is named, and
    /// reach nothing.
    DropWww,
    /// Session ids go: the parameters of the query and those behind `;` in a path segment whose names are in
    /// [`SESSION`](super::SESSION). A segment that would become `.` or `..` keeps them. Can change what is named.
    DropSession,
    /// Runs of slashes in the path become one, except behind the scheme of a URI inside (`/web/2020/http://h/`). Can change
    /// what is named.
    CollapseSlashes,
    /// The last segment goes if it is in [`INDEX`](super::INDEX). Can change what is named.
    DropIndex,
    /// Slashes at the end of the path go, but for the root. Can change what is named, and what relative references in the
    /// page mean.
    DropTrailingSlash,
    /// Only the parameters that [`Normalizer::keep_only`](super::Normalizer::keep_only) names stay; none if it names none. Can
    /// change what is named.
    KeepOnly,
}

impl Change {
    /// All changes, in the order in which [`explain`](super::Normalizer::explain) tells of them.
    pub const ALL: &[Change] = &[
        Change::Encoding,
        #[cfg(feature = "idna")]
        Change::Idna,
        Change::Case,
        Change::Localhost,
        Change::DefaultPort,
        Change::Dots,
        Change::EmptyPath,
        Change::DropFragment,
        Change::DropTracking,
        Change::SortQuery,
        Change::DropEmptyQuery,
        Change::Upgrade,
        Change::DropUserinfo,
        Change::DropWww,
        Change::DropSession,
        Change::CollapseSlashes,
        Change::DropIndex,
        Change::DropTrailingSlash,
        Change::KeepOnly,
    ];

    /// The name by which it parses and prints, in kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Encoding => "encoding",
            #[cfg(feature = "idna")]
            Change::Idna => "idna",
            Change::Case => "case",
            Change::Localhost => "localhost",
            Change::DefaultPort => "default-port",
            Change::Dots => "dots",
            Change::EmptyPath => "empty-path",
            Change::DropFragment => "drop-fragment",
            Change::DropTracking => "drop-tracking",
            Change::SortQuery => "sort-query",
            Change::DropEmptyQuery => "drop-empty-query",
            Change::Upgrade => "upgrade",
            Change::DropUserinfo => "drop-userinfo",
            Change::DropWww => "drop-www",
            Change::DropSession => "drop-session",
            Change::CollapseSlashes => "collapse-slashes",
            Change::DropIndex => "drop-index",
            Change::DropTrailingSlash => "drop-trailing-slash",
            Change::KeepOnly => "keep-only",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Change {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Change::ALL.iter().find(|change| change.name() == name);
        known.copied().ok_or_else(|| Error::new(ErrorKind::UnknownChange, "the name of a change", name, 0))
    }
}

/// A set of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Changes(u32);

impl Changes {
    pub const EMPTY: Changes = Changes(0);

    /// The changes that never change what is named.
    pub const SAFE: Changes = Changes::EMPTY
        .with(Change::Encoding)
        .with(Change::Case)
        .with(Change::Localhost)
        .with(Change::DefaultPort)
        .with(Change::Dots)
        .with(Change::EmptyPath);

    /// The usual ones of a frontier.
    pub const CRAWL: Changes = {
        let changes = Changes::SAFE.with(Change::DropFragment).with(Change::DropTracking);
        let changes = changes.with(Change::SortQuery).with(Change::DropEmptyQuery);
        #[cfg(feature = "idna")]
        let changes = changes.with(Change::Idna);
        changes
    };

    pub const fn with(self, change: Change) -> Changes {
        Changes(self.0 | 1 << change as u32)
    }

    pub const fn without(self, change: Change) -> Changes {
        Changes(self.0 & !(1 << change as u32))
    }

    pub const fn has(self, change: Change) -> bool {
        self.0 & 1 << change as u32 != 0
    }

    /// Whether any change of another set is in this one.
    pub const fn meets(self, other: Changes) -> bool {
        self.0 & other.0 != 0
    }
}
