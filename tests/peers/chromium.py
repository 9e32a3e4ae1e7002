#!/usr/bin/env python3
"""Checks that Chromium resolves the links of pages as `relref links` does.

    tests/peers/chromium.py [--made N] [--real N] [--seed N] [FOLDER]

The pages are N (40) made of odd links, in several character encodings, those of odd markup in `odd_links.py`, and up to N (1000) below FOLDER, by default those of
rustdoc in the toolchain. They are served on the loopback address. Each element's `href`, `src` and so on is read from the DOM, as
the absolute URL that scripts see. Chromium does not follow the URL Standard everywhere: each kind of difference is in
`KNOWN` of `browser.py`, with its reason, and any other fails. Skipped with a message where Chromium is missing.
"""

import argparse, collections, http.server, json, random, re, shutil, subprocess, sys, threading
from pathlib import Path

import browser
from odd_links import MARKUP_REASONS, made_page, markup_pages

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "chromium"

# The attributes that a property of the element has as an absolute URL: attribute, property, elements.
PROPERTIES = [
    ("href", "href", "a area link"),
    ("src", "src", "img script iframe frame embed source track video audio input"),
    ("poster", "poster", "video"),
    ("action", "action", "form"),
    ("formaction", "formAction", "button input"),
    ("data", "data", "object"),
    ("cite", "cite", "blockquote q ins del"),
    ("longdesc", "longDesc", "img iframe frame"),
    ("lowsrc", "lowsrc", "img"),
]
KEYS = {(element, attribute) for attribute, _, elements in PROPERTIES for element in elements.split()}

# Returns the base, the links as (element, attribute, reference, URL or null), and those in other documents or namespaces.
EXPRESSION = """(() => {
  const links = [], others = [];
  const clean = text => text.replace(/^[\\0- ]+|[\\0- ]+$/g, '').replace(/[\\t\\n\\r]/g, '');
  // Of a reference that Chromium refuses, some properties give the reference, others what is left of it: `http://h:8:` as the
  // action of a form is `http://h:8/`. An empty action is the page, whatever the base.
  const isValid = (reference, value) => URL.canParse(value) && (!reference || URL.canParse(reference, document.baseURI));
  const read = (root, is_own) => {
    for (const [attribute, property, elements] of %s)
      for (const element of root.querySelectorAll(`[${attribute}]`)) {
        const name = element.localName, reference = clean(element.getAttribute(attribute));
        if (!elements.split(' ').includes(name)) continue;
        const value = element[property];
        if (!is_own || typeof value != 'string') others.push([name, attribute, reference]);
        else links.push([name, attribute, reference, isValid(reference, value) ? value : null]);
      }
    for (const template of root.querySelectorAll('template')) read(template.content, false);
  };
  read(document, true);
  return { base: document.baseURI, encoding: document.characterSet, links, others };
})()""" % json.dumps(PROPERTIES)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files. Scripts do not run, nothing else is loaded, and no page leaves for another (`refresh`)."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", "sandbox allow-same-origin; default-src 'none'")
        super().end_headers()

    def guess_type(self, path):
        return "text/html"

    def log_message(self, *_):
        pass


def relref(folder, base):
    """Returns the output of the command, by page: pairs of a link and its URI."""
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    command = [ROOT / "target" / "release" / "relref", "links", "--quiet", "--format", "jsonl", "--base", base, folder]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = collections.defaultdict(set)
    for line in output.splitlines():
        link = json.loads(line)
        if (link["element"], link["attribute"]) in KEYS:
            page = Path(link["page"].replace("%25", "%")).relative_to(folder).as_posix()
            found[page].add((link["element"], link["attribute"], link["reference"], link["uri"]))
    return found


def declares_nothing(page):
    """Reports whether a page is UTF-8 that does not say so."""
    try:
        return b"charset" not in page[:1024].lower() and not page.startswith(b"\xef\xbb\xbf") and bool(page.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def reason(page, base, link, ours, theirs, encoding, data):
    """The reason of a difference, or None."""
    if not link[2].isascii() and encoding != "UTF-8" and declares_nothing(data):
        return "of pages from the network that do not declare an encoding, Chromium does not expect UTF-8"
    if link[1] in ("action", "formaction") and not link[2] and browser.same_but_query(ours, base) and theirs == page:
        return "Chromium takes an action of spaces alone as none: the page, not its base"
    if not link[2] and ours is None:
        return "an empty reference of a resource is no link (HTML), but Chromium resolves it"
    return browser.known(base, link[2], ours, theirs) or MARKUP_REASONS.get(Path(page).stem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", type=int, default=40)
    parser.add_argument("--real", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true", help="print every difference")
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not browser.command():
        print("skipped: no Chromium here")
        return
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    folder = args.folder or Path(sysroot) / "share" / "doc" / "rust" / "html"
    pages = TARGET / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    real = sorted(folder.rglob("*.html"))
    assert real or not args.real, f"no pages in {folder}"
    for page in real[:: max(1, len(real) // args.real)][: args.real] if args.real else []:
        copy = pages / "real" / page.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, copy)
    (pages / "made").mkdir(parents=True, exist_ok=True)
    choose = random.Random(args.seed)
    for number in range(args.made):
        (pages / "made" / f"{number}.html").write_bytes(made_page(choose, number))
    for name, page in markup_pages().items():
        (pages / "made" / f"{name}.html").write_bytes(page)

    serve = lambda *arguments: Handler(*arguments, directory=pages)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    ours = relref(pages, base)
    names = [page.relative_to(pages).as_posix() for page in sorted(pages.rglob("*.html"))]
    differences, compared = collections.defaultdict(list), 0
    chromium = browser.Browser(TARGET / "profile")
    for url, found in chromium.visit([f"{base}/{name}" for name in names], EXPRESSION):
        name = url[len(base) + 1 :]
        others = {tuple(link) for link in found["others"]}
        theirs = {tuple(link[:3]): link[3] for link in found["links"]}
        mine = {link[:3]: link[3] for link in ours[name] if link[:3] not in others}
        compared += len(theirs)
        for link in theirs.keys() | mine.keys():
            their_uri, our_uri = theirs.get(link), mine.get(link)
            if their_uri != our_uri:
                data = (pages / name).read_bytes()
                why = reason(url, found["base"], link, our_uri, their_uri, found["encoding"], data)
                differences[why].append((name, found["encoding"], found["base"], *link, our_uri, their_uri))
    chromium.close()
    server.shutdown()
    for why, rows in sorted(differences.items(), key=lambda item: item[0] or ""):
        print(f"{len(rows)}: {why or 'NOT EXPLAINED'}")
        for row in rows if args.print else rows[:20] if not why else []:
            print("   ", json.dumps(row, ensure_ascii=False))
    unknown = len(differences[None])
    print(f"{len(names)} pages, {compared} comparisons of links, {sum(map(len, differences.values()))} differences, "
          + (f"{unknown} NOT EXPLAINED" if unknown else "all explained"))
    sys.exit(1 if unknown else 0)


if __name__ == "__main__":
    main()
