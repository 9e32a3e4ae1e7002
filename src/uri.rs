//! References and absolute URIs: their types, the texts that they hold, and conversions.

mod absolute;
mod convert;
mod optional_text;
mod parse_error;
mod traits;
mod uri_ref;
mod uri_text;

pub use self::absolute::Uri;
pub(crate) use self::convert::each_text_conversion;
pub use self::optional_text::OptionalText;
pub use self::parse_error::ParseError;
pub(crate) use self::traits::text_traits;
pub use self::uri_ref::UriRef;
pub(crate) use self::uri_ref::{path_and_query_ends, scheme_end};
pub(crate) use self::uri_text::no_scheme;
pub use self::uri_text::{Lend, UriText};
