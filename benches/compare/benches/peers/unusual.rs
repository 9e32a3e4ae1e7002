//! The workloads of references that few pages have: to percent-encode, dense with dot segments, with more `../` than segments.

use std::hint::black_box;

use crate::contenders::{
    Ada, Contender, FluentUri, IriString, Oxiri, OxiriUnchecked, Rfc3986, StateMachine, Url, Whatwg,
};
use crate::measure::{Bench, Unit};

const BASE: &str = "https://example.com/docs/guide/2024/index.html";

/// Each has a character that browsers percent-encode.
const ENCODED: [&str; 16] = [
    "/wiki/Заглавная_страница",
    "https://ru.wikipedia.org/wiki/Москва#История",
    "Каталог/Книги и журналы.html",
    "/search?q=привет мир&lr=213",
    "../日本語/東京.html",
    "https://ja.wikipedia.org/wiki/日本",
    "/検索?キーワード=寿司",
    "#まとめ",
    "images/my photo 1.jpg",
    "../Annual Report <final>.pdf",
    "?q=\"exact phrase\"&page=2",
    "/templates/{id}/view|edit",
    "/straße/café.html",
    "./a b/../c d.html",
    "//cdn.example.org/Ünïcode/x.js",
    "/path?x={a}`b`#`c` d",
];
/// Repeated to references of 20 to 80 segments. Some climb, none beyond the root.
const DOTS: [&str; 4] = ["a/../b/./c/../", "./a/./b/../../c/", "segment/../", "a/b/../../"];

fn run<C: Contender>(bench: &mut Bench, workload: &'static str, base: &str, references: &[String]) {
    let mut out = String::with_capacity(4096);
    bench.run(workload, &C::name(), (references.len(), Unit::Reference), || {
        let base = C::base(black_box(base));
        for reference in references {
            out.clear();
            black_box(base.as_ref().map(|base| C::resolve_into(base, black_box(reference), &mut out)));
            black_box(&out);
        }
    });
}

pub fn encoded(bench: &mut Bench) {
    let references = ENCODED.map(String::from);
    run::<Whatwg>(bench, "encoded", BASE, &references);
    run::<StateMachine>(bench, "encoded", BASE, &references);
    run::<Url>(bench, "encoded", BASE, &references);
    run::<Ada>(bench, "encoded", BASE, &references);
}

pub fn dots(bench: &mut Bench) {
    let of_segments = |unit: &str, segments: usize| unit.repeat(segments / unit.matches('/').count()) + "x.html?y#z";
    let references: Vec<String> =
        DOTS.iter().flat_map(|unit| [20, 40, 60, 80].map(|segments| of_segments(unit, segments))).collect();
    all(bench, "dots", BASE, &references);
}

pub fn surplus(bench: &mut Bench) {
    let references = [4, 8, 16, 32, 64, 128].map(|parents| "../".repeat(parents) + "x");
    all(bench, "surplus", "http://h/a/b", &references);
}

fn all(bench: &mut Bench, workload: &'static str, base: &str, references: &[String]) {
    run::<Rfc3986>(bench, workload, base, references);
    run::<OxiriUnchecked>(bench, workload, base, references);
    run::<Oxiri>(bench, workload, base, references);
    run::<FluentUri>(bench, workload, base, references);
    run::<IriString>(bench, workload, base, references);
    run::<Whatwg>(bench, workload, base, references);
    run::<StateMachine>(bench, workload, base, references);
    run::<Url>(bench, workload, base, references);
    run::<Ada>(bench, workload, base, references);
}
