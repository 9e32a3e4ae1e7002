//! Laws of `RobotsTxt`, which the fuzz target `robots` shares, and a naive reader and matcher.

use relref::crawl::RobotsTxt;

/// Checks all answers about a URI against the naive ones.
pub fn check(text: &[u8], agent: &str, uri: &str) {
    // The naive reader knows no UTF-16.
    if text.starts_with(b"\xFE\xFF") || text.starts_with(b"\xFF\xFE") {
        return;
    }
    let robots = RobotsTxt::parse(text);
    let groups = groups(text);
    let rule = robots.rule(agent, uri);
    let found = rule.map(|rule| (rule.line, rule.allows));
    assert_eq!(found, decide(&groups, agent, uri), "{:?}, {agent:?}, {uri:?}", String::from_utf8_lossy(text));
    assert_eq!(robots.allows(agent, uri), rule.is_none_or(|rule| rule.allows));
    let own = robots.for_agent(agent);
    for other in [agent, "*", "x"] {
        assert_eq!(own.rule(other, uri), rule);
        assert_eq!(own.crawl_delay(other), robots.crawl_delay(agent));
    }
    assert_eq!(own.for_agent("x"), own);
    assert!(robots.ignored_len() == 0 || text.len() > RobotsTxt::MAX_LEN);
    // The same file with other ends of lines, and the same URI with a fragment.
    if !text.contains(&b'\r') {
        let text: Vec<u8> =
            text.iter().flat_map(|byte| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] }).collect();
        if text.len() <= RobotsTxt::MAX_LEN {
            assert_eq!(RobotsTxt::parse(text), robots);
        }
    }
    assert_eq!(robots.rule(agent, format!("{}#a?/b", uri.split('#').next().unwrap())), rule);
}

struct Group {
    names: Vec<String>,
    /// Lines, whether they allow, and patterns.
    rules: Vec<(u32, bool, Vec<u8>)>,
}

fn groups(text: &[u8]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut is_open = false;
    let text = [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF"]
        .into_iter()
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text);
    // One byte a character, so that each can be kept.
    let text: String = text.iter().map(|byte| char::from(*byte)).collect();
    for (at, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let line = line.split('#').next().unwrap();
        let space = |c: char| c.is_ascii_whitespace();
        let words: Vec<_> =
            line.split([' ', '\t']).map(|word| word.trim_matches(space)).filter(|word| !word.is_empty()).collect();
        let (key, value) = match (line.split_once(':'), &words[..]) {
            (Some(pair), _) => pair,
            (None, [key, value]) => (*key, *value),
            _ => continue,
        };
        let value = value.trim_matches(space);
        let bytes = || value.chars().map(|c| c as u8).collect::<Vec<_>>();
        match &*key.trim_matches(space).to_ascii_lowercase() {
            "user-agent" | "useragent" | "user agent" => {
                if !is_open {
                    groups.push(Group { names: Vec::new(), rules: Vec::new() });
                }
                is_open = true;
                let is_part = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
                let name = match value.split([' ', '\t']).next() {
                    Some("*") => String::from("*"),
                    _ => value.chars().take_while(is_part).collect(),
                };
                groups.last_mut().unwrap().names.push(name.to_ascii_lowercase());
            }
            key @ ("allow" | "disallow" | "dissallow" | "dissalow" | "disalow" | "diasllow" | "disallaw") => {
                is_open = false;
                if let Some(group) = groups.last_mut() {
                    group.rules.push((at as u32 + 1, key == "allow", bytes()));
                }
            }
            _ => {}
        }
    }
    groups
}

fn decide(groups: &[Group], agent: &str, uri: &str) -> Option<(u32, bool)> {
    let token = agent.split('/').next().unwrap().trim_matches(|c: char| c.is_ascii_whitespace()).to_ascii_lowercase();
    let has = |group: &Group, name: &str| group.names.iter().any(|one| one == name);
    // The token, its starts before hyphens, the longest first, then the star.
    let mut names = vec![token.clone()];
    names.extend(token.match_indices('-').map(|(at, _)| token[..at].to_string()).collect::<Vec<_>>().into_iter().rev());
    names.retain(|name| !name.is_empty());
    names.push(String::from("*"));
    let name = names.into_iter().find(|name| groups.iter().any(|group| has(group, name)))?;
    let uri = uri.split('#').next().unwrap();
    let after_scheme = uri.split_once(':').filter(|(scheme, _)| is_scheme(scheme)).map_or(uri, |(_, rest)| rest);
    let path = match after_scheme.strip_prefix("//") {
        Some(rest) => &rest[rest.find(['/', '?']).unwrap_or(rest.len())..],
        None => after_scheme,
    };
    let path = if path.starts_with('/') { path.to_string() } else { format!("/{path}") };
    if form(path.as_bytes(), false, false) == "/robots.txt" {
        return None;
    }
    let rules = groups.iter().filter(|group| has(group, &name)).flat_map(|group| &group.rules);
    let mut best: Option<(usize, bool, u32)> = None;
    for (line, allows, pattern) in rules.filter(|(.., pattern)| !pattern.is_empty()) {
        let pattern = form(pattern, true, true);
        let path = form(path.as_bytes(), false, pattern.contains('?'));
        let this = (pattern.len(), *allows, u32::MAX - line);
        if is_match(pattern.as_bytes(), path.as_bytes()) && best.is_none_or(|best| this > best) {
            best = Some(this);
        }
    }
    best.map(|(_, allows, line)| (u32::MAX - line, allows))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Writes each octet by itself: all characters that have no meaning of their own as they are, others as escapes.
fn form(bytes: &[u8], is_pattern: bool, decodes_slashes: bool) -> String {
    let mut out = String::new();
    let mut in_query = false;
    let mut at = 0;
    while at < bytes.len() {
        let hex =
            bytes.get(at + 1..at + 3).filter(|digits| bytes[at] == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let octet = hex.map(|hex| u8::from_str_radix(std::str::from_utf8(hex).unwrap(), 16).unwrap());
        let is_last = at + 1 == bytes.len();
        let escape = |byte: u8| format!("%{byte:02X}");
        out += &match (octet, bytes[at]) {
            (Some(byte), _) if byte.is_ascii_alphanumeric() || "-._~!'(),+;:@[]".contains(char::from(byte)) => {
                char::from(byte).into()
            }
            (Some(b'/'), _) if in_query && decodes_slashes => String::from("/"),
            (Some(byte), _) => escape(byte),
            (None, b'*') if is_pattern => String::from("*"),
            (None, b'$') if is_pattern && is_last => String::from("$"),
            (None, byte) if byte.is_ascii_graphic() && !"\"#$*<>\\^`{|}".contains(char::from(byte)) => {
                char::from(byte).into()
            }
            (None, byte) => escape(byte),
        };
        in_query |= bytes[at] == b'?';
        at += if octet.is_some() { 3 } else { 1 };
    }
    out
}

/// Keeps the places of the path that each start of the pattern can reach.
fn is_match(pattern: &[u8], path: &[u8]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for (at, byte) in pattern.iter().enumerate() {
        match byte {
            b'$' if at + 1 == pattern.len() => return reached[path.len()],
            b'*' => {
                let first = reached.iter().position(|is| *is).unwrap_or(reached.len());
                reached[first..].fill(true);
            }
            _ => {
                reached = (0..=path.len()).map(|end| end > 0 && reached[end - 1] && path[end - 1] == *byte).collect();
            }
        }
    }
    reached.contains(&true)
}
