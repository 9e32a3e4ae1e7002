//! What holds for every text, and for a URI that is wrapped and found again.

use std::borrow::Cow;

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::UriRef;
use relref::text::{Wrapped, unwrap, wrap};

use super::oracle::oracle;
use super::unwrap::only;
use super::wrap::wrapped;
use crate::inputs::references::Text;

/// Text of what matters to wrappers.
#[derive(Clone, Debug)]
struct Soup(String);

impl Arbitrary for Soup {
    fn arbitrary(g: &mut Gen) -> Self {
        const OPEN: [&str; 8] = ["<", "<a:", "<http://h/", "<URL:", "<url: x-1.+:", "<\n URL:\r\na:", "< a:", "<a"];
        const INSIDE: [&str; 20] = [
            "a", "b-", "--", " ", "\n", "-\n", "- \r\n\t", "-\x0C", "-\r", "é", "#", "?", "1", "@", "%2D", ":", "URL:",
            "/", ".", "x",
        ];
        const RARE: [&str; 6] = ["\"", "\0", "\u{b}", "\u{a0}", "\u{7f}", "<!"];
        let mut out = String::new();
        for _ in 0..usize::arbitrary(g) % 32 {
            let from: &[&str] = match u8::arbitrary(g) % 16 {
                0..4 => &OPEN,
                4..7 => &[">"],
                7 => &RARE,
                _ => &INSIDE,
            };
            out.push_str(g.choose(from).unwrap());
        }
        Soup(out)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Soup))
    }
}

quickcheck! {
    /// Both ways of reading agree on all fields, so ranges are what they should be.
    fn the_oracle_agrees(soup: Soup) -> bool {
        let of = |found: Wrapped<'_>| (found.range, found.uri.into_owned(), found.prefixed, found.without_hyphens);
        unwrap(&soup.0).map(of).collect::<Vec<_>>() == oracle(&soup.0)
    }

    /// Ranges are valid, ascending and disjoint, and hold the wrapper; every URI has a scheme and no white space.
    fn what_is_found_is_sound(soup: Soup) -> bool {
        let mut before = 0;
        unwrap(&soup.0).all(|found| {
            let wrapper = &soup.0[found.range.clone()];
            let ascends = before <= found.range.start;
            before = found.range.end;
            let sound = |uri: &str| UriRef::new(uri).scheme().is_some() && !uri.contains([' ', '\t', '\n', '\r', '\x0C']);
            ascends
                && wrapper.starts_with('<')
                && wrapper.ends_with('>')
                && sound(&found.uri)
                && found.without_hyphens.is_none_or(|without| sound(&without) && without.len() < found.uri.len())
        })
    }

    /// A URI is borrowed exactly if the text has it as it is.
    fn borrowed_when_nothing_was_removed(soup: Soup) -> bool {
        unwrap(&soup.0).all(|found| {
            let inside = soup.0[found.range.start + 1..found.range.end - 1].trim_ascii_end();
            matches!(found.uri, Cow::Borrowed(_)) == inside.ends_with(&*found.uri)
        })
    }

    /// Any text takes the iterator to its end, and the end is the end.
    fn any_text_is_read(text: String, soup: Soup) -> bool {
        let text = text + &soup.0;
        let mut all = unwrap(&text);
        all.by_ref().for_each(drop);
        all.next().is_none() && all.next().is_none()
    }

    /// What was wrapped is found, at any width, in any prose.
    fn unwrap_finds_what_wrap_wrote(uri: Text, hyphens: Soup, width: u8, before: String, after: String) -> bool {
        let [before, after] = [before, after].map(|prose| prose.replace(['<', '>'], "-"));
        let uri = format!("x-y:{}{}", uri.0, hyphens.0);
        [usize::from(width), usize::from(width) % 24, usize::MAX].into_iter().all(|width| {
            let wrapper = wrap(&uri, width);
            let text = format!("{before}{wrapper}{after}");
            let found = only(&text);
            found.uri == wrapped(&uri)
                && found.prefixed
                && found.without_hyphens.is_none()
                && found.range == (before.len()..before.len() + wrapper.len())
        })
    }

    /// Lines are as long as the width lets them be: broken at the last place that fits, else at the first there is.
    fn lines_are_filled(uri: Text, hyphens: Soup, width: u8) -> bool {
        let width = usize::from(width) % 32;
        let (text, head) = (format!("x:{}{}", uri.0, hyphens.0), "<URL:x:".len());
        let wrapper = wrap(&text, width);
        let whole = wrapper.replace('\n', "");
        let mut at = 0;
        wrapper.split('\n').all(|line| {
            let start = at;
            at += line.len();
            let place = |end: usize| end >= head && !whole[..end].ends_with('-') && end < whole.len() - 1;
            let longer = (at + 1..=(start + width).min(whole.len())).any(|end| place(end) || end == whole.len());
            let shorter = (start + 1..at).any(place);
            (at == whole.len() || place(at)) && !longer && (line.len() <= width || !shorter)
        }) && whole == format!("<URL:{}>", wrapped(&text))
    }
}
