//! Bases of the command line: their errors, and the references to URIs, as messages say them.

use std::borrow::Cow;
use std::fmt::Display;
use std::net::Ipv4Addr;

use relref::crawl::public_suffix;
use relref::scheme::Authority;
use relref::support::InnerBase;
use relref::whatwg::Url;
use relref::{AnyBase, Base, RuleSet, UriRef};

use crate::output::{Output, shown};

/// With `nested`, references are resolved against the innermost URI.
pub fn new_base(uri: &str, rules: RuleSet, nested: bool) -> Result<AnyBase, String> {
    let base = if nested { AnyBase::nested(uri, rules) } else { AnyBase::new(uri, rules) };
    base.map_err(|why| with_hint(why, uri))
}

/// Adds to the reason why a text is no URI the one that may be meant.
pub fn with_hint(why: impl Display, uri: &str) -> String {
    match missing_scheme(uri) {
        Some(meant) => format!("{why}; did you mean {meant}?"),
        None => why.to_string(),
    }
}

/// Tells in a note that an argument is read as a relative reference, if it starts with a host.
pub fn note_missing_scheme(uri: &str, out: &mut Output) {
    if let Some(meant) = missing_scheme(uri) {
        let read = match UriRef::new(uri).scheme() {
            Some(scheme) => format!("is read with the scheme {scheme}"),
            None => String::from("has no scheme, and is read as a relative reference"),
        };
        out.note(format_args!("{} {read}: did you mean {}?", shown(uri), shown(&meant)));
    }
}

/// By browsers' rules, the URI need not be serialized.
pub fn relativize<'t>(base: &AnyBase, uri: &'t str) -> Result<Cow<'t, str>, String> {
    let no_reference = || format!("no reference leads to it: it does not start with {}", shown(base.prefix()));
    let uri = uri.strip_prefix(base.prefix()).ok_or_else(no_reference)?;
    match base.inner() {
        InnerBase::Rules(base) => {
            let reference = base.relativize(uri);
            // A text that is not absolute comes back unchanged. The error of `Base::new` says why.
            if reference.len() == uri.len() {
                Base::new(uri, base.rules()).map_err(|error| with_hint(error, uri))?;
            }
            Ok(reference)
        }
        InnerBase::Whatwg(base) => {
            let url = Url::parse(uri).map_err(|error| with_hint(error, uri))?;
            Ok(if url == uri { base.relativize(uri) } else { Cow::Owned(base.relativize(&url).into_owned()) })
        }
    }
}

/// Guesses `https` for a text that starts with a host: an address, `localhost`, or a name below a public suffix. Before a port, the
/// host is read as a scheme.
pub fn missing_scheme(text: &str) -> Option<String> {
    let uri = format!("https://{}", text.strip_prefix("//").unwrap_or(text));
    let written = Authority::new(UriRef::new(&*uri).authority()?, None).host;
    // Browsers look for the host after further slashes, but such a text is the name of a file.
    if written.is_empty()
        || written.contains('\\')
        || UriRef::new(text).scheme().is_some_and(|scheme| scheme != written)
    {
        return None;
    }
    let url = Url::parse(&uri).ok()?;
    let host = url.host()?;
    let is_address = || host.starts_with('[') || written.parse::<Ipv4Addr>().is_ok();
    let is_name = || public_suffix(host).is_some_and(|suffix| suffix != host);
    (host == "localhost" || is_address() || is_name()).then_some(uri)
}
