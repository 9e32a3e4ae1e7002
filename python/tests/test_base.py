"""Base, resolve, resolve_many, split: results, errors, pickling, threads."""

import pickle
import threading
import time

import pytest
import relref
from relref import Base


@pytest.mark.parametrize(
    ("rules", "base", "reference", "expected"),
    [
        ("whatwg", "HTTP://Example.com:80/a/", "b c\\d", "http://example.com/a/b%20c/d"),
        ("rfc3986", "http://a/b/c/d;p?q", "../../../g", "http://a/g"),
        ("rfc3986", "http://a/b", "http:g", "http:g"),
        ("rfc3986+lenient", "http://a/b", "http:g", "http://a/g"),
        ("rfc1630", "magic://a/b/c//d/e/f", "/g", "magic://a/b/c//d/g"),
        ("draft-www-uri-00", "magic://a/b/c//d/e/f", "/g", "magic://a/g"),
    ],
)
def test_rules(rules, base, reference, expected):
    ready = Base(base, rules)
    assert ready.resolve(reference) == expected
    assert ready.resolve_many(iter([reference])) == [expected]
    assert relref.resolve(base, reference, rules) == expected
    assert relref.resolve_many(base, (reference,), rules) == [expected]
    assert ready.resolve(ready.relativize(expected)) == expected
    assert ready.rules == rules


@pytest.mark.parametrize(
    ("call", "kind", "position"),
    [
        (lambda: Base("docs/", "rfc3986"), "no-scheme", 4),
        (lambda: Base("é://h"), "missing-scheme-non-relative-URL", 0),
        (lambda: Base("http://h/").resolve("http://é.é:é/"), "port-invalid", 11),
        (lambda: Base("http://h/").resolve_many(["a", "http://h:x"]), "port-invalid", 9),
        (lambda: relref.resolve("http://h/", "//a b/"), "domain-invalid-code-point", 3),
        (lambda: relref.Normalizer("safe").normalize("http://h/é%zz"), "illegal-escape", 11),
    ],
)
def test_errors_are_value_errors_with_a_position_in_characters(call, kind, position):
    with pytest.raises(ValueError) as caught:
        call()
    assert isinstance(caught.value, relref.Error)
    assert (caught.value.kind, caught.value.position) == (kind, position)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.args, copy.position) == (relref.Error, caught.value.args, position)


CALLS = [
    Base,
    Base("http://h/").resolve,
    Base("http://h/").relativize,
    lambda uri: Base("http://h/").resolve_many([uri]),
    lambda uri: relref.resolve(uri, "a"),
    lambda uri: relref.resolve("http://h/", uri),
    lambda uri: relref.resolve_many(uri, ["a"]),
    lambda uri: Base("http://h/", uri),
    relref.surt,
    relref.cdx_key,
    relref.split,
    relref.Normalizer().normalize,
    relref.Normalizer().surt,
    lambda uri: relref.Normalizer().normalize_many([uri]),
    lambda name: relref.Normalizer(with_=[name]),
    lambda name: relref.Normalizer(tracking=[name]),
    relref.Scope().allows,
    lambda page: relref.Scope(same_host=True).reason("http://h/", page),
    lambda pattern: relref.Scope(include=[pattern]),
]


@pytest.mark.parametrize("call", CALLS)
def test_only_text_is_accepted(call):
    for other in (None, b"http://h/", 5, ["http://h/"]):
        with pytest.raises(TypeError):
            call(other)
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        call("http://h/\ud800")


def test_rule_sets_are_compared():
    assert relref.RULES[-2:] == ("rfc3986", "whatwg") and len(set(relref.RULES)) == len(relref.RULES) > 5
    found = relref.compare("http://a/b/c/d;p?q", "../../../g")
    assert found == {rules: relref.resolve("http://a/b/c/d;p?q", "../../../g", rules) for rules in relref.RULES}
    assert tuple(found) == relref.RULES and len(set(found.values())) == 2
    assert [rules for rules, uri in relref.compare("http://h/", "http://x:y/").items() if uri is None] == ["whatwg"]
    assert [rules for rules, uri in relref.compare("http://x:y/", "a").items() if uri is None] == ["whatwg"]
    with pytest.raises(relref.Error):
        relref.compare("docs/", "a")


