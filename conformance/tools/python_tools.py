"""Packages of Python: reads a case a line from standard input, and prints its links.

    python_tools.py NAME

Where a package has no function for links, the adapter is what its users write: each attribute that is a single URL, resolved by
`urllib.parse.urljoin` against the first `base` element with an `href`, else the page's URL.
"""

import base64, json, sys
from urllib.parse import urljoin

HTML = "http://www.w3.org/1999/xhtml"
XLINK = "{http://www.w3.org/1999/xlink}"


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


def lxml_(page, url, charset, table):
    import lxml.html

    parser = lxml.html.HTMLParser(encoding=charset)
    tree = lxml.html.document_fromstring(page, parser=parser)
    tree.make_links_absolute(url, handle_failures="discard")
    for element, attribute, link, _ in tree.iterlinks():
        if element.tag != "base":
            yield element.tag, attribute or ("content" if element.tag == "meta" else "text"), link


def beautifulsoup(page, url, charset, table):
    import bs4

    soup = bs4.BeautifulSoup(page, "html.parser", from_encoding=charset)
    attributes = lambda tag: {name: " ".join(value) if isinstance(value, list) else value for name, value in tag.attrs.items()}
    return recipe(((tag.name, attributes(tag)) for tag in soup.find_all(True)), url, table)


def html5lib_(page, url, charset, table):
    import html5lib

    tree = html5lib.parse(page, transport_encoding=charset, treebuilder="etree")

    def elements():
        for element in tree.iter():
            if isinstance(element.tag, str):
                namespace, _, name = element.tag[1:].rpartition("}")
                if namespace != HTML and name == "base":
                    continue
                attributes = {key.replace(XLINK, "xlink:"): value for key, value in element.attrib.items()}
                for key in list(attributes):
                    is_svg = "in SVG" in table.get(f"{name} {key}", "")
                    if is_svg == (namespace == HTML) and (name, key) != ("a", "href"):
                        del attributes[key]
                yield name, attributes

    return recipe(elements(), url, table)


def selectolax(page, url, charset, table):
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(page, encoding=True)
    return recipe(((node.tag, node.attributes) for node in tree.css("*")), url, table)


def scrapy_(page, url, charset, table):
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    kind = "text/html" + (f"; charset={charset}" if charset else "")
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
            links = [list(link) for link in tool(base64.b64decode(case["page"]), case["url"], case["charset"], table) if link[2]]
            print(json.dumps({"id": case["id"], "links": links}), flush=True)
        except Exception as error:  # An error of the tool is its answer.
            print(json.dumps({"id": case["id"], "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)


main()
