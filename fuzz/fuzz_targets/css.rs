//! The links of style sheets: those in chunks are those at once, and of a `style` element; other bytes at the place of a reference are
//! the new reference.
//!
//! Input: options, style sheet.

#![no_main]

use encoding_rs::{Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1251};
use libfuzzer_sys::{Corpus, fuzz_target};
use relref::whatwg::Base;
use relref_fuzz::{Chunks, options};
use relref_links::css;
use relref_links::html::{LinkBuf, links};
use relref_links::page::{LinkReader, Page, PageKind};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, sheet)) = options(input) else { return Corpus::Reject };
    let charset = [None, Some(UTF_8), Some(WINDOWS_1251), Some(SHIFT_JIS), Some(GB18030)][bits as usize % 5];
    let found = |chunks: Chunks<Vec<u8>>| {
        let mut found = Vec::new();
        let each = |link: relref_links::html::FoundLink<'_>| {
            found.push((link.attribute.to_owned(), link.reference.to_owned()));
            true
        };
        css::each_link(chunks, charset, each).unwrap();
        found
    };
    let whole = found(Chunks::new(sheet.to_vec(), 3, true));
    assert_eq!(found(Chunks::new(sheet.to_vec(), bits >> 3, true)), whole);

    // HTML changes these, and the charset of a style element is that of its page.
    let is_plain = charset == Some(UTF_8) && !sheet.iter().any(|byte| b"\0\r\xEF\xFE\xFF".contains(byte));
    let lower = sheet.to_ascii_lowercase();
    if is_plain && !lower.windows(7).any(|end| end == b"</style") {
        let in_element = links([b"<meta charset=utf-8><style>", sheet].concat(), "http://h/").unwrap();
        let in_element: Vec<String> = in_element.into_iter().map(|link| link.reference).collect();
        // A reference that is not a valid URL is no link of a page.
        let base = Base::new("http://h/").unwrap();
        // A fragment alone names an element of the page, which a sheet of its own does not have.
        let in_element: Vec<String> = in_element.into_iter().filter(|text| !text.starts_with('#')).collect();
        assert_eq!(
            whole
                .iter()
                .map(|(_, reference)| clean(reference))
                .filter(|text| !text.is_empty() && !text.starts_with('#') && base.resolve(text).is_ok())
                .collect::<Vec<_>>(),
            in_element
        );
    }
    check_places(sheet, charset);
    Corpus::Keep
});

fn clean(reference: &str) -> String {
    reference.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], "")
}

fn placed(sheet: &[u8], charset: Option<&'static Encoding>) -> Vec<LinkBuf> {
    let mut page = Page::new("http://h/", sheet.to_vec());
    page.kind = PageKind::Css;
    let (mut reader, mut found) = (LinkReader { charset, ..LinkReader::default() }, Vec::new());
    reader.pages.options.places = true;
    reader
        .links(&mut page, |link| {
            found.push(link.into());
            Ok(())
        })
        .unwrap();
    found
}

fn check_places(sheet: &[u8], charset: Option<&'static Encoding>) {
    let links = placed(sheet, charset);
    let places: Vec<_> = links.iter().map(|link| link.place.unwrap()).collect();
    assert!(places.is_sorted_by_key(|place| place.start));
    // An edit could make another encoding known.
    if charset != Some(UTF_8) || Encoding::for_bom(sheet).is_some() {
        return;
    }
    for (number, place) in places.iter().enumerate().take(6) {
        let (before, after) = (&sheet[..place.start as usize], &sheet[place.end as usize..]);
        let edited = placed(&[before, b"new-reference-0", after].concat(), charset);
        let mut expected: Vec<&str> = links.iter().map(|link| &*link.reference).collect();
        expected[number] = "new-reference-0";
        assert_eq!(
            edited.iter().map(|link| &*link.reference).collect::<Vec<_>>(),
            expected,
            "{}",
            sheet.escape_ascii()
        );
    }
}
