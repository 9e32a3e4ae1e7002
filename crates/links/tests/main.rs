//! All integration tests of relref-links, as one binary.

mod api;
#[cfg(all(feature = "check", feature = "wacz"))]
mod check;
#[cfg(feature = "check")]
mod check_fixtures;
#[cfg(all(feature = "page", feature = "wacz"))]
mod epub;
#[cfg(all(feature = "check", feature = "markdown"))]
mod fixing;
#[cfg(feature = "markdown")]
mod markdown;
mod traits;

#[path = "../../../tests/whatwg/checks.rs"]
mod checks;

#[cfg(feature = "page")]
mod mhtml;
#[cfg(feature = "page")]
mod page;

mod html {
    mod attributes;
    mod charset;
    // `check` has hosts such as müller.example.
    #[cfg(feature = "check")]
    mod conformance;
    mod css;
    mod facts;
    mod inner;
    mod laws;
    mod limits;
    mod markup;
    mod query_charset;
    mod raw_text;
    pub(super) mod stream;
    mod style_sheet;
    mod text;
    mod vectors;
    mod xml;
}

mod rewrite {
    #[cfg(feature = "feeds")]
    mod feed_laws;
    #[cfg(feature = "feeds")]
    mod feeds;
    mod laws;
    mod places;
    mod renaming;
}
