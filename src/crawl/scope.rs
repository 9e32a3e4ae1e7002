//! The scope of a crawl: which URIs it fetches, and why not the others.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Normalizer;
#[cfg(feature = "psl")]
use super::public_suffix::domain_to_compare;
use super::robots::RobotsTxt;
use crate::by_name::enum_of_rows;
use crate::error::Error;
#[cfg(feature = "regex")]
use crate::error::ErrorKind;
use crate::normal::Change;
use crate::scheme::Authority;
use crate::uri::UriRef;
use crate::whatwg::scheme::FETCHED_SCHEMES;
use crate::whatwg::{file_host, fits_dns, parse, web_host};

/// The scope of a crawl: made once, and checked for each link.
///
/// Even without limits, a URI is out of scope if it cannot be fetched: its scheme is not in the list, its host is missing or
/// impossible, or its port is not a number from 1 to 65535.
///
/// `same_domain` needs the feature `psl`, and the patterns of `include` and `exclude` need `regex`: without it, there are no such methods.
///
/// ```
/// use relref::crawl::{OutOfScope, Scope};
///
/// let scope = Scope::new().same_host();
/// let page = "http://example.com/docs/";
/// assert_eq!(scope.check("http://EXAMPLE.com:8080/a", page), Ok(()));
/// assert_eq!(scope.check("http://example.org/", page), Err(OutOfScope::OtherHost));
/// assert_eq!(scope.check("https:///a", page), Err(OutOfScope::NoHost));
/// assert_eq!(scope.check("http://h:99999/", page).unwrap_err().to_string(), "the port is not a number from 1 to 65535");
/// ```
#[derive(Clone, Debug)]
pub struct Scope {
    /// In lower case.
    schemes: Vec<String>,
    limit: Limit,
    within: Option<Within>,
    max_len: usize,
    max_depth: usize,
    max_repeats: usize,
    /// The patterns of which at least one must match.
    #[cfg(feature = "regex")]
    include: Option<regex::RegexSet>,
    #[cfg(feature = "regex")]
    exclude: Option<regex::RegexSet>,
    /// Sorted.
    robots: Vec<(Site, RobotsTxt)>,
}

/// Host without a final dot, scheme, and port.
type Site = (String, String, Option<u16>);

/// The URLs of [`Scope::within`].
#[derive(Clone, Debug)]
struct Within {
    normalizer: Normalizer,
    /// In normal form.
    starts: Vec<String>,
}

impl Within {
    fn new() -> Within {
        let changes = [Change::FinalDot, Change::DropUserinfo, Change::DropFragment];
        let normalizer = changes.into_iter().fold(Normalizer::safe().keep_illegal_escapes(true), Normalizer::with);
        Within { normalizer, starts: Vec::new() }
    }

    /// Returns the normal form of the URL that browsers read, so that no `..\` leads out, either.
    fn normal(&self, uri: &str) -> String {
        let href = parse(uri).unwrap_or_else(|_| String::from(uri));
        // Illegal escapes are kept, so there is no error.
        self.normalizer.normalize(&href).unwrap_or(href)
    }

    fn add(&mut self, url: &str) {
        let mut start = self.normal(url);
        start.truncate(start.find('?').unwrap_or(start.len()));
        self.starts.push(start);
    }

