//! The rule sets: what each document decides, as data.

use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorKind};

const LENIENT: &str = "+lenient";

/// A policy of resolution: one value a document, and any mix of your own.
///
/// There is one engine; a rule set only answers its questions. Take a constant and change a field for a mix:
///
/// ```
/// use relref::{Rules, resolve};
///
/// // RFC 2396 appendix C.2 permits dropping the surplus `..` that its algorithm keeps.
/// let mix = Rules { drop_surplus: true, ..Rules::RFC2396 };
/// assert_eq!(resolve("http://a/b", "../../g", Rules::RFC2396)?, "http://a/../../g");
/// assert_eq!(resolve("http://a/b", "../../g", mix)?, "http://a/g");
/// # Ok::<(), relref::Error>(())
/// ```
///
/// Rule sets parse and print by name: `rfc1630`, `draft-www-uri-00`, `url7`, `rfc1808`, `rfc2396`, `rfc3986`, each also
/// with `+lenient` behind it. A mix prints the name it came from with `+changed`, which does not parse.
///
/// ```
/// # use relref::Rules;
/// assert_eq!("rfc1630".parse(), Ok(Rules::RFC1630));
/// assert_eq!("rfc3986+lenient".parse(), Ok(Rules::RFC3986.lenient()));
/// assert_eq!(Rules::URL7.to_string(), "url7");
/// assert!("rfc822".parse::<Rules>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The document whose name is printed and whose sections [`explain`](crate::Base::explain) cites.
    pub document: Document,
    /// Where a reference with leading slashes goes.
    pub slashes: Slashes,
    /// Whether `?y` alone replaces the last segment of the base path, or keeps the base path whole.
    pub query_replaces: bool,
    /// Whether dot segments are removed from a reference that starts with a slash.
    pub rooted_dots: bool,
    /// Whether dot segments are removed from a reference that has a scheme.
    pub absolute_dots: bool,
    /// Whether a `..` with nothing left to remove is dropped, as RFC 3986 §5.2.4 does, or kept.
    pub drop_surplus: bool,
    /// Whether the empty reference is the whole base, or the base without its fragment.
    pub empty_is_whole: bool,
    /// Whether `;x` behind the path is a component of its own (RFC 1808 §2.4.5), or part of a segment.
    pub params: bool,
    /// Whether a reference with the base's own scheme and no authority (`http:g`) is read as if it had no scheme; see
    /// [`lenient`](Rules::lenient).
    pub lenient: bool,
}

/// A document that says how references are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Document {
    /// RFC 1630, *Universal Resource Identifiers in WWW*, June 1994.
    Rfc1630,
    /// draft-www-uri-00, the draft of RFC 1630, 12 March 1994.
    DraftWwwUri00,
    /// *Uniform Resource Locators*, Internet Draft, October 1993.
    Url7,
    /// RFC 1808, *Relative Uniform Resource Locators*, June 1995.
    Rfc1808,
    /// RFC 2396, *Uniform Resource Identifiers (URI): Generic Syntax*, August 1998.
    Rfc2396,
    /// RFC 3986, *Uniform Resource Identifier (URI): Generic Syntax*, January 2005.
    Rfc3986,
}

/// Where a reference with leading slashes goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slashes {
    /// By level: before the first run of exactly as many slashes that has no longer run anywhere to its right (RFC 1630).
    Levels,
    /// By level: before the first run of exactly as many slashes (draft-www-uri-00).
    FirstLevel,
    /// By component: `//` goes after the scheme, `/` after the authority (URL7 and all later documents).
    Components,
}

impl Rules {
    /// RFC 1630, *Partial (relative) form*, by its sentence: slashes are levels.
    pub const RFC1630: Rules = Rules {
        document: Document::Rfc1630,
        slashes: Slashes::Levels,
        query_replaces: true,
        rooted_dots: true,
        absolute_dots: false,
        drop_surplus: false,
        empty_is_whole: false,
        params: false,
        lenient: false,
    };

    /// draft-www-uri-00 §4.4, whose sentence the example table printed in RFC 1630 still follows.
    pub const DRAFT_WWW_URI_00: Rules =
        Rules { document: Document::DraftWwwUri00, slashes: Slashes::FirstLevel, ..Rules::RFC1630 };

