//! The forms of a reference, told apart by its first byte. The fast path and the engine share them.

use crate::rules::Rules;

/// The form of a reference without a scheme, by its first byte. It decides which part of the base is kept.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Empty,
    Fragment,
    Query,
    /// Parameters, only where these are a component.
    Params,
    Slashes,
    /// A relative path that starts with a dot: a dot segment, or a name such as `.a`.
    Dot,
    /// Any other relative path; also a reference with a scheme, if the caller has not excluded it.
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