    fn has(&self, uri: &str) -> bool {
        let uri = self.normal(uri);
        self.starts.iter().any(|start| {
            let rest = uri.strip_prefix(&**start);
            rest.is_some_and(|rest| rest.is_empty() || start.ends_with('/') || rest.starts_with(['/', '?']))
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    None,
    Host,
    #[cfg(feature = "psl")]
    Domain,
}

// The text is the message.
enum_of_rows! {
    /// The reason why a URI is out of scope.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OutOfScope {
        /// The URI has no scheme, or one that is not in scope.
        Scheme "scheme" "the scheme is not in scope"
        /// The scheme needs a host, and the URI has none.
        NoHost "no-host" "there is no host"
        /// The host is impossible: the URL Standard does not accept it, or it is a name that DNS cannot have (RFC 1035 §2.3.4).
        BadHost "bad-host" "no host can have this name"
        /// The port is not a number from 1 to 65535.
        BadPort "bad-port" "the port is not a number from 1 to 65535"
        /// The host is not that of the page.
        OtherHost "other-host" "the host is not that of the page"
        /// The host is not in the domain of the page.
        OtherDomain "other-domain" "the host is not in the domain of the page"
        /// The URI is not within the URLs of [`Scope::within`].
        Outside "outside" "not within the URLs of the scope"
        /// The URI has more bytes than [`Scope::max_len`].
        TooLong "too-long" "the URI is too long"
        /// The path has more segments than [`Scope::max_depth`].
        TooDeep "too-deep" "the path has too many segments"
        /// A segment of the path comes more often than [`Scope::max_repeats`].
        Repeats "repeats" "a segment of the path comes too often"
        /// None of the patterns to include matches.
        NotIncluded "not-included" "no pattern to include matches"
        /// One of the patterns to exclude matches.
        Excluded "excluded" "a pattern to exclude matches"
        /// The `robots.txt` of the host disallows the URI.
        Robots {
            /// The number of the line that does, from 1.
            line: u32,
        } "robots" "disallowed by robots.txt"
    }
}

impl OutOfScope {
    /// Returns the name that programs use, in kebab case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }
}

impl fmt::Display for OutOfScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfScope::Robots { line } => write!(f, "{}, line {line}", self.row().1),
            _ => f.pad(self.row().1),
        }
    }
}

impl core::error::Error for OutOfScope {}

/// So that `?` can follow [`Scope::within`]. The position is 0; the line of `robots.txt` is lost.
impl From<OutOfScope> for Error {
    fn from(why: OutOfScope) -> Error {
        Error::out_of_scope(why.row().1)
    }
}

impl Default for Scope {
    fn default() -> Self {
        Scope::new()
    }
}

impl Scope {
    /// Makes a scope of all URIs that can be fetched by `http`, `https`, `ftp` or `file`. In any scope, a `file` is only for pages that are
    /// files, or of which nothing is known.
    pub fn new() -> Scope {
        Scope {
            schemes: FETCHED_SCHEMES.map(String::from).to_vec(),
            limit: Limit::None,
            within: None,
            max_len: usize::MAX,
            max_depth: usize::MAX,
            max_repeats: usize::MAX,
            #[cfg(feature = "regex")]
            include: None,
            #[cfg(feature = "regex")]
            exclude: None,
            robots: Vec::new(),
        }
    }

    /// Limits the scope to these schemes, instead of those of [`new`](Scope::new). All but `file` need a host.
    #[must_use]
    pub fn schemes<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> Scope {
        Scope { schemes: names.into_iter().map(|name| name.as_ref().to_ascii_lowercase()).collect(), ..self }
    }

    /// Limits the scope to the host of the page. Ports do not matter. Hosts are compared as browsers read and write them: what
    /// browsers refuse is no host, nor is a name beyond US-ASCII without feature `idna`. Files are on no host of a web page.
    #[must_use]
    pub fn same_host(self) -> Scope {
        Scope { limit: Limit::Host, ..self }
    }

    /// Limits the scope to the domain of the page: the part of the host that someone has registered, by the list of public
    /// suffixes. `a.example.co.uk` and `b.example.co.uk` are in the same domain, `a.co.uk` and `b.co.uk` are not. A host that is an
    /// IP address, or has no registered part, is a domain of its own.
    ///
    /// ```
    /// use relref::crawl::Scope;
    ///
    /// let scope = Scope::new().same_domain();
    /// assert!(scope.check("http://a.example.co.uk/", "http://example.co.uk/").is_ok());
    /// assert!(scope.check("http://other.co.uk/", "http://example.co.uk/").is_err());
    /// ```
    #[cfg(feature = "psl")]
    #[must_use]
    pub fn same_domain(self) -> Scope {
        Scope { limit: Limit::Domain, ..self }
    }