    /// URL7, appendix 1.2: the authority is a component, rooted references keep their dots.
    pub const URL7: Rules =
        Rules { document: Document::Url7, slashes: Slashes::Components, rooted_dots: false, ..Rules::RFC1630 };

    /// RFC 1808 §4: parameters are a component, the empty reference is the whole base.
    pub const RFC1808: Rules =
        Rules { document: Document::Rfc1808, query_replaces: false, empty_is_whole: true, params: true, ..Rules::URL7 };

    /// RFC 2396 §5.2: parameters are part of a segment again, `?y` replaces the last segment.
    pub const RFC2396: Rules = Rules { document: Document::Rfc2396, ..Rules::URL7 };

    /// RFC 3986 §5.2: dots are removed everywhere, surplus `..` dropped, `?y` keeps the path.
    pub const RFC3986: Rules = Rules {
        document: Document::Rfc3986,
        query_replaces: false,
        rooted_dots: true,
        absolute_dots: true,
        drop_surplus: true,
        ..Rules::RFC2396
    };

    /// The rule sets of the documents, oldest document first.
    pub const ALL: [Rules; 6] =
        [Rules::URL7, Rules::DRAFT_WWW_URI_00, Rules::RFC1630, Rules::RFC1808, Rules::RFC2396, Rules::RFC3986];

    /// The same rules, but a reference with the base's own scheme is read as if it had no scheme, as RFC 1808 §5.2 and
    /// RFC 3986 §5.2.2 permit and early browsers did. Schemes are compared without regard to case. A reference with an
    /// authority stands as it is all the same: it could only mean itself, and its slashes are no level.
    ///
    /// ```
    /// use relref::{Rules, resolve};
    ///
    /// assert_eq!(resolve("http://a/b/c", "http:g", Rules::RFC3986)?, "http:g");
    /// assert_eq!(resolve("http://a/b/c", "http:g", Rules::RFC3986.lenient())?, "http://a/b/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub const fn lenient(self) -> Rules {
        Rules { lenient: true, ..self }
    }

    /// Whether runs of slashes are levels, which no `..` crosses.
    pub(crate) fn by_level(&self) -> bool {
        self.slashes != Slashes::Components
    }
}

impl Document {
    /// The document's rules, unchanged.
    pub const fn rules(self) -> Rules {
        match self {
            Document::Rfc1630 => Rules::RFC1630,
            Document::DraftWwwUri00 => Rules::DRAFT_WWW_URI_00,
            Document::Url7 => Rules::URL7,
            Document::Rfc1808 => Rules::RFC1808,
            Document::Rfc2396 => Rules::RFC2396,
            Document::Rfc3986 => Rules::RFC3986,
        }
    }

    /// The name by which its rules parse and print.
    pub const fn name(self) -> &'static str {
        match self {
            Document::Rfc1630 => "rfc1630",
            Document::DraftWwwUri00 => "draft-www-uri-00",
            Document::Url7 => "url7",
            Document::Rfc1808 => "rfc1808",
            Document::Rfc2396 => "rfc2396",
            Document::Rfc3986 => "rfc3986",
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = if (Rules { lenient: false, ..*self }) == self.document.rules() { "" } else { "+changed" };
        let lenient = if self.lenient { LENIENT } else { "" };
        f.pad(&[self.document.name(), changed, lenient].concat())
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let mut fits = 0;
        for rules in Rules::ALL {
            let document = rules.document.name();
            let Some(rest) = name.strip_prefix(document) else {
                fits = fits.max(common(name, document));
                continue;
            };
            match rest {
                "" => return Ok(rules),
                LENIENT => return Ok(rules.lenient()),
                rest => fits = fits.max(document.len() + common(rest, LENIENT)),
            }
        }
        let expected = "rfc1630, draft-www-uri-00, url7, rfc1808, rfc2396 or rfc3986, perhaps with +lenient";
        Err(Error::new(ErrorKind::UnknownRules, expected, name, fits))
    }
}

/// How many bytes two texts start with in common; the second is US-ASCII.
fn common(text: &str, other: &str) -> usize {
    text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}
