#!/usr/bin/env python3
"""Checks that lxml's parser of XML finds the links that `relref links` prints, in the XHTML and SVG files of Debian packages.

    tests/peers/xml_links.py [--most N] [PACKAGE…]

The files are those that end in .xhtml, .xht or .svg, and those of these names in EPUB files; at most N of each package. Those that are
not well-formed are counted: of these, relref must say so, and find at least the links that lxml finds before the error. Needs
apt-get and dpkg-deb, and downloads the packages; or give folders.
"""

import argparse, collections, io, json, subprocess, sys, tempfile, zipfile
from pathlib import Path

import environment

environment.enter("xml-venv", ["lxml==6.1.3"])

from lxml import etree  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = """debian-policy developers-reference debian-faq maint-guide adwaita-icon-theme breeze-icon-theme librsvg2-tests gnome-user-docs
    systemtap-doc aptitude-doc-en dia-common sphinx-doc debmake-doc mate-icon-theme gtk-3-examples elementary-icon-theme inkscape
    scribus-data docbook-xsl-doc-html libx11-doc librsvg2-doc xorg-docs-core""".split()
ENDINGS = (".xhtml", ".xht", ".svg")
HTML, SVG, MATH = "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"
XLINK = "{http://www.w3.org/1999/xlink}href"
# Those whose value is one reference.
ATTRIBUTES = "href src poster action formaction cite longdesc background usemap manifest icon".split()
FILLED = {"cite", "action", "formaction"}


def links(data):
    """The element, attribute and reference of each link, and whether the file is well-formed."""
    found, root = [], None
    events = etree.iterparse(io.BytesIO(data), events=("start", "pi"), resolve_entities="internal", no_network=True, huge_tree=True)
    try:
        for event, node in events:
            if event == "pi":
                if node.target == "xml-stylesheet" and root is None and node.get("href"):
                    found.append(("xml-stylesheet", "href", node.get("href")))
                continue
            root = node if root is None else root
            space, _, name = node.tag.rpartition("}")
            # Without any namespace, it is what its root says. A prefix that is not declared has none.
            space = space[1:] or ("" if ":" in name else SVG if root.tag.rpartition("}")[2] == "svg" else HTML)
            known = space in (HTML, SVG, MATH)
            for key, value in node.attrib.items():
                attribute = "xlink:href" if key == XLINK else key
                single = key == XLINK or known and key in ATTRIBUTES
                single = single and not (known and name == "base" or key == XLINK and known and "href" in node.attrib)
                # XML replaces line breaks in values by spaces, URLs are without them.
                value = "".join(value.split())
                is_hyperlink = attribute in ("href", "xlink:href") and name != "link" and (space != SVG or name == "a")
                # Longer URIs are not printed.
                if single and len(value) < 1 << 16 and (value or attribute in FILLED or is_hyperlink):
                    found.append((name.lower(), attribute, value))
    except etree.XMLSyntaxError as error:
        return found, str(error)
    return found, None


def ours(relref, files):
    """The same links, as the command prints them, by file; and the files about which it says something."""
    command = [relref, "links", "-q", "--format", "jsonl", "--columns", "page,element,attribute,reference", *map(str, files)]
    out = subprocess.run(command, capture_output=True, text=True)
    found = collections.defaultdict(list)
    for line in out.stdout.splitlines():
        row = json.loads(line)
        if row["attribute"] in (*ATTRIBUTES, "xlink:href"):
            found[row["page"]].append((row["element"], row["attribute"], "".join(row["reference"].split())))
    return found, out.stderr


def unpacked(packages, folder):
    """Folders with the files of packages."""
    for package in packages:
        if Path(package).is_dir():
            yield Path(package)
            continue
        place = folder / package
        place.mkdir()
        if subprocess.run(["apt-get", "download", "-q", package], cwd=place, capture_output=True).returncode:
            print(f"not there: {package}")
            continue
        (deb,) = place.glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", deb, place], check=True)
        yield place


def pages(folder, most, target):
    """The files of a folder, also those in EPUB files, which are unpacked."""
    for number, book in enumerate(sorted(file for file in folder.rglob("*.epub") if file.is_file())):
        with zipfile.ZipFile(book) as entries:
            for entry in entries.namelist():
                if entry.lower().endswith(ENDINGS):
                    page = target / folder.name / str(number) / entry.replace("..", "_")
                    page.parent.mkdir(parents=True, exist_ok=True)
                    page.write_bytes(entries.read(entry))
    files = [file for place in (folder, target / folder.name) for file in sorted(place.rglob("*"))]
    files = [file for file in files if file.suffix.lower() in ENDINGS and file.is_file() and not file.is_symlink()]
    return files[:: max(1, len(files) // most)][:most]


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--most", type=int, default=500)
    args.add_argument("--relref", default=ROOT / "target" / "release" / "relref")
    args.add_argument("packages", nargs="*", default=PACKAGES)
    args = args.parse_args()
    count, broken, total, wrong, packages = 0, 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        for folder in unpacked(args.packages, Path(temporary)):
            files = pages(folder, args.most, Path(temporary) / "books")
            packages += bool(files)
            found, said = ours(args.relref, files) if files else ({}, "")
            for file in files:
                theirs, error = links(file.read_bytes())
                mine = found.get(str(file), [])
                count, broken, total = count + 1, broken + bool(error), total + len(theirs)
                missing = collections.Counter(theirs) - collections.Counter(mine)
                more = collections.Counter() if error else collections.Counter(mine) - collections.Counter(theirs)
                is_said = f"{file}: not well-formed" in said
                if missing or more or is_said > bool(error):
                    wrong += 1
                    print(f"{file}: lxml {error or 'reads it'}, relref {'objects' if is_said else 'reads it'}")
                    print(f"  only lxml {list(missing)[:5]}, only relref {list(more)[:5]}")
    print(f"{packages} packages, {count} files, {broken} not well-formed, {total} links, {wrong} files differ")
    sys.exit(1 if wrong or not count else 0)


if __name__ == "__main__":
    main()
