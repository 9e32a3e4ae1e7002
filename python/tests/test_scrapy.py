"""relref.scrapy gives the same links as Scrapy's own extractor, and a spider visits the same pages."""

import http.server
import inspect
import json
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import textwrap
import threading

import pytest
import random_urls

pytest.importorskip("scrapy")

import w3lib.url  # noqa: E402
from relref._relref import _canonical_shortcut  # noqa: E402
from relref.scrapy import LinkExtractor, RequestFingerprinter, canonicalize_url  # noqa: E402
from scrapy import Request  # noqa: E402
from scrapy.http import HtmlResponse, TextResponse, XmlResponse  # noqa: E402
from scrapy.linkextractors import LinkExtractor as ScrapyExtractor  # noqa: E402

# Real pages whose links differ, by their names, with the reason. There are none; the test fails if that changes.
DIFFERENT: "dict[str, str]" = {}

URI = "https://doc.rust-lang.org/std/collections/index.html"


def response(body, uri=URI, encoding="utf-8", kind=HtmlResponse):
    return kind(uri, body=body if isinstance(body, bytes) else body.encode(encoding), encoding=encoding)


def both(page, **arguments):
    """Returns the links of a new response by each extractor."""
    return LinkExtractor(**arguments).extract_links(page()), ScrapyExtractor(**arguments).extract_links(page())


def has_shortcut(page) -> bool:
    extractor = LinkExtractor()
    return extractor._finder.find(page.text, page.url, True, []) is not None


def test_real_pages(pages):
    most = int(os.environ.get("RELREF_MOST_PAGES", "1000"))
    more = [file for folder in ("/usr/share/doc", "/usr/lib/python3") for file in pathlib.Path(folder).rglob("*.html") if file.is_file()]
    different, links, short = {}, 0, 0
    files = pages[:most] + more
    for file in files:
        body = file.read_bytes()

        def page(body=body, name=file.name):
            return HtmlResponse("https://doc.rust-lang.org/std/" + name, body=body)

        ours, scrapys = both(page)
        short += has_shortcut(page())
        links += len(ours)
        if ours != scrapys:
            different[file.name] = [pair for pair in zip(ours, scrapys) if pair[0] != pair[1]][:3]
    assert {name: pairs for name, pairs in different.items() if name not in DIFFERENT} == {}
    assert set(DIFFERENT) <= set(different)
    assert len(files) >= 1000
    assert links > 10_000
    assert short / len(files) > 0.95


