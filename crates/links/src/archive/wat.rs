//! The links in WAT files: WARC files of `metadata` records, whose JSON describes a page and its links (feature `wat`).
//! Common Crawl and the Internet Archive make such files.

mod json;

use std::io;

use memchr::memmem;

use self::json::{WatLink, WatPart, read_parts};
use super::damage::invalid;
use crate::html::{FoundAttribute, LinkReceiver, each_field_link, field_nofollow, has_nofollow};

/// Reports the links in the JSON of a WAT record, in the order of the JSON: links in HTTP fields, in the `head` element, in
/// refreshes, and in the `body` element.
///
/// WAT's `path` has element and attribute: `A@/href` is `href` of `a`. Links are reported as those of a page, with their text: see
/// [`LinkReceiver::add_attribute`]. A JSON value of another type than in a WAT file is ignored. One link at a time is in memory. A
/// lone surrogate, and bytes that are not UTF-8, become U+FFFD.
///
/// # Errors
/// The JSON is damaged. The links before the damage are reported.
///
/// ```
/// use relref::whatwg::Base;
/// use relref_links::archive::wat_links;
/// use relref_links::html::Pages;
/// use std::ops::ControlFlow;
///
/// let json = br#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{
///     "HTML-Metadata":{"Links":[{"path":"A@/href","url":"b?c","text":"d"}]}}}}}"#;
/// let base = Base::new("http://example.com/a/").unwrap();
/// let mut found = Vec::new();
/// let mut done = Ok(());
/// let _ = Pages::new().found_links(&base, |links| done = wat_links(json, links), |link| {
///     found.push(format!("{} {} {}", link.element, link.attribute, link.uri));
///     ControlFlow::<()>::Continue(())
/// });
/// done?;
/// assert_eq!(found, ["a href http://example.com/a/b?c"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn wat_links(json: impl AsRef<[u8]>, links: &mut LinkReceiver<'_>) -> io::Result<()> {
    let json = String::from_utf8_lossy(json.as_ref());
    // The base may come after the links.
    let base = if memmem::find(json.as_bytes(), b"Base\"").is_some() { first_base(&json) } else { String::new() };
    let mut wants_more = true;
    let done = read_parts(&json, &mut |part| {
        wants_more = match part {
            WatPart::Base(_) => true,
            WatPart::Field(name, value) => add_field(name, value, links),
            WatPart::Link(link) => add_link(link, &base, links),
        };
        wants_more
    });
    match done {
        Err(error) if wants_more => Err(invalid(format!("its JSON is damaged: {error}"))),
        _ => Ok(()),
    }
}

/// Returns false if no more links are needed.
fn add_field(name: &str, value: &str, links: &mut LinkReceiver<'_>) -> bool {
    let mut wants_more = true;
    // A field that is damaged here was so in the response.
    let _ = each_field_link(name, value.as_bytes(), |link| {
        wants_more = links.add(link);
        wants_more
    });
    wants_more
}

/// An empty `base` means the URI of the page. Returns false if no more links are needed.
fn add_link(link: &WatLink<'_>, base: &str, links: &mut LinkReceiver<'_>) -> bool {
    let [path, url, href, rel, text, alt, http_equiv, content, _] = link.each_ref().map(Option::as_deref);
    let path = path.unwrap_or_default().to_ascii_lowercase();
    let (element, attribute, value) = if is_keyword(http_equiv, "refresh") {
        ("meta", "content", content)
    } else {
        let (element, attribute) = path.split_once("@/").or(path.split_once('/')).unwrap_or((&path, ""));
        (element, attribute.trim_start_matches('#'), url.or(href))
    };
    let (rel, text) = (rel.unwrap_or_default(), text.or(alt).unwrap_or_default());
    value.is_none_or(|value| links.add_attribute(base, FoundAttribute { element, attribute, rel, value, text }))
}

fn is_keyword(text: Option<&str>, keyword: &str) -> bool {
    text.is_some_and(|text| text.trim().eq_ignore_ascii_case(keyword))
}

/// Reports whether the JSON of a WAT record asks robots to follow none of the page's links: in the field `X-Robots-Tag`, as
/// [`field_nofollow`] reads it, or in a `meta` for robots.
///
/// ```
/// use relref_links::archive::wat_nofollow;
///
/// let json = br#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{
///     "HTML-Metadata":{"Head":{"Metas":[{"name":"robots","content":"noindex, nofollow"}]}}}}}}"#;
/// assert!(wat_nofollow(json));
/// ```
#[must_use]
pub fn wat_nofollow(json: impl AsRef<[u8]>) -> bool {
    let mut nofollow = false;
    // Damage is found again with the links.
    let _ = read_parts(&String::from_utf8_lossy(json.as_ref()), &mut |part| {
        nofollow = match part {
            WatPart::Base(_) => false,
            WatPart::Field(name, value) => field_nofollow(name, value.as_bytes()),
            // A link has a path, a `meta` has none.
            WatPart::Link([None, .., content, name]) => {
                let content = content.as_deref().unwrap_or_default();
                is_keyword(name.as_deref(), "robots") && has_nofollow(content.as_bytes())
            }
            WatPart::Link(_) => false,
        };
        !nofollow
    });
    nofollow
}

