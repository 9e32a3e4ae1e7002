#!/usr/bin/env python3
"""Checks in Chromium that copies made by `relref rewrite --mirror` are whole and need nothing else.

    tests/peers/mirror_chromium.py [--binary FILE] [--most N] [FOLDER]

The files of FOLDER, by default the book of Rust in the toolchain, become a web archive of one site, together with made pages: names with
queries, redirects, character encodings that only HTTP heads name. Up to N (60) pages of the copy are opened below three prefixes of the
loopback address, and as files. Each must find what it requests in the copy, and request nothing outside of it but what was not captured;
what it finds must be the files that it requests where the original is served. Skipped with a message where Chromium is missing.
"""

import argparse, collections, http.server, mimetypes, re, shutil, subprocess, sys, threading
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

import browser
from other_archives import ARTICLES

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "chromium-mirror"
SITE = "http://site.example/"
PREFIXES = ["", "archive/2026/", "a b/日本/"]
SHOWN = "[document.characterSet, document.body?.innerText ?? '', [...document.images].map(image => image.naturalWidth)]"
PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")


def record(uri, media_type, body, status="200 OK", fields=""):
    """A response in a web archive."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\n{fields}\r\n".encode()
    warc = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nContent-Type: application/http\r\nContent-Length: "
    return warc.encode() + str(len(head + body)).encode() + b"\r\n\r\n" + head + body + b"\r\n\r\n"


def made_records():
    """Pages that are no files of a site, and what they must show."""
    shown = {}
    for label, text in ARTICLES.items():
        page = f"<title>x</title><p>{text}<a href='p.php?id=3'></a>".encode({"gb18030": "gb18030"}.get(label, label))
        yield record(f"{SITE}made/{label}", f"text/html; charset={label}", page), f"site.example/made/{label}.html", text, []
    images = ["i.php?a=1&amp;b=%2F", "/moved", "//site.example:80/made/б.gif", "b%2Fc.gif", "q%3Fx.gif", "http://other.example:8080/i"]
    page = "<base href='/made/'>images" + "".join(f"<img src='{image}'>" for image in images)
    page += "<img srcset='i.php?a=1&amp;b=%2F 1x, /moved 2x'><style>p{background:url(\"i.php?css\")}</style><p>x"
    yield record(f"{SITE}p.php?id=3", "text/html; charset=utf-8", page.encode()), "site.example/p.php?id=3.html", "images", [1] * len(images)
    for uri in ("made/i.php?a=1&b=%2F", "made/%D0%B1.gif", "made/b%2Fc.gif", "made/q%3Fx.gif", "made/i.php?css"):
        yield record(SITE + uri, "image/gif", PIXEL), None, "", []
    yield record("http://other.example:8080/i", "image/gif", PIXEL), None, "", []
    yield record(f"{SITE}moved", "text/html", b"", "302 Found", "Location: /made/i.php?css\r\n"), None, "", []


class Watched(browser.Browser):
    """Keeps what pages request: the page, the URL, and what became of it."""

    def __init__(self, profile):
        super().__init__(profile)
        self.requests = {}

    def tab(self):
        session = super().tab()
        self.call("Network.enable", session)
        self.call("Network.setCacheDisabled", session, cacheDisabled=True)
        return session

    def receive(self):
        message = super().receive()
        method, event = message.get("method"), message.get("params", {})
        key = (message.get("sessionId"), event.get("requestId"))
        if method == "Network.requestWillBeSent" and not re.match("data:|blob:", event["request"]["url"]):
            self.requests[key] = [event["documentURL"], event["request"]["url"], ""]
        elif method == "Network.responseReceived" and event["response"]["status"] >= 400 and key in self.requests:
            self.requests[key][2] = str(event["response"]["status"])
        elif method == "Network.loadingFailed" and key in self.requests and not event.get("canceled"):
            self.requests[key][2] = event["errorText"]
        return message


def serve(roots):
    """A server of folders by their prefixes, and its URL."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path):
            path = unquote(path.split("?")[0]).lstrip("/")
            prefix = max((prefix for prefix in roots if path.startswith(prefix)), key=len, default=None)
            return str(roots[prefix] / path[len(prefix) :]) if prefix is not None else "/nowhere"

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    # A page that is left closes its connections.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def opened(chromium, base, names, lacking):
    """Opens pages. Returns what each shows, and finds relative to the base. Adds what it does not find to lacking."""
    chromium.requests.clear()
    shown = {url[len(base) :]: value for url, value in chromium.visit([base + quote(name) for name in names], SHOWN)}
    # Of the last pages.
    for _ in chromium.visit(["about:blank"] * 4, "1"):
        pass
    found = collections.defaultdict(set)
    for page, url, failure in chromium.requests.values():
        # Chromium does not ask for icons each time.
        if not page.startswith(base) or "favicon" in url:
            continue
        if failure or not url.startswith(base):
            lacking.append((page, url))
        else:
            found[unquote(page[len(base) :])].add(re.sub(r"\?.*", "", unquote(url[len(base) :])))
    return {unquote(name): value for name, value in shown.items()}, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--binary", type=Path)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not browser.command():
        print("skipped: no Chromium here")
        return
    binary = args.binary or ROOT / "target" / "release" / "relref"
    if not args.binary:
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    folder = args.folder or Path(sysroot) / "share" / "doc" / "rust" / "html" / "book"
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    assert any(name.endswith(".html") for name in files), f"no pages in {folder}"
    expected, captured = {}, set()
    with open(TARGET / "crawl.warc", "wb") as archive:
        for name in files:
            media_type = "text/html; charset=utf-8" if name.endswith(".html") else mimetypes.guess_type(name)[0] or "text/plain"
            archive.write(record(SITE + "real/" + quote(name), media_type, (folder / name).read_bytes()))
            captured.add(SITE + "real/" + quote(name))
            # As a crawler does, with the queries of references.
            queries = re.findall(rb"""(?:href|src)=["']?([^"'\s>#?:]+\?[^"'\s>#]*)""", (folder / name).read_bytes()) if name.endswith(".html") else []
            for uri in {urljoin(SITE + "real/" + quote(name), unescape(query.decode())) for query in queries} - captured:
                file = folder / unquote(urlsplit(uri).path.removeprefix("/real/"))
                if file.is_file():
                    archive.write(record(uri, mimetypes.guess_type(file.name)[0] or "text/plain", file.read_bytes()))
                    captured.add(uri)
        for made, name, text, images in made_records():
            archive.write(made)
            captured.add(made.split(b"URI: ")[1].split(b"\r\n")[0].decode())
            if name:
                expected[name] = (text, images)
    copy = TARGET / "copy"
    done = subprocess.run([binary, "rewrite", "--mirror", "--output", copy, TARGET / "crawl.warc"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)

    is_page = lambda name: name.endswith(".html") and b"http-equiv=\"refresh" not in (folder / name).read_bytes()
    pages = [f"site.example/real/{name}" for name in files if is_page(name)]
    pages = pages[:: max(1, len(pages) // args.most)][: args.most]
    wrong, count, others = [], 0, 0
    base = serve({**{prefix: copy for prefix in PREFIXES}, "original/site.example/real/": folder})
    chromium = Watched(TARGET / "profile")
    _, original = opened(chromium, f"{base}original/", pages, [])
    for start in [*(base + quote(prefix) for prefix in PREFIXES), copy.as_uri() + "/"]:
        lacking = []
        shown, found = opened(chromium, start, ["index.html", *pages, *expected], lacking)
        wrong += [f"{page} lacks {url}" for page, url in lacking if url.startswith(start) or url.split("#")[0] in captured]
        others += len(lacking)
        count += sum(map(len, found.values()))
        for name in pages:
            if found[name] != original[name]:
                wrong.append(f"{start}{name}: other files than in the original: {sorted(found[name] ^ original[name])[:5]}")
        for name, (text, images) in expected.items():
            charset, found_text, found_images = shown[name]
            # That of a srcset may come later.
            if text not in found_text or found_images[: len(images)] != images:
                wrong.append(f"{start}{name} shows {charset}, {found_text[:60]!r}, images {found_images}")
    chromium.close()
    for line in wrong[:40]:
        print(line)
    print(f"{len(files)} files, {len(pages) + len(expected) + 1} pages in {len(PREFIXES) + 1} places, {count} requests, {others} for what was not captured, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
