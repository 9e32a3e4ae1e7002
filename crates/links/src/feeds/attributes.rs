//! The attributes of tags, and character references.

use std::borrow::Cow;

use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::BytesStart;

/// Returns the attributes of a tag, in their order: the name with its namespace prefix, and the value, in which
/// [`replace_entities`] has replaced references. Values without quotes count, too, as in HTML. Malformed attributes are left out.
pub(super) fn attributes<'t>(tag: &'t BytesStart<'_>) -> impl Iterator<Item = (Cow<'t, str>, String)> {
    let mut found = tag.html_attributes();
    found.with_checks(false);
    found.flatten().map(|found| {
        let name = String::from_utf8_lossy(found.key.into_inner());
        (name, replace_entities(&String::from_utf8_lossy(&found.value)).into_owned())
    })
}

/// Returns the value of the first attribute with this name, namespace prefix included.
pub(super) fn attribute_value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    attributes(tag).find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Returns a text of XML in which references are replaced by the characters that they mean: character references, such as `&#65;`,
/// and references to the five entities that XML has, such as `&amp;`. References to other entities stay, and so does a reference
/// that is malformed or has more than twelve bytes.
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
