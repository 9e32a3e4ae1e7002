//! Fixed workloads whose instructions `.ci/speed` and `.ci/linear` count.
//!
//! `cargo bench --bench count -- page-rfc3986 100` runs one a hundred times, `-- surplus-by-level 1000` one of a thousand bytes. Without a
//! known name and a number, each runs once.

use std::hint::black_box;
use std::{array, env};

use relref::crawl::{Normalizer, cdx_key_into};
use relref::{Base, Rules, Uri, UriRef, whatwg};

const BASES: [&str; 3] = [
    "https://doc.rust-lang.org/std/option/enum.Option.html",
    "https://example.com/docs/guide/2024/getting-started/index.html",
    "https://web.archive.org/web/2020/http://example.com/a/b/index.html",
];
/// Of the links of real pages, one in thousands has a dot segment after its leading ones: the workloads of dots are for those.
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
    "./assets/logo.svg",
    "//cdn.example.org/lib/x.js",
];
/// References of a page that links mostly to other hosts.
const OTHER_HOSTS: [&str; 14] = [
    "https://www.rust-lang.org/community",
    "https://github.com/rust-lang/rust/blob/master/README.md",
    "//cdn.example.org/lib/x.js",
    "http://www.example.de/",
    "https://en.wikipedia.org/wiki/Uniform_Resource_Identifier#Syntax",
    "https://blog.example.net:8080/2024/11/a-post?utm_source=feed",
    "index.html",
    "https://www.w3.org/TR/html52/links.html",
    "mailto:someone@example.com",
    "https://example.jp",
    "https://fonts.example.com/css?family=Open+Sans:400,700",
    "/g/rooted/path.html",
    "https://de.example.org/wiki/K%C3%B6ln",
    "#top",
];
/// References with characters that browsers percent-encode.
const ENCODED: [&str; 14] = [
    "/wiki/Заглавная_страница",
    "https://ru.wikipedia.org/wiki/Москва#История",
    "Каталог/Книги и журналы.html",
    "/search?q=привет мир&lr=213",
    "../日本語/東京.html",
    "https://ja.wikipedia.org/wiki/日本",
    "#まとめ",
    "images/my photo 1.jpg",
    "../Annual Report <final>.pdf",
    "?q=\"exact phrase\"&page=2",
    "/templates/{id}/view|edit",
    "/straße/café.html",
    "./a b/../c d.html",
    "//cdn.example.org/Ünïcode/x.js",
];
/// Repeated to references of 20 to 80 segments, which do not climb beyond the root.
const DOTS: [&str; 4] = ["a/../b/./c/../", "./a/./b/../../c/", "segment/../", "a/b/../../"];
/// The parts that the long bases and references of the long workloads repeat: segments, parents and dots. There are as many pairs
/// as [`BASES`].
const LONG: [(&str, &str); BASES.len()] = [("a/", "b/"), ("a/", "../"), ("./", "./")];
const WORKLOADS: [&str; 25] = [
    "floor",
    "page-rfc3986",
    "page-rfc1630",
    "one-shot-rfc3986",
    "one-shot-rfc1630",
    "relativize",
    "split",
    "components",
    "uri",
    "page-whatwg",
    "other-hosts-whatwg",
    "one-shot-whatwg",
    "complete-whatwg",
    "normalize-safe",
    "normalize-crawl",
    "key-surt",
    "key-cdx",
    "long-rfc3986",
    "long-rfc1630",
    "encoded-whatwg",
    "encoded-complete",
    "dots-rfc3986",
    "dots-rfc1630",
    "dots-whatwg",
    "surplus-rfc3986",
];

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    match &args[..] {
        [workload, rounds, ..] if WORKLOADS.contains(&&**workload) => {
            run(workload, rounds.parse().expect("a number of rounds"));
        }
        [shape, len, ..] if shape == "surplus-by-level" => surplus_by_level(len.parse().expect("a length")),
        [list, ..] if list == "list" => println!("{} {}", BASES.len() * REFERENCES.len(), WORKLOADS.join(" ")),
        _ => {
            WORKLOADS.into_iter().for_each(|workload| run(workload, 1));
            surplus_by_level(1);
        }
    }
}

/// Resolves a long reference against a long base, both of `len` bytes: each `..` meets the same segment, which cannot be removed.
fn surplus_by_level(len: usize) {
    let base = format!("f:a//{}/b", "a".repeat(len));
    let base = Base::new(&base, Rules { drop_surplus: true, ..Rules::RFC1630 }).expect("absolute");
    black_box(base.resolve(black_box(&"../".repeat(len / 3))).to_string());
}

/// A base, prepared by a rule set and by browsers' rules.
struct Bases {
    base: Base,
    whatwg: whatwg::Base,
}

