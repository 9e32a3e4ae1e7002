//! Character encodings: of a page, and of the queries in it.

pub(crate) mod detected;
pub(crate) mod labels;
pub(crate) mod meta;
pub(crate) mod query_charset;
