//! Fixed workloads whose instructions `.ci/speed` and `.ci/linear` count.
//!
//! `cargo bench --bench count -- page-rfc3986 100` runs one a hundred times, `-- climbs 1000` one of a thousand bytes. Without a
//! known name and a number, each runs once.

use std::env;
use std::hint::black_box;

use relref::{Base, Rules, Uri, UriRef};

const BASES: [&str; 3] = [
    "https://doc.rust-lang.org/std/option/enum.Option.html",
    "https://example.com/docs/guide/2024/getting-started/index.html",
    "https://web.archive.org/web/2020/http://example.com/a/b/index.html",
];
const REFERENCES: [&str; 14] = [
    "../../static.files/rustdoc-46f98efaafac5295.css",
    "../index.html",
    "index.html",
    "#method.is_some",
    "#impl-Clone-for-Option%3CT%3E",
    "../primitive.bool.html",
    "../../src/core/option.rs.html#571",
    "trait.Iterator.html#tymethod.next",
    "https://www.rust-lang.org/community",
    "https://github.com/rust-lang/rust/blob/master/README.md",
    "/g/rooted/path.html",
    "?page=2",
    "a/./b/../c.html",
    "//cdn.example.org/lib/x.js",
];
const WORKLOADS: [&str; 9] = [
    "floor",
    "page-rfc3986",
    "page-rfc1630",
    "one-shot-rfc3986",
    "one-shot-rfc1630",
    "relativize",
    "split",
    "components",
    "uri",
];

/// Workloads on long inputs.
const SHAPES: [&str; 2] = ["surplus-by-level", "climbs"];

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    match &args[..] {
        [workload, rounds, ..] if WORKLOADS.contains(&&**workload) => {
            run(workload, rounds.parse().expect("a number of rounds"));
        }
        [shape, len, ..] if SHAPES.contains(&&**shape) => long(shape, len.parse().expect("a length")),
        [list, ..] if list == "list" => println!("{} {}", BASES.len() * REFERENCES.len(), WORKLOADS.join(" ")),
        _ => {
            WORKLOADS.into_iter().for_each(|workload| run(workload, 1));
            SHAPES.into_iter().for_each(|shape| long(shape, 1));
        }
    }
}

/// Resolves references that together are as long as their base. `len` is in bytes.
fn long(shape: &str, len: usize) {
    let surplus = Rules { drop_surplus: true, ..Rules::RFC1630 };
    let (base, rules, reference, count) = match shape {
        // Each `..` meets the same segment, which cannot be removed.
        "surplus-by-level" => (format!("f:a//{}/b", "a".repeat(len)), surplus, "../".repeat(len / 3), 1),
        // More `../` than the base has prepared cuts for, across a long segment.
        _ => (
            format!("http://h/{}/b/c/d/e", "a".repeat(len)),
            Rules::RFC3986,
            String::from("../../../../../g"),
            len / 16,
        ),
    };
    let base = Base::new(&base, rules).expect("absolute");
    let mut out = String::new();
    for _ in 0..count {
        out.clear();
        base.resolve_into(black_box(&reference), &mut out);
        black_box(&out);
    }
}

/// Runs a workload. Each reference comes with its base, its result and a buffer.
fn run(workload: &str, rounds: usize) {
    match workload {
        "floor" => each(rounds, Rules::RFC3986, |_, _, uri, out| out.push_str(uri)),
        "page-rfc3986" => each(rounds, Rules::RFC3986, |base, reference, _, out| base.resolve_into(reference, out)),
        "page-rfc1630" => each(rounds, Rules::RFC1630, |base, reference, _, out| base.resolve_into(reference, out)),
        "one-shot-rfc3986" => each(rounds, Rules::RFC3986, |base, reference, _, out| {
            Base::new(black_box(base.as_str()), Rules::RFC3986).expect("absolute").resolve_into(reference, out);
        }),
        "one-shot-rfc1630" => each(rounds, Rules::RFC1630, |base, reference, _, out| {
            Base::new(black_box(base.as_str()), Rules::RFC1630).expect("absolute").resolve_into(reference, out);
        }),
        "components" => each(rounds, Rules::RFC3986, |base, reference, _, _| {
            let result = base.resolve(reference);
            black_box((result.scheme(), result.authority(), result.path(), result.query(), result.fragment()));
        }),
        "uri" => each(rounds, Rules::RFC3986, |_, _, uri, out| {
            let text = std::mem::take(out) + uri;
            let uri = black_box(Uri::parse(text).expect("absolute"));
            *out = uri.into_inner();
        }),
        "relativize" => each(rounds, Rules::RFC3986, |base, _, uri, _| drop(black_box(base.relativize(uri)))),
        _ => each(rounds, Rules::RFC3986, |_, _, uri, _| {
            black_box(UriRef::new(uri));
        }),
    }
}

/// Calls `work` for all references with all bases, `rounds` times. The preparation costs the same for any number of rounds.
fn each(rounds: usize, rules: Rules, mut work: impl FnMut(&Base<&str>, &str, &str, &mut String)) {
    let bases = BASES.map(|base| Base::new(base, rules).expect("absolute"));
    let resolved: Vec<Vec<String>> =
        bases.iter().map(|base| REFERENCES.map(|reference| base.resolve(reference).into()).to_vec()).collect();
    let mut out = String::with_capacity(4096);
    for _ in 0..rounds {
        for (base, resolved) in bases.iter().zip(&resolved) {
            for (reference, uri) in REFERENCES.iter().zip(resolved) {
                out.clear();
                work(base, black_box(reference), black_box(uri), &mut out);
                black_box(&out);
            }
        }
    }
}
