//! Measures the links of pages, next to the bare html5gum tokenizer, by its callback, on the same bytes.
//!
//! `RELREF_PAGES=FOLDER` reads every `.html` file in a folder and below it. Without it there is one generated page.

#![allow(missing_docs, reason = "criterion's macros write functions without them")]

use std::convert::Infallible;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::io::Cursor;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use html5gum::emitters::ForwardingEmitter;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, Span, Tokenizer};
use relref::whatwg::Base;
use relref_links::html::{Pages, links};

const URI: &str = "https://example.com/docs/guide/index.html";

/// Returns a page with a usual mix: a `head` element with scripts and styles, prose, lists, images, code.
fn made_page() -> Vec<u8> {
    let mut page = String::from(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A page</title>\
         <link rel=stylesheet href=/static/site.css><link rel='icon' href='/favicon.ico'><link rel=next href=2.html>\
         <style>body { margin: 0 auto; background: #fff url(/static/paper.png) } .nav > li { float: left }</style>\
         <script>for (var i = 0; i < 10; i++) { document.title += ' <a href=x>' }</script></head><body class='docs'>\n",
    );
    for section in 0..200 {
        let _ = write!(
            page,
            "<section id=\"section-{section}\" class=\"section level-2\"><h2><a class=\"anchor\" href=\"#section-{section}\">\
             Section {section} &amp; more</a></h2>\n<p class=\"lead\">Any input resolves, of any length, in linear time, \
             without a panic. Nothing is validated, trimmed or decoded on the way; see <a href=\"../api/{section}.html?a=1&amp;b=2\" \
             title=\"The reference\">the reference</a> for more, or <em>ask</em> <a href='mailto:a@example.com'>us</a>.</p>\n\
             <img src=\"/img/{section}.png\" srcset=\"/img/{section}.png 1x, /img/{section}@2x.png 2x\" alt=\"A figure\" width=300>\n\
             <ul class=\"list\"><li style=\"margin-left: 2em\">one</li><li data-index=\"2\">two</li><li>three</li></ul>\n\
             <pre><code><span class=\"kw\">let</span> base = <span class=\"ty\">Base</span>::new(<span class=\"st\">\"http://h/\"</span>);\
             </code></pre><!-- the end of section {section} --></section>\n"
        );
    }
    page.into_bytes()
}

/// Adds to `pages` all `.html` files in a folder and below it.
fn read(folder: &Path, pages: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(fs::read(&path).expect("a file that can be read"));
        }
    }
}

/// The emitter of html5gum that calls back and does nothing else. If `errors` is true, the tokenizer also looks for errors.
struct Bare<E> {
    emitter: E,
    errors: bool,
}

impl<E: Emitter<Token = Infallible>> ForwardingEmitter for Bare<E> {
    type Token = Infallible;

    #[inline]
    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.emitter
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        self.errors
    }
}

/// Reads a page with the bare tokenizer. If `errors` is true, it also looks for errors.
fn bare(page: &[u8], errors: bool) {
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        black_box(&event);
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(page, Bare { emitter, errors }).finish();
}

fn pages(c: &mut Criterion) {
    let mut pages = Vec::new();
    match std::env::var_os("RELREF_PAGES") {
        Some(folder) => read(Path::new(&folder), &mut pages),
        None => pages.push(made_page()),
    }
    let mut group = c.benchmark_group("html");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(pages.iter().map(|page| page.len() as u64).sum()));
    let (mut reader, base) = (Pages::new(), Base::new(URI).expect("the URI is valid"));
    for (name, errors) in [("html5gum alone", true), ("html5gum alone, no errors", false)] {
        group.bench_function(name, |b| b.iter(|| pages.iter().for_each(|page| bare(page, errors))));
    }
    group.bench_function("links", |b| {
        b.iter(|| {
            for page in &pages {
                reader.links(page, None, &base, |link| _ = black_box(link));
            }
        });
    });
    group.bench_function("links, owned", |b| {
        b.iter(|| pages.iter().map(|page| links(page, &base).unwrap().len()).sum::<usize>());
    });
    group.bench_function("links, streamed", |b| {
        b.iter(|| {
            for page in &pages {
                let each = |link: relref_links::html::Link<'_>| {
                    black_box(link);
                    Ok(())
                };
                reader.links_from(Cursor::new(page), None, &base, each).unwrap();
            }
        });
    });
    group.finish();
}

criterion_group!(benches, pages);
criterion_main!(benches);
