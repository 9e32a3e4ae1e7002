//! Short natural uses of the library, by what a user wants.

use std::error::Error as StdError;
use std::ops::ControlFlow;

use relref::{Base, Rules, whatwg};
use relref_links::html::{self, Pages};

type Tested = Result<(), Box<dyn StdError>>;

#[test]
fn stop_at_the_first_link() -> Tested {
    let (mut pages, base) = (Pages::new(), Base::new("http://h/a", Rules::RFC3986)?);
    let mut count = 0;
    let first = pages.try_links(b"<p><a href=b><a href=c><a href=d>", None, &base, |link| {
        count += 1;
        if link.reference == "c" { ControlFlow::Break(link.uri.to_string()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((first.break_value().as_deref(), count), (Some("http://h/c"), 2));
    assert!(pages.try_links(b"<p>", None, &base, |_| ControlFlow::Break(())).is_continue());
    Ok(())
}

#[test]
fn all_links_of_a_page() -> Tested {
    let page = "<base href=/x/><a href=b rel=nofollow>b</a>";
    let links = html::links(page, "http://h/a")?;
    assert_eq!((links.len(), links[0].uri.as_str(), links[0].nofollow()), (1, "http://h/x/b", true));
    assert_eq!(links, html::links(page.as_bytes(), &whatwg::Base::new("http://h/a")?)?);
    assert_eq!(links, html::links(page, &Base::new("http://h/a", Rules::RFC3986)?)?);
    assert_eq!(html::links(page, "h/a".to_owned()).unwrap_err().kind(), whatwg::ErrorKind::MissingSchemeNonRelativeUrl);
    Ok(())
}

#[cfg(feature = "serde")]
#[test]
fn links_in_json() -> Tested {
    let found = html::links("<a href=b><a href=//h:99999>", "http://h/a")?;
    let json = serde_json::to_string(&found)?;
    assert_eq!(serde_json::from_str::<Vec<html::LinkBuf>>(&json)?, found);
    assert!(json.contains(r#""kind":"hyperlink""#), "{json}");
    assert!(json.contains(r#""rejected":{"invalid":{"kind":"port-out-of-range","position":4}}"#), "{json}");
    Ok(())
}
