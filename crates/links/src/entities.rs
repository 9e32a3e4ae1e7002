//! The general entities that a document type declares itself (XML 1.0 §4.2). Those outside of it and parameter entities are not read.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memchr3, memmem};

/// The most bytes of the name of an entity.
const MAX_NAME_LEN: usize = 64;
/// The most bytes of the text of an entity. A longer one is not declared.
const MAX_LEN: usize = 4 << 10;
/// The most bytes of the names and texts of all.
const MAX_TOTAL_LEN: usize = 64 << 10;
/// The number of bytes that an entity counts as, at least.
const ENTITY_LEN: usize = 16;
/// The most bytes by which references are replaced in all: a text may be a thousand times as long as its reference.
const MAX_REPLACED_LEN: usize = 8 << 20;

#[derive(Default)]
pub(crate) struct Entities {
    /// The texts by name, without references to other entities that are declared. Quotes and angle brackets are escapes, so that a
    /// text can stand in any tag.
    texts: HashMap<Vec<u8>, Vec<u8>>,
    len: usize,
    replaced_len: usize,
}

impl Entities {
    pub(crate) fn clear(&mut self) {
        if !self.texts.is_empty() {
            *self = Entities::default();
        }
    }

    /// Reports whether none is declared.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Takes the declarations of a document type. Of several entities of one name, the first counts.
    pub(crate) fn declare(&mut self, doctype: &[u8]) {
        let mut rest = doctype;
        while let Some(at) = memchr3(b'<', b'"', b'\'', rest) {
            rest = &rest[at..];
            let len = match rest {
                [quote @ (b'"' | b'\''), literal @ ..] => memchr(*quote, literal).map(|len| len + 2),
                [b'<', b'!', b'-', b'-', comment @ ..] => memmem::find(comment, b"-->").map(|len| len + 7),
                [b'<', b'?', ..] => memmem::find(rest, b"?>").map(|len| len + 2),
                _ => Some(declaration(rest).map_or(1, |(name, text, len)| {
                    self.add(name, text);
                    len
                })),
            };
            let Some(len) = len else { return };
            rest = &rest[len..];
        }
    }

    fn add(&mut self, name: &[u8], text: &[u8]) {
        if name.len() > MAX_NAME_LEN || text.len() > MAX_LEN || self.texts.contains_key(name) {
            return;
        }
        let (mut new, mut rest) = (Vec::new(), text);
        while let [first, after @ ..] = rest {
            let (piece, len) = match (first, name_at(after)) {
                (b'&', Some(number @ (b"#38" | b"#x26"))) => (&b"&"[..], number.len() + 2),
                (b'&', Some(name)) if self.texts.contains_key(name) => (&*self.texts[name], name.len() + 2),
                (b'<', _) => (&b"&lt;"[..], 1),
                (b'>', _) => (&b"&gt;"[..], 1),
                (b'"', _) => (&b"&quot;"[..], 1),
                (b'\'', _) => (&b"&#39;"[..], 1),
                _ => (&rest[..1], 1),
            };
            new.extend_from_slice(piece);
            if new.len() > MAX_LEN {
                return;
            }
            rest = &rest[len..];
        }
        let len = self.len + name.len() + new.len() + ENTITY_LEN;
        if len <= MAX_TOTAL_LEN {
            self.len = len;
            self.texts.insert(name.to_owned(), new);
        }
    }

    /// Replaces the references to declared entities in a text, which is borrowed if it has none.
    pub(crate) fn replaced<'t>(&mut self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if self.texts.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut new, mut copied) = (Vec::new(), 0);
        for at in memchr_iter(b'&', text) {
            let Some(name) = name_at(&text[at + 1..]) else { continue };
            let Some(entity) = self.texts.get(name) else { continue };
            if self.replaced_len + entity.len() > MAX_REPLACED_LEN {
                break;
            }
            self.replaced_len += entity.len();
            new.extend_from_slice(&text[copied..at]);
            new.extend_from_slice(entity);
            copied = at + name.len() + 2;
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        new.extend_from_slice(&text[copied..]);
        Cow::Owned(new)
    }
}

/// Returns the name and the text of the entity that is declared at the start, and the length up to the end of the text.
fn declaration(rest: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let after = rest.strip_prefix(b"<!ENTITY")?;
    let name = after.trim_ascii_start();
    let (name, value) = name.split_at(name.iter().position(u8::is_ascii_whitespace)?);
    let [quote @ (b'"' | b'\''), value @ ..] = value.trim_ascii_start() else { return None };
    let len = memchr(*quote, value)?;
    let is_general = name != b"%" && after[0].is_ascii_whitespace();
    is_general.then(|| (name, &value[..len], rest.len() - value.len() + len + 1))
}

/// The name of a reference, after its `&`.
fn name_at(text: &[u8]) -> Option<&[u8]> {
    let len = memchr(b';', &text[..text.len().min(MAX_NAME_LEN + 1)])?;
    (len > 0).then_some(&text[..len])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(subset: &str, text: &str) -> String {
        let mut entities = Entities::default();
        entities.declare(format!("<!DOCTYPE x PUBLIC '\"' \"'\" [{subset}]>").as_bytes());
        String::from_utf8(entities.replaced(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn references_are_replaced() {
        for (subset, text, expected) in [
            ("<!ENTITY a 'x'>", "&a;y&a;&b;&a", "xyx&b;&a"),
            ("<!ENTITY a\n\"'\"\n><!ENTITY b '\"<&#60;>'>", "&a;&b;", "&#39;&quot;&lt;&#60;&gt;"),
            ("<!ENTITY a 'x'><!ENTITY a 'y'><!ENTITY b '&a;z&c;'>", "&b;", "xz&c;"),
            ("<!ENTITY a '&#38;#60;&#x26;amp;'>", "&a;", "&#60;&amp;"),
            ("<!-- ' <!ENTITY a 'x'> --><?y <!ENTITY a 'y'> ?><!ENTITY a 'z'>", "&a;", "z"),
            ("<!ELEMENT x (y)><!ATTLIST x y CDATA '<!ENTITY a'><!ENTITY a 'z'>", "&a;", "z"),
            // Parameter entities, and those that are elsewhere.
            ("<!ENTITY % a 'x'><!ENTITY b SYSTEM 'y'><!ENTITY c PUBLIC 'x' 'y'>", "&a;&b;&c;", "&a;&b;&c;"),
            ("<!ENTITYa 'x'><!ENTITY b", "&a;&b;", "&a;&b;"),
        ] {
            assert_eq!(replaced(subset, text), expected, "{subset}");
        }
    }

    #[test]
    fn entities_do_not_grow() {
        let mut laughs = "<!ENTITY a0 'ha'>".to_owned();
        for level in 1..64 {
            laughs += &format!("<!ENTITY a{level} '&a{0};&a{0};'>", level - 1);
        }
        assert_eq!(replaced(&laughs, "&a11;").len(), MAX_LEN);
        assert_eq!(replaced(&laughs, "&a12;"), "&a12;");
        assert!(replaced(&laughs, "&a63;").len() <= MAX_LEN);
        let long = format!("<!ENTITY a '{}'>", "x".repeat(MAX_LEN));
        assert!(replaced(&long, &"&a;".repeat(1 << 16)).len() < MAX_REPLACED_LEN + (4 << 16));
        let many: String = (0..1 << 16).map(|number| format!("<!ENTITY a{number} ''>")).collect();
        assert_eq!(replaced(&many, "&a1;&a65535;"), "&a65535;");
    }
}
