//! Validation: checks that a text is derivable from a document's printed grammar.
//! If not, the error names the production that fails, and the byte.
//!
//! Nothing else in the crate validates: splitting and resolving accept any text. Each [`Grammar`] is read literally, except where
//! the printed grammar has a defect. A comment in the code names each defect and says what is valid instead.
//!
//! ```
//! use relref::ErrorKind;
//! use relref::validate::Grammar;
//!
//! assert!(Grammar::Rfc3986Uri.is_valid("http://[::1]:8080/a?b#c"));
//! assert!(Grammar::Rfc3986Reference.is_valid("../a?b"));
//!
//! let error = Grammar::Rfc1738Url.validate("http://h:8o/").unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::NotValid);
//! assert_eq!(error.to_string(), "not valid as `url` of RFC 1738: expected a character of `hostport`, found `o` at byte 10");
//! ```

use crate::by_name::{enum_of_rows, parse_and_print_by_name};
use crate::error::{Error, ErrorKind};
use crate::uri::{Uri, UriRef};

mod cursor;
mod early;
mod rfc1738;
mod rfc1808;
mod rfc2396;
mod rfc3986;
mod shared;

use cursor::Cursor;
pub(crate) use rfc3986::check_host;

// The text is a phrase for messages: the start production and the document.
enum_of_rows! {
    /// A printed grammar, by document and start production. It parses and prints by [`name`](Grammar::name).
    ///
    /// In all of them, the scheme is a letter followed by letters, digits, `+`, `-` and `.`, in either case, so that the scheme
    /// of a valid text is also the scheme of its split. (URL7, draft-www-uri-00 and RFC 1630 print `ialpha`, which includes `@` and `%41`.
    /// RFC 1738 and RFC 1808 allow a digit, `+`, `-` or `.` as the first character; RFC 1738 prints lower case only, but §2.1 recommends
    /// to read both.) Illegal escapes and controls are never valid, spaces only by URL7 and the draft, and characters beyond US-ASCII
    /// only by RFC 3987.
    ///
    /// URL7, the draft and RFC 1630 also print `prefixedurl`: a `url` after `url:`. [`text`](crate::text) reads such prefixes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Grammar {
        /// URL7, *BNF syntax*: `fragmentaddress`, of any scheme.
        ///
        /// The path is read as in [`Rfc1630Generic`](Grammar::Rfc1630Generic), and a void fragment is valid, as *Fragment-id* says. As
        /// printed, `extra` has `:`, `;` and the space, and no production has `=`. Our copy lost the name `digit` before the digits.
        Url7Generic "url7-generic" "`fragmentaddress` of URL7"
        /// URL7, *BNF syntax*: `url`, which has no fragment. A listed scheme is read only by its own production, although `generic` is
        /// printed as an alternative for every scheme.
        ///
        /// Hosts are those of RFC 1738, and a server may come first in `nntp`, as *NNTP* says. User and password are `xalphas`, so that
        /// all before the last `@` is of the user. The colon that is printed twice after `mailto` may be there once.
        Url7Url "url7-url" "`url` of URL7"
        /// draft-www-uri-00 §6: `fragmentaddress`, of any scheme. As [`Url7Generic`](Grammar::Url7Generic), but `+` separates the words
        /// of a search, and the fragment has none.
        DraftWwwUri00Generic "draft-www-uri-00-generic" "`fragmentaddress` of draft-www-uri-00"
        /// draft-www-uri-00 §6.1: `url`, which has no fragment. As [`Url7Url`](Grammar::Url7Url), and with `mid` and `cid`.
        DraftWwwUri00Url "draft-www-uri-00-url" "`url` of draft-www-uri-00"
        /// RFC 1630, *BNF of Generic URI Syntax*: `fragmentaddress`, of any scheme.
        ///
        /// The path may start with slashes, have void segments anywhere, and contain `:`, `;` and `=`. The printed grammar, read
        /// literally, does not permit a host, a port or an object of WAIS, although the generic production should parse "the same URIs"
        /// as the specific ones. The search and the fragment are read literally: `?a=b` is an error, and so is a search with a void
        /// word (`?a++b`). A void fragment is valid, as *Fragment-id* says.
        Rfc1630Generic "rfc1630-generic" "`fragmentaddress` of RFC 1630"
        /// RFC 1630, *BNF for specific URL schemes*: `url`, which has no fragment. A scheme that it does not list is read by the
        /// generic production.
        ///
        /// Hosts are those of RFC 1738. The grammar of RFC 1630, read literally, permits the host names `user@host`, `h%41` and `h..`,
        /// but not `3com.com`.
        Rfc1630Url "rfc1630-url" "`url` of RFC 1630"
        /// RFC 1738 §5: `genericurl`, of any scheme, which has no fragment.
        Rfc1738Generic "rfc1738-generic" "`genericurl` of RFC 1738"
        /// RFC 1738 §5: `url`. A listed scheme is read only by its own production, any other by `otherurl`, which is `genericurl`.
        Rfc1738Url "rfc1738-url" "`url` of RFC 1738"
        /// RFC 1808 §2.2: `URL`, which is absolute or relative and may have a fragment.
        ///
        /// A text with a scheme is absolute (§2.4.2). The printed grammar, read literally, permits `//h?q`, whose `?` is of the `net_loc`,
        /// but not `//h//a`, since the first segment of a path is not empty.
        Rfc1808Url "rfc1808-url" "`URL` of RFC 1808"
        /// RFC 1808 §2.2: `absoluteURL`, of any scheme, which has no fragment. It permits what `genericurl` of RFC 1738 permits.
        Rfc1808Absolute "rfc1808-absolute" "`absoluteURL` of RFC 1808"
        /// RFC 1808 §2.2: `generic-RL`, a scheme and a `relativeURL`. Only against such a base can relative URLs be resolved (§2.3).
        Rfc1808Generic "rfc1808-generic" "`generic-RL` of RFC 1808"
        /// RFC 1808 §2.2: `relativeURL`, which has no fragment. Here it also has no scheme, although a segment can contain a colon.
        Rfc1808Relative "rfc1808-relative" "`relativeURL` of RFC 1808"
        /// RFC 2396, appendix A: `absoluteURI`, which has no fragment; §4 calls this "the URI" of a reference.
        ///
        /// Read literally: something must follow the colon (`x:` is no URI), and addresses in brackets, which came with RFC 2732, are not
        /// valid.
        Rfc2396Uri "rfc2396-uri" "`absoluteURI` of RFC 2396"
        /// RFC 2396, appendix A: `URI-reference`, a URI or a relative one, with or without a fragment.
        ///
        /// The path of a relative URI may be missing before a query: the printed grammar does not permit `?y`, but appendix C.1 resolves
        /// it.
        Rfc2396Reference "rfc2396-reference" "`URI-reference` of RFC 2396"
        /// RFC 2396, appendix A: `relativeURI`, as in [`Rfc2396Reference`](Grammar::Rfc2396Reference), without a fragment. It is not empty.
        Rfc2396Relative "rfc2396-relative" "`relativeURI` of RFC 2396"
        /// RFC 3986, appendix A: `URI`.
        Rfc3986Uri "rfc3986-uri" "`URI` of RFC 3986"
        /// RFC 3986, appendix A: `URI-reference`, a URI or a relative reference.
        Rfc3986Reference "rfc3986-reference" "`URI-reference` of RFC 3986"
        /// RFC 3987 §2.2: `IRI`. Private characters are valid only in the query.
        ///
        /// The grammar is all that is checked: not the order of right-to-left letters (§4.2), nor whether a text is normalized (§5.3.2.2).
        /// [`iri_to_uri`](crate::percent::iri_to_uri) makes a URI of an IRI.
        Rfc3987Iri "rfc3987-iri" "`IRI` of RFC 3987"
        /// RFC 3987 §2.2: `IRI-reference`, an IRI or a relative reference, as in [`Rfc3987Iri`](Grammar::Rfc3987Iri).
        Rfc3987Reference "rfc3987-reference" "`IRI-reference` of RFC 3987"
    }
}

