//! Normal forms of a URI, and the degree to which two URIs are equal.
//!
//! RFC 1630 (*Reduced or increased safe character sets*) compares URIs only in the same encoding: escapes of characters that
//! need none are decoded, and characters that need one are escaped. **Reserved characters are neither escaped nor decoded**,
//! since `%2F` is not a slash. Later documents name more differences that do not change what a URI names. RFC 3986 §6.2 calls
//! the degrees of equivalence a ladder; each [`Rung`] allows what the rungs before it allow, and more:
//!
//! | rung | which URIs are equal too | source |
//! |---|---|---|
//! | [`Text`](Rung::Text) | identical texts | |
//! | [`Encoding`](Rung::Encoding) | `%2D` and `-`, `%c3` and `%C3` | RFC 1630; RFC 3986 §6.2.2 |
//! | [`Case`](Rung::Case) | `HTTP://H/` and `http://h/` | RFC 1738 §2.1; RFC 3986 §6.2.2.1 |
//! | [`Dots`](Rung::Dots) | `/a/../b` and `/b` | RFC 3986 §6.2.2.3 |
//! | [`Scheme`](Rung::Scheme) | `http://h:80` and `http://h/`, `file://localhost/`, `file:/` and `file:///`, `gopher://h/1` and `gopher://h`, `mailto:a@H` and `mailto:a@h`, `urn:A:b?+c` and `urn:a:b` | RFC 1738 §3; RFC 3986 §6.2.3; RFC 8089 §2; RFC 8141 §3.1 |
//! | [`Fragment`](Rung::Fragment) | `http://h/#` and `http://h/`, by the rules of RFC 1630, its draft and URL7 | RFC 1630, *Fragment-id* |
//!
//! Other rules of schemes do not count. They know more of what is named than its URI shows, so that a wrong answer would not be seen: the
//! hyphens in the number of `tel:` (RFC 3966 §4), the order and the defaults of the parameters of `sip:` (RFC 3261 §19.1.4), the rules of a
//! namespace of `urn:`. Escapes of characters that need none are the same as these in each scheme, by RFC 3986 §2.3, as `sip:` has it, too: so
//! is `urn:a:%41` as `urn:a:A`, which RFC 8141 §3.1 leaves apart.
//!
//! ```
//! use relref::Rules;
//! use relref::canon::{Comparison, Encoding, Rung, compare, normalize, normalize_at, recode};
//!
//! let uri = "HTTP://Example.com:80/a/./marie%2dclaude%2f";
//! assert_eq!(recode(uri, &Encoding::RFC3986)?, "HTTP://Example.com:80/a/./marie-claude%2F");
//! assert_eq!(normalize_at(uri, Rung::Case)?, "http://example.com:80/a/./marie-claude%2F");
//! assert_eq!(normalize(uri)?, "http://example.com/a/marie-claude%2F");
//! let same = compare("http://h/%7Ea", "http://H/~a", Rules::RFC3986)?;
//! assert!(matches!(same, Comparison::Equal { rung: Rung::Case, .. }));
//! # Ok::<(), relref::Error>(())
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::by_name::parse_and_print_by_name;
use crate::error::Error;
use crate::normal::{Change, ChangeSet, NO_NAMES, UriWriter, effects, stays_in_every_encoding};
pub use crate::normal::{Encoding, expand, recode, safer};
use crate::percent::decode_bytes;
use crate::rules::{Document, Rules};
use crate::source::Source;
use crate::uri::{Uri, UriRef, UriText};

