//! The ladder of equivalence: the normal form at each rung, and how far two URIs are the same.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::error::Error;
use crate::normal::{Change, Changes, Encoding, NO_NAMES, Writer, recode};
use crate::uri::UriRef;

/// How much two URIs may differ in and still be called the same; each rung allows what the one before it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Nothing.
    Text,
    /// The encoding of characters that are not reserved, by [`Encoding::RFC3986`].
    Encoding,
    /// The case of scheme and host.
    Case,
    /// Dot segments of rooted paths, where the scheme's slashes mean hierarchy. Slashes are counted as RFC 3986 does: `..`
    /// takes the host of a URI inside another, too.
    Dots,
    /// What the scheme leaves out: its default port, an empty port, the path `/` behind a host, `localhost` in `file:`. The
    /// schemes are those of [`scheme::registry`].
    Scheme,
}

impl Rung {
    /// All rungs, from the lowest.
    pub const ALL: [Rung; 5] = [Rung::Text, Rung::Encoding, Rung::Case, Rung::Dots, Rung::Scheme];

    /// What the rung is about, in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Rung::Text => "text",
            Rung::Encoding => "encoding",
            Rung::Case => "case",
            Rung::Dots => "dots",
            Rung::Scheme => "scheme",
        }
    }

    /// Returns what a normalizer does to bring a URI to the rung: each rung adds to the one before.
    const fn changes(self) -> Changes {
        match self {
            Rung::Text => Changes::EMPTY,
            Rung::Encoding => Rung::Text.changes().with(Change::Encoding),
            Rung::Case => Rung::Encoding.changes().with(Change::Case),
            Rung::Dots => Rung::Case.changes().with(Change::Dots),
            Rung::Scheme => {
                Rung::Dots.changes().with(Change::Localhost).with(Change::DefaultPort).with(Change::EmptyPath)
            }
        }
    }
}

/// Brings a URI to its normal form at a rung: two URIs are the same there if their forms are the same text.
///
/// What needs no change is borrowed. Idempotent, and a higher rung's form of a lower rung's form is that of the URI. A
/// reference without a scheme keeps its dots.
///
/// At [`Rung::Encoding`], the form of what a reference resolves to is what the forms resolve to, unless there are escapes of
/// dots or colons: `http://h/a/%2E%2E/b` has a segment `..` afterwards, while resolving takes `%2E%2E` for a name. By level,
/// the `./` that keeps `%66tp:x` a reference stays right after a run of slashes.
///
/// Cost: one pass, and another over what a rung changes.
///
/// # Errors
/// An illegal escape, but not at [`Rung::Text`].
pub fn normalize(uri: &str, rung: Rung) -> Result<Cow<'_, str>, Error> {
    if rung == Rung::Text {
        return Ok(Cow::Borrowed(uri));
    }
    let text = recode(uri, &Encoding::RFC3986)?;
    if rung == Rung::Encoding {
        return Ok(text);
    }
    let writer = Writer::new(rung.changes(), &NO_NAMES, UriRef::new(&text), true);
    if writer.changes_nothing() {
        return Ok(text);
    }
    let mut form = String::with_capacity(text.len() + 2);
    writer.write(&mut form);
    Ok(if form == text { text } else { Cow::Owned(form) })
}

/// How far two URIs are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same, from this rung on.
    Equal(Rung),
    /// Different even at the highest rung: the first component that differs there, in both.
    Different {
        /// `scheme`, `authority`, `path`, `query` or `fragment`.
        component: &'static str,
        /// The first URI's, in its normal form; `None` if it has none.
        left: Option<String>,
        /// The second URI's.
        right: Option<String>,
    },
}

/// Compares two URIs rung by rung.
///
/// # Errors
/// An illegal escape in either, unless they are the same text.
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
    let ((component, left), (_, right)) = differs.expect("texts that differ have a component that does");
    Ok(Comparison::Different { component, left, right })
}
