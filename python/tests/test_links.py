"""links and Pages: the same links from bytes, str and streams; limits, threads, errors."""

import gzip
import io
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
import relref
from relref import Pages, links

PAGE = """<base href="/docs/"><a href=" intro?a=1&amp;b=é " rel="x NoFollow">start</a>
<img src=logo.png srcset="a.png 1x, b.png 2x"><a href="mailto:me@h">me</a>"""
URI = "http://example.com/x/"


def test_one_page_in_many_forms():
    expected = links(PAGE, URI)
    assert [(link.element, link.attribute, link.kind, link.rel) for link in expected] == [
        ("a", "href", "hyperlink", "x NoFollow"),
        ("img", "src", "resource", ""),
        ("img", "srcset", "resource", ""),
        ("img", "srcset", "resource", ""),
        ("a", "href", "hyperlink", ""),
    ]
    data = PAGE.encode()
    for page in (data, bytearray(data), memoryview(data), memoryview(data + b" ")[:-1]):
        assert links(page, URI, "utf-8") == expected
    expected = Pages().links(PAGE, URI)
    for page in (b"\xef\xbb\xbf" + data, PAGE.encode("utf-16"), b"<meta charset=utf-8>" + data):
        assert links(page, URI, places=False) == expected
    latin = links(PAGE.encode("latin-1"), URI, "iso-8859-1")
    assert [link.reference for link in latin] == [link.reference for link in expected]
    streamed = []
    Pages().stream(io.BytesIO(data), URI, streamed.append, "utf-8")
    assert streamed == expected
    assert [link.fetchable for link in expected] == [True] * 4 + [False]
    assert [link.nofollow for link in expected] == [True] + [False] * 4


def test_links_take_the_options_of_pages():
    page = "<title>T</title><meta name=robots content=nofollow>\n<a href=x>é</a><a href=//h:x/>y</a><img data-src=z itemtype='http://h/t'>"
    for options in (
        {"kinds": ["resource"], "lazy": True}, {"items": True, "robots": True}, {"max_text": 9, "facts": True}, {"report_invalid": True},
        {"fetchable": True, "max_uri": 30}, {"max_total": 1}, {"xml": True}, {"rules": "rfc3986", "legacy_queries": True},
    ):
        expected = Pages(**options, places=True).links(page, URI)
        assert links(page, URI, **options) == expected != [] or "max_total" in options
        assert links(page, URI, places=False, **options) == Pages(**options).links(page, URI)
    assert [(link.line, link.column) for link in links(page, URI)] == [(2, 9)]
    # Also of what is no HTML.
    for uri, text in ("http://h/a.css", "\na{b:url(c)}"), ("http://h/a.md", "\n[a](b)"), ("http://h/a.svg", "<svg>\n<a href='b'/></svg>"):
        assert [link.line for link in links(text, uri)] == [2], uri


def test_titles():
    page = "<p>no link<title> Да \n&amp; нет</title><title>2</title>"
    declared = "<meta charset=windows-1251>" + page
    for given in (page, page.encode(), bytearray(page.encode()), declared, "\ufeff" + declared, declared.encode("windows-1251")):
        assert relref.title(given) == "Да & нет", given
    assert relref.title(page.encode("windows-1251"), "windows-1251") == "Да & нет"
    assert relref.title(declared.encode("koi8-r"), charset="koi8-r") == "Да & нет"
    long = "<a href=x>" * 500_000 + page
    assert relref.title(long) == relref.title(long.encode(), "utf-8") == "Да & нет"
    for none in ("", "<title> </title>", "<svg><title>a</title></svg>", b"<title>"):
        assert relref.title(none) is None
    with pytest.raises(TypeError):
        relref.title(None)
    with pytest.raises(ValueError, match="charset"):
        relref.title(page, "koi8-r")


def test_links_are_values():
    link = Pages(max_text=10).links("<meta name=robots content=none>" + PAGE, URI)[0]
    assert relref.Link("a", "href", "hyperlink", "", "x", None) == relref.Link("a", "href", "hyperlink", "", "x", None, "", False)
    copy = pickle.loads(pickle.dumps(link))
    assert (copy, hash(copy), repr(copy)) == (link, hash(link), repr(link))
    assert len({link, copy}) == 1


