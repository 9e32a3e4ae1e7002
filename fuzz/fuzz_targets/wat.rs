//! The reader of WAT records: it ends on any bytes, reads all JSON, and gives the first links of a record that is cut.
//!
//! Input: options, and the JSON of a record. The options are those of the pages, and where the JSON is cut.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::whatwg::{Base, Url};
use relref_fuzz::options;
use relref_links::archive::wat_links;
use relref_links::html::{LinkBuf, Pages};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, json)) = options(input) else { return Corpus::Reject };
    let (whole, is_whole) = links(json, bits);
    assert!(is_whole || serde_json::from_slice::<serde_json::Value>(json).is_err());
    for link in &whole {
        assert!(link.rejected.is_some() || Url::parse(&link.uri).is_ok_and(|url| url == link.uri), "{link:?}");
    }
    // The base may come after the links, so only the references are the same.
    let cut = (bits >> 8) as usize % (json.len() + 1);
    let (start, _) = links(&json[..cut], bits);
    let text =
        |link: &LinkBuf| (link.element.clone(), link.attribute.clone(), link.reference.clone(), link.text.clone());
    let is_text = std::str::from_utf8(&json[..cut]).is_ok();
    assert!(!is_text || start.iter().map(text).eq(whole.iter().take(start.len()).map(text)), "{cut}");
    Corpus::Keep
});

/// Returns the links in the JSON of a record, and true if the JSON is complete.
fn links(json: &[u8], bits: u32) -> (Vec<LinkBuf>, bool) {
    let mut pages = Pages::new();
    (pages.options.lazy, pages.options.items) = (bits & 1 != 0, bits & 2 != 0);
    pages.options.max_text = if bits & 4 != 0 { 20 } else { 0 };
    let base = Base::new("http://example.com/a/b?c").unwrap();
    let (mut all, mut done) = (Vec::new(), Ok(()));
    let _ = pages.found_links(
        &base,
        |links| done = wat_links(json, links),
        |link| {
            all.push(LinkBuf::from(link));
            ControlFlow::<()>::Continue(())
        },
    );
    (all, done.is_ok())
}
