"""Prints the items of an RSS or Atom feed as a page, in which each link works wherever the page is.

    python examples/python/feed_reader.py FEED URI >page.html

FEED is a file of a site that you trust, as its markup is kept, and URI its own one.
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
    for element in item:
        own_base, text, name = relref.resolve(base, element.get(BASE, "")), (element.text or "").strip(), local(element)
        if name == "title":
            yield f"<h2>{html.escape(text)}</h2>"
        elif name == "link" and element.get("rel", "alternate") == "alternate":
            uri = relref.resolve(own_base, element.get("href") or text)
            if uri.startswith(("http://", "https://")):
                yield f'<p><a href="{html.escape(uri)}">{html.escape(uri)}</a>'
        elif name in ("description", "encoded", "content", "summary"):
            # RFC 4287 §3.1.1: the text of an Atom feed is no markup unless it says so. That of RSS is.
            kind = element.get("type", "text" if "Atom" in element.tag else "html")
            if kind == "xhtml":
                text = "".join(ElementTree.tostring(child, "unicode", method="html") for child in element)
            yield relref.make_links_absolute(text, own_base) if "html" in kind else f"<p>{html.escape(text)}"


def main():
    feed, uri = sys.argv[1:]
    print("<!DOCTYPE html><meta charset=utf-8>")
    for element, base in with_bases(ElementTree.parse(feed).getroot(), uri):
        if local(element) in ("item", "entry"):
            print("<article>", *texts(element, base), "</article>", sep="\n")


if __name__ == "__main__":
    main()
