//! The way from a byte of a reference back to the raw text of the page.

use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use relref_links::html::{LinkBuf, Options, Pages};

fn links(page: &[u8]) -> Vec<LinkBuf> {
    let base = relref::whatwg::Base::new("http://h/a/").unwrap();
    let mut links = Vec::new();
    let mut pages = Pages::with(Options { rejected: true, places: true, ..Options::default() });
    pages.links(page, None, &base, |link| links.push(LinkBuf::from(link)));
    links
}

/// Returns the raw text from the place of a byte of the reference on, with the line and the column.
fn raw_from(page: &[u8], link: &LinkBuf, offset: usize) -> Option<(String, u64, u64)> {
    let place = link.place_at(page, offset)?;
    let raw = &page[place.start as usize..place.end as usize];
    Some((link.page_charset.unwrap_or(UTF_8).decode_without_bom_handling(raw).0.into(), place.line, place.column))
}

#[test]
fn a_byte_of_a_reference_has_its_place_in_the_page() {
    for (page, reference, offset, expected) in [
        ("<a href='&#x68;ttp://[x/'>", "http://[x/", 8, Some(("x/", 1, 23))),
        ("<a href='&#x68;ttp://[x/'>", "http://[x/", 0, Some(("&#x68;ttp://[x/", 1, 10))),
        ("<a href='&#x68;ttp://[x/'>", "http://[x/", 10, Some(("", 1, 25))),
        ("<a href='&#x68;ttp://[x/'>", "http://[x/", 11, None),
        ("\n<a href=' /a\r\n\t&amp;b&c'>", "/a&b&c", 2, Some(("&amp;b&c", 3, 2))),
        ("<a href='é&eacute;x'>", "ééx", 2, Some(("&eacute;x", 1, 11))),
        // The second byte of a character is in its place.
        ("<a href='é&eacute;x'>", "ééx", 3, Some(("&eacute;x", 1, 11))),
        ("<a href=&notin;&not-x>", "∉¬-x", 3, Some(("&not-x", 1, 16))),
        ("<img srcset='x 1x, &#97;b 2x'>", "ab", 1, Some(("b", 1, 25))),
        ("<p style='a: url(&quot;\\61 b\\)&quot;)'>", "ab)", 2, Some(("\\)", 1, 29))),
        ("<style>a { b: url('\\00002f&amp;\\\nb') }</style>", "/&amp;b", 6, Some(("b", 2, 1))),
        ("<style>a { b: url('\\00002f&amp;\\\nb') }</style>", "/&amp;b", 1, Some(("&amp;\\\nb", 1, 27))),
    ] {
        let links = links(page.as_bytes());
        let link = links.last().unwrap();
        assert_eq!(link.reference, reference, "{page}");
        let expected = expected.map(|(raw, line, column)| (raw.to_owned(), line, column));
        assert_eq!(raw_from(page.as_bytes(), link, offset), expected, "{page} {offset}");
    }
}

#[test]
fn the_character_encoding_of_the_page_counts() {
    let text = "<meta charset=utf-16><a href='é&amp;\u{1F600}b'>";
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let [latin, japanese] = [WINDOWS_1252, SHIFT_JIS].map(|charset| {
        let c = if charset == SHIFT_JIS { "\u{8868}" } else { "é" };
        charset.encode(&format!("<meta charset={}><a href='{c}&amp;b'>", charset.name())).0.into_owned()
    });
    for (page, charset, offset, expected) in [
        (&utf16, UTF_16LE, 2, "&amp;\u{1F600}b"),
        (&utf16, UTF_16LE, 7, "b"),
        (&latin, WINDOWS_1252, 2, "&amp;b"),
        (&japanese, SHIFT_JIS, 4, "b"),
    ] {
        let link = links(page).pop().unwrap();
        assert_eq!(link.page_charset, Some(charset));
        assert_eq!(raw_from(page, &link, offset).unwrap().0, expected, "{charset:?}");
    }
}

#[test]
fn a_page_that_has_something_else_there_has_no_place() {
    let mut link = links(b"<a href=abc>").pop().unwrap();
    assert_eq!(link.place_at(b"<a href=abc>", 1).unwrap().start, 9);
    for other in ["<a href=xyz>", "<a href=", ""] {
        assert_eq!(link.place_at(other.as_bytes(), 1), None);
    }
    link.place = None;
    assert_eq!(link.place_at(b"<a href=abc>", 1), None);
}

#[cfg(feature = "markdown")]
#[test]
fn escapes_of_markdown_count() {
    for (page, reference, offset, expected) in [
        ("[a](b\\_c\\(&amp;d)", "b_c(&d", 3, "\\(&amp;d"),
        ("[a](b\\_c\\(&amp;d)", "b_c(&d", 5, "d"),
        ("[a](<b c&amp>)", "b c&amp", 4, "amp"),
        ("www.example.com/x", "http://www.example.com/x", 3, "www.example.com/x"),
        ("www.example.com/x", "http://www.example.com/x", 23, "x"),
    ] {
        let link = relref_links::markdown::links(page, "http://h/").unwrap().pop().unwrap();
        assert_eq!(link.reference, reference);
        assert_eq!(raw_from(page.as_bytes(), &link, offset).map(|(raw, ..)| raw).as_deref(), Some(expected), "{page}");
    }
}

/// Makes a raw text of pieces, each of which is decoded alone.
fn raw_text(pieces: &[&str], choice: &[u8]) -> String {
    choice.iter().map(|choice| pieces[usize::from(*choice) % pieces.len()]).collect()
}

/// Checks that the raw text before the place of each byte is decoded to the reference before that byte.
fn prefixes_agree(choice: &[u8], pieces: &[&str], around: [&str; 2], links: fn(&[u8]) -> Vec<LinkBuf>) -> bool {
    let page_of = |raw: &str| [around[0], "x", raw, "x", around[1]].concat();
    let page = page_of(&raw_text(pieces, choice));
    let link = links(page.as_bytes()).pop().unwrap();
    let reference = &link.reference;
    (1..reference.len()).filter(|at| reference.is_char_boundary(*at)).all(|at| {
        let start = link.place_at(page.as_bytes(), at).unwrap().start as usize;
        let before = links(page_of(&page[around[0].len() + 1..start]).as_bytes()).pop().unwrap();
        before.reference == [&reference[..at], "x"].concat()
    })
}

quickcheck::quickcheck! {
    fn the_raw_text_before_is_decoded_to_the_reference_before(choice: Vec<u8>) -> bool {
        let html = ["a/", "é", "&amp;", "&#x68;", "&#65;", "\t", "\r\n", "%41", "& ", "\u{1F600}", "[", ":", "&not;", "\\"];
        let css = ["a/", "é", "\\68 ", "\\000041", "\\(", "\\\n", "%41", "\\\u{1F600}", "[", "&amp;", "\\\\", "\\9 "];
        prefixes_agree(&choice, &html, ["<p><a href='", "'>"], links)
            && prefixes_agree(&choice, &css, ["<style>a { b: url('", "') }</style>"], links)
    }
}

#[cfg(feature = "markdown")]
quickcheck::quickcheck! {
    fn the_raw_text_before_is_decoded_in_markdown_too(choice: Vec<u8>) -> bool {
        let pieces = ["a/", "é", "&amp;", "&#x68;", "\\_", "\\\\", "&", "%41", "&copy", "\u{1F600}", "[", ":"];
        let links = |page: &[u8]| relref_links::markdown::links(page, "http://h/").unwrap();
        prefixes_agree(&choice, &pieces, ["[a](", ")"], links)
    }
}