def test_texts():
    page = "<a href=x> go <b>on</b>\n<img src=i alt=pictures></a><a href=y>" + "é" * 50
    for read in (page, page.encode()):
        found = Pages(max_text=11).links(read, "http://h/", "utf-8")
        assert [(link.reference, link.text) for link in found] == [("x", "go on pictu"), ("i", "pictures"), ("y", "é" * 5)]
    assert [link.text for link in Pages().links(page, "http://h/")] == [""] * 3
    streamed = []
    Pages(max_text=11).stream(io.BytesIO(page.encode()), "http://h/", streamed.append, "utf-8")
    assert streamed == found
    assert repr(found[1]).endswith("text='pictures')")


def test_facts():
    page = "<link rel=alternate hreflang=fr href=x><style media=print>@import 'y'</style>\n<title> Пр &amp;\n x</title>"
    found = Pages(facts=True, places=True).links(page, "http://h/")
    assert [(link.hreflang, link.media, link.start, link.line, link.column) for link in found] == [
        ("fr", "", 37, 1, 38),
        ("", "print", 67, 1, 68),
    ]
    assert {(link.page_title, link.page_charset) for link in found} == {("Пр & x", "UTF-8")}
    streamed = []
    reader = pickle.loads(pickle.dumps(Pages(facts=True, places=True)))
    reader.stream(io.BytesIO(b"<meta charset=koi8-r><a href=x><title>\xc1"), "http://h/", streamed.append)
    (link,) = streamed
    assert (link.page_title, link.page_charset, link.start, link.end) == ("а", "KOI8-R", 29, 30)
    assert "page_title='а', page_charset='KOI8-R', start=29, end=30, line=1, column=30)" in repr(link)
    assert pickle.loads(pickle.dumps(link)) == link != Pages().links("<a href=x>", "http://h/")[0]
    (link,) = Pages().links("<title>T</title><a href=x>", "http://h/")
    assert (link.page_title, link.page_charset, link.start, link.end, link.line, link.column) == ("", None, None, None, None, None)
    assert repr(Pages(places=True).links("<a href>", "http://h/")[0]).endswith("start=7, end=7, line=1, column=8)")
    made = relref.Link("a", "href", "hyperlink", "", "x", None, start=0, hreflang="de")
    assert repr(made).endswith("uri=None, hreflang='de', start=0)")


def test_robots():
    page = "<a href=x><meta name=ROBOTS content='noindex, NoFollow'>"
    for reader, expected in ((Pages(), False), (Pages(robots=True), True)):
        (link,) = reader.links(page, "http://h/")
        assert (link.page_nofollow, link.nofollow) == (expected, expected)
    assert "page_nofollow=True" in repr(link)


def test_options():
    def uris(page, **options):
        return [link.uri for link in Pages(**options).links(page, "http://h/")]

    assert uris("<a href=x><img src=y>", kinds=["resource"]) == ["http://h/y"]
    assert uris("<a href=x><a href='tel:1'>", fetchable=True) == ["http://h/x"]
    assert uris("<img data-src=x>") == []
    assert uris("<img data-src=x>", lazy=True) == ["http://h/x"]
    assert uris("<p itemid=x>", items=True) == ["http://h/x"]
    page = "<a href='http://a b/'><a href=x>"
    assert uris(page) == ["http://h/x"]
    assert uris(page, report_invalid=True) == [None, "http://h/x"]
    assert uris(page, rules="rfc3986") == ["http://a b/", "http://h/x"]
    with pytest.raises(ValueError, match="hyperlink"):
        Pages(kinds=["image"])
    with pytest.raises(ValueError, match="whatwg"):
        Pages("rfc1")


def test_limits_are_counted():
    invalid = Pages()
    assert invalid.links("<a href='http://a b/'>", "http://h/") == []
    assert (invalid.invalid, invalid.left_out) == (1, 0)
    reader = Pages(max_uri=20)
    page = "<a href=short><a href=" + "x" * 50 + "><a href=b>"
    assert [link.reference for link in reader.links(page, "http://h/")] == ["short", "b"]
    assert reader.left_out == 1
    few = Pages(max_total=1000)
    assert len(few.links("<a href=x>" * 1000, "http://h/")) == 100
    assert few.left_out == 900


