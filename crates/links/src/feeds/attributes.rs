//! The attributes of tags, and character references.

use std::borrow::Cow;

use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::BytesStart;

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

/// Replaces references to characters and to the five entities of XML. Other, malformed and longer references stay.
pub(super) fn replace_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    each_piece(text, |_, decoded| out.push_str(decoded));
    Cow::Owned(out)
}

/// Passes each reference to `each`, and the texts between them: as they are written, and decoded.
pub(super) fn each_piece(text: &str, mut each: impl FnMut(&str, &str)) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        each(&rest[..at], &rest[..at]);
        rest = &rest[at..];
        // The longest reference to a character has 10 bytes.
        let end = rest.bytes().take(12).position(|byte| byte == b';').map_or(1, |end| end + 1);
        let reference = &rest[..end];
        match unescape_with(reference, resolve_predefined_entity) {
            Ok(character) if end > 1 => each(reference, &character),
            _ => each(reference, reference),
        }
        rest = &rest[end..];
    }
    each(rest, rest);
}