    /// Limits the scope to a URL and those below it, or to those of an earlier call: `http://h/a` lets in `http://h/a/b` and `http://h/a?b`,
    /// and not `http://h/ab`; `http://h/a/` lets in what starts with it. Scheme, host and port are the same. URIs are compared
    /// as browsers read them, in normal form, so dot segments, also encoded ones, lead out; query, fragment and user of `url` do not matter.
    ///
    /// Cost of [`check`](Scope::check): parsing and normalizing the URI, each into an allocated text.
    ///
    /// # Errors
    /// The reason why `url` cannot be in scope itself.
    ///
    /// ```
    /// use relref::crawl::{OutOfScope, Scope};
    ///
    /// let scope = Scope::new().within("https://example.com/docs/")?.within("https://example.com/blog")?;
    /// let why = relref::Error::from(Scope::new().within("https:///docs").unwrap_err());
    /// assert_eq!((why.kind(), &*why.to_string()), (relref::ErrorKind::OutOfScope, "there is no host"));
    /// let check = |uri| scope.check(uri, "");
    /// assert_eq!(check("https://EXAMPLE.com:443/docs/a?b"), Ok(()));
    /// assert_eq!(check("https://example.com/blog?page=2"), Ok(()));
    /// assert_eq!(check("https://example.com/docs/%2e%2e/shop"), Err(OutOfScope::Outside));
    /// assert_eq!(check("https://example.com/blogs"), Err(OutOfScope::Outside));
    /// # Ok::<(), OutOfScope>(())
    /// ```
    pub fn within(mut self, url: impl AsRef<str>) -> Result<Scope, OutOfScope> {
        let url = url.as_ref();
        let scheme = UriRef::new(url).scheme().unwrap_or_default();
        self.schemes.iter().find(|one| one.eq_ignore_ascii_case(scheme)).ok_or(OutOfScope::Scheme)?;
        read_host(&UriRef::new(url))?;
        self.within.get_or_insert_with(Within::new).add(url);
        Ok(self)
    }

    /// Limits the scope to URIs of at most so many bytes. Traps of crawlers, such as calendars and links that grow with each page, have
    /// longer ones; browsers and servers take at least 8,000 (RFC 9110 §4.1).
    #[must_use]
    pub fn max_len(self, bytes: usize) -> Scope {
        Scope { max_len: bytes, ..self }
    }

    /// Limits the scope to URIs whose path has at most so many segments that are not empty. It is not the number of links from the start. Heritrix takes 20.
    #[must_use]
    pub fn max_depth(self, segments: usize) -> Scope {
        Scope { max_depth: segments, ..self }
    }

    /// Limits the scope to URIs in whose path no segment comes more than so many times. A relative link on a page that a server sends
    /// for every path makes `/a/a/a/…`.
    ///
    /// Cost of [`check`](Scope::check): sorting the segments, in an allocated list.
    ///
    /// ```
    /// use relref::crawl::{OutOfScope, Scope};
    ///
    /// let scope = Scope::new().max_len(2000).max_depth(20).max_repeats(2);
    /// assert_eq!(scope.check("http://h/en/docs/en/", ""), Ok(()));
    /// let error = scope.check("http://h/news/2024/news/2024/news/", "").unwrap_err();
    /// assert_eq!((error, error.name()), (OutOfScope::Repeats, "repeats"));
    /// assert_eq!(scope.check("http://h".to_owned() + &"/a".repeat(1000), ""), Err(OutOfScope::TooLong));
    /// ```
    #[must_use]
    pub fn max_repeats(self, times: usize) -> Scope {
        Scope { max_repeats: times, ..self }
    }

    /// Limits the scope to URIs in which one of these regular expressions, or one of an earlier call, matches any part. The syntax
    /// is that of the crate [`regex`], which takes linear time.
    ///
    /// # Errors
    /// A pattern that is no regular expression, or is too large.
    ///
    /// ```
    /// use relref::crawl::{OutOfScope, Scope};
    ///
    /// let scope = Scope::new().include(["/docs/"])?.exclude([r"\.pdf$", "[?&]print="])?;
    /// let check = |uri| scope.check(uri, "http://h/");
    /// assert_eq!(check("http://h/docs/a.html"), Ok(()));
    /// assert_eq!(check("http://h/a.html"), Err(OutOfScope::NotIncluded));
    /// assert_eq!(check("http://h/docs/a.pdf"), Err(OutOfScope::Excluded));
    /// assert_eq!(relref::Error::from(Scope::new().include(["("]).unwrap_err()).to_string(), "not a regular expression");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[cfg(feature = "regex")]
    pub fn include<P: AsRef<str>>(self, patterns: impl IntoIterator<Item = P>) -> Result<Scope, regex::Error> {
        Ok(Scope { include: Some(with_patterns(self.include, patterns)?), ..self })
    }

    /// Leaves out URIs in which one of these regular expressions, or one of an earlier call, matches any part, even if
    /// [`include`](Scope::include) lets them in. The errors are those of `include`.
    #[cfg(feature = "regex")]
    pub fn exclude<P: AsRef<str>>(self, patterns: impl IntoIterator<Item = P>) -> Result<Scope, regex::Error> {
        Ok(Scope { exclude: Some(with_patterns(self.exclude, patterns)?), ..self })
    }

