//! Allocations of normalizing for a crawler.

use allocation_counter::measure;
use relref::crawl::{Change, Normalizer};
use relref::{Base, Rules};

/// Calls `done` with an empty buffer that is large enough for any result. Returns the number of allocations.
fn allocations<R>(done: impl FnOnce(&mut String) -> R) -> u64 {
    let mut out = String::with_capacity(1 << 16);
    measure(|| {
        done(&mut out);
    })
    .count_total
}

/// Returns a normalizer that makes all changes except `keep-only`.
fn every_change() -> Normalizer {
    Change::ALL
        .iter()
        .filter(|change| **change != Change::KeepOnly)
        .fold(Normalizer::safe(), |all, change| all.with(*change))
}

#[test]
fn a_warm_buffer_is_enough() {
    let long = format!("http://h/{}?{}", "a/../b//".repeat(1000), "c=%41&".repeat(23));
    let uris = [
        "http://example.com/a/b?c=d#e",
        "HTTP://me@WWW.Example.com:80/a/%2e%2e/b//c;jsessionid=1/../index.html?z=%7e&utm_source=x&sid=1&y&&a#top",
        "http://example.com/caf\u{e9} \u{ff}/?q=\u{e9}&b",
        "http://xn--bcher-kva.example/",
        "http://Ex%41mple%21.com/",
        "http://h/web/2020/http://x//y/",
        "mailto:a@b?c&b",
        "%61:b",
        "http://h/%zz",
        &long,
    ];
    let base = Base::new("http://example.com/a/b/c?d", Rules::RFC3986).unwrap();
    for normalizer in
        [Normalizer::safe(), Normalizer::crawl(), every_change(), every_change().keep_only(["a", "b", "c"])]
    {
        for uri in uris {
            let done = allocations(|out| normalizer.normalize_into(uri, out));
            assert_eq!(done, 0, "{normalizer:?}: {uri}");
            if uri.len() < 500 {
                assert_eq!(allocations(|out| normalizer.resolve_into(&base, uri, out)), 0, "{uri}");
                assert_eq!(allocations(|out| normalizer.surt_into(uri, out)), 0, "{uri}");
            }
        }
        assert_eq!(allocations(|out| normalizer.resolve_into(&base, "../d?b&a#c", out)), 0);
    }
}

/// Some work allocates, as documented; this also shows that allocations are counted.
#[test]
fn what_costs_an_allocation() {
    let crawl = Normalizer::crawl();
    let many = format!("http://h/?{}", "b&a&".repeat(13));
    assert!(allocations(|out| crawl.normalize_into(&many, out).unwrap()) > 0);
    #[cfg(feature = "idna")]
    assert!(allocations(|out| crawl.normalize_into("http://b\u{fc}cher.example/", out).unwrap()) > 0);
    let long = format!("http://h/{}", "a".repeat(600));
    assert_eq!(allocations(|out| crawl.normalize_into(&long, out).unwrap()), 0);
    assert!(allocations(|out| crawl.surt_into(&long, out).unwrap()) > 0);
}
