//! `relativize`: finds a short reference that resolves to a given URL.

use alloc::borrow::Cow;
use alloc::string::String;

use super::parse::resolve_prepared;
use super::prepared_base::PreparedBase;
use super::url_record::UrlRecord;
use crate::rules::Rules;
use crate::uri::Uri;

/// Returns what [`Base::relativize`](super::Base::relativize) returns.
pub(super) fn relativize<'t>(base: PreparedBase<'_>, target: &'t str) -> Cow<'t, str> {
    let resolves = |reference: &str| resolve_prepared(base, reference).is_ok_and(|href| href == target);
    let by_rfc_3986 = Uri::of_absolute(base.uri_ref()).relativize(target, Rules::RFC3986);
    let is_short = |reference: &Cow<'_, str>| reference.len() < target.len() && resolves(reference);
    let mut best = match is_short(&by_rfc_3986) {
        true => Some(by_rfc_3986),
        // A name such as `C|` is a drive letter if nothing is before it.
        false => Some(Cow::Owned(["./", &by_rfc_3986].concat())).filter(is_short),
    };
    // A drive letter stops `..`, and a rooted path keeps it; a lone slash after a host may be left out.
    let uri = UrlRecord::new(target);
    let letter = uri.drive_letter().map_or(uri.path_start, |letter| uri.path_start + letter.len());
    let after_letter = target[letter..].strip_prefix('/').unwrap_or(target);
    // The candidates are few and fixed, and each is resolved: to prove by rules that a reference leads back would repeat the
    // parser. Each costs a resolution, so that only shorter ones are tried.
    let others = [after_letter, &target[letter..], &target[uri.path_start..], &target[uri.scheme_end..]];
    let lone_slash = uri.path() == "/" && uri.has_host();
    let without_slash = lone_slash.then(|| {
        let mut reference = String::from(&target[uri.scheme_end..uri.path_start]);
        reference.push_str(&target[uri.path_end..]);
        Cow::Owned(reference)
    });
    for other in without_slash.into_iter().chain(others.map(Cow::Borrowed)) {
        let is_shorter = other.len() < best.as_ref().map_or(target.len(), |best| best.len());
        if is_shorter && resolves(&other) {
            best = Some(other);
        }
    }
    best.unwrap_or(Cow::Borrowed(target))
}
