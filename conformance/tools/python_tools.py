"""Packages of Python: reads a case a line from standard input, and prints its links.

    python_tools.py NAME

Where a package has no function for links, the adapter is what its users write: each attribute that is a single URL, resolved by
`urllib.parse.urljoin` against the first `base` element with an `href`, else the page's URL.
"""

import base64, json, sys
from urllib.parse import urljoin

HTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XML = {"application/xhtml+xml", "image/svg+xml"}
# Links have names in lower case; in XML, no others are the same.
CAMELS = {name: name.lower() for name in ["linearGradient", "radialGradient", "textPath", "feImage"]}


def join(base, reference):
    try:
        return urljoin(base, reference)
    except ValueError:
        return None


def recipe(elements, url, table):
    """The links of elements, which are (name, attributes)."""
    elements = list(elements)
    base = next((attributes["href"] for name, attributes in elements if name == "base" and "href" in attributes), "")
    base = join(url, base) or url
    for name, attributes in elements:
        for attribute, value in attributes.items():
            sort = table.get(f"{name} {attribute}", "")
            if sort.startswith("URL") and (value or "also empty" in sort):
                if name == "input" and attribute == "src" and (attributes.get("type") or "").lower() != "image":
                    continue
                yield name, attribute, join(base, value or "")


def by_namespace(elements, table):
    """The (name, attributes) of elements, which are (namespace, name, attributes), the keys of these (namespace, name)."""
    for namespace, name, attributes in elements:
        if name == "base" and namespace != HTML or namespace == SVG and name in CAMELS.values():
            continue
        name, found = CAMELS.get(name, name) if namespace == SVG else name, {}
        for (of, key), value in attributes:
            key = f"xlink:{key}" if of == XLINK else key
            is_svg = "in SVG" in table.get(f"{name} {key}", "")
            if of in (None, "", XLINK) and (is_svg != (namespace == HTML) or (name, key) == ("a", "href")):
                found[key] = value
        yield name, found


def lxml_(page, url, charset, table, media_type):
    import lxml.html

    parser = (lxml.html.XHTMLParser if media_type in XML else lxml.html.HTMLParser)(encoding=charset)
    tree = lxml.html.document_fromstring(page, parser=parser)
    tree.make_links_absolute(url, handle_failures="discard")
    for element, attribute, link, _ in tree.iterlinks():
        name = element.tag.rpartition("}")[2]
        if name != "base":
            yield name, attribute or ("content" if name == "meta" else "text"), link


def beautifulsoup(page, url, charset, table, media_type):
    import bs4

    if media_type in XML:
        soup = bs4.BeautifulSoup(page, "xml", from_encoding=charset)
        split = lambda key: (getattr(key, "namespace", None), getattr(key, "name", None) or key)
        attributes = lambda tag: [(split(key), value) for key, value in tag.attrs.items()]
        tags = ((tag.namespace, tag.name.rpartition(":")[2], attributes(tag)) for tag in soup.find_all(True))
        known = ((namespace, *rest) for namespace, *rest in tags if namespace in (HTML, SVG))
        return recipe(by_namespace(known, table), url, table)
    soup = bs4.BeautifulSoup(page, "html.parser", from_encoding=charset)
    attributes = lambda tag: {name: " ".join(value) if isinstance(value, list) else value for name, value in tag.attrs.items()}
    return recipe(((tag.name, attributes(tag)) for tag in soup.find_all(True)), url, table)


def html5lib_(page, url, charset, table, _):
    import html5lib

    tree = html5lib.parse(page, transport_encoding=charset, treebuilder="etree")

    def elements():
        for element in tree.iter():
            if isinstance(element.tag, str):
                split = lambda name: (name[1:] if name[0] == "{" else name).rpartition("}")[::2]
                yield *split(element.tag), [(split(key), value) for key, value in element.attrib.items()]

    return recipe(by_namespace(elements(), table), url, table)


def selectolax(page, url, charset, table, _):
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(page, encoding=True)
    return recipe(((CAMELS.get(node.tag, node.tag), node.attributes) for node in tree.css("*")), url, table)


def scrapy_(page, url, charset, table, media_type):
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    kind = media_type + (f"; charset={charset}" if charset else "")
    response = HtmlResponse(url, body=page, headers={"Content-Type": kind})
    for key, sort in table.items():
        if sort.startswith("URL"):
            name, attribute = key.split(" ")
            extractor = LinkExtractor(tags=(name,), attrs=(attribute,), deny_extensions=(), unique=False)
            for link in extractor.extract_links(response):
                yield name, attribute, link.url + (f"#{link.fragment}" if link.fragment else "")


TOOLS = {"lxml": lxml_, "BeautifulSoup": beautifulsoup, "html5lib": html5lib_, "selectolax": selectolax, "Scrapy": scrapy_}


def main():
    tool = TOOLS[sys.argv[1]]
    table = json.loads(sys.argv[2])
    for line in sys.stdin:
        case = json.loads(line)
        try:
            links = tool(base64.b64decode(case["page"]), case["url"], case["charset"], table, case["type"])
            links = [list(link) for link in links if link[2]]
            print(json.dumps({"id": case["id"], "links": links}), flush=True)
        except Exception as error:  # An error of the tool is its answer.
            print(json.dumps({"id": case["id"], "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)


main()
