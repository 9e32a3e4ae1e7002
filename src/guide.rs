//! For users of other crates: what they write there, and what they write here. Only documentation.
//!
//! # From `url`
//! [`whatwg::Url`](crate::whatwg::Url) is the same thing: a URL as browsers read it, serialized. [`Uri`](crate::Uri) keeps what was
//! written, and splits it by RFC 3986.
//!
//! | `url` | here |
//! |---|---|
//! | `Url::parse(text)` | `whatwg::Url::parse(text)`, `text.parse::<whatwg::Url>()` |
//! | `base.join(reference)` | `base.join(reference)`; for many references `whatwg::Base::new(base)?.resolve(reference)`, which gives a `String` |
//! | `base.make_relative(&url)` | `base.relativize(&url)`, which always returns a reference |
//! | `url.host_str()`, `url.host()`, `url.domain()` | `url.host()`, `url.parsed_host()`, `url.domain()` |
//! | `url.path_segments()`, an `Option` | `url.path_segments()`, also of a path without a slash |
//! | `url.query_pairs()` | `url.query_pairs()` |
//! | `url.query_pairs().find(…)` of a name | `url.query_value(name)` |
//! | `url.query_pairs_mut().append_pair(name, value)` | `url.append_query_pair(name, value)` |
//! | `url.path_segments_mut()` | `url.push_segment(segment)`, `pop_segment`, `extend_segments` |
//! | `url.set_host(Some(host))`, `set_path`, `set_query` and others | the same names; the error is `relref::whatwg::Error` |
//! | `url.cannot_be_a_base()` | `url.has_opaque_path()` |
//! | `url.origin()`, `ascii_serialization()` | `url.origin()`, `to_string()`; `url.same_origin(&other)` |
//! | `Url::from_file_path(path)`, `url.to_file_path()` | the same |
//! | `url.into()` as `String` | `url.into_string()`, or the same |
//! | a `url::Url` in hand | `Uri::from(url)`, `whatwg::Url::try_from(url)` with feature `url` |
//!
//! ```
//! use relref::{Uri, whatwg};
//!
//! let mut url = whatwg::Url::parse("http://example.com/a/b?x=1")?;
//! assert_eq!(url.join("../c")?.as_str(), "http://example.com/c");
//! assert_eq!((url.host(), url.port_or_known_default()), (Some("example.com"), Some(80)));
//! assert_eq!(url.path_segments().collect::<Vec<_>>(), ["a", "b"]);
//!
//! url.append_query_pair("q", "a b");
//! url.pop_segment();
//! assert_eq!(Uri::from(url), "http://example.com/a?x=1&q=a+b");
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! # From `fluent-uri`
//! [`Uri`](crate::Uri) and [`UriRef`](crate::UriRef) have the same names and the same parameter, the text. They check nothing but the
//! scheme, unless told.
//!
//! | `fluent-uri` | here |
//! |---|---|
//! | `Uri::parse(text)` | `Uri::parse_valid(text, Grammar::Rfc3986Uri)`; `Uri::parse(text)` takes what pages have, too; `Uri::new(text)` does not copy |
//! | `UriRef::parse(text)` | `UriRef::parse_valid(text, Grammar::Rfc3986Reference)`; `UriRef::new(text)` never fails |
//! | `Iri::parse(text)` | `Uri::parse_valid(text, Grammar::Rfc3987Iri)` |
//! | `uri.scheme().as_str()` | `uri.scheme()`: components are `&str`, with their escapes |
//! | `uri.authority()?.host()`, `host_parsed()` | `uri.host()`, `uri.parsed_host()` |
//! | `reference.resolve_against(&base)` | `base.resolve(&reference, Rules::RFC3986)` on a `Uri`, or `Base::new` for many references |
//! | `uri.normalize()` | `uri.normalize()`, which also knows the default ports of all schemes in the documents |
//! | `Uri::builder().scheme(…).path(…).build()` | the same, without an order of calls; segments and pairs are encoded. `UriRef::builder()` for references |
//! | `EStr`, `decode().into_string()` | `percent::decode(text)` |
//! | `uri.strip_fragment()`, `with_fragment(Some(…))` | `uri.without_fragment()`, which copies; `uri.with_fragment(…)`, also of `None` |
//! | `Uri::try_from(reference)`, `UriRef::from(uri)` | `reference.into_uri()`, `uri.into_uri_ref()`, or the same |
//!
//! ```
//! use relref::validate::Grammar;
//! use relref::{Rules, Uri, UriRef};
//!
//! let base = Uri::parse_valid("http://example.com/a/b", Grammar::Rfc3986Uri)?;
//! let reference = UriRef::parse_valid("../c?q#f", Grammar::Rfc3986Reference)?;
//! assert_eq!(base.resolve(&reference, Rules::RFC3986), "http://example.com/c?q#f");
//! assert_eq!(Uri::builder().scheme("http").host("h").segment("a/b").build()?, "http://h/a%2Fb");
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! # From `oxiri`
//! | `oxiri` | here |
//! |---|---|
//! | `Iri::parse(text)` | `Uri::parse_valid(text, Grammar::Rfc3987Iri)` |
//! | `Iri::parse_unchecked(text)` | `Uri::new(text)`, which is safe |
//! | `base.resolve(reference)` | `Base::new(base, Rules::RFC3986)?.resolve(reference)`: it does not fail, and is written when it is needed |
//! | `base.resolve_into(reference, &mut buffer)` | `base.resolve_into(reference, &mut buffer)` |
//! | `base.relativize(&iri)` | `base.relativize(&uri)`, which always returns a reference |
//! | `iri.as_ref()`, `into_inner()` | `uri.as_borrowed()`, `into_inner()` |
//!
//! ```
//! use relref::{Base, Rules};
//!
//! let base = Base::new("http://example.com/a/b", Rules::RFC3986)?;
//! let mut buffer = String::new();
//! for reference in ["c", "/d"] {
//!     buffer.clear();
//!     base.resolve_into(reference, &mut buffer);
//!     assert_eq!(base.relativize(&buffer), reference);
//! }
//! # Ok::<(), relref::Error>(())
//! ```
