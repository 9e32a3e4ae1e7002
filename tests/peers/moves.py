#!/usr/bin/env python3
"""Checks the laws of `relref move` and `relref check --fix` on real trees, with markdown-it-py, html5lib, tinycss2 and urllib.

    tests/peers/moves.py [--most N] [--seed N] [--tree NAME]… [--laws moves,breaks,kills]

The trees are packages of npm, crates.io, PyPI and Debian with Markdown and HTML, fetched once into target/moves. Each gets N (45) moves
at random: of files and folders, several into a folder, by a map, into new folders, with names that differ in case only, and names that
have to be encoded. For each move:

    targets    every link leads where it led, but for the new names; what was broken stays as written, and keeps its place if it climbs
    problems   `relref check` says what it said
    bytes      nothing but destinations changed, and of those only what no longer led there, or was the shortest of its style in a page that moved
    back       moved back, the tree is as before, but for references that were not the shortest of their style
    after      files renamed by hand, then --after: the same tree; --dry-run changes nothing; `git apply` of --diff gives the same tree

Then 4 N links are broken in ways whose repair is certain, and `relref check --fix` gives back every byte; and moves are killed, in N / 4
runs, after which --after completes them. What is not explained is printed and ends the script with 1. Needs git and, the first time,
the registries: the environment is that of links.py.
"""

import argparse, collections, json, os, random, re, shutil, subprocess, sys, tempfile, time, unicodedata
from pathlib import Path, PurePosixPath
from posixpath import dirname, normpath, relpath

import environment
import links as peers  # makes the environment
from trees import TREES, fetch

if not environment.also(["markdown-it-py==4.3.0"]):
    sys.exit(0)

import html5lib  # noqa: E402
from markdown_it import MarkdownIt  # noqa: E402
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LEAST_TREES = 6

def link_tree(old, new):
    """Makes a copy whose files are hard links: relref replaces files, and never writes into one."""
    for place, folders, names in os.walk(old):
        to = os.path.join(new, os.path.relpath(place, old))
        os.makedirs(to, exist_ok=True)
        for name in names:
            os.link(os.path.join(place, name), os.path.join(to, name))


class Tree:
    """The files of a folder as they are now, by their paths with `/`."""

    def __init__(self, folder, known=None):
        self.folder, self.inodes, self.folders, self.known = Path(folder), {}, {""}, known if known is not None else {}
        for place, folders, names in os.walk(folder):
            below = os.path.relpath(place, folder).replace(os.sep, "/")
            start = "" if below == "." else below + "/"
            self.folders.update(start + name for name in folders)
            for name in names:
                self.inodes[start + name] = os.stat(os.path.join(place, name), follow_symlinks=False).st_ino
        for path, inode in self.inodes.items():
            if inode not in self.known:
                self.known[inode] = (self.folder / path).read_bytes()
        # Inodes are used again when files are gone, so that contents are kept with the tree.
        self.data = {path: self.known[inode] for path, inode in self.inodes.items()}
        self.book = any(PurePosixPath(path).name == "book.toml" for path in self.inodes)

    def __eq__(self, other):
        return self.data == other.data

    def difference(self, other):
        """The paths that only one of both has, or whose bytes differ."""
        return sorted(path for path in {*self.data, *other.data} if self.data.get(path) != other.data.get(path))


MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
MARKDOWN.normalizeLink = lambda uri: uri
MARKDOWN.validateLink = lambda uri: True
ENDINGS = {".md", ".markdown", ".html", ".htm", ".xhtml", ".css", ".svg"}


def decoded(data):
    for codec in ("utf-8", "latin-1"):
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            pass


class Page:
    """The links of a page, in order, and its ids."""

    def __init__(self, ending, data):
        self.text = text = decoded(data)
        self.is_markdown = ending in (".md", ".markdown")
        self.has_base = False
        self.ids, self.slugs = set(), []
        self.references, self.elements = [], []
        if ending == ".css":
            for element, attribute, reference, _ in peers.sheet_links(data, ""):
                self.add(element, attribute, reference)
            return
        definitions = {}
        if self.is_markdown:
            front = re.match(r"(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*$", text, re.S | re.M)
            text = text[front.end() :] if front else text
            tokens = MARKDOWN.parse(text, definitions)
            for token, inline in zip(tokens, tokens[1:]):
                if token.type == "heading_open":
                    self.slugs.append("".join(child.content for child in inline.children if child.type in ("text", "code_inline")))
            text = MARKDOWN.renderer.render(tokens, MARKDOWN.options, definitions)
        tree = html5lib.parse(text, treebuilder="etree")
        self.has_base = any(isinstance(element.tag, str) and element.tag.endswith("}base") for element in tree.iter())
        self.ids = {element.get(key) for element in tree.iter() for key in ("id", "name") if element.get(key)}
        try:
            for element, attribute, reference, _ in peers.links(tree, "", True):
                self.add(element, attribute, reference)
        except ValueError:
            pass
        for label, definition in definitions.get("references", {}).items():
            if not label.startswith("^"):
                self.add("definition", "href", definition["href"])

    def add(self, element, attribute, reference):
        self.elements.append((element, attribute))
        self.references.append(reference)


PAGES = {}


