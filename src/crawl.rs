//! Normalization of links for a crawler: one text for each page, so that no page is fetched twice. And the [`Scope`] of a crawl, and
//! the rules of [`RobotsTxt`].
//!
//! A [`Normalizer`] is made once, from a preset and single [`Change`]s, and used for every link. The code of the changes is in
//! `src/normal`, a file for each component. The preset [`safe`](Normalizer::safe) gives the same result as
//! [`canon::normalize`](crate::canon::normalize) at [`Rung::Scheme`](crate::canon::Rung::Scheme); the preset
//! [`crawl`](Normalizer::crawl) makes the usual changes of a crawler.
//!
//! | change | what it does | source | can it change what is named? | presets |
//! |---|---|---|---|---|
//! | `encoding` | Decodes escapes of unreserved characters, encodes illegal characters, writes hex digits in upper case | RFC 3986 §6.2.2.2: "be normalized by decoding any percent-encoded octet that corresponds to an unreserved character"; RFC 3986 §2.1: "to represent a data octet in a component when that octet's corresponding character is outside the allowed set"; RFC 3986 §2.5: "the data should first be encoded as octets according to the UTF-8 character encoding"; RFC 3986 §6.2.2.1: "should be normalized to use uppercase letters for the digits A-F"; RFC 3986 §4.2: "it would be mistaken for a scheme name. Such a segment must be preceded by a dot-segment" | no | safe, crawl |
//! | `iri` | Maps an IRI to a URI: encodes characters beyond US-ASCII, as `encoding` does, too | RFC 3987 §3.1: "For each character in 'ucschar' or 'iprivate' … Convert the character to a sequence of one or more octets using UTF-8" | no |  |
//! | `idna` | Writes A-labels for a host beyond US-ASCII | RFC 3986 §3.2.2: "the name must be transformed to the IDNA encoding"; decision: by UTS 46, as browsers do (URL Standard §3.3), since there is more than one IDNA | yes | crawl |
//! | `case` | Puts scheme and host in lower case | RFC 3986 §6.2.2.1: "the scheme and host are case-insensitive and therefore should be normalized to lowercase" | no | safe, crawl |
//! | `scheme-case` | Puts the domains of `mailto:` and the namespace of `urn:` in lower case | RFC 3986 §6.2.3: "Some schemes define additional subcomponents that consist of case-insensitive data, giving an implicit license to normalizers to convert this data to a common case"; RFC 8141 §3.1: "the NID, by conversion to lower case" | no | safe, crawl |
//! | `localhost` | Writes the empty host of `file:` for `localhost` and for none | RFC 1738 §3.10: "can be the string "localhost" or the empty string"; RFC 8089 §2: "can match the string "localhost" that is interpreted as … exactly as if no authority were present" | no | safe, crawl |
//! | `ip-address` | Writes IPv4 and IPv6 addresses as browsers do | decision: browsers write addresses so (URL Standard §3.5); to RFC 3986 §3.2.2, `0x7f.1` is a name | yes | crawl |
//! | `empty-port` | Removes the `:` of an empty port | RFC 3986 §6.2.3: "for which the port is empty or the default for the scheme, is equivalent to one where the port and its ":" delimiter are elided" | no | safe, crawl |
//! | `default-port` | Removes a port that is the default of the scheme | RFC 3986 §6.2.3: "for which the port is empty or the default for the scheme, is equivalent to one where the port and its ":" delimiter are elided" | no | safe, crawl |
//! | `dots` | Removes dot segments | RFC 3986 §6.2.2.3: "normalizers should remove dot-segments by applying the remove_dot_segments algorithm to the path" | no | safe, crawl |
//! | `empty-path` | Writes `/` for an empty path after a host | RFC 3986 §6.2.3: "a URI that uses the generic syntax for authority with an empty path should be normalized to a path of "/"" | no | safe, crawl |
//! | `gopher-type` | Removes the type `1` of `gopher` if nothing follows | RFC 1738 §3.4.1: "may also be empty, in which case the delimiting "/" is also optional and the … defaults to "1"" | no | safe, crawl |
//! | `urn-components` | Removes the r-, q- and f-component of `urn:` | RFC 8141 §3.1: "they MUST be ignored for purposes of determining URN-equivalence" | no | safe, crawl |
//! | `empty-userinfo` | Removes an empty user and password | decision: browsers do so (URL Standard §4.5); to RFC 3986 §6.2.3, the delimiters are significant | yes | crawl |
//! | `final-dot` | Removes the final dot of the host | decision: the dot only tells a complete name from a local one (RFC 3986 §3.2.2), and links have complete names | yes | crawl |
//! | `drop-fragment` | Removes the fragment | RFC 3986 §6.1: "When URIs are compared to select (or avoid) a network action, … fragment components (if any) should be excluded from the comparison" | yes | crawl |
//! | `empty-fragment` | Removes a `#` with nothing after it | RFC 1630, Fragment-id: "A void fragment-id with or without the hash sign means that the URL refers to the whole object" | yes |  |
//! | `drop-tracking` | Removes tracking parameters | decision: such a parameter says how a person came to a page, and nothing about the page | yes | crawl |
//! | `sort-query` | Sorts parameters by name, removes empty ones | decision: programs look parameters up by name, and skip empty ones, as in forms (URL Standard §5.1) | yes | crawl |
//! | `drop-empty-query` | Removes a `?` with nothing after it | decision: most sites have the same page for both; to RFC 3986 §6.2.3, the URIs differ | yes | crawl |
//! | `upgrade` | Writes `https` for `http` | RFC 6797 §8.3: "The UA MUST replace the URI scheme with "https"" | yes |  |
//! | `drop-userinfo` | Removes user and password | decision: most pages are the same for every user | yes |  |
//! | `drop-www` | Removes `www.`, `www2.` and the like from the start of the host | decision: most sites have the same pages on both hosts | yes |  |
//! | `lower-path` | Puts the path in lower case | decision: some servers ignore the case of paths | yes |  |
//! | `drop-session` | Removes session ids from path and query | decision: a session id names a visit, not a page | yes |  |
//! | `collapse-slashes` | Makes each slash run of the path one slash | decision: many servers read a slash run as one slash | yes |  |
//! | `drop-index` | Removes a last segment such as `index.html` | decision: servers send such a file for its directory | yes |  |
//! | `drop-trailing-slash` | Removes slashes at the end of the path | decision: many sites redirect from one to the other (RFC 3986 §6.2.4) | yes |  |
//! | `keep-only` | Removes all parameters except those named | decision: the caller knows which parameters name the page | yes |  |
//!
//! The change `idna` needs the feature of that name. With any set of changes:
//!
//! - Browsers find no other host in the normal form than in the URI, except by the changes `drop-www` and `final-dot`, which are for
//!   that. Tabs and line breaks, which browsers leave out, are escapes after the change `encoding`, so that they may find none;
//!   without it, this promise is only about URIs without them.
//! - No reserved character is decoded or encoded, no space is removed, and nothing is encoded twice.
//! - Escapes that are not UTF-8 stay as they are.
//! - Normalizing again changes nothing.
//! - An illegal escape, as in `100%`, stays as it is, or is an error: [`Normalizer::keep_illegal_escapes`]. `crawl` keeps it,
//!   `safe` reports it.
//! - A query from which all parameters are removed loses its `?` too.
//!
//! ```
//! use relref::crawl::{Change, Normalizer};
//!
//! let normalizer = Normalizer::crawl().with(Change::DropWww).with(Change::DropIndex);
//! let mut seen = String::new();
//! normalizer.normalize_into("http://WWW.Example.com:80/a/../index.html?utm_source=x&b=2&a=1#top", &mut seen)?;
//! assert_eq!(seen, "http://example.com/?a=1&b=2");
//! # Ok::<(), relref::Error>(())
//! ```