def test_forms_of_references():
    base = Base("http://h/a/b/c")
    targets = ("http://h/d", "http://h/a/b/c?q", "http://h/a/b/c#f", "http://i/d", "https://h/d")
    for form, expected in {
        "shortest": ["/d", "?q", "#f", "//i/d", "https://h/d"],
        "same-origin": ["/d", "?q", "#f", "http://i/d", "https://h/d"],
        "relative": ["../../d", "?q", "#f", "http://i/d", "https://h/d"],
        "rooted": ["/d", "/a/b/c?q", "/a/b/c#f", "http://i/d", "https://h/d"],
    }.items():
        assert [base.relativize(target, form=form) for target in targets] == expected
        assert [relref.relativize("http://h/a/b/c", target, form=form) for target in targets] == expected
    assert relref.relativize("http://h/a/b/c", "http://h/d") == "/d"
    assert relref.relativize("http://h/a%41", "http://h/é", "rfc3986") == "é"
    nested = Base("https://p/http://h/a/b", nested=True)
    assert nested.relativize("https://p/http://h/c", form="relative") == "../c"
    with pytest.raises(ValueError, match="same-origin"):
        base.relativize("http://h/d", form="root")
    with pytest.raises(relref.Error):
        relref.relativize("docs/", "http://h/d")


def test_wrong_names_are_refused():
    with pytest.raises(ValueError, match="expected url7, .*rfc3986 or whatwg"):
        Base("http://h/", "rfc1")
    with pytest.raises(ValueError, match='"raise" or "none"'):
        Base("http://h/").resolve_many([], errors="ignore")
    with pytest.raises(TypeError, match="not one string"):
        Base("http://h/").resolve_many("abc")
    with pytest.raises(TypeError, match="not one string"):
        relref.Normalizer().normalize_many("abc")
    with pytest.raises(TypeError, match="sequence|Vec|str"):
        relref.Normalizer(with_="drop-www")
    with pytest.raises(ValueError, match="drop-www"):
        relref.Normalizer(with_=["drop-ww"])
    with pytest.raises(ValueError, match="expected none, safe or crawl"):
        relref.Normalizer("crowl")


def test_refused_references_can_be_none():
    base = Base("http://h/")
    assert base.resolve_many(["a", "http://h:x", "b"], errors="none") == ["http://h/a", None, "http://h/b"]
    with pytest.raises(TypeError):
        base.resolve_many(["a", None], errors="none")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_bases_and_normalizers_are_values(protocol):
    bases = [Base("HTTP://H"), Base("http://h/"), Base("http://h/", "rfc1630+lenient"), Base("http://h/é", "rfc3986")]
    for base in bases:
        copy = pickle.loads(pickle.dumps(base, protocol))
        assert (copy, hash(copy), repr(copy), str(copy)) == (base, hash(base), repr(base), str(base))
    assert len(set(bases)) == 3
    assert repr(bases[0]) == "Base('http://h/', 'whatwg')"
    with pytest.raises(AttributeError):
        bases[0].uri = "x"
    if protocol >= 2:
        lists = {"tracking": ["x"], "keep_only": ["a", "sid"], "drop_param": ["*id"]}
        normalizer = relref.Normalizer("safe", with_=["drop-www"], without=["dots"], **lists)
        copy = pickle.loads(pickle.dumps(normalizer, protocol))
        assert (copy, hash(copy), repr(copy)) == (normalizer, hash(normalizer), repr(normalizer))
        assert copy.normalize("http://www.h.com/../b?x=1&a=2&sid=3") == "http://h.com/../b?a=2"
        assert copy.normalize("http://www.h/../b?x=1&a=2") == normalizer.normalize("http://www.h/../b?x=1&a=2")
        assert copy != relref.Normalizer("safe")
        scope = relref.Scope(schemes=["https"], same_domain=True, include=["a", "b"], exclude=["x="])
        copy = pickle.loads(pickle.dumps(scope, protocol))
        assert (copy, hash(copy), repr(copy)) == (scope, hash(scope), repr(scope))
        assert copy.reason("https://x.h.com/a", "http://h.com/") is None
        assert copy != relref.Scope()
        assert repr(copy) == "Scope(schemes=['https'], same_domain=True, include=['a', 'b'], exclude=['x='])"
        scope = relref.Scope(within="http://h/a/", max_len=20, max_depth=0, max_repeats=1)
        copy = pickle.loads(pickle.dumps(scope, protocol))
        assert (copy, repr(copy)) == (scope, "Scope(within=['http://h/a/'], max_len=20, max_depth=0, max_repeats=1)")


