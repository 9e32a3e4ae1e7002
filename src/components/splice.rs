//! An edit of a URI: the range of its text that is replaced, by what, and the offsets that move.

use alloc::string::{String, ToString};
use core::ops::Range;

use super::checks::{
    check_authority, check_fragment, check_host_alone, check_path, check_query, check_scheme, check_userinfo,
};
use crate::error::{Error, ErrorKind};
use crate::scheme::Authority;
use crate::uri::{UriRef, UriText};

pub(super) struct Edit<'e> {
    pub(super) range: Range<usize>,
    /// The new text of the range, in two parts, as a component may come with a delimiter.
    pub(super) pieces: [&'e str; 2],
    pub(super) component: Component,
}

/// The component that is edited. The ends of it and of those after it move.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Component {
    Scheme,
    Authority,
    Path,
    Query,
    Fragment,
}

impl<T> UriRef<T> {
    fn offsets_after(&self, edit: &Edit<'_>) -> [usize; 4] {
        let added = edit.pieces[0].len() + edit.pieces[1].len();
        let UriRef { scheme_end, path_start, path_end, query_end, .. } = *self;
        let moved = |component, end: usize| {
            if edit.component <= component { end - edit.range.len() + added } else { end }
        };
        [
            moved(Component::Scheme, scheme_end),
            moved(Component::Authority, path_start),
            moved(Component::Path, path_end),
            moved(Component::Query, query_end),
        ]
    }
}

impl UriRef<String> {
    /// If `find` fails, nothing changes.
    pub(super) fn edit<'e>(&mut self, find: impl FnOnce(&Self) -> Result<Edit<'e>, Error>) -> Result<(), Error> {
        let edit = find(self)?;
        self.apply(edit);
        Ok(())
    }

    pub(super) fn apply(&mut self, edit: Edit<'_>) {
        let offsets = self.offsets_after(&edit);
        let Edit { range, pieces: [first, second], .. } = edit;
        let mut text = core::mem::take(&mut self.text);
        // An edit at the end, as of a fragment, appends. Elsewhere the rest of the text moves twice, for two pieces; to join them
        // first would allocate.
        if range.end == text.len() {
            text.truncate(range.start);
            text.push_str(first);
            text.push_str(second);
        } else {
            text.reserve((first.len() + second.len()).saturating_sub(range.len()));
            let start = range.start;
            text.replace_range(range, second);
            text.insert_str(start, first);
        }
        *self = UriRef::from_parts(text, offsets);
    }
}

impl<T: UriText> UriRef<T> {
    /// Copies the text once.
    pub(super) fn edited(&self, edit: Edit<'_>) -> UriRef<String> {
        let old = self.as_borrowed().as_str();
        let [first, second] = edit.pieces;
        let mut text = String::with_capacity(old.len() - edit.range.len() + first.len() + second.len());
        for piece in [&old[..edit.range.start], first, second, &old[edit.range.end..]] {
            text.push_str(piece);
        }
        UriRef::from_parts(text, self.offsets_after(&edit))
    }

