//! What holds for every URI and every set of steps.

use quickcheck::{TestResult, quickcheck};
use relref::canon::{self, Rung};
use relref::crawl::{Change, Normalizer};
use relref::{Base, Rules};

use super::web_uris::Link;
use crate::inputs::references::{Pair, Text};

/// The changes that a mask picks.
pub fn all(mask: u32) -> Normalizer {
    Change::ALL.iter().enumerate().fold(Normalizer::safe(), |normalizer, (at, change)| match mask >> at & 1 {
        0 => normalizer.without(*change),
        _ => normalizer.with(*change),
    })
}

/// Once is as good as twice.
fn idempotent(normalizer: &Normalizer, uri: &str) -> TestResult {
    let Ok(once) = normalizer.normalize(uri) else { return TestResult::discard() };
    match normalizer.normalize(&once) {
        Ok(twice) if twice == once => TestResult::passed(),
        twice => TestResult::error(format!("{normalizer:?}: {once}, then {twice:?}")),
    }
}

quickcheck! {
    fn any_changes_are_idempotent(link: Link, mask: u32) -> TestResult {
        idempotent(&all(mask), &link.0)
    }

    fn any_changes_are_idempotent_with_lists(link: Link, mask: u32) -> TestResult {
        idempotent(&all(mask).tracking(["a", "b*"]).keep_only(["sid", "b", "utm_a", "é"]), &link.0)
    }

    fn presets_are_idempotent(link: Link) -> TestResult {
        let presets = [Normalizer::safe(), Normalizer::crawl(), all(u32::MAX)];
        let failed = presets.iter().map(|preset| idempotent(preset, &link.0)).find(TestResult::is_failure);
        failed.unwrap_or_else(TestResult::passed)
    }

    /// Any text either has a form or has an illegal escape.
    fn total(text: Text, mask: u32) -> bool {
        all(mask).normalize(&text.0).is_ok() == canon::normalize(&text.0, Rung::Encoding).is_ok()
            && !idempotent(&all(mask), &text.0).is_failure()
    }

    fn safe_is_the_canonical_form(link: Link) -> bool {
        Normalizer::safe().normalize(&link.0) == canon::normalize(&link.0, Rung::Scheme).map(Into::into)
    }

    fn safe_is_the_canonical_form_of_texts(text: Text) -> bool {
        Normalizer::safe().normalize(&text.0) == canon::normalize(&text.0, Rung::Scheme).map(Into::into)
    }

    /// What is the same safely is the same with more changes.
    fn more_changes_keep_what_is_the_same(link: Link, mask: u32) -> TestResult {
        let safe = Normalizer::safe();
        let Ok(form) = safe.normalize(&link.0) else { return TestResult::discard() };
        let more = Change::ALL.iter().filter(|change| safe.has(**change)).fold(all(mask), |more, change| more.with(*change));
        let (one, other) = (more.normalize(&link.0).unwrap(), more.normalize(&form).unwrap());
        if one == other { TestResult::passed() } else { TestResult::error(format!("{more:?}: {one} and {other}")) }
    }

    fn resolving_into_is_two_passes(pair: Pair, link: Link, mask: u32) -> bool {
        let normalizer = all(mask);
        [&pair.reference, &link.0].into_iter().all(|reference| {
            let base = Base::new(&pair.base, Rules::RFC3986).unwrap();
            let mut out = String::from("é");
            let done = normalizer.resolve_into(&base, reference, &mut out);
            match normalizer.normalize(&base.resolve(reference).to_string()) {
                Ok(form) => done.is_ok() && out == format!("é{form}"),
                Err(error) => done == Err(error) && out == "é",
            }
        })
    }

    fn explaining_is_normalizing(link: Link, mask: u32) -> TestResult {
        let normalizer = all(mask);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let effects = normalizer.explain(&link.0).unwrap();
        let linked = effects.windows(2).all(|pair| pair[0].after == pair[1].before && pair[0].change < pair[1].change);
        let first = effects.first().map_or(&form, |effect| &effect.before);
        let last = effects.last().map_or(&link.0, |effect| &effect.after);
        TestResult::from_bool(linked && *first == link.0 && *last == form)
    }

    /// The key of a form is that of the URI.
    fn keys_are_of_normal_forms(link: Link, mask: u32) -> TestResult {
        let normalizer = all(mask);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let (mut one, mut other) = (String::new(), String::new());
        normalizer.surt_into(&link.0, &mut one).unwrap();
        normalizer.surt_into(&form, &mut other).unwrap();
        TestResult::from_bool(one == other && (!form.contains("://") || !one.is_empty()))
    }
}
