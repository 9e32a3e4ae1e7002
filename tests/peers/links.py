#!/usr/bin/env python3
"""Checks that html5lib, lxml, tinycss2 and urljoin find the links that `relref links` prints.

    tests/peers/links.py [--write] [--most N] [FOLDER]

The pages are tests/peers/links.html, which has a link of every sort, those of odd markup in odd_links.py, and up to N (300) pages,
N style sheets and N SVG images below FOLDER, by default what `cargo doc` writes; and feeds whose items are those pages. Every difference must be in tests/peers/links.txt, where it is explained, and everything there must
differ (with FOLDER: may differ); --write writes the list anew, keeping the explanations. html5lib builds the
tree that the HTML Standard says; lxml, whose parser is older and faster, is used only for pages below FOLDER, and for
attributes only. Needs Python 3.8 and, the first time, PyPI: the environment is made in target/links-venv.
"""

import argparse, collections, html, os, re, subprocess, sys
from pathlib import Path

import environment

ROOT = Path(__file__).resolve().parents[2]

environment.enter("links-venv", ["html5lib==1.1", "lxml==6.1.3", "tinycss2==1.5.1"])

import html5lib, lxml.html, tinycss2  # noqa: E402
from odd_links import markup_pages  # noqa: E402
from urllib.parse import urljoin, urlparse, urlsplit, urlunparse  # noqa: E402

SPACE = " \t\n\f\r"
SINGLE = ("action background cite classid codebase dynsrc formaction href icon longdesc lowsrc manifest poster src usemap "
          "xlink:href").split()
SPACED = ["ping", "profile"]
IN_SVG = "clip-path cursor fill filter marker-start marker-mid marker-end mask stroke".split()
MAY_BE_EMPTY = {"action", "cite", "formaction", "content"}


def clean(text):
    return re.sub("[\t\n\r]", "", text.strip("".join(map(chr, range(33)))))


def srcset(value):
    """The URLs of the candidates, by a regular expression; descriptors are not checked."""
    for match in re.finditer(r"[\s,]*(\S*[^\s,])(?:,+(?=\s|$)|\s*((?:\([^)]*\)?|[^,(])*)(?:,|$)|$)", value):
        yield match[1]


def refresh(value):
    match = re.match(r"\s*(?:\d+|(?=\.))[\d.]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.+))", value, re.I | re.S)
    return [next(group for group in match.groups() if group is not None)] if match else []


def css(nodes, strings=False):
    """URLs of CSS component values; bare strings count right after @import and in image-set()."""
    for node in nodes or []:
        if node.type == "url":
            yield node.value
        elif node.type == "string" and strings:
            yield node.value
        elif node.type == "function" and node.lower_name in ("url", "src"):
            yield from (argument.value for argument in node.arguments if argument.type == "string")
        elif node.type == "function":
            yield from css(node.arguments, node.lower_name in ("image-set", "-webkit-image-set"))
        elif node.type == "at-rule":
            if node.lower_at_keyword == "namespace":
                continue
            first = [child for child in node.prelude if child.type not in ("whitespace", "comment")][:1]
            is_import = node.lower_at_keyword == "import" and first and first[0].type == "string"
            yield from ([first[0].value] if is_import else [])
            yield from css(node.prelude)
            yield from css(node.content)
        elif node.type == "qualified-rule":
            yield from css(node.prelude)
            yield from css(node.content)
        elif hasattr(node, "content"):
            yield from css(node.content)


def references(name, attribute, attributes, value, is_svg):
    """What an attribute refers to."""
    if attribute in IN_SVG:
        return css(tinycss2.parse_component_value_list(value)) if is_svg else []
    if attribute == "archive":
        return value.split(",") if name == "applet" else value.split()
    if attribute in SPACED:
        return value.split()
    if attribute in ("srcset", "imagesrcset"):
        return srcset(value)
    if attribute == "style":
        return css(tinycss2.parse_component_value_list(value))
    if attribute == "content":
        is_refresh = name == "meta" and attributes.get("http-equiv", "").lower() == "refresh"
        return refresh(value) if is_refresh else []
    if attribute == "value":
        return [value] if name == "param" and attributes.get("valuetype", "").lower() == "ref" else []
    if attribute == "data":
        return [value] if name == "object" else []
    return [value] if attribute in SINGLE else []


def elements(tree, is_standard):
    """The elements of a tree: lower-case name, whether it is HTML, attributes, text."""
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        namespace, _, name = element.tag.rpartition("}")
        attributes = {}
        for key, value in element.attrib.items():
            key = key.replace("{http://www.w3.org/1999/xlink}", "xlink:").lower()
            attributes[key] = value
        is_html = not is_standard or namespace.endswith("xhtml")
        yield name.lower(), is_html, namespace, attributes, "".join(element.itertext()) if name == "style" else ""


