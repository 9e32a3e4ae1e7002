//! Wrapping a URI, to put it into text.

use relref::text::wrap;

#[test]
fn wrapping_breaks_lines() {
    let uri = "ftp://ds.internic.net/rfc";
    assert_eq!(wrap(uri, usize::MAX), "<URL:ftp://ds.internic.net/rfc>");
    assert_eq!(wrap(uri, 31), "<URL:ftp://ds.internic.net/rfc>");
    // `>` is never at the start of a line.
    assert_eq!(wrap(uri, 30), "<URL:ftp://ds.internic.net/rf\nc>");
    assert_eq!(wrap(uri, 15), "<URL:ftp://ds.i\nnternic.net/rfc\n>".replace("rfc\n>", "rf\nc>"));
    assert_eq!(wrap(uri, 10), "<URL:ftp:/\n/ds.intern\nic.net/rfc\n>".replace("rfc\n>", "rf\nc>"));
    // The prefix and the scheme stay in one piece.
    for width in [0, 1] {
        assert_eq!(wrap("http:abc", width), "<URL:http:\na\nb\nc>");
    }
}

#[test]
fn wrapping_never_breaks_after_a_hyphen() {
    assert_eq!(wrap("a:bcd-efg", 11), "<URL:a:bcd\n-efg>");
    assert_eq!(wrap("a:bcd-efg", 10), "<URL:a:bcd\n-efg>");
    assert_eq!(wrap("a:bcd-efg", 12), "<URL:a:bcd-e\nfg>");
    // A line without another place to break is longer.
    assert_eq!(wrap("a:----b---", 2), "<URL:a:\n----b\n--->");
    assert_eq!(wrap("a:-", 2), "<URL:a:\n->");
    assert_eq!(wrap("-", 0), "<URL:\n->");
}

#[test]
fn wrapping_encodes_what_white_space_would_lose() {
    assert_eq!(wrap("a:b  c\t\r\nd\0\u{7f}<e>\"f\"", usize::MAX), "<URL:a:b%20%20c%09%0D%0Ad%00%7F%3Ce%3E%22f%22>");
    assert_eq!(wrap("a:%20%zz{}|\\^~[]`#'", usize::MAX), "<URL:a:%20%zz{}|\\^~[]`#'>");
    assert_eq!(wrap("a:é", usize::MAX), "<URL:a:%C3%A9>");
    assert_eq!(wrap("", 0), "<URL:>");
    assert_eq!(wrap("a/b", usize::MAX), "<URL:a/b>");
}