    /// Leaves out what a `robots.txt` disallows on its site: the scheme, host and port of a URI. Other sites stay as they are. A second
    /// file for a site replaces the first. If the file has groups for several agents, take those of one by
    /// [`for_agent`](RobotsTxt::for_agent); otherwise those for `*` count.
    ///
    /// # Errors
    /// The reason why the site is none.
    ///
    /// ```
    /// use relref::crawl::{OutOfScope, RobotsTxt, Scope};
    ///
    /// let robots = RobotsTxt::parse("user-agent: ExampleBot\ndisallow: /private/").for_agent("ExampleBot");
    /// let scope = Scope::new().robots("https://example.com", robots)?;
    /// let check = |uri| scope.check(uri, "");
    /// assert_eq!(check("https://Example.com:443/private/"), Err(OutOfScope::Robots { line: 2 }));
    /// assert_eq!(check("http://example.com/private/"), Ok(()));
    /// assert_eq!(check("https://example.com/private/").unwrap_err().to_string(), "disallowed by robots.txt, line 2");
    /// # Ok::<(), OutOfScope>(())
    /// ```
    pub fn robots(mut self, site: impl AsRef<str>, robots: RobotsTxt) -> Result<Scope, OutOfScope> {
        let split = UriRef::new(site.as_ref());
        let scheme = split.scheme().ok_or(OutOfScope::Scheme)?.to_ascii_lowercase();
        let host = read_host(&split)?;
        let site = (String::from(without_dot(&host)), scheme, split.port_or_known_default());
        // Sorted, since without `std` there is no hash map.
        match self.robots.binary_search_by(|(one, _)| one.cmp(&site)) {
            Ok(at) => self.robots[at].1 = robots,
            Err(at) => self.robots.insert(at, (site, robots)),
        }
        Ok(self)
    }

    /// Reports whether a URI found in a page is in scope. `page` is the URI of the page; it matters only for limits to its host or
    /// domain, and for a `file`, which is in scope where `page` is one or empty. Both URIs are absolute.
    ///
    /// Cost: one pass over the authority, and over the URI for patterns. Allocates only for hosts in an unusual form.
    ///
    /// # Errors
    /// The first reason why the URI is not in scope, in the order of [`OutOfScope`]; but a host that browsers would find elsewhere
    /// comes before a missing one.
    pub fn check(&self, uri: impl AsRef<str>, page: impl AsRef<str>) -> Result<(), OutOfScope> {
        let (uri, page) = (uri.as_ref(), page.as_ref());
        let split = UriRef::new(uri);
        let scheme = split.scheme().unwrap_or_default();
        let scheme = self.schemes.iter().find(|one| one.eq_ignore_ascii_case(scheme)).ok_or(OutOfScope::Scheme)?;
        // A page of the web must not make a crawler read files of its own machine. Browsers do not follow such links, either.
        if is_file(&split) && UriRef::new(page).scheme().is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file")) {
            return Err(OutOfScope::Scheme);
        }
        // The cheapest question comes first: most links out of scope have another host, and robots.txt, the dearest, is asked
        // last.
        let host = read_host(&split)?;
        self.check_host(&host, is_file(&split), page)?;
        if self.within.as_ref().is_some_and(|within| !within.has(uri)) {
            return Err(OutOfScope::Outside);
        }
        self.check_traps(&split)?;
        #[cfg(feature = "regex")]
        self.check_patterns(uri)?;
        if self.robots.is_empty() {
            return Ok(());
        }
        let site = (without_dot(&host), &**scheme, split.port_or_known_default());
        let found = self.robots.binary_search_by(|((host, scheme, port), _)| (&**host, &**scheme, *port).cmp(&site));
        match found.ok().and_then(|at| self.robots[at].1.rule("*", uri)) {
            Some(rule) if !rule.allows => Err(OutOfScope::Robots { line: rule.line }),
            _ => Ok(()),
        }
    }

    /// `host` is written as [`read_host`] returns it; `page` is the URI of the page.
    fn check_host(&self, host: &str, is_file: bool, page: &str) -> Result<(), OutOfScope> {
        let (limited, reason): (fn(&str) -> &str, _) = match self.limit {
            Limit::None => return Ok(()),
            Limit::Host => (without_dot, OutOfScope::OtherHost),
            #[cfg(feature = "psl")]
            Limit::Domain => (domain_to_compare, OutOfScope::OtherDomain),
        };
        let page = UriRef::new(page);
        // Programs read files without asking the host, so the files of a host are not on its web server.
        let is_same = is_file == self::is_file(&page)
            && read_host(&page).is_ok_and(|page| page == host || limited(&page) == limited(host));
        if is_same { Ok(()) } else { Err(reason) }
    }

    fn check_traps(&self, uri: &UriRef<&str>) -> Result<(), OutOfScope> {
        if uri.as_str().len() > self.max_len {
            return Err(OutOfScope::TooLong);
        }
        let segments = || uri.path().split('/').filter(|segment| !segment.is_empty());
        if self.max_depth < usize::MAX && segments().count() > self.max_depth {
            return Err(OutOfScope::TooDeep);
        }
        if self.max_repeats < usize::MAX {
            let mut sorted: Vec<&str> = segments().collect();
            sorted.sort_unstable();
            if sorted.chunk_by(|a, b| a == b).any(|same| same.len() > self.max_repeats) {
                return Err(OutOfScope::Repeats);
            }
        }
        Ok(())
    }

    #[cfg(feature = "regex")]
    fn check_patterns(&self, uri: &str) -> Result<(), OutOfScope> {
        if self.include.as_ref().is_some_and(|include| !include.is_match(uri)) {
            return Err(OutOfScope::NotIncluded);
        }
        if self.exclude.as_ref().is_some_and(|exclude| exclude.is_match(uri)) {
            return Err(OutOfScope::Excluded);
        }
        Ok(())
    }
}