def is_valid(uri):
    """Reports whether a URL of odd_links.py is valid, as far as they differ."""
    try:
        split = urlsplit(uri)
        return bool(split.hostname) and (split.port or 0) >= 0
    except ValueError:
        return False


def is_local(name, attribute, reference, namespace):
    """Reports whether a fragment is one of the document, whatever the base: in CSS (css-values-4 §4.5.1), in SVG 2 (§16.1.3), and the name of a
    map (HTML §2.3.9)."""
    in_svg = namespace.endswith("svg") and name != "a"
    return reference.startswith("#") and (attribute in ("style", "usemap") or in_svg)


def links(tree, page_uri, is_standard, is_inner=False, has_base=True):
    """The links of a tree as (element, attribute, reference, URI)."""
    found = list(elements(tree, is_standard))
    bases = has_base and [clean(a["href"]) for name, is_html, _, a, _ in found if name == "base" and is_html and "href" in a]
    base = urljoin(page_uri, bases[0]) if bases else page_uri
    # A base that is no valid URL is ignored (HTML §4.2.3).
    base = base if is_valid(base) else page_uri
    for name, is_html, namespace, attributes, text in found:
        codebase = urljoin(base, clean(attributes.get("codebase", ""))) if name in ("object", "applet") else base
        for attribute, value in attributes.items():
            if name == "base" and attribute == "href":
                continue
            if name == "iframe" and attribute == "srcdoc" and not is_inner:
                for *_, reference, uri in links(html5lib.parse(value, treebuilder="etree"), base, is_standard, True):
                    yield name, attribute, reference, uri
            for raw in references(name, attribute, attributes, value, namespace.endswith("svg")):
                reference = clean(raw)
                hyperlink = attribute in ("href", "xlink:href") and name != "link" and (name == "a" or is_html)
                if reference or attribute in MAY_BE_EMPTY or hyperlink:
                    by = codebase if attribute in ("archive", "classid", "data") else base
                    by = page_uri if attribute in ("action", "formaction") and not raw else by
                    by = page_uri if is_local(name, attribute, reference, namespace) else by
                    yield name, attribute, reference, urljoin(by, reference)
        if name == "style" and (is_html or namespace.endswith("svg")):
            for reference in map(clean, css(tinycss2.parse_stylesheet(text))):
                if reference:
                    yield name, "text", reference, urljoin(page_uri if reference.startswith("#") else base, reference)


def sheet_links(data, uri):
    """The links of a style sheet."""
    for reference in map(clean, css(tinycss2.parse_stylesheet_bytes(data)[0])):
        if reference and not reference.startswith("#"):
            yield "css", "url", reference, urljoin(uri, reference)


# The element of a feed that has HTML, and the feed around it.
FEEDS = [
    ("description", "<rss version='2.0'><channel><item><description>{}</description></item></channel></rss>"),
    ("content:encoded", "<rss xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><item>"
                        "<content:encoded>{}</content:encoded></item></channel></rss>"),
    ("content", "<feed xmlns='http://www.w3.org/2005/Atom'><entry><content type='html'>{}</content></entry></feed>"),
    ("summary", "<feed xmlns='http://www.w3.org/2005/Atom'><entry><summary type='html'>{}</summary></entry></feed>"),
]


def make_feeds(pages, folder):
    """Writes feeds whose items are pages, and returns the element and the HTML of each."""
    feeds = {}
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(pages):
        data = page.read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        # A text of a feed has at most 1 MiB; XML has no control characters, and no other line breaks.
        text = re.sub("[\0-\x08\x0b-\x1f\ufffe\uffff]", "", text.replace("\r\n", "\n").replace("\r", "\n"))
        if len(text.encode()) > 1 << 20 or "<" not in text:
            continue
        element, feed = FEEDS[number % len(FEEDS)]
        written = f"<![CDATA[{text}]]>" if number % 3 == 0 and "]]>" not in text else html.escape(text, quote=False)
        file = folder / f"{number}.xml"
        file.write_text(feed.format(written.strip()), encoding="utf-8")
        feeds[file] = (element, text.strip())
    return feeds


def as_urljoin(found):
    """The same links without what urljoin drops: an empty query, fragment or `;`, which RFC 3986 §5.3 keeps."""
    without = collections.Counter()
    for (*link, uri), count in found.items():
        without[(*link, urlunparse(urlparse(uri)))] += count
    return without


