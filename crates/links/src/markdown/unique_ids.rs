//! Gives each heading of a page an id that no other has.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

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
    let mut ids = UniqueIds { rule, taken: HashMap::with_capacity(headings.len()) };
    // Python-Markdown collects them before it makes others.
    if rule.counts_own_ids && rule.numbers == Numbers::Underscore {
        ids.taken.extend(headings.iter().filter_map(|heading| Some((heading.own_id.clone()?, 0))));
    }
    headings.into_iter().map(|heading| ids.id(heading)).collect()
}

struct UniqueIds<'r> {
    rule: &'r Rule,
    /// The ids that are taken, each with the number that was found last for a text that makes it, or 0: those before need not be tried
    /// again, so that time is linear.
    taken: HashMap<String, u64>,
}

impl UniqueIds<'_> {
    fn id(&mut self, Heading { text, own_id, has_text }: Heading) -> Option<String> {
        if let Some(id) = own_id {
            if self.rule.counts_own_ids {
                self.taken.entry(id.clone()).or_default();
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
        if self.rule.numbers == Numbers::Underscore {
            return self.underscored(id);
        }
        let mut count = match self.taken.entry(id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(0);
                return id;
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let free = loop {
            count += 1;
            let free = format!("{id}-{count}");
            if self.rule.numbers == Numbers::OfText || !self.taken.contains_key(&free) {
                break free;
            }
        };
        self.taken.insert(id, count);
        if self.rule.numbers == Numbers::Free {
            self.taken.insert(free.clone(), 0);
        }
        free
    }

    /// Python-Markdown goes on with the number that an id ends with. Each id that was passed leads to the one found: the next search does
    /// not pass those between.
    fn underscored(&mut self, mut id: String) -> String {
        let mut passed = Vec::new();
        while let Some(last) = self.taken.get(&id).copied().or(id.is_empty().then_some(0)) {
            let (stem, number) = after_underscore(&id);
            let next = if last > 0 { last } else { number + 1 };
            let next = format!("{stem}_{next}");
            passed.push(std::mem::replace(&mut id, next));
        }
        let (_, found) = after_underscore(&id);
        self.taken.extend(passed.into_iter().map(|passed| (passed, found)));
        self.taken.insert(id.clone(), 0);
        id
    }
}

/// Returns an id without the number at its end, and this number. One that is too large to go on with is text.
fn after_underscore(id: &str) -> (&str, u64) {
    let numbered = id.rsplit_once('_').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let parsed =
        numbered.and_then(|(stem, number)| Some((stem, number.parse().ok().filter(|number| *number < u64::MAX >> 1)?)));
    parsed.unwrap_or((id, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of these would pass all before it, and a number too large to go on with would never end.
    #[test]
    fn numbers_that_many_ids_share_take_linear_time() {
        let numbers = || 1..20_000;
        let page: String = numbers().chain(numbers()).map(|number| format!("# a_{number}\n\n")).collect();
        let ids = ids_of_markdown(&page, Renderer::MkDocs);
        assert_eq!(ids[19_999..20_001], ["a_20000", "a_20001"].map(|id| Some(id.to_owned())));
        let largest = format!("# a_{0}\n\n# a_{0}\n", u64::MAX);
        assert_eq!(ids_of_markdown(&largest, Renderer::MkDocs)[1].as_deref(), Some("a_18446744073709551615_1"));
    }
}
