//! Redirectors: pages that only lead to the URL in a parameter of theirs.

use alloc::string::String;

use crate::whatwg::Url;

/// Well-known redirectors, for [`redirect_target`]: the host and path of each, and the name of the query pair whose value is the URL. After a
/// dot, as in `.example.com/`, the host is any that ends so.
///
/// Source: the redirections of ClearURLs, of which these have the URL in a query pair as it is.
#[rustfmt::skip]
pub const REDIRECTORS: &[(&str, &str)] = &[
    ("www.google.com/url", "q"), ("www.google.com/url", "url"), ("google.com/url", "q"), ("google.com/url", "url"),
    ("www.youtube.com/redirect", "q"),
    ("l.facebook.com/l.php", "u"), ("lm.facebook.com/l.php", "u"), ("l.instagram.com/", "u"),
    ("l.messenger.com/l.php", "u"),
    ("out.reddit.com/", "url"),
    ("www.linkedin.com/redir/redirect", "url"), ("www.linkedin.com/safety/go", "url"),
    ("steamcommunity.com/linkfilter/", "url"), ("steamcommunity.com/linkfilter/", "u"),
    ("vk.com/away.php", "to"),
    ("t.umblr.com/redirect", "z"), ("href.li/", "url"),
    ("duckduckgo.com/l/", "uddg"),
    ("slack-redir.net/link", "url"),
    ("link.zhihu.com/", "target"),
    (".safelinks.protection.outlook.com/", "url"),
];

/// Returns the URL to which a link to one of `redirectors` leads, as browsers serialize it; `None` if it leads to none of them, or
/// the parameter has no absolute `http` or `https` URL. Nothing is fetched: the redirector is not asked, and may count or refuse a visit
/// otherwise. A URL in a URL is taken out once; call again for more.
///
/// Cost: parsing both URLs, and a comparison with each of `redirectors`.
///
/// ```
/// use relref::crawl::{REDIRECTORS, redirect_target};
///
/// let link = "https://www.google.com/url?sa=t&q=https%3A%2F%2Fexample.com%2Fa%3Fb%26c&usg=x";
/// assert_eq!(redirect_target(link, REDIRECTORS).as_deref(), Some("https://example.com/a?b&c"));
/// assert_eq!(redirect_target("https://www.google.com/url?q=javascript:alert(1)", REDIRECTORS), None);
/// assert_eq!(redirect_target("https://example.com/url?q=http://h/", REDIRECTORS), None);
///
/// let ours = [("go.example.com/out", "to")];
/// assert_eq!(redirect_target("https://go.example.com/out?to=http://h/", &ours).as_deref(), Some("http://h/"));
/// ```
#[doc(alias("unwrap_redirect", "unshorten"))]
pub fn redirect_target(uri: impl AsRef<str>, redirectors: &[(&str, &str)]) -> Option<String> {
    let url = Url::parse(uri.as_ref()).ok().filter(is_web)?;
    let host = url.host()?;
    let place = [host, url.path()].concat();
    let is_at = |known: &str| place == known || known.starts_with('.') && place.ends_with(known);
    let target = |(_, param): &(&str, &str)| {
        let value = url.query_value(param)?;
        Url::parse(value).ok().filter(is_web).map(Url::into_string)
    };
    redirectors.iter().filter(|(known, _)| is_at(known)).find_map(target)
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}
