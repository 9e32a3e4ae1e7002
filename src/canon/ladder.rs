//! The ladder of equivalence: the normal form at each rung, and how far two URIs are the same.

use alloc::borrow::Cow;
use alloc::string::String;

use memchr::{memchr, memchr2};

use super::encoding::{Encoding, recode};
use super::path::push_path;
use crate::error::Error;
use crate::resolve::dots::last_dots;
use crate::scheme::{self, Authority};
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
    Ok(match change(&text, rung) {
        Some(changed) => Cow::Owned(changed),
        None => text,
    })
}

/// What the rungs above [`Rung::Encoding`] change of a URI in that encoding, if anything.
fn change(uri: &str, rung: Rung) -> Option<String> {
    let split = UriRef::new(uri);
    let (path, scheme) = (split.path(), split.scheme().unwrap_or_default());
    let authority = split.authority();
    let colon = authority.is_some_and(|authority| memchr2(b':', b'@', authority.as_bytes()).is_some());
    let is_file = scheme.len() == 4 && scheme.eq_ignore_ascii_case("file");
    let upper = uri.as_bytes()[..split.path_start].iter().any(u8::is_ascii_uppercase);
    let dots =
        rung >= Rung::Dots && path.starts_with('/') && last_dots(path.as_bytes()).is_some() && has_hierarchy(scheme);
    let defaults = rung >= Rung::Scheme && authority.is_some() && (colon || path.is_empty() || is_file);
    if !(upper || dots || defaults) {
        return None;
    }

    let mut out = String::with_capacity(uri.len() + 2);
    out.push_str(&uri[..split.scheme_end]);
    out.make_ascii_lowercase();
    let default = if defaults { scheme::default_port(scheme) } else { None };
    let mut host_is_there = false;
    if let Some(authority) = authority {
        let parts = Authority::new(authority, default);
        let host_end = split.path_start - parts.port.map_or(0, |port| port.len() + 1);
        let host_start = host_end - parts.host.len();
        out.push_str(&uri[split.scheme_end..host_start]);
        host_is_there = !parts.host.is_empty();
        if !(defaults && is_file && authority.eq_ignore_ascii_case("localhost")) {
            let at = out.len();
            out.push_str(parts.host);
            lower_case(&mut out[at..]);
        }
        if !(defaults && !is_file && parts.has_needless_port()) {
            out.push_str(&uri[host_end..split.path_start]);
        }
    }
    if path.is_empty() && host_is_there && default.is_some() {
        out.push('/');
    } else if dots {
        push_path(path, true, authority.is_some(), &mut out, |segment, out| out.push_str(segment));
    } else {
        out.push_str(path);
    }
    out.push_str(&uri[split.path_end..]);
    (out != uri).then_some(out)
}

/// Whether slashes mean hierarchy in a scheme; in one that the documents do not define they are taken to.
pub(crate) fn has_hierarchy(scheme: &str) -> bool {
    !scheme.is_empty() && scheme::info(scheme).is_none_or(|scheme| scheme.hierarchical || scheme.reserved)
}

/// Puts a host in lower case; escapes keep their digits.
pub(crate) fn lower_case(host: &mut str) {
    let mut from = 0;
    while let Some(percent) = memchr(b'%', &host.as_bytes()[from..]) {
        host[from..from + percent].make_ascii_lowercase();
        from += percent + 3;
    }
    host[from..].make_ascii_lowercase();
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
    let (left, right) = (UriRef::new(&forms.0), UriRef::new(&forms.1));
    let components = |uri: &UriRef<'_>| {
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
