//! The rule sets: what each document decides, as data, and the one table of their names.

pub(crate) mod decisions;

use core::fmt;
use core::str::FromStr;

use crate::by_name::{enum_of_rows, parse_and_print_by_name};
use crate::error::Error;
use crate::names::ValueNames;

pub use self::decisions::Decision;

const LENIENT_ENDING: &str = "+lenient";

/// A rule set: the decisions of one document, as a constant, or a mix of decisions.
///
/// There is one engine; it reads every decision from this struct. The rule sets, oldest first:
///
/// | name | document |
/// |---|---|
/// | `url7` | Uniform Resource Locators, Internet Draft (URL7), November 1993 |
/// | `draft-www-uri-00` | Universal Resource Identifiers in WWW, draft of RFC 1630, March 1994 |
/// | `rfc1630` | Universal Resource Identifiers in WWW, June 1994 |
/// | `rfc1808` | Relative Uniform Resource Locators, June 1995 |
/// | `rfc2396` | Uniform Resource Identifiers (URI): Generic Syntax, August 1998 |
/// | `rfc3986` | Uniform Resource Identifier (URI): Generic Syntax, January 2005 |
///
/// Their decisions differ:
///
/// | reference | `url7` | `draft-www-uri-00` | `rfc1630` | `rfc1808` | `rfc2396` | `rfc3986` |
/// |---|---|---|---|---|---|---|
/// | `/g`, `//g` | by component | by level, first run | by level | by component | by component | by component |
/// | `?y` alone | replaces the last segment | replaces the last segment | replaces the last segment | keeps the path | replaces the last segment | keeps the path |
/// | dots in `/x/../g` | kept | removed | removed | kept | kept | removed |
/// | dots in `http://h/x/../g` | kept | kept | kept | kept | kept | removed |
/// | surplus `..` | kept | kept | kept | kept | kept | dropped |
/// | empty | base without fragment | base without fragment | base without fragment | the whole base | base without fragment | base without fragment |
/// | `;x` after the path | part of the segment | part of the segment | part of the segment | a component | part of the segment | part of the segment |
/// | `?`, `#`, `;` or `//` with nothing after it | a part | a part | a part | absent | a part | a part |
///
/// *By level*: the reference `/g` replaces the base from a slash run of exactly one slash on, `//g` from a run of two, and no `..`
/// crosses a run of two or more; see [`Slashes::Levels`]. *By component*: `//g` replaces the base from the end of its scheme on,
/// `/g` from the end of its authority on.
///
/// For the links of today's pages take [`whatwg`](crate::whatwg), or, to correct and encode nothing,
/// [`RFC3986`](Rules::RFC3986); for URIs that contain another URI, such as those of web archives, with
/// [`AnyBase::nested`](crate::AnyBase::nested). To mix, change a field of a constant:
///
/// ```
/// use relref::{Rules, resolve};
///
/// // RFC 2396's algorithm keeps a surplus `..`. Its appendix C.2 permits dropping it.
/// let mix = Rules { drop_surplus: true, ..Rules::RFC2396 };
/// assert_eq!(resolve("http://a/b", "../../g", Rules::RFC2396)?, "http://a/../../g");
/// assert_eq!(resolve("http://a/b", "../../g", mix)?, "http://a/g");
/// # Ok::<(), relref::Error>(())
/// ```
///
/// Rule sets parse and print by name. `+lenient` after the name sets [`lenient`](Rules::lenient()). A mix prints as the name
/// of its document and `+changed`, which does not parse.
///
/// ```
/// # use relref::Rules;
/// assert_eq!("rfc1630".parse(), Ok(Rules::RFC1630));
/// assert_eq!("rfc3986+lenient".parse(), Ok(Rules::RFC3986.lenient()));
/// assert_eq!(Rules::URL7.to_string(), "url7");
/// assert!("rfc822".parse::<Rules>().is_err());
/// ```
///
/// # Decisions
///
/// Where a document is silent, unclear or not followed to the letter, this crate decides. [`Rules::decisions`] returns these
/// decisions, and [`explain`](crate::Base::explain) names those that a step depends on.
///
/// | decision | rule sets | the letter | reason |
/// |---|---|---|---|
/// | a final `.` keeps the slash before it | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "all occurrences of "xxx/../" or "/." are recursively removed"; URL7, appendix 1.2: "all occurrences of "xxx/.." or "/." are recursively removed" | a final `.` names the directory, so its slash stays, as in RFC 1808 and later; the letter removes "/." |
/// | a final `xxx/..` is removed | `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "all occurrences of "xxx/../" or "/." are recursively removed" | a final `xxx/..` is removed as `xxx/../` is, as in URL7 and later; by the letter it would stay |
/// | the slash after `xxx/..` is removed with it | `url7` | URL7, appendix 1.2: "all occurrences of "xxx/.."" | the slash after `xxx/..` is removed with it, as in all other documents; by the letter two slashes would remain |
/// | `./` at the start of a path without a root is removed | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: ""/." are recursively removed" | a `.` at the start of a path is removed as one after a slash is; the letter has only "/." |
/// | a `..` with no segment to remove stays, and none removes a `..` | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "all occurrences of "xxx/../"" | `xxx` is a segment other than `..`, as RFC 1808 §4 step 6c says; a `..` without one before it stays |
/// | dot segments of `/x/../g`: removed by `rfc1630` and `draft-www-uri-00`, kept by `url7` | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "Otherwise: The last part of the path … Within the result"; URL7, appendix 1.2: "Otherwise, a relative path is interpreted as follows: … Within the result" | the scope of "Within the result" is unclear: it is read as each result in RFC 1630 and its draft, and as that of a relative path in URL7, which says so before |
/// | dot segments of a reference with a scheme stay | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "The rules for the use of a partial name" | the rules are about partial forms, so that a full form stands as it is |
/// | slashes after `?` are no runs | `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "everything from the context URI … anywhere to the right of it" | the query is left out, as its slashes are no hierarchy; "anywhere to the right of it" does not exclude them |
/// | what follows a run of two or more slashes stays, also `.` and `..`, and no `..` crosses such a run | `draft-www-uri-00`, `rfc1630` | silent | a run of two or more slashes may have a host after it, which no dot segment removes; the document is silent |
/// | where no run has the length, the base is cut after the host that follows the last longer one | `draft-www-uri-00`, `rfc1630` | silent | no run has the length of the reference's, and the document is silent; so the host is kept, as later documents do |
/// | where there is no such host either, the base is cut after its scheme | `draft-www-uri-00`, `rfc1630` | silent | no run has the length of the reference's and no host follows a longer one, and the document is silent; so the scheme is kept |
/// | a base path without a slash is replaced as a whole | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "anything following the rightmost slash" | all after the scheme is replaced, as a reference to another news group needs; the letter wants a slash, and there is none |
/// | an empty reference and a fragment alone name the base, without its fragment | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, Partial (relative) form: "The last part of the path of the context URI … is removed" | nothing names the object itself, and a fragment a part of it, as later documents say; by the letter, the last part of the path would go |
/// | a scheme is a letter and then letters, digits, `+`, `-` and `.` | `url7`, `draft-www-uri-00`, `rfc1630` | RFC 1630, BNF of Generic URI Syntax: "scheme ialpha"; URL7, BNF syntax: "scheme ialpha" | RFC 1738 §5 and later documents narrow it; `ialpha` would make `a@b:c` absolute |
/// | the path of a base that ends in a host is `/` | `url7`, `draft-www-uri-00`, `rfc1630`, `rfc1808`, `rfc2396` | RFC 1630, Partial (relative) form: "anything following the rightmost slash"; RFC 2396 §5.2 step 6a: "any characters after the last (right-most) slash character, if any, are excluded" | no reference without a host changes the host, as RFC 3986 §5.2.3 says; by the letter, `http://h` with `g` is `http://g` or `http://hg` |
/// | parameters start at the first `;` of the path, also before a slash | `rfc1808` | RFC 1808 §2.4.5: "the substring after the first (left-most) semicolon" | the letter; other software looks only at the last segment |
/// | an authority also ends at `?` | `rfc1808` | RFC 1808 §2.4.3: "up to, but not including, the next slash "/" character is the network location/login" | a `?` starts the query, as in RFC 2396 and later; by the letter, the host of `//h?q` would be `h?q` |
/// | `?`, `#`, `;` or `//` alone does not bring back the fragment of the base | `rfc1808` | RFC 1808 §4 step 2a: "If the embedded URL is entirely empty, it inherits the entire base URL" | only a reference without any character is entirely empty |
/// | the base keeps `//` before an empty authority | `rfc1808` | RFC 1808 §4 step 7: "are recombined to give the absolute form of the embedded URL" | `file:///a` with `b` is `file:///b`; how an empty authority is written is not said |
/// | an empty reference and a fragment alone name the base, without its fragment | `rfc2396` | RFC 2396 §5.2 step 2: "it is a reference to the current document and we are done" | the base is taken for the current document, as in RFC 3986: a resolved reference needs a URI |
/// | `/.` is written before a path that would be read as an authority | all | RFC 3986 §3.3: "If a URI does not contain an authority component, then the path cannot begin with two slash characters" | a path that starts with `//` would be read as an authority; `/.` before it prevents that, as in the URL Standard |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules {
    /// The document whose name is printed and whose sections [`explain`](crate::Base::explain) cites.
    pub document: Document,
    /// The place at which the base is cut for a reference that starts with slashes.
    pub slashes: Slashes,
    /// True if `?y` alone replaces the last segment of the base path; false if it keeps the whole path.
    pub query_replaces: bool,
    /// True if dot segments are removed from a reference that starts with a slash.
    pub rooted_dots: bool,
    /// True if dot segments are removed from a reference that has a scheme.
    pub absolute_dots: bool,
    /// True if a surplus `..`, one with no segment left to remove, is dropped (RFC 3986 §5.2.4); false if it is kept.
    pub drop_surplus: bool,
    /// True if the empty reference is the whole base; false if it is the base without its fragment.
    pub empty_is_whole: bool,
    /// True if `;x` after the path is a component of its own, the parameters (RFC 1808 §2.4.5); false if it is part of a segment.
    pub params: bool,
    /// True if an empty query, fragment, authority (by component) or parameters (as a component) count as absent, and are not
    /// written again (RFC 1808 §2.4, §4). A reference with a scheme stands as it is, unless non-strict rules ignore the scheme.
    pub empty_is_absent: bool,
    /// True if a reference with the base's own scheme and no authority (`http:g`) is read without it; see [`Rules::lenient()`].
    pub lenient: bool,
}

