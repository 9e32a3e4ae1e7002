//! The hyperlinks of a page (feature `html`).

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};

use crate::base::{Base, BaseBuf};
use crate::error::Error;
use crate::rules::Rules;

/// A hyperlink of a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The element that holds it, in lower case.
    pub element: &'static str,
    /// The attribute that holds it, in lower case.
    pub attribute: &'static str,
    /// The reference as written: entities decoded, white space around it and line breaks and tabs in it removed, as HTML
    /// does (URL Standard §4.4); bytes that are not UTF-8 replaced.
    pub reference: String,
    /// The absolute URI it means.
    pub uri: String,
}

/// The attributes that hold one hyperlink each, by element.
const ATTRIBUTES: [(&str, &str); 23] = [
    ("a", "href"),
    ("area", "href"),
    ("audio", "src"),
    ("blockquote", "cite"),
    ("button", "formaction"),
    ("del", "cite"),
    ("embed", "src"),
    ("form", "action"),
    ("frame", "src"),
    ("iframe", "src"),
    ("img", "src"),
    ("input", "formaction"),
    ("input", "src"),
    ("ins", "cite"),
    ("link", "href"),
    ("object", "data"),
    ("q", "cite"),
    ("script", "src"),
    ("source", "src"),
    ("track", "src"),
    ("video", "poster"),
    ("video", "src"),
    ("base", "href"),
];

/// Every hyperlink of an HTML document, in order, resolved.
///
/// The base is the first `<base href>` with a value that is not empty, wherever it stands, itself resolved against the
/// document's own URI; without one it is that URI. Links in comments, scripts and other raw text are not links of the page;
/// those inside `noscript` are.
///
/// Cost: one pass of the html5gum tokenizer, which never fails; two strings a link.
///
/// # Errors
/// The document's URI is not absolute, as in [`Base::new`].
///
/// ```
/// use relref::{Rules, html};
///
/// let page = br#"<base href="/docs/"><a href=" intro?a=1&amp;b=2 ">start</a><img src=logo.png>"#;
/// let links = html::links(page, "http://example.com/x/index.html", Rules::RFC3986)?;
/// assert_eq!(links[0].element, "a");
/// assert_eq!(links[0].reference, "intro?a=1&b=2");
/// assert_eq!(links[0].uri, "http://example.com/docs/intro?a=1&b=2");
/// assert_eq!(links[1].uri, "http://example.com/docs/logo.png");
/// # Ok::<(), relref::Error>(())
/// ```
pub fn links(page: &[u8], uri: &str, rules: Rules) -> Result<Vec<Link>, Error> {
    let document = Base::new(uri, rules)?;
    let (base, mut links) = scan(page);
    let base = BaseBuf::new(base.map_or_else(|| String::from(uri), |href| document.resolve(&href).into()), rules)?;
    let base = base.base();
    for link in &mut links {
        link.uri = base.resolve(&link.reference).into();
    }
    Ok(links)
}

/// The reference of the base element that counts, if there is one, and the links, not yet resolved.
fn scan(page: &[u8]) -> (Option<String>, Vec<Link>) {
    let mut base = None;
    let mut links: Vec<Link> = Vec::new();
    let mut tag = Tag::default();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        match event {
            CallbackEvent::OpenStartTag { name } => tag.open(name),
            CallbackEvent::AttributeName { name } => {
                tag.take_link(&mut base, &mut links);
                tag.attribute(name);
            }
            CallbackEvent::AttributeValue { value } if tag.attribute.is_some() => tag.value = clean(value),
            CallbackEvent::CloseStartTag { self_closing } => {
                tag.take_link(&mut base, &mut links);
                return tag.close(self_closing);
            }
            CallbackEvent::EndTag { name } => tag.foreign.end(name),
            _ => {}
        }
        None
    });
    let mut tokens = Tokenizer::new_with_emitter(page, emitter);
    while let Some(Ok(state)) = tokens.next() {
        tokens.set_state(state);
    }
    drop(tokens);
    (base, links)
}

