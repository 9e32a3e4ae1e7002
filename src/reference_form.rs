//! Forms of relative references, where the shortest one is not the one that is wanted.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::uri::UriRef;

/// The form of a reference that leads to a URI: see [`Base::relativize_as`](crate::Base::relativize_as).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReferenceForm {
    /// The shortest reference, such as `../x`, `/x` or `//host/x`.
    Shortest,
    /// The shortest reference without a scheme and a host, such as `../x` or `/x`: it stays right where the site moves to another host.
    SameOrigin,
    /// The shortest reference without a scheme, a host and a slash at its start, such as `../x`, `?q` or `#f`: it stays right where the site
    /// moves into a folder.
    Relative,
    /// A reference with one slash at its start, such as `/x`: it stays right where its page moves within the host.
    Rooted,
}

impl ReferenceForm {
    fn has(self, reference: &str) -> bool {
        let split = UriRef::new(reference);
        match self {
            ReferenceForm::Shortest => true,
            // By the rules of a document, levels of slashes need not be a host.
            ReferenceForm::SameOrigin => split.is_relative() && !reference.starts_with("//"),
            ReferenceForm::Relative => split.is_relative() && !reference.starts_with(['/', '\\']),
            ReferenceForm::Rooted => reference.starts_with('/') && !reference[1..].starts_with(['/', '\\']),
        }
    }

    /// Returns the shortest reference of this form, or `target`. `shortest` is the shortest of all.
    pub(crate) fn choose<'t>(
        self,
        base: &str,
        target: &'t str,
        shortest: Cow<'t, str>,
        leads_to_target: impl Fn(&str) -> bool,
    ) -> Cow<'t, str> {
        if self.has(&shortest) {
            return shortest;
        }
        let rest = &target[origin(target).len()..];
        if origin(base) != origin(target) {
            return Cow::Borrowed(target);
        }
        let relative = path_relative(base, target);
        let mut candidates: Vec<Cow<'t, str>> = Vec::new();
        candidates.extend(relative.iter().map(|relative| Cow::Owned(["./", relative].concat())));
        candidates.extend(relative.map(Cow::Owned));
        candidates.push(Cow::Borrowed(rest));
        candidates.push(Cow::Owned(["/.", rest].concat()));
        candidates.sort_by_key(|candidate| candidate.len());
        let found = candidates.into_iter().find(|candidate| self.has(candidate) && leads_to_target(candidate));
        found.unwrap_or(Cow::Borrowed(target))
    }
}

/// Returns the scheme, and the authority if there is one. The rest of a long URI is not read.
#[must_use]
pub fn origin(uri: &str) -> &str {
    let path = uri.find("://").map_or_else(|| uri.find(':').map_or(0, |colon| colon + 1), |colon| colon + 3);
    &uri[..uri[path..].find(['/', '?', '#']).map_or(uri.len(), |end| path + end)]
}

/// Returns the reference with a path from the common folder of both URIs, which have the same origin; `None` without one.
#[must_use]
pub fn path_relative(base: &str, target: &str) -> Option<String> {
    let (base_path, target_uri) = (UriRef::new(base).path(), UriRef::new(target));
    let path = target_uri.path();
    let common = base_path.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
    let folder = base_path.as_bytes()[..common].iter().rposition(|byte| *byte == b'/')? + 1;
    let path_start = path.as_ptr() as usize - target.as_ptr() as usize;
    let rest = &target[path_start + folder..];
    let ups = base_path.as_bytes()[folder..].iter().filter(|byte| **byte == b'/').count();
    Some(["../".repeat(ups).as_str(), rest].concat())
}
