//! The attributes of tags, and character references.

use std::borrow::Cow;

use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::BytesStart;

/// Returns the names, with their prefixes, and the values of the attributes of a tag. Values without quotes count, too, as in HTML.
pub(super) fn attributes<'t>(tag: &'t BytesStart<'_>) -> impl Iterator<Item = (Cow<'t, str>, String)> {
    let mut found = tag.html_attributes();
    found.with_checks(false);
    found.flatten().map(|found| {
        let name = String::from_utf8_lossy(found.key.into_inner());
        (name, replace_entities(&String::from_utf8_lossy(&found.value)).into_owned())
    })
}

/// Returns the value of the attribute with this name, prefix included; `None` if the tag does not have it.
pub(super) fn attribute_value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    attributes(tag).find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Returns a text of XML with the characters that its references mean: character references, such as `&#65;`, and references to the
/// five entities that XML has, such as `&amp;`. References to other entities stay as they are.
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
