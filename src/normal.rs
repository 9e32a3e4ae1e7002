//! The normalizer that `canon` and `crawl` share: changes, encodings, and a writer that appends a URI with its changes in one pass.

mod authority;
mod by_scheme;
mod change;
mod cookieless;
mod effect;
mod encoding;
#[cfg(feature = "idna")]
mod idna;
mod known_names;
mod parameter_lists;
mod path;
mod push_within;
mod query;
mod segments;
mod uri_writer;

pub use change::Change;
pub(crate) use change::ChangeSet;
pub use effect::Effect;
pub(crate) use effect::effects;
pub(crate) use encoding::stays_in_every_encoding;
pub use encoding::{Encoding, expand, recode, safer};
pub use known_names::{INDEX, SESSION, TRACKING};
pub(crate) use parameter_lists::{NO_NAMES, NameSet, ParameterLists};
pub(crate) use uri_writer::UriWriter;