/// The JSON of a `metadata` record may describe a response, as in WAT files. Damaged JSON may, too.
#[cfg(feature = "page")]
pub(crate) fn wat_has_response(json: &[u8]) -> bool {
    memmem::find(json, b"\"HTTP-Response-Metadata\"").is_some()
        || serde_json::from_slice::<serde::de::IgnoredAny>(json).is_err()
}

/// The JSON may describe an HTML page.
#[cfg(feature = "page")]
pub(crate) fn wat_has_page(json: &[u8]) -> bool {
    memmem::find(json, b"\"HTML-Metadata\"").is_some()
}

fn first_base(json: &str) -> String {
    let mut base = String::new();
    // Damage is found again with the links.
    let _ = read_parts(json, &mut |part| {
        let WatPart::Base(url) = part else { return true };
        url.clone_into(&mut base);
        false
    });
    base
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use relref::whatwg::Base;

    use super::*;
    use crate::html::Pages;

    /// Returns the links that are found before the damage, and the damage.
    fn found_by(pages: &mut Pages, json: &[u8]) -> (Vec<String>, Option<String>) {
        let (mut all, mut done) = (Vec::new(), Ok(()));
        let base = Base::new("http://h/a/").unwrap();
        let _ = pages.found_links(
            &base,
            |links| done = wat_links(json, links),
            |link| {
                let text = if link.text.is_empty() { String::new() } else { format!(" {:?}", link.text) };
                all.push(format!("{}@{} {} {}{text}", link.element, link.attribute, link.kind, &link.uri[8..]));
                ControlFlow::<()>::Continue(())
            },
        );
        (all, done.err().map(|error| error.to_string()))
    }

    #[test]
    fn rules_for_robots_are_found() {
        for (fields, metas, expected) in [
            ("", "", false),
            ("", r#"{"name":"x","content":"nofollow"},{"content":"none"},{"name":"robots"},7"#, false),
            ("", r#"{"http-equiv":"x","content":"y"},{"name":" Robots","content":"noindex, nofollow"}"#, true),
            ("", r#"{"name":"robots","path":"A@/href","content":"none"}"#, false),
            (r#""X-ROBOTS-TAG":"none""#, "", true),
            (r#""X-Robots-Tag":["noindex",7,"nofollow"]"#, "", true),
            (r#""X-Robots-Tag":"bot: nofollow""#, "", false),
        ] {
            let json = format!(
                r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{"Headers":{{{fields}}},
                "HTML-Metadata":{{"Head":{{"Metas":[{metas}]}}}}}}}}}}}}"#
            );
            assert_eq!(wat_nofollow(json.as_bytes()), expected, "{json}");
            for cut in 0..json.len() {
                let _ = wat_nofollow(&json.as_bytes()[..cut]);
            }
        }
    }

    fn found(json: &[u8]) -> (Vec<String>, Option<String>) {
        found_by(&mut Pages::new(), json)
    }

    fn html(metadata: &str) -> String {
        format!(r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{"HTML-Metadata":{metadata}}}}}}}}}"#)
    }

    #[test]
    fn links_are_those_of_fields_head_and_body() {
        let json = br##"{"Container":{"Offset":"0"},"Envelope":{"WARC-Header-Metadata":{"WARC-Target-URI":"http://h/"},
            "Payload-Metadata":{"HTTP-Response-Metadata":{
            "Headers":{"Location":"l","X":{"y":1},"Refresh":7,"Link":["<m>; rel=next",7,"<n>"]},
            "HTML-Metadata":{"Links":[{"path":"A@/href","url":"c","text":" d \u00e9"},{"path":"STYLE/#text","href":"e.png"},
            {"path":"A@/name"},{"url":"f"}],"Head":{"Base":"/b/","Title":"t",
            "Metas":[{"name":"x","content":"0;url=y"},{"http-equiv":"Refresh","content":"0;url=z"}],
            "Link":[{"path":"LINK@/href","url":"s.css","rel":"stylesheet"}],"Scripts":[{"path":"SCRIPT@/src","url":"a\/b.js"}]}}}}}}"##;
        let json = String::from_utf8_lossy(json).replace("\\\\", "\\");
        let expected = [
            "http@location refresh /a/l",
            "http@link hyperlink /a/m",
            "http@link metadata /a/n",
            "a@href hyperlink /b/c",
            "style@text resource /b/e.png",
            "@ resource /b/f",
            "meta@content refresh /b/z",
            "link@href resource /b/s.css",
            "script@src resource /b/a/b.js",
        ];
        assert_eq!(found(json.as_bytes()), (expected.map(String::from).to_vec(), None));
        assert_eq!(found(b"{\"Envelope\":{\"Format\":\"WARC\"}}"), (vec![], None));
        for cut in 0..json.len() {
            let (links, damage) = found(&json.as_bytes()[..cut]);
            assert!(
                expected.iter().zip(&links).all(|(all, link)| all.rsplit('/').next() == link.rsplit('/').next()),
                "{cut}"
            );
            assert!(damage.unwrap().starts_with("its JSON is damaged: "), "{cut}");
        }
    }

    /// A value of another type has no links, and the others keep theirs.
    #[test]
    fn wrong_types_cost_only_themselves() {
        let link = r#"{"path":"A@/href","url":"x"}"#;
        for metadata in [
            format!(r#"{{"Head":null,"Links":[{link}]}}"#),
            format!(r#"{{"Head":[1,"\ud83d"],"Links":[7,null,[{link}],{{"path":"A@/href","url":7}},{link}]}}"#),
            format!(r#"{{"Head":{{"Base":{{"a":[]}},"Link":"x","Scripts":1.5,"Metas":true}},"Links":[{link}]}}"#),
            String::from(r#"{"Links":[{"path":"A@/href","url":null,"href":"x","text":[{}]}]}"#),
        ] {
            let expected = (vec![String::from("a@href hyperlink /a/x")], None);
            assert_eq!(found(html(&metadata).as_bytes()), expected, "{metadata}");
        }
        for json in ["7", "[1]", "null", "\"x\"", "{\"Envelope\":7}"] {
            assert_eq!(found(json.as_bytes()), (vec![], None), "{json}");
        }
    }

    #[test]
    fn lone_surrogates_and_wrong_bytes_are_replaced() {
        for (url, expected) in [
            (&br"\ud800/\uDC00x"[..], "%EF%BF%BD/%EF%BF%BDx"),
            (br"\ud83d\ude00", "%F0%9F%98%80"),
            (br"\ud83d\ud83d\ude00\ued00", "%EF%BF%BD%F0%9F%98%80%EE%B4%80"),
            (b"\xff", "%EF%BF%BD"),
        ] {
            let links = [br#"{"Links":[{"path":"A@/href","url":""#, url, br#"","\ud800":1}]}"#].concat();
            let json = html("\x01").into_bytes();
            let at = json.iter().position(|byte| *byte == 1).unwrap();
            let json = [&json[..at], &links, &json[at + 1..]].concat();
            assert_eq!(found(&json), (vec![format!("a@href hyperlink /a/{expected}")], None));
        }
    }

    #[test]
    fn attributes_are_read_as_those_of_pages() {
        let json = html(
            r#"{"Links":[{"path":"IMG@/srcset","url":"a 1x, b 2x"},{"path":"IMG@/data-src","url":"c","alt":"d"},
            {"path":"DIV@/style","href":"e.png"},{"path":"A@/ping","url":"f g"},{"path":"A@/href","url":"","text":"h"}]}"#,
        );
        let plain = ["img@srcset resource /a/a", "img@srcset resource /a/b", "div@style resource /a/e.png"];
        let others = ["a@ping metadata /a/f", "a@ping metadata /a/g", "a@href hyperlink /a/"];
        let (links, damage) = found(json.as_bytes());
        assert_eq!(
            (links, damage),
            ([&plain[..], &others].concat().iter().map(|link| link.to_string()).collect(), None)
        );
        let mut pages = Pages::new();
        (pages.options.lazy, pages.options.max_text) = (true, 9);
        let (links, _) = found_by(&mut pages, json.as_bytes());
        assert_eq!(links[2], "img@data-src resource /a/c \"d\"");
        assert_eq!(links[6], "a@href hyperlink /a/ \"h\"");
    }

    #[test]
    fn a_caller_that_needs_no_more_gets_no_more() {
        let json = html(r#"{"Links":[{"path":"A@/href","url":"1"},{"path":"A@/href","url":"2"}]"#);
        let (mut count, mut done) = (0, Ok(()));
        let base = Base::new("http://h/").unwrap();
        let _ = Pages::new().found_links(
            &base,
            |links| done = wat_links(json.as_bytes(), links),
            |_| {
                count += 1;
                ControlFlow::Break(())
            },
        );
        assert!(count == 1 && done.is_ok());
    }
}