impl Grammar {
    /// All grammars, from the oldest document to the newest.
    pub const ALL: &[Grammar] = &[
        Grammar::Url7Generic,
        Grammar::Url7Url,
        Grammar::DraftWwwUri00Generic,
        Grammar::DraftWwwUri00Url,
        Grammar::Rfc1630Generic,
        Grammar::Rfc1630Url,
        Grammar::Rfc1738Generic,
        Grammar::Rfc1738Url,
        Grammar::Rfc1808Url,
        Grammar::Rfc1808Absolute,
        Grammar::Rfc1808Generic,
        Grammar::Rfc1808Relative,
        Grammar::Rfc2396Uri,
        Grammar::Rfc2396Reference,
        Grammar::Rfc2396Relative,
        Grammar::Rfc3986Uri,
        Grammar::Rfc3986Reference,
        Grammar::Rfc3987Iri,
        Grammar::Rfc3987Reference,
    ];

    /// Returns the name by which it parses and prints, in kebab case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns a phrase for messages: the start production and the document.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row().1
    }

    /// Reports whether a text is derivable from the grammar.
    pub fn is_valid(self, text: impl AsRef<str>) -> bool {
        self.validate(text).is_ok()
    }

    /// Checks a text against the grammar.
    ///
    /// # Errors
    /// [`NotValid`](crate::ErrorKind::NotValid) if a production fails; the message names it.
    /// [`IllegalEscape`](crate::ErrorKind::IllegalEscape) for a `%` without two hex digits where an escape is allowed. The position
    /// is the byte that does not fit.
    ///
    /// Cost: a few passes over the text at most; nothing is allocated.
    ///
    /// ```
    /// use relref::validate::Grammar;
    ///
    /// // RFC 1738 has a search only after a slash, RFC 1630 also right after the host.
    /// assert!(Grammar::Rfc1630Url.is_valid("http://host?find"));
    /// assert!(!Grammar::Rfc1738Url.is_valid("http://host?find"));
    ///
    /// // RFC 1630, example 3, which has an illegal escape.
    /// let error = Grammar::Rfc1630Url.validate("news:12345667123%asdghfh@info.cern.ch").unwrap_err();
    /// assert_eq!(error.position(), 18);
    /// ```
    #[doc(alias = "check")]
    pub fn validate(self, text: impl AsRef<str>) -> Result<(), Error> {
        validate_split(&UriRef::new(text.as_ref()), self)
    }

    const fn requires_scheme(self) -> bool {
        !matches!(
            self,
            Grammar::Rfc1808Url
                | Grammar::Rfc1808Relative
                | Grammar::Rfc2396Reference
                | Grammar::Rfc2396Relative
                | Grammar::Rfc3986Reference
                | Grammar::Rfc3987Reference
        )
    }
}

