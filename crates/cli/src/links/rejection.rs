//! The reasons why links are rejected, for the lines of `--rejected`.

use std::fmt::{self, Display};

use relref::crawl::OutOfScope;
use relref::whatwg;

use super::robots::Disallowed;

#[derive(Clone, Copy)]
pub enum Rejection {
    /// Not a valid URL.
    Invalid(whatwg::Error),
    /// Out of scope, or cannot be fetched.
    OutOfScope(OutOfScope),
    /// `rel=nofollow` or, if `by_page` is true, the page asks robots to follow none of its links.
    Nofollow { by_page: bool },
    /// By `--robots`.
    Robots(Disallowed),
    /// The limit of `--max-uri` in bytes.
    TooLong(u64),
}

/// For an invalid link, the position of the error comes after the name.
impl Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Invalid(error) => error.fmt(f),
            Rejection::OutOfScope(why) => write!(f, "{}: {why}", why.name()),
            Rejection::Nofollow { by_page: false } => f.write_str("nofollow: the link has rel=nofollow"),
            Rejection::Nofollow { by_page: true } => {
                f.write_str("page-nofollow: the page asks robots to follow none of its links")
            }
            Rejection::Robots(Disallowed::ByLine(line)) => {
                Rejection::OutOfScope(OutOfScope::Robots { line: *line }).fmt(f)
            }
            Rejection::Robots(Disallowed::Unread) => f.write_str("robots: robots.txt cannot be read"),
            Rejection::TooLong(most) => write!(f, "too-long: the URI has more than {most} bytes (--max-uri)"),
        }
    }
}
