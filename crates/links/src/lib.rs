//! Finds the links of HTML pages, feeds and web archives, and resolves them.
//!
//! ```
//! use relref_links::html;
//!
//! let page = b"<a href=intro>start</a> <img src=a.png>";
//! let links = html::links(page, "http://example.com/docs/")?;
//! assert_eq!(links[0].uri, "http://example.com/docs/intro");
//! assert_eq!(links[1].element, "img");
//! # Ok::<(), relref::whatwg::Error>(())
//! ```
//!
#![cfg_attr(feature = "page", doc = include_str!("../tour.md"))]
//!
//! | to | use |
//! |---|---|
//! | find the links of a page, a style sheet, a field of an HTTP head | [`html::links(page, uri)?`](html::links), [`css::links(sheet, uri)?`](css::links), [`html::field_links("Link", value, uri)?`](html::field_links), [`html::title(page)`](html::title); for many or long pages [`html::Pages`] |
//! | put other references into a page, and change no other byte | [`rewrite::html(page, uri, \|link\| Some(…))?`](rewrite::html), [`rewrite::css`], [`rewrite::field`] of HTTP heads; in chunks, [`Rewriter::new(\|link\| Some(…)).start(&base, out)`](rewrite::Rewriter::start), then `push(chunk)?` and `finish()?` |
//! | make links absolute, relative or rooted, or those of another site | [`Rewriter::from(Mapping::new(Mode::Relative)).html(page, None, &base)`](rewrite::Mapping), also [`Absolute`](rewrite::Mode) and `Rooted`; `base` is a [`relref::whatwg::Base`] |
//! | know the reference that a renamed file needs | [`Renaming::new(root, [(old, new)])?.reference(reference, &base)`](rewrite::Renaming), with the URIs of the root and of the page |
#![cfg_attr(
    feature = "feeds",
    doc = "| find the links of a sitemap, a feed or `robots.txt` | [`feeds::links(text, uri)?`](feeds::links), [`feeds::sitemap_entries(text, uri)?`](feeds::sitemap_entries), whose entries have `lastmod`: iterators of results; [`feeds`] |"
)]
#![cfg_attr(
    feature = "archive",
    doc = "| read the records of a web archive | [`archive::Records::open(path)?`](archive::Records), then `next_record()` or `next_capture()`; [`archive`] |"
)]
#![cfg_attr(
    feature = "markdown",
    doc = "| read Markdown | [`markdown::links(text, uri)?`](markdown::links), [`markdown::heading_ids(text, Renderer::GitHub)`](markdown::heading_ids) |"
)]
#![cfg_attr(
    feature = "page",
    doc = "| read pages of any kind, from files, responses and archives, with one reader | [`Page::new(uri, bytes)`](page::Page), [`Page::from_response(uri, head, body)`](page::Page::from_response), [`Captures::open(path)?`](page::Captures), an iterator of results; each page has `uri` and `links()` |"
)]
#![cfg_attr(
    feature = "check",
    doc = "| find the links of a site that do not work | [`Site::open(folder, Options::default())?.problems()`](check::Site::problems), an iterator of results; a [`Problem`](check::Problem) has `page`, `place`, `reference`, `kind`, `suggestion` |"
)]
#![cfg_attr(
    feature = "check",
    doc = "| write what they mean, where that is certain | [`site.fix()?`](check::Site::fix), or page by page [`site.each_fix(\\|problem\\| …, \\|page\\| …)?`](check::Site::each_fix) |"
)]
#![cfg_attr(
    feature = "check",
    doc = "| rename files, and keep every link | [`Arc::new(site).renamed_pages([(old, new)])?`](check::Site::renamed_pages), the pages that change; [`Rewriter::from(site.renaming([(old, new)]))`](check::Site::renaming) for one |"
)]
#![cfg_attr(feature = "check", doc = "| walk through a folder, replace a file | [`files`] |")]
//!
//! The crate [`relref`] resolves the links; a program that has references already needs only that. It normalizes links for
//! crawlers, too. The crate `relref-cli` is the `relref` command, which does all of this for files and folders.
//!
//! # Features
//! - `check`: the links of a site that do not work, their repair, and files that get other names.
//! - `archive`: the pages in WARC files; `zstd` adds archives and bodies that are compressed so (it needs a C compiler), `wacz` the
//!   archives in WACZ files, and `wat` the links in WAT files.
//! - `feeds`: the links of sitemaps, RSS, Atom and `robots.txt`.
//! - `idna` (default): by browsers' rules, links to hosts beyond US-ASCII, such as `http://bücher.example/`. Without it, they are no
//!   valid URLs.
//! - `json-ld`: the URLs of JSON-LD in pages, with [`lazy`](html::Options::lazy).
//! - `markdown`: the links and the ids of headings of Markdown.
//! - `page`: pages of any kind; it has `archive`, `feeds`, `json-ld` and `wat`.
//! - `serde`: links and problems as structs, their kinds as strings.
//! - Features of [`relref`] count here, too.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// The crate of character encodings, for a matching version.
pub use encoding_rs;
/// The crate of bases and rule sets, for a matching version.
pub use relref;

/// Defines methods of a visitor of serde that ignore a value: the name and, in parentheses, the value's type.
#[cfg(any(feature = "json-ld", feature = "wat"))]
macro_rules! visit_nothing {
    ($($visit:ident($($value:ty)?)),*) => {
        $(fn $visit<E>(self, $(_: $value)?) -> Result<(), E> {
            Ok(())
        })*
    };
}

/// Implements `Debug`, which shows these fields, and that there are others.
macro_rules! debug_fields {
    ([$($parameters:tt)*] $type:ident $(<$($argument:tt),*>)?: $($field:ident)*) => {
        impl<$($parameters)*> std::fmt::Debug for $type $(<$($argument),*>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($type))$(.field(stringify!($field), &self.$field))*.finish_non_exhaustive()
            }
        }
    };
}

/// Defines an enum whose variants have names, each after its variant.
macro_rules! named_enum {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$doc:meta])* $variant:ident $name:literal,)* }) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[$doc])* $variant,)*
        }

        impl $type {
            /// All, in their order.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// Returns the name, in lower case with hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }
    };
}

#[cfg(feature = "archive")]
pub mod archive;
mod changed_part;
#[cfg(feature = "check")]
pub mod check;
pub mod css;
mod entities;
mod equivalent;
#[cfg(feature = "feeds")]
pub mod feeds;
#[cfg(feature = "check")]
pub mod files;
pub mod html;
#[cfg(feature = "markdown")]
pub mod markdown;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "markdown")]
mod renderer;
pub mod rewrite;
mod utf16;
mod utf8_reader;
// For the command, as the check works.
#[cfg(feature = "check")]
#[doc(hidden)]
#[allow(missing_docs, reason = "it is no part of the interface")]
pub mod parallel;

#[doc(hidden)]
pub use utf8_reader::Unmarked;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