/// A degree of equivalence. Each rung allows the differences of the rungs before it, and those that its variant names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rung {
    /// No differences: the texts are identical.
    Text,
    /// Different encodings of characters that are not reserved, by [`Encoding::RFC3986`].
    Encoding,
    /// Letters of scheme and host that differ in case.
    Case,
    /// Dot segments of rooted paths, if slashes mean hierarchy in the scheme. As RFC 3986 reads paths, `..` can also remove the
    /// host of a nested URI.
    Dots,
    /// Differences that have no meaning by the document of the scheme, which is the same in both URIs: the default port, an empty
    /// port, the path `/` after a host, `localhost` and a host that is left out in `file:`, the type `1` of `gopher`, the case of the
    /// domains of `mailto` and of the namespace of `urn`, and what follows the name of a URN. The schemes are those of
    /// [`scheme::registry`](crate::scheme::registry).
    Scheme,
    /// An empty fragment and none, by the documents before RFC 1808: both mean the whole object.
    Fragment,
}

impl Rung {
    /// All rungs, from the lowest.
    pub const ALL: &[Rung] = &[Rung::Text, Rung::Encoding, Rung::Case, Rung::Dots, Rung::Scheme, Rung::Fragment];

    /// Returns the name of the rung, which is that of the differences that it adds.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rung::Text => "text",
            Rung::Encoding => "encoding",
            Rung::Case => "case",
            Rung::Dots => "dots",
            Rung::Scheme => "scheme",
            Rung::Fragment => "fragment",
        }
    }

    const fn changes(self) -> ChangeSet {
        match self {
            Rung::Text => ChangeSet::EMPTY,
            Rung::Encoding => Rung::Text.changes().with(Change::Encoding),
            Rung::Case => Rung::Encoding.changes().with(Change::Case),
            Rung::Dots => Rung::Case.changes().with(Change::Dots),
            Rung::Scheme => Rung::Dots
                .changes()
                .with(Change::SchemeCase)
                .with(Change::Localhost)
                .with(Change::EmptyPort)
                .with(Change::DefaultPort)
                .with(Change::EmptyPath)
                .with(Change::GopherType)
                .with(Change::UrnComponents),
            Rung::Fragment => Rung::Scheme.changes().with(Change::EmptyFragment),
        }
    }
}

parse_and_print_by_name!(Rung, "a rung");

/// Brings a URI to its normal form (RFC 3986 §6.2.2 and §6.2.3), at [`Rung::Scheme`]: two URIs that mean the same by the documents of
/// URIs and of their scheme have the same form. [`Uri::normalize`] gives a [`Uri`]; [`crawl`](crate::crawl) goes further.
///
/// # Errors
/// An illegal escape.
///
/// ```
/// use relref::canon::normalize;
///
/// assert_eq!(normalize("HTTP://Example.com:80/a/./%7eb")?, "http://example.com/a/~b");
/// # Ok::<(), relref::Error>(())
/// ```
pub fn normalize(uri: &(impl AsRef<str> + ?Sized)) -> Result<Cow<'_, str>, Error> {
    normalize_at(uri, Rung::Scheme)
}

impl<T: UriText> Uri<T> {
    /// Returns the [normal form](normalize) of the URI.
    ///
    /// # Errors
    /// An illegal escape.
    pub fn normalize(&self) -> Result<Uri, Error> {
        Ok(Uri::new(normalize(self)?.into_owned())?)
    }
}

