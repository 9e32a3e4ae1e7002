//! The forms of a reference: the one classification that the fast path and the engine share.

use crate::rules::Rules;

/// The forms of a reference without a scheme, told apart by the first byte. The form decides which part of the base is kept.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// Nothing.
    Empty,
    /// `#s`.
    Fragment,
    /// `?q`.
    Query,
    /// `;p`, where parameters are a component.
    Params,
    /// `/x`, `//h`: text after slashes.
    Slashes,
    /// A relative path that starts with a dot, perhaps a dot segment.
    Dot,
    /// Another relative path; or, before a colon is searched for, a scheme.
    Name,
}

impl Form {
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
