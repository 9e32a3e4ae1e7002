//! `robots.txt`: the rules by which a site asks crawlers to leave out some of its URIs (RFC 9309).

mod parse;
mod pattern;

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::time::Duration;

use smallvec::SmallVec;

use self::pattern::{Letters, comparable_path, matches, with_query_slashes};

/// The rules of a `robots.txt` (RFC 9309), and its other facts: sitemaps and crawl delays.
///
/// ```
/// use relref::crawl::RobotsTxt;
///
/// let robots = RobotsTxt::parse("User-agent: *\nDisallow: /private/\nAllow: /private/press/\nCrawl-delay: 2.5");
/// assert!(robots.allows("ExampleBot", "https://example.com/docs/"));
/// assert!(!robots.allows("ExampleBot", "https://example.com/private/a.html"));
/// assert!(robots.allows("ExampleBot", "https://example.com/private/press/a.html"));
/// assert_eq!(robots.rule("ExampleBot", "https://example.com/private/a.html").unwrap().line, 2);
/// assert_eq!(robots.crawl_delay("ExampleBot").unwrap().as_secs_f64(), 2.5);
/// ```
///
/// The rules of a host are those of its own `robots.txt`: scheme, host and port of a URI are not looked at.
///
/// # Agents
/// An agent is given by its product token, such as `ExampleBot`, not by the whole of an HTTP field `User-Agent`; a version after `/` does
/// not matter. Its rules are those of all groups
/// that name the token, in any case; if there is none, of those that name the longest part of it before a hyphen (`Googlebot` for
/// `Googlebot-News`); if there is none, of the groups for `*`; otherwise it has none. In the file, a name ends at the first character
/// that is no letter, digit, `-`, `_` or `.`: RFC 9309 has no digits and dots, but known crawlers do.
///
/// # Rules
/// A pattern matches the start of path and query. `*` is any text, `$` at the end is the end of the URI. Of the rules that match, the
/// longest decides, and of equally long ones one that allows. A URI that no rule matches is allowed, and so is `/robots.txt`. An empty
/// pattern matches nothing.
///
/// Octets are compared as RFC 9309 §2.2.2 and its table have it. An escape is the same as its character, with two exceptions: `&`, `=`,
/// `?`, and `/` before the query differ from their escapes, as servers may treat them as different; and `%25` is no `%`. What is not
/// US-ASCII, or no character of URIs, is the same as its escape, of the octets that the file has. `%2A` and `%24` are the characters
/// `*` and `$`.
///
/// # Lines
/// Lines end with LF, CR or CRLF. Lines of other kinds never end a group. As the parser of Google does, these are accepted: a
/// `:` that is missing between two words, and the misspellings `useragent`, `user agent`, `dissallow`, `dissalow`, `disalow`, `diasllow`,
/// `disallaw`, `site-map`. Its other extensions are not: lines are never cut, `/index.html` is not `/`, and `disallowed:` is not
/// `disallow:`.
///
/// # Limits
/// Of a longer file, the first [`MAX_LEN`](RobotsTxt::MAX_LEN) bytes are read, to the end of the last line that fits:
/// [`ignored_len`](RobotsTxt::ignored_len) tells it. The rules take at most about 4 MiB of memory.
///
/// # Cost
/// For a URI, one comparison for each rule, and for a rule with `*` whose letters may be in the URI at most one pass over it, however many `*` it has. Such passes
/// are limited to [`MAX_WORK`](RobotsTxt::MAX_WORK) bytes for a URI; the rule at which they end disallows it. A URI of 1,000
/// bytes is never affected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RobotsTxt {
    /// Names and patterns, one after the other.
    text: String,
    agents: Vec<Agent>,
    /// The longest pattern first; of equally long ones, those that allow first, then by their lines.
    rules: Vec<Rule>,
    sitemaps: Vec<String>,
    ignored_len: usize,
}

/// A `user-agent` line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Agent {
    name: Slice,
    group: u32,
    delay: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    pattern: Slice,
    group: u32,
    line: u32,
    allows: bool,
    has_query: bool,
    has_star: bool,
    /// What a path must have so that the rule can match; nothing without `*`. Most rules with `*` then need no pass over the path, so that
    /// 40,000 of them do not cost a millisecond a URI.
    needed: Letters,
}

// Names and patterns are slices of one text, by 32-bit offsets: a file may have tens of thousands of rules, and a `String` for
// each would take 24 bytes and an allocation.
/// A part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    fn len(self) -> u32 {
        self.end - self.start
    }
}

/// A line of a `robots.txt` that decides about a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RobotsRule<'r> {
    /// The number of the line, from 1.
    pub line: u32,
    /// True if the rule allows what it matches.
    pub allows: bool,
    /// The pattern, with escapes for what is not US-ASCII, and without those that are not needed.
    pub pattern: &'r str,
}

type Groups = SmallVec<[u32; 8]>;

impl RobotsTxt {
    /// The bytes of a file that are read: 500 KiB (RFC 9309 §2.5).
    pub const MAX_LEN: usize = 500 << 10;
    /// The bytes of a URI, once for each rule with `*`, after which a URI is disallowed.
    pub const MAX_WORK: usize = 64 << 20;

    /// Reads a `robots.txt`, of any bytes: UTF-8 or, with its byte order mark, UTF-16.
    ///
    /// ```
    /// use relref::crawl::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse(b"\xEF\xBB\xBFuser-agent:*\rdisallow:/caf\xC3\xA9\rsitemap: /map.xml # of all\r");
    /// assert!(!robots.allows("*", "http://h/caf%c3%a9/") && !robots.allows("*", "http://h/café"));
    /// assert!(robots.sitemaps().eq(["/map.xml"]));
    /// ```
    #[must_use]
    pub fn parse(text: impl AsRef<[u8]>) -> RobotsTxt {
        parse::parse(text.as_ref())
    }

