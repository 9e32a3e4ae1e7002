//! Measures normalization for crawlers, next to the floor: copying the same bytes.
//!
//! `cargo bench --bench crawl`; `RELREF_URIS=FILE` takes the URIs of a file, one per line, instead of the built-in ones.

#![allow(missing_docs, reason = "criterion's macros write functions without them")]

use std::hint::black_box;
use std::{env, fs};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use relref::crawl::{Change, Normalizer, cdx_key_into};
use relref::{Base, Rules};

/// URIs as pages have them: in most, only the order of the parameters is not normal; some need more.
const URIS: [&str; 30] = [
    "https://en.wikipedia.org/wiki/Uniform_Resource_Identifier",
    "https://en.wikipedia.org/wiki/URL#Syntax",
    "https://en.wikipedia.org/w/index.php?title=URL&action=edit&section=1",
    "https://de.wikipedia.org/wiki/Stra%C3%9Fe",
    "https://github.com/rust-lang/rust/blob/master/library/core/src/option.rs",
    "https://github.com/rust-lang/rust/issues?q=is%3Aissue+is%3Aopen+label%3AA-docs&page=2",
    "https://doc.rust-lang.org/std/option/enum.Option.html#method.is_some",
    "https://doc.rust-lang.org/std/../book/ch01-01-installation.html",
    "https://www.example.com/",
    "http://www.example.com",
    "http://www.example.com:80/index.html",
    "https://www.example.com/products/shoes/running?color=blue&size=42&sort=price_asc&page=3",
    "https://www.example.com/blog/2024/05/how-to-write-a-crawler?utm_source=newsletter&utm_medium=email&utm_campaign=may",
    "https://shop.example.net/item/B00R1984DI?ref=sr_1_1&keywords=nexus+6&qid=1442514104&sr=1-1",
    "https://shop.example.net/cart/add?id=12345&quantity=1&return_to=%2Fcart",
    "https://news.example.org/2024/05/17/world/europe/article-title-goes-here.html?fbclid=IwAR0e807ix9JPTB_PwVoVw422Y7cXJ",
    "https://news.example.org/2024/05/17/world/europe/article-title-goes-here.html#comments",
    "https://forum.example.org/viewtopic.php?f=12&t=34567&start=20",
    "https://forum.example.org/viewtopic.php?t=34567&f=12&sid=0123456789abcdef0123456789abcdef",
    "https://video.example.com/watch?v=dQw4w9WgXcQ&list=PL0123456789&index=4&t=42s",
    "https://maps.example.com/maps/place/Berlin/@52.5069704,13.2846501,11z?hl=en",
    "https://cdn.example.com/assets/js/main.3f2a1b.js?v=20240517",
    "https://cdn.example.com/images/logo.svg",
    "https://fonts.example.com/css2?family=Roboto:wght@400;700&display=swap",
    "https://api.example.com/v1/search?q=relative%20references&limit=20&offset=40",
    "HTTPS://Example.COM/About/",
    "https://example.com/a/./b/../c/d.html",
    "https://example.com/~user/caf%c3%a9.html",
    "ftp://ftp.example.net/pub/docs/rfc/rfc1630.txt",
    "mailto:webmaster@example.com?subject=Broken%20link",
];

fn crawl(c: &mut Criterion) {
    let text = env::var("RELREF_URIS").map_or_else(|_| URIS.join("\n"), |file| fs::read_to_string(file).unwrap());
    let (safe, crawl) = (Normalizer::safe(), Normalizer::crawl());
    let uris: Vec<&str> = text.lines().filter(|uri| crawl.normalize(uri).is_ok()).collect();
    let forms: Vec<String> = uris.iter().map(|uri| crawl.normalize(uri).unwrap()).collect();
    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
    let more =
        [Change::DropWww, Change::DropSession, Change::DropIndex, Change::DropTrailingSlash, Change::CollapseSlashes];
    let more = more.into_iter().fold(crawl.clone(), Normalizer::with);
    let mut out = String::new();

    for (name, uris) in [("links", &uris), ("links that are normal", &forms)] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(uris.len() as u64));
        group.bench_function("floor: memcpy", |b| {
            b.iter(|| {
                for uri in uris {
                    out.clear();
                    out.push_str(black_box(uri));
                }
                out.len()
            });
        });
        for (name, normalizer) in [("safe", &safe), ("crawl", &crawl), ("crawl and more", &more)] {
            group.bench_function(name, |b| {
                b.iter(|| {
                    for uri in uris {
                        out.clear();
                        normalizer.normalize_into(black_box(uri), &mut out).unwrap();
                    }
                    out.len()
                });
            });
        }
        group.bench_function("crawl, resolving", |b| {
            let base = Base::new("https://www.example.com/docs/guide/", Rules::RFC3986).unwrap();
            b.iter(|| {
                for uri in uris {
                    out.clear();
                    crawl.resolve_into(&base, black_box(uri), &mut out).unwrap();
                }
                out.len()
            });
        });
        group.bench_function("crawl, surt", |b| {
            b.iter(|| {
                for uri in uris {
                    out.clear();
                    crawl.surt_into(black_box(uri), &mut out).unwrap();
                }
                out.len()
            });
        });
        group.bench_function("cdx", |b| {
            b.iter(|| {
                for uri in uris {
                    out.clear();
                    cdx_key_into(black_box(uri), &mut out).unwrap();
                }
                out.len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, crawl);
criterion_main!(benches);
