//! The safe changes, rule by rule, without care for speed: an oracle for `canon::normalize` and `crawl::Normalizer`.

use relref::canon::Rung;
use relref::crawl::Change::{self, Case, DefaultPort, Dots, EmptyPath, Encoding, Localhost};
use relref::scheme;

/// Returns the changes of a rung, but for `Rung::Text`, which accepts illegal escapes.
pub fn changes_of(rung: Rung) -> &'static [Change] {
    let all = &[Encoding, Case, Dots, Localhost, DefaultPort, EmptyPath];
    match rung {
        Rung::Text => &[],
        Rung::Encoding => &all[..1],
        Rung::Case => &all[..2],
        Rung::Dots => &all[..3],
        Rung::Scheme => all,
    }
}

/// Makes safe changes to a URI; `None` if it has an illegal escape.
pub fn normalize(uri: &str, changes: &[Change]) -> Option<String> {
    let has = |change| changes.contains(&change);
    let recoded = recode(uri)?;
    let text = if has(Encoding) { &recoded } else { uri };

    // RFC 3986, appendix B.
    let (text, fragment) = text.find('#').map_or((text, ""), |at| text.split_at(at));
    let (text, query) = text.find('?').map_or((text, ""), |at| text.split_at(at));
    let (scheme, text) = split_scheme(text);
    let (authority, path) = match text.strip_prefix("//") {
        Some(rest) => rest.find('/').map_or((Some(rest), ""), |at| (Some(&rest[..at]), &rest[at..])),
        None => (None, text),
    };
    let lower = scheme.to_ascii_lowercase();
    let default_port = scheme::default_port(scheme);

    let mut out = if has(Case) { lower.clone() } else { scheme.to_string() };
    out.push_str(if scheme.is_empty() { "" } else { ":" });
    let mut has_host = false;
    if let Some(authority) = authority {
        let (userinfo, rest) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
        let (host, port) = split_port(rest);
        let is_needless = match port.strip_prefix(':') {
            Some("") => true,
            Some(port) => port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse().ok() == default_port,
            None => false,
        };
        let is_localhost = lower == "file" && authority.eq_ignore_ascii_case("localhost");
        // With another colon before it, it is unclear where the port starts.
        let is_unclear = split_literal(host).1.contains(':');
        has_host = !host.is_empty();
        out.push_str("//");
        if !(is_localhost && has(Localhost)) {
            out.push_str(userinfo);
            out.push_str(&if has(Case) { lower_case(host) } else { host.to_string() });
            let drops_port = has(DefaultPort) && is_needless && !is_unclear && lower != "file";
            out.push_str(if drops_port { "" } else { port });
        }
    }
    let is_flat = scheme.is_empty() || scheme::info(scheme).is_some_and(|known| !known.hierarchical && !known.reserved);
    if path.is_empty() && has(EmptyPath) && has_host && default_port.is_some() {
        out.push('/');
    } else if path.starts_with('/') && has(Dots) && !is_flat {
        let short = remove_dots(path);
        let is_ambiguous = short != path && short.starts_with("//") && authority.is_none();
        out.push_str(if is_ambiguous { "/." } else { "" });
        out.push_str(&short);
    } else {
        out.push_str(path);
    }
    Some(out + query + fragment)
}

/// Decodes the escapes of unreserved characters and encodes what RFC 3986 does not permit.
fn recode(uri: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = uri;
    while let Some(c) = rest.chars().next() {
        let (this, after) = rest.split_at(c.len_utf8());
        rest = after;
        if c == '%' {
            let digits = after.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            let octet = u8::from_str_radix(digits, 16).unwrap();
            match octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) {
                true => out.push(char::from(octet)),
                false => out.push_str(&format!("%{octet:02X}")),
            }
            rest = &after[2..];
        } else if c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(c) {
            out.push(c);
        } else {
            this.bytes().for_each(|octet| out.push_str(&format!("%{octet:02X}")));
        }
    }
    let came_to_have_a_scheme = split_scheme(uri).0.is_empty() && !split_scheme(&out).0.is_empty();
    Some(if came_to_have_a_scheme { format!("./{out}") } else { out })
}

/// Splits a text after the colon of its scheme; the scheme is empty if there is none.
fn split_scheme(text: &str) -> (&str, &str) {
    let Some((scheme, rest)) = text.split_once(':') else { return ("", text) };
    let starts = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_scheme = starts && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if is_scheme { (scheme, rest) } else { ("", text) }
}

/// Splits an authority after an address in brackets; without one, at the start.
fn split_literal(text: &str) -> (&str, &str) {
    match text.find(']') {
        Some(at) if text.starts_with('[') => text.split_at(at),
        _ => ("", text),
    }
}

/// Splits host and port before the colon.
fn split_port(text: &str) -> (&str, &str) {
    let (literal, rest) = split_literal(text);
    rest.rfind(':').map_or((text, ""), |at| text.split_at(literal.len() + at))
}

/// Puts a host in lower case, except the digits of escapes.
fn lower_case(host: &str) -> String {
    let mut parts = host.split('%');
    let first = parts.next().unwrap().to_ascii_lowercase();
    parts.fold(first, |out, part| out + "%" + &part[..2] + &part[2..].to_ascii_lowercase())
}

/// RFC 3986 §5.2.4, with a list of segments.
fn remove_dots(path: &str) -> String {
    let segments: Vec<&str> = path[1..].split('/').collect();
    let mut kept = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        match *segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => kept.push(*segment),
        }
        if at + 1 == segments.len() && [".", ".."].contains(segment) {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}
