//! Public suffixes: the ends of host names under which anyone can register names.

use core::cmp::Ordering;
use core::net::Ipv4Addr;

use memchr::{memchr, memrchr};

use crate::whatwg::Url;

/// Mozilla's list: a sorted line for each name. After a name, `=` says that it is a public suffix, `*` that all
/// names one label longer are, and `!` that it is none although a `*` says so. Written by `.ci/suffixes`. It is under the Mozilla
/// Public License 2.0.
static TABLE: &[u8] = include_bytes!("public_suffixes.txt");

/// Returns the public suffix of a host, such as `co.uk` of `www.example.co.uk`: by the longest rule in the
/// [list](https://publicsuffix.org) of Mozilla, which is compiled in. `None` if there is none, as of `localhost` and of addresses.
///
/// The host is a name in lower case, with A-labels (`xn--`) for characters beyond US-ASCII, as browsers write it; it may end with
/// a dot, which is then also in the result.
///
/// Cost: a search in the list for each label. Nothing is allocated.
///
/// ```
/// use relref::crawl::public_suffix;
///
/// assert_eq!(public_suffix("www.example.co.uk"), Some("co.uk"));
/// assert_eq!(public_suffix("example.com."), Some("com."));
/// assert_eq!(public_suffix("b.c.kobe.jp"), Some("c.kobe.jp"));
/// assert_eq!(public_suffix("city.kobe.jp"), Some("kobe.jp"));
/// assert_eq!(public_suffix("localhost"), None);
/// ```
#[must_use]
pub fn public_suffix(host: &str) -> Option<&str> {
    let name = host.strip_suffix('.').unwrap_or(host);
    // The longest end first, so that the first rule that is found is the longest, which prevails. Only the last labels of a name can be
    // in the list: without a limit, a name of many labels would be searched for each of them.
    let mut start = name.rmatch_indices('.').nth(MAX_LABELS - 1).map_or(0, |(at, _)| at + 1);
    loop {
        let end = &name[start..];
        let parent = end.find('.').map(|dot| start + dot + 1);
        match mark(end) {
            Some(b'=') => return Some(&host[start..]),
            Some(b'!') => return parent.map(|parent| &host[parent..]),
            _ if parent.is_some_and(|parent| mark(&name[parent..]) == Some(b'*')) => return Some(&host[start..]),
            _ => start = parent?,
        }
    }
}

/// Returns the registrable domain of a host, such as `example.co.uk` of `www.example.co.uk`: its [`public_suffix`] and the label before
/// it (URL Standard §3.2). `None` if the host has no public suffix, or is one. The host is written as for [`public_suffix`]; a final dot
/// is also in the result.
///
/// ```
/// use relref::crawl::registrable_domain;
///
/// assert_eq!(registrable_domain("www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!((registrable_domain("co.uk"), registrable_domain("127.0.0.1")), (None, None));
/// ```
#[doc(alias("domain", "etld_plus_one"))]
#[must_use]
pub fn registrable_domain(host: &str) -> Option<&str> {
    let before = host[..host.len() - public_suffix(host)?.len()].strip_suffix('.')?;
    let start = before.rfind('.').map_or(0, |dot| dot + 1);
    (start < before.len()).then(|| &host[start..])
}

/// Reports whether two URIs are of one site: of one host, or of hosts with the same [`registrable_domain`]. The schemes do not matter
/// (HTML §7.1.1.1, "schemelessly same site"). An unknown top-level domain is a public suffix, by the default rule of the list and as for
/// `Scope::same_domain`. False if one of them has no host, or is invalid by browsers' rules.
///
/// ```
/// use relref::crawl::same_site;
///
/// assert!(same_site("https://www.example.co.uk/a", "http://EXAMPLE.co.uk:8080/"));
/// assert!(!same_site("http://a.co.uk/", "http://b.co.uk/") && same_site("http://localhost/", "http://localhost/x"));
/// assert!(same_site("http://a.site.internal/", "http://site.internal/") && !same_site("http://a.internal/", "http://b.internal/"));
/// ```
#[must_use]
pub fn same_site(a: impl AsRef<str>, b: impl AsRef<str>) -> bool {
    let (Ok(a), Ok(b)) = (Url::parse(a), Url::parse(b)) else { return false };
    let (Some(a), Some(b)) = (a.host().filter(|host| !host.is_empty()), b.host()) else { return false };
    domain_to_compare(a) == domain_to_compare(b) && a.ends_with('.') == b.ends_with('.')
}

/// Returns the registrable domain; without a public suffix, the last two labels; all of an address, a suffix, or a name with an empty
/// label there. Without a final dot.
pub(super) fn domain_to_compare(host: &str) -> &str {
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.starts_with('[') || name.parse::<Ipv4Addr>().is_ok() {
        return name;
    }
    match public_suffix(name) {
        Some(_) => registrable_domain(name).unwrap_or(name),
        None => match name.rmatch_indices('.').nth(1).map(|(dot, _)| &name[dot + 1..]) {
            Some(labels) if !labels.starts_with('.') => labels,
            _ => name,
        },
    }
}

/// The most labels of a public suffix, so that a long name is not searched for each of its labels.
const MAX_LABELS: usize = 7;

/// Returns the byte after the name in the table.
fn mark(name: &str) -> Option<u8> {
    // The table is the text of the list, and the search works on its bytes: it steps from the middle back to the start of a line.
    // So nothing is built when the program starts, and nothing is allocated.
    let (mut low, mut high) = (0, TABLE.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memrchr(b'\n', &TABLE[low..middle]).map_or(low, |at| low + at + 1);
        let end = start + memchr(b'\n', &TABLE[start..high])?;
        let (line, mark) = TABLE[start..end].split_at(end - start - 1);
        match line.cmp(name.as_bytes()) {
            Ordering::Equal => return Some(mark[0]),
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    None
}
