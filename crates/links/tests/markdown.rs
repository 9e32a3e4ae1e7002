//! `relref_links::markdown`: the ids of headings by renderer, and the laws of links and their places.

use quickcheck::{Arbitrary, Gen, QuickCheck};
use relref::whatwg::Base;
use relref_links::html::LinkBuf;
use relref_links::markdown::{self, Renderer, heading_ids};
use relref_links::page::{LinkReader, Page};
use relref_links::rewrite::Rewriter;

const IDS: &str = include_str!("../../../tests/vectors/markdown/ids.tsv");

fn unescaped(cell: &str) -> String {
    let mut text = String::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        match if c == '\\' {
            chars.next()
        } else {
            text.push(c);
            continue;
        } {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('s') => text.push(' '),
            Some(c) => text.push(c),
            None => {}
        }
    }
    text
}

/// As the table has them.
fn written(ids: &[Option<String>]) -> String {
    let id = |id: &Option<String>| match id.as_deref() {
        None => "~".to_owned(),
        Some("") => "\"\"".to_owned(),
        Some(id) => id.replace('\\', "\\\\").replace(' ', "\\s").replace('\t', "\\t").replace('\n', "\\n"),
    };
    ids.iter().map(id).collect::<Vec<_>>().join(" ")
}

const IDS_BY_RENDERER: &str = include_str!("../../../tests/vectors/markdown/ids_by_renderer.tsv");

/// What other parsers than CommonMark's make of a page: in kramdown an end tag without a start tag is text.
const OPEN: [(&str, &str); 1] = [("jekyll", "# a </b> c")];

