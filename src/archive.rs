//! Web archives: the pages in WARC files (feature `archive`).

#![allow(missing_docs)]

#[doc(hidden)]
pub mod http;
mod inflate;
#[doc(hidden)]
pub mod members;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod records;
#[doc(hidden)]
pub mod rewind;
#[doc(hidden)]
pub mod sniff;
