#!/usr/bin/env python3
"""Checks with html5lib, tinycss2 and urljoin that `relref rewrite` changes the references of pages and nothing else.

    tests/peers/rewrite.py [--most N] [FOLDER]…

The pages are tests/peers/links.html, also in other character encodings, those of odd markup in odd_links.py, and up to N (300) pages,
style sheets and SVG images below each FOLDER, by default what `cargo doc` writes; the pages also as the HTML of feeds. For each mode, and with --map: the edits that
--dry-run tells, made here, give the page that the command writes; the peers find the same links in it, in the same order, with the
mapped URIs; their trees differ in nothing but the attributes and styles that hold links. Needs Python 3.8 and, the first time, PyPI: the environment is that of links.py.
"""

import argparse, collections, json, os, re, subprocess, sys, tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import links as peers  # makes the environment

import html5lib  # noqa: E402
from odd_links import markup_pages  # noqa: E402
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SITE, NEW = "http://example.com/", "https://new.example/x/"
MODES = {
    "absolute": (["--to", "absolute"], SITE),
    "relative": (["--to", "relative"], SITE),
    "root": (["--to", "root"], SITE),
    "mapped": (["--to", "relative", "--map", f"{SITE}={NEW}"], NEW),
}
CHARSETS = {
    "utf-8": "utf-8-sig", "utf-16le": "utf-16", "windows-1251": "cp1251", "koi8-r": "koi8_r", "windows-1252": "cp1252",
    "shift_jis": "cp932", "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp", "euc-kr": "cp949", "gb18030": "gb18030",
    "big5": "big5hkscs", "iso-8859-2": "iso8859_2",
}
LEFT = re.compile(r"\{\{|\{%|<%|\$\{|\[\[|%%")


def parse(data):
    if isinstance(data, str):
        return html5lib.parse(data, treebuilder="etree")
    return html5lib.parse(data, treebuilder="etree", default_encoding="utf-8")


def found(path, data, uri):
    """The links that the peers find, in order."""
    if path.suffix == ".css":
        return list(peers.sheet_links(data, uri))
    return [link for link in peers.links(parse(data), uri, True) if "srcdoc" not in link[1]]


def without_links(data):
    """The tree without what a link may be in: names, other attributes, texts."""
    shape = []
    for element in parse(data).iter():
        name = element.tag if isinstance(element.tag, str) else "#"
        kept = {key: value for key, value in element.attrib.items() if not may_hold_links(name, key)}
        text = "" if name.endswith("}style") else element.text
        shape.append((name, sorted(kept.items()), text, element.tail, sorted(element.attrib)))
    return shape


def may_hold_links(name, key):
    key = key.replace("{http://www.w3.org/1999/xlink}", "xlink:").lower()
    known = [*peers.SINGLE, *peers.SPACED, *peers.IN_SVG, "archive", "content", "data", "imagesrcset", "srcset", "style", "value"]
    return key in known


def is_right(old, new, new_site, mode):
    """Reports whether a link means what it did, or its mapped URI."""
    (element, attribute, reference, uri), (new_element, new_attribute, new_reference, new_uri) = old, new
    if (element, attribute) != (new_element, new_attribute):
        return False
    if reference == new_reference and (LEFT.search(reference) or not re.match(r"(https?|ftp|wss?)://[^/]|file:", uri)):
        return True
    # A fragment of the document, whatever its base, as in CSS and SVG.
    if reference == new_reference and reference.startswith("#") and element not in ("a", "area"):
        return True
    uri = re.sub("^[A-Za-z]+://[^/?#]*", lambda start: start[0].lower(), uri)
    expected = new_site + uri[len(SITE) :] if uri.startswith(SITE) else uri
    if mode == "absolute" and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", new_reference):
        return False
    now, then = normal(new_uri), normal(expected)
    # Browsers encode a query in the encoding of its page, which urljoin does not know.
    return now == then if uri.isascii() else now[:3] + now[4:] == then[:3] + then[4:]


def normal(uri):
    """Encoded as browsers do, but more evenly."""
    uri = uri.replace("\\", "/")
    split = urlsplit(uri)
    host = split.netloc.lower().removesuffix(":80" if split.scheme == "http" else ":443")
    path = quote(unquote_to_bytes(split.path or "/"))
    path = urljoin(f"http://h{path}", path) if path.startswith("/") else path
    return split.scheme, host, path.removeprefix("http://h"), quote(unquote_to_bytes(split.query)), quote(unquote_to_bytes(split.fragment))


