//! The reasons why links are rejected, for the lines of `--rejected`.

use std::fmt::{self, Display};

use relref::crawl::OutOfScope;
use relref::whatwg;

/// The reason why a link is rejected.
#[derive(Clone, Copy)]
pub enum Rejection {
    /// The link is not a valid URL, because of this error.
    Invalid(whatwg::Error),
    /// The URI of the link is out of scope, or cannot be fetched, for this reason.
    OutOfScope(OutOfScope),
    /// The link has `rel=nofollow` or, if `by_page` is true, the page asks robots to follow none of its links.
    Nofollow { by_page: bool },
    /// The URI of the link is too long. The number is the limit of `--max-uri` in bytes.
    TooLong(u64),
}

/// Writes the name of the reason, a colon and an explanation. For an invalid link, the position of the error comes after the name.
impl Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Invalid(error) => error.fmt(f),
            Rejection::OutOfScope(why) => write!(f, "{}: {why}", why.name()),
            Rejection::Nofollow { by_page: false } => f.write_str("nofollow: the link has rel=nofollow"),
            Rejection::Nofollow { by_page: true } => {
                f.write_str("page-nofollow: the page asks robots to follow none of its links")
            }
            Rejection::TooLong(most) => write!(f, "too-long: the URI has more than {most} bytes (--max-uri)"),
        }
    }
}