@pytest.mark.parametrize(
    ("options", "uri", "reason"),
    [
        ({}, "http://other.org/", None),
        ({}, "mailto:a@h", "scheme"),
        ({}, "https:///a", "no-host"),
        ({}, "http://a_b-.c..d/", "bad-host"),
        ({}, "http://h:0/", "bad-port"),
        ({"schemes": ["gopher"]}, "GOPHER://h/", None),
        ({"schemes": []}, "http://h/", "scheme"),
        ({"same_host": True}, "http://WWW.example.co.uk:81/", None),
        ({"same_host": True}, "http://example.co.uk/", "other-host"),
        ({"same_domain": True}, "http://example.co.uk/", None),
        ({"same_domain": True}, "http://other.co.uk/", "other-domain"),
        ({"include": ["/a$", "b"]}, "http://h/a", None),
        ({"include": ["/a$"]}, "http://h/a/", "not-included"),
        ({"include": ["a"], "exclude": ["x"]}, "http://h/ax", "excluded"),
        ({"within": "http://h/docs/"}, "http://H:80/docs/a?b", None),
        ({"within": "http://h/docs/"}, "http://h/docs/%2e%2e/shop", "outside"),
        ({"within": ["http://h/docs/", relref.Url("http://h/blog")]}, "http://h/blog?page=2", None),
        ({"max_len": 11}, "http://h/abc", "too-long"),
        ({"max_depth": 2}, "http://h/a/b/", None),
        ({"max_depth": 2}, "http://h/a/b/c", "too-deep"),
        ({"max_repeats": 1}, "http://h/a/b/a", "repeats"),
    ],
)
def test_scopes(options, uri, reason):
    scope = relref.Scope(**options)
    page = "http://www.example.co.uk/a"
    assert (scope.reason(uri, page), scope.allows(uri, page)) == (reason, reason is None)
    if not {"same_host", "same_domain"} & set(options):
        assert scope.reason(uri) == reason


def test_wrong_scopes_are_refused():
    with pytest.raises(ValueError, match="(?s)include: .*unclosed"):
        relref.Scope(include=["("])
    with pytest.raises(ValueError, match="one of them"):
        relref.Scope(same_host=True, same_domain=True)
    with pytest.raises(TypeError, match="page"):
        relref.Scope(same_host=True).allows("http://h/")
    for wrong in ["docs/", "mailto:a@h", "https:///a"]:
        with pytest.raises(ValueError, match=f"^within: .{wrong}"):
            relref.Scope(within=wrong)
    assert relref.Scope(include=None, exclude=None, within=None) == relref.Scope()
    for wrong in [1, [1], [None]]:
        with pytest.raises(TypeError):
            relref.Scope(within=wrong)
    with pytest.raises(TypeError):
        relref.Scope(include="http")


@pytest.mark.parametrize(
    ("rules", "base", "reference", "expected"),
    [
        ("whatwg", "https://web.archive.org/web/2020/http://example.com/list/page", "//cdn.example/x", "https://web.archive.org/web/2020/http://cdn.example/x"),
        ("whatwg", "https://web.archive.org/web/2020/http://example.com/list/page", "?страница=2", "https://web.archive.org/web/2020/http://example.com/list/page?%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0=2"),
        ("whatwg", "http://proxy/get?url=HTTP://192.168.0.1:80/a", "../../b", "http://proxy/get?url=http://192.168.0.1/b"),
        ("rfc3986", "view-source:http://例え.jp/a/b", "/g", "view-source:http://例え.jp/g"),
        ("rfc1630", "http://p/http://h/a/b", "http://other/", "http://p/http://other/"),
        ("whatwg", "http://h/a/b", "c", "http://h/a/c"),
    ],
)
def test_nested_bases(rules, base, reference, expected):
    ready = Base(base, rules, nested=True)
    assert ready.resolve(reference) == expected
    assert ready.resolve_many([reference, ""]) == [expected, ready.resolve("")]
    assert ready.resolve(ready.relativize(expected)) == expected
    assert (ready.uri, ready.nested, ready.rules) == (base, True, rules)
    assert repr(ready) == f"Base({base!r}, {rules!r}, nested=True)"
    assert pickle.loads(pickle.dumps(ready)) == ready
    assert pickle.loads(pickle.dumps(ready)).resolve(reference) == expected
    assert ready != Base(base, rules)
    assert not Base(base, rules).nested


