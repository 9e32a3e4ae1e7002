//! The open elements of XML and the namespaces of their names (Namespaces in XML 1.0), and the parts of its tags.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3, memmem};

use super::attribute::Attribute;
use super::character_references::{TextKind, decoded};
use super::element::Element;
use super::name::{ENDS_ATTRIBUTE_NAME, SPACE, is_in, len_before};
use super::tag::Replaced;
use crate::entities::Entities;

/// The most open elements. What is deeper is read as HTML, as if it were not well-formed.
const MAX_DEPTH: usize = 4096;
/// The most bytes that the names of the open elements, and those of the declared prefixes, may have together.
const MAX_NAMES_LEN: usize = 1 << 18;
/// The most namespace declarations of the open elements: each prefix is searched in them.
const MAX_BINDINGS: usize = 256;

pub(super) const TOO_DEEP: &str = "its elements are nested too deep";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Namespace {
    #[default]
    Html,
    Svg,
    Math,
    XLink,
    /// The namespace of the prefix `xml`, which is never declared.
    Xml,
    Other,
}

impl Namespace {
    /// The element that stands for the namespace of elements; `None` for HTML and unknown ones.
    pub(super) fn element(self) -> Option<Element> {
        match self {
            Namespace::Svg => Some(Element::Svg),
            Namespace::Math => Some(Element::Math),
            _ => None,
        }
    }

    fn of_uri(uri: &[u8]) -> Self {
        match uri {
            b"http://www.w3.org/1999/xhtml" => Namespace::Html,
            b"http://www.w3.org/2000/svg" => Namespace::Svg,
            b"http://www.w3.org/1998/Math/MathML" => Namespace::Math,
            b"http://www.w3.org/1999/xlink" => Namespace::XLink,
            _ => Namespace::Other,
        }
    }
}

/// The state of XML between two chunks.
#[derive(Default)]
pub(super) struct Xml {
    elements: Vec<OpenElement>,
    /// Their names, and after those of each element the prefixes that it declares.
    names: Vec<u8>,
    bindings: Vec<Binding>,
    /// The namespace of names without a prefix where none is declared.
    undeclared: Namespace,
    pub(super) has_root: bool,
    pub(super) entities: Entities,
    /// The values of the current tag that are not as written.
    pub(super) replaced: Vec<Replaced>,
    /// The depth of the open `title` of HTML.
    pub(super) title: Option<usize>,
}

/// An open element, and the lengths of the lists before it.
struct OpenElement {
    namespace: Namespace,
    element: Element,
    names: usize,
    name_end: usize,
    bindings: usize,
}

struct Binding {
    prefix: Range<usize>,
    namespace: Namespace,
}

/// A start tag whose namespace declarations are in force.
#[derive(Default)]
pub(super) struct StartTag {
    pub(super) namespace: Namespace,
    pub(super) element: Element,
    /// The length of the prefix of its name, with the colon.
    pub(super) prefix_len: usize,
    /// The lengths of the lists before and after it.
    pub(super) names: usize,
    pub(super) name_end: usize,
    pub(super) bindings: usize,
}

impl Xml {
    pub(super) fn clear(&mut self) {
        self.elements.clear();
        self.names.clear();
        self.bindings.clear();
        self.entities.clear();
        self.replaced.clear();
        (self.undeclared, self.has_root, self.title) = (Namespace::Html, false, None);
    }

    pub(super) fn depth(&self) -> usize {
        self.elements.len()
    }

    /// The namespace and the name, without its prefix, of the innermost open element.
    pub(super) fn innermost(&self) -> (Namespace, &[u8], Element) {
        let Some(open) = self.elements.last() else { return (Namespace::Html, b"", Element::Other) };
        let (_, name) = split_name(&self.names[open.names..open.name_end]);
        (open.namespace, name, open.element)
    }

    /// Keeps the value of an attribute of the current tag if it is not as written: entities are replaced, and white space is spaces
    /// (XML 1.0 §3.3.3), but not that of character references.
    pub(super) fn replace(&mut self, attribute: Attribute, value: &[u8]) {
        let value = self.entities.replaced(value);
        let has_entities = matches!(value, Cow::Owned(_));
        if has_entities || memchr3(b'\t', b'\n', b'\r', &value).is_some() {
            self.replaced.push(Replaced { attribute, value: with_spaces(&value), has_entities });
        }
    }

