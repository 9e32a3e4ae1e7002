//! The preview of a page: what tags anywhere in the page say about all of it, and must be known before its links are reported.

use alloc::string::String;
use std::io::{self, Read};

use encoding_rs::Encoding;
use memchr::memmem;

use super::attribute::{Attribute, AttributeSet};
use super::clean::{clean, to_text};
use super::context::Context;
use super::element::Element;
use super::meta::{Meta, Search, search};
use super::tag::Tag;
use super::utf8_reader::read_some;

/// The preview of a page: what the first tag of each sort that counts says.
pub(super) struct Preview {
    /// The character encoding with which the page is read.
    pub(super) encoding: &'static Encoding,
    /// The sorts of tags that are sought and not yet found.
    pub(super) sought: Sought,
    /// The reference in the `base`, which may be empty; `None` if no `base` was found.
    pub(super) base: Option<String>,
    /// The character encoding that a `meta` declares, if it is not `encoding`: the page must then be read again with it.
    pub(super) other_encoding: Option<&'static Encoding>,
    /// True if a `meta` was found that asks robots to follow no link.
    pub(super) nofollow: bool,
}

/// The sorts of tags that are sought in a page, or that were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sought {
    /// True if a `base` is sought.
    pub(super) base: bool,
    /// True if a `meta` that declares the character encoding is sought.
    pub(super) charset: bool,
    /// True if a `meta` for robots is sought.
    pub(super) robots: bool,
}

impl Preview {
    /// Returns the preview of a page before any of it is read.
    pub(super) fn new(encoding: &'static Encoding, sought: Sought) -> Self {
        Preview { encoding, sought, base: None, other_encoding: None, nofollow: false }
    }

    /// Reports whether nothing is left to find.
    pub(super) fn is_done(&self) -> bool {
        self.sought == Sought::default()
    }

    /// Returns the attributes whose values matter, and those that tell what is HTML.
    pub(super) fn wanted() -> AttributeSet {
        use Attribute::{Charset, Color, Content, Encoding, Face, Href, HttpEquiv, Name, Size};
        let mut wanted = AttributeSet::default();
        for attribute in [Charset, Color, Content, Encoding, Face, Href, HttpEquiv, Name, Size] {
            wanted.insert(attribute);
        }
        wanted
    }

    /// Keeps what a start tag says about the page, if tags of its sort are sought. `context` has the elements around the tag.
    pub(super) fn tag(&mut self, tag: &Tag, context: &Context) {
        match tag.element {
            Element::Base if self.sought.base && context.may_have_base() => {
                if let Some(href) = tag.value(Attribute::Href) {
                    let mut buffer = String::new();
                    self.base = Some(String::from(clean(&to_text(href), &mut buffer)));
                    self.sought.base = false;
                }
            }
            Element::Meta => self.meta(
                &Meta {
                    charset: tag.value(Attribute::Charset),
                    content: tag.value(Attribute::Content),
                    http_equiv: tag.value(Attribute::HttpEquiv),
                    name: tag.value(Attribute::Name),
                },
                context,
            ),
            _ => {}
        }
    }

    /// Keeps what a `meta` says about the page, if tags of its sort are sought.
    fn meta(&mut self, meta: &Meta<'_>, context: &Context) {
        if let Some(encoding) = meta.declared().filter(|_| self.sought.charset) {
            self.sought.charset = false;
            if encoding != self.encoding {
                self.other_encoding = Some(encoding);
                // All else is sought again when the page is read again.
                self.sought = Sought::default();
            }
        }
        if self.sought.robots && context.templates == 0 && meta.is_nofollow() {
            self.sought.robots = false;
            self.nofollow = true;
        }
    }
}

impl Sought {
    /// Returns those of the sought sorts of which a page may have a tag. It only searches the page for `<base` and for the bytes of
    /// a `meta` of a sought sort, which is faster than to read the page as HTML. So it may return a sort of which there is no tag,
    /// for example because the bytes are in a comment. `encoding` is the character encoding with which the page is read.
    pub(super) fn may_be_in(self, page: &[u8], encoding: &'static Encoding) -> Self {
        let (found, end) = self.find(page, encoding);
        if end < page.len() { found.with_metas_of(self) } else { found }
    }

