//! Normalizes naively: one change after another, each on one component, as the change is documented. Leaves out A-labels.

use relref::crawl::{Change, INDEX, Normalizer, SESSION, TRACKING};
use relref::scheme::{Authority, default_port, info};
use relref::{UriRef, whatwg};

/// Returns the normal form. Illegal escapes stay.
pub fn normalize(normalizer: &Normalizer, text: &str) -> String {
    let has = |change| normalizer.has(change);
    let encode = |part: &str| match () {
        () if has(Change::Encoding) => encode(part),
        () if has(Change::Iri) => iri_to_uri(part),
        () => part.to_string(),
    };
    let uri = UriRef::new(text);
    let lower = uri.scheme().unwrap_or_default().to_ascii_lowercase();
    let has_authority = uri.authority().is_some_and(|authority| !authority.is_empty() && !authority.contains('\\'));
    let is_http = has_authority && ["http", "https", "ws", "wss"].contains(&&*lower);
    let is_web = is_http || (has_authority && lower == "ftp");
    let is_web_scheme = ["http", "https", "ws", "wss", "ftp"].contains(&&*lower);
    // Browsers look for the host here.
    let host_is_in_path = !is_web && is_web_scheme || lower == "file" && uri.authority().is_none();
    let upgraded = is_http && lower == "http" && has(Change::Upgrade);

    let mut out = String::new();
    if let Some(scheme) = uri.scheme() {
        out += match () {
            () if upgraded => "https",
            () if has(Change::Case) => &lower,
            () => scheme,
        };
        out += ":";
    }
    let authority = uri.authority().map(|authority| match authority.contains('\\') {
        true if is_web_scheme || lower == "file" || lower.is_empty() => authority.to_string(),
        _ => self::authority(normalizer, &encode(authority), &lower, is_web),
    });
    let is_minimal_file = lower == "file" && authority.is_none() && uri.path().starts_with('/');
    let gets_host = is_minimal_file && has(Change::Localhost) && !uri.path().contains('\\');
    let authority = authority.or_else(|| gets_host.then(String::new));
    if let Some(authority) = &authority {
        out += &format!("//{authority}");
    }

    let has_escaped_digit = (0..10).any(|digit| uri.path().contains(&format!("%3{digit}")));
    let keeps_path = host_is_in_path
        && (uri.path().contains('\\') || is_web_scheme && uri.path().contains(':') && has_escaped_digit);
    let mut path = if keeps_path { uri.path().to_string() } else { encode(uri.path()) };
    let has_hierarchy = info(&lower).is_none_or(|scheme| scheme.hierarchical || scheme.reserved)
        && !keeps_path
        && (is_web || !is_web_scheme);
    if has(Change::Dots) && path.starts_with('/') && uri.scheme().is_some() && has_hierarchy {
        path = without_dots(&path);
        if authority.is_none() && path.starts_with("//") {
            path.insert_str(0, "/.");
        }
    }
    if is_web {
        path = web_path(normalizer, &path);
    }
    let has_host = authority.as_ref().is_some_and(|authority| !Authority::new(authority, None).host.is_empty());
    if path.is_empty() && uri.path().is_empty() && has_host && default_port(&lower).is_some() && has(Change::EmptyPath)
    {
        path.push('/');
    }
    if has(Change::Encoding)
        && uri.scheme().is_none()
        && uri.authority().is_none()
        && UriRef::new(&path).scheme().is_some()
    {
        path.insert_str(0, "./");
    }
    if lower == "gopher" && has_host && path == "/1" && uri.query().is_none() && has(Change::GopherType) {
        path.pop();
    }
    if uri.authority().is_none() && has(Change::SchemeCase) {
        path = match &*lower {
            "mailto" => path.split(',').map(lower_domain).collect::<Vec<_>>().join(","),
            "urn" => match namespace(&path) {
                Some((namespace, name)) => format!("{}:{name}", namespace.to_ascii_lowercase()),
                None => path,
            },
            _ => path,
        };
    }
    out += &path;
    let is_urn = lower == "urn" && uri.authority().is_none() && namespace(&path).is_some();
    if is_urn && has(Change::UrnComponents) && uri.query().is_none_or(|query| query.starts_with(['+', '='])) {
        return out;
    }

    if let Some(query) = uri.query() {
        match query_of(normalizer, &encode(query)).filter(|_| is_http) {
            _ if !is_http => out += &format!("?{}", encode(query)),
            Some(query) => out += &format!("?{query}"),
            None => {}
        }
    }
    let is_dropped = uri.scheme().is_some() && authority.is_some() && has(Change::DropFragment);
    let is_void = |fragment: &str| fragment.is_empty() && has(Change::EmptyFragment);
    if let Some(fragment) = uri.fragment().filter(|fragment| !is_dropped && !is_void(fragment)) {
        out += &format!("#{}", encode(fragment));
    }
    out
}

fn lower_domain(address: &str) -> String {
    address.rsplit_once('@').map_or(address.to_string(), |(local, domain)| format!("{local}@{}", lower(domain)))
}

