//! Measures pages and single references by each rule set, next to the floor: copying the finished output.
//!
//! `cargo bench`; `RELREF_PAIRS=FILE cargo bench` takes lines `BASE<TAB>REFERENCE` from a file instead.

#![allow(missing_docs, reason = "criterion's macros write functions without them")]

use std::hint::black_box;
use std::{env, fs};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use relref::{Base, Rules, UriRef};

/// The bases of documentation pages. Their references are like those of such pages, each kind about as often: names, parents,
/// fragments, rooted and absolute references, queries.
const BASES: [&str; 4] = [
    "https://doc.rust-lang.org/std/option/enum.Option.html",
    "https://doc.rust-lang.org/nightly/core/arch/x86_64/struct.__m128i.html",
    "https://example.com/docs/guide/2024/getting-started/index.html",
    "https://web.archive.org/web/2020/http://example.com/a/b/index.html",
];
const REFERENCES: [&str; 20] = [
    "../../static.files/rustdoc-46f98efaafac5295.css",
    "../../static.files/storage-82c7156e.js",
    "../index.html",
    "index.html",
    "../../std/index.html",
    "#method.is_some",
    "#implementations",
    "#impl-Clone-for-Option%3CT%3E",
    "enum.Result.html",
    "../primitive.bool.html",
    "../../src/core/option.rs.html#571",
    "../result/enum.Result.html#method.unwrap_or_else",
    "../ops/trait.FnOnce.html",
    "trait.Iterator.html#tymethod.next",
    "https://www.rust-lang.org/community",
    "https://github.com/rust-lang/rust/blob/master/README.md",
    "/g/rooted/path.html",
    "?page=2",
    "a/./b/../c.html",
    "//cdn.example.org/lib/x.js",
];

/// Returns pairs of a base and a reference, from the file that `RELREF_PAIRS` names or from the built-in ones.
fn pairs() -> Vec<(String, String)> {
    let Ok(file) = env::var("RELREF_PAIRS") else {
        let of = |base: &&str| REFERENCES.map(|reference| (base.to_string(), reference.to_string()));
        return BASES.iter().flat_map(of).collect();
    };
    let text = fs::read_to_string(file).expect("RELREF_PAIRS names a file");
    let pair = |line: &str| line.split_once('\t').map(|(base, reference)| (base.to_string(), reference.to_string()));
    let pairs: Vec<_> =
        text.lines().filter_map(pair).filter(|(base, _)| UriRef::new(base).scheme().is_some()).collect();
    pairs.into_iter().take(100_000).collect()
}

/// Returns each base with its references.
fn of_each_base(pairs: &[(String, String)], rules: Rules) -> Vec<(Base, Vec<&str>)> {
    let mut pages: Vec<(Base, Vec<&str>)> = Vec::new();
    for (base, reference) in pairs {
        match pages.last_mut() {
            Some((last, references)) if last.as_str() == base => references.push(reference),
            _ => pages.push((Base::new(base.as_str(), rules).unwrap(), vec![reference])),
        }
    }
    pages
}

/// Measures one base with its many references.
fn pages(c: &mut Criterion) {
    let pairs = pairs();
    let mut group = c.benchmark_group("page");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let resolved: Vec<String> =
        pairs.iter().map(|(base, reference)| relref::resolve(base, reference, Rules::RFC3986).unwrap()).collect();
    let mut out = String::new();
    group.bench_function("floor: copy the output", |b| {
        b.iter(|| {
            for text in &resolved {
                out.clear();
                out.push_str(black_box(text));
                black_box(&out);
            }
        });
    });
    for &rules in Rules::ALL {
        let pages = of_each_base(&pairs, rules);
        group.bench_function(BenchmarkId::new("resolve_into", rules), |b| {
            b.iter(|| {
                for (base, references) in &pages {
                    for reference in references {
                        out.clear();
                        base.resolve_into(black_box(reference), &mut out);
                        black_box(&out);
                    }
                }
            });
        });
    }
    let pages = of_each_base(&pairs, Rules::RFC3986);
    group.bench_function("all getters of the result", |b| {
        b.iter(|| {
            for (base, references) in &pages {
                for reference in references {
                    let result = base.resolve(black_box(reference));
                    black_box((result.scheme(), result.authority(), result.path(), result.query(), result.fragment()));
                }
            }
        });
    });
    let base = Base::new(&pairs[0].0, Rules::RFC3986).unwrap();
    group.bench_function("relativize", |b| {
        b.iter(|| {
            for text in &resolved {
                black_box(base.relativize(black_box(text)));
            }
        });
    });
    group.finish();
}

/// Measures a new base for each reference.
fn one_shot(c: &mut Criterion) {
    let pairs = pairs();
    let mut group = c.benchmark_group("one-shot");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let mut out = String::new();
    for &rules in Rules::ALL {
        group.bench_function(BenchmarkId::new("resolve_into", rules), |b| {
            b.iter(|| {
                for (base, reference) in &pairs {
                    out.clear();
                    Base::new(black_box(base), rules).unwrap().resolve_into(black_box(reference), &mut out);
                    black_box(&out);
                }
            });
        });
    }
    group.bench_function("split", |b| {
        b.iter(|| {
            for (base, _) in &pairs {
                black_box(UriRef::new(black_box(base)));
            }
        });
    });
    group.finish();
}

/// Measures long inputs of several shapes in two lengths. Twice the input should take twice the time, so the throughputs should be
/// equal.
fn long(c: &mut Criterion) {
    let mut group = c.benchmark_group("long");
    let mut out = String::new();
    let shapes = [
        ("parents", "a/", "../"),
        ("dots", "./", "./"),
        ("runs", "/./", "/./"),
        ("segments", "a/", "b/"),
        ("one", "a", "b"),
    ];
    for (rules, by) in [(Rules::RFC3986, "component"), (Rules::RFC1630, "level")] {
        for (name, base, reference) in shapes {
            for len in [1 << 19, 1 << 20] {
                let base = format!("http://h/{}", base.repeat(len / base.len()));
                let reference = reference.repeat(len / reference.len());
                group.throughput(Throughput::Bytes((base.len() + reference.len()) as u64));
                group.bench_function(BenchmarkId::new(format!("{by}/{name}"), len), |b| {
                    b.iter(|| {
                        out.clear();
                        Base::new(black_box(&base), rules).unwrap().resolve_into(&reference, &mut out);
                        black_box(&out);
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, pages, one_shot, long);
criterion_main!(benches);