// The text is the title. From these rows follow parsing, the tables of the docs, and the command's `--help`.
enum_of_rows! {
    /// A document that says how references are resolved. [`Document::title`] cites it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Document {
        /// The document of [`Rules::URL7`].
        Url7 "url7" "Uniform Resource Locators, Internet Draft (URL7), November 1993"
        /// The document of [`Rules::DRAFT_WWW_URI_00`].
        DraftWwwUri00 "draft-www-uri-00" "Universal Resource Identifiers in WWW, draft of RFC 1630, March 1994"
        /// The document of [`Rules::RFC1630`].
        Rfc1630 "rfc1630" "Universal Resource Identifiers in WWW, June 1994"
        /// The document of [`Rules::RFC1808`].
        Rfc1808 "rfc1808" "Relative Uniform Resource Locators, June 1995"
        /// The document of [`Rules::RFC2396`].
        Rfc2396 "rfc2396" "Uniform Resource Identifiers (URI): Generic Syntax, August 1998"
        /// The document of [`Rules::RFC3986`].
        Rfc3986 "rfc3986" "Uniform Resource Identifier (URI): Generic Syntax, January 2005"
    }
}

/// The place at which the base is cut for a reference that starts with slashes.
///
/// A *slash run* is a maximal group of consecutive slashes, and its *level* is their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slashes {
    /// The cut by level, before the first run of the reference's level that has no longer run anywhere to its right (RFC 1630).
    Levels,
    /// The cut by level, before the first run of the reference's level (draft-www-uri-00).
    FirstRun,
    /// The cut by component, after the scheme for `//`, after the authority for `/` (URL7 and all documents from RFC 1808 on).
    Components,
}

