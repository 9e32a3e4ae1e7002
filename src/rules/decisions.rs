//! The decisions of this crate where a document is silent, unclear or not followed to the letter: one table for the docs of
//! [`Rules`](crate::Rules), for [`explain`](crate::Base::explain) and for the command.

use super::Document;
use crate::source::Source;

/// A decision of this crate about how references are resolved, where a document is silent, unclear or not followed to the letter.
/// Listed by [`Rules::decisions`](crate::Rules::decisions).
///
/// ```
/// use relref::{Rules, Source};
///
/// let decision = Rules::RFC1630.decisions().next().unwrap();
/// assert_eq!(decision.what, "a final `.` keeps the slash before it");
/// assert!(matches!(decision.letter[0], Source::Document { document: "RFC 1630", .. }));
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Decision {
    /// The decision, in a few words.
    pub what: &'static str,
    /// The documents by whose rules it is so.
    pub documents: &'static [Document],
    /// The words that say otherwise or leave it open. Empty if these documents say nothing about it.
    pub letter: &'static [Source],
    /// Why it is decided so.
    pub reason: &'static str,
}

impl Decision {
    pub(crate) const fn source(&self) -> Source {
        Source::decision(self.reason)
    }
}

pub(super) fn of(document: Document) -> impl Iterator<Item = &'static Decision> {
    ALL.iter().copied().filter(move |decision| decision.documents.contains(&document))
}

use Document::*;

const EARLY: &[Document] = &[Url7, DraftWwwUri00, Rfc1630];
const BY_LEVEL: &[Document] = &[DraftWwwUri00, Rfc1630];

const fn partial(words: &'static str) -> Source {
    Source::document("RFC 1630", "Partial (relative) form", words)
}

pub(crate) const FINAL_DOT: Decision = Decision {
    what: "a final `.` keeps the slash before it",
    documents: EARLY,
    letter: &[
        partial("all occurrences of \"xxx/../\" or \"/.\" are recursively removed"),
        Source::document("URL7", "appendix 1.2", "all occurrences of \"xxx/..\" or \"/.\" are recursively removed"),
    ],
    reason: "a final `.` names the directory, so its slash stays, as in RFC 1808 and later; the letter removes \"/.\"",
};

pub(crate) const FINAL_PARENT: Decision = Decision {
    what: "a final `xxx/..` is removed",
    documents: BY_LEVEL,
    letter: &[partial("all occurrences of \"xxx/../\" or \"/.\" are recursively removed")],
    reason: "a final `xxx/..` is removed as `xxx/../` is, as in URL7 and later; by the letter it would stay",
};

pub(crate) const INNER_PARENT: Decision = Decision {
    what: "the slash after `xxx/..` is removed with it",
    documents: &[Url7],
    letter: &[Source::document("URL7", "appendix 1.2", "all occurrences of \"xxx/..\"")],
    reason: "the slash after `xxx/..` is removed with it, as in all other documents; by the letter two slashes would remain",
};

pub(crate) const FIRST_DOT: Decision = Decision {
    what: "`./` at the start of a path without a root is removed",
    documents: EARLY,
    letter: &[partial("\"/.\" are recursively removed")],
    reason: "a `.` at the start of a path is removed as one after a slash is; the letter has only \"/.\"",
};

pub(crate) const SURPLUS: Decision = Decision {
    what: "a `..` with no segment to remove stays, and none removes a `..`",
    documents: EARLY,
    letter: &[partial("all occurrences of \"xxx/../\"")],
    reason: "`xxx` is a segment other than `..`, as RFC 1808 §4 step 6c says; a `..` without one before it stays",
};

pub(crate) const ROOTED_DOTS: Decision = Decision {
    what: "dot segments of `/x/../g`: removed by `rfc1630` and `draft-www-uri-00`, kept by `url7`",
    documents: EARLY,
    letter: &[
        partial("Otherwise: The last part of the path … Within the result"),
        Source::document(
            "URL7",
            "appendix 1.2",
            "Otherwise, a relative path is interpreted as follows: … Within the result",
        ),
    ],
    reason: "the scope of \"Within the result\" is unclear: it is read as each result in RFC 1630 and its draft, and as that of a \
             relative path in URL7, which says so before",
};

