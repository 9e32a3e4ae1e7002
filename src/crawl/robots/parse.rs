//! The lines of a `robots.txt`, read into groups.

use alloc::string::String;
use core::cmp::Reverse;
use core::time::Duration;

use memchr::{memchr, memchr2, memrchr2};

use super::pattern::{Letters, push_pattern};
use super::{Agent, RobotsTxt, Rule};

enum Field {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// In lower case. With the misspellings that Google's parser accepts.
const FIELDS: &[(&str, Field)] = &[
    ("user-agent", Field::UserAgent),
    ("useragent", Field::UserAgent),
    ("user agent", Field::UserAgent),
    ("allow", Field::Allow),
    ("disallow", Field::Disallow),
    ("dissallow", Field::Disallow),
    ("dissalow", Field::Disallow),
    ("disalow", Field::Disallow),
    ("diasllow", Field::Disallow),
    ("disallaw", Field::Disallow),
    ("crawl-delay", Field::CrawlDelay),
    ("sitemap", Field::Sitemap),
    ("site-map", Field::Sitemap),
];

pub(super) fn parse(text: &[u8]) -> RobotsTxt {
    // RFC 9309 §2.2 asks for UTF-8, and lets crawlers bridge other encodings.
    match text {
        [0xFF, 0xFE, units @ ..] => parse_utf16(units, u16::from_le_bytes),
        [0xFE, 0xFF, units @ ..] => parse_utf16(units, u16::from_be_bytes),
        text if text.len() > RobotsTxt::MAX_LEN => {
            // The limit of RFC 9309 §2.5, at the end of a line: half a rule could allow what the whole one forbids.
            let len = memrchr2(b'\n', b'\r', &text[..=RobotsTxt::MAX_LEN]).unwrap_or(0);
            parse_lines(&text[..len], text.len() - len)
        }
        text => parse_lines(text, 0),
    }
}

fn parse_utf16(units: &[u8], unit: fn([u8; 2]) -> u16) -> RobotsTxt {
    let is_long = units.len() > RobotsTxt::MAX_LEN;
    let read = units[..units.len().min(RobotsTxt::MAX_LEN)].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let chars = char::decode_utf16(read).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER));
    let mut text: String = chars.collect();
    if is_long {
        text.truncate(text.rfind(['\n', '\r']).unwrap_or(0));
    }
    let ignored_len = if is_long { units.len() - 2 * text.encode_utf16().count() } else { 0 };
    parse_lines(text.as_bytes(), ignored_len)
}

fn parse_lines(mut rest: &[u8], ignored_len: usize) -> RobotsTxt {
    let mut parser =
        GroupReader { robots: RobotsTxt::default(), group: 0, group_start: 0, has_agents: false, has_rules: false };
    parser.robots.ignored_len = ignored_len;
    // Google's parser also accepts a part of the byte order mark.
    let mark = b"\xEF\xBB\xBF".iter().zip(rest).take_while(|(mark, byte)| mark == byte).count();
    rest = &rest[mark..];
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.strip_prefix(b"\r\n").or(after.get(1..)).unwrap_or_default();
        parser.read_line(line, number);
    }
    let mut robots = parser.robots;
    // The longest pattern decides, and of equal ones that which allows (RFC 9309 §2.2.2). In this order, the first rule that
    // matches is the answer, and none after it is tried.
    robots.rules.sort_unstable_by_key(|rule| (Reverse(rule.pattern.len()), !rule.allows, rule.line));
    robots.shrink();
    robots
}

struct GroupReader {
    robots: RobotsTxt,
    /// The number of the group.
    group: u32,
    /// The first agent of the group that has no delay.
    group_start: usize,
    /// True after the first `user-agent` line.
    has_agents: bool,
    /// True if the group has a rule, so that another `user-agent` line starts a group.
    has_rules: bool,
}

impl GroupReader {
    fn read_line(&mut self, line: &[u8], number: u32) {
        let Some((key, value)) = split_line(line) else { return };
        match key {
            Field::UserAgent => self.add_agent(value),
            Field::Allow => self.add_rule(value, number, true),
            Field::Disallow => self.add_rule(value, number, false),
            Field::CrawlDelay => self.set_delay(value),
            Field::Sitemap if value.is_empty() => {}
            Field::Sitemap => self.robots.sitemaps.push(String::from_utf8_lossy(value).into_owned()),
        }
    }

    fn add_agent(&mut self, value: &[u8]) {
        if self.has_rules {
            self.group += 1;
            self.group_start = self.robots.agents.len();
        }
        (self.has_agents, self.has_rules) = (true, false);
        let is_any = matches!(value, [b'*'] | [b'*', b' ' | b'\t', ..]);
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let len = value.iter().take_while(is_part).count();
        let name = core::str::from_utf8(if is_any { b"*" } else { &value[..len] }).unwrap_or_default();
        if !name.is_empty() {
            let name = self.robots.push(|text| text.push_str(name));
            self.robots.agents.push(Agent { name, group: self.group, delay: None });
        }
    }

    /// Rules before the first `user-agent` line are of no group.
    fn add_rule(&mut self, value: &[u8], line: u32, allows: bool) {
        if !self.has_agents {
            return;
        }
        self.has_rules = true;
        if value.is_empty() {
            return;
        }
        let pattern = self.robots.push(|text| push_pattern(value, text));
        let bytes = pattern.of(&self.robots.text).as_bytes();
        let [has_query, has_star] = [b'?', b'*'].map(|byte| memchr(byte, bytes).is_some());
        let needed = if has_star { Letters::of_pattern(pattern.of(&self.robots.text)) } else { Letters::default() };
        self.robots.rules.push(Rule { pattern, group: self.group, line, allows, has_query, has_star, needed });
    }

    /// The first delay counts.
    fn set_delay(&mut self, value: &[u8]) {
        let seconds = core::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
        let Some(delay) = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) else { return };
        for agent in &mut self.robots.agents[self.group_start..] {
            agent.delay = Some(delay);
        }
        self.group_start = self.robots.agents.len();
    }
}

/// The value is without a comment.
fn split_line(line: &[u8]) -> Option<(&'static Field, &[u8])> {
    let line = line[..memchr(b'#', line).unwrap_or(line.len())].trim_ascii();
    let (key, value) = match memchr(b':', line) {
        Some(colon) => (&line[..colon], &line[colon + 1..]),
        None => {
            let (key, value) = line.split_at(memchr2(b' ', b'\t', line)?);
            let is_word = memchr2(b' ', b'\t', value.trim_ascii()).is_none();
            is_word.then_some((key, value))?
        }
    };
    let key = key.trim_ascii();
    let (_, key) = FIELDS.iter().find(|(name, _)| key.eq_ignore_ascii_case(name.as_bytes()))?;
    Some((key, value.trim_ascii()))
}