impl Rules {
    /// RFC 1630, *Partial (relative) form*: slashes are levels.
    ///
    /// **RFC 1630 contradicts itself.** Its rule says that `/g` replaces the base from the first single slash "which has no
    /// greater number of consecutive slashes anywhere to the right of it". Its own example ignores this clause:
    ///
    /// | base `magic://a/b/c//d/e/f`, reference `/g` | result |
    /// |---|---|
    /// | by the rule | `magic://a/b/c//d/g` |
    /// | as the example table prints it | `magic://a/g` |
    ///
    /// The table is older than the rule: it comes from the draft of March 1994, whose rule does not have the clause. The author
    /// decided between them: RFC 1630 "has an error in the examples" (Tim Berners-Lee,
    /// [uri mailing list, 27 January 1997](https://lists.w3.org/Archives/Public/uri/1997Jan/0024.html)). Therefore this constant
    /// follows the rule. [`DRAFT_WWW_URI_00`](Rules::DRAFT_WWW_URI_00) gives what the table prints.
    ///
    /// ```
    /// use relref::{Rules, resolve};
    ///
    /// let base = "magic://a/b/c//d/e/f";
    /// assert_eq!(resolve(base, "/g", Rules::RFC1630)?, "magic://a/b/c//d/g");
    /// assert_eq!(resolve(base, "/g", Rules::DRAFT_WWW_URI_00)?, "magic://a/g");
    ///
    /// // By the clause, a URI inside another keeps its own root.
    /// let page = "https://web.archive.org/web/2020/http://example.com/a/b";
    /// assert_eq!(resolve(page, "/g", Rules::RFC1630)?, "https://web.archive.org/web/2020/http://example.com/g");
    /// assert_eq!(resolve(page, "/g", Rules::RFC3986)?, "https://web.archive.org/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    ///
    /// The price: `/g` in the context of `http://h/x//y/z` is `http://h/x//y/g`. Browsers give `http://h/g`.
    pub const RFC1630: Rules = Rules {
        document: Document::Rfc1630,
        slashes: Slashes::Levels,
        query_replaces: true,
        rooted_dots: true,
        absolute_dots: false,
        drop_surplus: false,
        empty_is_whole: false,
        params: false,
        empty_is_absent: false,
        lenient: false,
    };

