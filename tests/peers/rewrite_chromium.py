#!/usr/bin/env python3
"""Checks that Chromium finds the same URLs in pages before and after `relref rewrite`.

    tests/peers/rewrite_chromium.py [--binary FILE] [--most N] [FOLDER]…

The pages are those of odd markup in odd_links.py, and up to N (300) below each FOLDER, by default those of rustdoc in the toolchain. They
are served on the loopback address; after each mode, the rewritten ones take their places, and with --map those of another port. Each
element's `href`, `src` and so on is read from the DOM, as the absolute URL that scripts see. Skipped with a message where Chromium is
missing.
"""

import argparse, http.server, shutil, subprocess, sys, threading
from pathlib import Path

import browser
from odd_links import markup_pages

from chromium import EXPRESSION, Handler  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "chromium-rewrite"


def serve(folder):
    """A server of the files in folder.path, and its URL."""
    handler = lambda *arguments: Handler(*arguments, directory=folder["path"])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def urls(chromium, base, names):
    """The links of each page: element, attribute, and URL as the browser has it."""
    found = {}
    for url, page in chromium.visit([base + name for name in names], EXPRESSION):
        found[url[len(base) :]] = [(element, attribute, value) for element, attribute, _, value in page["links"]]
    return found


def is_known(link):
    """Reports whether Chromium has a URL for the link. It has none in pages whose base is no valid URL, which it does not ignore."""
    return link[2] is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--binary", type=Path)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not browser.command():
        print("skipped: no Chromium here")
        return
    binary = args.binary or ROOT / "target" / "release" / "relref"
    if not args.binary:
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    folders = args.folders or [Path(sysroot) / "share" / "doc" / "rust" / "html"]
    shutil.rmtree(TARGET, ignore_errors=True)
    pages = TARGET / "pages"
    (pages / "made").mkdir(parents=True)
    for name, page in markup_pages().items():
        (pages / "made" / f"{name}.html").write_bytes(page)
    for number, folder in enumerate(folders):
        real = sorted(folder.rglob("*.html"))
        assert real, f"no pages in {folder}"
        for page in real[:: max(1, len(real) // args.most)][: args.most]:
            copy = pages / str(number) / page.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, copy)
    names = [page.relative_to(pages).as_posix() for page in sorted(pages.rglob("*.html"))]

    here, there = {"path": pages}, {"path": pages}
    base, new = serve(here), serve(there)
    chromium = browser.Browser(TARGET / "profile")
    before = urls(chromium, base, names)
    wrong, compared = [], 0
    for mode in ("absolute", "relative", "root", "mapped"):
        out = TARGET / mode
        options = ["--to", "relative", "--map", f"{base}={new}"] if mode == "mapped" else ["--to", mode]
        subprocess.run([binary, "rewrite", "--quiet", *options, "--base", base, "--output", out, pages], check=True)
        here["path"] = there["path"] = out
        site = new if mode == "mapped" else base
        after = urls(chromium, site, names)
        for name in names:
            compared += len(before[name])
            expected = [(*link[:2], link[2] and link[2].replace(base, site, 1)) for link in before[name]]
            if len(expected) != len(after[name]):
                wrong.append(f"{mode} {name}: {len(expected)} links, now {len(after[name])}")
            wrong += [f"{mode} {name}: {old}, now {now}" for old, now in zip(expected, after[name]) if old != now and is_known(old)]
    chromium.close()
    for line in wrong[:40]:
        print(line)
    print(f"{len(names)} pages, {compared} links compared, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
