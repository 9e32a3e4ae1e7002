"""Pages with other references."""

import pytest
import relref

BASE = "http://h/a/b?q"


def test_the_result_is_of_the_type_of_the_page():
    for page, expected in [
        ("<a href=x>é", "<a href=http://h/a/x>é"),
        (b"<a href=x>\xff", b"<a href=http://h/a/x>\xff"),
        (bytearray(b"<a href=x>"), b"<a href=http://h/a/x>"),
        (memoryview(b"<a href=x>"), b"<a href=http://h/a/x>"),
        ("\ufeff<a href=x>", "\ufeff<a href=http://h/a/x>"),
    ]:
        found = relref.make_links_absolute(page, BASE)
        assert (found, type(found)) == (expected, type(expected))
    with pytest.raises(TypeError):
        relref.make_links_absolute(1, BASE)
    with pytest.raises(relref.Error):
        relref.make_links_absolute("", "h")


def test_options():
    page = "<img data-src=x><a href='?ж'>"
    assert relref.make_links_absolute(page, BASE, lazy=True) == "<img data-src=http://h/a/x><a href='http://h/a/b?%D0%B6'>"
    page = "<a href='?ж'>".encode("cp1251")
    assert relref.make_links_absolute(page, BASE, "windows-1251") == b"<a href='http://h/a/b?%E6'>"
    assert relref.make_links_absolute(page, BASE, "windows-1251", rules="rfc3986") == "<a href='http://h/a/b?ж'>".encode("cp1251")
    with pytest.raises(ValueError):
        relref.make_links_absolute(page, BASE, "none")


def test_a_function_returns_references():
    seen = []

    def function(uri):
        seen.append(uri)
        return {"http://h/a/x": None, "http://h/a/y": "&copy \"'"}.get(uri, "z")

    page = "<a href=x><a href='y'><a href=mailto:x><a href='http://['><iframe srcdoc='<a href=x>'></iframe><style>@import 'w'</style>"
    new = "<a href=x><a href='&amp;copy \"&#39;'><a href=z><a href='http://['><iframe srcdoc='<a href=x>'></iframe><style>@import 'z'</style>"
    assert relref.rewrite_links(page, function, BASE) == new
    assert seen == ["http://h/a/x", "http://h/a/y", "mailto:x", "http://h/a/w"]


def test_exceptions_of_the_function_are_raised():
    def function(uri):
        raise KeyError(uri)

    with pytest.raises(KeyError):
        relref.rewrite_links("<a href=x><a href=y>", function, BASE)
    with pytest.raises(TypeError):
        relref.rewrite_links("<a href=x>", lambda uri: 1, BASE)


def test_lone_surrogates_are_no_text():
    with pytest.raises(UnicodeEncodeError):
        relref.make_links_absolute("<a href=x>\ud800", BASE)
