"""Url, unwrap, explain and validate."""

import pickle

import pytest
import relref
from relref import Url, unwrap


def test_parts_are_those_of_browsers():
    url = Url("HTTP://user@Example.com:8080/a/%2Fb%20c/?x=1&x=&y#f")
    assert (url.scheme, url.host, url.port, url.path) == ("http", "example.com", 8080, "/a/%2Fb%20c/")
    assert (url.segments, url.name, url.origin) == (["a", "/b c", ""], "", "http://example.com:8080")
    assert (url.query, url.pairs, url.fragment) == ("x=1&x=&y", [("x", "1"), ("x", ""), ("y", "")], "f")
    assert (Url("http://h:80").port, Url("http://h").query, Url("mailto:a@b").origin) == (None, None, "null")
    for refused in ("docs/", "http://x:y/"):
        with pytest.raises(relref.Error):
            Url(refused)


def test_urls_are_values():
    url = Url("http://h/a")
    assert url == Url("HTTP://h:80/a") != Url("http://h/b") and url == "http://h/a" != url / "b"
    assert len({url, Url("http://h/a"), pickle.loads(pickle.dumps(url)), Url(url)}) == 1
    assert sorted([Url("http://h/b"), url])[0] == url
    with pytest.raises(AttributeError):
        url.path = "/b"


def test_urls_compare_with_texts():
    url, text = Url("http://h/b"), "http://h/b"
    assert url == text and text == url and hash(url) == hash(text) and {text: 1}[url] == 1
    assert url != "http://h/b/" and url != "http://H/b" and url != 5
    for other in (Url("http://h/c"), "http://h/c"):
        assert url < other and url <= other and other > url and other >= url and not url > other and not url >= other
    assert url <= url and url >= text and not url < text and not url > url
    assert sorted(["http://h/c", url, "http://h/a"]) == ["http://h/a", "http://h/b", "http://h/c"]
    with pytest.raises(TypeError):
        url < 5


def test_names_and_credentials():
    url = Url("http://u%40:p%3A:q@h/a.b/c%2E%20d.tar.gz?q#f")
    assert (url.username, url.password, url.name, url.suffix) == ("u%40", "p%3A%3Aq", "c. d.tar.gz", ".gz")
    assert [Url(f"http://{text}").username for text in ("h/", "u@h/", ":p@h/", "@h/")] == [None, "u", None, None]
    assert [Url(f"http://{text}").password for text in ("h/", "u@h/", ":p@h/", "u:@h/")] == [None, None, "p", None]
    assert str(url.replace(username="a b", password=None)) == "http://a%20b@h/a.b/c%2E%20d.tar.gz?q#f"
    assert str(Url("http://h/").replace(username="u", password="p:")) == "http://u:p%3A@h/"
    with pytest.raises(relref.Error):
        Url("file:///a").replace(username="u")
    assert str(url.with_suffix(".z ip")) == "http://u%40:p%3A%3Aq@h/a.b/c%2E%20d.tar.z%20ip"
    assert url.with_suffix("").path == "/a.b/c%2E%20d.tar" and url.with_name("é.x").path == "/a.b/%C3%A9.x"
    plain = "C++;a=$1,@b:!(c)*'&"
    assert str(Url("http://h/x") / plain) == str(Url("http://h/y").with_name(plain)).replace("/C", "/x/C") == f"http://h/x/{plain}"
    assert [Url(f"http://h/{name}").suffix for name in ("a.b/c", ".c", "a.", "a.b%20c", "")] == ["", "", "", ".b c", ""]
    assert [str(Url(f"http://h/{path}").parent) for path in ("", "a", "a/", "a/b?c#d", "a//")] == [
        "http://h/", "http://h/", "http://h/a", "http://h/a", "http://h/a/",
    ]
    assert Url("http://h/").with_name("a") == "http://h/a" and Url("mailto:a@b?c").parent == "mailto:a@b"
    for name in ("", ".", "..", "a/b"):
        with pytest.raises(ValueError):
            url.with_name(name)
    for suffix in ("gz", ".", ".a/b"):
        with pytest.raises(ValueError):
            url.with_suffix(suffix)
    for other in ("http://h/", "http://h/a/"):
        with pytest.raises(ValueError):
            Url(other).with_suffix(".gz")
    with pytest.raises(ValueError):
        Url("mailto:a@b").with_name("c")


def test_ports_queries_and_texts():
    ports = [("https://h/", 443), ("ws://h/", 80), ("http://h:81/", 81), ("http://h:0/", 0), ("x://h/", None), ("mailto:a", None)]
    assert [relref.Url(url).port_or_known_default for url, _ in ports] == [port for _, port in ports]
    url = relref.Url("http://h/")
    assert str(url.replace(query={"a": ["1", "é"], "b": 2, "c": ""})) == "http://h/?a=1&a=%C3%A9&b=2&c="
    with pytest.raises(TypeError, match="a has no value"):
        url.replace(query=[("a", None)])
    with pytest.raises(TypeError, match="a has no value"):
        url.replace(query={"a": ["1", None]})
    with pytest.raises(ValueError):
        relref.Url("http://h/a/..txt").with_suffix("")
    assert f"{url:>10}|{url}" == " http://h/|http://h/"


def test_hosts_are_shown_in_unicode_where_that_cannot_deceive():
    hosts = [Url(f"https://{host}/").display_host for host in ("bücher.example", "pаypal.example", "127.1", "[::1]")]
    assert hosts == ["bücher.example", "xn--pypal-4ve.example", "127.0.0.1", "[::1]"]
    assert Url("mailto:a@b").display_host is None


