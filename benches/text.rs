//! Measures the search for wrapped URIs: in prose, where it should cost as much as memchr, and among many angle brackets.

#![allow(missing_docs, reason = "criterion's macros write functions without them")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use relref::text::{find_wrapped, wrap};

const LINE: &str = "Yes, Jim, I found it under the usual place but you can probably pick it up from there.\n";
const URI: &str = "ftp://ds.internic.net/pub/long-name/of/a/directory/overview.html#WARNING";

/// Returns a text of about `len` bytes that repeats one unit.
fn fill(unit: &str, len: usize) -> String {
    unit.repeat(len / unit.len())
}

/// Measures texts of one megabyte and of half a megabyte: the throughput of a shape should be the same.
fn texts(c: &mut Criterion) {
    let mut group = c.benchmark_group("unwrap");
    let wrapped = format!("{LINE}see {}\n", wrap(URI, 60));
    let units = [
        ("prose", LINE),
        ("prose with a wrapper every two lines", &wrapped),
        ("wrappers", "<URL:ftp://ds.internic.net/rfc>"),
        ("wrappers of two lines", "<URL:ftp://ds.in\n   ternic.net/rfc>"),
        ("tags", "<p class=\"x\">some <em>text</em> of <a href=\"http://h/\">a page</a></p>\n"),
        ("addresses", "From: Tim <timbl@info.cern.ch>, "),
        ("open brackets", "<"),
        ("open schemes", "<a:"),
    ];
    for (name, unit) in units {
        for len in [1 << 19, 1 << 20] {
            let text = fill(unit, len);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(BenchmarkId::new(name, len), |b| b.iter(|| find_wrapped(black_box(&text)).count()));
        }
    }
    for (name, unit) in [("unclosed", "x"), ("unclosed, white space", " "), ("unclosed, lines", "-\n")] {
        let text = format!("<a:{}", fill(unit, 1 << 20));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new(name, 1 << 20), |b| b.iter(|| find_wrapped(black_box(&text)).count()));
    }
    group.finish();
}

fn wrapping(c: &mut Criterion) {
    let mut group = c.benchmark_group("wrap");
    for (name, uri, width) in [
        ("line", URI.to_string(), usize::MAX),
        ("lines", URI.to_string(), 40),
        ("long", format!("a:{}", fill("x-", 1 << 20)), 72),
        ("hyphens", format!("a:{}", fill("-", 1 << 20)), 72),
    ] {
        group.throughput(Throughput::Bytes(uri.len() as u64));
        group.bench_function(BenchmarkId::new(name, uri.len()), |b| b.iter(|| wrap(black_box(&uri), width)));
    }
    group.finish();
}

criterion_group!(benches, texts, wrapping);
criterion_main!(benches);
