//! Normal forms of a URI, and the degree to which two URIs are equal.
//!
//! RFC 1630 (*Reduced or increased safe character sets*) compares URIs only in the same encoding: escapes of characters that
//! need none are decoded, and characters that need one are escaped. **Reserved characters are neither escaped nor decoded**,
//! since `%2F` is not a slash. Later documents name more differences that do not change what a URI names. RFC 3986 §6.2 calls
//! the degrees of equivalence a ladder; each [`Rung`] allows what the rungs before it allow, and more:
//!
//! | rung | which URIs are equal too | source |
//! |---|---|---|
//! | [`Text`](Rung::Text) | identical texts | |
//! | [`Encoding`](Rung::Encoding) | `%2D` and `-`, `%c3` and `%C3` | RFC 1630; RFC 3986 §6.2.2 |
//! | [`Case`](Rung::Case) | `HTTP://H/` and `http://h/` | RFC 1738 §2.1; RFC 3986 §6.2.2.1 |
//! | [`Dots`](Rung::Dots) | `/a/../b` and `/b` | RFC 3986 §6.2.2.3 |
//! | [`Scheme`](Rung::Scheme) | `http://h:80` and `http://h/`, `file://localhost/` and `file:///`, `gopher://h/1` and `gopher://h` | RFC 1738 §3; RFC 3986 §6.2.3 |
//! | [`Fragment`](Rung::Fragment) | `http://h/#` and `http://h/`, by the rules of RFC 1630, its draft and URL7 | RFC 1630, *Fragment-id* |
//!
//! ```
//! use relref::Rules;
//! use relref::canon::{Comparison, Encoding, Rung, compare, normalize, normalize_at, recode};
//!
//! let uri = "HTTP://Example.com:80/a/./marie%2dclaude%2f";
//! assert_eq!(recode(uri, &Encoding::RFC3986)?, "HTTP://Example.com:80/a/./marie-claude%2F");
//! assert_eq!(normalize_at(uri, Rung::Case)?, "http://example.com:80/a/./marie-claude%2F");
//! assert_eq!(normalize(uri)?, "http://example.com/a/marie-claude%2F");
//! let same = compare("http://h/%7Ea", "http://H/~a", Rules::RFC3986)?;
//! assert!(matches!(same, Comparison::Equal { rung: Rung::Case, .. }));
//! # Ok::<(), relref::Error>(())
//! ```

mod rung;

pub use self::rung::{Comparison, Rung, compare, normalize, normalize_at};
pub use crate::normal::{Encoding, expand, recode, safer};
