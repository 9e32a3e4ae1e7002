"""RobotsTxt, and the scope that it limits."""

import io
import pickle

import pytest
import warc
from relref import RobotsRule, RobotsTxt, Scope, archive_links

TEXT = """\
User-agent: *
Disallow: /private/
Allow: /private/press/

User-agent: ExampleBot
User-agent: Googlebot
Disallow: /*.pdf$
Crawl-delay: 0.5
Sitemap: https://example.com/map.xml
"""


def test_rules():
    robots = RobotsTxt(TEXT)
    assert not robots.can_fetch("*", "https://example.com/private/a")
    assert robots.can_fetch("*", "/private/press/a")
    assert robots.rule("other", "https://example.com/private/a") == RobotsRule(2, False, "/private/")
    assert robots.rule("other", "https://example.com/private/press/a") == (3, True, "/private/press/")
    assert robots.rule("other", "https://example.com/") is None
    assert robots.can_fetch("ExampleBot", "/private/a") and not robots.can_fetch("examplebot/1.0 (+http://h/)", "/a.pdf")
    assert robots.rule("Googlebot-News", "/a.pdf").line == 7
    assert (robots.crawl_delay("googlebot"), robots.crawl_delay("*")) == (0.5, None)
    assert (robots.sitemaps, robots.ignored_len) == (["https://example.com/map.xml"], 0)


@pytest.mark.parametrize("encode", [str, str.encode, lambda text: text.encode("utf-8-sig")])
def test_texts(encode):
    robots = RobotsTxt(encode("User-agent: *\r\nDisallow: /путь/\r\nDisallow: /日本\r\n"))
    assert not robots.can_fetch("x", "http://h/%D0%BF%D1%83%D1%82%D1%8C/") and not robots.can_fetch("x", "http://h/日本/")
    assert robots.can_fetch("x", "http://h/")


def test_odd_texts():
    assert RobotsTxt("").can_fetch("", "") and RobotsTxt(b"\xff\x00").can_fetch("x", "/")
    assert RobotsTxt(b"user-agent: *\ndisallow: /caf\xe9").rule("x", "/caf%e9").pattern == "/caf%E9"
    assert RobotsTxt("user-agent: *\n" + "#\n" * 300_000).ignored_len > 0
    for wrong in [None, 1, ["user-agent: *"], bytearray()]:
        with pytest.raises(TypeError):
            RobotsTxt(wrong)


def test_the_url_comes_second():
    """As in urllib.robotparser; in Protego it comes first."""
    robots = RobotsTxt("")
    for call in [robots.can_fetch, robots.rule]:
        for url in ["https://example.com/a", "/a"]:
            with pytest.raises(ValueError, match="the URL is the second argument"):
                call(url, "ExampleBot")
    robots = RobotsTxt(TEXT)
    assert not robots.allows("/private/a") and not robots.allows("/a.pdf", "ExampleBot") and robots.allows("/a.pdf")
    with pytest.raises(ValueError, match="the URL is the first argument"):
        robots.allows("ExampleBot", "https://example.com/a")


def test_values():
    robots = RobotsTxt(TEXT)
    copy = pickle.loads(pickle.dumps(robots))
    assert (copy, hash(copy)) == (robots, hash(robots)) and copy != RobotsTxt("")
    assert copy.rule("x", "/private/") == robots.rule("x", "/private/")
    assert repr(copy) == f"<RobotsTxt of {len(TEXT)} bytes>"
    scope = Scope(robots={"https://example.com": robots}, user_agent="ExampleBot")
    copy = pickle.loads(pickle.dumps(scope))
    assert (copy, hash(copy)) == (scope, hash(scope)) and copy != Scope(robots={"https://example.com": robots})
    assert copy.reason("https://example.com/a.pdf") == "robots"


def test_scopes():
    scope = Scope(robots={"https://example.com/robots.txt": RobotsTxt(TEXT), "http://h:81": RobotsTxt("user-agent:*\ndisallow:/")})
    reasons = {
        "https://EXAMPLE.com:443/private/": "robots",
        "https://example.com./private/": "robots",
        "https://example.com/private/press/": None,
        "http://example.com/private/": None,
        "http://h:81/a": "robots",
        "http://h/a": None,
        "mailto:a": "scheme",
    }
    assert {uri: scope.reason(uri) for uri in reasons} == reasons
    for wrong in ["", "example.com", "http:///", "http://a b/"]:
        with pytest.raises(ValueError, match="^robots: "):
            Scope(robots={wrong: RobotsTxt("")})


def test_archives():
    page = "<a href=/private/a><a href=/private/press/><a href=//other.org/private/>"
    archive = warc.archive([warc.record("https://example.com/", page)])
    links = archive_links(io.BytesIO(archive), scope=Scope(robots={"https://example.com": RobotsTxt(TEXT)}), columns=["uri"])
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.RecordBatchReader.from_stream(links).read_all()
    assert table["uri"].to_pylist() == ["https://example.com/private/press/", "https://other.org/private/"]
    assert links.out_of_scope == 1