def ours(binary, pages, uris):
    """What the command prints, by page."""
    found = {page: collections.Counter() for page in pages}
    for page in pages:
        output = subprocess.run([binary, "links", "--rules", "rfc3986", "--base", uris[page], page], check=True, capture_output=True).stdout
        for line in output.decode().splitlines():
            _, element, attribute, *link = line.split("\t")
            # tinycss2 is not asked for the rule.
            found[page][element, "url" if element == "css" else attribute, *link] += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()

    cargo = os.environ.get("CARGO", "cargo")
    subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    folder = args.folder
    if not folder:
        subprocess.run([cargo, "doc", "--quiet", "--locked", "--no-deps", "--workspace", "--all-features"], cwd=ROOT, check=True)
        folder = target / "doc"
    made = [ROOT / "tests" / "peers" / "links.html"]
    for name, page in markup_pages().items():
        made.append(target / "odd-markup" / f"{name}.html")
        made[-1].parent.mkdir(parents=True, exist_ok=True)
        made[-1].write_bytes(page)
    real = []
    for ending in ("html", "css", "svg"):
        files = sorted(file for file in folder.rglob(f"*.{ending}") if file.is_file())
        real += files[:: max(1, len(files) // args.most)][: args.most]
    feeds = make_feeds([page for page in real if page.suffix == ".html"], target / "html-in-feeds")
    uris = {page: "http://example.com/a/page.html" for page in made}
    uris.update({feed: "http://example.com/b/feed.xml" for feed in feeds})
    uris.update({page: f"http://example.com/{page.relative_to(folder).as_posix()}" for page in real})
    found = ours(target / "release" / "relref", list(uris), uris)

    differences, total, dropped = set(), 0, 0
    for page, uri in uris.items():
        data = page.read_bytes()
        if page in feeds:
            element, text = feeds[page]
            tree = html5lib.parse(text, treebuilder="etree")
            # `srcdoc` in it is not read, and a `base` in it does not count.
            inner = links(tree, uri, True, True, False)
            peers = {"html5lib": [(element, "text", *link) for _, _, *link in inner]}
        elif page.suffix == ".css":
            peers = {"tinycss2": sheet_links(data, uri)}
        else:
            # The encoding of a page that declares none is a choice: relref's is UTF-8.
            peers = {"html5lib": links(html5lib.parse(data, treebuilder="etree", likely_encoding="utf-8"), uri, True)}
        if page not in made and page.suffix == ".html":
            parser = None if b"charset" in data[:1024].lower() else lxml.html.HTMLParser(encoding="utf-8")
            try:
                peers["lxml"] = links(lxml.html.document_fromstring(data, parser), uri, False)
            except lxml.etree.ParserError:
                # A page without elements.
                peers["lxml"] = []
        comparable = (lambda links: links) if page in made else as_urljoin
        mine = comparable(found[page])
        dropped += sum((mine - found[page]).values())
        for peer, theirs in peers.items():
            theirs = comparable(collections.Counter(theirs))
            total += sum(mine.values())
            for who, more in (("relref", mine - theirs), (peer, theirs - mine)):
                for element, attribute, reference, uri in more:
                    # Of real pages, which change, the kind of difference counts, not the place.
                    place = [page.name, uri] if page in made else ["*", "*"]
                    differences.add((place[0], peer, f"only {who}", element, attribute, reference, place[1]))

    listing = ROOT / "tests" / "peers" / "links.txt"
    head, known = [], {}
    for line in listing.read_text().splitlines() if listing.exists() else []:
        if line.startswith("#") or not line:
            head.append(line)
        else:
            *key, why = line.split("\t")
            known[tuple(key)] = why
    if args.write:
        rows = ["\t".join([*key, known.get(key, "?")]) for key in sorted(differences)]
        listing.write_text("\n".join([*head, *rows]) + "\n")
    new, gone = differences - set(known), set(known) - differences
    if args.folder:
        # Other pages need not have what the list has.
        gone = {key for key in gone if key[0] != "*"}
    for mark, keys in (("not in the list", new), ("no longer different", gone)):
        for key in sorted(keys):
            print(f"{mark}: {' '.join(key)}")
    print(f"{dropped} links of real pages have an empty query, fragment or `;`, which urljoin drops")
    print(f"{len(uris)} pages, {total} comparisons of links, {len(differences)} differences, all explained" if not (new or gone)
          else f"{len(new)} differences are not in the list, {len(gone)} in it are none")
    sys.exit(1 if new or gone else 0)


if __name__ == "__main__":
    main()