mod cdx;
mod key;
#[cfg(feature = "psl")]
mod public_suffix;
mod redirector;
mod robots;
mod scope;
#[cfg(feature = "serde")]
mod serde;
mod surt;
mod tail;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use self::cdx::{cdx_key, cdx_key_into};
pub use self::key::Key;
#[cfg(feature = "psl")]
pub use self::public_suffix::{public_suffix, registrable_domain, same_site};
pub use self::redirector::{REDIRECTORS, redirect_target};
pub use self::robots::{RobotsRule, RobotsTxt};
pub use self::scope::{OutOfScope, Scope};
use self::surt::push_surt;
use self::tail::Tail;
use crate::error::Error;
pub use crate::normal::{Change, Effect, INDEX, SESSION, TRACKING};
use crate::normal::{ChangeSet, NameSet, ParameterLists, UriWriter, effects, stays_in_every_encoding};
use crate::percent::decode_bytes;
use crate::rule_set::Resolves;
use crate::uri::UriRef;

/// A set of changes to make to URIs, with the lists of names that they need. It is made once and used many times.
#[derive(Clone, PartialEq, Eq)]
pub struct Normalizer {
    changes: ChangeSet,
    lists: ParameterLists,
    keeps_illegal_escapes: bool,
}

impl Normalizer {
    /// Makes a normalizer without changes, to which they are [added](Normalizer::with). Illegal escapes are kept.
    ///
    /// ```
    /// use relref::crawl::{Change, Normalizer};
    ///
    /// let normalizer = Normalizer::new().with(Change::DropFragment).with(Change::Case);
    /// assert_eq!(normalizer.normalize("HTTP://H/%7e#top")?, "http://h/%7e");
    /// assert_eq!(Normalizer::new().normalize("HTTP://H:80/a/../%7e#")?, "HTTP://H:80/a/../%7e#");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[allow(clippy::new_without_default, reason = "no preset is the one that most need")]
    #[must_use]
    pub fn new() -> Normalizer {
        Normalizer { changes: ChangeSet::EMPTY, keeps_illegal_escapes: true, ..Normalizer::safe() }
    }

