//! Functions that read a text as a view or read its warnings.

use std::ops::Range;

use relref::percent::Decode;
use relref::scheme::{self, WarningKind};

/// Reads a text as the view of this variant, or panics if it has another one.
macro_rules! view {
    ($variant:ident, $text:expr) => {
        match relref::scheme::view($text) {
            relref::scheme::View::$variant(view) => view,
            other => panic!("{other:?}"),
        }
    };
}
pub(super) use view;

/// Returns the kind and the range of each warning about a URI.
pub fn warnings(text: &str) -> Vec<(WarningKind, Range<usize>)> {
    scheme::view(text).warnings().into_iter().map(|warning| (warning.kind, warning.range)).collect()
}

/// Reports whether a URI has a warning of this kind.
pub fn warns(text: &str, kind: WarningKind) -> bool {
    warnings(text).iter().any(|warning| warning.0 == kind)
}

/// Returns decoded texts. Panics if one of them is an error.
pub fn texts<'a, E: std::fmt::Debug>(decoded: impl Iterator<Item = Result<Decode<'a>, E>>) -> Vec<String> {
    decoded.map(|text| text.unwrap().to_string()).collect()
}
