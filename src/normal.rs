//! The normalizer that `canon` and `crawl` share: changes, encodings, and a writer that appends a URI with its changes in one pass.

mod authority;
mod change;
mod encoding;
#[cfg(feature = "idna")]
mod idna;
mod lists;
mod names;
mod path;
mod query;
mod segments;
mod within;
mod writer;

pub use change::Change;
pub(crate) use change::Changes;
pub(crate) use encoding::is_all_plain;
pub use encoding::{Encoding, expand, recode, safer};
pub use lists::{INDEX, SESSION, TRACKING};
pub(crate) use names::{Lists, NO_NAMES, NameSet};
pub(crate) use writer::Writer;
