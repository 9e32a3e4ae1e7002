//! The workloads: what each contender does in each of them.

use std::hint::black_box;

use cpu_time::ThreadTime;

use crate::contenders::{
    Ada, Contender, FluentUri, IriString, Oxiri, OxiriUnchecked, Relativizer, Relref, Rfc1630, Rfc3986, StateMachine,
    Url, Whatwg,
};
use crate::measure::{Bench, FLOOR, Unit};
use crate::pairs::{Link, Pairs, packed};

/// Resolves the references of each base, one after another. Each result goes into the same buffer.
pub fn page(bench: &mut Bench, pairs: &Pairs) {
    fn run<C: Contender>(bench: &mut Bench, pairs: &Pairs) {
        let mut out = String::with_capacity(4096);
        bench.run("page", &C::name(), references(pairs), || {
            for page in &pairs.pages {
                let base = C::base(black_box(page.base));
                for link in &page.links {
                    out.clear();
                    black_box(base.as_ref().map(|base| C::resolve_into(base, black_box(link.reference), &mut out)));
                    black_box(&out);
                }
            }
        });
    }
    let mut out = String::with_capacity(4096);
    bench.run("page", FLOOR, references(pairs), || {
        for link in pairs.pages.iter().flat_map(|page| &page.links) {
            out.clear();
            out.push_str(black_box(link.uri));
            black_box(&out);
        }
    });
    // A resolver has to write at least this: a piece of the base, and a piece of the reference.
    let pieces = |link: &Link| {
        let common = link.uri.bytes().rev().zip(link.reference.bytes().rev()).take_while(|(a, b)| a == b).count();
        let (from_base, from_reference) = link.uri.split_at(link.uri.len() - common);
        [from_base, from_reference]
    };
    let pieces = packed(pairs.pages.iter().flat_map(|page| &page.links).flat_map(pieces));
    bench.run("page", "floor, in two pieces", references(pairs), || {
        for pieces in pieces.chunks_exact(2) {
            out.clear();
            out.push_str(black_box(pieces[0]));
            out.push_str(black_box(pieces[1]));
            black_box(&out);
        }
    });
    run::<Rfc3986>(bench, pairs);
    run::<Rfc1630>(bench, pairs);
    run::<Relref<0>>(bench, pairs);
    run::<Relref<1>>(bench, pairs);
    run::<Relref<3>>(bench, pairs);
    run::<Relref<4>>(bench, pairs);
    run::<OxiriUnchecked>(bench, pairs);
    run::<Oxiri>(bench, pairs);
    run::<FluentUri>(bench, pairs);
    run::<IriString>(bench, pairs);
    run::<Whatwg>(bench, pairs);
    run::<StateMachine>(bench, pairs);
    run::<Url>(bench, pairs);
    run::<Ada>(bench, pairs);
}

/// Does what [`page`] does with pages that link mostly to other hosts: three of four references are replaced by URIs of such hosts.
pub fn other_hosts(bench: &mut Bench, pairs: &Pairs) {
    fn run<C: Contender>(bench: &mut Bench, pages: &[(&str, Vec<&str>)], count: usize) {
        let mut out = String::with_capacity(4096);
        bench.run("other hosts", &C::name(), (count, Unit::Reference), || {
            for (base, references) in pages {
                let base = C::base(black_box(base));
                for reference in references {
                    out.clear();
                    black_box(base.as_ref().map(|base| C::resolve_into(base, black_box(reference), &mut out)));
                    black_box(&out);
                }
            }
        });
    }
    let elsewhere =
        |(number, link): (usize, Link)| match link.uri.split("//").nth(1).and_then(|rest| rest.split_once('/')) {
            Some((_, path)) if number % 4 > 0 => format!("https://www.site-{}.example/{path}", number % 97),
            _ => String::from(link.reference),
        };
    let mut references = packed(pairs.links().map(|(_, link)| link).enumerate().map(elsewhere)).into_iter();
    let pages: Vec<(&str, Vec<&str>)> =
        pairs.pages.iter().map(|page| (page.base, references.by_ref().take(page.links.len()).collect())).collect();
    let (count, _) = self::references(pairs);
    run::<Rfc3986>(bench, &pages, count);
    run::<Whatwg>(bench, &pages, count);
    run::<StateMachine>(bench, &pages, count);
    run::<Url>(bench, &pages, count);
    run::<Ada>(bench, &pages, count);
}

