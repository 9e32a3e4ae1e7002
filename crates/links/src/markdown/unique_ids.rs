//! Gives each heading of a page an id that no other has.

use std::collections::{HashMap, HashSet};

use super::headings::{Heading, headings};
use crate::renderer::{Empty, Numbers, Renderer, Rule};

/// Returns the ids of the headings of a Markdown text without front matter; `None` for a heading without one.
pub(super) fn ids_of_markdown(text: &str, renderer: Renderer) -> Vec<Option<String>> {
    let rule = renderer.rule();
    ids(headings(text, &rule), &rule)
}

/// Returns the ids that headings with these texts have.
pub(super) fn ids_of_texts(texts: Vec<String>, renderer: Renderer) -> Vec<Option<String>> {
    let headings = texts.into_iter().map(|text| Heading { text, own_id: None, has_text: true });
    ids(headings.collect(), &renderer.rule())
}

fn ids(headings: Vec<Heading>, rule: &Rule) -> Vec<Option<String>> {
    let mut ids = UniqueIds { rule, counts: HashMap::new(), used: HashSet::new() };
    // Python-Markdown collects them before it makes others.
    if rule.counts_own_ids && rule.numbers == Numbers::Underscore {
        ids.used.extend(headings.iter().filter_map(|heading| heading.own_id.clone()));
    }
    headings.into_iter().map(|heading| ids.id(heading)).collect()
}

struct UniqueIds<'r> {
    rule: &'r Rule,
    /// The number of tries, by the id that a text makes: those before need not be tried again, so that time is linear.
    counts: HashMap<String, u64>,
    used: HashSet<String>,
}

impl UniqueIds<'_> {
    fn id(&mut self, Heading { text, own_id, has_text }: Heading) -> Option<String> {
        if let Some(id) = own_id {
            if self.rule.counts_own_ids {
                self.used.insert(id.clone());
            }
            return Some(id);
        }
        let mut id = (self.rule.slug)(&text);
        match self.rule.empty {
            Empty::Heading if !has_text => return None,
            Empty::Heading if id.is_empty() => id.push_str("heading"),
            _ => {}
        }
        let id = self.numbered(id);
        (self.rule.empty != Empty::NoId || !id.is_empty()).then_some(id)
    }

    fn numbered(&mut self, id: String) -> String {
        let count = self.counts.entry(id.clone()).or_default();
        if self.rule.numbers == Numbers::OfText {
            *count += 1;
            return if *count == 1 { id } else { format!("{id}-{}", *count - 1) };
        }
        let (stem, separator, first) = match self.rule.numbers {
            Numbers::Underscore => after_underscore(&id),
            _ => (&*id, '-', 0),
        };
        let mut free = id.clone();
        while self.used.contains(&free) || (free.is_empty() && separator == '_') {
            *count += 1;
            free = format!("{stem}{separator}{}", first.saturating_add(*count));
        }
        self.used.insert(free.clone());
        free
    }
}

/// Python-Markdown goes on with the number that an id ends with.
fn after_underscore(id: &str) -> (&str, char, u64) {
    let numbered = id.rsplit_once('_').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let parsed = numbered.and_then(|(stem, number)| Some((stem, '_', number.parse().ok()?)));
    parsed.unwrap_or((id, '_', 0))
}