#[test]
fn headings_have_the_ids_of_their_renderers() {
    let mut lines = IDS.lines();
    let names: Vec<String> = lines.next().unwrap().split('\t').skip(1).map(|name| name.replace('_', "-")).collect();
    let (mut wrong, mut counts) = (Vec::new(), vec![0; names.len()]);
    for line in lines {
        let mut cells = line.split('\t');
        let page = unescaped(cells.next().unwrap());
        for ((name, expected), count) in names.iter().zip(cells).zip(&mut counts) {
            let renderer: Renderer = name.parse().unwrap();
            let ids = written(&heading_ids(&page, renderer));
            // The renderer refuses the page.
            let is_refused = expected == "!";
            // An id that raw HTML has, or none, is in the page.
            let is_raw = page.starts_with("<h") && !matches!(renderer, Renderer::GitHub | Renderer::GitLab);
            let expected = if is_raw { expected.split_once(' ').map_or("", |(_, ids)| ids) } else { expected };
            let is_open = OPEN.contains(&(name.as_str(), page.as_str()));
            if (ids != expected) != is_open && !is_refused {
                *count += 1;
                wrong.push(format!("{name}\t{page:?}\t{expected}\t{ids}"));
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}\n{:?}", wrong.join("\n"), names.iter().zip(counts).collect::<Vec<_>>());
}

#[test]
fn headings_have_the_ids_of_each_renderer() {
    let mut wrong = Vec::new();
    for line in IDS_BY_RENDERER.lines().skip(1) {
        let [renderer, page, expected] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let ids = written(&heading_ids(&unescaped(page), renderer.parse().unwrap()));
        if ids != expected {
            wrong.push(format!("{renderer}\t{page}\t{expected}\t{ids}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What makes up Markdown, in any order.
const PARTS: [&str; 71] = [
    "!!! note\n\n",
    "\n=== \"x [t](t.md)\"\n",
    "{/* ",
    " */}",
    "\n\nimport x from 'y'\n",
    "[![i](c.png)](b.md)",
    "[<img src=\"k.png\"> ![x][r]](b.md)",
    "[a](b.md)",
    "![i](c.png)",
    "[r]",
    "[r][]",
    "[x][r]",
    "![x][r]",
    "\n\n",
    "\n",
    "> ",
    "- ",
    "1. ",
    "    ",
    "`",
    "``",
    "**",
    "_",
    "~~",
    "<a href=\"h.html\">",
    "</a>",
    "<img src='k&amp;l.png'>",
    "<!-- ",
    "-->",
    "<div>\n",
    "</div>\n\n",
    "[r]: d.md\n",
    "[r]: <e f.md> \"t\"\n",
    "http://a.b/c",
    "www.q.org/w?x=1&y;",
    "m@n.example",
    " ",
    "text",
    "\\",
    "&amp;",
    "&auml;",
    "(",
    ")",
    "[",
    "]",
    "!",
    "| a | b |\n|---|---|\n| [c](d\\|e.md) | x |\n",
    "\n---\n",
    "# h ",
    "```\n",
    "<http://u.v/w>",
    "<m@n.o>",
    "[a](<b c.md>)",
    "[a](b\\_c.md 't')",
    "[a](b(c)d.md)",
    "\t",
    "[^1]",
    "[^1]: note [f](g.md)\n",
    "é",
    "日本",
    "]( ",
    "](",
    "<",
    ">",
    ":",
    "|",
    ".",
    "\r\n",
    "\0",
    "[a](<b\\>&lt;c>)",
    "- [ ] ",
];

#[derive(Clone, Debug)]
struct Markdown(String);

impl Arbitrary for Markdown {
    fn arbitrary(g: &mut Gen) -> Self {
        let len = usize::arbitrary(g) % 20;
        Markdown((0..len).map(|_| *g.choose(&PARTS).unwrap()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let ends: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        Box::new(ends.into_iter().map(move |end| {
            let start = text[..end].char_indices().last().map_or(0, |(at, _)| at);
            Markdown([&text[..start], &text[end..]].concat())
        }))
    }
}

const URI: &str = "http://h/d/a.md";

fn links(text: &str) -> Vec<LinkBuf> {
    links_at(URI, text)
}

fn links_at(uri: &str, text: &str) -> Vec<LinkBuf> {
    let mut reader = LinkReader::default();
    reader.pages.options.places = true;
    let mut links = Vec::new();
    let mut each = |link: relref_links::html::Link<'_>| {
        links.push(LinkBuf::from(link));
        Ok(())
    };
    reader.links(&mut Page::new(uri, text), &mut each).unwrap();
    links
}

#[test]
fn all_readers_find_the_same_links() {
    fn law(Markdown(text): Markdown) -> bool {
        let of_page: Result<Vec<_>, _> = Page::new(URI, &*text).links().collect();
        markdown::links(&text, URI).unwrap() == of_page.unwrap()
    }
    QuickCheck::new().quickcheck(law as fn(_) -> _);
}

/// The destination that a text alone is, by the parser itself.
fn parsed(written: &str) -> Vec<String> {
    use pulldown_cmark::{Event, Parser, Tag};

    let text = format!("[a]({written}) [a](<{written}>)");
    let destination = |event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    Parser::new(&text).filter_map(destination).collect()
}

#[test]
fn places_decode_to_references() {
    fn law(Markdown(text): Markdown) -> bool {
        let links = links(&text);
        let starts = links.iter().filter_map(|link| link.place).map(|place| place.start);
        starts.is_sorted()
            && links.iter().all(|link| {
                let Some(place) = link.place else { return false };
                // CommonMark §2.3.
                let written = &text[place.start as usize..place.end as usize].replace('\0', "\u{FFFD}");
                let before = &text[..place.start as usize];
                let line = 1 + before.replace("\r\n", "\n").matches(['\n', '\r']).count() as u64;
                let line_before = before.rsplit(['\n', '\r']).next().unwrap();
                let column = 1 + line_before.chars().count() as u64;
                let column_utf16 = 1 + line_before.encode_utf16().count() as u64;
                let is_html = matches!(before.chars().next_back(), Some('"' | '\''));
                let reference = match &**written {
                    written if is_html => written.replace("&amp;", "&"),
                    written => written.to_owned(),
                };
                (line, column, column_utf16) == (place.line, place.column, place.column_utf16)
                    && (reference == link.reference
                        || parsed(written).contains(&link.reference)
                        // In an address in angle brackets, a backslash is one.
                        || parsed(&written.replace('\\', "\\\\")).contains(&link.reference)
                        // An address of mail may have escapes.
                        || parsed(written).iter().any(|text| link.reference == format!("mailto:{text}"))
                        // A bare address keeps its character references.
                        || link.reference == written.replace("\\|", "|")
                        || link.reference == format!("http://{written}")
                        || link.reference == format!("http://{}", written.replace("\\|", "|"))
                        || link.reference == format!("mailto:{written}"))
            })
    }
    QuickCheck::new().tests(10_000).quickcheck(law as fn(Markdown) -> bool);
}

/// The space in `[](~[](<a b>))` is all that keeps the outer text from being a link, too.
fn new_uri(reference: &str, uri: &str) -> String {
    let uri = format!("{}#n", uri.replace("http:", "https:"));
    if reference.contains(' ') { uri.replace("%20", " ") } else { uri }
}

#[test]
fn rewritten_pages_have_the_new_links() {
    fn law(Markdown(text): Markdown) -> bool {
        let old = links(&text);
        let new_reference = |link: &relref_links::html::Link<'_>| Some(new_uri(link.reference, link.uri));
        let mut rewriter = Rewriter::new(new_reference);
        let new = rewriter.markdown(&text, None, &Base::new(URI).unwrap()).into_owned();
        let new = links(std::str::from_utf8(&new).unwrap());
        old.len() == new.len()
            && old
                .iter()
                .zip(&new)
                .all(|(old, new)| new.reference == old.reference || new.reference == new_uri(&old.reference, &old.uri))
    }
    QuickCheck::new().tests(10_000).quickcheck(law as fn(Markdown) -> bool);
}

#[test]
fn an_address_with_a_mark_of_markdown_stays() {
    let mut rewriter = Rewriter::new(|link| link.reference.strip_prefix("http:").map(|rest| format!("https:{rest}n")));
    let mut rewritten =
        |page: &str| String::from_utf8(rewriter.markdown(page, None, &Base::new(URI).unwrap()).into_owned()).unwrap();
    for page in [
        "http://h/\\![ [x](b.md)]()",
        "http://h/[](<g src='g'>'')",
        "http://h/`a ``b`",
        "http://h/>",
        "http://h/{/* x}",
        "{http://h/{#i}",
    ] {
        assert_eq!(rewritten(page), page);
    }
    assert_eq!(rewritten("http://h/[a]*c_(d)"), "https://h/[a]*c_(d)n");
}

/// A reference stays within the brackets and quotes around it if nothing else of it changes.
#[test]
fn rewritten_pages_of_mdx_have_as_many_links() {
    fn law(Markdown(text): Markdown) -> bool {
        const URI: &str = "http://h/d/a.mdx";
        let new_reference = |link: &relref_links::html::Link<'_>| Some(format!("{}#n", link.reference));
        let mut rewriter = Rewriter::new(new_reference);
        let new = rewriter.markdown(&text, None, &Base::new(URI).unwrap()).into_owned();
        links_at(URI, std::str::from_utf8(&new).unwrap()).len() == links_at(URI, &text).len()
    }
    QuickCheck::new().tests(10_000).quickcheck(law as fn(Markdown) -> bool);
}

/// In HTML that is copied, characters before a reference have other lengths in the page than decoded.
#[test]
fn html_in_other_encodings_is_rewritten_in_its_place() {
    let rewritten = |page: &[u8], charset| {
        let mut rewriter = Rewriter::new(|link| Some(format!("{}#n", link.reference)));
        rewriter.markdown(page, charset, &Base::new(URI).unwrap()).into_owned()
    };
    let latin = Some(relref_links::encoding_rs::WINDOWS_1252);
    let page = b"\xE9t\xE9 [x](a.md)\n\n<p title='\xE9\xE9'>\xE9 <a href=b.md>\xE9</a> <a href='\xE9.md'>c</a>\n";
    let new = b"\xE9t\xE9 [x](a.md#n)\n\n<p title='\xE9\xE9'>\xE9 <a href=b.md#n>\xE9</a> <a href='\xE9.md#n'>c</a>\n";
    assert_eq!(rewritten(page, latin).escape_ascii().to_string(), new.escape_ascii().to_string());
    let broken = b"\xFF <b>\xFF</b> <a href=b.md>\xFF</a>\n";
    assert_eq!(rewritten(broken, None), b"\xFF <b>\xFF</b> <a href=b.md#n>\xFF</a>\n");
}

/// The parser would take sixty times the length of a page of brackets.
#[test]
fn a_page_that_would_take_much_memory_is_refused() {
    let links = |text: String| Page::new("http://h/a.md", text).links().collect::<Result<Vec<_>, _>>();
    let refused = links("[".repeat(2 << 20)).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::FileTooLarge, "{refused}");
    let lines = "- see [the *other* page](b.md) for `more`, and what else is on it\n";
    assert_eq!(links(lines.repeat(40_000)).unwrap().len(), 40_000);
}