pub(crate) const ABSOLUTE_DOTS: Decision = Decision {
    what: "dot segments of a reference with a scheme stay",
    documents: EARLY,
    letter: &[partial("The rules for the use of a partial name")],
    reason: "the rules are about partial forms, so that a full form stands as it is",
};

pub(crate) const QUERY_LEFT_OUT: Decision = Decision {
    what: "slashes after `?` are no runs",
    documents: BY_LEVEL,
    letter: &[partial("everything from the context URI … anywhere to the right of it")],
    reason: "the query is left out, as its slashes are no hierarchy; \"anywhere to the right of it\" does not exclude them",
};

pub(crate) const DOTS_AFTER_RUN: Decision = Decision {
    what: "what follows a run of two or more slashes stays, also `.` and `..`, and no `..` crosses such a run",
    documents: BY_LEVEL,
    letter: &[],
    reason: "a run of two or more slashes may have a host after it, which no dot segment removes; the document is silent",
};

pub(crate) const HOST_CUT: Decision = Decision {
    what: "where no run has the length, the base is cut after the host that follows the last longer one",
    documents: BY_LEVEL,
    letter: &[],
    reason: "no run has the length of the reference's, and the document is silent; so the host is kept, as later documents do",
};

pub(crate) const NO_RUN: Decision = Decision {
    what: "where there is no such host either, the base is cut after its scheme",
    documents: BY_LEVEL,
    letter: &[],
    reason: "no run has the length of the reference's and no host follows a longer one, and the document is silent; so the \
             scheme is kept",
};

pub(crate) const WHOLE_PATH: Decision = Decision {
    what: "a base path without a slash is replaced as a whole",
    documents: EARLY,
    letter: &[partial("anything following the rightmost slash")],
    reason: "all after the scheme is replaced, as a reference to another news group needs; the letter wants a slash, and there \
             is none",
};

pub(crate) const EMPTY: Decision = Decision {
    what: "an empty reference and a fragment alone name the base, without its fragment",
    documents: EARLY,
    letter: &[partial("The last part of the path of the context URI … is removed")],
    reason: "nothing names the object itself, and a fragment a part of it, as later documents say; by the letter, the last \
             part of the path would go",
};

pub(crate) const SCHEME: Decision = Decision {
    what: "a scheme is a letter and then letters, digits, `+`, `-` and `.`",
    documents: EARLY,
    letter: &[
        Source::document("RFC 1630", "BNF of Generic URI Syntax", "scheme ialpha"),
        Source::document("URL7", "BNF syntax", "scheme ialpha"),
    ],
    reason: "RFC 1738 §5 and later documents narrow it; `ialpha` would make `a@b:c` absolute",
};

pub(crate) const MISSING_PATH: Decision = Decision {
    what: "the path of a base that ends in a host is `/`",
    documents: &[Url7, DraftWwwUri00, Rfc1630, Rfc1808, Rfc2396],
    letter: &[
        partial("anything following the rightmost slash"),
        Source::document(
            "RFC 2396",
            "§5.2 step 6a",
            "any characters after the last (right-most) slash character, if any, are excluded",
        ),
    ],
    reason: "no reference without a host changes the host, as RFC 3986 §5.2.3 says; by the letter, `http://h` with `g` is \
             `http://g` or `http://hg`",
};

pub(crate) const PARAMS: Decision = Decision {
    what: "parameters start at the first `;` of the path, also before a slash",
    documents: &[Rfc1808],
    letter: &[Source::document("RFC 1808", "§2.4.5", "the substring after the first (left-most) semicolon")],
    reason: "the letter; other software looks only at the last segment",
};

