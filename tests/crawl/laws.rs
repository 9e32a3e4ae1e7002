//! Laws for every URI and every set of changes.

use quickcheck::{TestResult, quickcheck};
use relref::canon::{self, Rung};
use relref::crawl::{Change, Normalizer};
use relref::percent::{decode_bytes, decode_leaving_illegal};
use relref::{Base, Rules, UriRef};

use super::oracle;
use super::web_uris::WebUri;
use crate::inputs::references::{Pair, Text};
use crate::inputs::runner::tries;

/// Returns a normalizer with those changes whose bit in `mask` is set. The last bit decides whether illegal escapes are kept.
pub fn all(mask: u32) -> Normalizer {
    let normalizer = Normalizer::safe().keep_illegal_escapes(mask >> 31 == 1);
    Change::ALL.iter().enumerate().fold(normalizer, |normalizer, (at, change)| match mask >> at & 1 {
        0 => normalizer.without(*change),
        _ => normalizer.with(*change),
    })
}

/// Checks that the normal form of a URI has itself as its normal form.
fn idempotent(normalizer: &Normalizer, uri: &str) -> TestResult {
    let Ok(once) = normalizer.normalize(uri) else { return TestResult::discard() };
    match normalizer.normalize(&once) {
        Ok(twice) if twice == once => TestResult::passed(),
        twice => TestResult::error(format!("{normalizer:?}: {once}, then {twice:?}")),
    }
}

/// Checks that the normal form of a URI is what the naive normalizer gives.
fn against_oracle(normalizer: Normalizer, uri: &str) -> TestResult {
    #[cfg(feature = "idna")]
    let normalizer = normalizer.without(Change::Idna);
    let (form, expected) =
        (normalizer.clone().keep_illegal_escapes(true).normalize(uri).unwrap(), oracle::normalize(&normalizer, uri));
    if form == expected {
        return TestResult::passed();
    }
    TestResult::error(format!("{normalizer:?}: {uri} is {form:?}, not {expected:?}"))
}

/// Returns the parameters of a query, as octets.
fn parameters(uri: &str) -> Vec<Vec<u8>> {
    let query = UriRef::new(uri).query().unwrap_or_default();
    let mut parameters: Vec<_> = query.split('&').map(octets).filter(|parameter| !parameter.is_empty()).collect();
    parameters.sort_unstable();
    parameters
}

/// Returns a text with its escapes decoded.
fn octets(text: &str) -> Vec<u8> {
    decode_leaving_illegal(text).collect()
}

/// The normal form is what the naive normalizer gives.
#[test]
fn the_oracle_agrees() {
    fn law(link: WebUri, text: Text, mask: u32) -> TestResult {
        let normalizers = [all(mask), Normalizer::crawl(), all(u32::MAX), all(u32::MAX).without(Change::KeepOnly)];
        let mut results = normalizers
            .iter()
            .flat_map(|normalizer| [&link.0, &text.0].map(|uri| against_oracle(normalizer.clone(), uri)));
        results.find(TestResult::is_failure).unwrap_or_else(TestResult::passed)
    }
    tries(5000).quickcheck(law as fn(WebUri, Text, u32) -> TestResult);
}