/// The start tag being read.
#[derive(Default)]
struct Tag {
    /// Its element, or the empty text when no tag is open or its element holds no links.
    element: &'static str,
    /// How its content is to be read, if not as markup.
    content: Option<State>,
    /// What it opens, if it changes whether foreign content is read.
    opens: Option<&'static str>,
    foreign: Foreign,
    /// The attribute being read, if it holds a link.
    attribute: Option<&'static str>,
    /// Those that were read: of an attribute given twice, the first counts.
    seen: Vec<&'static str>,
    value: String,
}

impl Tag {
    fn open(&mut self, name: &[u8]) {
        let known = ATTRIBUTES.iter().find(|(element, _)| element.as_bytes() == name);
        self.element = known.map_or("", |(element, _)| element);
        // HTML §13.2.6.4; `noscript` is markup to whoever runs no scripts.
        self.opens = self.foreign.start(name);
        self.content = match name {
            _ if self.foreign.inside() => None,
            b"script" => Some(State::ScriptData),
            b"title" | b"textarea" => Some(State::RcData),
            b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
            b"plaintext" => Some(State::PlainText),
            _ => None,
        };
        self.attribute = None;
        self.seen.clear();
    }

    /// Ends the tag and says how its content is to be read, if not as markup.
    fn close(&mut self, self_closing: bool) -> Option<State> {
        self.element = "";
        if let Some(opens) = self.opens.take().filter(|_| !self_closing) {
            self.foreign.open.push(opens);
        }
        self.content.take()
    }

    fn attribute(&mut self, name: &[u8]) {
        let holds = |entry: &&(&str, &str)| entry.0 == self.element && entry.1.as_bytes() == name;
        self.attribute = ATTRIBUTES.iter().find(holds).map(|(_, attribute)| *attribute);
        self.attribute = self.attribute.filter(|attribute| !self.seen.contains(attribute));
        self.seen.extend(self.attribute);
        self.value.clear();
    }

    /// Files the attribute just read.
    fn take_link(&mut self, base: &mut Option<String>, links: &mut Vec<Link>) {
        let Some(attribute) = self.attribute.take() else { return };
        let (element, reference) = (self.element, mem::take(&mut self.value));
        if element != "base" {
            links.push(Link { element, attribute, reference, uri: String::new() });
        } else if base.is_none() && !reference.is_empty() {
            *base = Some(reference);
        }
    }
}

/// The SVG and MathML that is open, in which `script`, `style` and `title` hold markup, and the places in it where HTML
/// goes on (HTML §13.2.6.5).
#[derive(Default)]
struct Foreign {
    open: Vec<&'static str>,
}

impl Foreign {
    const NAMES: [&'static str; 5] = ["svg", "math", "foreignobject", "desc", "annotation-xml"];
    /// Start tags that end foreign content.
    const BREAKOUT: &'static str = " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img \
         li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var ";

    fn inside(&self) -> bool {
        matches!(self.open.last(), Some(&("svg" | "math")))
    }

    /// A start tag: what it opens, unless it closes itself.
    fn start(&mut self, name: &[u8]) -> Option<&'static str> {
        let name = core::str::from_utf8(name).ok()?;
        if self.inside() && !name.contains(' ') && Self::BREAKOUT.contains(&alloc::format!(" {name} ")) {
            while self.inside() {
                self.open.pop();
            }
        }
        let opens = Self::NAMES.into_iter().find(|known| *known == name)?;
        (self.inside() || matches!(opens, "svg" | "math")).then_some(opens)
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(at) = self.open.iter().rposition(|open| open.as_bytes() == name) {
            self.open.truncate(at);
        }
    }
}

/// The reference in an attribute's value.
fn clean(value: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(value.trim_ascii()).into_owned();
    text.retain(|c| !matches!(c, '\t' | '\n' | '\r'));
    text
}