    /// draft-www-uri-00 §4.4: slashes are levels, and the first run of a level counts. The example table of RFC 1630 follows it.
    pub const DRAFT_WWW_URI_00: Rules =
        Rules { document: Document::DraftWwwUri00, slashes: Slashes::FirstRun, ..Rules::RFC1630 };

    /// URL7, a draft of November 1993 by its text, announced as draft-ietf-uri-url-02 on 1 January 1994. Appendix 1.2: the
    /// authority is a component; references that start with a slash keep their dot segments.
    pub const URL7: Rules =
        Rules { document: Document::Url7, slashes: Slashes::Components, rooted_dots: false, ..Rules::RFC1630 };

    /// RFC 1808 §4: parameters are a component, the empty reference is the whole base, and empty parts count as absent.
    ///
    /// ```
    /// use relref::{Rules, resolve};
    ///
    /// for reference in ["?", "#", ";", "//"] {
    ///     assert_eq!(resolve("http://h/a?q", reference, Rules::RFC1808)?, "http://h/a?q");
    /// }
    /// assert_eq!(resolve("http://h/a?q", "///g?", Rules::RFC1808)?, "http://h/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub const RFC1808: Rules = Rules {
        document: Document::Rfc1808,
        query_replaces: false,
        empty_is_whole: true,
        params: true,
        empty_is_absent: true,
        ..Rules::URL7
    };

    /// RFC 2396 §5.2: parameters are part of a segment again, and `?y` replaces the last segment. A surplus `..` is kept, as in
    /// [`URL7`](Rules::URL7).
    pub const RFC2396: Rules = Rules { document: Document::Rfc2396, ..Rules::URL7 };

    /// RFC 3986 §5.2: all dot segments are removed, a surplus `..` too, and `?y` keeps the path.
    pub const RFC3986: Rules = Rules {
        document: Document::Rfc3986,
        query_replaces: false,
        rooted_dots: true,
        absolute_dots: true,
        drop_surplus: true,
        ..Rules::RFC2396
    };

    /// The rule sets of the documents, oldest document first.
    pub const ALL: &[Rules] =
        &[Rules::URL7, Rules::DRAFT_WWW_URI_00, Rules::RFC1630, Rules::RFC1808, Rules::RFC2396, Rules::RFC3986];

    /// Returns the name of the document, such as `rfc3986`. [`Display`](fmt::Display) also writes `+lenient`, and `+changed` for a mix.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.document.name()
    }

    /// Returns the same rules, made *non-strict*, as RFC 3986 §5.2.2 calls it: a reference with the base's own scheme is read as
    /// if it had no scheme.
    ///
    /// Early browsers did so, and RFC 1808 §5.2 and RFC 3986 §5.2.2 permit it. Schemes are compared without regard to case. A
    /// reference with an authority (`http://h/g`) is not changed.
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

    pub(crate) fn by_level(&self) -> bool {
        self.slashes != Slashes::Components
    }

    /// Reports whether `../` beyond the segments of a path with a root are dropped, whatever the segments are.
    pub(crate) fn drops_all_surplus(&self) -> bool {
        self.drop_surplus && !self.by_level()
    }

    /// Returns the decisions of this crate that concern the rules' document: where it is silent, unclear or not followed to the
    /// letter. The docs of [`Rules`](Rules#decisions) have a table of them.
    pub fn decisions(&self) -> impl Iterator<Item = &'static Decision> + use<> {
        decisions::of(self.document)
    }
}

