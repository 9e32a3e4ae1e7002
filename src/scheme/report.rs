//! `View::parts` and `View::warnings`: first what follows from the table of schemes, then what only one scheme has.

use alloc::vec::Vec;

use super::part::{Part, Parts};
use super::registry::AuthoritySyntax::{self, Host, HostPort, Login};
use super::registry::info;
use super::view::View;
use super::warning::{Warning, WarningKind, Warnings, octets};
use crate::whatwg::web_host;

impl<'a> View<'a> {
    /// Returns the named parts of the URI that its scheme defines, as texts to show to people. A text is decoded if clients decode
    /// it before use.
    ///
    /// ```
    /// use relref::UriRef;
    /// use relref::scheme::view;
    ///
    /// let parts = view(UriRef::new("wais://host.dom/db?two+words")).parts();
    /// let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    /// assert_eq!(names, ["host", "port", "default", "database", "search"]);
    /// ```
    pub fn parts(&self) -> Vec<Part> {
        let (uri, authority, scheme) = self.read();
        let mut parts = Parts::default();
        if let Some(info) = uri.scheme().and_then(info).filter(|info| info.reserved) {
            parts.add("reserved", format_args!("{} {}", info.document, info.section));
        }
        if let Some(authority) = authority {
            authority.add_parts(&mut parts);
        }
        scheme.add_parts(&mut parts);
        parts.list
    }

    /// Returns the warnings about the URI: first those by the rules of its scheme, then those about illegal escapes and control
    /// octets, from left to right.
    ///
    /// Cost: one pass over the text, while the warnings are read.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<'a> {
        let (uri, authority, scheme) = self.read();
        let mut warnings = Warnings::new(uri.as_str());
        if let Some(authority) = authority {
            authority.warn(&mut warnings);
        }
        let info = uri.scheme().and_then(info).filter(|info| !info.reserved);
        let syntax = info.map_or(AuthoritySyntax::None, |info| info.authority);
        let needs_host = matches!(syntax, Host | HostPort | Login);
        if needs_host && authority.is_none_or(|authority| authority.host.is_empty()) {
            warnings.add(WarningKind::Missing, uri.path_start..uri.path_start);
        }
        let impossible =
            authority.map(|authority| authority.host).filter(|host| needs_host && web_host(host).is_none());
        warnings.add_part(WarningKind::ImpossibleHost, impossible);
        scheme.warn(&mut warnings);
        if matches!(syntax, Host | HostPort) {
            warnings.add_part(WarningKind::NoPlace, authority.and_then(|authority| authority.userinfo));
        }
        let separators = scheme.parts_after_control().map(|part| warnings.range(part?).start.checked_sub(3));
        let is_no_separator = move |warning: &Warning| !separators.contains(&Some(warning.range.start));
        warnings.list.into_iter().chain(octets(uri).filter(is_no_separator))
    }
}
