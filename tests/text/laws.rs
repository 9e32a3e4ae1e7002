//! Laws for every text, and for a URI that is wrapped and found again.

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::text::wrap;

use super::checks::{check_found, check_wrapped, wrapped};
use crate::inputs::references::Text;

/// A random text of brackets, prefixes, white space and hyphens.
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
    /// The search finds the same URIs as a naive one.
    fn what_is_found_is_sound(text: String, soup: Soup) -> bool {
        check_found(&soup.0);
        check_found(&(text + &soup.0));
        true
    }

    /// A wrapped URI is found, at any width, in any text.
    fn unwrap_finds_what_wrap_wrote(uri: Text, hyphens: Soup, width: u8, before: String, after: String) -> bool {
        let [before, after] = [before, after].map(|text| text.replace(['<', '>'], "-"));
        let uri = format!("x-y:{}{}", uri.0, hyphens.0);
        for width in [usize::from(width), usize::from(width) % 24, usize::MAX] {
            check_wrapped(&uri, width, &before, &after);
        }
        true
    }

    /// Lines are as long as the width allows: each ends at the last place for a line break that fits, or, if none fits, at the
    /// first one.
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
