//! The attributes of tags, and character references.

use std::borrow::Cow;

use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::BytesStart;

/// Values without quotes count, too, as in HTML. Malformed attributes are left out.
pub(super) fn attributes<'t>(tag: &'t BytesStart<'_>) -> impl Iterator<Item = (Cow<'t, str>, String)> {
    let mut found = tag.html_attributes();
    found.with_checks(false);
    found.flatten().map(|found| {
        let name = String::from_utf8_lossy(found.key.into_inner());
        (name, replace_entities(&String::from_utf8_lossy(&found.value)).into_owned())
    })
}

/// The name includes the namespace prefix.
pub(super) fn attribute_value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    attributes(tag).find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Replaces references to characters and to the five entities of XML. Other, malformed and longer references stay.
pub(super) fn replace_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest reference to a character has 10 bytes.
        let end = rest.bytes().take(12).position(|byte| byte == b';').map_or(1, |end| end + 1);
        match unescape_with(&rest[..end], resolve_predefined_entity) {
            Ok(character) if end > 1 => out.push_str(&character),
            _ => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}
