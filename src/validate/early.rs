//! The BNF of URL7, draft-www-uri-00 and RFC 1630: what differs between the three, as data, and the generic productions.
//!
//! The decisions about defects that the three have in common stand here and in [`schemes`], once.

use super::cursor::{Checked, Cursor};
use crate::percent::ByteSet;
use crate::uri::UriRef;

mod schemes;

use schemes::{Production, SCHEMES};

// URL7, its draft and RFC 1630 have one BNF that grew. What differs is data, so that each production stands once.
/// The BNF of one document. The sets have characters without escapes.
pub(super) struct Bnf {
    /// The characters of a word of the search, and of the fragment, in the generic BNF.
    generic_xalpha: ByteSet,
    generic_path: ByteSet,
    /// In the BNF for specific schemes. In a search, `+` separates words and can also be a character of one: both are accepted.
    xalpha: ByteSet,
    /// The characters of a word in the search of a `url` whose scheme is not listed.
    unlisted_word: ByteSet,
    schemes: &'static [(&'static str, Production)],
    /// A user and a password are `alphanum2`, otherwise `xalphas`.
    has_alphanum2: bool,
    has_ftptype: bool,
    /// A `waisdoc` ends with a `wpath`, otherwise with a `path`.
    has_wpath: bool,
    has_gopher_search: bool,
}

/// The characters of `xpalpha` in RFC 1630, and of `xalpha` if `safe` has `+`.
const RFC1630_XALPHA: ByteSet = ByteSet::RFC1630.complement();
/// The same in URL7 and the draft, whose `extra` also has `:`, `;` and the space. The space is read as printed: to URL7, "multiple
/// white space characters" are only "discouraged".
const XALPHA_WITH_SPACE: ByteSet = RFC1630_XALPHA.union(ByteSet::new(b":; "));

/// A single BNF, whose `safe` has `+`. Our copy prints no `digit`, but the digits at the end of `alpha`. They are read as `digit`,
/// as the draft prints them: a scheme and a group start with a letter.
pub(super) const URL7: Bnf = Bnf {
    generic_xalpha: XALPHA_WITH_SPACE,
    generic_path: XALPHA_WITH_SPACE.add(b'/'),
    xalpha: XALPHA_WITH_SPACE,
    unlisted_word: XALPHA_WITH_SPACE,
    // Without `mid` and `cid`.
    schemes: SCHEMES.split_at(SCHEMES.len() - 2).0,
    has_alphanum2: false,
    has_ftptype: false,
    has_wpath: false,
    has_gopher_search: true,
};

/// §6, and §6.1 for specific schemes, which prints `generic` once more, with `+` in `safe`.
pub(super) const DRAFT: Bnf = Bnf { generic_xalpha: XALPHA_WITH_SPACE.remove(b'+'), schemes: SCHEMES, ..URL7 };

/// The generic path also has `:`, `;` and `=`, since the specific BNF has them after the scheme: before a port or a password, in
/// `;type=`, and in a WAIS path.
pub(super) const RFC1630: Bnf = Bnf {
    generic_xalpha: RFC1630_XALPHA.remove(b'+'),
    generic_path: RFC1630_XALPHA.union(ByteSet::new(b"/:;=")),
    xalpha: RFC1630_XALPHA,
    unlisted_word: RFC1630_XALPHA.remove(b'+'),
    schemes: SCHEMES,
    has_alphanum2: true,
    has_ftptype: true,
    has_wpath: true,
    has_gopher_search: false,
};

impl Bnf {
    fn path(&self) -> ByteSet {
        // The printed BNF has `void | xpalphas [ / path ]`: no slash at the start, void segments only at the end, and `xpalphas` of
        // at most two characters, except in the specific BNF of RFC 1630. Then the documents' own example `magic://a/b/c//d/e/f`
        // would not be derivable. So here any number of segments of any length is accepted, also in the generic BNF.
        self.xalpha.add(b'/')
    }
}

/// A void fragment is valid, as *Fragment-id* says ("with or without the hash sign"), although the printed BNF has `xalphas`.
pub(super) fn fragmentaddress(bnf: &Bnf, uri: &UriRef<&str>) -> Checked {
    generic(uri, bnf.generic_path, bnf.generic_xalpha)?;
    let mut fragment = Cursor::new(uri.as_str(), uri.query_end, uri.as_str().len());
    fragment.take("#");
    fragment.expect_only(bnf.generic_xalpha, "a character of `fragmentid`")
}

/// Checks `path [ ? search ]`, up to the fragment. `word` has the characters of a word of the search.
fn generic(uri: &UriRef<&str>, path: ByteSet, word: ByteSet) -> Checked {
    Cursor::new(uri.as_str(), uri.scheme_end, uri.path_end).expect_only(path, "a character of `path`")?;
    let mut search = Cursor::new(uri.as_str(), uri.path_end, uri.query_end);
    if search.take("?") {
        search.expect_some(word, "`xalphas` of `search`")?;
        while search.take("+") {
            search.expect_some(word, "`xalphas` of `search`")?;
        }
    }
    search.expect_end("a character of `search`")
}

/// A scheme that the BNF does not list must be generic: also `file`, `rlogin`, `tn3270` and `urn`, which are only in the prose, and
/// `afs`, whose production is not an alternative of `url`.
///
/// URL7 and the draft print `generic` as an alternative for every scheme. Then the production of a listed scheme would exclude
/// nothing, so here `generic` is only for schemes that are not listed.
pub(super) fn url(bnf: &Bnf, uri: &UriRef<&str>) -> Checked {
    let scheme = uri.scheme().unwrap_or_default();
    match bnf.schemes.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)) {
        Some((_, production)) => production(bnf, Cursor::after_scheme(uri)),
        None => {
            generic(uri, bnf.generic_path, bnf.unlisted_word)?;
            Cursor::new(uri.as_str(), uri.query_end, uri.as_str().len()).expect_end("the end of the `uri`")
        }
    }
}
