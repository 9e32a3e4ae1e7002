//! Normalizing for a crawler: the presets, any changes, and any lists of parameters.
//!
//! Input: options, URI, line break, base, line break, names of parameters with commas between them.

#![no_main]

#[path = "../../tests/crawl/oracle.rs"]
mod oracle;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::canon::{self, Rung};
use relref::crawl::{Change, Key, Normalizer};
use relref::scheme::Authority;
use relref::{Base, Rules, UriRef};
use relref_fuzz::{check_error, split_line, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, text)) = text(input) else { return Corpus::Reject };
    let (uri, rest) = split_line(text);
    let (base, names) = split_line(rest);
    let some = changes(bits);
    let lists = some.clone().tracking(names.split(',')).keep_only(names.split(',').skip(1));
    let many = changes(!0).without(Change::KeepOnly);
    for normalizer in
        [Normalizer::crawl(), some.clone(), many.clone()].map(|normalizer| normalizer.without(Change::Idna))
    {
        if let Ok(form) = normalizer.normalize(uri) {
            assert_eq!(form, oracle::normalize(&normalizer, uri), "{normalizer:?}: {uri:?}");
        }
    }
    for normalizer in [Normalizer::safe(), Normalizer::crawl(), some.clone(), lists, many] {
        one_form(&normalizer, uri);
        if let Ok(base) = Base::new(base, Rules::ALL[bits as usize % 6]) {
            resolving_into_is_two_passes(&normalizer, &base, uri);
        }
    }
    let form = Normalizer::safe().normalize(uri);
    assert_eq!(form, canon::normalize_at(uri, Rung::Scheme).map(Into::into), "{uri:?}");
    if let Ok(form) = form {
        let safe = Normalizer::safe();
        let more = Change::ALL.iter().filter(|change| safe.has(**change)).fold(some, |more, change| more.with(*change));
        assert_eq!(more.normalize(uri), more.normalize(&form), "{more:?}: {uri:?}");
    }
    Corpus::Keep
});

/// Returns a normalizer with the changes that the options choose: bit *n* is for change number *n*.
fn changes(bits: u32) -> Normalizer {
    Change::ALL.iter().enumerate().fold(Normalizer::safe(), |normalizer, (at, change)| match bits >> at & 1 {
        0 => normalizer.without(*change),
        _ => normalizer.with(*change),
    })
}

/// Checks that the normal form of a URI has itself as its normal form, that the URI's explanation ends with it, and that it has the
/// URI's keys.
fn one_form(normalizer: &Normalizer, uri: &str) {
    let mut out = String::from("é");
    let form = match normalizer.normalize_into(uri, &mut out) {
        Ok(()) => &out["é".len()..],
        Err(error) => {
            check_error(&error, uri);
            assert_eq!(canon::normalize_at(uri, Rung::Encoding).err(), Some(error));
            assert_eq!(out, "é");
            return;
        }
    };
    assert_eq!(normalizer.normalize(form).as_deref(), Ok(form), "{normalizer:?}: {uri:?}");

    let effects = normalizer.explain(uri).unwrap();
    for pair in effects.windows(2) {
        assert!(pair[0].after == pair[1].before && pair[0].change < pair[1].change, "{effects:?}");
    }
    assert_eq!(effects.first().map_or(form, |effect| &effect.before), uri, "{effects:?}");
    assert_eq!(effects.last().map_or(uri, |effect| &effect.after), form, "{effects:?}");
    assert!(effects.iter().all(|effect| normalizer.has(effect.change)));

    let mut keys = [String::from("> "), String::from("> ")];
    normalizer.surt_into(uri, &mut keys[0]).unwrap();
    normalizer.surt_into(form, &mut keys[1]).unwrap();
    assert_eq!(keys[0], keys[1], "{normalizer:?}: {uri:?}");
    assert_eq!(keys[0], format!("> {}", key(form)), "{normalizer:?}: {uri:?}");
    for kind in &Key::ALL[2..] {
        let mut keys = [String::new(), String::new()];
        kind.append(normalizer, uri, &mut keys[0]).unwrap();
        kind.append(normalizer, form, &mut keys[1]).unwrap();
        assert_eq!(keys[0], keys[1], "{kind}, {normalizer:?}: {uri:?}");
    }
}

/// Returns the sort key of a normal form, put together from its components.
fn key(form: &str) -> String {
    let uri = UriRef::new(form);
    let Some(authority) = uri.authority() else { return form.to_string() };
    let whole = form.split('#').next().unwrap();
    let parts = Authority::new(authority, None);
    if uri.scheme().is_none() || parts.host.is_empty() {
        return whole.to_string();
    }
    let mut labels: Vec<&str> = parts.host.strip_suffix('.').unwrap_or(parts.host).split('.').collect();
    labels.reverse();
    let host = if parts.host.starts_with('[') { parts.host.to_string() } else { labels.join(",") };
    let port = parts.port_text.map_or(String::new(), |port| format!(":{port}"));
    let path = if uri.path().is_empty() { "/" } else { uri.path() };
    let query = uri.query().map_or(String::new(), |query| format!("?{query}"));
    format!("{host}{port}){path}{query}")
}

/// Checks that `resolve_into` appends what resolving and then normalizing gives.
fn resolving_into_is_two_passes(normalizer: &Normalizer, base: &Base, reference: &str) {
    let mut out = String::from("é");
    let done = normalizer.resolve_into(base, reference, &mut out);
    match normalizer.normalize(base.resolve(reference)) {
        Ok(form) => assert!(done.is_ok() && out["é".len()..] == form, "{normalizer:?}: {base:?} + {reference:?}"),
        Err(error) => assert!(done == Err(error) && out == "é", "{normalizer:?}: {base:?} + {reference:?}"),
    }
}
