"""Pages of odd links and of odd markup, and odd style sheets, for comparisons with browsers."""

import re

PARTS = [
    "", "a", "b.html", "..", ".", "/", "//", "///", "\\", "\\\\", "%2e", "%2E%2e", ".%2e", "?", "#", "?a=1&amp;b=2", "#f",
    " ", "  ", "\t", "\n", "\x01", "é", "ж", "日本", "\u00a0", "\u200b", "\ufffd", "😀", "‽", "'", "`", "{", "}", "|", "^", "<", ">",
    "[", "]", "%", "%zz", "%41", "%E9", "~", "@", ":", ";x", "!", "$", "*", "+", ",", "=", "&amp;", "&quot;", "http:", "https:",
    "HTTP:", "ftp:", "file:", "ws:", "mailto:", "javascript:", "data:,", "x:", "blob:", "about:blank", "tel:", "C:", "c|", "h", "H.Example",
    "h:80", "h:443", "h:0", "h:65536", "h:99999", "h:x", "user@h", "u:p@h", "user:p@ss@h", "1.2.3.4", "0x7f.1", "1.2.3", "256.1.1.1",
    "1.2.3.4.5", "09.1", "[::1]", "[1::2::3]", "[::1.2.3.4]", "h.", "h..", "xn--", "xn--nxa", "Ünder", "a_b", "a%20b", "a b",
    "bücher.example", "日本。jp", "ＡＢＣ", "\u00ad", "%00", "example.com",
]
STARTS = ["", "", "", "", "/", "//", "//", "\\", "../", "./", "?", "#", "http://", "http://", "https://", "http:", "https:/", "ftp://", "file:///",
          "file:", "ws://", "mailto:", "data:", "javascript:", "x://", "x:/", "x:", "non-special://"]
ELEMENTS = [
    ("a", "href"), ("a", "href"), ("area", "href"), ("link", "href"), ("img", "src"), ("script", "src"), ("iframe", "src"),
    ("embed", "src"), ("source", "src"), ("video", "poster"), ("input", "src"), ("form", "action"), ("button", "formaction"),
    ("object", "data"), ("blockquote", "cite"), ("q", "cite"), ("ins", "cite"), ("img", "longdesc"),
]
EMPTY = {"area", "link", "img", "embed", "source", "input"}
ENCODINGS = ["utf-8", "utf-8", "utf-8", "windows-1251", "iso-8859-1", "shift_jis", "gb18030", "iso-2022-jp", "euc-kr", "utf-16le"]
BASES = ["", "", "", "", "<base href='/x/y?z'>", "<base href='../up/é'>", "<base href=''>", "<base href='http://h:x/'><base href='/no/'>",
         "<base href='//other.example'>", "<base href='file:///C:/d/e'>", "<base href='data:,'>", "<base href='mailto:x'>",
         "<base target=x><base href='c:d'>", "<base href='?ж'>", "<base href='x://h/a/b'>", "<base href='https:sub/'>"]


def reference(choose):
    count = choose.choice([0, 1, 1, 2, 2, 3, 4])
    return choose.choice(STARTS) + "".join(choose.choice(PARTS) for _ in range(count))


def made_page(choose, number):
    """A page of 150 odd links. The first of twice as many pages as there are bases use each base once."""
    encoding = choose.choice(ENCODINGS)
    base = BASES[number % len(BASES)]
    lines = ["<!DOCTYPE html>", f"<meta charset={'utf-8' if encoding == 'utf-16le' else encoding}>", base]
    for _ in range(150):
        element, attribute = choose.choice(ELEMENTS)
        value = reference(choose).replace('"', "&quot;")
        end = "" if element in EMPTY else f"</{element}>"
        lines.append(f'<{element} {attribute}="{value}">{end}')
    text = "\n".join(lines)
    if encoding == "utf-16le":
        return b"\xff\xfe" + text.encode("utf-16le")
    # A character that the encoding lacks is written as a character reference.
    return text.encode({"iso-8859-1": "cp1252"}.get(encoding, encoding), "xmlcharrefreplace")


