//! `RobotsTxt`: the tables of `tests/vectors/robots`, groups, facts and limits.

use std::fs;
use std::path::Path;
use std::time::Duration;

use quickcheck::{Arbitrary, Gen};
use relref::crawl::RobotsTxt;

use super::robots_checks::check;
use crate::inputs::runner::tries;

/// Decodes `\n`, `\r`, `\t` and `\xHH`.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let (byte, len) = match (first, after.first()) {
            (b'\\', Some(b'n')) => (b'\n', 2),
            (b'\\', Some(b'r')) => (b'\r', 2),
            (b'\\', Some(b't')) => (b'\t', 2),
            (b'\\', Some(b'x')) => (u8::from_str_radix(&text[text.len() - rest.len() + 2..][..2], 16).unwrap(), 4),
            _ => (first, 1),
        };
        bytes.push(byte);
        rest = &rest[len..];
    }
    bytes
}

fn decision(robots: &RobotsTxt, agent: &str, uri: &str, with_line: bool) -> String {
    let rule = robots.rule(agent, uri);
    let decided = if robots.allows(agent, uri) { "allowed" } else { "disallowed" };
    match rule {
        Some(rule) if with_line => format!("{decided} by line {}", rule.line),
        _ => String::from(decided),
    }
}

#[test]
fn every_row() {
    let mut number = 0;
    for name in ["google.tsv", "rfc9309.tsv", "more.tsv"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/robots").join(name);
        for (at, line) in fs::read_to_string(file).unwrap().lines().enumerate().skip(1) {
            let [_, text, agent, uri, expected, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{name}:{}: not five fields", at + 1)
            };
            let robots = RobotsTxt::parse(unescape(text));
            let with_line = expected.contains("line") || name != "google.tsv";
            assert_eq!(decision(&robots, agent, uri, with_line), expected, "{name}:{}: {line}", at + 1);
            assert_eq!(decision(&robots.for_agent(agent), "x", uri, with_line), expected, "{name}:{}: {line}", at + 1);
            number += 1;
        }
    }
    assert!(number > 300, "only {number} rows");
}

#[test]
fn patterns_are_told_as_they_are_compared() {
    let robots = RobotsTxt::parse("user-agent: *\ndisallow: /%7eé*?b=%2f%2A$");
    let rule = robots.rule("*", "/~%c3%a9/?b=/*").unwrap();
    assert_eq!((rule.line, rule.allows, rule.pattern), (2, false, "/~%C3%A9*?b=/%2A$"));
}

#[test]
fn delays_belong_to_the_agents_before_them() {
    let text = "crawl-delay: 9\nuser-agent: a\nuser-agent: b\ncrawl-delay: 5\ncrawl-delay: 6\nuser-agent: *\ncrawl-delay: 0.5\n\
                disallow: /\nuser-agent: c\ncrawl-delay: 1\nuser-agent: C\ndisallow: /c\n";
    let robots = RobotsTxt::parse(text);
    let seconds = |agent| robots.crawl_delay(agent).as_ref().map(Duration::as_secs_f64);
    assert_eq!(["a", "B/1", "c", "d"].map(seconds), [Some(5.0), Some(5.0), Some(1.0), Some(0.5)]);
    assert_eq!(robots.for_agent("b").crawl_delay("x"), Some(Duration::from_secs(5)));
    for wrong in ["", "-1", "x", "nan", "inf", "1e99", "1 s", "\u{663}"] {
        let robots = RobotsTxt::parse(format!("user-agent: *\ncrawl-delay: {wrong}\ncrawl-delay: 2\ncrawl-delay: 3"));
        assert_eq!(robots.crawl_delay("*"), Some(Duration::from_secs(2)), "{wrong}");
    }
    // A group of the agent without a delay does not take that of all.
    let robots = RobotsTxt::parse("user-agent: *\ncrawl-delay: 1\ndisallow:\nuser-agent: a\ndisallow:");
    assert_eq!((robots.crawl_delay("a"), robots.crawl_delay("b")), (None, Some(Duration::from_secs(1))));
}

#[test]
fn sitemaps_are_of_no_group() {
    let robots =
        RobotsTxt::parse(b"SITEMAP:http://h/a\rsite-map : /\xC3\xA9\xFF #\nsitemap:\nsitemap /b\nsitemaps: /c");
    assert!(robots.sitemaps().eq(["http://h/a", "/é\u{fffd}", "/b"]));
    assert!(robots.for_agent("x").sitemaps().eq(robots.sitemaps()));
}

#[test]
fn utf_16_is_read_with_its_mark() {
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let encoded = |text: &str| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        let robots = RobotsTxt::parse(encoded("\u{feff}user-agent: *\r\ndisallow: /\u{e9}\u{1f600}\rsitemap: /\u{e9}"));
        assert!(!robots.allows("*", "/%C3%A9%F0%9F%98%80x") && robots.allows("*", "/"));
        assert!(robots.sitemaps().eq(["/\u{e9}"]));
        assert_eq!(robots.rule("*", "/\u{e9}\u{1f600}").unwrap().line, 2);
        let line = "disallow: /a\n";
        let long = encoded(&["\u{feff}user-agent: *\n", &line.repeat(30_000)].concat());
        let robots = RobotsTxt::parse(&long);
        assert!(!robots.allows("*", "/a"));
        let kept = (long.len() - robots.ignored_len()) / 2;
        assert!(kept * 2 <= RobotsTxt::MAX_LEN && kept * 2 > RobotsTxt::MAX_LEN - 4 * line.len());
    }
    assert_eq!(RobotsTxt::parse(b"\xFF\xFEa"), RobotsTxt::default());
}