def test_functions_take_urls(tmp_path):
    url, text = Url("http://www.h.com/a/b?c"), "http://www.h.com/a/b?c"
    page, robots = "<a href=x>", relref.RobotsTxt("User-agent: *\nDisallow: /a/")
    for call in (
        Url, relref.Base, relref.split, relref.surt, relref.cdx_key, relref.Normalizer().normalize, relref.Normalizer().surt, unwrap,
        relref.validate, relref.registrable_domain, relref.Scope().allows, relref.Base("http://www.h.com/").resolve,
        relref.Base("http://www.h.com/").relativize,
        lambda uri: relref.Base("http://www.h.com/").resolve_many([uri]),
        lambda uri: relref.Normalizer().normalize_many([uri]),
        lambda uri: relref.Normalizer().key(uri, "host"),
        lambda uri: Url("d", uri).join(uri),
        lambda uri: [relref.resolve(uri, uri), relref.resolve_many(uri, [uri]), relref.relativize(uri, uri), relref.compare(uri, uri)],
        lambda uri: relref.explain(uri, uri),
        lambda uri: relref.same_site(uri, uri),
        lambda uri: [relref.links(page, uri), relref.Pages().links(page, uri), relref.css_links("a{b:url(c)}", uri)],
        lambda uri: [relref.field_links("Location", "x", uri), list(relref.Pages().stream([page.encode()], uri))],
        lambda uri: relref.Pages().start(uri).feed(page),
        lambda uri: [relref.make_links_absolute(page, uri), relref.rewrite_links(page, lambda link: uri, uri), relref.rewrite(page, lambda link: uri, uri)],
        lambda uri: relref.sitemap_entries("<urlset><url><loc>x</loc></url></urlset>", uri),
        lambda uri: [robots.can_fetch("x", uri), robots.rule("x", uri)],
        lambda uri: relref.Scope(same_host=True).reason(uri, uri),
        lambda uri: relref.Scope(robots={uri: robots}).reason(uri),
        lambda uri: relref.check(tmp_path, uri),
        lambda uri: relref.rewrite_folder(tmp_path, uri, in_place=True, map={uri: uri}),
    ):
        assert call(url) == call(text)
    column = pytest.importorskip("pyarrow").array(["d"])
    assert list(relref.resolve_column(url, column)) == list(relref.resolve_column(text, column)) == ["http://www.h.com/a/d"]


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://www.Example.co.uk:80/a", "example.co.uk"),
        ("www.example.co.uk", "example.co.uk"),
        ("A.Bücher.de:8080", "xn--bcher-kva.de"),
        ("h.com.", "h.com."),
        ("localhost", None),
        ("co.uk", None),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("http://[::1]/", None),
        ("mailto:a@example.com", None),
        ("a/b.com", None),
        ("", None),
    ],
)
def test_domains(url, domain):
    assert relref.registrable_domain(url) == domain
    assert relref.same_site("http://example.co.uk/", url) == (domain == "example.co.uk" and "//" in url)


def test_new_urls():
    url = Url("http://h/a/b?q#f")
    assert str(url / "c/d" / "é?") == "http://h/a/b/c/d/%C3%A9%3F"
    assert str(Url("http://h/a/") / "b") == "http://h/a/b"
    assert str(url.join("../c")) == str(Url("../c", url)) == "http://h/c"
    assert str(url.replace(scheme="https", host="x.y", port=81, path="p q", query="?z", fragment="g")) == "https://x.y:81/p%20q?z#g"
    assert str(url.replace(port=None, query=None, fragment=None)) == "http://h/a/b"
    assert str(url.replace(query=[("a", "1"), ("a", "b&c")])) == "http://h/a/b?a=1&a=b%26c#f"
    assert str(url.replace(query={"a": 1, "ä": "?"})) == "http://h/a/b?a=1&%C3%A4=%3F#f"
    assert str(url.replace(query={})) == "http://h/a/b#f"
    with pytest.raises(TypeError, match="path: expected a str"):
        url.replace(path=["a"])
    with pytest.raises(relref.Error):
        url.replace(port="x")
    with pytest.raises(TypeError, match="no part"):
        url.replace(netloc="x")


def test_redirectors_are_unwrapped():
    assert unwrap("https://l.example/l.php?u=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttp%3A%2F%2Fh%2Fa&h=x") == "http://h/a"
    for other in ("http://h/?url=/a", "http://h/?q=a", "http://h/?x=http://i/", "http://h/?url=http:", "mailto:a?u=http://h/", "x"):
        assert unwrap(other) == other
    assert unwrap("http://h/?to=http://i/", ["to"]) == "http://i/"
    loop = "http://h/"
    for _ in range(20):
        loop = str(Url("http://h/").replace(query={"u": loop}))
    assert unwrap(loop) != "http://h/"


def test_steps_and_grammars():
    steps = relref.explain("magic://a/b/c//d/e/f", "/g", "rfc1630")
    assert (steps[0].action, steps[0].text) == ("run", "magic://a/b/c//d") and steps[0].source.startswith("RFC 1630")
    with pytest.raises(ValueError, match="have steps"):
        relref.explain("http://h/", "a", "whatwg")
    with pytest.raises(relref.Error):
        relref.explain("docs/", "a")
    relref.validate("../a?b", "rfc3986-reference")
    with pytest.raises(relref.Error) as caught:
        relref.validate("http://h/é")
    assert caught.value.position == 9
    with pytest.raises(ValueError, match="expected"):
        relref.validate("a", "rfc1")
