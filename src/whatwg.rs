//! Browsers' rules: the [URL Standard](https://url.spec.whatwg.org/) of June 2026, exactly.
//!
//! It is not a rule set like the others: results are re-encoded text, and some references have no result. An input and a base
//! give the serialized URL (*href*), or the error with which the Standard's parser fails.
//!
//! ```
//! use relref::whatwg::{self, Base};
//!
//! let base = Base::new("http://example.com/docs/")?;
//! assert_eq!(base.resolve("a b\\c")?, "http://example.com/docs/a%20b/c");
//!
//! let mut out = String::new();
//! base.resolve_into("#top", &mut out)?;
//! assert_eq!(out, "http://example.com/docs/#top");
//!
//! assert_eq!(whatwg::parse("HTTP://EXAMPLE.com")?, "http://example.com/");
//! # Ok::<(), whatwg::Error>(())
//! ```
//!
//! Hosts that are not US-ASCII need feature `idna`, and are an error that says so without it. With feature `html`, queries can
//! be written in the encoding of a page (`Base::query_encoding`).
//!
//! Any input is handled in linear time, without recursion and without panic.

mod authority_states;
mod base;
mod error;
mod fast;
mod file_states;
mod host;
mod input;
mod inspect;
mod ipv4;
mod ipv6;
mod observer;
mod parse;
mod parser;
mod path_states;
mod plain;
#[cfg(feature = "html")]
mod query_encoding;
mod record;
mod relativize;

pub use base::Base;
pub use error::{Error, ErrorKind};
pub use inspect::{Inspection, inspect};
pub use observer::State;
pub use parse::parse;
