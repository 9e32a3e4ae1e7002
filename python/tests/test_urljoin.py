"""urljoin gives what the running Python's urllib.parse.urljoin gives: results, types and exceptions."""

import json
import os
import pathlib
import random
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