pub(crate) const AUTHORITY_END: Decision = Decision {
    what: "an authority also ends at `?`",
    documents: &[Rfc1808],
    letter: &[Source::document(
        "RFC 1808",
        "§2.4.3",
        "up to, but not including, the next slash \"/\" character is the network location/login",
    )],
    reason: "a `?` starts the query, as in RFC 2396 and later; by the letter, the host of `//h?q` would be `h?q`",
};

pub(crate) const ALL_EMPTY: Decision = Decision {
    what: "`?`, `#`, `;` or `//` alone does not bring back the fragment of the base",
    documents: &[Rfc1808],
    letter: &[Source::document(
        "RFC 1808",
        "§4 step 2a",
        "If the embedded URL is entirely empty, it inherits the entire base URL",
    )],
    reason: "only a reference without any character is entirely empty",
};

pub(crate) const EMPTY_AUTHORITY: Decision = Decision {
    what: "the base keeps `//` before an empty authority",
    documents: &[Rfc1808],
    letter: &[Source::document(
        "RFC 1808",
        "§4 step 7",
        "are recombined to give the absolute form of the embedded URL",
    )],
    reason: "`file:///a` with `b` is `file:///b`; how an empty authority is written is not said",
};

pub(crate) const CURRENT_DOCUMENT: Decision = Decision {
    what: "an empty reference and a fragment alone name the base, without its fragment",
    documents: &[Rfc2396],
    letter: &[Source::document("RFC 2396", "§5.2 step 2", "it is a reference to the current document and we are done")],
    reason: "the base is taken for the current document, as in RFC 3986: a resolved reference needs a URI",
};

pub(crate) const GUARD: Decision = Decision {
    what: "`/.` is written before a path that would be read as an authority",
    documents: Document::ALL,
    letter: &[Source::document(
        "RFC 3986",
        "§3.3",
        "If a URI does not contain an authority component, then the path cannot begin with two slash characters",
    )],
    reason: "a path that starts with `//` would be read as an authority; `/.` before it prevents that, as in the URL Standard",
};

/// In the order in which they are listed.
pub(super) const ALL: [&Decision; 21] = [
    &FINAL_DOT,
    &FINAL_PARENT,
    &INNER_PARENT,
    &FIRST_DOT,
    &SURPLUS,
    &ROOTED_DOTS,
    &ABSOLUTE_DOTS,
    &QUERY_LEFT_OUT,
    &DOTS_AFTER_RUN,
    &HOST_CUT,
    &NO_RUN,
    &WHOLE_PATH,
    &EMPTY,
    &SCHEME,
    &MISSING_PATH,
    &PARAMS,
    &AUTHORITY_END,
    &ALL_EMPTY,
    &EMPTY_AUTHORITY,
    &CURRENT_DOCUMENT,
    &GUARD,
];

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use super::*;
    use crate::rules::Rules;
    use crate::source::tests::assert_quoted;

    #[test]
    fn letters_are_quoted() {
        ALL.iter().flat_map(|decision| decision.letter).for_each(|&letter| assert_quoted(letter));
        assert!(Rules::ALL.iter().all(|rules| rules.decisions().count() > 0));
    }

    #[test]
    fn the_docs_print_the_table() {
        let code = include_str!("../rules.rs");
        let line = |&Decision { what, documents, letter, reason }: &Decision| {
            let names: Vec<String> = documents.iter().map(|document| format!("`{document}`")).collect();
            let names = if documents.len() == Document::ALL.len() { String::from("all") } else { names.join(", ") };
            let letter: Vec<String> = letter.iter().map(Source::to_string).collect();
            let letter = if letter.is_empty() { String::from("silent") } else { letter.join("; ") };
            format!("/// | {what} | {names} | {letter} | {reason} |\n")
        };
        let table: String = ALL.into_iter().map(line).collect();
        assert!(code.contains(&table), "not in the docs of `Rules`:\n{table}");
    }
}
