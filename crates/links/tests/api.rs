//! Short natural uses of the library, by what a user wants.

use std::error::Error as StdError;
use std::ops::ControlFlow;

use relref::{Base, Rules, whatwg};
use relref_links::html::{self, Options, Pages};

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

/// What does not resolve is no link, unless it is asked for: no crawler would fetch `http:`.
#[test]
fn a_rejected_link_is_no_link() -> Tested {
    let (page, base) =
        ("<a href='http://[x/'>x</a> <a href=b>b</a> <a href=//h:99999>", whatwg::Base::new("http://h/a")?);
    let uris: Vec<String> = html::links(page, &base)?.into_iter().map(|link| link.uri).collect();
    assert_eq!(uris, ["http://h/b"]);
    for (rejected, expected) in
        [(false, &[(true, "http://h/b")][..]), (true, &[(false, ""), (true, "http://h/b"), (false, "")])]
    {
        let mut pages = Pages::with(Options { rejected, max_text: 9, ..Options::default() });
        let mut found = Vec::new();
        pages.links(page, None, &base, |link| found.push((link.is_fetchable(), link.uri.to_owned())));
        assert_eq!(found, expected.iter().map(|(fetchable, uri)| (*fetchable, String::from(*uri))).collect::<Vec<_>>());
    }
    assert!(html::field_links("Location", "//h:99999", &base)?.is_empty());
    Ok(())
}

/// By browsers' rules, without any feature that must be asked for.
#[cfg(feature = "idna")]
#[test]
fn hosts_beyond_us_ascii_resolve() -> Tested {
    let links = html::links("<a href=http://bücher.example/x>", "http://h/")?;
    assert_eq!(links[0].uri, "http://xn--bcher-kva.example/x");
    Ok(())
}

#[cfg(feature = "page")]
#[test]
fn a_page_of_any_kind_lists_what_resolves() -> Tested {
    use relref_links::page::Page;

    let page = |html: String| Page::new("http://h/", html);
    let mut found = page("<a href='http://[x/'><a href=b>".to_owned()).links();
    assert_eq!((found.next().unwrap()?.uri.as_str(), found.count()), ("http://h/b", 0));
    // Of URIs that are together too long, the page says so.
    let long = format!("<base href='/{}/'>{}", "b".repeat(100_000), "<a href=x>".repeat(1000));
    let (found, problems): (Vec<_>, Vec<_>) = page(long).links().partition(Result::is_ok);
    assert!(!found.is_empty() && problems.len() == 1);
    assert!(problems[0].as_ref().unwrap_err().to_string().contains("links are left out"));
    Ok(())
}

#[cfg(all(feature = "serde", feature = "check"))]
#[test]
fn problems_in_json() -> Tested {
    use relref_links::check::{Options, Site};

    let site = Site::in_memory([("a.html", "<a href=b>".as_bytes())], Options::default())?;
    let problem = site.problems().next().unwrap()?;
    let json = serde_json::to_value(&problem)?;
    assert_eq!(
        (&json["page"], &json["kind"], &json["place"]["column"]),
        (&"a.html".into(), &"missing".into(), &9.into())
    );
    assert_eq!((&json["target"], &json["suggested_file"]), (&"b".into(), &serde_json::Value::Null));
    Ok(())
}

#[cfg(feature = "serde")]
#[test]
fn links_in_json() -> Tested {
    let mut found = Vec::<html::LinkBuf>::new();
    let mut pages = Pages::with(Options { rejected: true, ..Options::default() });
    pages
        .links("<a href=b><a href=//h:99999>", None, &whatwg::Base::new("http://h/a")?, |link| found.push(link.into()));
    let json = serde_json::to_string(&found)?;
    assert_eq!(serde_json::from_str::<Vec<html::LinkBuf>>(&json)?, found);
    assert!(json.contains(r#""kind":"hyperlink""#), "{json}");
    assert!(json.contains(r#""rejected":{"invalid":{"kind":"port-out-of-range","position":4}}"#), "{json}");
    Ok(())
}
