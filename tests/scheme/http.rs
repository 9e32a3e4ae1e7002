//! `http` and `https`, and requests to a proxy.

use relref::scheme::proxy_target;

use super::read::view;

#[test]
fn a_request_has_no_host_and_no_fragment() {
    let target = |text| view!(Http, text).request_target().into_owned();
    assert_eq!(target("http://host.dom/pub/doc.html#andy"), "/pub/doc.html");
    assert_eq!(target("http://host.dom:8080/index?two+words#x"), "/index?two+words");
    assert_eq!(target("http://host.dom?words"), "/?words");
    assert_eq!(target("http://host.dom"), "/");
    assert_eq!(target("https://h//a;b/../c"), "//a;b/../c");
    // Escapes stay, and characters that are not allowed are escaped.
    assert_eq!(target("http://h/a%20b%2f c\r\n\"é[%z"), "/a%20b%2f%20c%0D%0A%22%C3%A9%5B%z");
}

#[test]
fn a_proxy_gets_the_whole_uri() {
    assert_eq!(proxy_target("http://h:81/a?b#c"), "http://h:81/a?b");
    assert_eq!(proxy_target("wais://h/db/T/1=a;#c"), "wais://h/db/T/1=a;");
    assert_eq!(proxy_target("http://[::1]/a b[]#"), "http://[::1]/a%20b%5B%5D");
    assert!(matches!(proxy_target("news:*"), std::borrow::Cow::Borrowed("news:*")));
}

#[test]
fn the_path_of_http_is_opaque() {
    let http = view!(Http, "http://h/a;b=c/%2F/*%20where%20name%3Ddobbins?x=1&y");
    assert_eq!((http.path, http.query), ("/a;b=c/%2F/*%20where%20name%3Ddobbins", Some("x=1&y")));
}