def test_damaged_pages(pages):
    rng = random.Random(1)
    pieces = ["<a href=x>", "</a>", "</div>", "<div>", "<td>", "<p>", "</p>", "<a>", "<b>", "</b>", "<br/>", "<a href='y' rel=nofollow />"]
    pieces += ["<script>", "</script>", "<!--", "-->", "<svg>", "<title>", "&amp;", "&notit;", "\0", "\x01", "<table>", "<li>", "<wbr>", "<x/>"]
    for file in pages[:150]:
        text = file.read_text("utf-8")
        start = rng.randrange(max(1, len(text) - 4000))
        text = text[start : start + 4000]
        for _ in range(rng.randrange(6)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(pieces) + text[at + rng.choice([0, 0, 1, 20]) :]
        ours, scrapys = both(lambda text=text: response(text))
        assert ours == scrapys, text


NAMES = """a abbr acronym address applet area article aside audio b base bdi bdo big blockquote body br button canvas caption center
    cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure
    font footer form frame frameset h1 h2 h3 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label
    legend li link listing main map mark marquee math menu meta meter nav nobr noembed noframes noscript object ol optgroup option
    output p param picture plaintext pre progress q rp rt ruby s samp script section select slot small source span strong style sub
    summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp custom-x""".split()


@pytest.mark.parametrize("form", ["<{0}>1</{0}>", "<{0}>1", "1</{0}>2", "<{0}/>1", "<b><{0}>1</b>2", "<{0}>1<a href=z>2</a>", "<{0}>1<p>2"])
def test_every_element_in_a_link(form):
    for name in NAMES:
        text = f"<div><a href=x>0{form.format(name)}3</a>4<a href=y>5</a></div>"
        ours, scrapys = both(lambda text=text: response(text))
        assert ours == scrapys, text


def test_every_element_around_links():
    for name in NAMES:
        for text in (f"<{name}><a href=x>1</a></{name}><a href=y>2</a>", f"<{name}><a href=x>1</{name}>2</a><a href=y>3</a>"):
            ours, scrapys = both(lambda text=text: response(text))
            assert ours == scrapys, text


PAGE = """<html><head><base href="https://other.example/docs/"><title><a href=no></title></head><body>
<a href=" a.html ">one</a><a href="a.html">again</a><a href="b.html#top" rel="x,NoFollow">t<b>w</b>o</a>
<a href="image.PNG">image</a><a href="/c?z=1&amp;a=2#f">three</a><area href=/area alt=x><a href="http://[bad">bad</a>
<a href="mailto:me@h">mail</a><a href="é b">é</a><a href="http://EXAMPLE.com">host</a><a href="http://example.com:80/p;x?">odd</a>
<img src="i.jpg" longdesc=long><a href>empty</a><a name=x>none</a><link href=style.css rel=stylesheet><a href="../../up/./x">up</a>
</body></html>"""


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"allow": r"/docs/"},
        {"allow": ["a.html", "/c"], "deny": "top"},
        {"allow_domains": "example"},
        {"allow_domains": ["Example.com", "x"]},
        {"deny_domains": ["other.example"]},
        {"allow_domains": ["ther.example"]},
        {"restrict_xpaths": "//body"},
        {"restrict_css": "b, a"},
        {"restrict_text": "t"},
        {"restrict_text": ["^one$", "three"]},
        {"tags": "a"},
        {"tags": ("a", "img", "link"), "attrs": ("href", "src", "longdesc"), "deny_extensions": []},
        {"tags": "*"},
        {"tags": "*", "attrs": "*"},
        {"tags": ["a", "area"], "deny_tags": "area"},
        {"attrs": ["href", "alt"], "deny_attrs": ["alt"]},
        {"tags": None},
        {"attrs": []},
        {"tags": ["A"]},
        {"canonicalize": True},
        {"canonicalize": True, "unique": False},
        {"unique": False},
        {"process_value": lambda value: None if "mailto" in value else value + "?x"},
        {"deny_extensions": ["html"]},
        {"deny_extensions": ["HTML", "PNG"]},
        {"deny_extensions": ()},
        {"strip": False},
    ],
)
def test_every_argument(arguments):
    try:
        ScrapyExtractor(**arguments)
    except TypeError as error:
        pytest.skip(f"this version of Scrapy: {error}")
    for uri in ("https://h.example/x/index.html", "file:///x/index.html", "https://h.example:8080/"):
        for encoding in ("utf-8", "iso-8859-1", "cp1252", "utf-16"):
            ours, scrapys = both(lambda uri=uri, encoding=encoding: response(PAGE, uri, encoding), **arguments)
            assert ours == scrapys
            assert [type(link) for link in ours] == [type(link) for link in scrapys]


