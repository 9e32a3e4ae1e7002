//! Keeps the URIs that a page links to, sorted and by host, and asks them for their parts.
//!
//! `cargo run --example uris`

use std::collections::{BTreeMap, BTreeSet};

use relref::{Base, Error, Rules, Uri};

fn main() -> Result<(), Error> {
    let page: Base = Base::new(String::from("https://example.com/docs/guide/"), Rules::RFC3986)?;
    let mut by_host: BTreeMap<String, BTreeSet<Uri<String>>> = BTreeMap::new();
    for reference in
        ["../api?q=a+b&lang=en", "//cdn.example.org:8443/x.js", "intro.html#top", "intro.html", "mailto:a@b"]
    {
        let uri = page.resolve(reference).into_uri();
        if let Some(host) = uri.host() {
            by_host.entry(host.to_string()).or_default().insert(uri);
        }
    }
    for (host, uris) in &by_host {
        println!("{host}");
        for uri in uris {
            let file = uri.file_name().unwrap_or_default();
            println!("  {uri}: port {:?}, file {file:?}", uri.port_or_known_default());
            for (name, value) in uri.query_pairs() {
                println!("    {name} is {value:?}");
            }
        }
    }
    let secure = Uri::parse("http://example.com/a?b")?.with_scheme("https")?.with_port(8443)?.with_query(None)?;
    println!("{secure}");
    let mut search: Uri = secure.with_segments(["find", "a/b"])?;
    search.append_query_pair("q", "C++ & more");
    println!("{search}");
    Ok(())
}
