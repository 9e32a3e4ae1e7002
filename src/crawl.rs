//! Normalisation of links for a crawler: one text for each page, so that none is fetched twice.
//!
//! A [`Normalizer`] is made once, from a preset and single [`Change`]s, and then asked for every link.
//!
//! - [`Normalizer::safe`] never changes what a URI names: it gives what [`canon::normalize`](crate::canon::normalize) gives at
//!   [`Rung::Scheme`](crate::canon::Rung::Scheme).
//! - [`Normalizer::crawl`] also does what frontiers usually do: it drops fragments, empty queries and
//!   [tracking parameters](TRACKING), sorts queries, and (feature `idna`) puts hosts in A-labels.
//! - What else sites hide one page behind is for the caller to switch on: each change says what it can break.
//!
//! Whatever the changes: no reserved character is decoded or encoded, no space deleted, no escape of what is not UTF-8 touched,
//! nothing encoded twice; normalising again changes nothing; and an illegal escape is an error. A query of which a change leaves
//! nothing goes with its `?`.
//!
//! ```
//! use relref::crawl::{Normalizer, Change};
//!
//! let normalizer = Normalizer::crawl().with(Change::DropWww).with(Change::DropIndex);
//! let mut seen = String::new();
//! normalizer.normalize_into("http://WWW.Example.com:80/a/../index.html?utm_source=x&b=2&a=1#top", &mut seen)?;
//! assert_eq!(seen, "http://example.com/?a=1&b=2");
//! # Ok::<(), relref::Error>(())
//! ```

mod explain;
mod surt;
mod tail;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use self::explain::Effect;
use self::tail::Tail;
use crate::error::Error;
pub use crate::normal::{Change, INDEX, SESSION, TRACKING};
use crate::normal::{Changes, Lists, Writer, is_all_plain};
use crate::percent::decode;
use crate::resolve::Base;
use crate::uri::{Text, UriRef};

/// What to do to URIs, made once and then asked many times.
#[derive(Clone)]
pub struct Normalizer {
    changes: Changes,
    lists: Lists,
}

impl Normalizer {
    /// The changes that never change what a URI names: `encoding`, `case`, `localhost`, `default-port`, `dots`, `empty-path`.
    pub fn safe() -> Normalizer {
        Normalizer { changes: Changes::SAFE, lists: Lists::new(TRACKING) }
    }

    /// Those of [`safe`](Normalizer::safe), and `drop-fragment`, `drop-tracking`, `sort-query`, `drop-empty-query` and, with
    /// the feature, `idna`.
    pub fn crawl() -> Normalizer {
        Normalizer { changes: Changes::CRAWL, ..Normalizer::safe() }
    }

    /// The same with one more change.
    #[must_use]
    pub fn with(self, change: Change) -> Normalizer {
        Normalizer { changes: self.changes.with(change), ..self }
    }

    /// The same with one change less.
    #[must_use]
    pub fn without(self, change: Change) -> Normalizer {
        Normalizer { changes: self.changes.without(change), ..self }
    }

    /// The same with another list of tracking parameters, which are dropped; entries are as in [`TRACKING`], and may
    /// be given as they are read, or with the escapes that they have in URIs.
    ///
    /// ```
    /// use relref::crawl::{Normalizer, TRACKING};
    ///
    /// let normalizer = Normalizer::crawl().tracking(TRACKING.iter().chain(&["ref", "spm*"]));
    /// assert_eq!(normalizer.normalize("http://h/?a&Ref=x&spm_id=1&utm_term=y")?, "http://h/?a");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn tracking<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> Normalizer {
        let Normalizer { changes, lists } = self.with(Change::DropTracking);
        Normalizer { changes, lists: lists.track(names) }
    }

    /// The same, but of a query only the parameters of these names stay. Their case counts. One may be given
    /// as it is read, or with the escapes that it has in URIs.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let normalizer = Normalizer::safe().keep_only(["id", "page"]);
    /// assert_eq!(normalizer.normalize("http://h/?x=1&page=2&ID=3&id=4")?, "http://h/?page=2&id=4");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[must_use]
    pub fn keep_only<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> Normalizer {
        let Normalizer { changes, lists } = self.with(Change::KeepOnly);
        Normalizer { changes, lists: lists.keep(names) }
    }

    /// Whether a change is on.
    pub fn has(&self, change: Change) -> bool {
        self.changes.has(change)
    }

    /// Appends the normal form of a URI. A reference without a scheme gets what is safe for any.
    ///
    /// Cost: one pass, and another over a query that is sorted. Allocates if `out` must grow, for more than 24 parameters,
    /// and, with the change `idna`, for a host beyond US-ASCII; else not.
    ///
    /// # Errors
    /// An illegal escape, wherever it stands; `out` is left as it was.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let mut out = String::from("seen: ");
    /// Normalizer::safe().normalize_into("HTTP://Example.com:80/%7eb?", &mut out)?;
    /// assert_eq!(out, "seen: http://example.com/~b?");
    /// assert_eq!(Normalizer::crawl().normalize_into("http://h/#%zz", &mut out).unwrap_err().position(), 11);
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn normalize_into(&self, uri: &str, out: &mut String) -> Result<(), Error> {
        let plain = is_all_plain(uri.as_bytes());
        if !plain {
            decode(uri)?;
        }
        out.reserve(uri.len() + 8);
        Writer::new(self.changes, &self.lists, UriRef::new(uri), plain).write(out);
        Ok(())
    }

    /// The normal form of a URI, as a text of its own.
    ///
    /// # Errors
    /// As [`normalize_into`](Normalizer::normalize_into).
    pub fn normalize(&self, uri: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.normalize_into(uri, &mut out)?;
        Ok(out)
    }

    /// Appends the normal form of what a reference resolves to.
    ///
    /// Cost: resolving, [`normalize_into`](Normalizer::normalize_into), and a copy between; allocates where that does, and if
    /// what it resolves to is longer than 512 bytes.
    ///
    /// # Errors
    /// An illegal escape, with its place in what the reference resolves to; `out` is left as it was.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("http://example.com/docs/", Rules::RFC3986)?;
    /// let mut out = String::new();
    /// Normalizer::crawl().resolve_into(&base, "a/%2e%2e/b?z&y#x", &mut out)?;
    /// assert_eq!(out, "http://example.com/docs/b?y&z");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve_into<T: Text>(&self, base: &Base<T>, reference: &str, out: &mut String) -> Result<(), Error> {
        let start = out.len();
        base.resolve_into(reference, out);
        let uri = Tail::cut(out, start);
        self.normalize_into(uri.as_str(), out)
    }
}

impl fmt::Debug for Normalizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Normalizer")
            .field(&Change::ALL.iter().filter(|change| self.has(**change)).collect::<Vec<_>>())
            .finish()
    }
}
