//! The reasons why links are not printed, as the lines of `--rejected` have them.

use std::fmt::{self, Display};

use relref::crawl::OutOfScope;
use relref::whatwg;

/// The reason why a link is not printed.
#[derive(Clone, Copy)]
pub enum Reason {
    /// The link is not a valid URL.
    Invalid(whatwg::Error),
    OutOfScope(OutOfScope),
    /// The link has `rel=nofollow` or, if `by_page` is true, the page asks robots to follow none of its links.
    Nofollow {
        by_page: bool,
    },
    /// The URI of the link has more bytes than this number, the limit of `--max-uri`.
    TooLong(u64),
}

/// Writes the name of the reason, a colon and an explanation. For an invalid link, the position of the error follows the name.
impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Invalid(error) => error.fmt(f),
            Reason::OutOfScope(why) => write!(f, "{}: {why}", why.name()),
            Reason::Nofollow { by_page: false } => f.write_str("nofollow: the link has rel=nofollow"),
            Reason::Nofollow { by_page: true } => {
                f.write_str("page-nofollow: the page asks robots to follow none of its links")
            }
            Reason::TooLong(most) => write!(f, "too-long: the URI has more than {most} bytes (--max-uri)"),
        }
    }
}
