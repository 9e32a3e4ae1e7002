"""Pages that come in chunks: Pages.start and the iterator of Pages.stream."""

import io
import os

import pytest
import relref
from relref import Pages

URI = "http://h/d/p"
PAGE = (
    "<!DOCTYPE html><meta charset=windows-1251><title>Да</title><base href=/b/><body><a href='?д=1'>т</a>" + " " * 1024 +
    "<!-- <a href=no> --><script>'<a href=no>'</script><textarea><a href=no></textarea><img srcset='a, b 2x'><style>x { background: url(c) }</style><a href='http://[x/'>"
).encode("windows-1251")


def fed(page, chunks):
    return [link for chunk in chunks for link in page.feed(chunk)] + page.finish()


def test_links_are_those_of_the_whole_page_wherever_it_is_cut():
    reader = Pages(max_text=9, places=True, facts=True)
    expected = reader.links(PAGE, URI)
    assert len(expected) == 4 and expected[0].uri == "http://h/b/?%E4=1"
    for at in range(len(PAGE) + 1):
        assert fed(reader.start(URI), [PAGE[:at], PAGE[at:]]) == expected, at
    for chunks in ([], [b""], [PAGE[at : at + 1] for at in range(len(PAGE))], [bytearray(PAGE[:9]), memoryview(PAGE)[9:]]):
        assert fed(reader.start(URI), chunks) == (expected if len(chunks) > 1 else [])
        assert list(reader.stream(iter(chunks), URI)) == (expected if len(chunks) > 1 else [])
    assert reader.invalid > len(PAGE)


def test_real_pages(pages):
    for page in pages[:40]:
        text = page.read_bytes()
        chunks = [text[at : at + 1000] for at in range(0, len(text), 1000)]
        expected = Pages().links(text, URI)
        assert fed(Pages().start(URI), chunks) == expected, page
        with page.open("rb") as file:
            assert list(Pages().stream(file, URI)) == expected


def test_pages_do_not_share_what_is_fed():
    reader = Pages()
    first, second = reader.start("http://h/1/"), reader.start("http://h/2/")
    found = first.feed(b"<base href=x/><a hr"), second.feed(b"<a h"), reader.links(b"<a href=z>", URI)
    assert [link.uri for link in first.feed(b"ef=a>") + first.finish()] == ["http://h/1/x/a"]
    assert [link.uri for link in second.feed(b"ref=b>") + second.finish()] == ["http://h/2/b"]
    assert [link.uri for link in found[2]] == ["http://h/d/z"]


def test_links_come_while_the_page_is_read():
    read = []

    def chunks():
        for number in range(1000):
            read.append(number)
            yield b"<body><p>" + b" " * 1024 + b"<a href=%d>" % number

    stream = Pages().stream(chunks(), URI)
    assert (next(stream).uri, len(read) < 4) == ("http://h/d/0", True)
    assert len(list(stream)) == 999


@pytest.mark.skipif(not hasattr(os, "pipe"), reason="no pipes")
def test_a_pipe_is_read():
    reading, writing = os.pipe()
    with open(writing, "wb") as file:
        file.write(PAGE)
    with open(reading, "rb") as file:
        assert list(Pages().stream(file, URI)) == Pages().links(PAGE, URI)
    with pytest.raises(TypeError):
        list(Pages().stream(5, URI))


def test_the_end_of_a_page():
    page = Pages().start(URI)
    assert page.finish() == []
    for call in (page.finish, lambda: page.feed(b"")):
        with pytest.raises(ValueError, match="has ended"):
            call()
    with pytest.raises(ZeroDivisionError), Pages().start(URI) as page:
        page.feed(b"<a href=x>")
        1 / 0
    with pytest.raises(ValueError, match="has ended"):
        page.finish()


def test_what_is_late_is_a_warning():
    page = Pages().start(URI)
    found = page.feed(b"<body>" + b"<p>" * 2000 + b"<a href=x>" + b"<p>" * 2000)
    found += page.feed(b"<base href=/b/><a href=y>")
    with pytest.warns(UserWarning, match="a base"):
        found += page.finish()
    assert [link.uri for link in found] == ["http://h/d/x", "http://h/d/y"]


def test_text_and_character_encodings():
    text = "<a href=\"?д\">д</a>"
    for chunks, charset in ([[text[:11], text[11:]], None], [[text.encode("koi8-r")], "koi8-r"], [[b"\xff\xfe" + text.encode("utf-16-le")], None]):
        [link] = fed(Pages(max_text=9).start(URI, charset), chunks)
        assert (link.text, link.reference) == ("д", "?д")
    [link] = fed(Pages().start(URI, media_type="text/html; charset=koi8-r"), [text.encode("koi8-r")])
    assert link.uri == "http://h/d/p?%C4"
    page = Pages().start(URI)
    page.feed(b"<a")
    with pytest.raises(ValueError, match="expected bytes"):
        page.feed(" href=x>")
    with pytest.raises(ValueError, match="decoded"):
        Pages().start(URI, "koi8-r").feed(text)
    with pytest.raises(ValueError):
        Pages().start(URI, "none")
    with pytest.raises(relref.Error):
        Pages().start("d/p")
    with pytest.raises(TypeError):
        Pages().start(URI).feed(None)


def test_kinds_of_pages():
    xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><title/><a href='x'/></html>"
    for start in (Pages().start(URI, media_type="application/xhtml+xml; charset=utf-8"), Pages(xml=True).start(URI)):
        assert [link.uri for link in fed(start, [xhtml])] == ["http://h/d/x"]
    reader = Pages()
    assert fed(reader.start(URI, media_type="application/xhtml+xml"), [xhtml]) and fed(reader.start(URI), [xhtml]) == []
    for uri, media_type in ((URI, "text/css"), (URI, "application/rss+xml"), (URI, "text/xml; charset=utf-8"), (URI, "image/png"), ("http://h/a.css", "text/css")):
        with pytest.raises(ValueError, match="come in chunks"):
            Pages().start(uri, media_type=media_type)
        for each in (None, print):
            with pytest.raises(ValueError, match="come in chunks"):
                Pages().stream(io.BytesIO(b""), uri, each, media_type=media_type)


def test_a_stream_takes_the_media_type():
    xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><title/><a href='%s'/></html>" % "ж"
    reader, found = Pages(), []
    options = {"media_type": "application/xhtml+xml; charset=windows-1251"}
    assert [link.reference for link in reader.stream([xhtml.encode("windows-1251")], URI, **options)] == ["ж"]
    reader.stream(io.BytesIO(xhtml.encode("windows-1251")), URI, lambda link: found.append(link.reference), **options)
    assert found == ["ж"]
    # The next page is HTML again, in which the title does not end.
    assert reader.links(xhtml.replace(" xmlns='http://www.w3.org/1999/xhtml'", ""), URI) == []


def test_a_long_base_does_not_fill_memory():
    reader = Pages()
    page = reader.start(URI)
    found = page.feed(b"<base href=/" + b"b" * 1_000_000 + b"/></head>" + b" " * 1024)
    found += page.feed(b"<a href=x>" * 10_000)
    found += page.finish()
    assert 0 < sum(len(link.uri) for link in found) <= (1 << 20) + 256 * 1_101_100
    assert len(found) + reader.left_out == 10_000 and reader.left_out > 0