#[test]
fn long_files_are_read_up_to_their_limit() {
    let rule = "disallow: /b\n";
    for end in ["\n", "\r\n", "\r"] {
        let start = format!("user-agent: *{end}disallow: /a{end}");
        let filler = "#".repeat(RobotsTxt::MAX_LEN - start.len() - "disallow: /b".len() - end.len());
        let whole = format!("{start}{filler}{end}disallow: /b{end}");
        let robots = RobotsTxt::parse(&whole);
        assert!(!robots.allows("*", "/a") && !robots.allows("*", "/b"));
        // The line that fits keeps its end out.
        let most = if whole.len() > RobotsTxt::MAX_LEN { end.len() } else { 0 };
        assert_eq!(robots.ignored_len(), most);
        // A line that is cut would disallow more than it says.
        let longer = format!("{start}#{filler}{end}disallow: /bcd");
        let robots = RobotsTxt::parse(&longer);
        assert!(!robots.allows("*", "/a") && robots.allows("*", "/b") && robots.allows("*", "/bcd"));
        assert!(robots.ignored_len() >= rule.len(), "{}", robots.ignored_len());
        assert_eq!(robots.for_agent("a").ignored_len(), robots.ignored_len());
    }
    let robots = RobotsTxt::parse("x".repeat(RobotsTxt::MAX_LEN + 1));
    assert_eq!(robots.ignored_len(), RobotsTxt::MAX_LEN + 1);
}

/// Beyond it, the rule at which the work ends disallows.
#[test]
fn work_is_limited() {
    // Each letter and pair of the pattern is in the path, which has only one `ab`.
    let text = format!("user-agent: *\n{}", "allow: /*ab*ab\n".repeat(25_000));
    let robots = RobotsTxt::parse(text);
    let path = |len| format!("/{}b", "a".repeat(len - 2));
    assert!(robots.allows("*", path(1_000)));
    assert_eq!(robots.rule("*", path(RobotsTxt::MAX_WORK / 25_000)), None);
    let rule = robots.rule("*", path(RobotsTxt::MAX_WORK / 25_000 + 1)).unwrap();
    assert!(!rule.allows && rule.line > 24_000);
    // A match of a longer rule comes first.
    let text = format!("user-agent: *\nallow: /aaaaaaaa\n{}", "allow: /*ab*ab\n".repeat(25_000));
    assert!(RobotsTxt::parse(text).allows("*", path(1_000_000)));
}

/// A random file made of parts that meet, an agent and a URI.
#[derive(Clone, Debug)]
struct Case {
    text: Vec<u8>,
    agent: String,
    uri: String,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        const KEYS: &[&str] = &[
            "user-agent:",
            "User-Agent : ",
            "useragent ",
            "allow: ",
            "disallow:",
            "Disallow: ",
            "disalow\t:",
            "sitemap:",
            "#",
            "crawl-delay: 2",
            "",
            "x: ",
        ];
        const AGENTS: &[&str] = &["*", "a", "A-b", "a-b-c", "a/1", "b", "* x", "", "a_b", "A1", "é", "*a", "-", "a-"];
        const PARTS: &[&str] = &[
            "/",
            "/",
            "a",
            "a",
            "b",
            "ab",
            "*",
            "*",
            "$",
            "?",
            "&",
            "%61",
            "%2F",
            "%2f",
            "%2A",
            "%24",
            "é",
            "%C3%A9",
            "%c3",
            "%25",
            "%",
            " ",
            "%20",
            "%3F",
            ":",
            "%3a",
            "путь",
            "#",
            "\u{0}",
            "robots.txt",
        ];
        const STARTS: &[&str] = &["", "", "/", "/", "/", "http://h", "http://h/", "HTTPS://u@h:1/", "//h/"];
        let choose = |g: &mut Gen, of: &[&str]| String::from(*g.choose(of).unwrap());
        let parts =
            |g: &mut Gen, most: usize| (0..usize::arbitrary(g) % most).map(|_| choose(g, PARTS)).collect::<String>();
        let mut text = Vec::new();
        for _ in 0..u8::arbitrary(g) % 12 {
            let key = choose(g, KEYS);
            let value = if key.to_ascii_lowercase().starts_with("user") {
                choose(g, AGENTS)
            } else {
                choose(g, &["", "/", "/", "*"]) + &parts(g, 8)
            };
            text.extend(
                [key.as_bytes(), value.as_bytes(), choose(g, &["\n", "\n", "\n", "\r", "\r\n"]).as_bytes()].concat(),
            );
        }
        if u8::arbitrary(g) % 8 == 0 {
            // Any bytes at any place.
            let at = usize::arbitrary(g) % (text.len() + 1);
            text.splice(at..at, Vec::<u8>::arbitrary(g));
        }
        Case { text, agent: choose(g, AGENTS), uri: choose(g, STARTS) + &parts(g, 12) }
    }
}

#[test]
fn the_naive_reader_agrees() {
    fn law(case: Case) {
        check(&case.text, &case.agent, &case.uri);
    }
    tries(20_000).quickcheck(law as fn(Case));
}