@pytest.mark.parametrize(
    ("page", "error"), [(None, TypeError), (5, TypeError), (["x"], TypeError), ("<a href=\ud800>", UnicodeEncodeError)]
)
def test_other_pages_are_refused(page, error):
    with pytest.raises(error):
        links(page, "http://h/")


@pytest.mark.parametrize(("text", "error"), [(b"http://h/", TypeError), (None, TypeError), ("http://h/\ud800", UnicodeEncodeError)])
def test_other_uris_are_refused(text, error):
    with pytest.raises(error):
        links(b"", text)
    with pytest.raises(error):
        Pages().stream(io.BytesIO(), text, print)
    if text is not None:
        with pytest.raises(error):
            links(b"", "http://h/", text)


def test_unknown_encodings_are_refused():
    with pytest.raises(ValueError, match="did you mean utf-8"):
        links("", "http://h/", "utf-9")


def test_errors_of_the_uri_and_of_the_file():
    with pytest.raises(relref.Error):
        links("", "docs/")
    with pytest.raises(relref.Error):
        Pages().stream(io.BytesIO(), "docs/", print)
    with pytest.raises(TypeError, match="file"):
        Pages().stream("page.html", "http://h/", print)
    with pytest.raises(TypeError, match="binary mode"):
        Pages().stream(io.StringIO("<a href=x>"), "http://h/", print)

    class Broken(io.BytesIO):
        def read(self, *args):
            raise OSError(5, "broken")

    with pytest.raises(OSError, match="broken"):
        Pages().stream(Broken(), "http://h/", print)

    def each(link):
        raise KeyError(link.uri)

    with pytest.raises(KeyError):
        Pages().stream(io.BytesIO(b"<a href=x>"), "http://h/", each)


def test_a_reader_can_be_used_while_it_reads():
    reader, inner = Pages(), []
    reader.stream(io.BytesIO(b"<a href=x>"), "http://h/", lambda link: inner.extend(reader.links(b"<a href=y>", link.uri)))
    assert [link.uri for link in inner] == ["http://h/y"]


def test_threads_share_a_reader(pages):
    contents = [page.read_bytes() for page in pages[:40]]
    reader = Pages()

    def read(content):
        return reader.links(content, "http://h/a/b")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, contents * 2)) == [read(content) for content in contents * 2]


def test_links_of_style_sheets_and_inner_pages():
    sheet = '@charset "windows-1251"; @import "a.css"; p { background: url(б.png) }'.encode("windows-1251")
    found = relref.css_links(sheet, "http://h/s/x.css")
    assert [(link.element, link.attribute, link.uri) for link in found] == [
        ("css", "import", "http://h/s/a.css"),
        ("css", "url", "http://h/s/%D0%B1.png"),
    ]
    assert relref.css_links("a{b:url(x)}", "http://h/", rules="rfc3986")[0].uri == "http://h/x"
    assert relref.css_links("a{b:url(http://[)}", "http://h/") == []
    with pytest.raises(ValueError, match="more than 8 MiB"):
        relref.css_links("a{b:url(" + "x" * (9 << 20) + ")}", "http://h/")
    (link,) = relref.links("<iframe srcdoc='<a href=x>'>", "http://h/")
    assert (link.element, link.attribute, link.inner, link.uri) == ("iframe", "srcdoc", "a href", "http://h/x")
    assert pickle.loads(pickle.dumps(link)) == link and repr(link).endswith("inner='a href')")


def test_xml():
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><title/><a href="x">y</a></html>'
    reader = pickle.loads(pickle.dumps(Pages(xml=True)))
    assert [link.reference for link in reader.links(page, "http://h/")] == ["x"]
    assert Pages().links(page, "http://h/") == []


def test_links_are_named_tuples():
    (link,) = links("<a href=x>", URI)
    assert (link[0], link._fields[:2], link._asdict()["uri"]) == ("a", ("element", "attribute"), URI + "x")
    element, attribute, *_ = link
    assert (element, attribute) == ("a", "href")
    assert link._replace(rel="nofollow").nofollow
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame([link])["uri"][0] == URI + "x"


