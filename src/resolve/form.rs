//! The forms of a reference, told apart by its first byte. The fast path and the engine share them.

use crate::rules::Rules;

/// The form of a reference without a scheme, by its first byte. It decides which part of the base is kept.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// The empty reference.
    Empty,
    /// A fragment: `#s`.
    Fragment,
    /// A query at the start: `?q`, `?q#s`.
    Query,
    /// Parameters at the start, where these are a component: `;p`, `;p?q`.
    Params,
    /// One or more slashes at the start: `/x`, `//h`.
    Slashes,
    /// A relative path that starts with a dot: perhaps with a dot segment, perhaps with a name such as `.a`.
    Dot,
    /// A relative path that starts with anything else. Also a reference with a scheme, if the caller has not excluded it before.
    Name,
}

impl Form {
    /// Returns the form of a reference by its first byte alone. A reference with a scheme has the form [`Name`](Form::Name). Under
    /// `rules` without parameters as a component, a `;` is the start of a name.
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
