//! Naive transcriptions of each document, with which the engine is compared: slow and obvious, and written only from the text of
//! the document.

use relref::Rules;

/// The components of a text, split as in RFC 3986 appendix B.
struct Split<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

fn split(text: &str) -> Split<'_> {
    let (text, fragment) = cut(text, '#');
    let (text, query) = cut(text, '?');
    let (scheme, text) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, text),
    };
    let (authority, path) = match text.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, text),
    };
    Split { scheme, authority, path, query, fragment }
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

pub fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn write(scheme: &str, authority: Option<&str>, path: &str, query: Option<&str>, fragment: Option<&str>) -> String {
    let mut out = format!("{scheme}:");
    if let Some(authority) = authority {
        out += &format!("//{authority}");
    } else if path.starts_with("//") {
        // The path must not be read as an authority.
        out += "/.";
    }
    out += path;
    out += &query.map_or(String::new(), |query| format!("?{query}"));
    out += &fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    out
}

/// Resolves a reference as the document of the rules says. `base` must have a scheme.
pub fn resolve(base: &str, reference: &str, rules: Rules) -> String {
    match rules {
        Rules::RFC1630 | Rules::DRAFT_WWW_URI_00 => by_level(base, reference, rules == Rules::RFC1630),
        Rules::RFC1808 => rfc1808(base, reference),
        Rules::RFC2396 | Rules::URL7 => rfc2396(base, reference),
        Rules::RFC3986 => rfc3986(base, reference),
        other => panic!("no document says {other}"),
    }
}

/// Resolves by RFC 3986 §5.2.2.
fn rfc3986(base: &str, reference: &str) -> String {
    let (b, r) = (split(base), split(reference));
    if let Some(scheme) = r.scheme {
        return write(scheme, r.authority, &remove_dot_segments(r.path), r.query, r.fragment);
    }
    let scheme = b.scheme.unwrap();
    if r.authority.is_some() {
        return write(scheme, r.authority, &remove_dot_segments(r.path), r.query, r.fragment);
    }
    if r.path.is_empty() {
        return write(scheme, b.authority, b.path, r.query.or(b.query), r.fragment);
    }
    if r.path.starts_with('/') {
        return write(scheme, b.authority, &remove_dot_segments(r.path), r.query, r.fragment);
    }
    let merged = if b.authority.is_some() && b.path.is_empty() {
        format!("/{}", r.path)
    } else {
        format!("{}{}", directory(b.path), r.path)
    };
    write(scheme, b.authority, &remove_dot_segments(&merged), r.query, r.fragment)
}

fn directory(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |at| at + 1)]
}

/// Removes dot segments as RFC 3986 §5.2.4 does, step by step.
fn remove_dot_segments(path: &str) -> String {
    let mut input = path.to_string();
    let mut output = String::new();
    while !input.is_empty() {
        if let Some(rest) = input.strip_prefix("../").or(input.strip_prefix("./")) {
            input = rest.to_string();
        } else if input.starts_with("/./") {
            input = input[2..].to_string();
        } else if input == "/." {
            input = "/".to_string();
        } else if input.starts_with("/../") || input == "/.." {
            input = format!("/{}", input[3..].strip_prefix('/').unwrap_or(""));
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "." || input == ".." {
            input.clear();
        } else {
            let slash = usize::from(input.starts_with('/'));
            let end = input[slash..].find('/').map_or(input.len(), |at| at + slash);
            output += &input[..end];
            input = input[end..].to_string();
        }
    }
    output
}

/// Resolves by RFC 2396 §5.2. Also by appendix 1.2 of URL7, which says less than that.
fn rfc2396(base: &str, reference: &str) -> String {
    let (b, r) = (split(base), split(reference));
    if r.scheme.is_some() {
        return reference.to_string();
    }
    let scheme = b.scheme.unwrap();
    if r.path.is_empty() && r.authority.is_none() && r.query.is_none() {
        return write(scheme, b.authority, b.path, b.query, r.fragment);
    }
    if r.authority.is_some() {
        return write(scheme, r.authority, r.path, r.query, r.fragment);
    }
    if r.path.starts_with('/') {
        return write(scheme, b.authority, r.path, r.query, r.fragment);
    }
    let path = if b.authority.is_some() && b.path.is_empty() { "/" } else { b.path };
    let path = step6(&format!("{}{}", directory(path), r.path));
    write(scheme, b.authority, &path, r.query, r.fragment)
}

/// Removes dot segments as RFC 2396 §5.2 step 6 c to g and RFC 1808 §4 step 6 do: one at a time, the leftmost first.
fn step6(path: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    while let Some(at) = segments[..segments.len() - 1].iter().position(|&segment| segment == ".") {
        segments.remove(at);
    }
    if let Some(last) = segments.last_mut().filter(|last| **last == ".") {
        *last = "";
    }
    // The empty text before the slash of a rooted path is not a segment.
    let removable = |segments: &[&str], at: usize| segments[at] != ".." && !(at == 0 && segments[at].is_empty());
    while let Some(at) = (1..segments.len() - 1).find(|&at| segments[at] == ".." && removable(&segments, at - 1)) {
        segments.drain(at - 1..=at);
    }
    let len = segments.len();
    if len > 1 && segments[len - 1] == ".." && removable(&segments, len - 2) {
        segments.truncate(len - 2);
        segments.push("");
    }
    segments.join("/")
}

/// The components of RFC 1808 §2.4. It does not tell an empty one from one that is not there. Only what the result needs is
/// more: whether the text has `//`.
struct Rfc1808<'a> {
    has_slashes: bool,
    net_loc: &'a str,
    path: &'a str,
    params: &'a str,
    query: &'a str,
    fragment: &'a str,
}

