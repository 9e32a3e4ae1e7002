//! The lines of `--rejected`: one for each link that is not printed, with the reason.

use std::fmt::{self, Display};
use std::io::{self, Write};

use relref::crawl::OutOfScope;
use relref::html::Link;
use relref::whatwg;

use super::line::{LineFormat, json_fields, tabbed};
use crate::args::Format;
use crate::links::pool::Line;

/// The reason why a link is not printed.
#[derive(Clone, Copy)]
pub enum Reason {
    /// It is no valid URL.
    Invalid(whatwg::Error),
    OutOfScope(OutOfScope),
    /// It has `rel=nofollow`, or the page asks robots to follow none of its links.
    Nofollow {
        by_page: bool,
    },
    /// Its URI has more bytes than this, the number of `--max-uri`.
    TooLong(u64),
}

/// Writes a name, which may have a position after it, a colon, and an explanation.
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

/// The line of a rejected link.
pub struct RejectedLine<'l> {
    pub format: &'l LineFormat,
    pub link: &'l Link<'l>,
    pub why: &'l str,
}

impl Line for RejectedLine<'_> {
    fn most_bytes(&self) -> usize {
        let Link { element, attribute, reference, .. } = self.link;
        self.format.most_bytes([element, attribute, reference, self.why])
    }

    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let Link { element, attribute, reference, .. } = *self.link;
        out.write_all(&self.format.start)?;
        match self.format.format {
            Format::Jsonl => {
                let fields =
                    [("element", element), ("attribute", attribute), ("reference", reference), ("why", self.why)];
                json_fields(out, fields.into_iter())?;
            }
            Format::Tsv | Format::Text => tabbed(out, [element, attribute, reference, self.why].into_iter())?,
        }
        out.write_all(b"\n")
    }
}