    /// Takes the namespace declarations of a start tag, whose attributes `parts` returns. `None` if there are too many.
    pub(super) fn start(&mut self, name: &[u8], chunk: &[u8], mut parts: TagParts<'_>) -> Option<StartTag> {
        let (names, bindings) = (self.names.len(), self.bindings.len());
        let (prefix, local) = split_name(name);
        if !self.has_root {
            self.undeclared = match local {
                b"svg" => Namespace::Svg,
                b"math" => Namespace::Math,
                _ => Namespace::Html,
            };
        }
        self.names.extend_from_slice(name);
        let name_end = self.names.len();
        while let Ok(Part::Attribute(name, value)) = parts.next_part() {
            let prefix = match &chunk[name] {
                b"xmlns" => &b""[..],
                name => match name.strip_prefix(b"xmlns:") {
                    Some(prefix) => prefix,
                    None => continue,
                },
            };
            let uri = self.entities.replaced(&chunk[value]);
            self.bind(prefix, &decoded(&uri, TextKind::Attribute));
        }
        let namespace = self.namespace_of(prefix);
        let (namespace, element) = match namespace {
            Namespace::Html | Namespace::Svg | Namespace::Math => (namespace, Element::new(local)),
            _ => (Namespace::Other, Element::Other),
        };
        let tag = StartTag { namespace, element, prefix_len: name.len() - local.len(), names, name_end, bindings };
        let is_too_much =
            self.elements.len() >= MAX_DEPTH || self.names.len() > MAX_NAMES_LEN || self.bindings.len() > MAX_BINDINGS;
        if is_too_much {
            self.forget(&tag);
            return None;
        }
        Some(tag)
    }

    fn bind(&mut self, prefix: &[u8], uri: &[u8]) {
        // An entity that is not declared here may stand for a namespace. A prefix without a known one then means what it says.
        let namespace = match uri {
            uri if uri.contains(&b'&') => self.undeclared_namespace(prefix),
            b"" => self.undeclared,
            uri => Namespace::of_uri(uri),
        };
        if self.bindings.len() <= MAX_BINDINGS {
            let start = self.names.len();
            self.names.extend_from_slice(prefix);
            self.bindings.push(Binding { prefix: start..self.names.len(), namespace });
        }
    }

    fn namespace_of(&self, prefix: &[u8]) -> Namespace {
        let declared = self.bindings.iter().rev().find(|binding| self.names[binding.prefix.clone()] == *prefix);
        declared.map_or_else(|| self.undeclared_namespace(prefix), |binding| binding.namespace)
    }

    /// Returns the namespace of a prefix that is not declared.
    // Files without declarations are meant to have links, too.
    fn undeclared_namespace(&self, prefix: &[u8]) -> Namespace {
        match prefix {
            b"" => self.undeclared,
            b"xml" => Namespace::Xml,
            b"xlink" => Namespace::XLink,
            b"svg" => Namespace::Svg,
            _ => Namespace::Other,
        }
    }

    /// Returns what an attribute of this name is on an element: those of other namespaces are none.
    pub(super) fn attribute(&self, name: &[u8], tag: &StartTag) -> Option<Attribute> {
        let (prefix, local) = split_name(name);
        if prefix.is_empty() {
            let found = Attribute::new(local, tag.element);
            return found.filter(|found| tag.namespace != Namespace::Other || *found == Attribute::Id);
        }
        match (self.namespace_of(prefix), local) {
            (Namespace::XLink, b"href") => Some(Attribute::XlinkHref),
            (Namespace::Xml, b"id") => Some(Attribute::Id),
            _ => None,
        }
    }

    /// The tag was that of an element without content, or is read again.
    pub(super) fn forget(&mut self, tag: &StartTag) {
        self.names.truncate(tag.names);
        self.bindings.truncate(tag.bindings);
    }

    pub(super) fn open(&mut self, tag: &StartTag) {
        let StartTag { namespace, element, names, name_end, bindings, .. } = *tag;
        self.elements.push(OpenElement { namespace, element, names, name_end, bindings });
    }

    /// Reports whether this is the name of the innermost open element.
    pub(super) fn is_open(&self, name: &[u8]) -> bool {
        self.elements.last().is_some_and(|open| self.names[open.names..open.name_end] == *name)
    }

    /// Closes the innermost open element, and returns it with its namespace.
    pub(super) fn close(&mut self) -> Option<(Namespace, Element)> {
        let open = self.elements.pop()?;
        self.names.truncate(open.names);
        self.bindings.truncate(open.bindings);
        Some((open.namespace, open.element))
    }
}

/// A text, and its pieces.
type ReplacedText = (Vec<u8>, Vec<(Range<usize>, TextKind)>);

/// Replaces the references to declared entities in the pieces of a text but those of CDATA sections, and returns a text with pieces of its
/// own; `None` without any.
pub(super) fn replaced_in(
    entities: &mut Entities,
    chunk: &[u8],
    pieces: &[(Range<usize>, TextKind)],
) -> Option<ReplacedText> {
    if entities.is_empty() {
        return None;
    }
    let (mut text, mut new, mut has_entities) = (Vec::new(), Vec::new(), false);
    for (piece, kind) in pieces {
        let start = text.len();
        let piece = match kind {
            TextKind::Text => entities.replaced(&chunk[piece.clone()]),
            _ => Cow::Borrowed(&chunk[piece.clone()]),
        };
        has_entities |= matches!(piece, Cow::Owned(_));
        text.extend_from_slice(&piece);
        new.push((start..text.len(), *kind));
    }
    has_entities.then_some((text, new))
}

