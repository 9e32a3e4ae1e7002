#!/usr/bin/env python3
"""Compares the broken links that `relref check` finds in folders with those that other tools find.

    tests/peers/check.py [--runs N] [--limit SECONDS] [--tool NAME]... [--samples N] [FOLDER...]

The folders are copies of sites; without any, those of the packages apache2-doc, debian-reference-ja, maint-guide-ja, postgresql-doc-15
and python3.11-doc of Debian that are installed. The tools are lychee, hyperlink, htmlproofer, htmltest, linkinator and linkchecker,
those that are found in the PATH. Printed is a table for each folder: the links that each tool calls broken, as pairs of a page and a
target, those that only relref or only the tool finds, the medians of the times, the exit code and the peak of memory (of one process).
Differences are counted by class; those of no class that is known are printed and end the script with 1. Nothing is fetched: tools that
read sites by HTTP read them from the loopback interface. Needs Python 3.8, GNU time and, the first time for linkchecker, PyPI: the
environment is made in target/check-venv.
"""

import argparse, collections, csv, functools, io, json, os, re, shutil, statistics, subprocess, sys, tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import environment
from sites import installed, pages

ROOT = Path(__file__).resolve().parents[2]

environment.enter("check-venv", ["linkchecker==10.6.0"])


def target(page, reference):
    """What a reference in a page leads to: a path from the root and a fragment, both decoded."""
    if re.match(r"[A-Za-z][\w+.-]*:|//", reference):
        return reference
    path, _, fragment = reference.partition("#")
    path = "/" + page if not path else re.sub(r"\?$", "", path)
    if path.startswith("?"):
        path = "/" + page + path
    elif not path.startswith("/"):
        path = f"{os.path.dirname(page)}/{path}"
    slash = "/" if path.endswith("/") else ""
    # A relative path that leads out of the root keeps its `..`.
    return re.sub("/+", "/", f"/{os.path.normpath(unquote(path).lstrip('/') or '.')}{slash}").replace("/./", "/") + ("#" + unquote(fragment) if fragment else "")


def below(folder, uri):
    """A `file:` URI as a path from the root, if it is below the folder."""
    path, _, fragment = uri.partition("#")
    path = unquote(path)[len("file://"):] if path.startswith("file:///") else path
    slash = "/" if path.endswith("/") else ""
    path = f"/{os.path.relpath(path, folder)}{slash}".replace("/./", "/")
    return path + ("#" + unquote(fragment) if fragment else "")


# Each tool: a function of the folder and a new folder for files, which returns the command and a function that reads its output as
# pairs of a page and a target, with a word on each.


def relref(folder, _):
    def read(output, _):
        for line in output.splitlines():
            problem = json.loads(line)
            if problem["problem"] == "missing-slash":
                continue
            page = os.path.relpath(problem["page"], folder)
            place = f"{problem['element']}.{problem['attribute']}"
            is_clear = "uri" in problem and "out of the root" not in problem.get("note", "")
            uri = problem["uri"] if is_clear else problem["reference"]
            yield page, target(page, uri), f"{problem['problem']} {place}"
    return ["relref", "check", "--quiet", "--format", "jsonl", folder], read


def lychee(folder, _):
    command = ["lychee", "--offline", "--include-fragments", "--index-files", "index.html", "--no-progress", "--format", "json"]

    def read(output, _):
        found = json.loads(output)
        for key in ("error_map", "timeout_map"):
            for page, links in found.get(key, {}).items():
                for link in links:
                    yield os.path.relpath(page, folder), below(folder, link["url"]), link["status"]["text"]
    return [*command, "--root-dir", folder, folder], read


def hyperlink(folder, _):
    def read(output, _):
        for block in output.partition("documents)\n")[2].split("\n\n"):
            page, *bad = block.split("\n  error: bad ")
            for problem in bad:
                kind, _, reference = problem.partition(" ")
                yield os.path.relpath(page, folder), target(page, reference), kind
    return ["hyperlink", "--check-anchors", folder], read


