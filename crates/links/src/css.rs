//! The links of style sheets.
//!
//! [`links`] returns those of a sheet with their URIs. [`each_link`] finds references without allocating for each:
//! [`Pages::found_links`](crate::html::Pages::found_links) resolves and filters these.

pub use crate::html::style_sheet::{each_link, links};