/// Does what [`page`] does, but each result is a new string.
pub fn page_new(bench: &mut Bench, pairs: &Pairs) {
    fn run<C: Contender>(bench: &mut Bench, pairs: &Pairs) {
        bench.run("page, new String", &C::name(), references(pairs), || {
            for page in &pairs.pages {
                let base = C::base(black_box(page.base));
                for link in &page.links {
                    black_box(base.as_ref().and_then(|base| C::resolve(base, black_box(link.reference))));
                }
            }
        });
    }
    bench.run("page, new String", FLOOR, references(pairs), || {
        for link in pairs.pages.iter().flat_map(|page| &page.links) {
            black_box(String::from(black_box(link.uri)));
        }
    });
    run::<Rfc3986>(bench, pairs);
    run::<OxiriUnchecked>(bench, pairs);
    run::<Oxiri>(bench, pairs);
    run::<FluentUri>(bench, pairs);
    run::<IriString>(bench, pairs);
    run::<Whatwg>(bench, pairs);
    run::<Url>(bench, pairs);
    run::<Ada>(bench, pairs);
}

/// Resolves each reference with a new base. Each result goes into the same buffer.
pub fn one_shot(bench: &mut Bench, pairs: &Pairs) {
    let pairs = pairs.one_by_one();
    fn run<C: Contender>(bench: &mut Bench, pairs: &[(&str, Link)]) {
        let mut out = String::with_capacity(4096);
        bench.run("one-shot", &C::name(), (pairs.len(), Unit::Reference), || {
            for (base, link) in pairs {
                out.clear();
                black_box(C::resolve_once_into(black_box(base), black_box(link.reference), &mut out));
                black_box(&out);
            }
        });
    }
    let mut out = String::with_capacity(4096);
    bench.run("one-shot", FLOOR, (pairs.len(), Unit::Reference), || {
        for (_, link) in &pairs {
            out.clear();
            out.push_str(black_box(link.uri));
            black_box(&out);
        }
    });
    run::<Rfc3986>(bench, &pairs);
    run::<Rfc1630>(bench, &pairs);
    run::<OxiriUnchecked>(bench, &pairs);
    run::<Oxiri>(bench, &pairs);
    run::<FluentUri>(bench, &pairs);
    run::<IriString>(bench, &pairs);
    run::<Whatwg>(bench, &pairs);
    run::<Url>(bench, &pairs);
    run::<Ada>(bench, &pairs);
}

/// Relativizes the URIs to which the references of a page resolve. The floor copies the references that relref returns.
pub fn relativize(bench: &mut Bench, pairs: &Pairs) {
    fn run<C: Relativizer>(bench: &mut Bench, pairs: &Pairs) {
        bench.run("relativize", &C::name(), references(pairs), || {
            for page in &pairs.pages {
                let base = C::base(black_box(page.base));
                for link in &page.links {
                    black_box(base.as_ref().and_then(|base| C::relativize(base, black_box(link.uri))));
                }
            }
        });
    }
    let relative = |(base, link): (&str, Link)| {
        Rfc3986::relativize(&Rfc3986::base(base)?, link.uri).map(|reference| reference.into_owned())
    };
    let relative: Vec<String> = pairs.links().filter_map(relative).collect();
    let mut out = String::with_capacity(4096);
    bench.run("relativize", FLOOR, references(pairs), || {
        for reference in &relative {
            out.clear();
            out.push_str(black_box(reference));
            black_box(&out);
        }
    });
    run::<Rfc3986>(bench, pairs);
    run::<Rfc1630>(bench, pairs);
    run::<OxiriUnchecked>(bench, pairs);
    run::<Oxiri>(bench, pairs);
    run::<Whatwg>(bench, pairs);
    run::<Url>(bench, pairs);
}

/// Returns notes for each contender that relativizes: how long its references are, and how many do not resolve back.
pub fn references_made(pairs: &Pairs) -> Vec<String> {
    fn of<C: Relativizer>(pairs: &Pairs) -> String {
        let (mut bytes, mut wrong, mut none) = (0, 0, 0);
        for (base, link) in pairs.links() {
            let Some(base) = C::base(base) else { continue };
            match C::relativize(&base, link.uri) {
                Some(reference) => {
                    bytes += reference.as_ref().len();
                    wrong +=
                        usize::from(C::resolve(&base, reference.as_ref()).is_none_or(|uri| C::text(&uri) != link.uri));
                }
                None => {
                    bytes += link.uri.len();
                    none += 1;
                }
            }
        }
        let mean = bytes as f64 / pairs.links().count() as f64;
        format!("relativize: {}: {mean:.1} bytes a reference, {none} not made, {wrong} that lead elsewhere", C::name())
    }
    vec![of::<Rfc3986>(pairs), of::<Rfc1630>(pairs), of::<Oxiri>(pairs), of::<Url>(pairs)]
}