quickcheck! {
    /// Without the changes that drop parameters, a query keeps all of its parameters except empty ones.
    fn parameters_are_kept(link: WebUri, mask: u32) -> TestResult {
        let dropping = [Change::DropTracking, Change::DropSession, Change::KeepOnly];
        let normalizer = dropping.into_iter().fold(all(mask), Normalizer::without);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        TestResult::from_bool(parameters(&link.0) == parameters(&form))
    }

    /// Without the changes of paths, a path keeps its octets.
    fn paths_are_kept(link: WebUri, mask: u32) -> TestResult {
        let dropping = [
            Change::Dots, Change::LowerPath, Change::DropSession, Change::CollapseSlashes, Change::DropIndex, Change::DropTrailingSlash,
            Change::SchemeCase,
        ];
        let normalizer = dropping.into_iter().fold(all(mask), Normalizer::without);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let [before, after] = [&link.0, &form].map(|uri| octets(UriRef::new(uri).path()));
        // An empty path may become `/`, and a reference may get `./` before a colon.
        let is_same = after == before || (before.is_empty() && after == b"/") || after == [b"./", &before[..]].concat();
        TestResult::from_bool(is_same)
    }

    /// No escape is encoded again: `%25` is only where it was before.
    fn nothing_is_encoded_twice(link: WebUri, mask: u32) -> TestResult {
        let count = |uri: &str| uri.matches("%25").count();
        let Ok(form) = all(mask).normalize(&link.0) else { return TestResult::discard() };
        TestResult::from_bool(count(&form) <= count(&link.0))
    }

    fn any_changes_are_idempotent(link: WebUri, mask: u32) -> TestResult {
        idempotent(&all(mask), &link.0)
    }

    fn any_changes_are_idempotent_with_lists(link: WebUri, mask: u32) -> TestResult {
        idempotent(&all(mask).tracking(["a", "b*", "*id", "*u*m_*"]).keep_only(["sid", "b", "utm_a", "é"]), &link.0)
    }

    fn presets_are_idempotent(link: WebUri) -> TestResult {
        let presets = [Normalizer::safe(), Normalizer::crawl(), all(u32::MAX)];
        let failed = presets.iter().map(|preset| idempotent(preset, &link.0)).find(TestResult::is_failure);
        failed.unwrap_or_else(TestResult::passed)
    }

    /// Any text has a normal form, unless it has an illegal escape that is not kept.
    fn total(text: Text, mask: u32) -> bool {
        let refuses = mask >> 31 == 0 && decode_bytes(&text.0).is_err();
        all(mask).normalize(&text.0).is_ok() != refuses && !idempotent(&all(mask), &text.0).is_failure()
    }

    /// An illegal escape stays illegal, and no legal one becomes illegal.
    fn illegal_escapes_are_kept(link: WebUri) -> TestResult {
        let normalizer = Normalizer::safe().without(Change::Dots).with(Change::SortQuery).keep_illegal_escapes(true);
        let is_illegal = |uri: &str, at: usize| decode_bytes(uri.get(at..at + 3).unwrap_or("%")).is_err();
        let illegal = |uri: &str| uri.match_indices('%').filter(|(at, _)| is_illegal(uri, *at)).count();
        let form = normalizer.normalize(&link.0).unwrap();
        if illegal(&form) == illegal(&link.0) { TestResult::passed() } else { TestResult::error(form) }
    }

    /// Without an illegal escape, keeping illegal escapes changes nothing.
    fn legal_escapes_are_decoded_in_any_case(link: WebUri, mask: u32) -> TestResult {
        let Ok(form) = all(mask).keep_illegal_escapes(false).normalize(&link.0) else { return TestResult::discard() };
        TestResult::from_bool(all(mask).keep_illegal_escapes(true).normalize(&link.0) == Ok(form))
    }

    fn safe_is_the_canonical_form(link: WebUri) -> bool {
        Normalizer::safe().normalize(&link.0) == canon::normalize_at(&link.0, Rung::Scheme).map(Into::into)
    }

    fn safe_is_the_canonical_form_of_texts(text: Text) -> bool {
        Normalizer::safe().normalize(&text.0) == canon::normalize_at(&text.0, Rung::Scheme).map(Into::into)
    }

    /// URIs with the same form by `safe` have the same form by more changes, too.
    fn more_changes_keep_what_is_the_same(link: WebUri, mask: u32) -> TestResult {
        let safe = Normalizer::safe();
        let Ok(form) = safe.normalize(&link.0) else { return TestResult::discard() };
        let more = Change::ALL.iter().filter(|change| safe.has(**change)).fold(all(mask), |more, change| more.with(*change));
        let (one, other) = (more.normalize(&link.0).unwrap(), more.normalize(&form).unwrap());
        if one == other { TestResult::passed() } else { TestResult::error(format!("{more:?}: {one} and {other}")) }
    }

    fn resolving_into_is_two_passes(pair: Pair, link: WebUri, mask: u32) -> bool {
        let normalizer = all(mask);
        [&pair.reference, &link.0].into_iter().all(|reference| {
            let base = Base::new(&pair.base, Rules::RFC3986).unwrap();
            let mut out = String::from("é");
            let done = normalizer.resolve_into(&base, reference, &mut out);
            match normalizer.normalize(base.resolve(reference).to_string()) {
                Ok(form) => done.is_ok() && out == format!("é{form}"),
                Err(error) => done == Err(error) && out == "é",
            }
        })
    }

    fn explaining_is_normalizing(link: WebUri, mask: u32) -> TestResult {
        let normalizer = all(mask);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let effects = normalizer.explain(&link.0).unwrap();
        let linked = effects.windows(2).all(|pair| pair[0].after == pair[1].before && pair[0].change < pair[1].change);
        let first = effects.first().map_or(&form, |effect| &effect.before);
        let last = effects.last().map_or(&link.0, |effect| &effect.after);
        TestResult::from_bool(linked && *first == link.0 && *last == form)
    }

    /// The sort key of a normal form is the sort key of the URI.
    fn keys_are_of_normal_forms(link: WebUri, mask: u32) -> TestResult {
        let normalizer = all(mask);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let (mut one, mut other) = (String::new(), String::new());
        normalizer.surt_into(&link.0, &mut one).unwrap();
        normalizer.surt_into(&form, &mut other).unwrap();
        TestResult::from_bool(one == other && (!form.contains("://") || !one.is_empty()))
    }
}
