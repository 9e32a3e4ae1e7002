#!/usr/bin/env python3
"""Checks that `relref links` finds the same links in a site, whatever a crawler has made of it.

    tests/peers/crawl.py

A small odd site is written to a folder and served on the loopback interface: names with spaces and beyond US-ASCII, frames,
redirects, fields with links, late declarations of the character encoding, gzip, feeds. It is fetched by `wget --warc-file` and by
warcio, and warcit writes an archive of the folder. The links of each archive must be those of the folder, except the differences
in tests/peers/crawl.tsv, which says why each is there; a difference that is gone is an error, too. Copies that wget makes with several
options for names are read with `--names wget`: the URIs of their pages must be those that were asked for. Needs Python 3.8, wget and, the
first time, PyPI: the environment is made in target/crawl-venv.
"""

import gzip, http.client, http.server, json, os, shutil, subprocess, sys, threading
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

import environment

ROOT = Path(__file__).resolve().parents[2]

environment.enter("crawl-venv", ["warcio==1.8.1", "warcit==0.4.0", "setuptools==80.9.0"])

from warcio.capture_http import capture_http  # noqa: E402

# The files of the site: name, content, and the HTTP fields besides the media type.
FILES = [
    (
        "index.html",
        """<!DOCTYPE html><title>odd</title><link rel=stylesheet href="style.css"><a href="a b.html">space</a>
        <a href="été/ü.html">raw</a><a href="frames.html">frames</a><a href="old">moved</a><a href="%6eew/index.html#x">new</a>
        <a href="late.html">late</a><a href="coded.html">coded</a><a href="fields.html?x=1&amp;y=ü">fields</a>
        <a href="base.html">base</a><a href="feed.xml">feed</a><a href="map.xml">map</a><a href="mailto:a@b">mail</a>
        <a href="http://other.example/">other</a><a href="//[bad/">bad</a><a href="100%.html">percent</a>
        <a href="loop">loop</a><img src="image.png" srcset="image.png 1x, images/large.png 2x"><a href="notes.txt">text</a>
        <a href="fields.html">again</a><a href="empty.html">empty</a>""",
        [],
    ),
    ("a b.html", '<a href="a%20b.html">self</a><a href=" c d.html\n">white space</a><a href="../..//x">up</a>', []),
    ("c d.html", '<a href="?q=a b">query</a><a href="a&#32;b.html">again</a><form action=""></form>', []),
    ("été/ü.html", '<a href="../index.html">home</a><a href="ü.html?é#é">query</a><a href="%fc.html">Latin-1</a>', []),
    ("frames.html", "<frameset><frame src=frame1.html><frame src='frame 2.html'></frameset><noframes><a href=no.html>", []),
    ("frame1.html", "<body background=image.png><iframe src=frames.html></iframe><area href=new/page.html>", []),
    ("frame 2.html", "<meta http-equiv=refresh content='0; url=new/page.html'><object data=x codebase=images/></object>", []),
    ("new/index.html", "<a href=page.html>page</a><a href=.>here</a><a href=..>up</a>", []),
    ("new/page.html", "<svg><a xlink:href=../index.html></a><image href=i.svg></image></svg><p style='x: url(y.png)'>", []),
    ("late.html", b"<a href='\xe6?\xe6'>" + b" " * 2000 + b"<meta charset=windows-1251><a href=%E6?x>", []),
    ("coded.html", "<a href=new/page.html>one</a>" + "<p>word " * 200 + "<a href='frames.html'>two</a>", [("Content-Encoding", "gzip")]),
    (
        "fields.html",
        "<a href=new/page.html>page</a>",
        [
            ("Link", '<new/page.html>; rel="next"; title="a, <b>", </style.css>; rel=stylesheet'),
            ("Content-Location", "/fields.en.html"),
            ("Refresh", "600; url=index.html"),
        ],
    ),
    ("base.html", "<a href=before>x</a><base href='new/'><base href=no/><a href=page.html>y</a><a href=#z>z</a>", []),
    (
        "feed.xml",
        "<?xml version='1.0'?><rss version='2.0'><channel><link>http://other.example/</link>"
        "<item><link>new/page.html</link><enclosure url='a b.mp3'/></item></channel></rss>",
        [],
    ),
    (
        "map.xml",
        "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>SITE/index.html</loc></url>"
        "<url><loc>SITE/a%20b.html?x&amp;y</loc></url></urlset>",
        [],
    ),
    ("100%.html", "<a href='100%25.html'>escaped</a><a href='100%.html'>not</a>", []),
    ("robots.txt", "User-agent: *\nDisallow:\nSitemap: SITE/map.xml\n", []),
    ("notes.txt", "<a href=no.html>no page</a>", []),
    ("style.css", "a { background: url(image.png) }", []),
    ("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", []),
    ("images/large.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", []),
    ("empty.html", "", []),
]
# Pages whose names in a copy have a query. `%26` and `%3F` are not among them, as wget writes the characters.
QUERIES = [
    "/p.php?id=3", "/d%20e/?C=N;O=D", "/d%20e/", "/%D0%BF.php?q=%D1%84&u=%2Fh%2F", "/caf%E9?q=%FC%80", "/me@h.php?id=2",
    "/a%2Fb?c=100%25", "/p.php?q=%E6%97%A5%E6%9C%AC",
]
# The options of wget for names.
NAMINGS = ["--timestamping", "--restrict-file-names=windows", "--restrict-file-names=ascii", "--adjust-extension"]
MOVED = {"/old": "new/index.html", "/loop": "/loop2?x=%20", "/loop2?x=%20": "a%20b.html"}
TYPES = {"html": "text/html", "xml": "application/xml", "txt": "text/plain", "css": "text/css", "png": "image/png"}


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the site."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path in MOVED:
            self.answer(302, "text/html", [("Location", MOVED[self.path])], b"<a href=index.html>moved</a>")
            return
        if self.path == "/queries.html":
            self.answer(200, "text/html", [], "".join(f"<a href='{path}'>page</a>" for path in QUERIES).encode())
            return
        if self.path in QUERIES:
            self.answer(200, "text/html", [], b"<a href=/queries.html>back</a>")
            return
        file = self.server.files.get(unquote(self.path.split("?")[0]))
        if file is None:
            self.answer(404, "text/plain", [], b"not found")
            return
        name, body, fields = file
        if ("Content-Encoding", "gzip") in fields:
            body = gzip.compress(body, mtime=0)
        self.answer(200, TYPES[name.rsplit(".")[-1]], fields, body)

    def answer(self, status, media, fields, body):
        self.send_response(status)
        for name, value in [("Content-Type", media), ("Content-Length", str(len(body))), *fields]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def write(folder, site):
    """Writes the files of the site. Returns them by their paths, without escapes."""
    files = {}
    for name, content, fields in FILES:
        body = content if isinstance(content, bytes) else content.replace("SITE", site).encode()
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        files["/" + name] = (name, body, fields)
    return files


