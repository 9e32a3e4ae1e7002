#![allow(missing_docs, dead_code)]
#[path = "../tests/rewrite/laws.rs"]
mod laws;
use relref::whatwg::Base;
use relref_links::rewrite::*;
use laws::*;
fn main() {
    let base = Base::new("http://h/a/b/c.html?q").unwrap();
    let mut n = 0;
    for path in std::io::stdin().lines() {
        let path = path.unwrap();
        let Ok(page) = std::fs::read(&path) else { continue };
        if page.len() > 300_000 { continue }
        n += 1;
        for (mode, maps, keep) in [(Mode::Absolute, vec![], false), (Mode::Relative, vec![], false), (Mode::Root, vec![], true), (Mode::Relative, vec![("http://h/a/", "https://n/x/")], false)] {
            let case = Case { mode, maps, keep_fragments: keep };
            let done = std::panic::catch_unwind(|| check(&page, None, &base, &case));
            if done.is_err() { println!("FAILED {path} {case:?}"); }
        }
    }
    println!("{n} pages");
}