def test_innermost_uris():
    inner = "http://H/a#b"
    assert Base("https://web.archive.org/web/2020/" + inner, nested=True).innermost == inner
    assert Base(inner).innermost == Base(inner, "rfc3986", nested=True).innermost == inner


def test_references_of_nested_bases_stay_inside():
    base = Base("https://web.archive.org/web/2020/http://h/a/b", nested=True)
    assert base.resolve_many(["http://é:é/", "c"], errors="none") == [None, "https://web.archive.org/web/2020/http://h/a/c"]
    with pytest.raises(relref.Error) as caught:
        base.resolve("http://é:é/")
    assert (caught.value.kind, caught.value.position) == ("port-invalid", 9)
    with pytest.raises(relref.Error) as caught:
        Base("http://web/2020/http://ü:é/", nested=True)
    assert (caught.value.kind, caught.value.position) == ("port-invalid", 9)
    # No reference leaves the archive.
    for target in ("http://h/a/b", "https://web.archive.org/web/2021/http://h/a/b", "https://web.archive.org/web/2020/a b", ""):
        with pytest.raises(relref.Error, match="no reference resolves to it"):
            base.relativize(target)
    # The rules remove its dots.
    with pytest.raises(relref.Error, match="no reference resolves to it"):
        Base("https://a/http://h/x", "rfc3986", nested=True).relativize("https://a/http://h/c/../d")
    # Browsers write what follows as a URI of its own, but the base stays the same.
    strange = Base("http://p/http://h/xy:\\z/w", nested=True)
    assert strange.resolve("q") == pickle.loads(pickle.dumps(strange)).resolve("q") == "http://p/http://h/xy:/z/q"
    assert hash(strange) == hash(pickle.loads(pickle.dumps(strange)))


def test_columns_of_nested_bases():
    pa = pytest.importorskip("pyarrow")
    base = Base("https://web.archive.org/web/2020/http://h/a/b", nested=True)
    column = relref.resolve_column(base, pa.array(["c", None, "http://x:y/", "//日本.jp/"]))
    prefix = "https://web.archive.org/web/2020/"
    assert column.to_pylist() == [prefix + "http://h/a/c", None, None, prefix + "http://xn--wgv71a.jp/"]


