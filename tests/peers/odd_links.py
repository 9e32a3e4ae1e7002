"""Pages of odd links and of odd markup, for comparisons with browsers."""

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