def htmlproofer(folder, _):
    def read(output, errors):
        page = None
        for line in (output + errors).splitlines():
            if line.startswith("- "):
                page = os.path.relpath(line[2:], folder)
            found = re.match(r"  \*  (?:internally linking to|linking to internal hash) (?:a directory )?(.*?)"
                             r"(?:, which does not exist|; the file exists, but the hash .*| that does not exist|"
                             r" without trailing slash|, but the hash .*)(?: \(line \d+\))?$", line)
            found = found or re.match(r"  \*  internal (?:image|script)(?: reference)? (.*) does not exist(?: \(line \d+\))?$", line)
            if found:
                yield page, target(page, found[1]), re.sub(r"^\W+|\(line.*", "", line.replace(found[1], "…"))
    options = ["--disable-external", "--allow-hash-href", "--allow-missing-href", "--empty-alt-ignore", "--alt-ignore", "/.*/"]
    return ["htmlproofer", *options, folder], read


def htmltest(folder, place):
    (place / "htmltest.yml").write_text(json.dumps({"DirectoryPath": str(folder), "CheckExternal": False, "OutputDir": str(place)}))

    def read(output, errors):
        for line in (output + errors).splitlines():
            found = re.match(r"\s+(.*?) --- (\S+) --> (.*)", line)
            if found:
                yield found[2], target(found[2], found[3]), found[1]
    return ["htmltest", "--conf", place / "htmltest.yml"], read


def linkinator(folder, _):
    options = ["--recurse", "--check-css", "--check-fragments", "--format", "json", "--skip", "^https?://(?!localhost)"]

    def read(output, _):
        for link in json.loads(output)["links"]:
            if link["state"] == "BROKEN":
                page = unquote(urlsplit(link.get("parent", "")).path).lstrip("/")
                page = "index.html" if page in ("", ".") else page + "index.html" if page.endswith("/") else page
                server = "http://" + urlsplit(link.get("parent", "")).netloc
                url = link["url"][len(server):] if link["url"].startswith(server + "/") else link["url"]
                if not re.match("https?:", url):
                    yield page, target(page, "/" + url), f"fragment {link['status']}" if link["status"] == 200 else str(link["status"])
    # It starts at the index file; without one, at all pages of the folder.
    start = ["."] if (folder / "index.html").exists() else sorted(path.name for path in folder.glob("*.html"))
    return ["linkinator", *start, *options], read


def linkchecker(folder, place):
    (place / "linkchecker.conf").write_text("[AnchorCheck]\n")

    def read(output, _):
        rows = csv.DictReader(io.StringIO(re.sub("(?m)^#.*\n", "", output)), delimiter=";")
        for row in rows:
            warning = "anchor" in (row["warningstring"] or "").lower()
            if row["valid"] == "True" and not warning:
                continue
            page = below(folder, row["parentname"]).lstrip("/")
            url = row["url"] or urljoin(row["parentname"], row["urlname"])
            fragment = re.search("#.*", row["urlname"]) if "#" not in url else None
            yield page, below(folder, url + (fragment[0] if fragment else "")), "anchor" if warning else row["result"]
    return ["linkchecker", "--config", place / "linkchecker.conf", "--no-status", "--no-robots", "--output", "csv", folder], read


TOOLS = [relref, lychee, hyperlink, htmlproofer, htmltest, linkinator, linkchecker]


def is_symlink(folder, path):
    """Reports whether a file or a folder on the way to it is a symbolic link."""
    return os.path.realpath(folder / path.lstrip("/")) != os.path.normpath(folder / path.lstrip("/"))


def is_utf8(folder, page):
    try:
        (folder / page).read_bytes().decode()
        return True
    except (OSError, UnicodeDecodeError):
        return False


CODE = {"code", "kbd", "listing", "plaintext", "pre", "samp", "var", "xmp"}


class Links(HTMLParser):
    """The references outside of elements for code."""

    def __init__(self, text):
        super().__init__()
        self.found, self.depth = set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.depth += tag in CODE
        if self.depth == 0:
            self.found.update(value for name, value in attributes if name in ("href", "src") and value)

    def handle_endtag(self, tag):
        self.depth -= tag in CODE


