//! Compares the scanner with html5gum.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::*;
use crate::html::tokens::character_references::{NAMED, decoded};
use crate::html::tokens::oracle;

/// Notes all that it receives; texts in one piece.
struct Notes {
    needed: Needed,
    notes: Vec<String>,
    text: Vec<u8>,
}

impl Notes {
    fn note(&mut self, note: String) {
        if !self.text.is_empty() {
            self.notes.push(format!("text {}", self.text.escape_ascii()));
            self.text.clear();
        }
        self.notes.push(note);
    }
}

impl Finder for Notes {
    fn needed_attributes(&self) -> AttributeSet {
        AttributeSet::for_links(true, true)
    }

    fn needed(&self) -> Needed {
        self.needed
    }

    fn tag(&mut self, tag: &Tag<'_>, context: &Context) {
        let value = |(name, value): &(Attribute, Range<usize>)| {
            format!("{name:?}={}", decoded(&tag.chunk[value.clone()], TextKind::Attribute).escape_ascii())
        };
        let values: Vec<_> = tag.attributes.iter().map(value).collect();
        let Context { templates, in_form, has_head, .. } = context;
        let name = decoded(tag.name, TextKind::RawText).to_ascii_lowercase();
        let name = name.escape_ascii();
        self.note(format!("tag {name} {values:?} {} {templates} {in_form} {has_head}", tag.is_self_closing));
    }

    fn text(&mut self, text: &[u8], place: TextKind) {
        self.text.extend_from_slice(&decoded(text, place));
    }

    fn start_tag(&mut self, name: &[u8]) {
        self.note(format!("start {}", name_start(name)));
    }

    fn end_tag(&mut self, name: &[u8]) {
        self.note(format!("end {}", name_start(name)));
    }

    fn style(&mut self, chunk: &[u8], pieces: &[(Range<usize>, TextKind)]) {
        let sheet: Vec<u8> =
            pieces.iter().flat_map(|(piece, place)| decoded(&chunk[piece.clone()], *place).into_owned()).collect();
        self.note(format!("style {}", sheet.escape_ascii()));
    }
}

/// Where a long name is cut depends on the NULs in it, which html5gum has replaced.
fn name_start(name: &[u8]) -> String {
    let name = decoded(name, TextKind::RawText);
    name[..name.len().min(LONG_NAME_LEN / 3)].escape_ascii().to_string()
}

fn notes(needed: Needed, read: impl Fn(&mut Notes)) -> Vec<String> {
    let mut notes = Notes { needed, notes: Vec::new(), text: Vec::new() };
    read(&mut notes);
    notes.note("the end".into());
    notes.notes
}

/// Reads a page in chunks of these lengths, in turn; each chunk starts with what was not read of the one before.
fn scan_in_chunks(page: &[u8], lens: &[usize], notes: &mut Notes) {
    let (mut scanner, mut start, mut end) = (Scanner::default(), 0, 0);
    let mut lens = lens.iter().cycle();
    loop {
        end = page.len().min(end + lens.next().copied().unwrap_or(page.len()).max(1));
        let after = if end == page.len() { After::Nothing } else { After::More };
        start += scanner.scan(&page[start..end], after, notes);
        if after == After::Nothing {
            return assert_eq!(start, end);
        }
    }
}

/// Fails unless html5gum finds the same, in memory and in chunks.
fn compare(page: &[u8], lens: &[usize]) {
    for needed in [Needed::TagsAndText, Needed::Tags] {
        let expected = notes(needed, |notes| oracle::read(page, notes));
        for lens in [&[], lens] {
            let found = notes(needed, |notes| scan_in_chunks(page, lens, notes));
            assert_eq!(found, expected, "{} {lens:?}", page.escape_ascii());
        }
    }
}

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
    QuickCheck::new().tests(count.unwrap_or(50_000)).quickcheck(
        (|page: Page, lens: Vec<u8>| {
            let lens: Vec<usize> = lens.into_iter().map(|len| usize::from(len) % 20).collect();
            compare(&page.0, &lens);
        }) as fn(Page, Vec<u8>),
    );
}