SCRIPTS = {
    "naïve café": ["utf-8", "iso-8859-1", "cp1252", "utf-16"],
    "zażółć gęślą": ["utf-8", "iso-8859-2", "cp1250"],
    "Καλημέρα": ["utf-8", "iso-8859-7", "cp1253"],
    "Привет, ТТ": ["utf-8", "cp1251", "koi8-r", "iso-8859-5", "cp866"],
    "שלום": ["utf-8", "cp1255", "iso-8859-8"],
    "مرحبا": ["utf-8", "cp1256", "iso-8859-6"],
    "สวัสดี": ["utf-8", "cp874", "tis-620"],
    "नमस्ते": ["utf-8", "utf-16"],
    "日本語のページ": ["utf-8", "shift_jis", "euc-jp", "utf-16"],
    "简体中文": ["utf-8", "gb18030", "gbk", "gb2312"],
    "繁體中文": ["utf-8", "big5"],
    "한국어": ["utf-8", "euc-kr", "cp949"],
    "Tiếng Việt": ["utf-8", "utf-16"],
    "Բարեւ": ["utf-8"],
    "გამარჯობა": ["utf-8"],
    "😀𝔸": ["utf-8", "utf-16"],
}
# With character references beside the text, with and without a semicolon, with numbers, and such that are none.
FORMS = ["{0}", "&laquo;{0}&raquo;", "AT&{0}", "&nbsp;{0}", "x &lsaquo;{0}", "&amp;{0}&amp", "&#x5d0;{0}&#1488;", "<b>{0}&</b>{0}", "&{0};&lt{0}", "{0}&copy {0}"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_texts_in_many_scripts_and_encodings(script):
    for encoding in SCRIPTS[script]:
        for number, form in enumerate(FORMS):
            text = form.format(script)
            page = f"<title>{text}</title><p>{text}<a href=/{number}>{text}</a><a href='/{script}?q={script}' rel={script}> {text} <img alt=x> {text}</a>"
            for body in (response(page, encoding=encoding), response(f"{page * 200}", encoding=encoding)):
                ours, scrapys = both(lambda body=body: body.copy())
                assert ours == scrapys, (encoding, page)
                assert script in ours[0].text
                assert not any("\ufffd" in link.text for link in ours)
                assert encoding == "utf-16" or has_shortcut(body)
        ours, scrapys = both(lambda encoding=encoding: response(f"<a href=x>&laquo;{script}&raquo;</a><a href=y>x</a>", encoding=encoding), restrict_text=script)
        assert [link.text for link in ours] == [f"«{script}»"] == [link.text for link in scrapys]


HOSTS = ["127.0.0.1:8000", "192.168.0.1", "10.1", "1.2.3.4.5", "0x7f.1", "[::1]:8000", "[2001:db8::1]", "[::FFFF:1]", "[::1", "[::1.2.3.4]", "xn--e1afmkfd.xn--p1ai", "пример.рф"]


@pytest.mark.parametrize("host", HOSTS)
def test_other_hosts(host):
    page = f"<a href=a>1</a><a href='//{host}/b?c=d#e'>2</a><a href='http://{host}:81/'>3</a><a href='https://example.com/'>4</a><a href='http://{host}/x.pdf'>5</a>"
    for arguments in ({}, {"allow_domains": [host]}, {"deny_domains": [host.split(":")[0]]}, {"canonicalize": True}):
        try:
            expected = ScrapyExtractor(**arguments).extract_links(response(page, f"http://{host}/docs/"))
        except ValueError:
            with pytest.raises(ValueError):
                LinkExtractor(**arguments).extract_links(response(page, f"http://{host}/docs/"))
        else:
            assert LinkExtractor(**arguments).extract_links(response(page, f"http://{host}/docs/")) == expected


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "192.168.0.1", "[::1]:8000", "[2001:db8::1]", "example.com"])
def test_addresses_are_as_quick_as_names(host):
    page = "<a href=a>1</a><a href='/b?c'>2</a><a href='c.pdf'>3</a>"
    found = LinkExtractor()._finder.find(page, f"http://{host}/docs/", True, [".pdf"])
    # Nothing of it is left to w3lib, which takes most of the time.
    assert [url for url, *_ in found] == [f"http://{host}/{rest}" for rest in ("docs/a", "b?c", "docs/c.pdf")]


def set_parser(name, value):
    return lambda extractor: setattr(extractor.link_extractor, name, value)


@pytest.mark.parametrize(
    "change",
    [
        lambda extractor: setattr(extractor, "allow_domains", {"example.com", "Other.Example"}),
        lambda extractor: extractor.allow_domains.add("example.com"),
        lambda extractor: setattr(extractor, "allow_domains", ()),
        lambda extractor: setattr(extractor, "deny_domains", {"other.example"}),
        lambda extractor: setattr(extractor, "deny_domains", None),
        lambda extractor: setattr(extractor, "deny_extensions", {".html"}),
        lambda extractor: setattr(extractor, "deny_extensions", None),
        lambda extractor: extractor.allow_res.append(re.compile("html")),
        lambda extractor: setattr(extractor, "deny_res", [re.compile("b")]),
        lambda extractor: setattr(extractor, "restrict_text", [re.compile("t")]),
        lambda extractor: setattr(extractor, "restrict_xpaths", ("//area",)),
        lambda extractor: setattr(extractor, "canonicalize", True),
        lambda extractor: setattr(extractor, "_link_allowed", lambda link: "o" in link.text),
        lambda extractor: setattr(extractor, "_process_links", lambda links: links[:2]),
        lambda extractor: setattr(extractor, "_extract_links", lambda *args: []),
        lambda extractor: setattr(extractor, "link_extractor", ScrapyExtractor(tags="img", attrs="src").link_extractor),
        set_parser("unique", False),
        set_parser("strip", False),
        set_parser("process_attr", lambda value: value + "?x"),
        set_parser("scan_tag", lambda tag: tag == "img"),
        set_parser("scan_attr", lambda name: name == "name"),
        set_parser("link_key", lambda link: link.text),
    ],
)
def test_attributes_changed_later_count(change):
    for arguments in ({}, {"allow_domains": ["other.example"], "deny_extensions": ["png"]}):
        extractors = [LinkExtractor(**arguments), ScrapyExtractor(**arguments)]
        before = extractors[0].extract_links(response(PAGE))
        assert before == extractors[1].extract_links(response(PAGE))
        for extractor in extractors:
            change(extractor)
        after = extractors[0].extract_links(response(PAGE))
        assert after == extractors[1].extract_links(response(PAGE))
    # Each change makes a difference, with or without arguments.
    both = [extractor(**arguments).extract_links(response(PAGE)) for extractor in (LinkExtractor,) for arguments in ({}, {"allow_domains": ["other.example"], "deny_extensions": ["png"]})]
    assert any(links != after for links in both) or not after


