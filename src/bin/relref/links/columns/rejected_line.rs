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
    /// The link is not a valid URL.
    Invalid(whatwg::Error),
    OutOfScope(OutOfScope),
    /// The link has `rel=nofollow` or, if `by_page` is true, the page asks robots to follow none of its links.
    Nofollow {
        by_page: bool,
    },
    /// The URI of the link has more bytes than this number, that of `--max-uri`.
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

/// The line of a rejected link.
pub struct RejectedLine<'l> {
    pub format: &'l LineFormat,
    pub link: &'l Link<'l>,
    /// The text of the reason.
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
