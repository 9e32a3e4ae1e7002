//! The canonical form of a URI, and how far two URIs are the same.
//!
//! RFC 1630 (*Reduced or increased safe character sets*) compares URIs only at the same encoding: escapes of
//! characters that need none are decoded, characters that need one are encoded, and **reserved characters are never moved
//! either way**, since `%2F` is no slash. Later documents add what else two URIs may differ in and mean the same. Each is a
//! [`Rung`] of one ladder:
//!
//! | rung | what counts as the same | source |
//! |---|---|---|
//! | [`Text`](Rung::Text) | nothing but the same text | |
//! | [`Encoding`](Rung::Encoding) | `%2D` and `-`, `%c3` and `%C3` | RFC 1630; RFC 3986 §6.2.2 |
//! | [`Case`](Rung::Case) | and `HTTP://H/` and `http://h/` | RFC 1738 §2.1; RFC 3986 §6.2.2.1 |
//! | [`Dots`](Rung::Dots) | and `/a/../b` and `/b` | RFC 3986 §6.2.2.3 |
//! | [`Scheme`](Rung::Scheme) | and `http://h:80` and `http://h/`, `file://localhost/` and `file:///` | RFC 1738 §3; RFC 3986 §6.2.3 |
//!
//! ```
//! use relref::canon::{Comparison, Encoding, Rung, compare, normalize, recode};
//!
//! let uri = "HTTP://Example.com:80/a/./marie%2dclaude%2f";
//! assert_eq!(recode(uri, &Encoding::RFC3986)?, "HTTP://Example.com:80/a/./marie-claude%2F");
//! assert_eq!(normalize(uri, Rung::Scheme)?, "http://example.com/a/marie-claude%2F");
//! assert_eq!(compare("http://h/%7Ea", "http://H/~a")?, Comparison::Equal(Rung::Case));
//! # Ok::<(), relref::Error>(())
//! ```

mod rung;

pub use self::rung::{Comparison, Rung, compare, normalize};
pub use crate::normal::{Encoding, expand, recode, safer};