def test_the_signature_is_scrapys():
    assert inspect.signature(LinkExtractor) == inspect.signature(ScrapyExtractor)
    assert "allow_domains" in str(inspect.signature(LinkExtractor))


def test_other_responses():
    for kind in (TextResponse, XmlResponse):
        ours, scrapys = both(lambda kind=kind: response(PAGE if kind is TextResponse else "<x><a href='y'>t</a></x>", kind=kind))
        assert ours == scrapys
    for text in ("", " ", "<a href=x>", "x"):
        ours, scrapys = both(lambda text=text: response(text))
        assert ours == scrapys


def test_extractors_can_be_pickled():
    extractor = pickle.loads(pickle.dumps(LinkExtractor(allow="a.html")))
    assert extractor._finder is not None
    assert extractor.extract_links(response(PAGE)) == ScrapyExtractor(allow="a.html").extract_links(response(PAGE))


def test_subclasses_decide_themselves():
    class Ours(LinkExtractor):
        def _link_allowed(self, link):
            return link.text == "again" or link.url.endswith("area")

    assert [link.url for link in Ours(unique=False).extract_links(response(PAGE))] == [
        "https://other.example/docs/a.html",
        "https://other.example/area",
    ]
    assert LinkExtractor(allow="x").matches("http://h/x")


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def test_canonical_urls():
    rng = random.Random(2)
    texts = ["http://example.com", "http://example.com/", "http://example.com/?b=1&a=2&a=1&c", "http://example.com/a?&&x=", "x", ""]
    texts += [random_urls.base(rng) for _ in range(20_000)]
    texts += [f"https://www.example.com/{rng.choice('ab./')}c{rng.choice(['', '?', '?x', '?b=2&a', '?a=1=2', '?a+b', '#f'])}" for _ in range(5000)]

    for text in texts:
        for arguments in ((), (True, True), (False,), (True, False, "latin-1")):
            assert outcome(canonicalize_url, text, *arguments) == outcome(w3lib.url.canonicalize_url, text, *arguments), text
    assert canonicalize_url(b"http://example.com/?b&a") == w3lib.url.canonicalize_url(b"http://example.com/?b&a")


def test_fingerprints():
    fingerprint = RequestFingerprinter().fingerprint
    same = ["http://h.com/?a=1&b=2", "http://H.com:80/x/../?b=2&utm_source=y&a=1#top"]
    assert len({fingerprint(Request(url)) for url in same}) == 1
    different = [Request("http://h.com/a"), Request("http://h.com/b"), Request("http://h.com/a", method="POST", body=b"x")]
    different += [Request("http://h.com/a?utm_source=x", meta={"verbatim_url": True})]
    assert len({fingerprint(request) for request in different}) == 4
    without = RequestFingerprinter(without=["drop-tracking"]).fingerprint
    assert without(Request("http://h/?utm_source=x")) != without(Request("http://h/"))


SPIDER = """
    import json, statistics, sys, time
    from scrapy.crawler import CrawlerProcess
    from scrapy.spiders import CrawlSpider, Rule
    kind, start = sys.argv[1:]
    if kind == "relref":
        from relref.scrapy import LinkExtractor
        settings = {"REQUEST_FINGERPRINTER_CLASS": "relref.scrapy.RequestFingerprinter"}
    else:
        from scrapy.linkextractors import LinkExtractor
        settings = {}
    seen, spent = [], []

    class Timed(LinkExtractor):
        def extract_links(self, response):
            start = time.thread_time()
            try:
                return super().extract_links(response)
            finally:
                spent.append(time.thread_time() - start)

    class Spider(CrawlSpider):
        name = "site"
        start_urls = [start]
        rules = [Rule(Timed(deny=r"[?]"), callback="parse_page", follow=True)]

        def parse_page(self, response):
            seen.append(response.url)

    settings.update({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": False, "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8})
    process = CrawlerProcess(settings)
    process.crawl(Spider)
    process.start()
    print(json.dumps({"seen": sorted(seen), "spent": statistics.median(spent)}))
"""


