//! The texts of links.

use std::ops::ControlFlow;

use relref_links::html::{Kind, Pages};

use super::laws::{LawBase, in_memory, streamed};

/// Returns the reference and the text of each link.
fn texts(page: &str, max_text: usize) -> Vec<[String; 2]> {
    let mut pages = Pages::new();
    let base = LawBase::new(None);
    let plain = in_memory(&mut pages, &base, page.as_bytes(), None);
    assert!(plain.iter().all(|link| link.text.is_empty()));
    pages.options.max_text = max_text;
    let found = in_memory(&mut pages, &base, page.as_bytes(), None);
    assert_eq!(streamed(&mut pages, &base, std::io::Cursor::new(page), None), found);
    // The order is the same.
    assert_eq!(
        found.iter().map(|link| &link.uri).collect::<Vec<_>>(),
        plain.iter().map(|link| &link.uri).collect::<Vec<_>>()
    );
    found.into_iter().map(|link| [link.reference, link.text]).collect()
}

#[test]
fn the_text_of_an_a_ends_with_it() {
    for (page, expected) in [
        ("<a href=x>text</a> more", "text"),
        ("<a href=x> \n one\t<b>t</b>wo &amp;&nbsp;&#x2f; </a>", "one two &\u{a0}/"),
        ("<a href=x>one<a>two", "one"),
        ("<a href=x>one<!-- no --><svg><title>two</title></svg>", "onetwo"),
        ("<a href=x>no end", "no end"),
        ("<a href=x></a>none", ""),
        ("<a href=x>one<script>no</script><style>no</style><textarea>no</textarea> two</a>", "one two"),
        ("<a href=x><svg><style>no</style><text>yes</text></svg></a>", "yes"),
        ("<a href=x><h2>One</h2><p>two<br>three</p></a>", "One two three"),
        ("<td><a href=x>one</td><td>two</td>", "one"),
        ("<td><a href=x>one<td>two", "one"),
        ("<table><tr><td><a href=x>one</table>two", "one"),
        ("<a href=x><table><tr><td>one<td>two</table>three</a>", "one two three"),
        ("<svg><a xlink:href=x><text>one</text></a></svg>two", "one"),
        ("<a href=x>one<img alt=' a &lt;  b '>two<img alt=''>three</a>", "one a < b two three"),
        ("<a href=x><image alt=one></a>", "one"),
        ("<a href=x alt=no>\u{1F600}</A\n>", "\u{1F600}"),
        // The tokenizer passes on the text after an `&` from the second byte of a character.
        ("<a href=x>&laquo;Привет&raquo;</a>", "«Привет»"),
        ("<a href=x>AT&ТТ &lt日本&nbsp;語</a>", "AT&ТТ <日本\u{a0}語"),
    ] {
        assert_eq!(texts(page, 100), [["x", expected]], "{page}");
    }
}

#[test]
fn links_in_an_a_keep_their_order() {
    let page = "<img src=1 alt=one><a href=2 ping=3 style='x: url(4)'>two <img src=5 srcset='6 1x' alt=three>\
        <style>@import '7'</style></a><area href=8 alt=four><link href=9><a href=10>";
    let expected = [
        ["1", "one"],
        ["2", "two three"],
        ["3", "two three"],
        ["4", "two three"],
        ["5", "three"],
        ["6", "three"],
        ["7", ""],
        ["8", "four"],
        ["9", ""],
        ["10", ""],
    ];
    assert_eq!(texts(page, 100), expected);
}

#[test]
fn long_texts_are_cut_between_characters() {
    for (max_text, expected) in
        [(1, "a"), (2, "a"), (3, "aé"), (4, "aé"), (5, "aé b"), (8, "aé b"), (9, "aé b\u{1F600}")]
    {
        assert_eq!(
            texts("<a href=x>aé b\u{1F600}c</a>", max_text)[0][1],
            expected[..expected.len().min(max_text)],
            "{max_text}"
        );
        let alt = texts("<img src=x alt='aé b\u{1F600}c'>", max_text);
        assert_eq!(alt[0][1], expected[..expected.len().min(max_text)], "{max_text}");
    }
    // The text after it is read as usual.
    let page = format!("<a href=x>{}<img src=y></a><a href=z>z", "word ".repeat(100_000));
    let found = texts(&page, 1000);
    assert_eq!(found.iter().map(|[_, text]| text.len()).collect::<Vec<_>>(), [999, 0, 1]);
}

/// If an `a` never ends, links are still reported before the end of the page.
#[test]
fn few_links_wait() {
    for unit in ["<img src=y>", "<img src=y srcset='a, b, c, d'>"] {
        let page = format!("<a href=x>one{}two<a href=z>three", unit.repeat(100_000));
        let mut pages = Pages::new();
        pages.options.max_text = 100;
        let mut count = 0;
        let stopped =
            pages.try_links(page.as_bytes(), None, &relref::whatwg::Base::new("http://h/").unwrap(), |link| {
                count += 1;
                if link.kind == Kind::Hyperlink {
                    assert_eq!(link.text, if link.reference == "x" { "one" } else { "three" });
                }
                if count == 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        assert!(stopped.is_break());
    }
    let uri = format!("http://h/{}", "y".repeat(60_000));
    let found = texts(&format!("<a href='{uri}'>one<img src='{uri}'>two<img src=y></a>"), 100);
    assert_eq!(found.iter().map(|[_, text]| text.as_str()).collect::<Vec<_>>(), ["one", "", ""]);
}

/// Only wanted links wait for a text. After the receiver has stopped the reading, it gets no more links.
#[test]
fn filters_and_stops() {
    let page = b"<a href=mailto:x>one<img src=a></a><a href=b>two<img src=c></a><a href=d>";
    let base = relref::whatwg::Base::new("http://h/").unwrap();
    let mut pages = Pages::new();
    (pages.options.max_text, pages.options.fetchable) = (100, true);
    let mut found = Vec::new();
    let stopped = pages.try_links(page, None, &base, |link| {
        found.push(format!("{} {}", link.reference, link.text));
        if link.reference == "c" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(stopped.is_break());
    assert_eq!(found, ["a ", "b two", "c "]);
    // The next page has nothing of it.
    pages.links(b"<p>x<a href=y>z", None, &base, |link| found.push(format!("{} {}", link.reference, link.text)));
    assert_eq!(found[3..], ["y z"]);
}
