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
//! | find the links of a page | [`html::links`], [`html::Pages`] |
//! | put other references into a page, and change no other byte | [`rewrite::html`] |
//! | make links absolute, relative or rooted, or those of another site | [`rewrite::Mapping`] |
//! | know the reference that a renamed file needs | [`rewrite::Renaming`] |
#![cfg_attr(feature = "feeds", doc = "| find the links of a sitemap, a feed or `robots.txt` | [`feeds`] |")]
#![cfg_attr(feature = "archive", doc = "| read the pages of a web archive | [`archive`] |")]
#![cfg_attr(feature = "markdown", doc = "| read Markdown | [`markdown`] |")]
#![cfg_attr(feature = "page", doc = "| read pages of any kind, from files and archives, with one reader | [`page`] |")]
#![cfg_attr(feature = "check", doc = "| find the links of a site that do not work | [`check::Site::problems`] |")]
#![cfg_attr(feature = "check", doc = "| write what they mean, where that is certain | [`check::Site::each_fix`] |")]
#![cfg_attr(feature = "check", doc = "| rename files, and keep every link | [`check::Site::renaming`] |")]
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
//! - `serde`: links as structs, kinds of links as strings.
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
#[cfg(feature = "check")]
pub mod check;
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
