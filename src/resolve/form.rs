//! The forms of a reference, told apart by its first byte. The fast path and the engine share them.

use crate::rules::Rules;

/// The forms of a reference without a scheme, told apart by the first byte. The form decides which part of the base is kept.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// The empty reference.
    Empty,
    /// A fragment: `#s`.
    Fragment,
    /// A query: `?q`.
    Query,
    /// Parameters, where these are a component: `;p`.
    Params,
    /// One or more slashes at the start: `/x`, `//h`.
    Slashes,
    /// A relative path that starts with a dot, perhaps a dot segment.
    Dot,
    /// Any other start: a relative path, or a scheme if the reference was not searched for a colon.
    Name,
}

impl Form {
    /// Returns the form of a reference. Looks only at its first byte, so a scheme has the form [`Name`](Form::Name).
    #[inline(always)]
    pub(crate) fn of(reference: &[u8], rules: Rules) -> Self {
        match reference.first() {
            None => Form::Empty,
            Some(b'#') => Form::Fragment,
            Some(b'?') => Form::Query,
            Some(b';') if rules.params => Form::Params,
            Some(b'/') => Form::Slashes,
            Some(b'.') => Form::Dot,
            Some(_) => Form::Name,
        }
    }
}
