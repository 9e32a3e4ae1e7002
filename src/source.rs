//! The source of a rule: the words of a document, or a decision of this crate.

use core::fmt;

/// Where a rule comes from: a document that says it, or a decision of this crate where the documents are silent.
///
/// [`Display`](fmt::Display) prints one line.
///
/// ```
/// use relref::{Base, Rules, Source};
///
/// let base = Base::new("http://h/a/b", Rules::RFC3986)?;
/// let why = base.explain("/g");
/// assert!(matches!(why.steps[0].source, Source::Document { section: "§5.2.2", .. }));
/// assert_eq!(
///     why.steps[0].source.to_string(),
///     "RFC 3986 §5.2.2: \"if (R.path starts-with \"/\") then T.path = remove_dot_segments(R.path);\"",
/// );
///
/// // RFC 1630 says nothing about a fragment alone.
/// let base = Base::new("http://h/a/b", Rules::RFC1630)?;
/// assert!(matches!(base.explain("#s").steps[0].source, Source::Decision { .. }));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A document says it.
    Document {
        /// The short name of the document, such as `RFC 1630`.
        document: &'static str,
        /// The section: `§` and its number, or its heading.
        section: &'static str,
        /// The words of the document, on one line. `…` stands for words that are left out.
        words: &'static str,
    },
    /// No document says it, or documents contradict each other.
    Decision {
        /// Why it is decided so.
        reason: &'static str,
    },
}

impl Source {
    pub(crate) const fn document(document: &'static str, section: &'static str, words: &'static str) -> Self {
        Source::Document { document, section, words }
    }

    pub(crate) const fn decision(reason: &'static str) -> Self {
        Source::Decision { reason }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Document { document, section, words } => {
                let comma = if section.starts_with('§') { "" } else { "," };
                write!(f, "{document}{comma} {section}: \"{words}\"")
            }
            Source::Decision { reason } => write!(f, "decision: {reason}"),
        }
    }
}

/// The check that quotations stand in the documents.
#[cfg(test)]
pub(crate) mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;
    use std::fs;

    use super::Source;

    /// The documents whose texts are in `tests/specs`, with the names of their files.
    const TEXTS: &[(&str, &str)] = &[
        ("RFC 1630", "rfc1630"),
        ("draft-www-uri-00", "draft-www-uri-00"),
        ("W3C, URI syntax", "w3c-uri-syntax"),
        ("URL7", "url7-1993"),
        ("RFC 1738", "rfc1738"),
        ("RFC 1808", "rfc1808-parsing-and-resolving"),
        ("RFC 2396", "rfc2396-resolving"),
        ("RFC 3986", "rfc3986"),
        ("RFC 3987", "rfc3987"),
    ];

    /// Returns a text without page breaks of RFCs and without any space: the draft was taken out of PostScript, where many spaces
    /// and the letters of ligatures were lost.
    fn condensed(text: &str) -> String {
        // A page ends with a line that has its number; the next one starts with a line that has the title and the date.
        let is_footer = |line: &str| line.contains("[Page ");
        let is_header =
            |line: &str| line.starts_with("RFC ") && line.ends_with(char::is_numeric) && line.contains("  ");
        let lines = text.lines().map(|line| line.trim_end()).filter(|line| !is_footer(line) && !is_header(line));
        without_spaces(&lines.collect::<Vec<_>>().join("\n"))
    }

    fn without_spaces(text: &str) -> String {
        text.replace('ﬁ', "fi").split_whitespace().collect()
    }

    /// Does not check a document whose text is not in `tests/specs`.
    pub(crate) fn assert_quoted(source: Source) {
        let Source::Document { document, section, words } = source else { return };
        assert!(!section.is_empty() && !words.is_empty(), "{source}");
        let Some((_, file)) = TEXTS.iter().find(|(name, _)| *name == document) else {
            // The name of a document whose text is there must be written as above.
            assert!(
                TEXTS.iter().all(|(name, _)| !document.starts_with(name)),
                "unknown name of a document: {document}"
            );
            return;
        };
        let path = [env!("CARGO_MANIFEST_DIR"), "/tests/specs/", file, ".txt"].concat();
        // A published crate does not contain the texts.
        let Ok(bytes) = fs::read(&path) else { return };
        let text = condensed(&String::from_utf8_lossy(&bytes));
        let mut rest = &*text;
        for part in words.split('…') {
            let part = &*without_spaces(part);
            let at = rest.find(part).unwrap_or_else(|| panic!("{document} does not say “{part}”"));
            rest = &rest[at + part.len()..];
        }
    }

    #[test]
    fn words_must_stand_in_the_document() {
        assert_quoted(Source::document(
            "RFC 1630",
            "Partial (relative) form",
            "has no greater number … to the right of it",
        ));
        // Across a page break.
        assert_quoted(Source::document(
            "RFC 1630",
            "Partial (relative) form",
            "allows objects within a group to refer to each other without requiring the space",
        ));
        let wrong = Source::document("RFC 1630", "Partial (relative) form", "has a greater number");
        assert!(std::panic::catch_unwind(|| assert_quoted(wrong)).is_err());
    }
}