parse_and_print_by_name!(Grammar, "a grammar");

fn validate_split(uri: &UriRef<&str>, grammar: Grammar) -> Result<(), Error> {
    let text = uri.as_str();
    if uri.scheme().is_none() && grammar.requires_scheme() {
        return Err(Error::no_scheme(ErrorKind::NotValid, text).with_grammar(grammar.title()));
    }
    let checked = match grammar {
        Grammar::Url7Generic => early::fragmentaddress(&early::URL7, uri),
        Grammar::Url7Url => early::url(&early::URL7, uri),
        Grammar::DraftWwwUri00Generic => early::fragmentaddress(&early::DRAFT, uri),
        Grammar::DraftWwwUri00Url => early::url(&early::DRAFT, uri),
        Grammar::Rfc1630Generic => early::fragmentaddress(&early::RFC1630, uri),
        Grammar::Rfc1630Url => early::url(&early::RFC1630, uri),
        Grammar::Rfc1738Generic => rfc1738::genericurl(Cursor::after_scheme(uri)),
        Grammar::Rfc1738Url => rfc1738::url(uri),
        Grammar::Rfc1808Url => rfc1808::url(uri),
        Grammar::Rfc1808Absolute => rfc1808::absolute(uri),
        Grammar::Rfc1808Generic => rfc1808::generic(uri),
        Grammar::Rfc1808Relative => rfc1808::relative(uri),
        Grammar::Rfc2396Uri => rfc2396::absolute(uri),
        Grammar::Rfc2396Reference => rfc2396::reference(uri),
        Grammar::Rfc2396Relative => rfc2396::relative(uri),
        Grammar::Rfc3986Uri | Grammar::Rfc3986Reference => rfc3986::reference(&rfc3986::URI, uri),
        Grammar::Rfc3987Iri | Grammar::Rfc3987Reference => rfc3986::reference(&rfc3986::IRI, uri),
    };
    checked.map_err(|error| error.with_grammar(grammar.title()))
}

impl UriRef {
    /// Splits a text that must be valid by a grammar, and copies it.
    ///
    /// # Errors
    /// The text is not derivable; the error says which production fails at which byte.
    ///
    /// ```
    /// use relref::UriRef;
    /// use relref::validate::Grammar;
    ///
    /// let reference = UriRef::parse_valid("../a?b#c", Grammar::Rfc3986Reference)?;
    /// assert_eq!(reference.query(), Some("b"));
    /// assert_eq!(UriRef::parse_valid("a b", Grammar::Rfc3986Reference).unwrap_err().position(), 1);
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn parse_valid(text: impl AsRef<str>, grammar: Grammar) -> Result<Self, Error> {
        let uri = UriRef::new(text.as_ref());
        validate_split(&uri, grammar)?;
        Ok(uri.to_owned())
    }
}

impl Uri {
    /// Splits a text that must be valid by a grammar and have a scheme, and copies it.
    ///
    /// # Errors
    /// The text is not derivable, or has no scheme.
    ///
    /// ```
    /// use relref::Uri;
    /// use relref::validate::Grammar;
    ///
    /// assert_eq!(Uri::parse_valid("http://example.com/%7Ea", Grammar::Rfc3986Uri)?.path(), "/%7Ea");
    /// assert_eq!(Uri::parse_valid("http://example.com/a b", Grammar::Rfc3986Uri).unwrap_err().position(), 20);
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn parse_valid(text: impl AsRef<str>, grammar: Grammar) -> Result<Self, Error> {
        Ok(UriRef::parse_valid(text, grammar)?.into_uri()?)
    }
}
