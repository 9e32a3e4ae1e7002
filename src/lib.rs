//! Resolves relative references: given the URI of a document and a hyperlink found in it, which absolute URI does the link
//! mean?
//!
//! The heart is the *partial form* of RFC 1630 (1994); its draft, its predecessor URL7, and its successors RFC 1808, 2396
//! and 3986 are [`Rules`] of the same engine.
//!
//! ```
//! use relref::{Base, Rules};
//!
//! let base = Base::new("http://example.com/docs/guide/intro.html", Rules::RFC3986)?;
//! assert_eq!(base.resolve("../api#top").to_string(), "http://example.com/docs/api#top");
//! assert_eq!(base.relativize("http://example.com/docs/api#top"), "../api#top");
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | resolve many references of one document | [`Base::resolve`], [`Base::resolve_into`] |
//! | resolve one | [`resolve`] |
//! | make a reference short again | [`Base::relativize`] |
//! | see why | [`Base::explain`] |
//! | take a URI apart | [`UriRef`], [`Segments`], by its scheme [`scheme::view`] |
//! | check it against a grammar | [`validate::validate`] |
//! | encode and decode | [`percent`] |
//! | bring it to its normal form, compare two | [`canon::normalize`], [`canon::compare`] |
//! | bring links to one form for a crawler, make sort keys | [`crawl::Normalizer`] |
//! | find the URIs in running text | [`text::unwrap`] |
#![cfg_attr(feature = "html", doc = "| find the links of a page | [`html::links`], [`html::Pages`] |")]
//!
//! Any input resolves, of any length, in linear time: there is no panic, no recursion and no validation. A base must have
//! a scheme; that is the only error of resolving.
//!
//! # Features
//! - `std` (default): the fastest scanning the processor has; without it the crate is `no_std` with `alloc`.
//! - `serde`: [`UriRef`], [`Rules`] and [`Resolved`] as strings.
//! - `idna`: hosts as A-labels, in [`crawl`].
//! - `html`: the links of a page.
//! - `cli`: the `relref` command.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(feature = "archive")]
pub mod archive;
pub mod canon;
pub mod crawl;
mod error;
#[cfg(feature = "html")]
pub mod html;
mod normal;
pub mod percent;
mod resolve;
mod rules;
mod scan;
pub mod scheme;
#[cfg(feature = "serde")]
mod serde;
pub mod text;
mod uri;
pub mod validate;

pub use error::{Error, ErrorKind};
pub use resolve::{Action, Base, BaseBuf, Explanation, Resolved, Segments, Step, resolve};
pub use rules::{Document, Rules, Slashes};
pub use uri::UriRef;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
