//! The links in WAT files: WARC files of `metadata` records, whose JSON describes a page and its links (Common Crawl, Internet
//! Archive). Feature `wat`.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, ErrorKind};

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::html::{FoundLink, FoundLinks, Kind, field_links, is_link_field, link_kind};

/// The JSON of a WAT record, of which the links are kept.
///
/// ```
/// use relref::archive::Wat;
/// use relref::{html::Pages, whatwg::Base};
/// use std::ops::ControlFlow;
///
/// let json = br#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{
///     "HTML-Metadata":{"Links":[{"path":"A@/href","url":"b?c","text":"d"}]}}}}}"#;
/// let wat = Wat::parse(json)?;
/// let base = Base::new("http://example.com/a/").unwrap();
/// let mut found = Vec::new();
/// let _ = Pages::new().found_links(&base, |links| wat.add_to(links), |link| {
///     found.push(format!("{} {} {}", link.element, link.attribute, link.uri));
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(found, ["a href http://example.com/a/b?c"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Wat<'j> {
    response: Response<'j>,
}

impl<'j> Wat<'j> {
    /// Parses the content of a record.
    ///
    /// # Errors
    /// The JSON is damaged, or has another shape than that of a WAT.
    pub fn parse(json: &'j [u8]) -> io::Result<Self> {
        let root: Root<'_> = serde_json::from_slice(json)
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, format!("its JSON is damaged: {error}")))?;
        Ok(Wat { response: root.envelope.payload.response })
    }

    /// Adds its links: those of HTTP fields, of the head, and of the body, relative to the page's `base`. Element and attribute are
    /// those of `path`: `A@/href` is `href` of `a`.
    pub fn add_to(&self, links: &mut FoundLinks<'_, '_>) {
        let Response { fields, html: Html { head, links: body } } = &self.response;
        for (name, value) in &fields.0 {
            // A field that is damaged here was so in the response.
            let _ = field_links(&name.0, value.0.as_bytes(), |link| links.add(link));
        }
        let base: &[&str] = &[text(&head.base)];
        for link in head.links.iter().chain(&head.scripts).chain(body) {
            let Some(reference) = link.url.as_ref().or(link.href.as_ref()) else { continue };
            let path = text(&link.path);
            let (element, attribute) = path.split_once("@/").or(path.split_once('/')).unwrap_or((path, ""));
            let (element, attribute) =
                (element.to_ascii_lowercase(), attribute.trim_start_matches('#').to_ascii_lowercase());
            let rel = text(&link.rel);
            let kind = kind(&element, &attribute, rel);
            if !links.add_within(
                base,
                FoundLink { element: &element, attribute: &attribute, kind, rel, reference: &reference.0 },
            ) {
                return;
            }
        }
    }
}

/// A text that is borrowed from the JSON, unless it has escapes.
#[derive(Clone, Debug, Deserialize)]
struct Text<'j>(#[serde(borrow)] Cow<'j, str>);

fn text<'t>(text: &'t Option<Text<'_>>) -> &'t str {
    text.as_ref().map_or("", |text| &text.0)
}

/// Returns the kind of a link.
fn kind(element: &str, attribute: &str, rel: &str) -> Kind {
    match (element, attribute) {
        ("link", _) => link_kind(rel),
        (_, "href" | "longdesc") => Kind::Hyperlink,
        (_, "action" | "formaction") => Kind::Form,
        (_, "cite") => Kind::Citation,
        ("meta", _) => Kind::Refresh,
        _ => Kind::Resource,
    }
}

#[derive(Deserialize)]
struct Root<'j> {
    #[serde(borrow, rename = "Envelope")]
    envelope: Envelope<'j>,
}

#[derive(Deserialize)]
struct Envelope<'j> {
    #[serde(borrow, rename = "Payload-Metadata", default)]
    payload: Payload<'j>,
}

#[derive(Default, Deserialize)]
struct Payload<'j> {
    #[serde(borrow, rename = "HTTP-Response-Metadata", default)]
    response: Response<'j>,
}

#[derive(Debug, Default, Deserialize)]
struct Response<'j> {
    #[serde(borrow, rename = "Headers", default)]
    fields: LinkFields<'j>,
    #[serde(borrow, rename = "HTML-Metadata", default)]
    html: Html<'j>,
}

