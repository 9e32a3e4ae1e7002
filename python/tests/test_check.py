"""Checks of the links of a site."""

import errno
import os
import sys
import zipfile

import pytest

import relref


def make(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_problems_have_their_place_and_target(tmp_path):
    make(tmp_path, {
        "index.html": "<a href=b/>b</a>\n<a href=b>b</a> <a href='b/#нет'>c</a><a href='http://['>d</a>",
        "b/index.html": "<meta charset=windows-1251><p id=да><a href=../C.html>".encode("cp1251"),
        "c.html": "",
    })
    found = relref.check(tmp_path)
    shown = [(os.path.relpath(p.page, tmp_path), p.line, p.column, p.problem, p.reference, p.is_note) for p in found]
    assert shown == [
        ("b/index.html", 1, 45, "wrong-case", "../C.html", False),
        ("index.html", 2, 9, "missing-slash", "b", True),
        ("index.html", 2, 26, "missing-fragment", "b/#нет", False),
        ("index.html", 2, 48, "invalid", "http://[", False),
    ]
    assert found[0].target == found[0].suggested_file == str(tmp_path / "c.html") and found[3].uri is None
    assert (found[3].error_line, found[3].error_column, found[0].error_line, found[2].suggested_file) == (2, 56, None, None)
    assert str(found[3]).startswith(f"{tmp_path / 'index.html'}:2:56: invalid: ")
    assert relref.check(str(tmp_path), threads=1) == found


def test_options(tmp_path):
    make(tmp_path, {"a.html": "<a href=https://h/s/no>x</a><a href=b>y</a><a href=c/>z</a><a href='#q'>w</a>", "b.htm": "", "c/main.htm": ""})
    problems = lambda **options: [p.reference for p in relref.check(tmp_path, **options)]
    assert problems() == ["b", "c/", "#q"]
    assert problems(base="https://h/s/", fragments=False) == ["https://h/s/no", "b", "c/"]
    assert problems(index="main.htm", try_ext=[".htm"], fragments=False) == []
    assert problems(index=["index.html", "main.htm"], try_ext="htm") == ["#q"]


def test_books_mails_and_archives(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.epub", "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("a.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><a href='no.xhtml'/></html>")
    mail = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=cid:no>\n--b--\n"
    warc = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/a\r\nContent-Length: 55\r\n\r\n"
    warc += "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=no>\r\n\r\n"
    make(tmp_path, {"x.eml": mail, "x.warc": warc})
    problems = lambda name: [(p.page, p.problem, p.reference) for p in relref.check(tmp_path / name) if p.reference]
    assert problems("x.epub") == [(str(tmp_path / "x.epub!/a.xhtml"), "missing", "no.xhtml")]
    assert problems("x.eml") == [(str(tmp_path / "x.eml"), "missing", "cid:no")]
    assert problems("x.warc") == [("http://h/a", "missing", "no")]
    for name in ("x.epub", "x.eml", "x.warc"):
        with pytest.raises(OSError, match="are changed"):
            relref.check(tmp_path / name, fix=True)


def test_links_are_ignored(tmp_path):
    text = "<a href=B.html>x</a><a href=no.html>y</a><a href='http://['>z</a><a href='b.html#Top'>w</a>"
    make(tmp_path, {"a.html": text, "b.html": "<p id=top>"})
    problems = lambda **options: [p.reference for p in relref.check(tmp_path, **options)]
    assert problems() == ["B.html", "no.html", "http://["]
    assert problems(ignore=r"/no\.html$") == ["B.html", "http://["]
    # The reference counts only without a URI.
    assert problems(ignore=["^no", "^http://\\[$"]) == ["B.html", "no.html"]
    assert problems(ignore="B", fix=True) == ["no.html", "http://["] and (tmp_path / "a.html").read_text() == text
    assert problems(fix=True) == ["no.html", "http://["] and "href=b.html" in (tmp_path / "a.html").read_text()
    with pytest.raises(ValueError, match="(?s)ignore: .*unclosed"):
        relref.check(tmp_path, ignore="(")
    with pytest.raises(TypeError):
        relref.check(tmp_path, ignore=5)


def test_a_problem_is_a_line_of_text(tmp_path):
    make(tmp_path, {"a.html": "\n<a href=b.html>", "c.html": b"\x7fELF\0\0"})
    first, second = map(str, relref.check(tmp_path))
    assert first == f"{tmp_path}/a.html:2:9: missing: b.html ({tmp_path}/b.html)".replace("/", os.sep)
    assert second == f"{tmp_path}/c.html: unread: binary data, not a page".replace("/", os.sep)


def test_errors(tmp_path):
    make(tmp_path, {"a.html": b"\x7fELF\0\0"})
    [problem] = relref.check(tmp_path)
    assert (problem.problem, problem.note, problem.line) == ("unread", "binary data, not a page", None)
    with pytest.raises(FileNotFoundError):
        relref.check(tmp_path / "none")
    with pytest.raises(ValueError, match="has no host"):
        relref.check(tmp_path, "mailto:a@b")


def test_markdown(tmp_path):
    (tmp_path / "README.md").write_text("# What's new?\n[a](b.md) [b](#whats-new) [c](#what-s-new) [d](draft/x.md)\n")
    (tmp_path / "draft").mkdir()
    (tmp_path / "draft" / "x.md").write_text("[x](no.md)")
    problems = lambda **options: [p.reference for p in relref.check(tmp_path, exclude="draft", **options)]
    assert problems() == ["b.md", "#what-s-new"]
    assert problems(ids="vitepress") == ["b.md", "#whats-new"]
    with pytest.raises(ValueError, match="renderer"):
        relref.check(tmp_path, ids="word")


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        relref.check(tmp_path / "x")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "x"))


@pytest.mark.skipif(sys.platform != "linux", reason="names of other systems are Unicode")
def test_names_that_are_no_utf_8(tmp_path):
    name = os.path.join(os.fsencode(tmp_path), b"\xff.html")
    with open(name, "wb") as file:
        file.write(b"<a href=missing>x</a>")
    (problem,) = relref.check(tmp_path)
    assert os.fsencode(problem.page) == name
