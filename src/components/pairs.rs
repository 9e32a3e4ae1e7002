//! Edits of the query by its pairs: names and values, which are encoded as forms are (URL Standard §5.2).

use alloc::string::String;

use super::query_pairs::{QueryPairs, decode_pair};
use super::splice::{Component, Edit};
use crate::percent::{ByteSet, escape};
use crate::uri::{Uri, UriRef, UriText};
use crate::whatwg::Url;

/// URL Standard §1.3: what is not in the *application/x-www-form-urlencoded percent-encode set*.
static PLAIN: [bool; 256] = ByteSet::all_but(b"*-._").complement().table();

/// Appends to the pairs that are in `text`.
pub(super) fn push_pair(text: &mut String, name: &str, value: &str) {
    text.reserve(name.len() + value.len() + 2);
    if !(text.is_empty() || text.ends_with('&')) {
        text.push('&');
    }
    push_encoded(text, name);
    text.push('=');
    push_encoded(text, value);
}

fn push_encoded(text: &mut String, part: &str) {
    let mut rest = part.as_bytes();
    while !rest.is_empty() {
        let len = rest.iter().position(|&byte| !PLAIN[usize::from(byte)]).unwrap_or(rest.len());
        let (plain, others) = rest.split_at(len);
        // Octets beyond US-ASCII are not plain, so that the plain ones are whole characters.
        let start = part.len() - rest.len();
        if !plain.is_empty() {
            text.push_str(&part[start..start + len]);
        }
        rest = match others {
            [b' ', after @ ..] => {
                text.push('+');
                after
            }
            [byte, after @ ..] => {
                text.push_str(escape(*byte));
                after
            }
            [] => others,
        };
    }
}

fn pairs_text(pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>) -> String {
    let mut text = String::new();
    pairs.into_iter().for_each(|(name, value)| push_pair(&mut text, name.as_ref(), value.as_ref()));
    text
}

impl UriRef<String> {
    fn append_pairs(&mut self, pairs: &str) {
        let delimiter = match self.query() {
            _ if pairs.is_empty() => "",
            None => "?",
            Some(query) if query.is_empty() || query.ends_with('&') => "",
            Some(_) => "&",
        };
        let range = self.query_end..self.query_end;
        self.apply(Edit { range, pieces: [delimiter, pairs], component: Component::Query });
    }

    /// Replaces the query by `text`, or removes it if there is no pair in it.
    fn set_pairs(&mut self, text: &str) {
        let edit = self.checked_query_edit(Some(text).filter(|text| !text.is_empty()));
        self.apply(edit);
    }

    /// Keeps the pairs for which `stays` returns true. Before it returns false, it may append another pair to the text of those kept.
    fn rewrite_pairs(&mut self, mut stays: impl FnMut(&mut String, &str, &str) -> bool) {
        let (mut kept, mut changed) = (String::new(), false);
        let mut pairs = QueryPairs::new(self.query().unwrap_or_default());
        while let Some(written) = pairs.next_written() {
            let (name, value) = decode_pair(written);
            if stays(&mut kept, &name, &value) {
                kept.push_str(if kept.is_empty() { "" } else { "&" });
                kept.push_str(written);
            } else {
                changed = true;
            }
        }
        if changed {
            self.set_pairs(&kept);
        }
    }

    fn set_pair(&mut self, name: &str, value: &str) {
        let mut is_missing = true;
        self.rewrite_pairs(|kept, its_name, _| {
            if its_name == name && core::mem::take(&mut is_missing) {
                push_pair(kept, name, value);
            }
            its_name != name
        });
        if is_missing {
            self.append_pairs(&pairs_text([(name, value)]));
        }
    }
}

