//! The prepared parts of a base besides its text, and the borrowed form of a base.

use super::query_charset::QueryCharset;
use super::scheme::Scheme;
use super::url_record::UrlRecord;
use crate::resolve;
use crate::rules::Rules;
use crate::uri::{UriRef, path_and_query_ends};

/// The parts of a base besides its text.
#[derive(Clone)]
pub(super) struct Prepared {
    /// The parts as the engine of RFC 3986 has them: for the fast path, `relativize` and [`BorrowedBase::record`].
    engine: resolve::Prepared,
    pub(super) scheme: Scheme,
    /// The scheme is `file`, and the path starts with a Windows drive letter.
    pub(super) has_drive_letter: bool,
    pub(super) query_charset: Option<QueryCharset>,
}

impl Prepared {
    /// `path_start` must be what [`serialized_path_start`](super::fast::serialized_path_start) returned for `href`.
    #[inline(always)]
    pub(super) fn of_simple(href: &str, path_start: usize) -> Self {
        let bytes = href.as_bytes();
        let (scheme, scheme_end) = if bytes[4] == b's' { (Scheme::Https, 6) } else { (Scheme::Http, 5) };
        let (path_end, query_end) = path_and_query_ends(bytes, path_start);
        let uri = UriRef::from_parts(href, [scheme_end, path_start, path_end, query_end]);
        let engine = resolve::Prepared::with_dots_search(uri, Rules::RFC3986, |_| false);
        Prepared { engine, scheme, has_drive_letter: false, query_charset: None }
    }

    /// `uri` must be a serialized URL.
    pub(super) fn of_serialized(uri: UriRef<&str>) -> Self {
        let record = UrlRecord::from_uri(&uri);
        let scheme = record.scheme;
        let has_drive_letter = scheme == Scheme::File && record.drive_letter().is_some();
        let engine = resolve::Prepared::new(uri, Rules::RFC3986);
        Prepared { engine, scheme, has_drive_letter, query_charset: None }
    }

    /// `text` must be the text of which this was prepared.
    #[inline(always)]
    pub(super) fn with_text<'b>(&'b self, text: &'b str) -> BorrowedBase<'b> {
        BorrowedBase { text, prepared: self }
    }
}

#[derive(Clone, Copy)]
pub(super) struct BorrowedBase<'b> {
    pub(super) text: &'b str,
    pub(super) prepared: &'b Prepared,
}

impl<'b> BorrowedBase<'b> {
    #[inline(always)]
    pub(super) fn engine_base(self) -> resolve::BorrowedBase<'b> {
        resolve::BorrowedBase { text: self.text, prepared: &self.prepared.engine }
    }

    /// `None` means UTF-8, in which queries of `ws` and `wss` always are.
    pub(super) fn query_charset(self) -> Option<QueryCharset> {
        let is_always_utf_8 = matches!(self.prepared.scheme, Scheme::Ws | Scheme::Wss);
        self.prepared.query_charset.filter(|_| !is_always_utf_8)
    }

    pub(super) fn record(self) -> UrlRecord<'b> {
        UrlRecord::from_uri(&self.engine_base().uri_ref())
    }
}
