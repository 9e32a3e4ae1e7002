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
mod parser;
mod path_states;
mod plain;
#[cfg(feature = "html")]
mod query_encoding;
mod record;
mod relativize;

use alloc::string::String;

pub use base::Base;
pub use error::{Error, ErrorKind};
pub use inspect::{Inspection, inspect};
pub use observer::State;

use input::{Input, trim};
use observer::Observer;
use parser::{Parser, QueryEncoding};

/// Parses a URL without a base and returns it as the Standard serializes it.
///
/// # Errors
/// The Standard's parser returns failure: there is no scheme, or a host or port that cannot be.
///
/// ```
/// use relref::whatwg::parse;
///
/// assert_eq!(parse("http://0x7f.1/a/../%7Eb")?, "http://127.0.0.1/%7Eb");
/// assert_eq!(parse("/a").unwrap_err().kind().name(), "missing-scheme-non-relative-URL");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn parse(url: &str) -> Result<String, Error> {
    let mut out = String::new();
    let trimmed = trim(url);
    let end = crate::uri::scheme_end(trimmed.as_bytes());
    let facts = plain::Facts::of(trimmed.as_bytes());
    if end == 0 || !fast::absolute_into(None, trimmed, end, facts, &mut out) {
        whole(&Input::new(url), None, &mut out, &mut ())?;
    }
    Ok(out)
}

/// Appends the URL of an input by the complete path: the Standard's state machine.
fn whole<O: Observer>(
    input: &Input<'_>,
    base: Option<&Base<'_>>,
    out: &mut String,
    observer: &mut O,
) -> Result<(), Error> {
    let result = match base {
        Some(base) => base.parse(input, out, observer),
        None => Parser::new(&input.text, None, QueryEncoding::default(), out, observer).run(),
    };
    result.map_err(|mut error| {
        input.restore_positions(core::slice::from_mut(&mut error));
        error
    })
}