/// Parses a text as RFC 1808 §2.4 does. `text` has no scheme.
fn parse_rfc1808(text: &str) -> Rfc1808<'_> {
    let (text, fragment) = cut(text, '#');
    // An authority ends at `?`, too.
    let (text, query) = cut(text, '?');
    let (has_slashes, net_loc, text) = match text.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (true, &rest[..end], &rest[end..])
        }
        None => (false, "", text),
    };
    let (path, params) = cut(text, ';');
    let (params, query, fragment) = (params.unwrap_or(""), query.unwrap_or(""), fragment.unwrap_or(""));
    Rfc1808 { has_slashes, net_loc, path, params, query, fragment }
}

/// Resolves by RFC 1808 §4, with the components of its §2.4.
fn rfc1808(base: &str, reference: &str) -> String {
    // Step 2a, 2b.
    if reference.is_empty() {
        return base.to_string();
    }
    if split(reference).scheme.is_some() {
        return reference.to_string();
    }
    // Step 2c.
    let (scheme, rest) = base.split_once(':').unwrap();
    let b = parse_rfc1808(rest);
    let mut r = parse_rfc1808(reference);
    let mut path = r.path.to_string();
    'step7: {
        // Step 3.
        if !r.net_loc.is_empty() {
            break 'step7;
        }
        (r.net_loc, r.has_slashes) = (b.net_loc, b.has_slashes);
        // Step 4.
        if path.starts_with('/') {
            break 'step7;
        }
        // A host is not joined with a path.
        let rooted = if b.has_slashes && b.path.is_empty() { "/" } else { b.path };
        // Step 5.
        if path.is_empty() {
            path = b.path.to_string();
            if !r.params.is_empty() {
                path = rooted.to_string();
                break 'step7;
            }
            r.params = b.params;
            if !r.query.is_empty() {
                break 'step7;
            }
            r.query = b.query;
            break 'step7;
        }
        // Step 6.
        path = step6(&format!("{}{path}", directory(rooted)));
    }
    // Step 7.
    let some = |text: &'static str, part: &str| if part.is_empty() { String::new() } else { format!("{text}{part}") };
    path += &some(";", r.params);
    let authority = r.has_slashes.then_some(r.net_loc);
    write(scheme, authority, &path, None, None) + &some("?", r.query) + &some("#", r.fragment)
}

/// Resolves by RFC 1630, *Partial (relative) form*, with `clause`, or by draft-www-uri-00 §4.4, which lacks this clause, without
/// it.
fn by_level(base: &str, reference: &str, clause: bool) -> String {
    if split(reference).scheme.is_some() {
        return reference.to_string();
    }
    let (b, b_fragment) = cut(base, '#');
    let _ = b_fragment;
    let (r, fragment) = cut(reference, '#');
    let fragment = fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    if r.is_empty() {
        return format!("{b}{fragment}");
    }
    let (scheme, region) = cut(b, '?').0.split_once(':').unwrap();
    let (r, query) = cut(r, '?');
    let query = query.map_or(String::new(), |query| format!("?{query}"));

    let level = r.len() - r.trim_start_matches('/').len();
    let joined = match level {
        0 => {
            // A missing path after a host counts as `/`.
            let region = if ends_in_host(region) { format!("{region}/") } else { region.to_string() };
            format!("{}{r}", directory(&region))
        }
        level => format!("{}{r}", &region[..cut_before(region, level, clause)]),
    };
    let path = remove_by_level(&joined);
    let guard = if path.starts_with("//") && !joined.starts_with("//") { "/." } else { "" };
    format!("{scheme}:{guard}{path}{query}{fragment}")
}

/// Returns the index in bytes and the level of each slash run.
fn runs(region: &str) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    for (at, c) in region.char_indices() {
        if c == '/' && !region[..at].ends_with('/') {
            let rest = &region[at..];
            runs.push((at, rest.len() - rest.trim_start_matches('/').len()));
        }
    }
    runs
}

fn announces_host(region: &str, at: usize) -> bool {
    at == 0 || region[..at].ends_with(':')
}

fn ends_in_host(region: &str) -> bool {
    runs(region).last().is_some_and(|&(at, len)| len == 2 && announces_host(region, at))
}

fn cut_before(region: &str, level: usize, clause: bool) -> usize {
    let runs = runs(region);
    for (index, &(at, len)) in runs.iter().enumerate() {
        let longer = runs[index + 1..].iter().any(|&(_, other)| other > len);
        if len == level && !(clause && longer) {
            return at;
        }
    }
    for &(at, len) in runs.iter().rev() {
        if len > level && announces_host(region, at) {
            let element = at + len;
            return element + region[element..].find('/').unwrap_or(region.len() - element);
        }
    }
    0
}

/// Removes `xxx/../` and `/.` one at a time, as long as one can be removed.
fn remove_by_level(region: &str) -> String {
    let mut elements: Vec<&str> = region.split('/').collect();
    let is_after_run = |elements: &[&str], at: usize| at >= 2 && elements[at - 1].is_empty();
    'again: loop {
        for at in 0..elements.len() {
            let last = at + 1 == elements.len();
            if is_after_run(&elements, at) {
                continue;
            }
            let remove = match elements[at] {
                "." => at..=at,
                ".." if at > 0 && !["", ".."].contains(&elements[at - 1]) && !is_after_run(&elements, at - 1) => {
                    at - 1..=at
                }
                _ => continue,
            };
            elements.drain(remove);
            if last {
                elements.push("");
            }
            continue 'again;
        }
        return elements.join("/");
    }
}
