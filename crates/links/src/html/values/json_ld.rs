//! The URLs of JSON-LD, which describe a page for search engines.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::references::item_kind;
use crate::html::kind::Kind;

/// Receives the name of the property, its kind, and the URL.
type Report<'r> = dyn FnMut(&str, Kind, &str) + 'r;

/// Reports the URLs up to the first error in the JSON. Objects of a depth of more than 128 are an error.
pub(crate) fn urls(json: &str, report: &mut Report<'_>) {
    let mut json = serde_json::Deserializer::from_str(after_comments(json));
    // Search engines ignore damaged JSON, too.
    let _ = ValueVisitor { property: None, report }.deserialize(&mut json);
}

/// Returns the JSON after comments, and after what starts a comment or a CDATA section around it: this is how pages hide
/// scripts from old browsers and from XML.
fn after_comments(json: &str) -> &str {
    let mut rest = json.trim_start();
    // More would take long, and no page has them.
    for _ in 0..8 {
        let next = if let Some(comment) = rest.strip_prefix("<!--") {
            // It ends before the JSON, or is around it.
            let after = comment.split_once("-->").map(|(_, after)| after.trim_start());
            after.filter(|after| after.starts_with(['{', '[', '<', '/'])).unwrap_or(comment)
        } else if let Some(section) = rest.strip_prefix("<![CDATA[") {
            section
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else if let Some(line) = rest.strip_prefix("//") {
            let is_start = line.trim_start().starts_with("<!");
            if is_start { line } else { line.split_once('\n').map_or("", |(_, after)| after) }
        } else {
            break;
        };
        rest = next.trim_start();
    }
    rest
}

/// `None` for a property whose value is no URL.
fn kind(property: &str) -> Option<Kind> {
    if property == "@id" { Some(Kind::Metadata) } else { item_kind(&property.to_ascii_lowercase()) }
}

/// The value of a property, or a value in its list.
struct ValueVisitor<'p, 'r> {
    property: Option<&'p str>,
    report: &'p mut Report<'r>,
}

impl<'j> DeserializeSeed<'j> for ValueVisitor<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'j>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for ValueVisitor<'_, '_> {
    type Value = ();

    visit_nothing!(visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_unit());

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if let Some((property, kind)) = self.property.and_then(|property| Some((property, kind(property)?))) {
            // Not the name of a blank node.
            if !text.starts_with("_:") {
                (self.report)(property, kind, text);
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut list: A) -> Result<(), A::Error> {
        let ValueVisitor { property, report } = self;
        while list.next_element_seed(ValueVisitor { property, report: &mut *report })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'j>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<Cow<'_, str>>()? {
            object.next_value_seed(ValueVisitor { property: Some(&name), report: &mut *self.report })?;
        }
        Ok(())
    }
}