@functools.lru_cache(None)
def outside_code(folder, page):
    """The targets of a page that are not only in code."""
    references = Links((folder / page).read_bytes().decode(errors="replace")).found
    return {re.sub(r"/(index\.html)?(?=#|$)", "", target(page, reference)) for reference in references}


def markup(folder, page, reference):
    """The tag of a page that has a reference like this one, or its end."""
    end = re.escape(reference.rpartition("/")[2])
    data = (folder / page).read_bytes().decode(errors="replace") if (folder / page).is_file() else ""
    return next(iter(re.findall(rf"""<[^<>]*["'/]{end}(?:/index\.html)?["'][^<>]*>""", data)), "")


# Differences that are known: the tool, or any; who finds the link; why; a test of the folder, page, target and words.
ANY = ""
KNOWN = [
    (ANY, "relref", "it reads no compressed pages", lambda folder, page, to, word: page.endswith(".gz")),
    (ANY, "relref", "it reads no style sheets", lambda folder, page, to, word: word.startswith("missing css")),
    (ANY, "relref", "it does not report URLs of other sites that are not valid", lambda folder, page, to, word: word.startswith("invalid")),
    ("lychee", "relref", "it does not check scripts", lambda folder, page, to, word: "script.src" in word),
    ("lychee", "relref", "it does not read pages that symbolic links lead to", lambda folder, page, to, word: is_symlink(folder, page)),
    ("lychee", "relref", "it does not read pages that are not UTF-8", lambda folder, page, to, word: not is_utf8(folder, page)),
    ("lychee", "relref", "it does not read links in code", lambda folder, page, to, word: to not in outside_code(folder, page)),
    ("hyperlink", "relref", "it does not read pages that symbolic links lead to", lambda folder, page, to, word: is_symlink(folder, page)),
    ("linkinator", "relref", "it looks only for fragments that it knows of when it reads their page",
     lambda folder, page, to, word: word.startswith("missing-fragment")),
    ("linkinator", "relref", "it takes `..` above the root as the root", lambda folder, page, to, word: to.startswith("/../")),
    ("hyperlink", "relref", "it takes `..` above the root as the root", lambda folder, page, to, word: to.startswith("/../")),
    ("hyperlink", "tool", "it takes files that are symbolic links as missing",
     lambda folder, page, to, word: any(is_symlink(folder, to.partition("#")[0] + index) for index in ("", "/index.html"))),
    ("linkinator", "tool", "its own server gave no answer", lambda folder, page, to, word: word == "0"),
    ("linkchecker", "relref", "it takes paths that start with a slash for those of the machine, and does not check them",
     lambda folder, page, to, word: re.search(rf"""["']{re.escape(to)}["']""", (folder / page).read_text(errors="replace"))),
    (ANY, "tool", "it takes a range of lines, `3-7`, as the id of an element: a script marks the lines",
     lambda folder, page, to, word: re.search(r"#\d+-\d+$", to)),
    (ANY, "tool", "it looks for the fragment in a page that leads to another one",
     lambda folder, page, to, word: "#" in to and "refresh" in markup(folder, to[1:].partition("#")[0], "refresh")),
    ("lychee", "tool", "it takes text files as pages", lambda folder, page, to, word: re.search(r"\.(txt|md)$", page)),
    (ANY, "tool", "it checks `link` elements that lead nowhere: without `rel`, or canonical",
     lambda folder, page, to, word: re.match(r"(?i)<link\s(?!.*\srel=)|<link\s.*canonical", markup(folder, page, to))),
]


def reason(tool, who, folder, key, word):
    """Why only one of both finds a link, or the words of the one."""
    found = (why for name, side, why, test in KNOWN if name in (ANY, tool) and (who == "relref") == (side == "relref")
             and test(folder, *key, word))
    return next(found, None)