def page_of(tree, path):
    """The page at a path; `None` if it is none."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS:
        return None
    key = ending, tree.data[path]
    if key not in PAGES:
        PAGES[key] = Page(*key)
    return PAGES[key]


HOST = "http://tree.invalid"
DEEP = "/" + "up/" * 40
INDEXES = ["index.html"]
READMES = ["README.md", "index.md", "readme.md"]


def place(path, reference):
    """Where a reference of the page at a path leads: a sort, a path below the root, whether it ends with a slash, query and fragment."""
    try:
        mark = re.search("[?#]", reference)
        before, after = (reference[: mark.start()], reference[mark.start() :]) if mark else (reference, "")
        if not before:
            return "here", path, False, after
        before = before.replace("\\", "/") if "://" not in before else before
        if before.startswith("/") and not before.startswith("//"):
            before = DEEP[:-1] + before
        split = urlsplit(urljoin(HOST + DEEP + quote(path), before))
    except ValueError:
        return "outside", reference, False, ""
    if f"{split.scheme}://{split.netloc}" != HOST:
        return "outside", reference, False, ""
    if not split.path.startswith(DEEP):
        return "above", split.path, False, after
    below = re.sub("/+", "/", os.fsdecode(unquote_to_bytes(split.path[len(DEEP) :].encode())))
    return "below", below.strip("/"), below.endswith("/") or not below, after


class Graph:
    """Where the links of a tree lead."""

    def __init__(self, tree):
        self.tree, self.memo, self.targets = tree, {}, {}

    def target(self, path, page, reference):
        """A sort, the path of a file or folder, and the query and fragment."""
        key = dirname(path), page.is_markdown, reference
        if reference[:1] in ("", "#", "?"):
            return "file", path, reference
        if key not in self.memo:
            sort, below, _, after = place(path, reference)
            if sort == "below":
                sort, below = self.lookup(below, page.is_markdown)
            self.memo[key] = sort, below, after
        return self.memo[key]

    def lookup(self, below, is_markdown):
        files, folders = self.tree.inodes, self.tree.folders
        if below in files:
            return "file", below
        if below in folders:
            names = [] if is_markdown else INDEXES
            index = next((f"{below}/{name}".lstrip("/") for name in names if f"{below}/{name}".lstrip("/") in files), None)
            return ("file", index) if index else ("folder", below)
        if self.tree.book and is_markdown and below.endswith(".html"):
            sources = [below[:-4] + "md", *(f"{dirname(below)}/{name}".lstrip("/") for name in READMES if below.endswith("index.html"))]
            source = next((path for path in sources if path in files), None)
            if source:
                return "file", source
        return "missing", below

    def of(self, path):
        """The targets of the links of a page."""
        if path not in self.targets:
            page = page_of(self.tree, path)
            self.targets[path] = [self.target(path, page, reference) for reference in page.references]
        return self.targets[path]


CONFIGURATIONS = ["book.toml", "mkdocs.yml", "hugo.toml", "_config.yml", "docusaurus.config.js"]


def renderer(tree, path):
    """The nearest configuration above a file, which tells the ids of its headings."""
    for folder in map(str, PurePosixPath(path).parents):
        for name in CONFIGURATIONS:
            if join("" if folder == "." else folder, name) in tree.inodes:
                return name
    return None


class Counts:
    """What was counted by tree and law, and what is wrong."""

    def __init__(self):
        self.by_tree = collections.defaultdict(collections.Counter)
        self.explained = collections.Counter()
        self.wrong = []
        self.name = ""

    def add(self, law, count=1):
        self.by_tree[self.name][law] += count

    def fail(self, law, *words):
        self.by_tree[self.name][f"{law} wrong"] += 1
        self.wrong.append(f"{self.name}: {law}: {' '.join(map(str, words))}")
        if self.by_tree[self.name][f"{law} wrong"] <= 12:
            print("  wrong:", self.wrong[-1], flush=True)

    def explain(self, why):
        self.explained[why] += 1


counts = Counts()
BINARY = None


def relref(*arguments, cwd, codes=(0,), data=None):
    done = subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, capture_output=True, input=data)
    if done.returncode not in codes:
        counts.fail("exit", arguments, data, done.returncode, done.stderr.decode(errors="replace")[:300])
    return done


def problems(folder):
    """The problems that `check` reports, without what moves in a line and what is a guess."""
    found = []
    for line in relref("check", "--quiet", "--format", "jsonl", ".", cwd=folder, codes=(0, 1)).stdout.splitlines():
        problem = json.loads(line)
        found.append((normpath(problem["page"]), problem["problem"], problem.get("line"), problem.get("element"), problem.get("attribute"), problem["reference"]))
    return found


# Moves.

STEMS = ["a b", "c#1", "50%", "(x) y", "naïve", "日本 語", "who?", "x&y", "l'été", "a+b", "[k]", "m:n", "~t", "semi;c", "%20", "%23a", "(", "q\"q",
         "<p>", "a|b", "_u_", "*s*", "`c`", "b\\s", "Ω", "é", "плюс", "plain", "UPPER", "{{t}}", "@at", "$d", "x=y", "é€", "100%25", "a,b", "!n"]


class Move:
    """Old and new paths, and the arguments of the command."""

    def __init__(self, kind, pairs, arguments=None, data=None):
        self.kind, self.pairs, self.data = kind, pairs, data
        self.arguments = arguments if arguments is not None else ["--", *pairs[0]]
        self.by_length = sorted(pairs, key=lambda pair: -len(pair[0]))

    def new(self, path):
        for old, new in self.by_length:
            if path == old or path.startswith(old + "/"):
                return new + path[len(old) :]
        return path

    def reversed(self):
        return by_map("back", [(new, old) for old, new in self.pairs])

    def __str__(self):
        return f"{self.kind} {self.pairs[:3]}"


def by_map(kind, pairs):
    as_git = lambda path: '"' + "".join(c if c in (b" !" + b"#" + bytes(range(36, 92)) + b"]" + bytes(range(94, 127))).decode() else "".join(f"\\{byte:03o}" for byte in os.fsencode(c)) for c in path) + '"'
    text = "".join(f"R100\t{as_git(old)}\t{as_git(new)}\n" for old, new in pairs)
    return Move(kind, pairs, ["--map", "-"], text.encode())


def odd_name(rng, name):
    stem, ending = os.path.splitext(name)
    made = rng.choice(STEMS)
    made = made if rng.random() < 0.5 else f"{stem} {made}" if rng.random() < 0.3 else stem + made
    if rng.random() < 0.1:
        made = unicodedata.normalize("NFD", made)
    return made + ending


def join(folder, name):
    return f"{folder}/{name}" if folder else name


def random_move(rng, tree, linked):
    """A move of what links lead to, mostly; `None` if it is none."""
    files, folders = sorted(tree.inodes), sorted(tree.folders - {""})
    pages = [path for path in files if os.path.splitext(path)[1].lower() in ENDINGS]
    pick = lambda: rng.choice(rng.choice([linked or files, pages or files, files]))
    used = {*files, *folders}
    is_free = lambda path: path not in used and not any(path.startswith(file + "/") for file in tree.inodes)
    kind = rng.choice(["rename", "rename", "elsewhere", "elsewhere", "new folder", "folder", "folder", "folder into", "several", "map", "case", "case folder"])
    if kind in ("folder", "folder into", "case folder") and not folders:
        kind = "new folder"
    if kind == "rename":
        old = pick()
        pairs = [(old, join(dirname(old), odd_name(rng, old.rpartition("/")[2])))]
    elif kind == "elsewhere":
        old = pick()
        into = rng.choice(["", *folders])
        new = join(into, old.rpartition("/")[2])
        if not is_free(new):
            return None
        return Move(kind, [(old, new)], ["--", old, into or "."])
    elif kind == "new folder":
        old = pick()
        depth = rng.randint(1, 3)
        new = rng.choice(["", *folders])
        for _ in range(depth):
            new = join(new, odd_name(rng, rng.choice(["new", "x", ""])))
        pairs = [(old, join(new, rng.choice([old.rpartition("/")[2], odd_name(rng, old.rpartition("/")[2])])))]
    elif kind == "folder":
        old = rng.choice(folders)
        pairs = [(old, join(dirname(old), odd_name(rng, rng.choice([old.rpartition("/")[2], ""]))))]
    elif kind == "folder into":
        old, into = rng.choice(folders), rng.choice(["", *folders])
        new = join(into, old.rpartition("/")[2])
        if (into + "/").startswith(old + "/") or not is_free(new):
            return None
        return Move(kind, [(old, new)], ["--", old, into or "."])
    elif kind == "several":
        into = rng.choice(["", *folders])
        olds = []
        for _ in range(rng.randint(2, 7)):
            old = pick() if rng.random() < 0.8 or not folders else rng.choice(folders)
            nested = any((old + "/").startswith(other + "/") or (other + "/").startswith(old + "/") for other in olds)
            if not nested and not (into + "/").startswith(old + "/") and is_free(join(into, old.rpartition("/")[2])):
                olds.append(old)
        pairs = [(old, join(into, old.rpartition("/")[2])) for old in olds]
        if len(pairs) < 2 or len({new for _, new in pairs}) < len(pairs):
            return None
        return Move(kind, pairs, ["--", *olds, into or "."])
    elif kind == "map":
        olds = list(dict.fromkeys(pick() for _ in range(rng.randint(2, 9))))
        news = [join(rng.choice([dirname(old), rng.choice(["", *folders])]), odd_name(rng, old.rpartition("/")[2])) for old in olds]
        if len(olds) > 1 and rng.random() < 0.5 and os.path.splitext(olds[0])[1] == os.path.splitext(olds[1])[1]:
            news[0] = olds[1]  # that name becomes free
        pairs = list(zip(olds, news))
        used -= set(olds[1:2])
        if len({*news}) < len(news) or not all(is_free(new) for new in news) or any(old == new for old, new in pairs):
            return None
        return by_map(kind, pairs)
    else:
        old = pick() if kind == "case" else rng.choice(folders)
        name = old.rpartition("/")[2]
        stem, ending = os.path.splitext(name)
        stem = rng.choice([stem.upper(), stem.lower(), stem.capitalize(), stem.swapcase()])
        pairs = [(old, join(dirname(old), stem + ending))]
    old, new = pairs[0]
    if old == new or not is_free(new) or (new + "/").startswith(old + "/"):
        return None
    return Move(kind, pairs)


def rename_by_hand(folder, move):
    """Renames without relref: all to other names first, as one may have the old name of another."""
    for number, (old, _) in enumerate(move.pairs):
        os.rename(folder / old, folder / f".by-hand-{number}")
    for number, (_, new) in enumerate(move.pairs):
        (folder / new).parent.mkdir(parents=True, exist_ok=True)
        os.rename(folder / f".by-hand-{number}", folder / new)


def climbs(reference):
    return re.match(r"(\./)*\.\.", reference) is not None


def check_targets(old, new, move):
    """Every link leads where it led, and only those changed that no longer would."""
    new_files = {move.new(path): path for path in old.tree.inodes}
    if set(new_files) != set(new.tree.inodes):
        counts.fail("targets", move, "other files:", sorted(set(new_files) ^ set(new.tree.inodes))[:4])
        return
    expected_of = lambda target: (target[0], move.new(target[1]) if target[0] in ("file", "folder") else target[1], target[2])
    for path, before in new_files.items():
        page = page_of(old.tree, before)
        if page is None:
            if old.tree.data[before] != new.tree.data[path]:
                counts.fail("bytes", move, before, "is no page, and changed")
            continue
        is_same = old.tree.data[before] == new.tree.data[path]
        targets = old.of(before)
        counts.add("links", len(targets))
        if is_same and path == before:
            if targets is old.targets.get(before) and all(move.new(target[1]) == target[1] for target in targets if target[0] in ("file", "folder")):
                for reference, target in zip(page.references, targets):
                    if target[0] == "missing" and new.lookup(target[1], page.is_markdown)[0] != "missing":
                        counts.fail("targets", move, before, reference, "is no longer broken")
                continue
        now = page_of(new.tree, path)
        if len(now.references) != len(page.references) or now.elements != page.elements:
            counts.fail("targets", move, before, "has other links")
            continue
        changed = set()
        for reference, written, target in zip(page.references, now.references, targets):
            if reference != written:
                changed.add((reference, written))
            leads = new.target(path, now, written)
            if target[0] in ("outside",):
                if reference != written:
                    counts.fail("bytes", move, before, reference, "became", written)
                continue
            if target[0] == "missing" and not (path != before and climbs(reference)):
                if reference != written:
                    counts.fail("targets", move, before, "the broken", reference, "became", written)
                elif leads[0] != "missing":
                    counts.fail("targets", move, before, "the broken", reference, "leads to", leads)
                continue
            expected = expected_of(target)
            if leads != expected:
                # What is missing in a folder that moves is missing in its new place.
                if target[0] == "missing" and leads == (target[0], move.new(target[1]), target[2]):
                    counts.explain("missing in what moves: missing in its new place")
                else:
                    counts.fail("targets", move, before, "->", path, reference, "became", written, "leads to", leads, "not", expected)
            elif reference != written and new.target(path, now, reference) == expected:
                # Moved back, it is then as before.
                was, own = shortest(before, reference)
                if path != before and was == own and len(written) < len(reference):
                    counts.explain("bytes: was the shortest of its style, and stays so")
                    continue
                counts.fail("bytes", move, before, "->", path, reference, "need not become", written)
        if not is_same:
            check_bytes("bytes", page.text, now.text, changed, f"{move} {before}")


def pattern(reference):
    """Matches a reference as pages write it: with references of characters and escapes."""
    return re.compile("".join(rf"(?:\\?{re.escape(c)}|&\#?\w+;|\\[0-9a-fA-F]{{1,6}} ?)" for c in reference))


def check_bytes(law, old, new, changed, words):
    """Two texts differ in nothing but references."""
    changed = [(pattern(one), pattern(other), one, other) for one, other in sorted(changed)]
    at, to = 0, 0
    while True:
        same = common_start(old, new, at, to)
        i, j = at + same, to + same
        if i == len(old) and j == len(new):
            return
        found = None
        for one, other, reference, written in changed:
            for back in range(0, min(same, 8 * len(reference) + 8 * len(written)) + 1):
                first, second = one.match(old, i - back), other.match(new, j - back)
                if first and second and first.end() >= i and second.end() >= j and (first[0] != second[0]):
                    if found is None or first.end() - first.start() > found[0].end() - found[0].start():
                        found = first, second
        if found is None:
            counts.fail(law, words, "bytes changed:", repr(old[max(0, i - 60) : i + 60]), "became", repr(new[max(0, j - 60) : j + 60]))
            return
        counts.add("edits")
        at, to = found[0].end(), found[1].end()


def common_start(old, new, at, to):
    same, step = 0, 1 << 16
    while step:
        if old[at + same : at + same + step] == new[to + same : to + same + step] and at + same < len(old):
            if at + same + step > len(old):
                return min(len(old) - at, len(new) - to)
            same += step
        else:
            step //= 2
    return same


def shortest(path, reference):
    """The decoded path of the shortest reference of its style that leads where this one does, and that of the reference."""
    written = re.split("[?#]", reference)[0].replace("\\", "/")
    own = os.fsdecode(unquote_to_bytes(written.encode()))
    sort, below, has_slash, _ = place(path, reference)
    if sort == "above":
        return None, own
    slash = "/" if written.endswith("/") and below else ""
    if written.startswith("/"):
        return "/" + below + slash, own
    made = relpath("/" + below, "/" + dirname(path))
    dot = "./" if written.startswith("./") or made.split("/")[0].find(":") >= 0 else ""
    made = made + slash if made != "." else "./" if written.endswith("/") else "."
    return dot + made if made not in (".", "./") else made, own


def check_back(before, moved, after, move):
    """What moving there and back changed is only what was not the shortest of its style."""
    if set(before.data) != set(after.data):
        counts.fail("back", move, "other files", sorted(set(before.data) ^ set(after.data))[:4])
        return
    graph, now_graph = Graph(before), Graph(after)
    for path in before.difference(after):
        old, new = page_of(before, path), page_of(after, path)
        if old is None or old.elements != new.elements:
            counts.fail("back", move, path, "is another page")
            continue
        changed = set()
        references = zip(old.references, new.references, page_of(moved, move.new(path)).references)
        for reference, written, meanwhile in references:
            if reference == written:
                continue
            changed.add((reference, written))
            target, now = graph.target(path, old, reference), now_graph.target(path, new, written)
            short, own = shortest(path, reference)
            _, decoded_now = shortest(path, written)
            if target[0] == "missing" and written == meanwhile and climbs(reference) and not climbs(meanwhile):
                counts.explain("back: was broken, and no longer climbed meanwhile")
            elif target != now:
                counts.fail("back", move, path, reference, "became", written, now, "not", target)
            elif short != own:
                counts.explain("back: was not the shortest of its style")
            elif decoded_now == own:
                counts.explain("back: had other escapes")
            elif written.removeprefix("./") == reference and ":" in meanwhile.split("/")[1]:
                counts.explain("back: needed ./ meanwhile, before a name with a colon")
            elif target[0] == "file" and place(path, reference)[1] != target[1]:
                counts.explain("back: named a folder or page of a book, whose file moved alone")
            else:
                counts.fail("back", move, path, reference, "became", written)
        check_bytes("back", old.text, new.text, changed, f"{move} {path}")


def check_move(place, pristine, graph, before, move):
    """All laws of one move."""
    work = place / "work"
    fresh = lambda: (shutil.rmtree(work, ignore_errors=True), link_tree(pristine.folder, work))
    known = dict(pristine.known)
    fresh()
    relref("move", "--dry-run", *move.arguments, cwd=work, data=move.data)
    if Tree(work, known).inodes != pristine.inodes:
        counts.fail("after", move, "--dry-run changed files")
    diff = relref("move", "--diff", *move.arguments, cwd=work, data=move.data).stdout
    if Tree(work, known).inodes != pristine.inodes:
        counts.fail("after", move, "--diff changed files")
    done = relref("move", *move.arguments, cwd=work, data=move.data)
    if done.returncode != 0:
        return
    moved = Tree(work, known)
    counts.add("moves")
    counts.add(f"moves: {move.kind}")
    check_targets(graph, Graph(moved), move)
    old_problems = collections.Counter((move.new(page), *rest[:-1]) for page, *rest in before)
    new_problems = collections.Counter((page, *rest[:-1]) for page, *rest in problems(work))
    has_other_ids = any(renderer(pristine, path) != renderer(moved, move.new(path)) for path in pristine.inodes)
    for word, more in (("gone", old_problems - new_problems), ("new", new_problems - old_problems)):
        for problem in more.elements():
            if has_other_ids and problem[1] == "missing-fragment":
                counts.explain("problems: another renderer gives the headings of the moved page their ids")
            else:
                counts.fail("problems", move, f"is {word}:", problem)
    back = move.reversed()
    relref("move", "--quiet", *back.arguments, cwd=work, data=back.data)
    check_back(pristine, moved, Tree(work, known), move)

    known = {inode: data for inode, data in pristine.known.items()}
    fresh()
    rename_by_hand(work, move)
    relref("move", "--after", *move.arguments, cwd=work, data=move.data)
    after = Tree(work, known)
    if after != moved:
        counts.fail("after", move, "--after makes another tree:", after.difference(moved)[:5])
    known = {inode: data for inode, data in pristine.known.items()}
    fresh()
    if diff:
        applied = subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], cwd=work, input=diff, capture_output=True)
        if applied.returncode != 0:
            counts.fail("after", move, "git apply:", applied.stderr.decode(errors="replace")[:300])
            return
    after = Tree(work, known)
    if after != moved:
        counts.fail("after", move, "git apply makes another tree:", after.difference(moved)[:5])


# Breaks.

PAGE_ENDINGS = ["md", "markdown", "html", "htm", "xhtml", "mdx"]
USUAL = "readme index _index default home main license changelog contributing summary overview".split()


def letters(text):
    return "".join(c for c in text if c.isalnum()).lower()


class Breaks:
    """Ways to break the links of a tree whose repair is certain."""

    def __init__(self, graph, rng):
        self.graph, self.rng = graph, rng
        self.paths = set(graph.tree.inodes) | graph.tree.folders
        self.lower = collections.Counter(path.lower() for path in self.paths)
        self.forms = collections.Counter(unicodedata.normalize("NFC", path) for path in self.paths)
        self.names = collections.Counter(unicodedata.normalize("NFC", path.rpartition("/")[2]).lower() for path in self.paths)

    def is_missing(self, path, page, reference):
        sort, below, _, _ = place(path, reference)
        if sort != "below" or self.graph.lookup(below, page.is_markdown)[0] != "missing":
            return None
        return below

    def has_no_other(self, below, but=""):
        """Nothing else is at the path, with an ending, or in another case or form."""
        endings = [f"{below}.{ending}" for ending in [*PAGE_ENDINGS, "gz", "br", "xz"]]
        near = [below.lower() in self.lower, unicodedata.normalize("NFC", below) in self.forms, *(path in self.paths and path != but for path in endings)]
        return not any(near)

    def ways(self, path, page, reference, target):
        """Pairs of a kind and a broken reference."""
        mark = re.search("[?#]", reference)
        written, after = (reference[: mark.start()], reference[mark.start() :]) if mark else (reference, "")
        sort, below, _, _ = place(path, reference)
        if written and sort == "below" and not re.search(r"[\\:]", written):
            yield from self.broken_names(path, page, written, after)
            if target[0] == "file" and below == target[1]:
                yield from self.broken_files(path, page, written, after, below)
            elif target[0] == "file" and written.endswith("/") and not page.is_markdown and not re.fullmatch("[./]*", written):
                yield "slash", written[:-1] + after
        if target[0] == "file" and after.startswith("#"):
            yield from self.broken_fragments(written, after[1:], page_of(self.graph.tree, target[1]))

    def broken_names(self, path, page, written, after):
        spots = [at for at, c in enumerate(written) if c.isascii() and c.isalpha() and not re.search("%[0-9A-Fa-f]?$", written[:at])]
        if spots:
            at = self.rng.choice(spots)
            broken = written[:at] + written[at].swapcase() + written[at + 1 :] + after
            missing = self.is_missing(path, page, broken)
            if missing and self.lower[missing.lower()] == 1:
                yield "case", broken
        for form in ("NFC", "NFD"):
            other = unicodedata.normalize(form, written)
            missing = self.is_missing(path, page, other + after) if other != written else None
            if missing and self.forms[unicodedata.normalize("NFC", missing)] == 1:
                yield "form", other + after

    def broken_files(self, path, page, written, after, below):
        folders, _, name = written.rpartition("/")
        stem, ending = os.path.splitext(name)
        if ending[1:] in PAGE_ENDINGS and stem.strip("."):
            broken = written[: -len(ending)] + after
            missing = self.is_missing(path, page, broken)
            if missing and self.has_no_other(missing, missing + ending):
                yield "ending", broken
        raw = re.sub("%(23|3[fF]|25)", lambda match: unquote_to_bytes(match[0]).decode(), written)
        # From HTML, `a?q.html` leads to the file of that name, as wget names it.
        if raw != written and len(re.findall("[#?%]", raw)) == 1 and (page.is_markdown or "?" not in raw):
            missing = self.is_missing(path, page, raw + after)
            if missing and self.has_no_other(missing):
                yield "raw", raw + after
        own_name = below.rpartition("/")[2]
        if self.names[unicodedata.normalize("NFC", own_name).lower()] == 1 and own_name.split(".")[0].lower() not in USUAL:
            folder = self.rng.choice(["", *sorted(self.graph.tree.folders - {""}), "old/place", "gone"])
            way = f"/{folder}" if written.startswith("/") else relpath("/" + folder, "/" + dirname(path))
            broken = ("./" if written.startswith("./") else "") + ("" if way == "." else quote(way).rstrip("/") + "/") + name
            first, _, rest = broken.removeprefix("./").partition("/")
            may_be_host = re.search(r"[\[:]", first) or (rest and "." in first.strip("."))
            missing = self.is_missing(path, page, broken + after)
            if missing and not may_be_host and self.has_no_other(missing):
                yield "moved", broken + after

    def broken_fragments(self, written, fragment, shown):
        if shown is None or not shown.ids | set(shown.slugs) or not re.fullmatch("[A-Za-z0-9_.-]+", fragment):
            return
        slugs = {re.sub(r"[^\w -]", "", slug.lower()).replace(" ", "-") for slug in shown.slugs}
        same = [id for id in shown.ids | set(shown.slugs) if letters(id) == letters(fragment)]
        # Lines of files, and a prefix of GitHub, are no ids.
        if fragment not in shown.ids | slugs or len(same) != 1 or re.match(r"L\d|user-content|\d+-\d+$", fragment):
            return
        other = re.sub("[-_.]", lambda match: "-" if match[0] == "_" else "_", fragment)
        if not shown.is_markdown and self.rng.random() < 0.5:
            other = fragment.swapcase()
        # In Markdown, the case counts only in ids of HTML.
        if other != fragment and not {other, other.lower()} & (shown.ids | slugs):
            yield "fragment", f"{written}#{other}"


def check_breaks(folder, pristine, rng, most):
    """Breaks links, a few at a time in different pages, and repairs them."""
    base, work = folder / "base", folder / "work"
    shutil.rmtree(base, ignore_errors=True)
    link_tree(pristine.folder, base)
    # Names that have to be encoded, and those with two forms.
    graph = Graph(pristine)
    tally = collections.Counter(target[1] for path in pristine.inodes if page_of(pristine, path) for target in graph.of(path) if target[0] == "file")
    often = [path for path, _ in tally.most_common(60) if path.rpartition("/")[2].split(".")[0].lower() not in USUAL]
    for number, path in enumerate(rng.sample(often, min(len(often), 24))):
        stem, ending = os.path.splitext(path)
        new = stem + ["é", "ü#1", " 5%", "?q", "# ä", "%41"][number % 6] + ending
        if not (base / new).exists():
            relref("move", "--quiet", "--", path, new, cwd=base)
    relref("check", "--quiet", "--fix", ".", cwd=base, codes=(0, 1))
    first = Tree(base)
    relref("check", "--quiet", "--fix", ".", cwd=base, codes=(0, 1))
    tree = Tree(base)
    if tree != first:
        counts.fail("breaks", "repairing again changes", tree.difference(first)[:5])
    known_problems = {(page, reference) for page, *_, reference in problems(base)}
    graph = Graph(tree)
    ways = Breaks(graph, rng)
    pages = [path for path in sorted(tree.inodes) if page_of(tree, path) and page_of(tree, path).references and not page_of(tree, path).has_base]
    done = rounds = 0
    used, chosen = set(), collections.Counter()
    while pages and done < most and rounds < 40:
        rounds += 1
        broken = {}
        for path in rng.sample(pages, min(len(pages), 60)):
            if len(broken) >= min(30, most - done):
                break
            page = page_of(tree, path)
            numbers = rng.sample(range(len(page.references)), min(len(page.references), 12))
            found = []
            for number in numbers:
                reference, target = page.references[number], graph.of(path)[number]
                if target[0] not in ("file", "folder") or (path, reference) in known_problems or not reference:
                    continue
                for kind, new in ways.ways(path, page, reference, target):
                    if (path, reference, new) not in used:
                        found.append((kind, reference, new, target))
            if not found:
                continue
            kinds = sorted({kind for kind, *_ in found})
            # Those that are seldom come first.
            kind = min(kinds, key=lambda kind: (chosen[kind] * rng.uniform(0.3, 1), kind))
            kind, reference, new, target = rng.choice([way for way in found if way[0] == kind])
            places = [match.start() for match in re.finditer(rf"""(?<=[("'<=\s]){re.escape(reference)}(?=[)"'>\s])""", page.text)]
            if len(places) != 1:
                continue
            text = page.text[: places[0]] + new + page.text[places[0] + len(reference) :]
            try:
                data = text.encode()
                if text[: places[0]].encode() != tree.data[path][: len(text[: places[0]].encode())]:
                    continue
            except UnicodeEncodeError:
                continue
            other = Page(os.path.splitext(path)[1].lower(), data)
            if other.references != [new if one == reference else one for one in page.references]:
                continue
            used.add((path, reference, new))
            chosen[kind] += 1
            broken[path] = kind, reference, new, target, data
        if not broken:
            continue
        shutil.rmtree(work, ignore_errors=True)
        link_tree(base, work)
        for path, (*_, data) in broken.items():
            (work / path).unlink()
            (work / path).write_bytes(data)
        relref("check", "--quiet", "--fix", ".", cwd=work, codes=(0, 1))
        fixed = Tree(work, dict(tree.known) | {os.stat(work / path).st_ino: (work / path).read_bytes() for path in broken if (work / path).exists()})
        done += len(broken)
        for path, (kind, *_) in broken.items():
            counts.add("breaks")
            counts.by_tree["all"][f"breaks: {kind}"] += 1
        for path in tree.difference(fixed):
            if path not in broken:
                counts.fail("breaks", path, "changed, and was not broken")
                continue
            kind, reference, new, target, data = broken[path]
            page, now = page_of(tree, path), page_of(fixed, path)
            if fixed.data.get(path) == data:
                counts.fail("breaks", kind, path, reference, "broken as", new, "is not repaired")
                continue
            got = [two for one, two in zip(page.references, now.references) if one != two]
            if {*got} != {got[0] if got else ""} or any(one != reference for one, two in zip(page.references, now.references) if one != two):
                counts.fail("breaks", kind, path, reference, "broken as", new, "changed others:", got)
                continue
            short, own = shortest(path, reference)
            leads = graph.target(path, page, got[0]) if got else None
            if got and leads == target and short != own:
                counts.explain("fix: was not the shortest of its style")
            elif got and leads == target and shortest(path, got[0])[1] == own:
                counts.explain("fix: had other escapes")
            else:
                counts.fail("breaks", kind, path, reference, "broken as", new, "became", got)
            check_bytes("breaks", page.text, now.text, {(reference, two) for two in got}, path)
    return done


# Kills.


def check_kills(folder, pristine, graph, rng, most):
    """Kills moves with many edits, and completes them."""
    work = folder / "work"
    tally = collections.Counter(target[1] for path in pristine.inodes if page_of(pristine, path) for target in graph.of(path) if target[0] == "file")
    inner = collections.Counter()
    for path, count in tally.items():
        for parent in PurePosixPath(path).parents:
            inner[str(parent)] += count
    often = [path for path, _ in tally.most_common(8)] + [path for path, _ in inner.most_common(8) if path != "."]
    kills = 0
    while kills < most:
        old = rng.choice(often)
        move = Move("kill", [(old, join(rng.choice(["", "new/x y"]), odd_name(rng, old.rpartition("/")[2])))])
        if (pristine.folder / move.pairs[0][1]).exists() or (move.pairs[0][1] + "/").startswith(old + "/"):
            continue
        fresh = lambda: (shutil.rmtree(work, ignore_errors=True), link_tree(pristine.folder, work))
        fresh()
        start = time.monotonic()
        relref("move", "--quiet", *move.arguments, cwd=work)
        took = time.monotonic() - start
        expected = Tree(work, dict(pristine.known))
        for _ in range(min(5, most - kills)):
            fresh()
            delays = []
            # The runs that complete it are killed, too, at times.
            for after in [[], *[["--after"]] * rng.choice([0, 0, 1, 2])]:
                delay = rng.choice([0, rng.uniform(0, took), rng.uniform(0, took), rng.uniform(took / 2, took)])
                delays.append(round(delay / took, 3))
                process = subprocess.Popen([BINARY, "move", "--quiet", *after, *move.arguments], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if delays[-1] > 0.5:
                    # While it renames, which takes little of the time.
                    while process.poll() is None and not (work / ".relref-move").exists():
                        pass
                    delay = rng.choice([0, rng.uniform(0, 0.001), rng.uniform(0, 0.005)])
                time.sleep(delay)
                process.kill()
                process.wait()
                if process.returncode < 0:
                    kills += 1
                    counts.add("kills")
                    counts.by_tree["all"]["kills with a journal left"] += (work / ".relref-move").exists()
                # Nothing tells that all is done: a run by --after would take new references for old ones.
                if not (work / ".relref-move").exists() and not (work / old).exists():
                    if process.returncode < 0 and Tree(work, dict(pristine.known)) == expected:
                        counts.explain("kills: after the last step, and all was done")
                    break
            else:
                relref("move", "--quiet", "--after", *move.arguments, cwd=work)
            after = Tree(work, dict(pristine.known))
            left = [path for path in after.inodes if path.rpartition("/")[2].startswith(".relref-")]
            if left:
                counts.fail("kills", move, delays, "are left:", left[:4], len(left))
            elif after != expected:
                counts.fail("kills", move, delays, "another tree:", after.difference(expected)[:5])


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=45)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tree", action="append", choices=TREES)
    parser.add_argument("--binary", type=Path)
    parser.add_argument("--laws", default="moves,breaks,kills")
    args = parser.parse_args()
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    BINARY = (args.binary or target / "release" / "relref").resolve()
    if not args.binary:
        cargo = os.environ.get("CARGO", "cargo")
        subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    store = target / "moves"
    store.mkdir(parents=True, exist_ok=True)
    trees = {name: fetch(name, store) for name in args.tree or TREES}
    trees = {name: place for name, place in trees.items() if place}
    if not args.tree and len(trees) < LEAST_TREES:
        print(f"skipped: only {len(trees)} trees can be had")
        return
    for name, source in trees.items():
        start = time.monotonic()
        counts.name, rng = name, random.Random(f"{args.seed} {name}")
        PAGES.clear()
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder).resolve()
            os.environ["GIT_CEILING_DIRECTORIES"] = str(folder.parent)
            # Without symbolic links: what is moved is one thing.
            shutil.copytree(source, folder / "tree", ignore=lambda place, names: [name for name in names if os.path.islink(os.path.join(place, name)) or name == ".git"])
            pristine = Tree(folder / "tree")
            bytes_before = dict(pristine.data)
            graph = Graph(pristine)
            linked = sorted({target[1] for path in pristine.inodes if page_of(pristine, path) for target in graph.of(path) if target[0] == "file" and target[1] != path})
            counts.add("files", len(pristine.inodes))
            counts.add("pages", sum(1 for path in pristine.inodes if page_of(pristine, path)))
            before = problems(pristine.folder)
            if "moves" in args.laws:
                moves = 0
                while moves < args.most:
                    move = random_move(rng, pristine, linked)
                    if move:
                        moves += 1
                        check_move(folder, pristine, graph, before, move)
            if "breaks" in args.laws:
                check_breaks(folder, pristine, rng, 4 * args.most)
            if "kills" in args.laws:
                check_kills(folder, pristine, graph, rng, max(2, args.most // 4))
            if any((pristine.folder / path).read_bytes() != data for path, data in bytes_before.items()):
                counts.fail("bytes", "a file was written in place")
        counts.add("seconds", round(time.monotonic() - start))
        print(name, dict(counts.by_tree[name]), flush=True)
    columns = ["files", "pages", "moves", "links", "edits", "breaks", "kills", "seconds"]
    print("\n| tree | " + " | ".join(columns) + " | wrong |\n|---|" + "--:|" * (len(columns) + 1))
    for name in trees:
        row = counts.by_tree[name]
        print(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + f" | {sum(count for law, count in row.items() if law.endswith(' wrong'))} |")
    total = sum((counts.by_tree[name] for name in trees), collections.Counter())
    print(f"| all | " + " | ".join(str(total[column]) for column in columns) + f" | {len(counts.wrong)} |\n")
    for label, count in sorted({**counts.by_tree["all"], **{law: total[law] for law in total if law.startswith("moves:")}}.items()):
        print(f"{count} {label}")
    for why, count in sorted(counts.explained.items()):
        print(f"explained: {count} {why}")
    print(f"{len(counts.wrong)} wrong")
    sys.exit(1 if counts.wrong else 0)


main()
