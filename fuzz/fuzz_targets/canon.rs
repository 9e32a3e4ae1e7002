//! Normal forms and comparisons: they are idempotent and consistent, and reserved characters stay.
//!
//! Input: options, URI, line break, another URI or reference.

#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::canon::{Comparison, Encoding, Rung, compare, expand, normalize_at, recode, safer};
use relref::percent::ByteSet;
use relref::{Rules, Slashes, UriRef, resolve};
use relref_fuzz::{check_error, split_line, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, text)) = text(input) else { return Corpus::Reject };
    let (uri, other) = split_line(text);
    for encoding in [Encoding::RFC1630, Encoding::RFC1738, Encoding::RFC3986] {
        match recode(uri, &encoding) {
            Ok(once) => is_fixed(&once, recode(&once, &encoding)),
            Err(error) => check_error(&error, uri),
        }
    }
    for &rung in Rung::ALL {
        match normalize_at(uri, rung) {
            Ok(once) => is_fixed(&once, normalize_at(&once, rung)),
            Err(error) => check_error(&error, uri),
        }
    }
    for rungs in Rung::ALL.windows(2) {
        if let Ok(low) = normalize_at(uri, rungs[0]) {
            assert_eq!(normalize_at(&low, rungs[1]).ok(), normalize_at(uri, rungs[1]).ok(), "{uri:?}, {rungs:?}");
        }
    }
    reserved_characters_stay(uri);
    components_stay(uri);
    comparing_is_normalizing(uri, other);
    if UriRef::new(uri).scheme().is_some() {
        normalizing_commutes_with_resolving(uri, other);
    }
    expanding_undoes_safer(uri, bits);
    Corpus::Keep
});

/// Checks that a form is its own form. `twice` is the form of `once`: the same text, borrowed.
fn is_fixed(once: &str, twice: Result<Cow<'_, str>, relref::Error>) {
    let twice = twice.unwrap_or_else(|error| panic!("{once:?}: {error}"));
    assert_eq!(twice, once);
    assert!(matches!(twice, Cow::Borrowed(_)), "{once:?}");
}

/// Checks that the canonical form has the same reserved characters in the same order, plain and escaped.
fn reserved_characters_stay(uri: &str) {
    let Ok(form) = recode(uri, &Encoding::RFC3986) else { return };
    let raw = |text: &str| text.chars().filter(|c| ":/?#[]@!$&'()*+,;=".contains(*c)).collect::<String>();
    // A reference that would look like a URI has `./` before it.
    let is_guarded = |rest: &str| UriRef::new(uri).scheme().is_none() && UriRef::new(rest).scheme().is_some();
    let guarded = form.strip_prefix("./").filter(|rest| is_guarded(rest));
    let same = [Some(&*form), guarded].into_iter().flatten().any(|form| raw(uri) == raw(form));
    assert!(same, "{uri:?}, {form:?}");
    for escape in ["%2F", "%3A", "%3F", "%23", "%40", "%2B", "%26", "%3D", "%3B", "%25"] {
        let count = |text: &str| text.to_ascii_uppercase().matches(escape).count();
        assert_eq!(count(uri), count(&form), "{uri:?}, {form:?}");
    }
}

/// Checks that normalizing adds and removes no component, and that a hierarchical URI's normal form without dot segments resolves
/// to itself.
fn components_stay(uri: &str) {
    // The q-, r- and f-components of a URN are no part of its identity (RFC 8141 §3.1), and `file:/a` is `file:///a` (RFC 8089).
    let (scheme, authority) = (UriRef::new(uri).scheme().unwrap_or_default(), UriRef::new(uri).authority());
    if scheme.eq_ignore_ascii_case("urn") || scheme.eq_ignore_ascii_case("file") && authority.is_none() {
        return;
    }
    for &rung in Rung::ALL {
        let Ok(form) = normalize_at(uri, rung) else { continue };
        let (before, after) = (UriRef::new(uri), UriRef::new(&*form));
        let fragment =
            |uri: UriRef<&'_ str>| uri.fragment().is_some_and(|text| rung < Rung::Fragment || !text.is_empty());
        let has = |uri: UriRef<&str>| [uri.scheme(), uri.authority(), uri.query()].map(|part| part.is_some());
        assert_eq!((has(before), fragment(before)), (has(after), fragment(after)), "{uri:?}, {form:?}");
        // Browsers find a host in these paths, so they keep their dot segments.
        let is_host_in_path =
            after.authority().is_none_or(|authority| authority.is_empty() || authority.contains('\\'))
                && after.scheme().is_some_and(|scheme| ["http", "https", "ws", "wss", "ftp"].contains(&scheme));
        let is_flat = after.scheme().is_none_or(|scheme| {
            relref::scheme::info(scheme).is_some_and(|scheme| !scheme.hierarchical && !scheme.reserved)
        });
        let keeps_dots = is_flat || is_host_in_path || form.contains('\\');
        if rung >= Rung::Dots && after.path().starts_with('/') && !keeps_dots {
            assert_eq!(resolve(&form, &form, Rules::RFC3986).as_deref(), Ok(&*form));
        }
    }
}