def run(tool, folder, runs, limit):
    """The links that a tool finds, each with its words; seconds, user seconds, MiB and the exit code."""
    measures = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as place:
            place = Path(place)
            command, read = tool(folder, place)
            command[0] = shutil.which(command[0])
            measured = place / "time"
            timed = ["time", "--output", measured, "--format", "%e %U %M", "timeout", str(limit), *map(str, command)]
            with open(place / "out", "w+b") as out, open(place / "errors", "w+b") as errors:
                done = subprocess.run(timed, stdout=out, stderr=errors, stdin=subprocess.DEVNULL, cwd=folder)
                text = []
                for file in (out, errors):
                    file.seek(0)
                    text.append(file.read().decode(errors="replace"))
            if done.returncode == 124:
                return None, (float(limit), float(limit), 0, "")
            # A run of more than a minute is not repeated.
            *_, last = measured.read_text().splitlines()
            elapsed, user, kib = map(float, last.split())
            measures.append((elapsed, user, kib / 1024, done.returncode))
            if len(measures) < runs and elapsed < 60:
                continue
            try:
                found = collections.defaultdict(set)
                for page, uri, word in read(*text):
                    # The folder and its index file are one.
                    found[page, re.sub(r"/(index\.html)?(?=#|$)", "", uri)].add(word)
            except (ValueError, OSError) as error:
                print(f"{tool.__name__}: {error}: {text[1][-500:]}")
                return None, measures[0]
            break
    middle = [statistics.median(column) for column in zip(*measures)]
    return found, (*middle[:3], measures[0][3])


def by_target(found):
    """The targets, each with the first page that links to it, and a missing file once: linkinator reports no others."""
    targets = {}
    for page, to in sorted(found):
        words = found[page, to]
        targets.setdefault(to if any("fragment" in word for word in words) else to.partition("#")[0], (page, words))
    return {Pair(page, to): words for to, (page, words) in targets.items()}


class Pair(tuple):
    """A page and a target that is the same as another one of this target."""

    def __new__(cls, page, to):
        return super().__new__(cls, (page, to))

    def __eq__(self, other):
        return self[1] == other[1]

    def __hash__(self):
        return hash(self[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=900)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--tool", action="append", choices=[tool.__name__ for tool in TOOLS[1:]])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    args = parser.parse_args()

    cargo = os.environ.get("CARGO", "cargo")
    subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    release = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
    os.environ["PATH"] = os.pathsep.join([str(release), str(Path(sys.executable).parent), os.environ["PATH"]])
    if not shutil.which("time"):
        print("skipped: GNU time is not available")
        return
    tools = [tool for tool in TOOLS if tool is relref or not args.tool or tool.__name__ in args.tool]
    for tool in tools[:]:
        if not shutil.which(tool.__name__):
            print(f"skipped: {tool.__name__} is not available")
            tools.remove(tool)

    unknown = 0
    for folder in args.folders or installed():
        folder = folder.resolve()
        count = sum(1 for _ in pages(folder))
        print(f"\n{folder}, {count} pages\n\n| | broken links | only relref | only it | seconds | user | MiB | exit code |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
        ours, differences = None, {}
        for tool in tools:
            found, (elapsed, user, mib, code) = run(tool, folder, args.runs, args.limit)
            if tool is relref:
                ours = found
            counts = ["", "", ""]
            if found is not None:
                known = ours
                if tool is linkinator:
                    found, known = by_target(found), by_target(ours)
                counts = [len(found), len(known.keys() - found.keys()), len(found.keys() - known.keys())]
                differences[tool.__name__] = found, known
            print(f"| {tool.__name__} | {' | '.join(map(str, counts))} | {elapsed:.2f} | {user:.2f} | {mib:.0f} | {code} |", flush=True)
        print()
        for name, (found, known) in differences.items():
            for who, some, words in (("relref", known.keys() - found.keys(), known), (name, found.keys() - known.keys(), found)):
                classes = collections.defaultdict(list)
                for key in sorted(some):
                    word = " / ".join(sorted(words[key]))
                    why = reason(name, who, folder, key, word)
                    unknown += why is None
                    classes[why or f"?: {word}"].append(key)
                for word, keys in sorted(classes.items(), key=lambda item: -len(item[1])):
                    print(f"{name}: only {who}: {len(keys)}: {word}")
                    for page, uri in keys[:: max(1, len(keys) // args.samples)][: args.samples if word[0] == "?" else 0]:
                        print(f"    {page} -> {uri}")
    print(f"\n{unknown} differences without a reason")
    sys.exit(1 if unknown else 0)


main()