def fetch(port, paths, archive):
    """Fetches paths by warcio, and what they redirect to."""
    with capture_http(str(archive)):
        for path in paths:
            while path:
                connection = http.client.HTTPConnection("127.0.0.1", port)
                connection.request("GET", path)
                answer = connection.getresponse()
                answer.read()
                connection.close()
                to = answer.getheader("Location")
                target = urlsplit(urljoin(f"http://127.0.0.1:{port}{path}", to)) if to else None
                path = target and target.path + (f"?{target.query}" if target.query else "")


def links(binary, site, *args):
    """The links that the command finds: page, element, attribute, reference and URI, with SITE for the site."""
    run = subprocess.run([binary, "links", "--quiet", "--format", "jsonl", *args], capture_output=True)
    found = set()
    for line in run.stdout.splitlines():
        link = json.loads(line)
        page = link.get("page_uri") or link["page"]
        row = (page, link["element"], link["attribute"], link["reference"], link["uri"])
        found.add(tuple(part.replace(site, "SITE") for part in row))
    assert run.returncode == 0 and not run.stderr, run.stderr.decode()
    return found


def main():
    cargo = os.environ.get("CARGO", "cargo")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    binary = target / "release" / "relref"
    place = target / "crawl"
    shutil.rmtree(place, ignore_errors=True)
    folder = place / "site"
    folder.mkdir(parents=True)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = f"http://127.0.0.1:{server.server_port}"
    server.files = write(folder, site)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    expected = links(binary, site, "--base", site + "/", str(folder))
    found = {}
    paths = [*map(quote, server.files), *MOVED, "/fields.html?x=1&y=%C3%BC"]
    fetch(server.server_port, paths, place / "warcio.warc.gz")
    found["warcio"] = links(binary, site, str(place / "warcio.warc.gz"))
    if shutil.which("wget"):
        fetching = ["wget", "--quiet", "--recursive", "--level=inf", "--page-requisites", "--compression=auto", "--tries=5"]
        fetching += ["--no-config", "--no-proxy", "--local-encoding=UTF-8", f"--warc-file={place}/wget", "--directory-prefix"]
        # Its exit code tells that some links lead nowhere.
        subprocess.run([*fetching, str(place / "copy"), f"{site}/index.html"], timeout=60)
        found["wget"] = links(binary, site, str(place / "wget.warc.gz"))
        copying = ["wget", "--quiet", "--recursive", "--no-host-directories", "--no-config", "--no-proxy", "--local-encoding=UTF-8"]
        asked_for = {"SITE" + path for path in [*QUERIES, "/queries.html", "/robots.txt"]}
        for number, naming in enumerate(NAMINGS):
            copy = place / f"names-{number}"
            subprocess.run([*copying, naming, "--directory-prefix", str(copy), f"{site}/queries.html"], timeout=60, check=True)
            pages = {link[0] for link in links(binary, site, "--names=wget", "--base", site, str(copy))}
            assert pages == asked_for, f"{naming}: {sorted(pages ^ asked_for)}"
        print(f"{len(NAMINGS)} copies: the names of {len(asked_for)} files are the URIs that wget asked for")
    else:
        print("skipped: wget is not available")
    warcit = Path(sys.prefix) / ("Scripts" if os.name == "nt" else "bin") / "warcit"
    done = subprocess.run([warcit, "-q", "-o", "-n", str(place / "warcit"), site + "/", str(folder)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found["warcit"] = links(binary, site, str(place / "warcit.warc.gz"))

    differences = {}
    for crawler, its in found.items():
        for sign, some in (("-", expected - its), ("+", its - expected)):
            for link in some:
                differences[(crawler, sign, *link)] = None
    listed = {}
    for line in (ROOT / "tests/peers/crawl.tsv").read_text().splitlines()[1:]:
        row = tuple(line.split("\t"))
        if row[0] in found:
            listed[row[:-1]] = row[-1]
    for row in sorted(differences.keys() - listed.keys()):
        print("new difference:", *row, sep="\t")
    for row in sorted(listed.keys() - differences.keys()):
        print("no longer different:", *row, sep="\t")
    assert differences.keys() == listed.keys(), "see tests/peers/crawl.tsv"
    total = sum(len(its) for its in found.values())
    print(f"{len(found)} archives, {total} links: those of the folder, with {len(listed)} differences that are explained")


main()