/// Splits the name of a URN after its namespace; `None` if it is not of this form.
fn namespace(path: &str) -> Option<(&str, &str)> {
    let is_namespace = |text: &str| {
        (1..=32).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    path.split_once(':').filter(|(namespace, name)| is_namespace(namespace) && !name.is_empty())
}

/// Returns a part with the escapes of RFC 3987 §3.1 instead of characters that no URI has, except controls, `#`, `%`, `[` and `]`.
fn iri_to_uri(part: &str) -> String {
    let escape = |c: char| c.to_string().bytes().map(|octet| format!("%{octet:02X}")).collect();
    part.chars().map(|c| if !c.is_ascii() || "<>\" {}|\\^`".contains(c) { escape(c) } else { c.to_string() }).collect()
}

/// Returns a part with the escapes of RFC 3986: of all octets except unreserved ones, and of characters that it does not allow.
/// Illegal escapes stay, and none becomes a legal one.
fn encode(part: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = part.chars().collect();
    // The end of the last illegal escape.
    let mut open = None;
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let digit = |at: usize| chars.get(at).and_then(|digit| digit.to_digit(16));
        at += 1;
        if c == '%' {
            let (Some(high), Some(low)) = (digit(at), digit(at + 1)) else {
                out.push('%');
                open = Some(at + usize::from(digit(at).is_some()));
                continue;
            };
            let octet = (high * 16 + low) as u8;
            match char::from(octet) {
                digit if digit.is_ascii_hexdigit() && open == Some(at - 1) => out += &format!("%{octet:02X}"),
                plain if plain.is_ascii_alphanumeric() || "-._~".contains(plain) => out.push(plain),
                _ => out += &format!("%{octet:02X}"),
            }
            at += 2;
        } else if c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(c) {
            out.push(c);
        } else {
            c.to_string().bytes().for_each(|octet| out += &format!("%{octet:02X}"));
        }
    }
    out
}

fn authority(normalizer: &Normalizer, authority: &str, scheme: &str, is_web: bool) -> String {
    let has = |change| normalizer.has(change);
    let (user, rest) = authority.rsplit_once('@').map_or(("", authority), |(user, rest)| (user, rest));
    let mut user = if authority.contains('@') { format!("{user}@") } else { String::new() };
    let parts = Authority::new(rest, None);
    let mut host = parts.host.to_string();
    if has(Change::Case) {
        host = lower(&host);
    }
    let whole = host.clone();
    let last = host.strip_suffix('.').unwrap_or(&host).rsplit('.').next().unwrap().to_string();
    while is_web && has(Change::DropWww) && !last.starts_with(|c: char| c.is_ascii_digit()) {
        let Some((first, more)) = host.split_once('.') else { break };
        let is_www = first
            .to_ascii_lowercase()
            .strip_prefix("www")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_www || !more.strip_suffix('.').unwrap_or(more).contains('.') {
            break;
        }
        host = more.to_string();
    }
    // Where a bracket comes to the start, the host may be another one.
    if host.starts_with('[') {
        host = whole;
    }
    if is_web && has(Change::IpAddress) {
        host = address(&host).unwrap_or(host);
    }
    if is_web && has(Change::FinalDot) && !host.starts_with('[') {
        // A last label that is empty to browsers may be written with another dot, or as escapes.
        let name: Vec<char> = host.chars().rev().collect();
        match name[..] {
            ['.', _, _, '%', ..] => {}
            ['.', last, ..] if last.is_alphanumeric() || "-_".contains(last) => _ = host.pop(),
            _ => {}
        }
    }
    if !host.is_empty() && is_web && has(Change::DropUserinfo) {
        user.clear();
    }
    if !host.is_empty() && [":@", "@"].contains(&&*user) && is_web && scheme != "ftp" && has(Change::EmptyUserinfo) {
        user.clear();
    }
    let Some(port) = parts.port_text else {
        let is_local =
            scheme == "file" && user.is_empty() && has(Change::Localhost) && host.eq_ignore_ascii_case("localhost");
        return if is_local { String::new() } else { user + &host };
    };
    let number = port.bytes().all(|byte| byte.is_ascii_digit()).then(|| port.parse::<u16>().ok()).flatten();
    let upgraded = scheme == "http" && is_web && has(Change::Upgrade);
    let default = if upgraded { Some(443) } else { default_port(scheme) };
    let is_needless = (upgraded && number == Some(80))
        || (has(Change::EmptyPort) && port.is_empty())
        || (has(Change::DefaultPort) && default.is_some() && number == default);
    // With another colon it is unclear which one starts the port.
    let outside = host.strip_prefix('[').and_then(|host| host.split_once(']')).map_or(&*host, |(_, outside)| outside);
    let is_clear = !outside.contains(':');
    if scheme != "file" && is_needless && is_clear && !host.is_empty() {
        user + &host
    } else {
        format!("{user}{host}:{port}")
    }
}