    /// Does what [`may_be_in`](Sought::may_be_in) does for a stream, in pieces of at most the length of `buffer`. Stops reading
    /// once all sought sorts are found.
    pub(super) fn may_be_in_stream(
        self,
        mut page: impl Read,
        encoding: &'static Encoding,
        buffer: &mut [u8],
    ) -> io::Result<Self> {
        let mut found = Sought::default();
        let mut kept = 0;
        while found != self {
            let read = read_some(&mut page, &mut buffer[kept..])?;
            let len = kept + read;
            let (now, end) = self.without(found).find(&buffer[..len], encoding);
            found = Sought {
                base: found.base || now.base,
                charset: found.charset || now.charset,
                robots: found.robots || now.robots,
            };
            let is_too_long = end == 0 && len == buffer.len();
            if end < len && (read == 0 || is_too_long) {
                found = found.with_metas_of(self);
            }
            if read == 0 {
                break;
            }
            // `<base` may be in two pieces, too.
            let end = if is_too_long { len } else { end }.min(len - len.min("<base".len() - 1));
            buffer.copy_within(end..len, 0);
            kept = len - end;
        }
        Ok(found)
    }

    /// Returns those of the sought sorts of which a tag may be in some bytes, and an index in the bytes. Before this index, there
    /// is no other `meta` of a sought sort. It is the length of the bytes, or the start of a `meta` that does not end in them.
    fn find(self, bytes: &[u8], encoding: &'static Encoding) -> (Self, usize) {
        let mut end = bytes.len();
        let mut has_meta = |is_sought: &dyn Fn(&Meta<'_>) -> bool| match search(bytes, is_sought) {
            Search::Found => true,
            Search::NotBefore(index) => {
                end = end.min(index);
                false
            }
        };
        let charset = self.charset && has_meta(&|meta| meta.declared().is_some_and(|other| other != encoding));
        let robots = self.robots && has_meta(&|meta| meta.is_nofollow());
        (Sought { base: self.base && has_base(bytes), charset, robots }, end)
    }

    /// Returns these sorts except those in `found`.
    fn without(self, found: Self) -> Self {
        Sought {
            base: self.base && !found.base,
            charset: self.charset && !found.charset,
            robots: self.robots && !found.robots,
        }
    }

    /// Returns these sorts and those of `other` that are sorts of `meta`.
    fn with_metas_of(self, other: Self) -> Self {
        Sought { charset: self.charset || other.charset, robots: self.robots || other.robots, ..self }
    }
}

/// Reports whether `<base` occurs in bytes, in any case.
fn has_base(bytes: &[u8]) -> bool {
    let is_base = |at: usize| bytes.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base"));
    memmem::find_iter(bytes, b"<b").any(is_base) || memmem::find_iter(bytes, b"<B").any(is_base)
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;

    /// Searches a page for all sorts, in memory and through buffers of many lengths. Returns the sorts that may be in it.
    fn found(page: &str) -> String {
        let all = Sought { base: true, charset: true, robots: true };
        let names = |found: Sought| {
            let names = [(found.base, "base"), (found.charset, "charset"), (found.robots, "robots")];
            names.into_iter().filter(|(is_found, _)| *is_found).map(|(_, name)| name).collect::<Vec<_>>().join(" ")
        };
        let expected = names(all.may_be_in(page.as_bytes(), UTF_8));
        for len in 128..page.len().max(128) + 5 {
            let streamed = all.may_be_in_stream(page.as_bytes(), UTF_8, &mut vec![0; len]).unwrap();
            assert_eq!(names(streamed), expected, "{page} {len}");
        }
        for at in 1..page.len() {
            let pieces = page.as_bytes()[..at].chain(&page.as_bytes()[at..]);
            assert_eq!(names(all.may_be_in_stream(pieces, UTF_8, &mut [0; 512]).unwrap()), expected, "{page} {at}");
        }
        expected
    }

    #[test]
    fn tags_are_found_in_any_case_and_any_pieces() {
        for (page, expected) in [
            ("<p><base>", "base"),
            ("x<BaSe", "base"),
            ("<b><Base", "base"),
            ("<basefont>", "base"),
            ("<bas", ""),
            ("< base", ""),
            ("base", ""),
            ("", ""),
            ("<meta charset=koi8-r>", "charset"),
            ("<META/charset='koi8-r'/><base>", "base charset"),
            ("<meta charset=utf-8><metas charset=koi8-r><meta name=robots content=index>", ""),
            ("<meta charset=utf-8><mEtA name=Robots content='index, NOFOLLOW'>", "robots"),
            ("<meta name=robots content=none><base><meta charset=koi8-r>", "base charset robots"),
            ("<meta name=x content=nofollow><meta name=robots content='no follow'>", ""),
            // It may be any value.
            ("<meta content='x&amp;'>", "charset robots"),
            // It may be a script, with another one in it.
            ("<meta content='<meta charset=koi8-r>'>", "charset robots"),
            ("<meta x='", "charset robots"),
            ("<m", ""),
        ] {
            let expected = if page == "<m" { "charset robots" } else { expected };
            assert_eq!(found(page), expected, "{page}");
            let long = format!("{}{page}", "text and <main>, <M ".repeat(20));
            assert_eq!(found(&long), expected, "{page}");
        }
    }
}
