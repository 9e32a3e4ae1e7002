//! Resolves relative references: given the URI of a page and a reference in it, returns the absolute URI that the reference means.
//!
//! One engine resolves by RFC 1630's *partial form* (1994), by its drafts, and by its successors RFC 1808, RFC 2396 and RFC 3986. What
//! each document decides is a value of [`Rules`].
//!
//! ```
//! use relref::{Base, Rules};
//!
//! let base = Base::new("http://example.com/docs/guide/intro.html", Rules::RFC3986)?;
//! assert_eq!(base.resolve("../api#top"), "http://example.com/docs/api#top");
//! assert_eq!(base.relativize("http://example.com/docs/api#top"), "../api#top");
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | resolve by any rules, browsers' too | [`AnyBase::new(uri, RuleSet::Whatwg)?`](AnyBase), [`RuleSet`] |
//! | choose the rules of a document | [`Rules::RFC3986`](Rules) and others |
//! | resolve many references of one page | [`base.resolve(reference)`](Base::resolve), [`base.resolve_into(reference, &mut buffer)`](Base::resolve_into) |
//! | resolve one reference | [`resolve(base, reference, rules)?`](resolve()), [`resolve_into`], [`uri.resolve(reference, rules)`](Uri::resolve) |
//! | resolve references as browsers do | [`whatwg::Base::new(uri)?.resolve(reference)?`](whatwg::Base), which gives a `String` |
//! | parse and change a URL as browsers do | [`whatwg::Url::parse(text)?`](whatwg::Url) |
//! | resolve within an archived site, or another URI in a URI | [`AnyBase::nested(uri, rules)?`](AnyBase::nested) |
//! | get the shortest reference to a URI, or one of another form | [`base.relativize(uri)`](Base::relativize), [`Base::relativize_as`] |
//! | see the steps that led to a result, with their sources | [`base.explain(reference)`](Base::explain): its fields are `steps` and `uri` |
//! | split a URI or reference, and keep it: in a map, a struct, across threads | [`UriRef::new(text)`](UriRef), which borrows and never fails, [`UriRef::from_static`] in constants, [`Uri::parse(text)?`](Uri), which owns |
//! | keep a result | [`Resolved::into_string`], [`Resolved::into_uri`] |
//! | change a component, in place or in a copy | [`uri.set_query("a=b")?`](Uri::set_query), [`uri.with_query("a=b")?`](Uri::with_query) and others; `None` removes |
//! | change query pairs and segments, which are encoded | [`uri.append_query_pair(name, value)`](Uri::append_query_pair), [`uri.push_segment(segment)?`](Uri::push_segment) and others |
//! | read hosts, segments, query pairs, the parts that a scheme defines | [`uri.parsed_host()`](Host), [`uri.path_segments()`](PathSegments), [`uri.query_pairs()`](QueryPairs), [`scheme::view(&uri)`](scheme::view) |
//! | build a URI from components | [`Uri::builder().scheme("http").host("h").path("/a").build()?`](Uri::builder), [`UriRef::builder`] |
//! | compare origins | [`uri.same_origin(other)`](UriRef::same_origin), [`whatwg::Url::same_origin`] |
//! | check a URI against a grammar | [`Grammar::Rfc3986Uri.validate(text)?`](validate::Grammar::validate), whose error has a `position()`; [`Uri::parse_valid`] |
//! | percent-encode and decode | [`percent::encode(text)`](percent::encode), [`percent::decode(text)?`](percent::decode) |
//! | make a URI of an IRI, and an IRI to show | [`percent::iri_to_uri`], [`percent::uri_to_iri`] |
//! | normalize a URI, compare two | [`uri.normalize()?`](Uri::normalize), [`canon::compare(a, b, rules)?`](canon::compare), whose result has `is_equal()` |
//! | normalize links for a crawler, make sort keys | [`Normalizer::crawl().normalize(uri)?`](crawl::Normalizer), [`normalizer.surt(uri)?`](crawl::Normalizer::surt), [`crawl::cdx_key(uri)?`](crawl::cdx_key) |
//! | ask which links a crawler may fetch, by a `robots.txt` and by limits | [`RobotsTxt::parse(text).allows(agent, uri)`](crawl::RobotsTxt), [`Scope::new().within(url)?.check(uri, page)?`](crawl::Scope) |
//! | find URIs in running text, and that in a redirector's URI | [`text::find_wrapped(text)`](text::find_wrapped), [`crawl::redirect_target(uri, REDIRECTORS)`](crawl::redirect_target) |
//! | come from `url`, `fluent-uri` or `oxiri` | [`guide`] |
//!
//! This crate is the engine, with two dependencies. The crate `relref-links` finds the links of pages, feeds and web archives, and
//! resolves them by this one. The crate `relref-cli` is the `relref` command. They are released together, with one version number, and
//! each requires exactly its own version of this one.
//!
//! Any reference of any length resolves, in linear time. There is no panic and no recursion, and nothing is validated, trimmed or
//! decoded on the way. The only error of resolving is a base without a scheme.
//!
//! # Features
//! - `std` (default): searches with the widest vectors of the processor, and the paths of files. Without it the crate is `no_std`
//!   with `alloc`.
//! - `serde`: [`UriRef`], [`Uri`], [`Resolved`], [`whatwg::Url`], [`whatwg::Base`], [`Rules`], [`RuleSet`] and names as strings; [`Base`] as a struct;
//!   [`Normalizer`](crawl::Normalizer) as the name of a preset, or a struct. Texts in `Arc` and `Rc` need serde's feature `rc`.
//! - `idna`: hosts as A-labels, in [`crawl`] and [`whatwg`], and, by `url.display_host()`, an `Option`, as they are shown.
//! - `http`, `url`: conversions with `http::Uri` and `url::Url`, by `try_from`, also of `&`; from a `url::Url` to a [`Uri`], by `from`.
//! - `psl`, `regex`: the limits of [`crawl::Scope`] to a domain and by patterns; `psl` also has `crawl::public_suffix`
//!   and `crawl::registrable_domain`.

