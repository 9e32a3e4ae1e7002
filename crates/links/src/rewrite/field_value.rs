//! The references of fields of HTTP heads.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use relref::whatwg;

use crate::html::{Link, LinkReceiver, PageUri, Pages, each_placed_link};

/// Returns the value of a field of an HTTP head with the references that `new` returns for its links: those of `Location`,
/// `Content-Location`, `Link` and `Refresh`, as [`field_links`](crate::html::field_links) finds them. The value of another field
/// stays as it is. So does a link for which `new` returns `None`, one of `imagesrcset`, and one whose new reference could not be read back in its
/// place, such as one with a line break.
///
/// # Errors
/// `uri`, that of the response, is a text and no absolute URL.
///
/// ```
/// use relref_links::rewrite;
///
/// let value = "<?page=2>; rel=next, </style.css>; rel=stylesheet";
/// let value = rewrite::field("Link", value, "http://h/a", |link| Some(link.uri.replace("http:", "https:")))?;
/// assert_eq!(value, "<https://h/a?page=2>; rel=next, <https://h/style.css>; rel=stylesheet");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[doc(alias("header", "rewrite_header"))]
pub fn field(
    name: &str,
    value: impl AsRef<str>,
    uri: impl PageUri,
    mut new: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<String, whatwg::Error> {
    let (base, value) = (uri.to_base()?, value.as_ref());
    // That of the link that is reported next, if it has a URI.
    let place = Cell::new(None);
    let (mut out, mut copied) = (String::with_capacity(value.len()), 0);
    let find = |links: &mut LinkReceiver<'_>| {
        // The links that can be read are there.
        let _ = each_placed_link(name, value, |link, range| {
            place.set(range);
            links.add(link)
        });
    };
    let _ = Pages::new().found_links(base.as_page_base(), find, |link| {
        let Some(range) = place.take() else { return ControlFlow::<()>::Continue(()) };
        if let Some(new) = new(&link).filter(|new| reads_back(name, value, &range, new)) {
            out.push_str(&value[copied..range.start]);
            out.push_str(&new);
            copied = range.end;
        }
        ControlFlow::Continue(())
    });
    out.push_str(&value[copied..]);
    Ok(out)
}

/// Reports whether `new` is the reference there if it is written there.
fn reads_back(name: &str, value: &str, range: &Range<usize>, new: &str) -> bool {
    // Of the URL Standard §4.4: what is removed, also at the ends. Others would end the field.
    if new.contains(|c: char| c.is_control()) || new.trim_matches(' ') != new {
        return false;
    }
    if name.eq_ignore_ascii_case("link") {
        // Links of a list are not read again with all others, so that time is linear.
        return !new.contains('>');
    }
    let written = [&value[..range.start], new, &value[range.end..]].concat();
    let mut reads = false;
    let _ = each_placed_link(name, &written, |link, _| {
        reads = link.reference == new;
        true
    });
    reads
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;
    use crate::html::{LinkBuf, field_links};

    fn rewritten(name: &str, value: &str, new: &str) -> String {
        field(name, value, "http://h/a", |_| Some(new.to_owned())).unwrap()
    }

    #[test]
    fn only_references_change() {
        for (name, value, new, expected) in [
            ("Location", "/b", "c", "c"),
            ("Location", "/b", "c\r\nSet-Cookie: a", "/b"),
            ("content-location", "b", " c", "b"),
            ("Refresh", "5; url='b c' x", "d", "5; url='d' x"),
            ("Refresh", "5; url='b'", "d'e", "5; url='b'"),
            ("Refresh", "5;5", "6", "5;6"),
            ("Refresh", "5", "d", "5"),
            ("LINK", "<b>; title=\"<c>\", <b>, d, <>; rel=next", "x", "<x>; title=\"<c>\", <x>, d, <x>; rel=next"),
            ("Link", "<b>, <http://[>", "x", "<x>, <http://[>"),
            ("Link", "<b>; rel=preload; imagesrcset=\"c 1x\", <é>", "x", "<x>; rel=preload; imagesrcset=\"c 1x\", <x>"),
            ("Link", "<b>", "x>y", "<b>"),
            ("Other", "<b>", "x", "<b>"),
        ] {
            assert_eq!(rewritten(name, value, new), expected, "{name}: {value}");
        }
        assert!(field("Link", "<a>", "a", |_| None).is_err());
    }

    quickcheck! {
        /// A value with other references has as many links, and their URIs; and the same one stays as it is.
        fn links_are_those_that_were_written(value: String, which: usize, new: String) -> bool {
            let name = ["Link", "Location", "Refresh", "Content-Location"][which % 4];
            let value = match which % 5 {
                0 => value,
                1 => format!("0;url={value}"),
                _ => format!("<{value}>; rel=x, <{new}>"),
            };
            let same = field(name, &value, "http://h/a", |link| Some(link.reference.to_owned())).unwrap();
            // Characters that are removed from a reference move the places after it.
            let links_of = |value: &str| {
                let links = field_links(name, value, "http://h/a").unwrap().into_iter();
                links.map(|link| LinkBuf { place: None, ..link }).collect::<Vec<_>>()
            };
            let own = links_of(&same);
            let links = links_of(&rewritten(name, &value, "/new"));
            let is_new = |uri: &str| uri == "http://h/new";
            own == links_of(&value)
                && links.len() == own.len()
                && links.iter().all(|link| is_new(&link.uri) || value.contains("imagesrcset"))
        }
    }
}
