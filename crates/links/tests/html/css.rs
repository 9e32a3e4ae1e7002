//! The URLs of style sheets and `style` attributes.

use super::markup::{escaped, kinds, references};

/// Returns the references of a style sheet. Checks that they are the same in a `style` element, in SVG's `style`, and in an
/// attribute.
fn urls(css: &str) -> Vec<String> {
    let found = sheet_urls(css);
    assert_eq!(references(&format!("<p style=\"{}\">", escaped(css))), found, "{css}");
    found
}

/// Returns the references of a style sheet. Checks that they are the same in a `style` element and in SVG's `style`.
fn sheet_urls(css: &str) -> Vec<String> {
    let found = references(&format!("<style>{css}</style>"));
    assert_eq!(references(&format!("<svg><style>{}</style></svg>", escaped(css))), found, "{css}");
    assert_eq!(references(&format!("<svg><style><![CDATA[{css}]]></style></svg>")), found, "{css}");
    found
}

#[test]
fn urls_with_and_without_quotes() {
    assert_eq!(urls("a { background: url(b.png) }"), ["b.png"]);
    assert_eq!(urls("a { background: url( 'b c.png' ) }"), ["b c.png"]);
    assert_eq!(urls("a { background: URL(\"b)c.png\") }"), ["b)c.png"]);
    assert_eq!(urls("background: url( b.png\n), url(c.png)"), ["b.png", "c.png"]);
    assert_eq!(urls("--x: url(b.png)"), ["b.png"]);
    assert_eq!(urls("a { background: src('b.png') }"), ["b.png"]);
}

#[test]
fn escapes_are_decoded() {
    assert_eq!(urls(r"background: url(a\)b.png)"), ["a)b.png"]);
    assert_eq!(urls(r"background: url('a\26 b')"), ["a&b"]);
    assert_eq!(urls(r"background: \75rl(b.png)"), ["b.png"]);
    assert_eq!(sheet_urls(r"@\69mport 'a.css'"), ["a.css"]);
}

#[test]
fn imports_are_links() {
    assert_eq!(sheet_urls("@import 'a.css';"), ["a.css"]);
    assert_eq!(sheet_urls("@import url(a.css) screen; @IMPORT /* x */ url('b.css');"), ["a.css", "b.css"]);
    assert_eq!(sheet_urls("@import 'a.css' supports(display: grid) 'b.css';"), ["a.css"]);
}

#[test]
fn attributes_have_no_imports() {
    for css in ["@import 'a.css'", "@import url(a.css)", "@IMPORT/**/url('a.css')"] {
        assert_eq!(references(&format!("<p style=\"{css};b:url(c)\">")), ["c"], "{css}");
    }
}

#[test]
fn styles_of_other_types_are_no_css() {
    for (kind, is_css) in [
        ("", true),
        ("type", true),
        ("type=''", true),
        ("type='Text/CSS'", true),
        ("type=text&#47;css", true),
        ("type=text/less", false),
        ("type='text/css '", false),
        ("type='text/css;x=y'", false),
        ("media=x type=text/less", false),
    ] {
        let expected = if is_css { &["a", "b"][..] } else { &["b"] };
        for (start, end) in [("", ""), ("<svg>", "</svg>")] {
            let page = format!("{start}<style {kind}>x{{y:url(a)}}</style>{end}<style>x{{y:url(b)}}</style>");
            assert_eq!(references(&page), expected, "{page}");
        }
    }
}

#[test]
fn strings_of_image_sets_are_links() {
    assert_eq!(
        urls("background: image-set('a.png' 1x, url(b.png) 2x, \"c.avif\" type('image/avif'))"),
        ["a.png", "b.png", "c.avif"]
    );
    assert_eq!(urls("background: -webkit-image-set(url(a.png) 1x), cross-fade('b.png')"), ["a.png"]);
    assert_eq!(urls("a { content: image-set('a.png' 1x) 'b' }"), ["a.png"]);
}

#[test]
fn other_strings_and_functions_are_no_links() {
    for css in [
        "/* url(a.png) */ a { color: red }",
        "a::after { content: 'url(a.png)' }",
        "background: url()",
        "background: url('')",
        "background: url(a b)",
        "background: url(a(b)",
        "background: url (a)",
        "background: url-prefix(a)",
        "@namespace url(http://www.w3.org/1999/xhtml);",
        "@namespace svg 'http://www.w3.org/2000/svg';",
        "@namespace svg url('http://www.w3.org/2000/svg');",
        "@charset 'utf-8'; a { b: var(--c) }",
        "",
        "@",
        "(",
    ] {
        assert_eq!(urls(css), [""; 0], "{css}");
    }
}

#[test]
fn the_end_closes_what_is_open() {
    assert_eq!(urls("a { background: url(b.png"), ["b.png"]);
    assert_eq!(urls("a { background: url('b.png"), ["b.png"]);
    assert_eq!(urls("a { ) ] } b { c: url(d) } }}} url(e)"), ["d", "e"]);
    assert_eq!(references("<style>a { b: url(c.png) }"), ["c.png"]);
    assert_eq!(references("<p style='a: url(b)"), [""; 0]);
}

#[test]
fn blocks_may_be_nested() {
    assert_eq!(
        sheet_urls("@media print { a { b { c: url(d) } e: f(g(h(url(i)))) } @import 'j' } @import 'k'"),
        ["d", "i"]
    );
    let deep = "{(".repeat(100_000) + "url(a)" + &")}".repeat(100_000) + "url(b)";
    assert_eq!(urls(&deep), ["a", "b"]);
}

#[test]
fn css_is_read_in_style_elements_and_attributes() {
    assert_eq!(
        kinds("<style>@import 'a'</style><p style='b: url(c)'>"),
        [("style", "text", "resource"), ("p", "style", "resource")].map(|(a, b, c)| [a, b, c].map(String::from))
    );
    assert_eq!(references("<svg><style/>url(y)<a href=x>url(y)"), ["x"]);
    assert_eq!(references("<svg><style>a{b:url(c)}<g href=d>url(e)</style>url(f)"), ["c", "d"]);
    assert_eq!(references("<style>a{b:url(&amp;)}</style>"), ["&amp;"]);
    assert_eq!(references("<p>url(a)</p><script>url(b)</script><math><style>url(c)</style></math>"), [""; 0]);
}
