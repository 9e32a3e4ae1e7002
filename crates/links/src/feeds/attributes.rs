//! The attributes of tags, and character references.

use std::borrow::Cow;

use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::BytesStart;

use crate::html::{TextKind, decode_reference};

/// An attribute of a tag.
pub(super) struct XmlAttribute<'t> {
    pub(super) name: Cow<'t, str>,
    /// The value as it is written.
    pub(super) raw: Cow<'t, str>,
    /// The byte index in the tag at which the value starts; `None` if there is only a name.
    pub(super) at: Option<usize>,
}

impl XmlAttribute<'_> {
    pub(super) fn value(&self) -> Cow<'_, str> {
        replace_entities(&self.raw)
    }
}

/// Values without quotes count, too, as in HTML. Malformed attributes are left out.
pub(super) fn attributes<'t>(tag: &'t BytesStart<'_>) -> impl Iterator<Item = XmlAttribute<'t>> {
    let mut found = tag.html_attributes();
    found.with_checks(false);
    found.flatten().map(|found| {
        let (name, value) = (found.key.into_inner(), found.value);
        let at = (value.as_ptr() as usize).checked_sub(tag.as_ptr() as usize).filter(|at| *at <= tag.len());
        let raw = match value {
            Cow::Borrowed(value) => String::from_utf8_lossy(value),
            Cow::Owned(value) => String::from_utf8_lossy(&value).into_owned().into(),
        };
        XmlAttribute { name: String::from_utf8_lossy(name), raw, at }
    })
}

pub(super) fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The name includes the namespace prefix.
pub(super) fn attribute_value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    attributes(tag).find(|found| found.name == name).map(|found| found.value().into_owned())
}

/// Replaces references to characters, to the five entities of XML, and to those of HTML, which the DTD of RSS 0.91 declares and other
/// feeds have by mistake. Other, malformed and longer references stay.
pub(super) fn replace_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    each_piece(text, |_, decoded| out.push_str(decoded));
    Cow::Owned(out)
}

/// The length, in bytes, of the longest reference, which has the longest name of HTML.
const MAX_REFERENCE_LEN: usize = "&CounterClockwiseContourIntegral;".len();

fn html_entity(reference: &str) -> Option<String> {
    let name = reference.strip_prefix('&')?.strip_suffix(';')?;
    let mut text = Vec::new();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let len = if is_name { decode_reference(reference.as_bytes(), TextKind::Text, &mut text)? } else { 0 };
    if len == reference.len() { String::from_utf8(text).ok() } else { None }
}

/// Passes each reference to `each`, and the texts between them: as they are written, and decoded.
pub(super) fn each_piece(text: &str, mut each: impl FnMut(&str, &str)) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        each(&rest[..at], &rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(MAX_REFERENCE_LEN).position(|byte| byte == b';').map_or(1, |end| end + 1);
        let reference = &rest[..end];
        match unescape_with(reference, resolve_predefined_entity) {
            Ok(character) if end > 1 => each(reference, &character),
            _ => each(reference, html_entity(reference).as_deref().unwrap_or(reference)),
        }
        rest = &rest[end..];
    }
    each(rest, rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_replaced() {
        for (text, expected) in [
            ("a&amp;b&#x41;&#66;", "a&bAB"),
            ("&eacute;&CounterClockwiseContourIntegral;&NotEqualTilde;", "é∳≂̸"),
            ("&ampx;&copy=1&no;&;&", "&ampx;&copy=1&no;&;&"),
            ("&amp;eacute;&#xD800;&apos;", "&eacute;&#xD800;'"),
        ] {
            assert_eq!(replace_entities(text), expected, "{text}");
        }
    }
}