# CSS with `%` in the place of a URL, a string or the content of one. What is before the last line changes how this is read.
SHEET_STARTS = ["", "", "", "@import %s;\n", "@import %s layer(x) screen;\n@import/**/%s;\n", "@namespace %s;\n", "@namespace x %s;\n",
                "<!-- @import %s; -->", "@layer x;\n@import %s supports(display: block);\n", "@charset 'x'; @import %s;\n", "/* %s */"]
RULES = [
    "a { background: %s }", "a { background-image: %s, %s }", "a { list-style: %s inside }", "a { cursor: %s 1 2, auto }",
    "a { --x: %s; background: var(--x) }", "a { background: var(--y) %s }", "a { content: %s / 'x' }", "a { mask: %s }",
    "a { background: image-set(%s 1x, %s 2x) }", "a { background: -webkit-image-set(%s 1x) }", "a { border-image: %s 30 }",
    "a { background: image-set(%s type('image/png') 1x) }", "a { filter: %s blur(1px) }", "a { clip-path: %s }", "a { x: y%s }",
    "@font-face { font-family: x; src: %s format('woff2'), local('x') }", "@media print { a { background: %s } }",
    "@supports (background: %s) { b { background: %s } }", "@layer x { @scope (p) { a { background: %s } } }",
    "p { color: red; a { background: %s } & b { background: %s } }", "@unknown %s { a { background: %s } }", "a { background: %s; ; }",
    "a[href=%s] { background: %s }", "a { background: url( }", "a { background: u\\72l(%s) }", "a { background: { %s } }", "}",
    "a::after { content: 'url(x)' %s }", "a { background: /* %s */ %s }", "{ a: %s }", "a { b: url(x y) ; background: %s }",
    "@import %s;", "a { background: (%s }", ") ] a { background: %s }", "a { background: '\n } b { background: %s }", "\\",
    "@keyframes k { from { background: %s } }", "@page { background: %s }", "a { offset-path: %s }", "a { shape-outside: %s }",
]
FORMS = ["url(%s)", "url(%s)", "url( \t%s\n )", "url('%s')", 'url("%s")', "URL(\f'%s' )", "src('%s')", "'%s'", '"%s"', "url('%s' x)", "uRl(/**/%s)"]
SHEET_ENCODINGS = ["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16le", "windows-1251", "shift_jis", "gb18030", "euc-kr", "iso-8859-1"]


def css_url(choose):
    """An odd reference as CSS, often with escapes."""
    form, text = choose.choice(FORMS), re.sub("&amp;|&quot;", "&", reference(choose))
    if choose.random() < 0.3:
        text = "".join(choose.choice([c, c, c, "\\%x " % ord(c), "\\%06X" % ord(c), "\\" + c]) for c in text)
    elif choose.random() < 0.8:
        # As it is meant to be read, by most parsers.
        text = re.sub("['\"()\\\\\n]" if "'" in form or '"' in form else r"['\"()\\\s\x00-\x1f]", lambda m: "\\%x " % ord(m[0]), text)
    return form % text


def made_sheet(choose):
    """A style sheet of 60 odd rules."""
    encoding = choose.choice(SHEET_ENCODINGS)
    fill = lambda rule: re.sub("%s", lambda _: css_url(choose), rule)
    # Errors that may change how the rest of a sheet is read are seldom.
    rules = [rule for rule in RULES if not choose.random() < 0.5] or RULES
    text = "\n".join(map(fill, [choose.choice(SHEET_STARTS), *(choose.choice(rules) for _ in range(60))]))
    if encoding == "utf-16le":
        return b"\xff\xfe" + text.encode(encoding)
    label = f'@charset "{encoding}";\n' if not encoding.startswith("utf-8") else ""
    return label.encode() + text.encode({"iso-8859-1": "cp1252"}.get(encoding, encoding), "replace")