    /// Makes a normalizer with the preset `safe`: the changes that never change what a URI names.
    #[must_use]
    pub fn safe() -> Normalizer {
        Normalizer { changes: ChangeSet::SAFE, lists: ParameterLists::new(TRACKING), keeps_illegal_escapes: false }
    }

    /// Makes a normalizer with the preset `crawl`: `safe`, and the usual changes of crawlers. Illegal escapes are kept.
    #[must_use]
    pub fn crawl() -> Normalizer {
        Normalizer { changes: ChangeSet::CRAWL, keeps_illegal_escapes: true, ..Normalizer::safe() }
    }

    /// Adds a change.
    #[must_use]
    pub fn with(self, change: Change) -> Normalizer {
        Normalizer { changes: self.changes.with(change), ..self }
    }

    /// Removes a change.
    #[must_use]
    pub fn without(self, change: Change) -> Normalizer {
        Normalizer { changes: self.changes.without(change), ..self }
    }

    /// Chooses between keeping illegal escapes as they are (true) and returning an error (false). An illegal escape is a `%`
    /// without two hex digits after it. Browsers send it as it is, too.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// assert_eq!(Normalizer::crawl().normalize("http://H/100%#top")?, "http://h/100%");
    /// assert!(Normalizer::crawl().keep_illegal_escapes(false).normalize("http://H/100%#top").is_err());
    /// // An escape does not become a digit of an illegal one.
    /// assert_eq!(Normalizer::crawl().normalize("http://h/%%34%31")?, "http://h/%%341");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn keep_illegal_escapes(self, keep: bool) -> Normalizer {
        Normalizer { keeps_illegal_escapes: keep, ..self }
    }

    /// Adds the change `drop-tracking`, and replaces its list of parameters. Entries are as in [`TRACKING`]; they can be
    /// written with or without the escapes that they have in URIs.
    ///
    /// ```
    /// use relref::crawl::{Normalizer, TRACKING};
    ///
    /// let normalizer = Normalizer::crawl().tracking(TRACKING.iter().chain(&["ref", "spm*"]));
    /// assert_eq!(normalizer.normalize("http://h/?a&Ref=x&spm_id=1&utm_term=y")?, "http://h/?a");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn tracking<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> Normalizer {
        let mut normalizer = self.with(Change::DropTracking);
        normalizer.lists.tracking = NameSet::new(names);
        normalizer
    }

    /// Adds the change `drop-tracking`, and a parameter to its list. Without that change before, the list has only this one.
    ///
    /// A `*` in the name is for any text, also for none; there is no way to write a `*` that is only for itself. A name is compared
    /// as in [`TRACKING`], in a time that is linear in its length.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// assert_eq!(Normalizer::crawl().drop_param("sid").normalize("http://h/?a&sid=1&utm_id=2")?, "http://h/?a");
    /// assert_eq!(Normalizer::safe().drop_param("sid").normalize("http://h/?a&sid=1&utm_id=2")?, "http://h/?a&utm_id=2");
    /// let ids = Normalizer::safe().drop_param("*id").drop_param("ref_*_no");
    /// assert_eq!(ids.normalize("http://h/?a&SID=1&id&ids&ref_x_no=2")?, "http://h/?a&ids");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[doc(alias("remove_param", "drop_query_pair"))]
    #[must_use]
    pub fn drop_param(self, name: impl AsRef<str>) -> Normalizer {
        let name = name.as_ref();
        if !self.has(Change::DropTracking) {
            return self.tracking([name]);
        }
        let mut normalizer = self;
        normalizer.lists.tracking.extend([name]);
        normalizer
    }

    /// Adds the change `keep-only`, and replaces its list of names: only the parameters of these names stay. Upper and lower case
    /// differ. The names can be written with or without the escapes that they have in URIs.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let normalizer = Normalizer::safe().keep_only(["id", "page"]);
    /// assert_eq!(normalizer.normalize("http://h/?x=1&page=2&ID=3&id=4")?, "http://h/?page=2&id=4");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn keep_only<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> Normalizer {
        let normalizer = self.with(Change::KeepOnly);
        Normalizer { lists: normalizer.lists.keep_only(names), ..normalizer }
    }

    /// Reports whether the normalizer makes a change.
    #[must_use]
    pub fn has(&self, change: Change) -> bool {
        self.changes.has(change)
    }

    /// Appends the normal form of a URI. A reference without a scheme gets only the changes that are safe for every scheme.
    ///
    /// Cost: one pass, and another over a query that is sorted. Allocates if `out` must grow, for more than 24 parameters,
    /// for a name of more than 64 bytes that is compared with a pattern such as `a*b*c`, for an IP address with the change `ip-address`, and for a host beyond US-ASCII with the change `idna`.
    ///
    /// # Errors
    /// An illegal escape anywhere in the URI, unless [`keep_illegal_escapes`](Normalizer::keep_illegal_escapes) is on. On an
    /// error, `out` stays as it was.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let mut out = String::from("seen: ");
    /// Normalizer::safe().normalize_into("HTTP://Example.com:80/%7eb?", &mut out)?;
    /// assert_eq!(out, "seen: http://example.com/~b?");
    /// assert_eq!(Normalizer::safe().normalize_into("http://h/#%zz", &mut out).unwrap_err().position(), 11);
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn normalize_into(&self, uri: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
        let uri = uri.as_ref();
        let is_recoded = stays_in_every_encoding(uri.as_bytes());
        if !is_recoded && !self.keeps_illegal_escapes {
            decode_bytes(uri)?;
        }
        out.reserve(uri.len() + 8);
        UriWriter::new(self.changes, &self.lists, UriRef::new(uri), is_recoded).write(out);
        Ok(())
    }

    /// Does what [`normalize_into`](Normalizer::normalize_into) does, but keeps illegal escapes.
    fn push_form(&self, uri: &str, out: &mut String) {
        UriWriter::new(self.changes, &self.lists, UriRef::new(uri), stays_in_every_encoding(uri.as_bytes())).write(out);
    }

    /// Returns the normal form of a URI as text: a reference without a scheme stays one. [`Uri::try_from`](crate::Uri) makes a `Uri` of it.
    ///
    /// # Errors
    /// The same as [`normalize_into`](Normalizer::normalize_into).
    ///
    /// ```
    /// use relref::Uri;
    /// use relref::crawl::Normalizer;
    ///
    /// let uri = Uri::try_from(Normalizer::crawl().normalize("HTTP://H/a#b")?)?;
    /// assert_eq!((uri.host(), uri.fragment()), (Some("h"), None));
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn normalize(&self, uri: impl AsRef<str>) -> Result<String, Error> {
        let mut out = String::new();
        self.normalize_into(uri, &mut out)?;
        Ok(out)
    }

    /// Resolves a reference by the rules of a [`Base`](crate::Base), [`whatwg::Base`](crate::whatwg::Base) or
    /// [`AnyBase`](crate::AnyBase), and appends the normal form of the result.
    ///
    /// Cost: resolving, [`normalize_into`](Normalizer::normalize_into), and one copy. Allocates if these do, and if the
    /// reference resolves to more than 512 bytes.
    ///
    /// # Errors
    /// The same as [`normalize_into`](Normalizer::normalize_into); the position is a byte of the resolved reference. By browsers' rules,
    /// also a reference that is not a valid URL ([`NotUrl`](crate::ErrorKind::NotUrl)), with a position in it. Then `out` is unchanged.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("http://example.com/docs/", Rules::RFC3986)?;
    /// let mut out = String::new();
    /// Normalizer::crawl().resolve_into(&base, "a/%2e%2e/b?z&y#x", &mut out)?;
    /// assert_eq!(out, "http://example.com/docs/b?y&z");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve_into(
        &self,
        base: &impl Resolves,
        reference: impl AsRef<str>,
        out: &mut String,
    ) -> Result<(), Error> {
        let start = out.len();
        base.append_resolved(reference.as_ref(), out)?;
        let uri = Tail::take(out, start);
        self.normalize_into(uri.as_str(), out)
    }

    /// Resolves a reference and returns the normal form of the result.
    ///
    /// # Errors
    /// The same as [`resolve_into`](Normalizer::resolve_into).
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    /// use relref::whatwg::Base;
    ///
    /// let base = Base::new("http://example.com/docs/")?;
    /// assert_eq!(Normalizer::crawl().resolve(&base, " a\\b?z&y#x ")?, "http://example.com/docs/a/b?y&z");
    /// assert!(Normalizer::crawl().resolve(&base, "http://[").is_err());
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve(&self, base: &impl Resolves, reference: impl AsRef<str>) -> Result<String, Error> {
        let mut out = String::new();
        self.resolve_into(base, reference, &mut out)?;
        Ok(out)
    }

    /// Appends the sort key of a URI's normal form: the labels of the host from right to left, with commas between them, then
    /// `)`, path and query. In a list that is sorted by these keys, the pages of a host, and the hosts of a domain, are together.
    ///
    /// The indexes of captured pages have such keys (CDX; *sort-friendly URI reordering transform*). Scheme, userinfo, fragment
    /// and the trailing dot of a host are not in the key; a port follows the host. IPv4 addresses are reversed as names are;
    /// IPv6 addresses are not. The key of a URI without a host is the URI itself, but without its fragment if it has an authority.
    ///
    /// The keys of these indexes also have no `www.`, no session ids and no trailing slash: add
    /// [`DropWww`](Change::DropWww), [`DropSession`](Change::DropSession) and
    /// [`DropTrailingSlash`](Change::DropTrailingSlash) for that. They also put paths and queries in lower case; this
    /// function does not, since on most servers paths that differ in case are different pages. For exactly the keys of archives,
    /// see [`cdx_key`].
    ///
    /// Cost and errors: those of [`normalize_into`](Normalizer::normalize_into), and one copy, allocated if longer than 512 bytes.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let mut key = String::new();
    /// Normalizer::crawl().surt_into("https://me@docs.Example.com:8080/a?b#c", &mut key)?;
    /// assert_eq!(key, "com,example,docs:8080)/a?b");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn surt_into(&self, uri: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
        let uri = uri.as_ref();
        let start = out.len();
        self.normalize_into(uri, out)?;
        let form = Tail::take(out, start);
        push_surt(form.as_str(), out);
        Ok(())
    }

    /// Returns the sort key of a URI's normal form, with the errors of [`normalize_into`](Normalizer::normalize_into).
    pub fn surt(&self, uri: impl AsRef<str>) -> Result<String, Error> {
        let mut out = String::new();
        self.surt_into(uri, &mut out)?;
        Ok(out)
    }

    /// Normalizes a URI and returns the effect of each change that had one, in the order of [`Change::ALL`]. The
    /// last effect's `after` is the normal form; without effects the URI is normal.
    ///
    /// Changes are added one after the other. An effect is the difference that the last added one makes. If it lets an earlier
    /// change do more, that is also part of its effect.
    ///
    /// Cost and errors: those of [`normalize_into`](Normalizer::normalize_into), once for each change that is on.
    ///
    /// ```
    /// use relref::Source;
    /// use relref::crawl::Normalizer;
    ///
    /// let effects = Normalizer::crawl().explain("http://Example.com/?b=2&a=1")?;
    /// assert_eq!(
    ///     effects[0].to_string(),
    ///     "case: http://Example.com/?b=2&a=1 becomes http://example.com/?b=2&a=1 (RFC 3986 §6.2.2.1: \"the scheme and host \
    ///      are case-insensitive and therefore should be normalized to lowercase\")",
    /// );
    /// assert_eq!(effects[1].after, "http://example.com/?a=1&b=2");
    /// assert!(matches!(effects[1].sources()[..], [Source::Decision { .. }]));
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn explain(&self, uri: impl AsRef<str>) -> Result<Vec<Effect>, Error> {
        let uri = uri.as_ref();
        if !self.keeps_illegal_escapes {
            decode_bytes(uri)?;
        }
        Ok(effects(self.changes, &self.lists, uri))
    }
}

impl fmt::Debug for Normalizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Normalizer")
            .field(&Change::ALL.iter().filter(|change| self.has(**change)).collect::<Vec<_>>())
            .finish()
    }
}