/// Returns a text in lower case, except the digits of its escapes.
fn lower(text: &str) -> String {
    let mut pieces = text.split('%').map(String::from).collect::<Vec<_>>();
    for (number, piece) in pieces.iter_mut().enumerate() {
        let is_escape = number > 0 && piece.chars().take(2).filter(char::is_ascii_hexdigit).count() == 2;
        piece[if is_escape { 2 } else { 0 }..].make_ascii_lowercase();
    }
    pieces.join("%")
}

/// Returns the IP address that a host is, as browsers write it; `None` if the host is none.
fn address(host: &str) -> Option<String> {
    let is_v6 = host.starts_with('[') && host.ends_with(']');
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap();
    let is_v4 = host.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
        && last.starts_with(|c: char| c.is_ascii_digit())
        && (last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x") || last.starts_with("0X"));
    let url = whatwg::Url::parse(format!("http://{host}/")).ok().filter(|_| is_v4 || is_v6)?;
    let address = url.as_str().strip_prefix("http://")?.strip_suffix('/')?.to_string();
    (address.starts_with('[') || address.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.'))).then_some(address)
}

/// Removes the dot segments of a path that starts with a slash (RFC 3986 §5.2.4).
fn without_dots(path: &str) -> String {
    let segments: Vec<&str> = path[1..].split('/').collect();
    let mut kept: Vec<&str> = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        match *segment {
            "." => {}
            ".." => drop(kept.pop()),
            segment => kept.push(segment),
        }
        if number + 1 == segments.len() && [".", ".."].contains(segment) {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}

/// Makes those changes of a path that are only made in web URIs.
fn web_path(normalizer: &Normalizer, path: &str) -> String {
    let has = |change| normalizer.has(change);
    let mut path = path.to_string();
    if has(Change::LowerPath) {
        path = lower(&path);
    }
    if has(Change::DropSession) {
        let kept = |segment: &str| {
            let (name, params) = segment.split_once(';').unwrap_or((segment, ""));
            let params: String = match segment.contains(';') {
                true => params
                    .split(';')
                    .filter(|param| !is_in(SESSION, name_of(param)))
                    .map(|param| format!(";{param}"))
                    .collect(),
                false => String::new(),
            };
            let shorter = format!("{name}{params}");
            if [".", ".."].contains(&&*shorter) { segment.to_string() } else { shorter }
        };
        let mut segments: Vec<String> = path.split('/').map(kept).collect();
        let page = segments.pop().unwrap();
        segments.retain(|segment| !is_cookieless(segment));
        segments.push(page);
        path = segments.join("/");
    }
    if has(Change::CollapseSlashes) {
        let mut shorter = String::new();
        for c in path.chars() {
            // Two slashes and more stay after a scheme.
            let before = shorter.trim_end_matches('/');
            let scheme = before.strip_suffix(':').is_some_and(|before| {
                let letters = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
                before.rsplit(|c| !letters(c)).next().unwrap().contains(|c: char| c.is_ascii_alphabetic())
            });
            if c != '/' || !shorter.ends_with('/') || scheme {
                shorter.push(c);
            }
        }
        path = shorter;
    }
    loop {
        let before = path.clone();
        let name = path.rfind('/').map_or(0, |slash| slash + 1);
        if has(Change::DropIndex) && INDEX.iter().any(|index| path[name..].eq_ignore_ascii_case(index)) {
            path.truncate(name);
        }
        while has(Change::DropTrailingSlash) && path.len() > 1 && path.ends_with('/') {
            path.pop();
        }
        if path == before {
            return path;
        }
    }
}

/// Reports whether a segment is in place of ASP.NET's cookies.
fn is_cookieless(segment: &str) -> bool {
    let is_long =
        |id: &str| id.chars().count() >= 24 && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let Some(inside) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return false };
    let Some(fields) = inside.strip_suffix(')') else {
        return inside.len() == 24 && is_long(inside) && !inside.contains(['-', '_']);
    };
    fields.split(')').all(|field| match field.to_ascii_uppercase().split_once('(') {
        Some(("X", value)) => value == "1",
        Some(("S" | "A" | "F", value)) => is_long(value),
        _ => false,
    })
}

/// Returns the query of an `http` URI, or `None` if nothing is left of it.
fn query_of(normalizer: &Normalizer, query: &str) -> Option<String> {
    let has = |change| normalizer.has(change);
    if query.is_empty() {
        return Some(String::new()).filter(|_| !has(Change::DropEmptyQuery));
    }
    let mut params: Vec<&str> = query.split('&').collect();
    let all = params.len();
    params.retain(|param| {
        let name = name_of(param);
        !(has(Change::SortQuery) && param.is_empty()
            || has(Change::DropTracking) && is_in(TRACKING, name)
            || has(Change::DropSession) && is_in(SESSION, name)
            || has(Change::KeepOnly))
    });
    if has(Change::SortQuery) {
        params.sort_by_key(|param| name_of(param));
    }
    let left = params.join("&");
    // Two empty parameters, of which one is dropped, would be nothing, too.
    Some(left).filter(|left| !left.is_empty() || params.len() == all)
}

fn name_of(param: &str) -> &str {
    param.split('=').next().unwrap()
}

fn is_in(list: &[&str], name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    list.iter().any(|entry| match entry.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *entry,
    })
}