def test_threads_share_a_base():
    base, found = Base("http://h/a/"), []

    def work():
        found.append([base.resolve(f"b{number}") for number in range(2000)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[f"http://h/a/b{number}" for number in range(2000)]] * 8


def test_long_texts():
    base = Base("http://h/" + "a/" * 100_000, "rfc3986")
    assert base.resolve("../" * 100_000 + "b") == "http://h/b"


def test_split():
    uri = relref.split("x://u@h:1/a?b#c")
    assert uri == ("x", "u@h:1", "/a", "b", "c")
    assert relref.split("").scheme is None
    assert pickle.loads(pickle.dumps(uri)) == uri


def test_lone_surrogates_are_refused_references():
    references = ["é", "\ud800", "http://x:y/", "\udcff/日本"]
    expected = ["http://h/%C3%A9", None, None, None]
    assert Base("http://h/").resolve_many(references, errors="none") == expected
    assert relref.resolve_many("http://h/", iter(references), errors="none") == expected
    assert relref.resolve_many("http://h/", references, "rfc3986", "none") == ["http://h/é", None, "http://x:y/", None]
    with pytest.raises(UnicodeEncodeError):
        Base("http://h/").resolve_many(references)
    with pytest.raises(TypeError):
        Base("http://h/").resolve_many(["a", 5], errors="none")


def test_an_error_of_the_program_has_the_attributes():
    error = relref.Error("x")
    assert (error.kind, error.position, str(error)) == ("", 0, "x")
    with pytest.raises(relref.Error) as caught:
        relref.resolve("http://h/", "http://é:z/")
    assert (caught.value.kind, caught.value.position) == ("port-invalid", 9)
    assert relref.Error("y").kind == ""


def test_the_version():
    import importlib.metadata

    assert relref.__version__ == importlib.metadata.version("relref")


@pytest.mark.parametrize(
    ("uri", "host", "port"),
    [
        ("http://example.com:8080/a", "example.com", 8080),
        ("https://user:p:w@Пример.рф/", "Пример.рф", None),
        ("http://[2001:db8::1]:80", "[2001:db8::1]", 80),
        ("//192.168.0.1:/x", "192.168.0.1", None),
        ("//h:65536", "h", None),
        ("//h:x", "h", None),
        ("http:///x", "", None),
        ("mailto:me@example.com", None, None),
        ("/a:80", None, None),
    ],
)
def test_host_and_port(uri, host, port):
    parts = relref.split(uri)
    assert (parts.host, parts.port) == (host, port)
    assert parts._replace(authority="日本.jp:1").host == "日本.jp"


def test_the_default_rules_cost_no_suggestion():
    """The name of the default was once compared with all names."""

    def seconds(*rules):
        base, rounds = "http://example.com/a/b", range(500)
        best = float("inf")
        for _ in range(20):
            start = time.perf_counter()
            for _ in rounds:
                relref.resolve(base, "../c", *rules)
            best = min(best, time.perf_counter() - start)
        return best

    assert seconds() < 4 * seconds("rfc3986")


class Liar(list):
    def __len__(self):
        return 1 << 60


def test_lengths_may_lie(tmp_path):
    assert relref.Normalizer(with_=Liar(["drop-www"])).normalize("http://www.example.com/") == "http://example.com/"
    assert relref.Pages(kinds=Liar(["form"])).links("<a href=x>", "http://h/") == []
    assert relref.Scope(include=Liar(["a"])).allows("http://h/a")
    assert relref.resolve_many("http://h/", Liar(["a"])) == ["http://h/a"]
    assert relref.check(tmp_path, exclude=Liar(["a"])) == []


def test_long_lists_are_as_short_ones():
    references = [f"a{number}" for number in range(5000)]
    assert relref.resolve_many("http://h/", references) == ["http://h/" + reference for reference in references]
    references[3000], references[4000] = "http://x:y/", "\ud800"
    found = relref.resolve_many("http://h/", references, errors="none")
    assert [row for row, uri in enumerate(found) if uri is None] == [3000, 4000]
    with pytest.raises(relref.Error):
        relref.resolve_many("http://h/", references)

    def failing():
        yield "http://x:y/"
        raise KeyError

    # What comes first in the iterable is refused first.
    with pytest.raises(relref.Error):
        relref.resolve_many("http://h/", failing())
    with pytest.raises(KeyError):
        relref.resolve_many("http://h/", failing(), errors="none")


def test_what_is_no_url_is_normalized_as_far_as_it_can_be():
    texts = ["http://[bad/", "http://x:y/", "http://h:99999/", "", "x/../Y"]
    for preset in ("crawl", "safe", "none"):
        assert relref.Normalizer(preset).normalize_many(texts) == texts
    assert relref.Normalizer().normalize("http://h/%zz") == relref.Normalizer("none").normalize("http://h/%zz") == "http://h/%zz"
    for call in (relref.Normalizer("safe").normalize, lambda uri: relref.Normalizer("safe").normalize_many([uri])):
        with pytest.raises(relref.Error, match="illegal escape"):
            call("http://h/%zz")


def test_white_space_and_zeros_of_ports():
    given = [" http://h:080/a", "\thttp://h/\na\x1f ", "http://h/a"]
    assert relref.Normalizer().normalize_many(given) == ["http://h/a"] * 3 == [relref.Normalizer().normalize(uri) for uri in given]
    assert {relref.Normalizer().surt(uri) for uri in given} == {relref.Normalizer().key(uri, "surt") for uri in given} == {"h)/a"}
    assert relref.Normalizer("safe").normalize(" http://h/a").startswith("%20")
    ports = {"http://h:080/a": "http://h/a", "http://h:08080": "http://h:8080/", "http://h:00/": "http://h:0/", "http://u:01@[::01]:0443": "http://u:01@[::1]:443/"}
    assert {uri: relref.Normalizer(without=["drop-userinfo"]).normalize(uri) for uri in ports} == ports
    for kept in ("http://h/:01", "http://h/?a=http://i:01/", "http://h:9/#:01", "x://h:1:0a/"):
        assert relref.Normalizer("none", strip=True).normalize(kept) == kept
    assert relref.Normalizer("none", strip=True).normalize("//h:0800/:01") == "//h:800/:01"
    assert relref.Normalizer("safe").normalize("http://h:08080/") == "http://h:08080/"
    same = [relref.Normalizer("safe", strip=True), pickle.loads(pickle.dumps(relref.Normalizer("safe", strip=True)))]
    assert same[0] == same[1] != relref.Normalizer("safe") and repr(same[0]) == "Normalizer(\"safe\", strip=True)"
    assert [normalizer.normalize(" http://h/a ") for normalizer in same] == ["http://h/a"] * 2
