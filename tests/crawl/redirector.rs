//! The URLs in redirectors.

use quickcheck::quickcheck;
use relref::crawl::{REDIRECTORS, redirect_target};
use relref::percent;
use relref::whatwg::Url;

use crate::inputs::references::Text;

#[test]
fn each_redirector_leads_to_its_url() {
    let target = "https://example.com/a?b=c&d#e";
    for (place, param) in REDIRECTORS {
        let host = if place.starts_with('.') { "x" } else { "" };
        let encoded = percent::encode(target);
        for start in ["http://", "HTTPS://me@"] {
            let link = format!("{start}{host}{place}?x=http://other/&{param}={encoded}&{param}=http://second/#y");
            assert_eq!(redirect_target(&link, REDIRECTORS).as_deref(), Some(target), "{link}");
        }
        for other in [
            format!("http://{host}{place}?no={encoded}"),
            format!("http://{host}{place}x?{param}={encoded}"),
            format!("http://other-{host}{}?{param}={encoded}", place.trim_start_matches('.')),
            format!("http://{host}{place}?{param}=/a"),
            format!("http://{host}{place}?{param}=javascript:alert(1)"),
            format!("ftp://{host}{place}?{param}={encoded}"),
        ] {
            assert_eq!(redirect_target(&other, REDIRECTORS), None, "{other}");
        }
    }
}

quickcheck! {
    /// What is returned can be fetched, and is as browsers write it.
    fn targets_are_urls_of_the_web(text: Text) -> bool {
        let links = ["", "http://", "https://h/"].map(|start| format!("http://www.google.com/url?q={start}{}", text.0));
        links.iter().all(|link| {
            let target = redirect_target(link, REDIRECTORS);
            target.is_none_or(|target| target.starts_with("http") && Url::parse(&target).is_ok_and(|url| url == target))
        })
    }
}
