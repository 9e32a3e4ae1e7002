"""urljoin gives what the running Python's urllib.parse.urljoin gives: results, types and exceptions."""

import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import textwrap
import urllib.parse

import pytest
import random_urls
from relref import Pages, urljoin
from relref._relref import _urljoin_shortcut


def outcome(join, *args):
    """Returns the result and its type, or the exception."""
    try:
        result = join(*args)
    except Exception as error:
        return type(error), str(error)
    return type(result), result


def check(base, url) -> bool:
    """Compares one pair. Reports whether there is a shortcut, which is compared even if this Python does not use it."""
    expected = outcome(urllib.parse.urljoin, base, url)
    assert outcome(urljoin, base, url) == expected, (base, url)
    short = _urljoin_shortcut(base, url)
    if short is not None:
        assert (type(short), short) == expected, (base, url)
    return short is not None


def table() -> "list[list[str]]":
    lines = pathlib.Path(__file__).with_name("data").joinpath("urljoin.tsv").read_text("utf-8").splitlines()
    return [[json.loads(field) for field in line.split("\t")] for line in lines if not line.startswith("#")]


def test_the_tables_of_cpython():
    rows = table()
    assert len(rows) > 100
    for base, url, expected in rows:
        check(base, url)
        check(base.encode(), url.encode())
        standard = outcome(urllib.parse.urljoin, base, url)
        if expected and standard == (str, expected):
            assert urljoin(base, url) == expected


def test_all_pairs_of_the_tables_texts():
    texts = sorted({text for row in table() for text in row})
    short = sum(check(base, url) for base in texts for url in texts)
    assert short > 1000


def test_random_pairs():
    pairs = int(os.environ.get("RELREF_PAIRS", "100000"))
    rng = random.Random(3986)
    short = 0
    for number in range(pairs):
        base, url = random_urls.base(rng), random_urls.reference(rng)
        short += check(base, url)
        if number % 8 == 0:
            check(base.encode("utf-8", "surrogatepass"), url.encode("utf-8", "surrogatepass"))
    # The generator also makes pairs that have a shortcut.
    assert 0.1 < short / pairs < 0.9


def test_pairs_of_real_pages(pages):
    reader = Pages("rfc3986")
    pairs = short = 0
    for page in pages[: int(os.environ.get("RELREF_MOST_PAGES", "400"))]:
        base = "https://doc.rust-lang.org/" + "/".join(page.parts[-4:])
        for link in reader.links(page.read_bytes(), base):
            short += check(base, link.reference)
            pairs += 1
    assert pairs > 10_000
    assert short / pairs > 0.99


class Odd(str):
    """A string that looks empty in part."""

    def find(self, *args):
        return -1


@pytest.mark.parametrize(
    "args",
    [
        (None, None),
        (None, "a"),
        ("http://h/", None),
        ("", 5),
        ("", None),
        (b"", "a"),
        (b"http://h/", "a"),
        ("http://h/", b"a"),
        (b"http://h/", b"a"),
        (bytearray(b"http://h/"), bytearray(b"a")),
        (b"http://h/\xff", b"a"),
        ("http://h/", "\udc80"),
        ("http://h/\udc80", "a"),
        ("http://h/\udc80/", "a\ud800b"),
        (5, 6),
        ("http://h/", 5),
        (Odd("http://h/a"), "b"),
        ("http://h/a", Odd("x:b#c")),
        ("http://h/a", "b#c", False),
        ("http://h/a#b", "?d#c", 0),
        ("http://h/a", "b#c", None),
        ("http://h/a", "b#c", True),
        ("http://h/a;x#b", "?d#c", []),
        ("http://[::1/", "a"),
        ("http://h/", "//[a"),
        ("http://h/", "http://\u2100.com"),
    ],
)
def test_odd_arguments(args):
    assert outcome(urljoin, *args) == outcome(urllib.parse.urljoin, *args)


def test_an_empty_fragment_is_lost_or_kept_as_in_this_python():
    for base in ("http://h/a", "http://h/a?b", "http://h/a#b", "https://h"):
        assert check(base, "#") == (sys.version_info < (3, 14))


def test_arguments_have_the_same_names():
    assert urljoin(base="http://h/", url="a#b", allow_fragments=False) == "http://h/a#b"
    with pytest.raises(TypeError):
        urljoin("http://h/")


def test_a_registered_scheme_counts():
    try:
        for schemes in (urllib.parse.uses_relative, urllib.parse.uses_netloc):
            schemes.append("s3")
        assert urljoin("s3://bucket/a", "b") == urllib.parse.urljoin("s3://bucket/a", "b") == "s3://bucket/b"
    finally:
        for schemes in (urllib.parse.uses_relative, urllib.parse.uses_netloc):
            schemes.remove("s3")


def test_ipv6_addresses_have_a_shortcut():
    for address in ("::1", "2001:DB8::a:1", "::", "1:2:3:4:5:6:7:8", "::ffff:0:0"):
        for host in (f"[{address}]", f"[{address}]:8080"):
            assert check(f"http://{host}/a/b", "../c?д")
            assert check("http://h/", f"//{host}/x")
    for host in ("[1:2:3:4:5:6:7:8:9]", "[:1]", "[::g]", "[::1%eth0]", "[::1.2.3.4]", "[::1]x", "[::1]:", "[]", "[::1", "[[::1]]"):
        check(f"http://{host}/a/b", "../c")
        check("http://h/", f"https://{host}/x")


# Programs put relref's function in the place of the standard library's.
REPLACE = """
    import sys, urllib.parse
    standard = urllib.parse.urljoin
    {before}
    import relref
    {after}
    for base, url in [("http://h/a/b", "../c"), ("mailto:x", "y"), ("http://[h]/", "x"), (b"http://h/a", b"b"), ("http://h/", "é;x"), ("", "a")]:
        outcomes = []
        for join in (standard, relref.urljoin, urllib.parse.urljoin):
            try:
                outcomes.append(join(base, url))
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1] == outcomes[2], outcomes
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "urllib.parse.urljoin = relref.urljoin"),
        ("", "urllib.parse.urljoin = relref.urljoin; relref.urljoin('x', 'y'); urllib.parse.urljoin = standard"),
        ("urllib.parse.urljoin = lambda base, url, fragments=True: relref.urljoin(base, url, fragments)", ""),
        ("urllib.parse.urljoin = None", "urllib.parse.urljoin = relref.urljoin"),
        ("", "urllib.parse.urljoin = relref.urljoin; import scrapy.utils.url" if importlib.util.find_spec("scrapy") else ""),
    ],
)
def test_the_standard_function_may_be_replaced(before, after):
    program = textwrap.dedent(REPLACE).format(before=before, after=after)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=os.path.dirname(__file__))
    assert done.returncode == 0, done.stderr[-2000:]
