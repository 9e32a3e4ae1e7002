//! Compares the scanner with html5gum.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use crate::html::tokens::character_references::NAMED;
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