/// A line break is one space, whatever its bytes are.
fn with_spaces(value: &[u8]) -> Vec<u8> {
    let mut spaced = Vec::with_capacity(value.len());
    for (at, byte) in value.iter().enumerate() {
        match byte {
            b'\r' if value.get(at + 1) == Some(&b'\n') => {}
            b'\t' | b'\n' | b'\r' => spaced.push(b' '),
            _ => spaced.push(*byte),
        }
    }
    spaced
}

/// Splits a name into its prefix, which may be empty, and the rest.
pub(super) fn split_name(name: &[u8]) -> (&[u8], &[u8]) {
    memchr(b':', name).map_or((&[], name), |colon| (&name[..colon], &name[colon + 1..]))
}

/// A part of a tag after its name.
pub(super) enum Part {
    /// The places of the name and of the value.
    Attribute(Range<usize>, Range<usize>),
    /// The end, and whether the element has no content.
    End(bool),
}

/// Why a part cannot be read.
pub(super) enum Stop {
    /// The chunk ends in it.
    Cut,
    /// The tag is not well-formed.
    Malformed(&'static str),
}

/// The parts of a tag, one after another.
#[derive(Clone)]
pub(super) struct TagParts<'c> {
    pub(super) chunk: &'c [u8],
    /// The place after the last part.
    pub(super) at: usize,
}

impl TagParts<'_> {
    pub(super) fn next_part(&mut self) -> Result<Part, Stop> {
        let start = self.at;
        self.skip_spaces();
        match *self.chunk.get(self.at).ok_or(Stop::Cut)? {
            b'>' => {
                self.at += 1;
                return Ok(Part::End(false));
            }
            b'/' => {
                if *self.chunk.get(self.at + 1).ok_or(Stop::Cut)? != b'>' {
                    return Err(Stop::Malformed("a slash within a tag"));
                }
                self.at += 2;
                return Ok(Part::End(true));
            }
            _ if self.at == start => return Err(Stop::Malformed("no space before an attribute")),
            _ => {}
        }
        let name = self.at..self.at + len_before(&self.chunk[self.at..], ENDS_ATTRIBUTE_NAME);
        self.at = name.end;
        self.skip_spaces();
        if *self.chunk.get(self.at).ok_or(Stop::Cut)? != b'=' || name.is_empty() {
            return Err(Stop::Malformed("an attribute without a value"));
        }
        self.at += 1;
        self.skip_spaces();
        let quote = *self.chunk.get(self.at).ok_or(Stop::Cut)?;
        if !matches!(quote, b'"' | b'\'') {
            return Err(Stop::Malformed("a value without quotes"));
        }
        let start = self.at + 1;
        let value = start..start + memchr(quote, &self.chunk[start..]).ok_or(Stop::Cut)?;
        self.at = value.end + 1;
        Ok(Part::Attribute(name, value))
    }

    fn skip_spaces(&mut self) {
        while self.chunk.get(self.at).is_some_and(|byte| is_in(*byte, SPACE)) {
            self.at += 1;
        }
    }
}

/// The most bytes of a name between `&` and `;`.
pub(super) const MAX_ENTITY_LEN: usize = 64;

/// Reports whether each `&` starts a reference. Which entities a document type declares is not known here.
pub(super) fn has_only_references(text: &[u8]) -> bool {
    memchr_iter(b'&', text).all(|at| {
        let name = &text[at + 1..];
        let name = &name[..name.len().min(MAX_ENTITY_LEN)];
        let ends = |byte: &u8| matches!(byte, b'\0'..=b'"' | b'$'..=b',' | b'/' | b';'..=b'@');
        let len = name.iter().position(ends).unwrap_or(name.len());
        len > 0 && name.get(len) == Some(&b';')
    })
}

/// The length of a document type with its declarations; `None` if the chunk ends in it.
pub(super) fn doctype_len(text: &[u8]) -> Option<usize> {
    let (mut at, mut has_subset) = (b"<!DOCTYPE".len(), false);
    loop {
        let rest = text.get(at..)?;
        at += match *rest.first()? {
            b'>' if !has_subset => return Some(at + 1),
            quote @ (b'"' | b'\'') => memchr(quote, &rest[1..])? + 2,
            b'<' if rest.starts_with(b"<!--") => memmem::find(&rest[4..], b"-->")? + 7,
            b'<' if rest.starts_with(b"<?") => memmem::find(rest, b"?>")? + 2,
            b'<' if rest.len() < 4 => return None,
            b'[' => {
                has_subset = true;
                1
            }
            b']' => {
                has_subset = false;
                1
            }
            _ => 1,
        };
    }
}