/// Splits absolute URIs. The floor reads each once.
pub fn split(bench: &mut Bench, pairs: &Pairs) {
    fn run<C: Contender>(bench: &mut Bench, pairs: &Pairs) {
        bench.run("split", &C::name(), references(pairs), || {
            for link in pairs.pages.iter().flat_map(|page| &page.links) {
                black_box(C::split(black_box(link.uri)));
            }
        });
    }
    bench.run("split", FLOOR, references(pairs), || {
        for link in pairs.pages.iter().flat_map(|page| &page.links) {
            black_box(memchr::memchr(b'\0', black_box(link.uri.as_bytes())));
        }
    });
    run::<Rfc3986>(bench, pairs);
    run::<OxiriUnchecked>(bench, pairs);
    run::<Oxiri>(bench, pairs);
    run::<FluentUri>(bench, pairs);
    run::<IriString>(bench, pairs);
    run::<Url>(bench, pairs);
    run::<Ada>(bench, pairs);
}

/// Resolves a reference of a megabyte with a base of a megabyte, in several shapes. The floor copies both, since the output may be
/// short. Returns notes: which contenders give another result, and which are left out because their time is quadratic.
pub fn long(bench: &mut Bench) -> Vec<String> {
    fn text<C: Contender>(base: &str, reference: &str) -> Option<String> {
        Some(C::text(&C::resolve(&C::base(base)?, reference)?).to_string())
    }
    fn run<C: Contender>(bench: &mut Bench, shape: &'static str, base: &str, reference: &str) -> Option<String> {
        let start = ThreadTime::now();
        black_box(text::<C>(black_box(&base[..base.len() / 16]), black_box(&reference[..reference.len() / 16])));
        let time = start.elapsed().as_millis();
        if time > 100 {
            return Some(format!(
                "{shape}: {} is left out: it needs {time} ms for a sixteenth of the length.",
                C::name()
            ));
        }
        let mut out = String::with_capacity(1 << 22);
        let bytes = base.len() + reference.len();
        bench.run(shape, &C::name(), (bytes, Unit::Byte), || {
            out.clear();
            black_box(C::base(black_box(base)).map(|base| C::resolve_into(&base, black_box(reference), &mut out)));
            black_box(&out);
        });
        let differs = text::<C>(base, reference) != text::<Rfc3986>(base, reference);
        differs.then(|| format!("{shape}: {} refuses or differs.", C::name()))
    }
    let mut report = Vec::new();
    let shapes = [
        ("long, climbs", "a/", "../"),
        ("long, dots", "./", "./"),
        ("long, slashes and dots", "a/", "/./"),
        ("long, segments", "a/", "b/"),
        ("long, one segment", "a", "b"),
    ];
    for (shape, base, reference) in shapes {
        let base = &format!("http://h/{}", base.repeat((1 << 20) / base.len()));
        let reference = &reference.repeat((1 << 20) / reference.len());
        let mut out = String::with_capacity(1 << 22);
        bench.run(shape, FLOOR, (base.len() + reference.len(), Unit::Byte), || {
            out.clear();
            out.push_str(black_box(base));
            out.push_str(black_box(reference));
            black_box(&out);
        });
        report.extend(
            [
                run::<Rfc3986>(bench, shape, base, reference),
                run::<Rfc1630>(bench, shape, base, reference),
                run::<OxiriUnchecked>(bench, shape, base, reference),
                run::<Oxiri>(bench, shape, base, reference),
                run::<FluentUri>(bench, shape, base, reference),
                run::<IriString>(bench, shape, base, reference),
                run::<Url>(bench, shape, base, reference),
                run::<Ada>(bench, shape, base, reference),
            ]
            .into_iter()
            .flatten(),
        );
    }
    report
}

fn references(pairs: &Pairs) -> (usize, Unit) {
    (pairs.links().count(), Unit::Reference)
}
