//! The result of a resolution: the pieces of the absolute URI, not yet written out.

mod traits;

use alloc::string::String;

use super::segments::Segments;
use crate::uri::{Uri, UriRef};

/// An absolute URI that a reference resolved to, borrowed in pieces from the base and the reference.
///
/// Its components are known from the resolution, and its text is only written when it is needed:
/// [`into_string`](Resolved::into_string) allocates once, [`append_to`](Resolved::append_to) and
/// `write!` write into what is there, [`as_str`](Resolved::as_str) keeps the text. To keep the result longer than base and reference, make
/// a `String`, an `Arc<str>` or, by [`to_uri`](Resolved::to_uri), a [`Uri`]. Equality, order and hash are the same as for the text.
///
/// ```
/// use relref::{Base, Rules};
///
/// let base = Base::new("http://host/a/b?q", Rules::RFC3986)?;
/// let result = base.resolve("../c?x#y");
/// assert_eq!(result.authority(), Some("host"));
/// assert_eq!(result.path(), "/c");
/// assert_eq!(result.query(), Some("x"));
/// assert_eq!(result, "http://host/c?x#y");
/// assert_eq!(result.into_string(), "http://host/c?x#y");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone)]
pub struct Resolved<'a> {
    /// The texts before the segments: the start of the base, or of a reference with a scheme; then the authority of the reference
    /// with its two slashes, the guard `/.`, or what stays of the base after empty parameters that are left out.
    before: [&'a str; 2],
    /// The segments of the path, with slashes between them. There are none if the path is in the texts before and after.
    path: Segments<'a>,
    /// The texts after the segments: the rest of the reference as written, in two parts if an empty one between them is left out.
    after: [&'a str; 2],
    pub(crate) components: Components<'a>,
    /// Set when [`as_str`](Resolved::as_str) had to join pieces.
    pub(crate) text: Once<String>,
}

/// A cell that is set once. Threads can share it only with `std`.
#[cfg(feature = "std")]
pub(crate) type Once<T> = std::sync::OnceLock<T>;
#[cfg(not(feature = "std"))]
pub(crate) type Once<T> = core::cell::OnceCell<T>;

/// All but the path, which may be of several pieces: its place follows from the lengths of these.
#[derive(Clone, Copy)]
pub(crate) struct Components<'a> {
    pub(crate) scheme: &'a str,
    pub(crate) authority: Option<&'a str>,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl<'a> Components<'a> {
    #[inline]
    pub(crate) fn of(uri: &UriRef<&'a str>) -> Self {
        let scheme = uri.scheme().unwrap_or_default();
        Components { scheme, authority: uri.authority(), query: uri.query(), fragment: uri.fragment() }
    }

    #[inline]
    fn path_start(&self) -> usize {
        self.scheme.len() + ":".len() + self.authority.map_or(0, |authority| "//".len() + authority.len())
    }

    #[inline]
    fn len_after_path(&self) -> usize {
        let len_with_delimiter = |component: Option<&str>| component.map_or(0, |component| 1 + component.len());
        len_with_delimiter(self.query) + len_with_delimiter(self.fragment)
    }
}

impl<'a> Resolved<'a> {
    #[inline]
    pub(crate) fn new(
        before: [&'a str; 2],
        path: Segments<'a>,
        after: [&'a str; 2],
        components: Components<'a>,
    ) -> Self {
        Resolved { before, path, after, components, text: Once::new() }
    }

    /// The path is in one of the texts, as it is written there.
    #[inline]
    pub(crate) fn of_texts(before: [&'a str; 2], after: [&'a str; 2], components: Components<'a>) -> Self {
        Resolved::new(before, Segments::empty(), after, components)
    }

    /// Returns the scheme, without its colon.
    #[inline]
    #[must_use]
    pub fn scheme(&self) -> &'a str {
        self.components.scheme
    }

    /// Returns the authority, without its two slashes.
    #[inline]
    #[must_use]
    pub fn authority(&self) -> Option<&'a str> {
        self.components.authority
    }