#[derive(Debug, Default, Deserialize)]
struct Html<'j> {
    #[serde(borrow, rename = "Head", default)]
    head: Head<'j>,
    #[serde(borrow, rename = "Links", default)]
    links: Vec<WatLink<'j>>,
}

#[derive(Debug, Default, Deserialize)]
struct Head<'j> {
    #[serde(borrow, rename = "Base", default)]
    base: Option<Text<'j>>,
    #[serde(borrow, rename = "Link", default)]
    links: Vec<WatLink<'j>>,
    #[serde(borrow, rename = "Scripts", default)]
    scripts: Vec<WatLink<'j>>,
}

#[derive(Debug, Deserialize)]
struct WatLink<'j> {
    #[serde(borrow, default)]
    path: Option<Text<'j>>,
    #[serde(borrow, default)]
    url: Option<Text<'j>>,
    #[serde(borrow, default)]
    href: Option<Text<'j>>,
    #[serde(borrow, default)]
    rel: Option<Text<'j>>,
}

/// The HTTP fields that have links.
#[derive(Debug, Default)]
struct LinkFields<'j>(Vec<(Text<'j>, Text<'j>)>);

impl<'de: 'j, 'j> Deserialize<'de> for LinkFields<'j> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'j> Visitor<'j> for FieldsVisitor {
    type Value = LinkFields<'j>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of HTTP fields")
    }

    fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<LinkFields<'j>, M::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Values<'j> {
            One(#[serde(borrow)] Text<'j>),
            Several(Vec<String>),
            Other(IgnoredAny),
        }
        let mut fields = Vec::new();
        while let Some(name) = map.next_key::<Text<'j>>()? {
            if !is_link_field(&name.0) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            match map.next_value()? {
                Values::One(value) => fields.push((name, value)),
                Values::Several(values) => {
                    fields.extend(values.into_iter().map(|value| (name.clone(), Text(Cow::Owned(value)))));
                }
                Values::Other(_) => {}
            }
        }
        Ok(LinkFields(fields))
    }
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow;

    use super::*;
    use crate::html::Pages;
    use crate::whatwg::Base;

    #[test]
    fn links_are_those_of_fields_head_and_body() {
        let json = br#"{"Container":{"Offset":"0"},"Envelope":{"WARC-Header-Metadata":{"WARC-Target-URI":"http://h/"},
            "Payload-Metadata":{"HTTP-Response-Metadata":{
            "Headers":{"Location":"l","X":{"y":1},"Link":["<m>; rel=next","<n>"]},
            "HTML-Metadata":{"Head":{"Base":"/b/","Title":"t","Metas":[{"name":"x"}],
            "Link":[{"path":"LINK@/href","url":"s.css","rel":"stylesheet"}],"Scripts":[{"path":"SCRIPT@/src","url":"a\/b.js"}]},
            "Links":[{"path":"A@/href","url":"c","text":"d \u00e9"},{"path":"STYLE/#text","href":"e.png"},{"path":"A@/name"},{"url":"f"}]}}}}}"#;
        let found = |json: &[u8]| {
            let mut all = Vec::new();
            let base = Base::new("http://h/a/").unwrap();
            let wat = Wat::parse(json)?;
            let _ = Pages::new().found_links(
                &base,
                |links| wat.add_to(links),
                |link| {
                    all.push(format!("{}@{} {} {}", link.element, link.attribute, link.kind, &link.uri[8..]));
                    ControlFlow::<()>::Continue(())
                },
            );
            Ok::<_, io::Error>(all)
        };
        assert_eq!(
            found(json).unwrap(),
            [
                "http@location refresh /a/l",
                "http@link hyperlink /a/m",
                "http@link metadata /a/n",
                "link@href resource /b/s.css",
                "script@src resource /b/a/b.js",
                "a@href hyperlink /b/c",
                "style@text resource /b/e.png",
                "@ resource /b/f",
            ]
        );
        assert!(found(b"{\"Envelope\":{\"Format\":\"WARC\"}}").unwrap().is_empty());
        for cut in 0..json.len() {
            assert!(found(&json[..cut]).is_err(), "{cut}");
        }
        assert!(found(b"{\"Envelope\":7}").unwrap_err().to_string().starts_with("its JSON is damaged: "));
    }
}
