//! Resolution: from a base and a reference to an absolute URI, and back.
//!
//! | rule | file |
//! |---|---|
//! | slashes at the start of a reference, counted | `slash_runs.rs`; by component `engine.rs` (`slashed`) |
//! | removal of the last segment of the base | `cuts.rs` (`directory_end`), `engine.rs` (`relative`) |
//! | `./` and `xxx/../` in a path; a surplus `..` | `dots.rs` (`Stack`); `dotless.rs` for the dot segments of a base, once; `cuts.rs` and `one_shot.rs` for frequent references; `dots_backwards.rs` where no `..` is kept |
//! | `/` for the missing path of a base that ends in a host | `prepared.rs` (`ends_in_host`, `directory_with_dots`), `resolved.rs` |
//! | `;params` as a component | `form.rs` (`Form::Params`), `prepared.rs` (`path_end_by`), `engine.rs` (`pathless`) |
//! | empty parts that count as absent | `empty_parts.rs`, `engine.rs` (`resolve_traced`) |
//! | the guard `/.` | `engine.rs` (`join`), `relativize.rs`; also `normal/segments.rs` and `whatwg/parser.rs`; the builder refuses such a path |
//! | a reference with a scheme, also a non-strict one | `engine.rs` (`resolve_traced`) |
//! | forms of a reference; `?y`, an empty reference | `form.rs`, `fast_path.rs` (`cut_for_pathless`), `engine.rs` (`pathless`; `relative` for a `?y` that replaces the last segment) |
//! | the source of each step: a document or a decision | `sources.rs` |
//! | frequent references, without the engine | `fast_path.rs`, `cuts.rs` |
//! | joining the components of the result (RFC 3986 §5.3) | `resolved.rs` (`each_piece`) |
//! | `./` before `a:b` | `relativize.rs`; also `whatwg/relativize.rs`, `normal/encoding.rs` and `normal/uri_writer.rs` |
//!
//! The decisions in which the documents differ are the fields of [`Rules`], in `src/rules.rs`.

use alloc::borrow::Cow;
use alloc::string::String;

mod base;
mod cuts;
mod dotless;
pub(crate) mod dots;
pub(crate) mod dots_backwards;
mod empty_parts;
mod engine;
mod explain;
pub(crate) mod fast_path;
pub(crate) mod form;
mod long_segments;
mod one_shot;
mod prepared;
mod relativize;
mod resolved;
mod segments;
mod slash_runs;
mod sources;
mod step;

pub use base::Base;
pub use explain::Explanation;
pub(crate) use prepared::{BorrowedBase, Prepared};
pub use resolved::{Resolved, ResolvedPath};
pub use segments::Segments;
pub use step::{Action, Step};

use crate::error::Error;
use crate::rules::Rules;
use crate::uri::{Uri, UriText};

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
    one_shot::resolve_into(base.as_ref(), reference.as_ref(), rules, out)
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
        BorrowedBase { text: uri.as_str(), prepared: &Prepared::new(*uri, rules) }
            .resolve(reference.as_ref())
            .into_uri()
    }

    /// Returns the shortest reference that [`resolve`](Uri::resolve)s to `target`, as [`Base::relativize`] does.
    pub fn relativize<'t>(&self, target: &'t (impl AsRef<str> + ?Sized), rules: Rules) -> Cow<'t, str> {
        let uri = self.as_borrowed();
        BorrowedBase { text: uri.as_str(), prepared: &Prepared::new(*uri, rules) }.relativize(target.as_ref())
    }
}
