//! The rungs of equivalence: the normal form at each, and the first at which two URIs are equal.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::by_name::parse_and_print_by_name;
use crate::error::Error;
use crate::normal::{Change, ChangeSet, Encoding, NO_NAMES, UriWriter, recode};
use crate::uri::UriRef;

/// A degree of equivalence. Each rung allows the differences of the rungs before it, and those that its variant names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// port, the path `/` after a host, `localhost` in `file:`. The schemes are those of
    /// [`scheme::registry`](crate::scheme::registry).
    Scheme,
}

impl Rung {
    /// All rungs, from the lowest.
    pub const ALL: [Rung; 5] = [Rung::Text, Rung::Encoding, Rung::Case, Rung::Dots, Rung::Scheme];

    /// Returns the name of the rung, which is that of the differences that it adds.
    pub const fn name(self) -> &'static str {
        self.name_and_source().0
    }

    /// Returns the document and section that the differences of the rung are from.
    pub const fn source(self) -> &'static str {
        self.name_and_source().1
    }

    /// Returns the name of the rung, and the document and section that its differences are from.
    const fn name_and_source(self) -> (&'static str, &'static str) {
        match self {
            Rung::Text => ("text", "RFC 3986 §6.2.1"),
            Rung::Encoding => ("encoding", Change::Encoding.source()),
            Rung::Case => ("case", Change::Case.source()),
            Rung::Dots => ("dots", Change::Dots.source()),
            Rung::Scheme => ("scheme", Change::DefaultPort.source()),
        }
    }

    /// Returns the changes that bring a URI to its normal form at the rung: those that the rung adds, and those of all lower rungs.
    const fn changes(self) -> ChangeSet {
        match self {
            Rung::Text => ChangeSet::EMPTY,
            Rung::Encoding => Rung::Text.changes().with(Change::Encoding),
            Rung::Case => Rung::Encoding.changes().with(Change::Case),
            Rung::Dots => Rung::Case.changes().with(Change::Dots),
            Rung::Scheme => Rung::Dots
                .changes()
                .with(Change::Localhost)
                .with(Change::EmptyPort)
                .with(Change::DefaultPort)
                .with(Change::EmptyPath),
        }
    }
}

parse_and_print_by_name!(Rung, "a rung");

/// Brings a URI to its normal form at a rung: two URIs are equal at the rung if their forms are the same text.
///
/// The result is borrowed if nothing changes. Normalizing twice gives the same as normalizing once, and normalizing at a lower rung
/// first makes no difference. A reference without a scheme keeps its dot segments.
///
/// At [`Rung::Encoding`], normalizing base and reference before they are resolved gives the same URI as normalizing the result,
/// with two exceptions: escaped dots, as in `http://h/a/%2E%2E/b`, which has a segment `..` after it is normalized, while resolving
/// reads `%2E%2E` as a name; and escapes before a colon, as in `%66tp:x`, which becomes `./ftp:x`, whose dot stays right after a
/// slash run, by the rules that count slashes.
///
/// Cost: one pass for the encoding, and another for a higher rung.
///
/// # Errors
/// An illegal escape, except at [`Rung::Text`].
pub fn normalize(uri: &str, rung: Rung) -> Result<Cow<'_, str>, Error> {
    if rung == Rung::Text {
        return Ok(Cow::Borrowed(uri));
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
    /// Equal from this rung on.
    Equal(Rung),
    /// Different even at the highest rung.
    Different {
        /// The first component that differs there: `scheme`, `authority`, `path`, `query` or `fragment`.
        component: &'static str,
        /// This component of the first URI, in its normal form; `None` if it has none.
        left: Option<String>,
        /// The same component of the second URI, in its normal form; `None` if it has none.
        right: Option<String>,
    },
}

/// Compares two URIs rung by rung.
///
/// # Errors
/// An illegal escape in one of them, unless the texts are identical.
///
/// ```
/// use relref::canon::{Comparison, Rung, compare};
///
/// // RFC 1630, examples 1 and 2.
/// let uri = "http://info.cern.ch/albert/bertram/marie-claude";
/// assert_eq!(compare(uri, "http://info.cern.ch/albert/bertram/marie%2Dclaude")?, Comparison::Equal(Rung::Encoding));
/// let other = compare(uri, "http://info.cern.ch/albert/bertram%2Fmarie-claude")?;
/// assert!(matches!(other, Comparison::Different { component: "path", .. }));
/// # Ok::<(), relref::Error>(())
/// ```
pub fn compare(left: &str, right: &str) -> Result<Comparison, Error> {
    let mut forms = (Cow::Borrowed(left), Cow::Borrowed(right));
    for rung in Rung::ALL {
        forms = (normalize(left, rung)?, normalize(right, rung)?);
        if forms.0 == forms.1 {
            return Ok(Comparison::Equal(rung));
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
