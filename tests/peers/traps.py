#!/usr/bin/env python3
"""Makes the links of small pages absolute, each of which has one trap, with relref and others, and prints a table of what they do.

    tests/peers/traps.py [--binary FILE]

The others are wget -k, lxml, lol_html with the crate url, and turbohtml. html5lib and tinycss2 read the results. "right" is the URI that
browsers have before and after, however it is encoded, "left" the reference as it was, and "wrong" anything else. Fails if relref is
wrong, or leaves more than an attribute without a value. Needs Python 3.10 and, the first time, PyPI; a tool that is missing has no column.
"""

import argparse, http.server, os, re, shutil, subprocess, sys, tempfile, threading
from pathlib import Path

import environment

environment.enter("traps-venv", ["html5lib==1.1", "lxml==6.1.3", "tinycss2==1.5.1", "turbohtml==1.15.4"])

import html5lib, tinycss2  # noqa: E402
from urllib.parse import quote, unquote_to_bytes  # noqa: E402
import lxml.html, turbohtml  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGE = "http://h/a/b"
XLINK = "{http://www.w3.org/1999/xlink}href"

# A name, a page, the element and the attribute to read ("" for its text), and the value that is right after spaces are folded; a list has
# the URLs of CSS. None: the value stays.
TRAPS = [
    ("a slash after a value without quotes", "<a href=x/>", "a", "href", "http://h/a/x/"),
    ("`base`", "<base href=/d/><a href=x>", "a", "href", "http://h/d/x"),
    ("`base` after the link", "<a href=x></a><base href=/d/>", "a", "href", "http://h/d/x"),
    ("a second `base`", "<base href=/d/><base href=/e/><a href=x>", "a", "href", "http://h/d/x"),
    ("`base` that is no URL", "<base href='http://h:x/'><a href=x>", "a", "href", "http://h/a/x"),
    ("an empty reference", "<a href=''>", "a", "href", PAGE),
    ("a fragment", "<a href='#f'>", "a", "href", f"{PAGE}#f"),
    ("no value", "<a href>", "a", "href", PAGE),
    ("`srcset`", "<img srcset='a.png, /b.png 2x'>", "img", "srcset", "http://h/a/a.png, http://h/b.png 2x"),
    ("`srcset`, a comma in a URL", "<img srcset='a,b.png 2x, c.png'>", "img", "srcset", "http://h/a/a,b.png 2x, http://h/a/c.png"),
    ("`poster`", "<video poster=p.png></video>", "video", "poster", "http://h/a/p.png"),
    ("`formaction`", "<button formaction=f>x</button>", "button", "formaction", "http://h/a/f"),
    ("`ping`, a list", "<a ping='p q' href=/>x</a>", "a", "ping", "http://h/a/p http://h/a/q"),
    ("`codebase`", "<object codebase=/c/ data=x></object>", "object", "data", "http://h/c/x"),
    ("`xlink:href` in SVG", "<svg><use xlink:href='s.svg#i'/></svg>", "{http://www.w3.org/2000/svg}use", XLINK, "http://h/a/s.svg#i"),
    ("a refresh", "<meta http-equiv=refresh content='1; url=r'>", "meta", "content", "1; url=http://h/a/r"),
    ("`url()` between `&quot;`", '<p style="background:url(&quot;../s t.png&quot;)">', "p", "style", ["http://h/s%20t.png"]),
    ("`@import` of a string", "<style>@import 'i.css';</style>", "style", "", ["http://h/a/i.css"]),
    ("an escape of CSS", "<style>a{background:url(\\66 .png)}</style>", "style", "", ["http://h/a/f.png"]),
    ("`url()` in a comment of CSS", "<style>/* url(x) */a{background:url(y)}</style>", "style", "", ["http://h/a/y"]),
    ("`&amp;copy=`", "<a href='?a&amp;copy=1'>", "a", "href", "http://h/a/b?a&copy=1"),
    ("`&copy` at the end", "<a href='?a&amp;copy'>", "a", "href", "http://h/a/b?a&copy"),
    ("a space", "<a href='a b'>", "a", "href", "http://h/a/a%20b"),
    ("spaces around it", "<a href=' x '>", "a", "href", "http://h/a/x"),
    ("a line break", "<a href='x\ny'>", "a", "href", "http://h/a/xy"),
    ("a backslash", "<a href='\\x'>", "a", "href", "http://h/x"),
    ("`..` above the root", "<a href='../../x'>", "a", "href", "http://h/x"),
    ("`http:x`", "<a href='http:x'>", "a", "href", "http://h/a/x"),
    ("no valid URL", "<a href='http://h:x/'>", "a", "href", None),
    ("`javascript:`", "<a href='javascript:f(\"/x\")'>", "a", "href", None),
    ("`mailto:`", "<a href='mailto:x@h?subject=a b'>", "a", "href", None),
    ("a template", "<a href='{{ url }}/x'>", "a", "href", None),
    ("a link in a script", "<script>s = '<a href=x>'</script>", "script", "", None),
    ("a link in a `textarea`", "<textarea><a href=x></textarea>", "textarea", "", None),
    ("a query in windows-1251", "<meta charset=windows-1251><a href='?ж'>", "a", "href", "http://h/a/b?%E6"),
    ("a path in Shift_JIS", "<meta charset=shift_jis><a href='ソ'>", "a", "href", "http://h/a/%E3%82%BD"),
    ("a path in ISO-2022-JP", "<meta charset=iso-2022-jp><a href='日本'>", "a", "href", "http://h/a/%E6%97%A5%E6%9C%AC"),
    ("a page in UTF-16", "utf-16<a href='Л'>", "a", "href", "http://h/a/%D0%9B"),
]
# In these, what is between the links must stay.
REST = [
    ("the doctype", "<!DOCTYPE html><a href=/x>", "<!DOCTYPE html>"),
    ("elements that are not nested", "<a href=/x><p>a<b>c</p>d</b><table><p>e", "<p>a<b>c</p>d</b><table><p>e"),
    ("quotes, case and spaces", "<a href=/x><IMG  ALT='a\"b' title = c >", "<IMG  ALT='a\"b' title = c >"),
    ("an unknown reference and `<`", "<a href=/x>a &foo; b < c &copy d", ">a &foo; b < c &copy d"),
    ("a byte that is no character", "<a href=/x>\udcff", ">\udcff"),
]


