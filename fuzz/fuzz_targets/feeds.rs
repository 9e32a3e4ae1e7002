//! The links of feeds and robots.txt: reading ends on any bytes, gives the same in chunks and at once, and finds the links that
//! were written.
//!
//! Input: options, and bytes whose meaning the three lowest bits of the options choose: lines to be written to a sitemap or to
//! robots.txt; a robots.txt; a feed that gets very many bytes in its middle; a feed.

#![no_main]

use std::borrow::Cow;
use std::io::{BufRead, BufReader};

use encoding_rs::{Encoding, UTF_8};
use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::{Chunks, options};
use relref_links::feeds::{each_feed_link, each_robots_txt_link, is_feed};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, bytes)) = options(input) else { return Corpus::Reject };
    match bits & 7 {
        0 => written(bytes, bits >> 3),
        1 => robots(bytes, bits >> 3),
        // A thousand times as slow as the others. By a hash, it stays rare also among the changed copies of an input that was slow.
        2 if bytes.iter().fold(bits, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x100_0193)) >> 20 == 0 => {
            long_feed(bytes, bits >> 3);
        }
        _ => feed(bytes, bits >> 3),
    }
    Corpus::Keep
});

/// Returns the links of a feed, each with its inner bases, and the error with which reading ended, if any.
fn links_of_feed(feed: impl BufRead) -> (Vec<String>, Result<(), String>) {
    let mut found = Vec::new();
    let done = each_feed_link(feed, None, |link| {
        assert!(link.bases.len() <= 16);
        found.push(format!("{:?}", (link.link, link.bases)));
        true
    });
    (found, done.map_err(|error| error.to_string()))
}

/// Returns the references in the `Sitemap` lines of a robots.txt.
fn links_of_robots(robots: impl BufRead) -> Vec<String> {
    let mut found = Vec::new();
    let _ = each_robots_txt_link(robots, |link| {
        found.push(link.reference.to_owned());
        true
    });
    found
}

/// Returns a reader of bytes that gives them in chunks. The options choose how long these are.
fn chunks(bytes: &[u8], bits: u32) -> impl BufRead {
    BufReader::with_capacity([1, 3, 100, 1 << 16][bits as usize % 4], Chunks::new(bytes.to_vec(), bits, true))
}

/// Checks that a feed in chunks has the same links, and that a feed that is cut has the first of these links.
fn feed(bytes: &[u8], bits: u32) {
    let _ = is_feed(bytes);
    let whole = links_of_feed(bytes);
    // quick-xml 0.41 ends a comment at `->` without a third hyphen if the two chunks before each end in a hyphen.
    let ascii: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    if !ascii.windows(3).any(|part| part[0] != b'-' && part[1..] == *b"->") {
        assert_eq!(whole, links_of_feed(chunks(bytes, bits)));
    }
    // The first bytes tell the character encoding.
    let cut = bytes.len().min(100 + (bits >> 2) as usize % 0x400);
    let (first, _) = links_of_feed(&bytes[..cut]);
    assert!(whole.0.starts_with(&first), "{cut}: {first:?} {whole:?}");
    let mut count = 0;
    let done = each_feed_link(bytes, None, |_| {
        count += 1;
        count < 2
    });
    assert!(count <= 2 && (count < 2 || done.is_ok()));
}

/// Checks that robots.txt has the same links in chunks and at once, and that a naive search finds the same.
fn robots(bytes: &[u8], bits: u32) {
    let found = links_of_robots(bytes);
    assert_eq!(found, links_of_robots(chunks(bytes, bits)));
    let utf_8 = match Encoding::for_bom(bytes) {
        Some((charset, _)) if charset != UTF_8 => Cow::Owned(charset.decode(bytes).0.into_owned().into_bytes()),
        Some((_, mark_len)) => Cow::Borrowed(&bytes[mark_len..]),
        None => Cow::Borrowed(bytes),
    };
    let naive =
        utf_8.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| line.len() <= 64 << 10).filter_map(|line| {
            let line = String::from_utf8_lossy(line);
            let line = line.split('#').next().unwrap_or_default();
            let (name, value) = line.split_once(':')?;
            let [name, value] = [name, value].map(|text| text.trim_matches([' ', '\t']));
            (name.eq_ignore_ascii_case("sitemap") && !value.is_empty()).then(|| value.to_owned())
        });
    assert!(naive.eq(found.iter().cloned()), "{found:?}");
}

/// Checks that links are found that are written to a sitemap, as text in any form, and to robots.txt. Each line of `bytes` is a
/// link.
fn written(bytes: &[u8], bits: u32) {
    // In XML, other control characters are not allowed.
    let text: String = String::from_utf8_lossy(bytes).chars().filter(|char| *char >= ' ' || *char == '\n').collect();
    let lines: Vec<&str> = text.split('\n').map(str::trim_ascii).filter(|line| !line.is_empty()).collect();
    let escape = |line: &str| line.replace('&', "&amp;").replace('<', "&#x3C;");
    let sitemap: String = lines
        .iter()
        .map(|line| match bits & 3 {
            0 => format!("<url><loc>{}</loc><lastmod>x</lastmod></url>", escape(line)),
            1 => format!("<loc> <![CDATA[{}]]>\n</loc>", line.replace("]]>", "]]]]><![CDATA[>")),
            2 => format!("<url><loc>{}<b>x</b><!-- y --></url>", escape(line)),
            _ => format!("<link href=\"{}\"/>", escape(line).replace('"', "&quot;")),
        })
        .collect();
    let sitemap = format!("<?xml version='1.0'?><urlset>{sitemap}</urlset>");
    assert!(is_feed(sitemap.as_bytes()));
    let utf_16: Vec<u8> = sitemap.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for feed in [sitemap.as_bytes(), &utf_16] {
        let mut found = Vec::new();
        let done = each_feed_link(feed, None, |link| {
            found.push(link.link.reference.to_owned());
            true
        });
        assert!(done.is_ok() && found == lines, "{sitemap}: {done:?} {found:?}");
    }
    let robots: String = lines.iter().map(|line| format!("Sitemap: {line}\n")).collect();
    let before_comments = lines.iter().map(|line| line.split('#').next().unwrap_or_default().trim_matches([' ', '\t']));
    assert!(before_comments.filter(|line| !line.is_empty()).eq(links_of_robots(robots.as_bytes())));
}

/// Checks that a feed has the same links in chunks after very many bytes were put in its middle. A tag or text may then be too
/// long.
fn long_feed(bytes: &[u8], bits: u32) {
    let at = bits as usize % (bytes.len() + 1);
    let many = vec![bytes.last().copied().unwrap_or(b'x'); (1 << 20) + (bits >> 16) as usize % 0x100];
    let long = [&bytes[..at], &many, &bytes[at..]].concat();
    assert_eq!(links_of_feed(&long[..]), links_of_feed(BufReader::new(&long[..])));
}