impl Document {
    /// All documents, oldest first.
    pub const ALL: &[Document] = &[
        Document::Url7,
        Document::DraftWwwUri00,
        Document::Rfc1630,
        Document::Rfc1808,
        Document::Rfc2396,
        Document::Rfc3986,
    ];

    /// Returns the rules of the document.
    #[must_use]
    pub const fn rules(self) -> Rules {
        Rules::ALL[self as usize]
    }

    /// Returns the name of the document, by which its rules parse and print.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the title and date of the document.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row().1
    }
}

/// The rules of today: those of RFC 3986.
impl Default for Rules {
    fn default() -> Self {
        Rules::RFC3986
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mix = if (Rules { lenient: false, ..*self }) == self.document.rules() { "" } else { "+changed" };
        let lenient = if self.lenient { LENIENT_ENDING } else { "" };
        f.pad(&[self.document.name(), mix, lenient].concat())
    }
}

impl FromStr for Rules {
    type Err = Error;

    /// Parses the name of a document, with or without `+lenient`. The error lists the names and suggests the nearest.
    fn from_str(text: &str) -> Result<Self, Error> {
        Rules::known(text).ok_or_else(|| Error::unknown_name(NAMES.unknown(text)))
    }
}

impl Rules {
    /// Returns the rules by the name of their document, with or without `+lenient`; `None` if there is none.
    pub(crate) fn known(text: &str) -> Option<Rules> {
        let name = text.strip_suffix(LENIENT_ENDING).unwrap_or(text);
        let document = Document::ALL.iter().copied().find(|document| document.name() == name)?;
        Some(Rules { lenient: name.len() < text.len(), ..document.rules() })
    }
}

pub(crate) const NAMES: &ValueNames =
    &ValueNames { noun: "a rule set", ending: Some(LENIENT_ENDING), ..*Document::NAMES };

parse_and_print_by_name!(Document, "a document");

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn decision(question: &str, answer: fn(Rules) -> &'static str) -> String {
        format!("| {question} | {} |", Rules::ALL.iter().copied().map(answer).collect::<Vec<_>>().join(" | "))
    }

    #[test]
    fn both_lists_have_the_same_order() {
        assert!(Document::ALL.iter().map(|document| document.rules()).eq(Rules::ALL.iter().copied()));
        assert!(Rules::ALL.iter().map(|rules| rules.document).eq(Document::ALL.iter().copied()));
    }

    #[test]
    fn the_docs_print_the_table() {
        let names = Rules::ALL.iter().map(|rules| format!("`{rules}`")).collect::<Vec<_>>().join(" | ");
        let mut lines: Vec<String> =
            Rules::ALL.iter().map(|rules| format!("| `{rules}` | {} |", rules.document.title())).collect();
        lines.extend([
            format!("| reference | {names} |"),
            decision("`/g`, `//g`", |rules| match rules.slashes {
                Slashes::Levels => "by level",
                Slashes::FirstRun => "by level, first run",
                Slashes::Components => "by component",
            }),
            decision("`?y` alone", |rules| match rules.query_replaces {
                true => "replaces the last segment",
                false => "keeps the path",
            }),
            decision("dots in `/x/../g`", |rules| if rules.rooted_dots { "removed" } else { "kept" }),
            decision("dots in `http://h/x/../g`", |rules| if rules.absolute_dots { "removed" } else { "kept" }),
            decision("surplus `..`", |rules| if rules.drop_surplus { "dropped" } else { "kept" }),
            decision("empty", |rules| match rules.empty_is_whole {
                true => "the whole base",
                false => "base without fragment",
            }),
            decision("`;x` after the path", |rules| if rules.params { "a component" } else { "part of the segment" }),
            decision("`?`, `#`, `;` or `//` with nothing after it", |rules| match rules.empty_is_absent {
                true => "absent",
                false => "a part",
            }),
        ]);
        let code = include_str!("rules.rs");
        for line in lines {
            assert!(code.contains(&format!("\n/// {line}\n")), "not in the docs of `Rules`:\n/// {line}");
        }
    }
}