macro_rules! pair_edits {
    ($type:ident) => {
        /// Edits of the query by its pairs. Names and values are encoded, so there are no errors: a space becomes `+`, and all but letters,
        /// digits, `*`, `-`, `.` and `_` becomes escapes of UTF-8. [`query_pairs`](UriRef::query_pairs) reads them back.
        ///
        /// Pairs that stay keep their bytes. Where a pair is replaced or removed, the empty pairs of `&&` go too; with the last pair, the
        /// query goes, and its `?`.
        ///
        /// Cost: one pass over the query and what is written. Source: URL Standard §5.2; §6.2 for the names `append`, `set`, `delete`.
        ///
        /// ```
        /// use relref::Uri;
        ///
        /// let mut uri: Uri = "http://h/search?q=a%20b&page=1&page=2#top".parse()?;
        /// uri.append_query_pair("lang", "en & de");
        /// assert_eq!(uri, "http://h/search?q=a%20b&page=1&page=2&lang=en+%26+de#top");
        /// uri.set_query_pair("page", "3").retain_query_pairs(|name, _| name != "lang"); // they return the same, for the next call
        /// assert_eq!(uri, "http://h/search?q=a%20b&page=3#top");
        /// uri.set_query_pairs([("id", "7")]);
        /// uri.remove_query_pair("id");
        /// assert_eq!(uri, "http://h/search#top");
        /// # Ok::<(), relref::Error>(())
        /// ```
        impl $type<String> {
            /// Appends a pair to the query. Without a query, adds one.
            #[doc(alias("query_pairs_mut", "append_pair"))]
            pub fn append_query_pair(&mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> &mut Self {
                self.append_query_pairs([(name, value)])
            }

            /// Appends pairs to the query. Without a query, adds one; without pairs, changes nothing.
            #[doc(alias("query_pairs_mut", "extend_pairs"))]
            pub fn append_query_pairs(
                &mut self,
                pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
            ) -> &mut Self {
                self.reference_mut().append_pairs(&pairs_text(pairs));
                self
            }

            /// Replaces the first pair of this name, and removes the others; appends the pair if there is none.
            #[doc(alias = "query_pairs_mut")]
            pub fn set_query_pair(&mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> &mut Self {
                self.reference_mut().set_pair(name.as_ref(), value.as_ref());
                self
            }

            /// Removes all pairs of this name.
            #[doc(alias = "query_pairs_mut")]
            pub fn remove_query_pair(&mut self, name: impl AsRef<str>) -> &mut Self {
                self.retain_query_pairs(|its_name, _| its_name != name.as_ref())
            }

            /// Removes the pairs for which `stays` returns false. It is given names and values decoded.
            #[doc(alias = "query_pairs_mut")]
            pub fn retain_query_pairs(&mut self, mut stays: impl FnMut(&str, &str) -> bool) -> &mut Self {
                self.reference_mut().rewrite_pairs(|_, name, value| stays(name, value));
                self
            }

            /// Replaces the query by these pairs; without pairs, removes it.
            #[doc(alias("query_pairs_mut", "clear"))]
            pub fn set_query_pairs(
                &mut self,
                pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
            ) -> &mut Self {
                self.reference_mut().set_pairs(&pairs_text(pairs));
                self
            }
        }
    };
}

macro_rules! pair_copies {
    ($type:ident) => {
        impl<T: UriText> $type<T> {
            /// Returns a copy with this pair, as [`set_query_pair`](Self::set_query_pair) sets it.
            #[doc(alias("query_pairs_mut", "append_pair"))]
            #[must_use]
            pub fn with_query_pair(&self, name: impl AsRef<str>, value: impl AsRef<str>) -> $type<String> {
                let mut uri = self.to_owned();
                uri.set_query_pair(name, value);
                uri
            }

            /// Returns a copy with these pairs as its query, as [`set_query_pairs`](Self::set_query_pairs) sets them.
            #[doc(alias("query_pairs_mut", "extend_pairs"))]
            #[must_use]
            pub fn with_query_pairs(
                &self,
                pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
            ) -> $type<String> {
                let mut uri = self.to_owned();
                uri.set_query_pairs(pairs);
                uri
            }
        }
    };
}

pair_edits!(UriRef);
pair_edits!(Uri);
pair_edits!(Url);
pair_copies!(UriRef);
pair_copies!(Uri);