/// So that `?` can follow [`Scope::include`] and [`Scope::exclude`]. The position is 0.
#[cfg(feature = "regex")]
impl From<regex::Error> for Error {
    fn from(error: regex::Error) -> Error {
        let expected = match error {
            regex::Error::CompiledTooBig(_) => "a small enough regular expression",
            _ => "a regular expression",
        };
        Error::not_whole(ErrorKind::NotPattern, expected)
    }
}

#[cfg(feature = "regex")]
fn with_patterns<P: AsRef<str>>(
    set: Option<regex::RegexSet>,
    more: impl IntoIterator<Item = P>,
) -> Result<regex::RegexSet, regex::Error> {
    let mut patterns = set.map_or_else(Vec::new, |set| set.patterns().to_vec());
    patterns.extend(more.into_iter().map(|pattern| String::from(pattern.as_ref())));
    regex::RegexSet::new(patterns)
}

fn is_file(uri: &UriRef<&str>) -> bool {
    uri.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
}

/// Returns the host as [`host_of`] does, but also fails for a host that DNS cannot have, and for a port that is impossible.
fn read_host<'u>(uri: &UriRef<&'u str>) -> Result<Cow<'u, str>, OutOfScope> {
    let host = host_of(uri)?;
    if !fits_dns(&host) {
        return Err(OutOfScope::BadHost);
    }
    let authority = Authority::new(uri.authority().unwrap_or_default(), None);
    let port = authority.port_text.unwrap_or_default();
    let is_bad = match is_file(uri) {
        true => authority.port_text.is_some(),
        false => !port.is_empty() && authority.port().is_none_or(|port| port == 0),
    };
    if is_bad { Err(OutOfScope::BadPort) } else { Ok(host) }
}

/// Returns the host as browsers read and write it; the empty host for a `file` URI of this machine. The port does not matter.
pub(super) fn host_of<'u>(uri: &UriRef<&'u str>) -> Result<Cow<'u, str>, OutOfScope> {
    // Browsers read a backslash as a slash, and leave out tabs and line breaks, and so find another host.
    let start = uri.authority().unwrap_or(uri.path().get(..2).unwrap_or_default());
    if start.contains(['\\', '\t', '\n', '\r']) {
        return Err(OutOfScope::BadHost);
    }
    let authority = Authority::new(uri.authority().unwrap_or_default(), None);
    if is_file(uri) {
        // In a file's URI, browsers read an `@` as part of the host, which cannot have it.
        let host = if authority.userinfo.is_none() { file_host(authority.host) } else { None };
        return host.ok_or(OutOfScope::BadHost);
    }
    if authority.host.is_empty() {
        return Err(OutOfScope::NoHost);
    }
    web_host(authority.host).ok_or(OutOfScope::BadHost)
}

pub(super) fn without_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}