def codec(page):
    charset = re.search("charset=([a-z0-9_-]+)", page)
    return {"windows-1251": "cp1251"}.get(charset[1], charset[1]) if charset else "utf-8"


def encoded(page):
    """The bytes of a page, by the charset that it has."""
    if page.startswith("utf-16"):
        return ("\ufeff" + page[6:]).encode("utf-16-le")
    return page.encode(codec(page), "surrogateescape")


def value(data, name, attribute):
    """What a page has there."""
    for element in html5lib.parse(data, treebuilder="etree", namespaceHTMLElements=False).iter():
        if element.tag == name and (not attribute or attribute in element.attrib):
            return element.attrib[attribute] if attribute else element.text
    return None


def css_urls(css):
    """The URLs of a style sheet or declarations."""
    found, todo = [], list(reversed(tinycss2.parse_component_value_list(css)))
    while todo:
        node = todo.pop()
        if node.type == "url" or node.type == "string":
            found.append(node.value)
        todo.extend(reversed(getattr(node, "content", None) or getattr(node, "arguments", None) or []))
    return found


def meaning(text, charset):
    """With spaces folded, and all octets encoded: queries are read in the encoding of the page."""
    text = " ".join(re.sub("[\t\n\r]", "", text).split())
    text = re.sub("^[0-9]+; url=", lambda start: start[0].lower(), text, flags=re.I)
    path, mark, query = text.partition("?")
    return quote(unquote_to_bytes(path)) + mark + quote(unquote_to_bytes(query.encode(charset, "xmlcharrefreplace")))


