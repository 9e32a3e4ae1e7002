//! Reads the JSON of a WAT record as a stream, one link at a time, whatever types its values have.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A part of a WAT record that matters for the links of its page, whose URI is in the head of the WARC record instead.
pub(super) enum WatPart<'p, 'j> {
    Base(&'p str),
    /// A name and value of the HTTP head.
    Field(&'p str, &'p str),
    /// Or a `meta` element.
    Link(&'p WatLink<'j>),
}

/// Returns false if no more parts are needed.
pub(super) type Report<'r> = dyn FnMut(WatPart<'_, '_>) -> bool + 'r;

/// The strings of an object, in the order of [`NAMES`]; `None` if it has no string of that name.
pub(super) type WatLink<'j> = [Option<Cow<'j, str>>; NAMES.len()];

const NAMES: [&str; 9] = ["path", "url", "href", "rel", "text", "alt", "http-equiv", "content", "name"];

/// Fails if the JSON is damaged, and also once `report` returns false.
pub(super) fn read_parts(json: &str, report: &mut Report<'_>) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(json);
    WatValue { place: WatPlace::Record, report }.deserialize(&mut json)?;
    json.end()
}

#[derive(Clone, Copy)]
enum WatPlace<'p> {
    Record,
    Envelope,
    Payload,
    Response,
    Fields,
    /// The list of values of a field, by its name, that the HTTP head has several times.
    Values(&'p str),
    Html,
    HtmlHead,
    Links,
    Link,
}

impl WatPlace<'_> {
    /// `None` for texts, HTTP fields, and values that do not matter.
    fn child(self, name: &str) -> Option<Self> {
        Some(match (self, name) {
            (WatPlace::Record, "Envelope") => WatPlace::Envelope,
            (WatPlace::Envelope, "Payload-Metadata") => WatPlace::Payload,
            (WatPlace::Payload, "HTTP-Response-Metadata") => WatPlace::Response,
            (WatPlace::Response, "Headers") => WatPlace::Fields,
            (WatPlace::Response, "HTML-Metadata") => WatPlace::Html,
            (WatPlace::Html, "Head") => WatPlace::HtmlHead,
            (WatPlace::Html, "Links") | (WatPlace::HtmlHead, "Link" | "Scripts" | "Metas") => WatPlace::Links,
            _ => return None,
        })
    }
}

/// A seed and visitor of serde. A value of another type than a WAT file has at `place` has no parts.
struct WatValue<'p, 'r> {
    place: WatPlace<'p>,
    report: &'p mut Report<'r>,
}

impl<'j> DeserializeSeed<'j> for WatValue<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'j>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for WatValue<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<(), M::Error> {
        let WatValue { place, report } = self;
        let mut link = WatLink::default();
        while let Some(name) = map.next_key_seed(JsonText)? {
            if let Some(place) = place.child(&name) {
                map.next_value_seed(WatValue { place, report })?;
                continue;
            }
            match (place, NAMES.iter().position(|known| *known == name)) {
                (WatPlace::Link, Some(at)) => link[at] = text(map.next_value()?),
                (WatPlace::HtmlHead, _) if name == "Base" => {
                    stop_unless(text(map.next_value()?).is_none_or(|url| report(WatPart::Base(&url))))?
                }
                (WatPlace::Fields, _) => {
                    let value: &RawValue = map.next_value()?;
                    if let Some(value) = text(value) {
                        stop_unless(report(WatPart::Field(&name, &value)))?;
                    } else if value.get().starts_with('[') {
                        let mut list = serde_json::Deserializer::from_str(value.get());
                        let values = WatValue { place: WatPlace::Values(&name), report };
                        values.deserialize(&mut list).map_err(M::Error::custom)?;
                    }
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        stop_unless(!matches!(place, WatPlace::Link) || report(WatPart::Link(&link)))
    }

    fn visit_seq<S: SeqAccess<'j>>(self, mut list: S) -> Result<(), S::Error> {
        let WatValue { place, report } = self;
        match place {
            WatPlace::Links => while list.next_element_seed(WatValue { place: WatPlace::Link, report })?.is_some() {},
            WatPlace::Values(name) => {
                while let Some(value) = list.next_element()? {
                    stop_unless(text(value).is_none_or(|value| report(WatPart::Field(name, &value))))?;
                }
            }
            _ => while list.next_element::<IgnoredAny>()?.is_some() {},
        }
        Ok(())
    }

    visit_nothing!(visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str), visit_unit());
}

fn stop_unless<E: Error>(wants_more: bool) -> Result<(), E> {
    if wants_more { Ok(()) } else { Err(E::custom("no more is needed")) }
}

fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let json = value.get();
    let text = json.strip_prefix('"')?.strip_suffix('"')?;
    if !text.contains('\\') {
        return Some(Cow::Borrowed(text));
    }
    JsonText.deserialize(&mut serde_json::Deserializer::from_str(json)).ok()
}

/// Reads a JSON string; U+FFFD replaces lone surrogates.
struct JsonText;

impl<'j> DeserializeSeed<'j> for JsonText {
    type Value = Cow<'j, str>;

    fn deserialize<D: Deserializer<'j>>(self, from: D) -> Result<Cow<'j, str>, D::Error> {
        // As text, a lone surrogate would be an error.
        from.deserialize_bytes(self)
    }
}

impl<'j> Visitor<'j> for JsonText {
    type Value = Cow<'j, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'j [u8]) -> Result<Cow<'j, str>, E> {
        Ok(String::from_utf8_lossy(bytes))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Cow<'j, str>, E> {
        let mut text = bytes.to_vec();
        // A lone surrogate has the three bytes that UTF-8 would have for it, as many as U+FFFD has.
        for at in memchr::memchr_iter(0xed, bytes) {
            if bytes.get(at + 1).is_some_and(|next| *next >= 0xa0) && at + 3 <= text.len() {
                text[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
            }
        }
        Ok(Cow::Owned(String::from_utf8_lossy(&text).into_owned()))
    }
}