    /// Returns the path, a part of [`as_str`](Resolved::as_str).
    #[must_use]
    pub fn path(&self) -> &str {
        let text = self.as_str();
        &text[self.components.path_start()..text.len() - self.components.len_after_path()]
    }

    /// Returns the query, without its `?`.
    #[inline]
    #[must_use]
    pub fn query(&self) -> Option<&'a str> {
        self.components.query
    }

    /// Returns the fragment, without its `#`.
    #[inline]
    #[must_use]
    pub fn fragment(&self) -> Option<&'a str> {
        self.components.fragment
    }

    /// Returns the length of the text in bytes.
    #[allow(clippy::len_without_is_empty, reason = "a URI is never empty")]
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        let slashes = self.path.len().saturating_sub(1);
        let segments = self.path.iter().map(|segment| segment.len()).sum::<usize>();
        let [before, after] = [self.before, self.after].map(|[first, second]| first.len() + second.len());
        before + segments + slashes + after
    }

    /// Appends the text; allocates only if `out` must grow.
    #[inline]
    pub fn append_to(&self, out: &mut String) {
        out.reserve(self.len());
        self.each_piece(|piece| out.push_str(piece));
    }

    /// Returns the text. If it is of several pieces, they are joined the first time, by one allocation.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // A whole base or reference is one piece.
        let piece = if self.before[0].is_empty() { self.after[0] } else { self.before[0] };
        if piece.len() == self.len() { piece } else { self.text.get_or_init(|| self.to_string()) }
    }

    /// Returns a copy of the text; allocates once. This does not format, which `ToString` would.
    #[allow(clippy::inherent_to_string_shadow_display, reason = "the same text, in half the time")]
    #[must_use]
    pub fn to_string(&self) -> String {
        let mut text = String::with_capacity(self.len());
        self.each_piece(|piece| text.push_str(piece));
        text
    }

    /// Returns the text; allocates at most once.
    #[must_use]
    pub fn into_string(mut self) -> String {
        self.text.take().unwrap_or_else(|| self.to_string())
    }

    /// Returns the URI without its fragment.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("http://h/a/b", Rules::RFC3986)?;
    /// assert_eq!(base.resolve("c?q#f").without_fragment(), "http://h/a/c?q");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn without_fragment(mut self) -> Self {
        if let Some(fragment) = self.components.fragment.take() {
            let texts = self.before.iter_mut().chain(&mut self.after);
            let end = texts.rev().find(|text| !text.is_empty()).expect("a URI is not empty");
            // One base or reference has the fragment, so one text has it, and nothing comes after it.
            *end = &end[..end.len() - 1 - fragment.len()];
            self.text = Once::new();
        }
        self
    }

    /// Returns the URI with a text of its own. It is not split again.
    #[must_use]
    pub fn into_uri(mut self) -> Uri<String> {
        let text = self.text.take().unwrap_or_else(|| self.to_string());
        self.uri_of(text)
    }

    /// Returns the URI with a text of its own. It is not split again.
    #[must_use]
    pub fn to_uri(&self) -> Uri<String> {
        self.uri_of(self.to_string())
    }

    /// `text` must be that of the result.
    fn uri_of(&self, text: String) -> Uri<String> {
        let Components { scheme, fragment, .. } = self.components;
        let path_end = text.len() - self.components.len_after_path();
        let query_end = text.len() - fragment.map_or(0, |fragment| 1 + fragment.len());
        let offsets = [scheme.len() + 1, self.components.path_start(), path_end, query_end];
        Uri::of_absolute(UriRef::from_parts(text, offsets))
    }

    /// Passes the text in pieces, in its order. A piece may be empty.
    #[inline]
    fn each_piece(&self, mut each: impl FnMut(&'a str)) {
        let [start, before_path] = self.before;
        let [after_path, end] = self.after;
        each(start);
        // A test costs less than a copy of nothing, and these are nearly always empty.
        if !before_path.is_empty() {
            each(before_path);
        }
        if let Some((first, others)) = self.path.split_first() {
            each(first);
            for segment in others {
                each("/");
                each(segment);
            }
        }
        if !after_path.is_empty() {
            each(after_path);
        }
        if !end.is_empty() {
            each(end);
        }
    }
}
