//! The drawing of a resolution: which characters of the base and of the reference are in the result, and why the others are not.
//!
//! It follows the steps of the engine and decides nothing itself. A drawing that does not lead to the engine's result is not shown.

mod by_browsers;
mod by_document;

use relref::support::InnerBase;

use crate::json;

/// Longer texts are not drawn.
const MOST_BYTES: usize = 1000;

/// The fate of a part of the base or of the reference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is in the result.
    Kept,
    /// Of the base: it is after the cut.
    Cut,
    /// A `..` removed it.
    Removed,
    /// A dot segment, which took effect.
    Dots,
    /// It was written in another way, or is left out because it is empty.
    Changed,
}

/// Where a part of the result is from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Base,
    Reference,
    Written,
}

#[derive(Default)]
pub struct Drawing {
    base: Vec<(Mark, String)>,
    reference: Vec<(Mark, String)>,
    result: Vec<(Origin, String)>,
    /// The first UTF-16 unit of the base's slash run that was chosen, and the length of the run.
    run: Option<(usize, usize)>,
}

impl Drawing {
    /// Returns `None` for long texts and for the rare results that no drawing of this kind explains.
    pub fn new(base: &InnerBase, reference: &str, uri: &str) -> Option<Drawing> {
        let base_len = match base {
            InnerBase::Rules(base) => base.as_str().len(),
            InnerBase::Whatwg(base) => base.as_str().len(),
        };
        if base_len + reference.len() > MOST_BYTES {
            return None;
        }
        let drawing = match base {
            InnerBase::Rules(base) => by_document::draw(base, reference),
            InnerBase::Whatwg(base) => by_browsers::draw(base, reference),
        }?;
        let result: String = drawing.result.iter().map(|(_, text)| text.as_str()).collect();
        (result == uri).then_some(drawing)
    }

    pub fn write(&self, out: &mut String) {
        out.push_str("{\"base\":");
        write_parts(out, &self.base, mark_name);
        out.push_str(",\"reference\":");
        write_parts(out, &self.reference, mark_name);
        out.push_str(",\"result\":");
        write_parts(out, &self.result, origin_name);
        if let Some((start, len)) = self.run {
            out.push_str(&format!(",\"run\":[{start},{len}]"));
        }
        out.push('}');
    }
}

fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Kept => "kept",
        Mark::Cut => "cut",
        Mark::Removed => "removed",
        Mark::Dots => "dots",
        Mark::Changed => "changed",
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Base => "base",
        Origin::Reference => "reference",
        Origin::Written => "written",
    }
}

/// Writes pairs of a name and a text.
fn write_parts<K: Copy>(out: &mut String, parts: &[(K, String)], name: fn(K) -> &'static str) {
    json::array(out, parts, |out, (kind, text)| {
        json::array(out, [name(*kind), text.as_str()], json::string);
    });
}

/// Joins adjacent characters of one kind.
fn joined<K: Copy + PartialEq>(chars: impl IntoIterator<Item = (K, char)>) -> Vec<(K, String)> {
    let mut parts: Vec<(K, String)> = Vec::new();
    for (kind, c) in chars {
        match parts.last_mut() {
            Some((last, text)) if *last == kind => text.push(c),
            _ => parts.push((kind, c.to_string())),
        }
    }
    parts
}

/// Joins the characters of a text by the marks of their first bytes.
fn marked(text: &str, marks: &[Mark]) -> Vec<(Mark, String)> {
    joined(text.char_indices().map(|(at, c)| (marks[at], c)))
}