    /// Reports whether an agent may fetch a URI, or a path with its query.
    ///
    /// ```
    /// use relref::crawl::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse("user-agent: ExampleBot\ndisallow: /*?print=$\n\nuser-agent: *\ndisallow: /");
    /// assert!(!robots.allows("examplebot/2.1", "https://example.com/docs/?print="));
    /// assert!(robots.allows("ExampleBot", "/docs/?print=1"));
    /// assert!(!robots.allows("OtherBot", "https://example.com/docs/"));
    /// ```
    #[doc(alias("allowed", "can_fetch"))]
    #[must_use]
    pub fn allows(&self, agent: impl AsRef<str>, uri: impl AsRef<str>) -> bool {
        self.rule(agent, uri).is_none_or(|rule| rule.allows)
    }

    /// Returns the rule that decides whether an agent may fetch a URI, or a path with its query. `None` if none matches: the URI is allowed.
    #[must_use]
    pub fn rule(&self, agent: impl AsRef<str>, uri: impl AsRef<str>) -> Option<RobotsRule<'_>> {
        let groups: Groups = self.agents_of(agent.as_ref()).into_iter().map(|agent| agent.group).collect();
        let path = comparable_path(uri.as_ref());
        if groups.is_empty() || path == "/robots.txt" {
            return None;
        }
        let in_query = with_query_slashes(&path);
        let letters = Letters::of(&path).union(Letters::of(&in_query));
        // A rule with `*` searches the whole path, so that rules times path could take long: the sum is limited. The other rules
        // compare the start of the path, which costs no more than to read the rule.
        let mut work = 0;
        for rule in &self.rules {
            // They are in the order of the file.
            if groups.binary_search(&rule.group).is_err() {
                continue;
            }
            if !letters.have(rule.needed) {
                continue;
            }
            work += if rule.has_star { path.len() } else { 0 };
            let pattern = rule.pattern.of(&self.text);
            let is_over = work > Self::MAX_WORK;
            if is_over || matches(pattern, rule.has_star, if rule.has_query { &in_query } else { &path }) {
                return Some(RobotsRule { line: rule.line, allows: rule.allows && !is_over, pattern });
            }
        }
        None
    }

    /// Returns the time that an agent is asked to wait between two requests: the first `crawl-delay` of its groups. It belongs to
    /// the `user-agent` lines before it in its group. RFC 9309 does not have it.
    #[must_use]
    pub fn crawl_delay(&self, agent: impl AsRef<str>) -> Option<Duration> {
        self.agents_of(agent.as_ref()).into_iter().find_map(|agent| agent.delay)
    }

    /// Returns the references of the `sitemap` lines, in their order. They are for all agents.
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        self.sitemaps.iter().map(String::as_str)
    }

    /// Returns the number of bytes at the end that were not read, 0 for a file within the limit.
    #[must_use]
    pub fn ignored_len(&self) -> usize {
        self.ignored_len
    }

    /// Returns the rules of one agent as those of every agent, which are quicker to look up if many URIs are.
    ///
    /// ```
    /// use relref::crawl::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse("user-agent: a\nuser-agent: b\ndisallow: /x\n\nuser-agent: c\ndisallow: /y");
    /// let of_b = robots.for_agent("b");
    /// assert!(!of_b.allows("c", "/x") && of_b.allows("c", "/y"));
    /// ```
    #[must_use]
    pub fn for_agent(&self, agent: impl AsRef<str>) -> RobotsTxt {
        let agent = agent.as_ref();
        let groups: Groups = self.agents_of(agent).into_iter().map(|agent| agent.group).collect();
        let mut robots =
            RobotsTxt { sitemaps: self.sitemaps.clone(), ignored_len: self.ignored_len, ..RobotsTxt::default() };
        let name = robots.push(|text| text.push('*'));
        robots.agents.push(Agent { name, group: 0, delay: self.crawl_delay(agent) });
        for rule in self.rules.iter().filter(|rule| groups.binary_search(&rule.group).is_ok()) {
            let pattern = robots.push(|text| text.push_str(rule.pattern.of(&self.text)));
            robots.rules.push(Rule { pattern, group: 0, ..rule.clone() });
        }
        robots.shrink();
        robots
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.agents.shrink_to_fit();
        self.rules.shrink_to_fit();
    }

    fn push(&mut self, write: impl FnOnce(&mut String)) -> Slice {
        let start = self.text.len();
        write(&mut self.text);
        // The text has at most three times as many bytes as a file may have.
        Slice { start: start as u32, end: self.text.len() as u32 }
    }

    /// Returns the lines that name an agent best, in the order of the file.
    fn agents_of(&self, agent: &str) -> SmallVec<[&Agent; 8]> {
        let token = agent.split('/').next().unwrap_or_default().trim_ascii();
        let mut best = None;
        let mut agents = SmallVec::new();
        for agent in &self.agents {
            let name = agent.name.of(&self.text);
            let specificity = match name {
                "*" => 0,
                _ if is_token_or_start(name, token) => name.len(),
                _ => continue,
            };
            match Some(specificity).cmp(&best) {
                Ordering::Less => continue,
                Ordering::Equal => {}
                Ordering::Greater => {
                    best = Some(specificity);
                    agents.clear();
                }
            }
            agents.push(agent);
        }
        agents
    }
}

/// Reports whether a name is the token, or its start before a hyphen.
fn is_token_or_start(name: &str, token: &str) -> bool {
    let (name, token) = (name.as_bytes(), token.as_bytes());
    token.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && matches!(token.get(name.len()), None | Some(b'-'))
}