# Markup that changes which elements and which `base` a page has. Every reference but those of `base` is resolved by it.
MARKUP = {
    "form-in-form": "<form action=a><p><form action=b></p><input type=image src=c></form><form action=d></form>",
    "form-in-template": "<form action=a><template><form action=b></form></template></form><table><form action=c></table><form action=d>",
    "image": "<image src=a.png><IMAGE SRC=b.png><svg><image href=c.png /></svg><image src=''>",
    "font-in-svg": "<svg><font color=red><base href=/x/></font></svg><a href=b>b</a>",
    "font-without-color-in-svg": "<svg><font><base href=/x/></font></svg><a href=b>b</a>",
    "font-in-math": "<math><font size=1><base href=/x/></font></math><a href=b>b</a>",
    "p-in-svg": "<svg><p><base href=/x/><a href=b>b</a>",
    "base-in-svg": "<svg><base href=/x/></svg><a href=b>b</a>",
    "base-in-svg-title": "<svg><title><base href=/x/></title></svg><a href=b>b</a>",
    "base-in-foreign-object": "<svg><foreignObject><base href=/x/></foreignObject></svg><a href=b>b</a>",
    "base-in-template": "<template><base href=/x/></template><a href=b>b</a>",
    "base-in-text": "<title><base href=/x/></title><textarea><base href=/x/></textarea><!-- <base href=/x/> --><a href=b>b</a>",
    "base-in-noscript": "<head><noscript><base href=/x/></noscript></head><a href=b>b</a>",
    "base-in-body": "<p>x<table><tr><td><base href=/x/></table><a href=b>b</a>",
    "base-after-links": "<a href=a>a</a><base target=x><base href=/x/><base href=/y/>",
    "base-without-host": "<base href='https://'><base href=/x/><a href=b>b</a>",
    "base-with-bad-port": "<base href='http://h:99999/'><a href=b>b</a>",
    "base-empty": "<base href><base href=/x/><a href=b>b</a>",
    "second-head": "<head profile=a></head><head profile=b><body><link href=c>",
    "head-in-body": "<body><head profile=a><p cite=x><blockquote cite=b></blockquote>",
    "late-head": "<link href=c><head profile=a>",
    "a-in-a": "<a href=a>a<a href=b>b</a></a><a href=c><table><a href=d>",
    "raw-text": "<style><a href=a></style><xmp><a href=b></xmp><noembed><a href=c></noembed><noframes><a href=d></noframes><a href=e>e</a>",
    "cdata": "<svg><![CDATA[<a href=a>]]></svg><![CDATA[<a href=b>]]><a href=c>c</a>",
    "plaintext": "<a href=a>a</a><plaintext><a href=b>",
    "select": "<select><option><a href=a>a</a></select><a href=b>b</a>",
    "frameset": "<frameset><frame src=a><frame src=b><a href=c></frameset>",
    "frameset-after-text": "text<frameset><frame src=a></frameset><a href=b>b</a>",
    "twice": "<a href=a HREF=b src=c>a</a><img src=d src=e>",
}

# Why Chromium has other links than relref in some of these pages.
MARKUP_REASONS = {
    "charset-after-a-link": "Chromium looks for a declaration of the character encoding no further than the body",
    "frameset": "a parser ignores all tags but some in a frameset; relref reports their links",
    "frameset-after-text": "a parser ignores frames outside of framesets; relref reports their links",
}


def markup_pages():
    """Pages of odd markup, by name."""
    pages = {name: f"<!DOCTYPE html>{markup}".encode() for name, markup in MARKUP.items()}
    late = "<!DOCTYPE html><!-- %s --><meta charset=windows-1251><a href='?ж'>ж</a>"
    pages["charset-at-the-start"] = (late % "").encode("cp1251")
    pages["charset-after-1024-bytes"] = (late % ("x" * 1100)).encode("cp1251")
    pages["charset-after-a-link"] = (late.replace("<!--", "<a href='a?ж'>a</a><!--") % ("x" * 1100)).encode("cp1251")
    return pages