/// Runs the workload with this name, `rounds` times. The work for each reference gets its bases, the reference, its result and a
/// buffer.
fn run(workload: &str, rounds: usize) {
    match workload {
        "floor" => page(rounds, |_, _, uri, out| out.push_str(uri)),
        "page-rfc3986" => page(rounds, |bases, reference, _, out| bases.base.resolve_into(reference, out)),
        "page-rfc1630" => each(rounds, Rules::RFC1630, &REFERENCES, |bases, reference, _, out| {
            bases.base.resolve_into(reference, out);
        }),
        "one-shot-rfc3986" => page(rounds, |bases, reference, _, out| {
            relref::resolve_into(black_box(bases.base.as_str()), reference, Rules::RFC3986, out).expect("absolute");
        }),
        "one-shot-rfc1630" => each(rounds, Rules::RFC1630, &REFERENCES, |bases, reference, _, out| {
            relref::resolve_into(black_box(bases.base.as_str()), reference, Rules::RFC1630, out).expect("absolute");
        }),
        "components" => page(rounds, |bases, reference, _, _| {
            let result = bases.base.resolve(reference);
            black_box((result.scheme(), result.authority(), result.path(), result.query(), result.fragment()));
        }),
        "uri" => page(rounds, |_, _, uri, out| {
            let text = std::mem::take(out) + uri;
            let uri = black_box(Uri::new(text).expect("absolute"));
            *out = uri.into_inner();
        }),
        "relativize" => page(rounds, |bases, _, uri, _| drop(black_box(bases.base.relativize(uri)))),
        "page-whatwg" => page(rounds, |bases, reference, _, out| {
            bases.whatwg.resolve_into(reference, out).expect("valid");
        }),
        "other-hosts-whatwg" => each(rounds, Rules::RFC3986, &OTHER_HOSTS, |bases, reference, _, out| {
            bases.whatwg.resolve_into(reference, out).expect("valid");
        }),
        "one-shot-whatwg" => page(rounds, |bases, reference, _, out| {
            whatwg::resolve_into(black_box(bases.base.as_str()), reference, out).expect("valid");
        }),
        "complete-whatwg" => page(rounds, |bases, reference, _, out| {
            bases.whatwg.resolve_by_states(reference, out).expect("valid");
        }),
        "normalize-safe" => {
            let normalizer = Normalizer::safe();
            each(rounds, Rules::RFC3986, &OTHER_HOSTS, |_, _, uri, out| {
                normalizer.normalize_into(uri, out).expect("valid")
            });
        }
        "normalize-crawl" => {
            let normalizer = Normalizer::crawl();
            each(rounds, Rules::RFC3986, &OTHER_HOSTS, |_, _, uri, out| {
                normalizer.normalize_into(uri, out).expect("valid")
            });
        }
        "key-surt" => {
            let normalizer = Normalizer::crawl();
            each(rounds, Rules::RFC3986, &OTHER_HOSTS, |_, _, uri, out| normalizer.surt_into(uri, out).expect("valid"));
        }
        "key-cdx" => each(rounds, Rules::RFC3986, &OTHER_HOSTS, |_, _, uri, out| {
            cdx_key_into(uri, out).expect("valid");
        }),
        "long-rfc3986" | "long-rfc1630" => {
            let rules = if workload == "long-rfc1630" { Rules::RFC1630 } else { Rules::RFC3986 };
            let pairs =
                LONG.map(|(base, reference)| (format!("http://h/{}", base.repeat(2048)), reference.repeat(1024)));
            let mut out = String::new();
            for (base, reference) in (0..rounds * REFERENCES.len()).flat_map(|_| &pairs) {
                out.clear();
                Base::new(black_box(&**base), rules).expect("absolute").resolve_into(reference, &mut out);
                black_box(&out);
            }
        }
        "encoded-whatwg" => each(rounds, Rules::RFC3986, &ENCODED, |bases, reference, _, out| {
            bases.whatwg.resolve_into(reference, out).expect("valid");
        }),
        "encoded-complete" => each(rounds, Rules::RFC3986, &ENCODED, |bases, reference, _, out| {
            bases.whatwg.resolve_by_states(reference, out).expect("valid");
        }),
        "dots-rfc3986" | "dots-rfc1630" | "dots-whatwg" | "surplus-rfc3986" => dots(workload, rounds),
        _ => page(rounds, |_, _, uri, _| {
            black_box(UriRef::new(uri));
        }),
    }
}

/// Resolves references that are dense with dot segments: the units of [`DOTS`], or `../` beyond the root.
fn dots(workload: &str, rounds: usize) {
    let references: [String; 14] = array::from_fn(|at| {
        let unit = if workload.starts_with("surplus") { "../" } else { DOTS[at % DOTS.len()] };
        unit.repeat((20 + 60 * at / 13) / unit.matches('/').count()) + "x.html"
    });
    let references = references.each_ref().map(String::as_str);
    let rules = if workload.ends_with("rfc1630") { Rules::RFC1630 } else { Rules::RFC3986 };
    each(rounds, rules, &references, |bases, reference, _, out| match workload {
        "dots-whatwg" => bases.whatwg.resolve_into(reference, out).expect("valid"),
        _ => bases.base.resolve_into(reference, out),
    });
}

/// Calls `work` for each of [`REFERENCES`] with each base, `rounds` times. The bases are prepared by RFC 3986.
fn page(rounds: usize, work: impl Fn(&Bases, &str, &str, &mut String)) {
    each(rounds, Rules::RFC3986, &REFERENCES, work);
}

/// Calls `work` for each reference with each base, `rounds` times. The bases are prepared only once, by `rules`.
fn each<const N: usize>(
    rounds: usize,
    rules: Rules,
    references: &[&str; N],
    work: impl Fn(&Bases, &str, &str, &mut String),
) {
    let bases = BASES.map(|base| Bases {
        base: Base::new(base, rules).expect("absolute"),
        whatwg: whatwg::Base::new(base).expect("valid"),
    });
    let resolved: Vec<Vec<String>> = bases
        .iter()
        .map(|bases| references.iter().map(|reference| bases.base.resolve(reference).into()).collect())
        .collect();
    let mut out = String::with_capacity(4096);
    for _ in 0..rounds {
        for (bases, resolved) in bases.iter().zip(&resolved) {
            for (reference, uri) in references.iter().zip(resolved) {
                out.clear();
                work(bases, black_box(reference), black_box(uri), &mut out);
                black_box(&out);
            }
        }
    }
}
