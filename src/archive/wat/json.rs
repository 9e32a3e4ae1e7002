//! Reads the JSON of a WAT record as a stream, one link at a time, whatever types its values have.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A receiver of what a record says. Each call returns false if no more is needed.
pub(super) trait Sink {
    /// Reports whether links and fields are needed.
    fn needs_links(&self) -> bool;
    /// Takes the URL of the `base` element.
    fn base(&mut self, url: &str);
    /// Takes a field of the HTTP head.
    fn field(&mut self, name: &str, value: &str) -> bool;
    /// Takes a link, or a `meta` element.
    fn link(&mut self, link: &WatLink<'_>) -> bool;
}

/// The texts of an object that describes a link or a `meta` element.
#[derive(Default)]
pub(super) struct WatLink<'j> {
    pub(super) path: Option<Cow<'j, str>>,
    pub(super) url: Option<Cow<'j, str>>,
    pub(super) href: Option<Cow<'j, str>>,
    pub(super) rel: Option<Cow<'j, str>>,
    pub(super) text: Option<Cow<'j, str>>,
    pub(super) alt: Option<Cow<'j, str>>,
    pub(super) http_equiv: Option<Cow<'j, str>>,
    pub(super) content: Option<Cow<'j, str>>,
    pub(super) name: Option<Cow<'j, str>>,
}

/// A place in the JSON of a record.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Record,
    Envelope,
    Payload,
    Response,
    Fields,
    Html,
    Head,
    Links,
    Link,
}

impl Place {
    /// Returns the place of a value with this key; `None` if nothing there matters.
    fn child(self, key: &[u8]) -> Option<Place> {
        Some(match (self, key) {
            (Place::Record, b"Envelope") => Place::Envelope,
            (Place::Envelope, b"Payload-Metadata") => Place::Payload,
            (Place::Payload, b"HTTP-Response-Metadata") => Place::Response,
            (Place::Response, b"Headers") => Place::Fields,
            (Place::Response, b"HTML-Metadata") => Place::Html,
            (Place::Html, b"Head") => Place::Head,
            (Place::Html, b"Links") | (Place::Head, b"Link" | b"Scripts" | b"Metas") => Place::Links,
            _ => return None,
        })
    }
}

/// A value at a place. Of another type than a WAT file has there, it has nothing.
pub(super) struct Node<'s> {
    pub(super) place: Place,
    pub(super) sink: &'s mut dyn Sink,
}

impl<'j> DeserializeSeed<'j> for Node<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'j>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for Node<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<(), M::Error> {
        let Node { place, sink } = self;
        let mut link = WatLink::default();
        while let Some(key) = map.next_key_seed(Text)? {
            if let Some(place) = place.child(key.as_bytes()) {
                let is_needed = sink.needs_links() || !matches!(place, Place::Fields | Place::Links);
                if is_needed {
                    map.next_value_seed(Node { place, sink: &mut *sink })?;
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
                continue;
            }
            match place {
                Place::Link => match link.text_at(&key) {
                    Some(place) => *place = text(map.next_value()?),
                    None => drop(map.next_value::<IgnoredAny>()?),
                },
                Place::Head if key == "Base" => {
                    if let Some(base) = text(map.next_value()?) {
                        sink.base(&base);
                    }
                }
                Place::Fields => field(&key, map.next_value()?, sink)?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if place == Place::Link { go_on(sink.link(&link)) } else { Ok(()) }
    }

    fn visit_seq<S: SeqAccess<'j>>(self, mut list: S) -> Result<(), S::Error> {
        let Node { place, sink } = self;
        if place == Place::Links {
            while list.next_element_seed(Node { place: Place::Link, sink: &mut *sink })?.is_some() {}
        } else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

impl<'j> WatLink<'j> {
    /// Returns the text of a key; `None` if it does not matter.
    fn text_at(&mut self, key: &str) -> Option<&mut Option<Cow<'j, str>>> {
        Some(match key {
            "path" => &mut self.path,
            "url" => &mut self.url,
            "href" => &mut self.href,
            "rel" => &mut self.rel,
            "text" => &mut self.text,
            "alt" => &mut self.alt,
            "http-equiv" => &mut self.http_equiv,
            "content" => &mut self.content,
            "name" => &mut self.name,
            _ => return None,
        })
    }
}

/// Gives the value of a field, or each of its values, to a receiver.
fn field<E: Error>(name: &str, value: &RawValue, sink: &mut dyn Sink) -> Result<(), E> {
    struct Values<'v>(&'v str, &'v mut dyn Sink);
    impl<'j> Visitor<'j> for Values<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("values of a field")
        }

        fn visit_seq<S: SeqAccess<'j>>(self, mut list: S) -> Result<(), S::Error> {
            let Values(name, sink) = self;
            while let Some(value) = list.next_element()? {
                if let Some(value) = text(value) {
                    go_on(sink.field(name, &value))?;
                }
            }
            Ok(())
        }
    }
    if let Some(value) = text(value) {
        return go_on(sink.field(name, &value));
    }
    if value.get().starts_with('[') {
        let mut list = serde_json::Deserializer::from_str(value.get());
        return (&mut list).deserialize_seq(Values(name, sink)).map_err(E::custom);
    }
    Ok(())
}

/// Ends the reading if no more is needed.
fn go_on<E: Error>(is_needed: bool) -> Result<(), E> {
    if is_needed { Ok(()) } else { Err(E::custom("no more is needed")) }
}

/// Returns the text of a value; `None` if it is no string.
fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let json = value.get();
    let text = json.strip_prefix('"')?.strip_suffix('"')?;
    if !text.contains('\\') {
        return Some(Cow::Borrowed(text));
    }
    Text.deserialize(&mut serde_json::Deserializer::from_str(json)).ok()
}

/// Reads a string, in which U+FFFD replaces a lone surrogate.
struct Text;

impl<'j> DeserializeSeed<'j> for Text {
    type Value = Cow<'j, str>;

    fn deserialize<D: Deserializer<'j>>(self, from: D) -> Result<Cow<'j, str>, D::Error> {
        // As text, it would be an error.
        from.deserialize_bytes(self)
    }
}

impl<'j> Visitor<'j> for Text {
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
