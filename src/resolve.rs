//! Resolution: from a base and a reference to an absolute URI, and back.
//!
//! RFC 1630, *Partial (relative) form*, stands in `partial.rs`, in its own order, and with it what each successor changes:
//!
//! | rule | file |
//! |---|---|
//! | a reference with a scheme, also a non-strict one | `partial.rs` (`resolve`) |
//! | slashes at the start of a reference, counted | `slash_runs.rs`; `partial.rs` (`after_slashes`), there also by component |
//! | removal of the last segment of the base | `partial.rs` (`in_directory`), `prepared.rs` (`directory`) |
//! | `xxx/../` and `/.` in the result; a surplus `..` | `partial.rs` (`append_to`), `dots.rs` |
//! | `?y`, `#s`, an empty reference | `partial.rs` (`without_path`; `in_directory` for a `?y` that replaces the last segment) |
//! | `/` for the missing path of a base that ends in a host | `prepared.rs` (`ends_in_host`, `directory`) |
//! | `;params` as a component; empty parts that count as absent | `parts.rs`, `prepared.rs` (`path_end_by`) |
//! | the guard `/.` | `partial.rs` (`append_to`), `relativize.rs`; also `normal/segments.rs` and `whatwg/parser.rs`; the builder refuses such a path |
//! | joining the components of the result (RFC 3986 §5.3) | `resolved.rs` (`each_piece`) |
//! | the source of each step: a document or a decision | `sources.rs` |
//! | frequent references, sooner | `fast.rs`, `cuts.rs` |
//! | the shortest reference back | `relativize.rs` |
//! | `./` before `a:b` | `relativize.rs`; also `whatwg/relativize.rs`, `normal/encoding.rs` and `normal/uri_writer.rs` |
//!
//! The decisions in which the documents differ are the fields of [`Rules`], in `src/rules.rs`.

use alloc::borrow::Cow;
use alloc::string::String;

mod base;
mod cuts;
pub(crate) mod dots;
mod explain;
mod fast;
mod partial;
mod parts;
mod prepared;
mod relativize;
mod resolved;
mod segments;
mod slash_runs;
mod sources;
mod step;

pub use base::Base;
pub use explain::Explanation;
pub use resolved::Resolved;
pub use segments::Segments;
pub use step::{Action, Step};

use crate::error::Error;
use crate::rules::Rules;
use crate::uri::{Uri, UriText};
use prepared::{BorrowedBase, Prepared};
use relativize::relativize;

/// Resolves one reference against one base. For several references to the same base, make a [`Base`] once.
///
/// # Errors
/// The base has no scheme, as in [`Base::new`].
///
/// ```
/// use relref::{Rules, resolve};
///
/// assert_eq!(resolve("http://h/a/b", "../g", Rules::RFC3986)?, "http://h/g");
/// assert!(resolve("/a/b", "../g", Rules::RFC3986).is_err());
/// # Ok::<(), relref::Error>(())
/// ```
pub fn resolve(base: impl AsRef<str>, reference: impl AsRef<str>, rules: Rules) -> Result<String, Error> {
    let mut out = String::new();
    resolve_into(base, reference, rules, &mut out)?;
    Ok(out)
}

/// Resolves one reference against one base, and appends the text of the result to `out`.
///
/// # Errors
/// The base has no scheme, as in [`Base::new`]. Then `out` stays as it was.
///
/// ```
/// use relref::{Rules, resolve_into};
///
/// let mut out = String::from("GET ");
/// resolve_into("http://h/a/b", "../g", Rules::RFC3986, &mut out)?;
/// assert_eq!(out, "GET http://h/g");
/// # Ok::<(), relref::Error>(())
/// ```
pub fn resolve_into(
    base: impl AsRef<str>,
    reference: impl AsRef<str>,
    rules: Rules,
    out: &mut String,
) -> Result<(), Error> {
    fast::resolve_once(base.as_ref(), reference.as_ref(), rules, out)
}

impl<T: UriText> Uri<T> {
    /// Resolves one reference against the URI as a base. For several references, make a [`Base`] once.
    ///
    /// ```
    /// use relref::{Rules, Uri};
    ///
    /// let page = Uri::parse("http://h/a/b")?;
    /// assert_eq!(page.resolve("../c", Rules::RFC3986), "http://h/c");
    /// assert_eq!(page.relativize("http://h/c", Rules::RFC3986), "/c");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve(&self, reference: impl AsRef<str>, rules: Rules) -> Uri<String> {
        let uri = self.as_borrowed();
        let base = BorrowedBase { text: uri.as_str(), prepared: &Prepared::new(*uri, rules) };
        fast::resolve(base, reference.as_ref()).into_uri()
    }

    /// Returns the shortest reference that [`resolve`](Uri::resolve)s to `target`, as [`Base::relativize`] does.
    pub fn relativize<'t>(&self, target: &'t (impl AsRef<str> + ?Sized), rules: Rules) -> Cow<'t, str> {
        let uri = self.as_borrowed();
        relativize(BorrowedBase { text: uri.as_str(), prepared: &Prepared::new(*uri, rules) }, target.as_ref())
    }
}
