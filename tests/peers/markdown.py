#!/usr/bin/env python3
"""Compares the links of Markdown and the problems that `relref` finds in real trees with those of an independent reader.

    tests/peers/markdown.py [--tree NAME]… [--samples N]

The trees are those of trees.py that have Markdown. The reader is micromark with GFM and front matter, parse5 and github-slugger
(`markdown.mjs`), and a judge of files and fragments in a few lines here, which knows nothing of relref. Compared are the references
without a scheme of each page, and those that do not work: no file, or no element that the fragment names, by the rules of GitHub.
Differences are printed and end the script with 1, as fewer than six trees do. Needs Node.js and npm, and the first time the registries.
"""

import argparse, collections, json, os, re, shutil, subprocess, sys
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote

from trees import TREES, fetch

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target" / "markdown-peers"
RELREF = os.environ.get("RELREF", str(ROOT / "target" / "release" / "relref"))
PACKAGES = [
    "micromark@4.0.3", "micromark-extension-gfm@3.0.0", "micromark-extension-frontmatter@2.0.0", "mdast-util-from-markdown@2.1.0",
    "mdast-util-gfm@3.1.0", "mdast-util-frontmatter@2.0.1", "parse5@8.1.1", "github-slugger@2.0.0",
]
LEAST_TREES = 6
ELEMENTS = {"a", "area", "img", "source", "video", "audio", "iframe"}
READMES = ["README.md", "README.markdown", "README", "index.md", "_index.md"]
# Admonitions and the like of MkDocs, whose indented text relref reads.
CONTAINER = re.compile(r'^ *(!!! |\?\?\?\+? |=== ")', re.M)


def run(*command, stdin=None):
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=TARGET)


def is_relative(reference):
    return not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", reference)


def plain(reference):
    """A reference as it is compared: without percent-encoding, which micromark adds."""
    return unquote(reference, errors="surrogateescape").strip(" \t\r\n")


class Tree:
    def __init__(self, folder):
        self.folder = folder
        self.files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        self.folders = {parent for file in self.files for parent in parents(file)}
        self.markdown = sorted(file for file in self.files if file.lower().endswith((".md", ".markdown")))
        read = self.markdown + sorted(file for file in self.files if file.lower().endswith((".html", ".htm", ".svg")))
        out = run("node", "markdown.mjs", stdin="".join(f"{folder / file}\n" for file in read))
        if out.returncode:
            sys.exit(out.stderr)
        self.pages = dict(zip(read, map(json.loads, out.stdout.splitlines())))
        for page in self.pages.values():
            page["ids"] = set(page["ids"])

    def links(self, page):
        """The references of a page, and the definitions by their labels, of which the first one counts."""
        read = self.pages[page]
        definitions = dict(reversed(read["definitions"]))
        return {plain(reference) for _, reference in read["links"]} | {plain(url) for url in definitions.values()}

    def works(self, page, reference):
        """Reports whether a file is where a reference leads, and its fragment names something; leads out of the tree, nobody knows."""
        if reference.startswith("{"):  # an expression of a template, which only its renderer knows
            return True
        before, _, fragment = reference.partition("#")
        path = unquote(before.partition("?")[0])
        if path:
            start = "" if path.startswith("/") else dirname(page)
            path = normpath(f"./{start}/{path.replace(chr(92), '/')}")
            if path.startswith(".."):
                return True
            slash = path.endswith("/") or before.partition("?")[0].endswith("/")
        else:
            path, slash = page, False
        if path == "." or path in self.folders:
            path = next((f"{path}/{name}".removeprefix("./") for name in READMES if f"{path}/{name}".removeprefix("./") in self.files), None)
        elif path not in self.files or slash:
            return False
        fragment = unquote(fragment)
        if path not in self.pages or fragment.lower() in ("", "top") or re.fullmatch(r"L\d+(C\d+)?(-L\d+(C\d+)?)?", fragment):
            return True
        ids = self.pages[path]["ids"]
        of_github = {fragment.lower(), fragment.removeprefix("user-content-"), fragment.removeprefix("user-content-").lower()}
        return fragment in ids or (path in self.markdown and not ids.isdisjoint(of_github))


def parents(file):
    while file := dirname(file):
        yield file


def found(tree):
    """What relref says: the references of each page, and those that do not work."""
    links = collections.defaultdict(set)
    out = run(RELREF, "links", "-q", "--no-ignore", "--format", "jsonl", str(tree.folder))
    for line in out.stdout.splitlines():
        link = json.loads(line)
        page = os.path.relpath(link["page"], tree.folder)
        if link["element"] in ELEMENTS and link["attribute"] != "srcset":
            links[page].add(plain(link["reference"]))
    problems = collections.defaultdict(set)
    out = run(RELREF, "check", "-q", "--no-ignore", "--ids", "github", "--format", "jsonl", str(tree.folder))
    for line in out.stdout.splitlines():
        problem = json.loads(line)
        page = os.path.relpath(problem["page"], tree.folder)
        problems[page].add(plain(problem["reference"]))
    return links, problems


def compare(tree, samples):
    """Prints the counts of a tree, and differences; returns their number."""
    links, problems = found(tree)
    counts, differences, in_containers = collections.Counter(), [], 0
    for page in tree.markdown:
        own = {reference for reference in tree.links(page) if is_relative(reference)}
        other = {reference for reference in links[page] if is_relative(reference)}
        broken = {reference for reference in own if not tree.works(page, reference)}
        counts.update(links=len(own), problems=len(broken))
        # A link that only one has is a difference of links alone.
        both = own & other
        if CONTAINER.search((tree.folder / page).read_text(errors="surrogateescape")):
            in_containers += len(other - own)
            other = both
        for what, ours, theirs in (("links", other, own), ("problems", both & problems[page], both & broken)):
            for who, references in (("relref", ours - theirs), ("reader", theirs - ours)):
                differences += [f"{what}, only {who}: {page}: {reference}" for reference in sorted(references)]
    name = tree.folder.relative_to(ROOT / "target" / "moves").as_posix()
    print(f"{name}: {len(tree.markdown)} pages, {counts['links']} relative links, {counts['problems']} problems, {len(differences)} differences"
          + (f", and {in_containers} links in admonitions, which are code to micromark" if in_containers else ""))
    for difference in differences[:samples]:
        print(f"  {difference}")
    return len(differences)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", action="append", help="only this one")
    parser.add_argument("--samples", type=int, default=20, help="the most differences of a tree that are printed")
    arguments = parser.parse_args()
    if not shutil.which("node") or not shutil.which("npm"):
        print("skipped: no Node.js here")
        return
    TARGET.mkdir(parents=True, exist_ok=True)
    if run("npm", "install", "--silent", "--no-save", *PACKAGES).returncode:
        print("skipped: npm cannot install the packages")
        return
    shutil.copy(Path(__file__).with_suffix(".mjs"), TARGET)
    places = ROOT / "target" / "moves"
    places.mkdir(parents=True, exist_ok=True)
    trees = differences = 0
    for name in arguments.tree or TREES:
        folder = fetch(name, places)
        tree = folder and Tree(folder)
        if tree and tree.markdown:
            trees += 1
            differences += compare(tree, arguments.samples)
    if not arguments.tree and trees < LEAST_TREES:
        sys.exit(f"only {trees} of the trees can be had: too few to tell anything")
    sys.exit(differences > 0)


main()
