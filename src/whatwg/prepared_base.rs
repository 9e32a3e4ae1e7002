//! A prepared base: what is found once in the text of a base, and then serves each reference.

use super::query_charset::QueryCharset;
use super::scheme::Scheme;
use super::url_record::UrlRecord;
use crate::scan::{each_slash_back, last_slashes};
use crate::uri::{UriRef, path_and_query_ends};

/// The parts of a base besides its text.
#[derive(Clone)]
pub(super) struct BaseParts {
    /// The split of the text by RFC 3986: a guard is part of the path.
    pub(super) offsets: UriRef<()>,
    pub(super) scheme: Scheme,
    /// The scheme is special, and the path starts with no Windows drive letter. Then the path has a root and no dot segments, and
    /// the part of it that a relative path keeps is found by counting slashes.
    pub(super) has_plain_path: bool,
    pub(super) query_charset: Option<QueryCharset>,
    /// The end of the base path that is left after none, one, two or three `../`. Real links seldom have more: of 410,124 on pages,
    /// 54 do. To prepare more of them would cost each base more than it saves.
    directory_ends: [usize; 4],
}

impl BaseParts {
    /// `path_start` must be what [`serialized_path_start`](super::ways::serialized_path_start) returned for `href`.
    #[inline(always)]
    pub(super) fn of_simple(href: &str, path_start: usize) -> Self {
        let bytes = href.as_bytes();
        // One byte tells the two schemes apart. A full split would cost a one-shot resolution more than the resolution itself.
        let (scheme, scheme_end) = if bytes[4] == b's' { (Scheme::Https, 6) } else { (Scheme::Http, 5) };
        let (path_end, query_end) = path_and_query_ends(bytes, path_start);
        let uri = UriRef::from_parts(href, [scheme_end, path_start, path_end, query_end]);
        BaseParts::new(uri, scheme, true)
    }

    /// `uri` must be a serialized URL.
    pub(super) fn of_serialized(uri: UriRef<&str>) -> Self {
        let record = UrlRecord::from_uri(&uri);
        let scheme = record.scheme;
        BaseParts::new(uri, scheme, scheme.is_special() && (scheme != Scheme::File || record.drive_letter().is_none()))
    }

    #[inline(always)]
    fn new(uri: UriRef<&str>, scheme: Scheme, has_plain_path: bool) -> Self {
        // A surplus `../` is dropped: the root stays.
        let mut directory_ends = [uri.path_start + 1; 4];
        // No other base is ever cut at a slash.
        if has_plain_path {
            last_slashes(&uri.as_str().as_bytes()[..uri.path_end], uri.path_start, &mut directory_ends);
        }
        BaseParts { offsets: uri.with_text(()), scheme, has_plain_path, query_charset: None, directory_ends }
    }

    /// `text` must be the text of which this was prepared.
    #[inline(always)]
    pub(super) fn with_text<'b>(&'b self, text: &'b str) -> PreparedBase<'b> {
        PreparedBase { text, parts: self }
    }
}

/// A prepared base with its text.
#[derive(Clone, Copy)]
pub(super) struct PreparedBase<'b> {
    pub(super) text: &'b str,
    pub(super) parts: &'b BaseParts,
}

impl<'b> PreparedBase<'b> {
    #[inline(always)]
    pub(super) fn uri_ref(self) -> UriRef<&'b str> {
        self.parts.offsets.with_text(self.text)
    }

    pub(super) fn record(self) -> UrlRecord<'b> {
        UrlRecord::from_uri(&self.uri_ref())
    }

    /// Returns the byte after the slash with which the path ends that is left after `parents` times `../`. The base must have a
    /// [plain path](BaseParts::has_plain_path).
    #[inline(always)]
    pub(super) fn directory_end(self, parents: usize) -> usize {
        match self.parts.directory_ends.get(parents) {
            Some(&end) => end,
            None => self.find_directory_end(parents),
        }
    }

    // One pass from the end of the path: a call takes at most as long as the base is. It is not kept, as hardly any link of real
    // pages needs it.
    #[inline(never)]
    fn find_directory_end(self, parents: usize) -> usize {
        let offsets = &self.parts.offsets;
        let (mut end, mut left) = (offsets.path_start + 1, parents + 1);
        each_slash_back(&self.text.as_bytes()[offsets.path_start..offsets.path_end], |slash| {
            end = offsets.path_start + slash + 1;
            left -= 1;
            left > 0
        });
        end
    }
}