/// Checks that two URIs, in either order, are equal from the first rung on at which their normal forms are the same.
fn comparing_is_normalizing(left: &str, right: &str) {
    let (itself, recoded) = (compare(left, left, Rules::RFC1630), normalize_at(left, Rung::Encoding));
    match (itself, recoded) {
        (Ok(Comparison::Equal { rung: Rung::Text, .. }), Ok(_)) => {}
        (Err(error), Err(other)) => assert_eq!(error, other),
        other => panic!("{left:?}: {other:?}"),
    }
    let there = compare(left, right, Rules::RFC1630);
    let back = compare(right, left, Rules::RFC1630).map(|mut comparison| {
        if let Comparison::Different { left, right, .. } = &mut comparison {
            std::mem::swap(left, right);
        }
        comparison
    });
    assert_eq!(there.is_ok(), back.is_ok(), "{left:?}, {right:?}");
    let same = |rung: &Rung| match (normalize_at(left, *rung), normalize_at(right, *rung)) {
        (Ok(left), Ok(right)) => left == right,
        _ => false,
    };
    let first = Rung::ALL.iter().find(|rung| same(rung));
    let Ok(there) = there else {
        assert!([left, right].iter().any(|uri| normalize_at(uri, Rung::Encoding).is_err()));
        return;
    };
    assert_eq!(Ok(&there), back.as_ref(), "{left:?}, {right:?}");
    match &there {
        Comparison::Equal { rung, sources, .. } => {
            assert!(first == Some(rung) && !sources.is_empty(), "{left:?}, {right:?}: {there:?}");
        }
        Comparison::Different { left: l, right: r, .. } => assert!(first.is_none() && l != r, "{there:?}"),
    }
    for rungs in Rung::ALL.windows(2) {
        assert!(!same(&rungs[0]) || same(&rungs[1]) || normalize_at(left, rungs[1]).is_err(), "{left:?}, {right:?}");
    }
}

/// Reports whether browsers may look for a host where RFC 3986 finds none, so that a part of the URI may stay as it is.
fn may_keep_host(uri: &str) -> bool {
    let split = UriRef::new(uri);
    let scheme = split.scheme().unwrap_or_default().to_ascii_lowercase();
    let is_special = ["http", "https", "ws", "wss", "ftp", "file"].contains(&&*scheme);
    uri.contains('\\') || is_special && split.authority().unwrap_or_default().is_empty()
}

/// Checks that without escaped dots and colons the order of normalizing and resolving does not matter.
fn normalizing_commutes_with_resolving(base: &str, reference: &str) {
    let hidden = |text: &str| ["%2e", "%3a"].iter().any(|escape| text.to_ascii_lowercase().contains(escape));
    let forms = (normalize_at(base, Rung::Encoding), normalize_at(reference, Rung::Encoding));
    let ((Ok(b), Ok(r)), false) = (forms, hidden(base) || hidden(reference)) else { return };
    // By level, a `./` put before the reference stays right after a slash run.
    let is_guarded = r.starts_with("./") && !reference.starts_with("./");
    for &rules in Rules::ALL {
        if is_guarded && rules.slashes != Slashes::Components {
            continue;
        }
        let left = resolve(base, reference, rules).unwrap();
        let right = resolve(&b, &r, rules).unwrap();
        if may_keep_host(&left) {
            continue;
        }
        assert_eq!(normalize_at(&left, Rung::Encoding).as_deref(), Ok(&*right), "{rules}: {base:?} + {reference:?}");
    }
}

/// Checks that `expand` undoes what `safer` did, if the URI had no escape of a character of the set before.
fn expanding_undoes_safer(uri: &str, bits: u32) {
    let set = ByteSet::new(&bits.to_le_bytes()).union(ByteSet::new(b"ab ~"));
    match (safer(uri, set), expand(uri, set)) {
        (Ok(safe), Ok(expanded)) => {
            is_fixed(&safe, safer(&safe, set));
            is_fixed(&expanded, expand(&expanded, set));
            if uri.is_ascii() && expanded == uri {
                assert_eq!(expand(&safe, set).as_deref(), Ok(uri), "{set:?}");
            }
        }
        (Err(error), Err(other)) => {
            check_error(&error, uri);
            check_error(&other, uri);
        }
        other => panic!("{uri:?}: {other:?}"),
    }
}
