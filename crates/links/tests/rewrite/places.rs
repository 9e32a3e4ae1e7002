//! How new references are written in their places.

use relref::whatwg::Base;
use relref_links::rewrite::{Mapping, Mode, Rewriter};

use super::laws::{Case, check};

const CASES: &[(Mode, &[(&str, &str)], bool)] = &[
    (Mode::Absolute, &[], false),
    (Mode::Relative, &[], false),
    (Mode::Root, &[], true),
    (Mode::Absolute, &[("http://h/", "https://new.example/x/")], false),
    (Mode::Relative, &[("http://h/", "https://new.example/x/")], true),
    (Mode::Root, &[("http://h/a/", "http://n/")], false),
];

fn check_all(page: &[u8], charset: Option<&str>) {
    for uri in ["http://h/a/b?q#f", "http://h/a/url=k/p", "file:///C:/x/y.html"] {
        let base = Base::new(uri).unwrap();
        for &(mode, maps, keep_fragments) in CASES {
            check(page, charset, &base, &Case { mode, maps: maps.to_vec(), keep_fragments });
        }
    }
}

#[test]
fn laws_hold_in_every_place() {
    for page in [
        "<a href=x>x</a><a href='x y'>",
        "<a href=x/><a href=/x?a=1&amp;b=2><a href='?a&copy=1&copy'>",
        "<img srcset='a, b 2x,,c 3x, ,x 4x'><img srcset=a,b><img srcset='x,y 1x'>",
        "<meta http-equiv=refresh content='1;x'><meta http-equiv=refresh content='1; url=x'>",
        "<meta http-equiv=refresh content=\"1;url='x'\"><meta http-equiv=refresh content=1;x>",
        "<p style='background:url(x)'><p style=\"background:url('x')\"><p style=background:url(x)>",
        "<style>a{b:url( x )} @import 'y'; c{d:url(\"z\\)\")}</style>",
        "<svg><style>a{b:url(x)}</style><a xlink:href='#f'/><path fill='url(#a)'/></svg>",
        "<base href='/d/'><a href=x><form action=''><form action=x><a href=''><a href='#f'><img src=''>",
        "<base href='http://other/'><a href=x><a href=http://h/a/c><form action=''>",
        "<object codebase=cb/ data=x archive='a b'></object><applet codebase=/cb archive='a,b'>",
        "<a ping='x  y z' href='//o/x'><a href='mailto:x@y'><a href='javascript:x'><a href='{{x}}'>",
        "<a href><a href=><a href= ><a href=\"\"><a href=' &#32;x&#32 '><a href='&#32x'>",
        "<iframe srcdoc='<a href=x>'></iframe><a href='http://h:x/'>",
        "<a href='http://H/a/c'><a href='http:c'><a href='/a/b'><a href='../../x'><a href='./'><a href='.'>",
        "<a href='/a//b'><a href='//h//b'><a href='/.//b'>",
        "<div data-bg='x'><div data-bg='url(x)'><img data-srcset='x 2x' data-src=x>",
    ] {
        check_all(page.as_bytes(), None);
        check_all(page.as_bytes(), Some("utf-16le"));
        let utf_16: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        check_all(&[b"\xFE\xFF", &*utf_16].concat(), None);
        for charset in ["windows-1251", "shift_jis", "euc-kr", "iso-2022-jp", "gb18030"] {
            check_all(page.as_bytes(), Some(charset));
        }
    }
}

#[test]
fn a_reference_is_written_as_its_place_needs_it() {
    let base = Base::new("http://h/a/b").unwrap();
    for (page, new, expected) in [
        ("<a href=x>", "y", "<a href=y>"),
        ("<a href=x>", "y z", "<a href=\"y z\">"),
    ] {
        let mut rewriter = Rewriter::new(|_: &relref_links::html::Link<'_>| Some(new.to_owned()));
        assert_eq!(rewriter.html(page, None, &base).escape_ascii().to_string(), expected.as_bytes().escape_ascii().to_string());
    }
    let _ = Mapping::new(Mode::Absolute);
}
