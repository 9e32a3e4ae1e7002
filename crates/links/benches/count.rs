//! Fixed pages whose instructions `.ci/speed` counts, like `benches/count.rs` of the engine.
//!
//! `cargo bench --package relref-links --bench count -- pages 100` reads the page of that workload a hundred times.

use std::env;
use std::hint::black_box;

use relref::whatwg::Base;
use relref_links::html::{Options, Pages};

const WORKLOADS: [&str; 4] = ["pages", "pages-cyrillic", "pages-text-places", "pages-small"];
/// Of each round of each workload.
const LINKS: usize = 700;

/// 435 bytes with seven links.
const SMALL: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>Page 0000</title>
<link rel=\"stylesheet\" href=\"../style.css\">
</head>
<body>
<ul>
<li><a href=\"index.html\">Home</a></li>
<li><a href=\"../about.html\">About</a></li>
<li><a href=\"page1.html#top\">Next</a></li>
<li><a href=\"https://example.com/x?y=1\">Out</a></li>
</ul>
<p><img src=\"images/logo.png\" alt=\"logo\"> See  <a href=\"#notes\">the notes</a>.</p>
</body>
</html>
";

/// A page with 700 links, in markup such as rustdoc writes.
fn page(texts: [&str; 2]) -> String {
    let [title, text] = texts;
    let head =
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"></head><body class=\"rustdoc struct\"><main>";
    let sections = (0..LINKS / 7).map(|number| {
        format!(
            "<details class=\"toggle method-toggle\" open><summary><section id=\"method.{number}\" class=\"method\">\
             <a class=\"src rightside\" href=\"../../src/core/option.rs.html#{number}\">{title}</a><a href=\"#method.{number}\" \
             class=\"anchor\">§</a><h4 class=\"code-header\">pub fn <a href=\"#method.{number}\" class=\"fn\">f</a>(self, \
             <span class=\"kw\">mut</span> x: &amp;<a class=\"primitive\" href=\"../primitive.bool.html\" title=\"{title}\">bool</a>)\
             </h4></section></summary><div class=\"docblock\"><p>{text} <a href=\"https://en.wikipedia.org/wiki/Type?x=1&amp;y=2\">\
             {title}</a> <code>Some</code>.<br>{text}</p>\n<pre><code><span class=\"comment\">// {text}</span></code></pre>\
             <img src=\"img/{number}.svg\" alt=\"{title}\" width=300 data-src=x><a data-page='{number}' href='a b/{title}.html'>{title}</a>\
             </div></details>\n"
        )
    });
    sections.fold(String::from(head), |page, section| page + &section)
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    match &args[..] {
        [workload, rounds, ..] if WORKLOADS.contains(&&**workload) => {
            run(workload, rounds.parse().expect("a number of rounds"));
        }
        [list, ..] if list == "list" => println!("{LINKS} {}", WORKLOADS.join(" ")),
        _ => WORKLOADS.into_iter().for_each(|workload| run(workload, 1)),
    }
}

fn run(workload: &str, rounds: usize) {
    let english = [
        "Source",
        "Returns the contained value, consuming the <code>self</code> value, without checking that it is not that.",
    ];
    let cyrillic =
        ["Глава", "Возвращает значение, которое в нём хранится, и не проверяет, что это <code>оно</code> и есть."];
    let (page, times) = match workload {
        "pages-small" => (String::from(SMALL), LINKS / 7),
        "pages-cyrillic" => (page(cyrillic), 1),
        _ => (page(english), 1),
    };
    let (max_text, places) = if workload == "pages-text-places" { (1000, true) } else { (0, false) };
    let mut pages = Pages::with(Options { max_text, places, ..Options::default() });
    let base = Base::new("https://doc.example.org/std/option/enum.Option.html").expect("absolute");
    let mut count = 0;
    for _ in 0..rounds * times {
        pages.links(black_box(page.as_bytes()), None, &base, |link| {
            black_box(link.uri);
            count += 1;
        });
    }
    assert_eq!(count, rounds * LINKS, "{workload}");
}