@pytest.mark.parametrize(
    ("data", "uri", "expected"),
    [
        ("<urlset><url><loc>/a</loc></url></urlset>", "http://h/sitemap.xml", ["http://h/a"]),
        ("<rss><channel><link>/a</link></channel></rss>", "http://h/news", ["http://h/a"]),
        ("a { background: url(b.png) }", "http://h/s.css", ["http://h/b.png"]),
        ("[a](b.md)", "http://h/README.md", ["http://h/b.md"]),
        ("Sitemap: /map.xml", "http://h/robots.txt", ["http://h/map.xml"]),
        ("<svg xmlns='http://www.w3.org/2000/svg'><title/><a href='b'/></svg>", "http://h/i.svg", ["http://h/b"]),
        ("<a href=b>", "http://h/README.html", ["http://h/b"]),
        ("text <a href=b>", "http://h/", ["http://h/b"]),
    ],
)
def test_files_of_any_kind(data, uri, expected, tmp_path):
    file = tmp_path / uri.rpartition("/")[2] if not uri.endswith("/") else tmp_path / "index.html"
    for content in (data.encode(), gzip.compress(data.encode())):
        file.write_bytes(content)
        for page in (content, memoryview(content), file):
            assert [link.uri for link in links(page, uri)] == expected
    assert [link.uri for link in links(data, uri)] == expected
    if "robots" not in uri:
        (link,) = links(file)
        assert link.uri.startswith("file:///")


def test_the_name_of_a_file_says_that_it_is_markdown(tmp_path):
    (tmp_path / "m.mdx").write_text("{`[n](no.md)`}\n\n    [x](yes.md)\n")
    assert [link.reference for link in links(tmp_path / "m.mdx", "http://h/p/")] == ["yes.md"]


def test_media_types():
    page, uri = "<a href='б'> { background: url(b.png) }".encode("windows-1251"), "http://h/x"
    assert [link.uri for link in links(page, uri, media_type="text/html; charset=windows-1251")] == ["http://h/%D0%B1"]
    assert [link.uri for link in links(page, uri, media_type="text/css")] == ["http://h/b.png"]
    assert links(page, uri, media_type="image/png") == []


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        links(tmp_path / "x", URI)
    assert caught.value.filename == str(tmp_path / "x")
    with pytest.raises(TypeError, match="uri"):
        links("<a href=x>")


def test_damage_is_a_warning():
    with pytest.warns(UserWarning, match="damaged"):
        assert [link.uri for link in links("<urlset><url><loc>/a</loc></url><url", "http://h/sitemap.xml")] == ["http://h/a"]


def test_a_str_has_no_charset():
    for read in (links, relref.css_links, relref.make_links_absolute, lambda *rest: relref.rewrite_links(rest[0], str, *rest[1:])):
        read("<a href=x>", URI, "UTF-8")
        with pytest.raises(ValueError, match="a str is decoded already"):
            read("<a href=x>", URI, "windows-1251")


def test_links_of_a_page_have_a_limit():
    reader = Pages()
    page = "<base href='http://h/" + "x" * 100_000 + "/'>" + "<a href=y>" * 1000
    found = reader.links(page, "http://h/")
    assert 100 < len(found) < 1001
    assert len(found) + reader.left_out == 1001 - (found[0].element != "base")


def test_long_pages_are_as_short_ones():
    page = ("<a href=x>" + "text " * 100) * 10_000 + "<base href=/b/>"
    assert len(page) > 4 << 20
    found = links(page, "http://h/")
    assert (len(found), {link.uri for link in found}) == (10_000, {"http://h/b/x"})
    assert relref.make_links_absolute(page, "http://h/").count("href=http://h/b/x") == 10_000


def test_fields_of_http_heads():
    value = '<a>; rel="next prefetch"; title="x, <y>", <//[x/>; rel=prev, </é>, broken'
    found = relref.field_links("LINK", value, "http://h/d/")
    assert [(link.element, link.attribute, link.rel, link.uri) for link in found] == [
        ("http", "link", "next prefetch", "http://h/d/a"),
        ("http", "link", "", "http://h/%C3%A9"),
    ]
    assert relref.field_links("link", value.encode(), "http://h/d/") == found
    assert relref.field_links("Location", "b c", "http://h/", rules="rfc3986")[0].uri == "http://h/b c"
    assert relref.field_links("Server", value, "http://h/") == relref.field_links("Link", "", "http://h/") == []
    with pytest.raises(relref.Error):
        relref.field_links("Link", value, "d/")
    with pytest.raises(TypeError):
        relref.field_links("Link", None, "http://h/")