/// Brings a URI to its normal form at a rung: two URIs are equal at the rung if their forms are the same text.
///
/// The result is borrowed if nothing changes. Normalizing twice gives the same as normalizing once, and normalizing at a lower rung
/// first makes no difference. A reference without a scheme keeps its dot segments. Cost: one pass for the encoding, and another for
/// a higher rung.
///
/// At [`Rung::Encoding`], normalizing base and reference before they are resolved gives the same URI as normalizing the result,
/// except for escaped dots, as in `http://h/a/%2E%2E/b`: normalized, the segment is `..`, while resolving reads `%2E%2E` as a name;
/// for escapes before a colon, as in `%66tp:x`, which becomes `./ftp:x`, whose dot stays right after a slash run, by the rules that
/// count slashes; and for the parts in which browsers look for a host: see [`Change::Encoding`].
///
/// # Errors
/// An illegal escape, except at [`Rung::Text`].
pub fn normalize_at(uri: &(impl AsRef<str> + ?Sized), rung: Rung) -> Result<Cow<'_, str>, Error> {
    let uri = uri.as_ref();
    if rung == Rung::Text {
        return Ok(Cow::Borrowed(uri));
    }
    // Where browsers look for a host in a path, no escape may be decoded: the writer knows, the recoding does not.
    if !stays_in_every_encoding(uri.as_bytes()) {
        let writer = UriWriter::new(rung.changes(), &NO_NAMES, UriRef::new(uri), false);
        if writer.keeps_host_for_browsers() {
            decode_bytes(uri)?;
            let mut form = String::with_capacity(uri.len() + 2);
            writer.write(&mut form);
            return Ok(if form == uri { Cow::Borrowed(uri) } else { Cow::Owned(form) });
        }
    }
    let text = recode(uri, &Encoding::RFC3986)?;
    if rung == Rung::Encoding {
        return Ok(text);
    }
    let writer = UriWriter::new(rung.changes(), &NO_NAMES, UriRef::new(&text), true);
    if writer.changes_nothing() {
        return Ok(text);
    }
    let mut form = String::with_capacity(text.len() + 2);
    writer.write(&mut form);
    Ok(if form == text { text } else { Cow::Owned(form) })
}

/// The result of a comparison of two URIs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equal.
    #[non_exhaustive]
    Equal {
        /// The first rung at which they are equal.
        rung: Rung,
        /// The sources of what was changed there to make them equal, without repetition, in the order of [`Source`].
        sources: Vec<Source>,
    },
    /// Different even at the highest rung.
    #[non_exhaustive]
    Different {
        /// The first component that differs there: `scheme`, `authority`, `path`, `query` or `fragment`.
        component: &'static str,
        /// This component of the first URI, in its normal form; `None` if it has none.
        left: Option<String>,
        /// The same component of the second URI, in its normal form; `None` if it has none.
        right: Option<String>,
    },
}

impl Comparison {
    /// Reports whether the URIs are equal, at whatever rung.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        matches!(self, Comparison::Equal { .. })
    }
}

/// Writes why the URIs are equal, with the sources, or how they differ.
///
/// ```
/// use relref::Rules;
/// use relref::canon::compare;
///
/// let compare = |left, right| compare(left, right, Rules::RFC3986).unwrap().to_string();
/// assert!(compare("http://h:80", "http://h/").starts_with("same scheme (RFC 3986 §6.2.3: "));
/// assert_eq!(compare("http://h/a", "http://h/b#c"), "different path: /a and /b");
/// assert_eq!(compare("http://h/?", "http://h/"), "different query: \"\" and none");
/// ```
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Comparison::Equal { rung, sources } => {
                write!(f, "same {rung} (")?;
                for (number, source) in sources.iter().enumerate() {
                    write!(f, "{}{source}", if number == 0 { "" } else { "; " })?;
                }
                f.write_str(")")
            }
            Comparison::Different { component, left, right } => {
                let side = |text| match Option::as_deref(text) {
                    None => "none",
                    Some("") => "\"\"",
                    Some(text) => text,
                };
                write!(f, "different {component}: {} and {}", side(left), side(right))
            }
        }
    }
}

