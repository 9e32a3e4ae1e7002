//! Measures the canonical form, next to the search for a byte that does not occur.
//!
//! `cargo bench --bench canon`. `benches/compare` compares it with fluent-uri's `normalize`.

#![allow(missing_docs, reason = "criterion's macros write functions without them")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use relref::canon::{Encoding, Rung, normalize_at, recode};
use relref::percent::{ByteSet, decode_bytes, encode_with};

/// URIs in canonical form. Two have escapes, each of which must be checked.
const CANONICAL: [&str; 8] = [
    "https://example.com/~docs/caf%C3%A9%20guide/2024/index.html",
    "https://example.org/a/very/long/path%2Fwith/an/escape/in/it/page.html?q=1!$",
    "https://doc.rust-lang.org/std/option/enum.Option.html#method.is_some",
    "https://example.com/docs/guide/2024/getting-started/index.html",
    "https://en.wikipedia.org/wiki/Uniform_Resource_Identifier",
    "http://www.example.org/search?q=relative+references&page=2&lang=en",
    "https://github.com/rust-lang/rust/blob/master/library/core/src/option.rs",
    "ftp://ftp.example.net/pub/docs/rfc/rfc1630.txt",
];

/// URIs that are not in canonical form: case, escapes, dot segments, a default port.
const OTHERS: [&str; 6] = [
    "HTTPS://Doc.Rust-Lang.org/std/option/enum.Option.html#method.is_some",
    "https://example.com/docs/%67uide/2024/getting-started/%7eindex.html",
    "https://en.wikipedia.org/wiki/../wiki/./Uniform_Resource_Identifier",
    "http://www.example.org:80/search?q=relative%2dreferences&page=2",
    "https://github.com/rust-lang/rust/blob/master/caf%c3%a9/option.rs",
    "ftp://FTP.example.net:21/pub/a/../docs/rfc/rfc1630.txt",
];

fn canon(c: &mut Criterion) {
    for (name, uris) in [("canonical", &CANONICAL[..]), ("others", &OTHERS)] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(uris.iter().map(|uri| uri.len() as u64).sum()));
        group.bench_function("floor: memchr", |b| {
            b.iter(|| uris.iter().filter(|uri| memchr::memchr(b'\0', black_box(uri.as_bytes())).is_some()).count());
        });
        group.bench_function("recode", |b| {
            b.iter(|| uris.iter().map(|uri| recode(black_box(uri), &Encoding::RFC3986).unwrap().len()).sum::<usize>());
        });
        group.bench_function("normalize", |b| {
            b.iter(|| uris.iter().map(|uri| normalize_at(black_box(uri), Rung::Scheme).unwrap().len()).sum::<usize>());
        });
        group.finish();
    }
    let text = "Universal Resource Identifiers in WWW: a café, 50 % ".repeat(100);
    let encoded = encode_with(&text, ByteSet::SEGMENT).to_string();
    let mut group = c.benchmark_group("percent");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("encode", |b| b.iter(|| encode_with(black_box(&text), ByteSet::SEGMENT).to_string()));
    group.bench_function("decode", |b| b.iter(|| decode_bytes(black_box(&encoded)).unwrap().to_utf8().unwrap().len()));
    group.finish();
}

criterion_group!(benches, canon);
criterion_main!(benches);
