"""Pages of odd links, for comparisons with browsers."""

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