// The tests of a unit may use `std`.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod by_name;
pub mod canon;
mod compare_by;
mod components;
pub mod crawl;
mod error;
#[cfg(any(doc, doctest))]
pub mod guide;
#[cfg(any(feature = "http", feature = "url"))]
mod interop;
mod names;
mod nested;
mod normal;
pub mod percent;
mod reference_form;
mod resolve;
mod rule_set;
mod rules;
mod scan;
pub mod scheme;
#[cfg(feature = "serde")]
mod serde;
mod source;
pub mod text;
mod uri;
pub mod validate;
pub mod whatwg;

pub use components::{Builder, Host, OpaqueOrigin, Origin, PathSegments, QueryPairs};
pub use error::{Error, ErrorKind};
pub use nested::split_nested;
pub use reference_form::ReferenceForm;
/// The crate whose errors [`crawl::Scope`] returns, for a matching version.
#[cfg(feature = "regex")]
pub use regex;
pub use resolve::{Action, Base, Explanation, Resolved, Segments, Step, resolve, resolve_into};
pub use rule_set::{AnyBase, BaseError, RuleSet};
pub use rules::{Decision, Document, Rules, Slashes};
pub use source::Source;
pub use uri::{Uri, UriRef};

/// What signatures name and programs seldom do: the texts that a [`Uri`] holds, what its setters take, the base in an [`AnyBase`], and
/// bases by any rules.
pub mod support {
    pub use crate::rule_set::{InnerBase, Resolves};
    pub use crate::uri::{Lend, OptionalText, ParseError, UriText};
}

/// The seam to `relref-links`. It can change in any version.
#[doc(hidden)]
pub mod private {
    pub use crate::names::ValueNames;
    pub use crate::reference_form::{origin, path_relative};
    pub use crate::scan::{all, find_byte, has_letters};
    pub use crate::whatwg::scheme::FETCHED_SCHEMES;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "psl", feature = "regex", feature = "http", feature = "url"))]
#[doc = include_str!("../TOUR.md")]
struct Tour;