def verdict(page, result, name, attribute, expected):
    before, after = value(encoded(page), name, attribute), value(result, name, attribute)
    texts = [before, after or "", before if expected is None else expected]
    if isinstance(expected, list):
        texts[:2] = ["; ".join(css_urls(text)) for text in texts[:2]]
        texts[2] = "; ".join(expected)
    before, after, expected = (meaning(text, codec(page)) for text in texts)
    return "right" if after == expected else "left" if after == before else "wrong"


def by_relref(binary):
    def run(page):
        arguments = [binary, "rewrite", "--quiet", "--to", "absolute", "--base", PAGE, "-"]
        return subprocess.run(arguments, input=page, capture_output=True, check=True).stdout

    return run


def by_lol_html():
    manifest = ROOT / "benches" / "compare" / "Cargo.toml"
    target = Path(os.environ.get("CARGO_TARGET_DIR", manifest.parent / "target"))
    built = subprocess.run(["cargo", "build", "--quiet", "--locked", "--manifest-path", manifest, "--example", "absolute"])
    binary = target / "debug" / "examples" / "absolute"
    if built.returncode or not binary.exists():
        return None
    return lambda page: subprocess.run([binary, PAGE], input=page, capture_output=True, check=True).stdout


def by_lxml(page):
    return lxml.html.tostring(lxml.html.make_links_absolute(lxml.html.document_fromstring(page), PAGE))


def by_turbohtml(page):
    """It gives a text, which is encoded as the page was."""
    document = turbohtml.parse(page)
    document.resolve_links(PAGE)
    if page.startswith(b"\xff\xfe"):
        return ("\ufeff" + document.html).encode("utf-16-le")
    return document.html.encode(codec(page.decode("latin-1")), "xmlcharrefreplace")


def by_wget(pages):
    """The pages are served below a folder for each, which the results do not have."""
    if not shutil.which("wget"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        for number, page in enumerate(pages):
            (site / str(number) / "a").mkdir(parents=True)
            (site / str(number) / "a" / "b").write_bytes(page)

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {"": "text/html"}

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Handler(*args, directory=site))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base, results = f"http://127.0.0.1:{server.server_port}", {}
        for number, page in enumerate(pages):
            uri = f"{base}/{number}/a/b"
            subprocess.run(["wget", "-q", "-k", "--no-config", "--no-proxy", "-O", f"{folder}/out", uri])
            result = Path(f"{folder}/out").read_bytes()
            # Its name for the page itself.
            result = re.sub(b"='out(['#])", rb"='http://h/a/b\1", result)
            results[page] = result.replace(f"{base}/{number}/".encode(), b"http://h/").replace(f"{base}/".encode(), b"http://h/")
    return results.__getitem__


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path)
    args = parser.parse_args()
    binary = args.binary or Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "relref"
    if not args.binary:
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    pages = [encoded(page) for _, page, *_ in TRAPS + REST]
    tools = {"relref": by_relref(binary), "`wget -k`": by_wget(pages), "lxml": by_lxml, "lol_html, url": by_lol_html(), "turbohtml": by_turbohtml}
    for name in [name for name, tool in tools.items() if not tool]:
        print(f"skipped: {name} is not available")
        del tools[name]
    print(f"| trap | {' | '.join(tools)} |\n|{'---|' * (len(tools) + 1)}")
    wrong, counts = 0, dict.fromkeys(tools, 0)
    for name, page, *rest in TRAPS + REST:
        row = []
        for tool, run in tools.items():
            try:
                result = run(encoded(page))
                found = verdict(page, result, *rest) if len(rest) == 3 else "right" if encoded(rest[0]) in result else "wrong"
            except (ValueError, subprocess.CalledProcessError, lxml.etree.LxmlError):
                found = "an error"
            row.append(found)
            counts[tool] += found == "right"
            wrong += tool == "relref" and found != ("left" if name == "no value" else "right")
        print(f"| {name} | {' | '.join(row)} |")
    print(f"| right, of {len(pages)} | {' | '.join(map(str, counts.values()))} |")
    sys.exit(1 if wrong else 0)


main()