    pub(super) fn scheme_edit<'e>(&self, scheme: Option<&'e str>) -> Result<Edit<'e>, Error> {
        match scheme {
            Some(scheme) => check_scheme(scheme)?,
            None if !self.has_authority() => check_first_segment(self.as_borrowed().path())?,
            None => {}
        }
        let pieces = scheme.map_or(["", ""], |scheme| [scheme, ":"]);
        Ok(Edit { range: 0..self.scheme_end, pieces, component: Component::Scheme })
    }

    pub(super) fn authority_edit<'e>(&self, authority: Option<&'e str>) -> Result<Edit<'e>, Error> {
        let path = self.as_borrowed().path();
        match authority {
            Some(authority) => {
                check_authority(authority)?;
                check_path_after_authority(path)?;
            }
            None => check_path_without_authority(path)?,
        }
        let pieces = authority.map_or(["", ""], |authority| ["//", authority]);
        Ok(Edit { range: self.scheme_end..self.path_start, pieces, component: Component::Authority })
    }

    pub(super) fn userinfo_edit<'e>(&self, userinfo: Option<&'e str>) -> Result<Edit<'e>, Error> {
        userinfo.map_or(Ok(()), check_userinfo)?;
        let Some((authority, start)) = self.authority_and_start() else {
            return absent(userinfo.is_some(), "a host after userinfo", self.path_start);
        };
        let range = start..start + authority.userinfo.map_or(0, |userinfo| userinfo.len() + 1);
        let pieces = userinfo.map_or(["", ""], |userinfo| [userinfo, "@"]);
        Ok(Edit { range, pieces, component: Component::Authority })
    }

    /// The user name must be encoded.
    pub(super) fn username_edit<'e>(&self, username: Option<&'e str>) -> Result<Edit<'e>, Error> {
        let Some((authority, start)) = self.authority_and_start() else {
            return absent(username.is_some(), "a host after a user name", self.path_start);
        };
        let Some(username) = username else { return self.userinfo_edit(None) };
        let (old, at) = authority.username().map_or(("", "@"), |old| (old, ""));
        Ok(Edit { range: start..start + old.len(), pieces: [username, at], component: Component::Authority })
    }

    /// The password must be encoded, after a colon.
    pub(super) fn password_edit<'e>(&self, password: Option<&'e str>) -> Result<Edit<'e>, Error> {
        let Some((authority, start)) = self.authority_and_start() else {
            return absent(password.is_some(), "a host after a password", self.path_start);
        };
        let old = authority.userinfo.unwrap_or_default();
        let username_len = authority.username().map_or(0, str::len);
        let at = if authority.userinfo.is_none() && password.is_some() { "@" } else { "" };
        let range = start + username_len..start + old.len();
        Ok(Edit { range, pieces: [password.unwrap_or_default(), at], component: Component::Authority })
    }

    pub(super) fn host_edit<'e>(&self, host: Option<&'e str>) -> Result<Edit<'e>, Error> {
        host.map_or(Ok(()), check_host_alone)?;
        let (Some((authority, start)), Some(host)) = (self.authority_and_start(), host) else {
            let authority = self.as_borrowed().split_authority();
            if authority.is_some_and(|authority| authority.userinfo.is_some() || authority.port_text.is_some()) {
                return Err(Error::new(ErrorKind::NotComponent, "a host between userinfo and port", "", 0));
            }
            return self.authority_edit(host);
        };
        let start = start + authority.userinfo.map_or(0, |userinfo| userinfo.len() + 1);
        Ok(Edit { range: start..start + authority.host.len(), pieces: ["", host], component: Component::Authority })
    }

    /// `port` has digits only.
    pub(super) fn port_edit<'e>(&self, port: Option<&'e str>) -> Result<Edit<'e>, Error> {
        let Some((Authority { host, port_text, .. }, _)) = self.authority_and_start() else {
            return absent(port.is_some(), "a host before a port", self.path_start);
        };
        let refused = |expected, at| Err(Error::new(ErrorKind::NotComponent, expected, host, at));
        let literal = if host.starts_with('[') { host.find(']') } else { Some(0) };
        match (port, literal) {
            (Some(_), None) => return refused("`]` to end a host before a port", host.len()),
            (None, Some(literal)) => {
                if let Some(colon) = host[literal..].rfind(':') {
                    return refused("no colon in a host without a port, except in brackets", literal + colon);
                }
            }
            _ => {}
        }
        let start = self.path_start - port_text.map_or(0, |port| port.len() + 1);
        let pieces = port.map_or(["", ""], |port| [":", port]);
        Ok(Edit { range: start..self.path_start, pieces, component: Component::Authority })
    }

    pub(super) fn path_edit<'e>(&self, path: &'e str) -> Result<Edit<'e>, Error> {
        check_path(path)?;
        if self.has_authority() {
            check_path_after_authority(path)?;
        } else {
            check_path_without_authority(path)?;
            if !self.is_absolute() {
                check_first_segment(path)?;
            }
        }
        Ok(Edit { range: self.path_range(), pieces: ["", path], component: Component::Path })
    }

    pub(super) fn query_edit<'e>(&self, query: Option<&'e str>) -> Result<Edit<'e>, Error> {
        query.map_or(Ok(()), check_query)?;
        Ok(self.checked_query_edit(query))
    }

    /// The query must be valid.
    pub(super) fn checked_query_edit<'e>(&self, query: Option<&'e str>) -> Edit<'e> {
        let pieces = query.map_or(["", ""], |query| ["?", query]);
        Edit { range: self.path_end..self.query_end, pieces, component: Component::Query }
    }

    pub(super) fn fragment_edit<'e>(&self, fragment: Option<&'e str>) -> Result<Edit<'e>, Error> {
        fragment.map_or(Ok(()), check_fragment)?;
        Ok(self.checked_fragment_edit(fragment))
    }

    /// The fragment must be valid.
    pub(super) fn checked_fragment_edit<'e>(&self, fragment: Option<&'e str>) -> Edit<'e> {
        let pieces = fragment.map_or(["", ""], |fragment| ["#", fragment]);
        let end = self.as_borrowed().as_str().len();
        Edit { range: self.query_end..end, pieces, component: Component::Fragment }
    }

    fn authority_and_start(&self) -> Option<(Authority<'_>, usize)> {
        Some((self.as_borrowed().split_authority()?, self.scheme_end + 2))
    }
}

/// The edit of a part that needs an authority, where there is none.
fn absent<'e>(is_given: bool, expected: &'static str, at: usize) -> Result<Edit<'e>, Error> {
    if is_given {
        return Err(Error::new(ErrorKind::NotComponent, expected, "", 0));
    }
    Ok(Edit { range: at..at, pieces: ["", ""], component: Component::Authority })
}

fn check_path_after_authority(path: &str) -> Result<(), Error> {
    if path.is_empty() || path.starts_with('/') {
        return Ok(());
    }
    Err(Error::new(ErrorKind::NotComponent, "`/` to start a path after an authority", path, 0))
}

fn check_path_without_authority(path: &str) -> Result<(), Error> {
    if path.starts_with("//") {
        return Err(Error::new(ErrorKind::NotComponent, "one slash to start a path without an authority", path, 1));
    }
    Ok(())
}

/// A path without scheme and authority (RFC 3986 §4.2).
fn check_first_segment(path: &str) -> Result<(), Error> {
    match path.find([':', '/']) {
        Some(at) if path.as_bytes()[at] == b':' => {
            let expected = "no colon in the first segment of a path without a scheme";
            Err(Error::new(ErrorKind::NotComponent, expected, path, at))
        }
        _ => Ok(()),
    }
}

pub(super) fn port_text(port: Option<u16>) -> Option<String> {
    port.map(|port| port.to_string())
}
