//! Measures the canonical form (one encoding) and the normal form (also case, dot segments and defaults) of URIs, and fluent-uri's
//! normal form.
//!
//! `cargo bench --manifest-path benches/compare/Cargo.toml --bench normalize`

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use relref::canon::{Encoding, Rung, normalize_at, recode};

/// URIs that are not in normal form: case, escapes, dot segments, a default port.
const URIS: [&str; 7] = [
    "HTTPS://Doc.Rust-Lang.org/std/option/enum.Option.html#method.is_some",
    "https://example.com/docs/%67uide/2024/getting-started/%7eindex.html",
    "https://en.wikipedia.org/wiki/../wiki/./Uniform_Resource_Identifier",
    "http://www.example.org:80/search?q=relative%2dreferences&page=2",
    "https://github.com/rust-lang/rust/blob/master/caf%c3%a9/option.rs",
    "ftp://FTP.example.net:21/pub/a/../docs/rfc/rfc1630.txt",
    "http://user@Example.COM/%7Euser/a/b/./../c/index.html?x=%41#%42",
];

fn compare(c: &mut Criterion) {
    for uri in URIS {
        let peer = fluent_uri::Uri::parse(uri).unwrap().normalize().to_string();
        assert_eq!(normalize_at(uri, Rung::Scheme).unwrap(), peer, "{uri}");
    }
    let mut group = c.benchmark_group("normalize");
    group.throughput(Throughput::Elements(URIS.len() as u64));
    group.bench_function("relref, canonical form", |b| {
        b.iter(|| URIS.iter().map(|uri| recode(black_box(uri), &Encoding::RFC3986).unwrap().len()).sum::<usize>());
    });
    group.bench_function("relref, normal form", |b| {
        b.iter(|| URIS.iter().map(|uri| normalize_at(black_box(uri), Rung::Scheme).unwrap().len()).sum::<usize>());
    });
    group.bench_function("fluent-uri, parsing", |b| {
        let one = |uri: &&str| fluent_uri::Uri::parse(black_box(*uri)).unwrap().normalize().as_str().len();
        b.iter(|| URIS.iter().map(one).sum::<usize>());
    });
    let parsed = URIS.map(|uri| fluent_uri::Uri::parse(uri).unwrap());
    group.bench_function("fluent-uri, parsed before", |b| {
        b.iter(|| parsed.iter().map(|uri| black_box(uri).normalize().as_str().len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