/// Compares two URIs rung by rung, as a document does.
///
/// Of `rules`, only the document matters: [`Rung::Fragment`] is for [`Rules::URL7`], [`Rules::DRAFT_WWW_URI_00`] and
/// [`Rules::RFC1630`]. By RFC 3986 §6.2.3, "two URIs that differ only by the suffix "#" are considered different".
///
/// # Errors
/// An illegal escape in one of them, also if the texts are identical.
///
/// ```
/// use relref::Rules;
/// use relref::canon::{Comparison, Rung, compare};
///
/// // RFC 1630, examples 1 and 2.
/// let uri = "http://info.cern.ch/albert/bertram/marie-claude";
/// let same = compare(uri, "http://info.cern.ch/albert/bertram/marie%2Dclaude", Rules::RFC3986)?;
/// assert!(matches!(same, Comparison::Equal { rung: Rung::Encoding, .. }));
/// let other = compare(uri, "http://info.cern.ch/albert/bertram%2Fmarie-claude", Rules::RFC3986)?;
/// assert!(matches!(other, Comparison::Different { component: "path", .. }));
///
/// let is_equal = |rules| compare("http://h/a#", "http://h/a", rules).map(|comparison| comparison.is_equal());
/// assert!(is_equal(Rules::RFC1630)? && !is_equal(Rules::RFC3986)?);
/// # Ok::<(), relref::Error>(())
/// ```
#[doc(alias("equivalent", "is_equal", "equal"))]
pub fn compare(left: impl AsRef<str>, right: impl AsRef<str>, rules: Rules) -> Result<Comparison, Error> {
    let (left, right) = (left.as_ref(), right.as_ref());
    let void_fragment = void_fragment(rules.document);
    // A URI with an illegal escape is equal to none, not even to itself.
    let mut forms = (normalize_at(left, Rung::Encoding)?, normalize_at(right, Rung::Encoding)?);
    for &rung in Rung::ALL {
        if rung == Rung::Fragment && void_fragment.is_none() {
            break;
        }
        forms = (normalize_at(left, rung)?, normalize_at(right, rung)?);
        if forms.0 == forms.1 {
            let sources = match rung {
                Rung::Text => vec![IDENTICAL],
                Rung::Fragment => void_fragment.into_iter().collect(),
                _ => sources_of_changes(left, right, rung),
            };
            return Ok(Comparison::Equal { rung, sources });
        }
    }
    let (left, right) = (UriRef::new(&*forms.0), UriRef::new(&*forms.1));
    let components = |uri: &UriRef<&str>| {
        [
            ("scheme", uri.scheme().map(String::from)),
            ("authority", uri.authority().map(String::from)),
            ("path", Some(String::from(uri.path()))),
            ("query", uri.query().map(String::from)),
            ("fragment", uri.fragment().map(String::from)),
        ]
    };
    let differs = components(&left).into_iter().zip(components(&right)).find(|(left, right)| left != right);
    let ((component, left), (_, right)) = differs.expect("texts that differ have a component that differs");
    Ok(Comparison::Different { component, left, right })
}

const IDENTICAL: Source = Source::document(
    "RFC 3986",
    "§6.2.1",
    "If two URIs, when considered as character strings, are identical, then it is safe to conclude that they are equivalent",
);

/// Returns the words of a document by which an empty fragment is the same as none; `None` if it has no such words.
const fn void_fragment(document: Document) -> Option<Source> {
    const WORDS: &str =
        "A void fragment-id with or without the hash sign means that the URL refers to the whole object";
    match document {
        Document::Rfc1630 => Some(Source::document("RFC 1630", "Fragment-id", WORDS)),
        Document::DraftWwwUri00 => Some(Source::document("draft-www-uri-00", "§4.5", WORDS)),
        Document::Url7 => Some(Source::document("URL7", "appendix 1.1", WORDS)),
        _ => None,
    }
}

/// Returns the sources of those changes that the rung adds and that have an effect on one of the URIs.
fn sources_of_changes(left: &str, right: &str, rung: Rung) -> Vec<Source> {
    let below = Rung::ALL[rung as usize - 1].changes();
    let effects = [left, right].into_iter().flat_map(|uri| effects(rung.changes(), &NO_NAMES, uri));
    let mut sources: Vec<Source> =
        effects.filter(|effect| !below.has(effect.change)).flat_map(|effect| effect.sources()).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

#[cfg(test)]
mod tests {
    use super::{Document, IDENTICAL, void_fragment};
    use crate::source::tests::assert_quoted;

    #[test]
    fn documents_say_what_is_quoted() {
        assert_quoted(IDENTICAL);
        Document::ALL.iter().copied().filter_map(void_fragment).for_each(assert_quoted);
        assert_eq!(Document::ALL.iter().copied().filter_map(void_fragment).count(), 3);
    }
}