def run(binary, *arguments):
    done = subprocess.run([binary, "rewrite", "--quiet", *arguments], capture_output=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--binary", type=Path)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    args = parser.parse_args()

    cargo = os.environ.get("CARGO", "cargo")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binary = args.binary or target / "release" / "relref"
    if not args.binary:
        subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    folders = args.folders
    if not folders:
        subprocess.run([cargo, "doc", "--quiet", "--locked", "--no-deps", "--workspace", "--all-features"], cwd=ROOT, check=True)
        folders = [target / "doc"]

    totals = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        site = Path(temporary) / "site"
        pages = {"made/links.html": (ROOT / "tests" / "peers" / "links.html").read_bytes()}
        for name, page in markup_pages().items():
            if name == "base-in-template":
                # html5lib takes it.
                continue
            pages[f"made/{name}.html"] = page
        text = pages["made/links.html"].decode()
        for charset, codec in CHARSETS.items():
            head = "" if codec in ("utf-8-sig", "utf-16") else f"<meta charset={charset}>"
            body = text + "<a href='страница?q=страница'>Ж</a><a href='日本?q=日本'>日本</a><a href='한국'>한국</a><a href=é>é</a>"
            pages[f"charsets/{charset}.html"] = (head + body).encode(codec, "xmlcharrefreplace")
        for folder in folders:
            for ending in ("html", "htm", "css", "svg"):
                files = sorted(file for file in folder.rglob(f"*.{ending}") if file.is_file() and file.stat().st_size < 400_000)
                for file in files[:: max(1, len(files) // args.most)][: args.most]:
                    pages[f"real/{len(pages)}/{file.name}"] = file.read_bytes()
        for name, data in pages.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_bytes(data)

        feeds = peers.make_feeds([site / name for name in pages if name.startswith("real/") and name.endswith("html")], site / "feeds")
        in_feed = lambda text, uri: [link for link in peers.links(parse(text), uri, True, has_base=False) if "srcdoc" not in link[1]]

        wrong = []
        old_links, old_trees = {}, {}
        for name, data in pages.items():
            path = Path(name)
            old_links[name] = found(path, data, SITE + name)
            old_trees[name] = None if path.suffix == ".css" else without_links(data)
        for mode, (options, new_site) in MODES.items():
            out = Path(temporary) / mode
            lines = run(binary, *options, "--base", SITE, "--dry-run", site).decode().splitlines()
            run(binary, *options, "--base", SITE, "--output", out, site)
            edits = collections.defaultdict(list)
            for line in map(json.loads, lines):
                edits[os.path.relpath(line["page"].replace("%25", "%"), site)].append(line)
            for name, data in pages.items():
                path, new = Path(name), (out / name).read_bytes()
                totals["edits"] += len(edits[name])
                at, rest = 0, new
                for edit in [*edits[name], {"start": len(data), "end": len(data)}]:
                    kept = data[at : edit["start"]]
                    if not rest.startswith(kept):
                        wrong.append(f"{mode} {name}: bytes before {edit['start']} changed")
                        break
                    rest = rest[len(kept) :]
                    at = edit["end"]
                    if "new" in edit:
                        codec = next((codec for label, codec in CHARSETS.items() if name == f"charsets/{label}.html"), "utf-8")
                        codec = {"utf-16": "utf-16-le", "utf-8-sig": "utf-8"}.get(codec, codec)
                        written = edit["new"].encode(codec)
                        if not rest.startswith(written):
                            wrong.append(f"{mode} {name}: {edit} is not written")
                            break
                        rest = rest[len(written) :]
                        if codec == "iso2022_jp" and rest[:1] == b"\x1b" and data[at : at + 1] != b"\x1b":
                            rest = rest[3:]
                now = found(path, new, new_site + name)
                totals["links"] += len(now)
                if len(now) != len(old_links[name]):
                    wrong.append(f"{mode} {name}: {len(old_links[name])} links, now {len(now)}")
                for old, link in zip(old_links[name], now):
                    if not is_right(old, link, new_site, mode):
                        wrong.append(f"{mode} {name}: {old} became {link}")
                if path.suffix != ".css" and without_links(new) != old_trees[name]:
                    wrong.append(f"{mode} {name}: the tree changed")
            for file, (element, text) in feeds.items():
                name = f"feeds/{file.name}"
                elements = ElementTree.parse(out / name).iter()
                new = next("".join(found.itertext()) for found in elements if found.tag.rpartition("}")[2] == element.rpartition(":")[2])
                old, now = in_feed(text, SITE + name), in_feed(new.strip(), new_site + name)
                totals["links"] += len(now)
                if len(old) != len(now):
                    wrong.append(f"{mode} {name}: {len(old)} links, now {len(now)}")
                wrong += [f"{mode} {name}: {a} became {b}" for a, b in zip(old, now) if not is_right(a, b, new_site, mode)]
                if without_links(text) != without_links(new.strip()):
                    wrong.append(f"{mode} {name}: the tree changed")
    for line in wrong[:40]:
        print(line)
    print(f"{len(pages)} pages, {len(feeds)} feeds, {totals['links']} links in {len(MODES)} modes, {totals['edits']} edits, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
