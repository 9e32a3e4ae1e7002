//! Compares the scanner with html5gum.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::*;
use crate::html::tokens::character_references::{NAMED, decoded};
use crate::html::tokens::oracle::compare;

#[derive(Clone, Debug)]
struct Page(Vec<u8>);

impl Arbitrary for Page {
    fn arbitrary(g: &mut Gen) -> Self {
        const PARTS: &[&[u8]] = &[
            b"<",
            b"</",
            b">",
            b"/>",
            b" ",
            b"\t",
            b"\r\n",
            b"\r",
            b"\n",
            b"\x0C",
            b"\0",
            b"/",
            b"=",
            b"'",
            b"\"",
            b"-",
            b"--",
            b"!",
            b"<!--",
            b"-->",
            b"--!>",
            b"<!",
            b"<?",
            b"<!doctype html>",
            b"<![CDATA[",
            b"]]>",
            b"]]",
            b"a",
            b"A",
            b"<a href=",
            b"<A HREF='",
            b" src=\"",
            b"</a>",
            b"<script",
            b"<script>",
            b"<script><!--",
            b"<!--<script ",
            b"</script",
            b"</Script>",
            b"<style>",
            b"</style>",
            b"</style ",
            b"<title>",
            b"</title>",
            b"<textarea>",
            b"<plaintext>",
            b"<xmp>",
            b"</xmp>",
            b"<svg>",
            b"</svg>",
            b"<math>",
            b"<mi>",
            b"<desc>",
            b"<template>",
            b"</template>",
            b"<form action=x>",
            b"</form>",
            b"<head profile=x>",
            b"<html manifest=x>",
            b"<iframe src=x>",
            b"</iframe>",
            b"&",
            b"&amp",
            b"&amp;",
            b"&ampx",
            b"&notin;",
            b"&notit;",
            b"&not",
            b"&#",
            b"&#x",
            b"&#38;",
            b"&#x26",
            b"&#128;",
            b"&#0;",
            b"&#xD800;",
            b"&#13;",
            b"&#x110000;",
            b"&NotEqualTilde;",
            b"&CounterClockwiseContourIntegral;",
            b"&AElig",
            b"&lt",
            b";",
            b"x",
            b"1",
            b"\xff",
            b"\xc3\xa9",
            b"srcset=a",
            b" style='b'",
            b" data-src=c",
            b"<img src=x ",
            b"<annotation-xml encoding=text/html>",
            b"<font color=1>",
            b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ];
        let len = usize::arbitrary(g) % 24;
        Page((0..len).flat_map(|_| g.choose(PARTS).unwrap().iter().copied()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Page))
    }
}

/// Tokens as html5lib's tests list them: texts, end tags as lists of a name, start tags with a map of attributes, too.
struct Tokens(Vec<String>);

impl Tokens {
    fn push_text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(last) if last.starts_with("text ") => last.push_str(text),
            _ => self.0.push(format!("text {text}")),
        }
    }

    fn push_tag(&mut self, kind: &str, name: &str) {
        // Of a long name, a sink gets the start.
        self.0.push(format!("{kind} {}", name.chars().take(5).collect::<String>()));
    }
}

impl TokenSink for Tokens {
    fn needed_attributes(&self) -> AttributeSet {
        AttributeSet::for_links(true, true)
    }

    fn needed(&self) -> Needed {
        Needed::TagsAndText
    }

    fn tag(&mut self, tag: &Tag<'_>, _: &Context) {
        let mut values: Vec<_> = (tag.attributes.iter())
            .map(|(attribute, _)| (format!("{attribute:?}"), text_of(&tag.value(*attribute).unwrap())))
            .collect();
        values.sort();
        self.0.push(format!("{values:?}"));
    }

    fn text(&mut self, text: &[u8], kind: TextKind) {
        self.push_text(&text_of(&decoded(text, kind)));
    }

    fn start_tag(&mut self, name: &[u8]) {
        self.push_tag("start", &text_of(&decoded(name, TextKind::RawText)));
    }

    fn end_tag(&mut self, name: &[u8]) {
        self.push_tag("end", &text_of(&decoded(name, TextKind::RawText)));
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn html5lib_tests() {
    let mut count = 0;
    for line in include_str!("../../../../../../tests/vectors/html/html5lib.jsonl").lines() {
        let (state, last, page, tokens): (String, String, String, Vec<serde_json::Value>) =
            serde_json::from_str(line).unwrap();
        let mut expected = Tokens(Vec::new());
        for token in &tokens {
            match (token.as_str(), token.as_array().map(Vec::as_slice)) {
                // A sink gets no text that is not markup.
                (Some(_), _) if expected.0.is_empty() && !matches!(&*state, "Data" | "CDATA section") => {}
                (Some(text), _) => expected.push_text(text),
                (_, Some([name])) => expected.push_tag("end", name.as_str().unwrap()),
                (_, Some([name, attributes])) => {
                    let name = name.as_str().unwrap();
                    expected.push_tag("start", name);
                    let element = Element::new(name.as_bytes());
                    let known = attributes.as_object().unwrap().iter().filter_map(|(attribute, value)| {
                        let known = Attribute::new(attribute.as_bytes(), element)?;
                        let is_needed = AttributeSet::for_links(true, true).contains(known);
                        is_needed.then(|| (format!("{known:?}"), value.as_str().unwrap().to_owned()))
                    });
                    let mut known: Vec<_> = known.collect();
                    known.sort();
                    expected.0.extend((!known.is_empty()).then(|| format!("{known:?}")));
                }
                _ => panic!("{line}"),
            }
        }
        for len in [usize::MAX, 1, 3] {
            let name = LowerName::new(last.as_bytes());
            let state = match &*state {
                "Data" => State::Markup,
                "PLAINTEXT" => State::PlainText,
                "RCDATA" | "RAWTEXT" => State::RawText(name),
                "Script data" => State::Script(Script::default()),
                "CDATA section" => State::Cdata,
                _ => panic!("{line}"),
            };
            let mut scanner = Scanner { state, ..Scanner::default() };
            let (mut found, mut start, mut end) = (Tokens(Vec::new()), 0, 0);
            while start < page.len() {
                end = page.len().min(usize::saturating_add(end, len));
                let after = if end == page.len() { After::Nothing } else { After::More };
                start += scanner.scan(&page.as_bytes()[start..end], after, &mut found);
            }
            assert_eq!(found.0, expected.0, "{line}");
        }
        count += 1;
    }
    assert_eq!(count, 6967);
}

#[test]
fn named_references_are_those_of_html5gum() {
    let names =
        NAMED.split(|&byte| byte == b'\n').filter_map(|line| line.split(|byte| !byte.is_ascii_alphanumeric()).next());
    for name in names {
        compare(
            &[b"<a href='&", name, b";&", name, b"&", name, b"=&", name, b"x'>&", name, b";&", name, b"x"].concat(),
            &[7, 1, 3],
        );
    }
}

#[test]
fn random_pages_are_read_as_by_html5gum() {
    // Most short pages have little to find.
    let count = std::env::var("QUICKCHECK_TESTS").ok().and_then(|count| count.parse().ok());
    let count = count.unwrap_or(50_000);
    QuickCheck::new().tests(count).max_tests(count).quickcheck(
        (|page: Page, lens: Vec<u8>| {
            let lens: Vec<usize> = lens.into_iter().map(|len| usize::from(len) % 20).collect();
            compare(&page.0, &lens);
        }) as fn(Page, Vec<u8>),
    );
}
