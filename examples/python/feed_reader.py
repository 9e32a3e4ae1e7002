"""Prints the items of an RSS or Atom feed as a page, in which each link works wherever the page is.

    python examples/python/feed_reader.py FEED URI >page.html

FEED is a file, and URI its own one.
"""

import html
import sys
import xml.etree.ElementTree as ElementTree

import relref

ElementTree.register_namespace("", "http://www.w3.org/1999/xhtml")
BASE = "{http://www.w3.org/XML/1998/namespace}base"


def local(element):
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def with_bases(element, base):
    """Yields each element with the URI to which its references are relative."""
    todo = [(element, base)]
    while todo:
        element, base = todo.pop()
        base = relref.resolve(base, element.get(BASE, ""))
        yield element, base
        todo.extend((child, base) for child in reversed(element))


def texts(item, base):
    """Yields what the page has of an item, in the order of the feed."""
    for element, base in with_bases(item, base):
        text, name = (element.text or "").strip(), local(element)
        if name == "title":
            yield f"<h2>{html.escape(text)}</h2>"
        elif name == "link" and element.get("rel", "alternate") == "alternate":
            uri = relref.resolve(base, element.get("href") or text)
            yield f'<p><a href="{html.escape(uri)}">{html.escape(uri)}</a>'
        elif name in ("description", "encoded", "content", "summary"):
            if element.get("type") == "xhtml":
                text = "".join(ElementTree.tostring(child, "unicode", method="html") for child in element)
            yield relref.make_links_absolute(text, base)


def main():
    feed, uri = sys.argv[1:]
    print("<!DOCTYPE html><meta charset=utf-8>")
    for element, base in with_bases(ElementTree.parse(feed).getroot(), uri):
        if local(element) in ("item", "entry"):
            # with_bases has applied the item's own base.
            element.attrib.pop(BASE, None)
            print("<article>", *texts(element, base), "</article>", sep="\n")


if __name__ == "__main__":
    main()
