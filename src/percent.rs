//! Percent-encoding: octets written as escapes, and escapes read as octets.
//!
//! An escape is `%` and two hex digits of either case; `%` is never anything else (RFC 1630, *Reserved characters: the percent
//! sign*; RFC 1738 §2.2; RFC 3986 §2.1). A [`ByteSet`] says which octets to escape; the sets of each document are its constants.
//!
//! ```
//! use relref::percent::{ByteSet, decode, encode, encode_with};
//!
//! assert_eq!(encode("50% of a/b"), "50%25%20of%20a%2Fb");
//! assert_eq!(encode_with("50% of a/b", ByteSet::PATH).to_string(), "50%25%20of%20a/b");
//! assert_eq!(decode("50%25%20of")?, "50% of");
//!
//! // `%` with anything else after it is an error where the digit is missing; it is never decoded and never removed.
//! assert_eq!(decode("asdf%*.fred").unwrap_err().position(), 5);
//! # Ok::<(), relref::Error>(())
//! ```

mod byte_set;
mod decode;
mod encode;
mod iri;

pub use self::byte_set::ByteSet;
pub use self::decode::{Decode, decode, decode_bytes, decode_leaving_illegal, decode_lossy, decode_query};
pub(crate) use self::decode::{illegal_escape_error, lossy, octet};
pub use self::encode::{Encode, encode, encode_latin1, encode_query, encode_with};
pub(crate) use self::encode::{escape, escape_bytes};
pub(crate) use self::iri::{IRI, completes_escape, is_ucschar};
pub use self::iri::{iri_to_uri, uri_to_iri};
