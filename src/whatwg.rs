//! Browsers' rules: the [URL Standard](https://url.spec.whatwg.org/) of June 2026, exactly.
//!
//! It is not a rule set like the others: results are re-encoded text, and some references have no result. An input and a base
//! give the serialized URL (*href*), or the error with which the Standard's parser fails.
//!
//! ```
//! use relref::whatwg::{self, Base, Url};
//!
//! let base = Base::new("http://example.com/docs/")?;
//! assert_eq!(base.resolve("a b\\c")?, "http://example.com/docs/a%20b/c");
//!
//! let mut out = String::new();
//! base.resolve_into("#top", &mut out)?;
//! assert_eq!(out, "http://example.com/docs/#top");
//!
//! let url = Url::parse("HTTP://EXAMPLE.com:81")?;
//! assert_eq!((url.as_str(), url.host(), url.port()), ("http://example.com:81/", Some("example.com"), Some(81)));
//! # Ok::<(), whatwg::Error>(())
//! ```
//!
//! # Sections of the Standard
//! | section of the Standard | here |
//! |---|---|
//! | §4.4 *basic URL parser*, with a base | [`Base::resolve`], [`Base::resolve_into`] |
//! | §4.4, without a base | [`Url::parse`], [`Base::new`] |
//! | §4.4, with a *state override*; §6.1 *URL class* | the setters of [`Url`]; [`Url::get`], [`Url::set`] |
//! | §4.7 *origin* | [`Url::origin`] |
//! | §4.5 *URL serializing* | every result is serialized |
//! | §3.5 *host parsing*, §3.6 *host serializing* | in these, too |
//! | §1.1 *validation errors*, §4.4 states | [`inspect()`], [`ErrorKind`], [`State`]; [`Step`]: what was done, with its section |
//! | §1.3 *percent-encode after encoding* | [`Base::query_charset`] |
//!
//! [`Base::relativize`] is not in the Standard.
//!
//! # Cost
//! Any input is handled in linear time, without recursion and without panic. A reference whose result needs no percent-encoding
//! takes two searches and two copies. Nearly all links do, at little more than the cost of RFC 3986. One with characters to
//! percent-encode takes some three times as long. All others go through the Standard's states, at some five times that cost.
//! [`Base`] owns its text; [`resolve()`] borrows a base that is an `http` or `https` URL already written as the Standard
//! serializes it.
//!
//! No way allocates if the buffer has enough capacity. There are two exceptions: a reference with tabs or line breaks inside, and
//! a host with escapes or beyond US-ASCII.
//!
//! # Hosts beyond US-ASCII
//! With a special scheme, such hosts need feature `idna`. Without it they give the error [`ErrorKind::FeatureIdnaMissing`]. A label
//! of more than 1000 characters is an error even with it: the Standard has no limit, but finding the A-label would take quadratic
//! time. DNS allows 63. With other schemes, such hosts are percent-encoded.

mod authority_states;
mod base;
#[cfg(feature = "idna")]
mod display_host;
mod dot_segment;
mod encode_set;
mod encoded_parts;
mod encoder;
mod error;
mod file_states;
mod host;
mod input;
mod inspect;
mod inspection;
mod ipv4;
mod ipv6;
mod parse;
mod parser;
mod path_states;
mod prepared_base;
mod query_charset;
mod relativize;
pub(crate) mod scheme;
mod simple;
mod state;
mod step;
mod url;
mod url_record;
mod ways;
mod web_host;

pub use base::Base;
pub use encode_set::{EncodeSet, Encoded};
pub use error::{Error, ErrorKind};
pub(crate) use host::ip_address;
pub use inspect::inspect;
pub use inspection::{Inspection, LeftOut};
pub(crate) use ipv4::ipv4_number;
pub(crate) use parse::parse;
pub use parse::{resolve, resolve_into};
pub use query_charset::QueryCharset;
pub(crate) use scheme::Scheme;
pub use state::State;
pub use step::{Action, Step};
pub use url::{Attribute, Url};
pub(crate) use web_host::{file_host, fits_dns, web_host};
