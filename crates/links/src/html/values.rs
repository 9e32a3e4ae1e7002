//! The values that hold references: of attributes, style sheets and HTTP fields.

pub(crate) mod clean;
pub(crate) mod css;
pub(crate) mod field_error;
pub(crate) mod fields;
#[cfg(feature = "json-ld")]
pub(crate) mod json_ld;
pub(crate) mod nofollow;
pub(crate) mod references;
mod refresh;
pub(crate) mod rel;
pub(crate) mod srcset;