def test_a_spider_visits_the_same_pages(pages, tmp_path):
    """Crawls a site on the loopback interface, with each extractor."""
    folder = pages[0].parent
    while len(list(folder.rglob("*.html"))) < 60:
        folder = folder.parent
    site = tmp_path / "site"
    site.mkdir()
    files = sorted(folder.rglob("*.html"))[:60]
    for number, file in enumerate(files):
        (site / f"{number}.html").write_bytes(file.read_bytes().replace(b"</body>", b"<a href='%d.html?x'>q</a></body>" % number))
    index = "".join(f"<a href='/{number}.html'>{number}</a>" for number in range(len(files)))
    (site / "index.html").write_text(index)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(site))

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        start = f"http://127.0.0.1:{server.server_port}/index.html"
        outcomes = []
        for kind in ("relref", "scrapy"):
            command = [sys.executable, "-c", textwrap.dedent(SPIDER), kind, start]
            done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, cwd=tmp_path)
            outcomes.append(json.loads(done.stdout.splitlines()[-1]))
        server.shutdown()
    ours, scrapys = outcomes
    assert ours["seen"] == scrapys["seen"]
    # Some of the pages only lead to another one.
    assert len(ours["seen"]) >= 40
    # The time of a page, by the median: the first pages pay for what Python loads.
    assert ours["spent"] < scrapys["spent"], (ours["spent"], scrapys["spent"])


def test_canonical_links_have_the_order_of_scrapys():
    page = b"<a href=/b?y&x>1</a><a href=/a>2</a><a href=/b?x&y>3</a><a href=/a#z>4</a><a href=/c>5</a><a href=/b?x=&y=>6</a>"
    response = HtmlResponse("http://example.com/", body=page)
    for unique in (True, False):
        arguments = {"canonicalize": True, "unique": unique}
        assert LinkExtractor(**arguments).extract_links(response) == ScrapyExtractor(**arguments).extract_links(response)


def test_canonicalize_url_of_what_pages_have():
    """Those of random pieces are equal, and many take the shortcut."""
    rng = random.Random(5)
    pieces = ["a", "B", "1", "-", ".", "~", "/", "//", "+", ",", ":", ";", "@", "!", "$", "'", "(", "*", "=", "&", "%20", "%2f", "%2F", "%3F"]
    pieces += ["%C3%A9", "%c3", "%41", "%7e", "%2e", "%25", "%3b", "%23", "%5B", "%0a", "%", "%4", "%zz", "#", "?", "|", "[", "%2B", "%26", "%3D"]
    shortcuts = 0
    for _ in range(20_000):
        host = rng.choice(["example.com", "Example.COM", "h", "EXAMPLE.com:8080", "xn--a.com", "user@h", "a..b", ""])
        parts = ["".join(rng.choices(pieces, k=rng.randrange(6))) for _ in range(3)]
        url = f"http://{host}/{parts[0]}?{parts[1]}" + (f"#{parts[2]}" if rng.random() < 0.3 else "")
        for keeps in (False, True):
            assert outcome(canonicalize_url, url, True, keeps) == outcome(w3lib.url.canonicalize_url, url, True, keeps), url
        shortcuts += _canonical_shortcut(url, False) is not None
    assert shortcuts > 1500
    for url in ("http://Example.com/A%20b,c:d/e;f", "https://h/?q=a+b&c=%C3%A9,d:e", "http://h/a/B?x=1;2#t"):
        assert ("?x" in url) == (_canonical_shortcut(url, False) is None), url


def test_robot_parser():
    from scrapy.settings import Settings
    from scrapy.utils.misc import load_object

    parser = load_object(Settings({"ROBOTSTXT_PARSER": "relref.scrapy.RobotParser"})["ROBOTSTXT_PARSER"])
    robots = parser.from_crawler(None, b"\xef\xbb\xbfUser-agent: *\nDisallow: /a\nCrawl-delay: 2.5")
    assert not robots.allowed("http://h/a", "Bot") and not robots.allowed(b"http://h/a", b"Bot") and robots.allowed("http://h/b", "Bot")
    assert robots.crawl_delay("Bot") == 2.5
    assert parser.from_crawler(None, b"\xff").allowed("http://h/a", "Bot")
