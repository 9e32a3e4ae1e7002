"""Pages with other references."""

import gzip
import os
import pathlib
import subprocess
import sys

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

    for rewrite in (relref.rewrite_links, relref.rewrite):
        with pytest.raises(KeyError):
            rewrite("<a href=x><a href=y>", function, BASE)
        with pytest.raises(TypeError, match="expected str or Url, not int"):
            rewrite("<a href=x>", lambda link: 1, BASE)


FORMATS = [
    ("a.html", "text/html", "<a href=x>é <img src=/y>", "<a href=http://h/x>é <img src=http://h/y>"),
    ("a.css", "text/css", "@import 'x';a{b:url(/y)}/*é*/", "@import 'http://h/x';a{b:url(http://h/y)}/*é*/"),
    ("a.md", "text/markdown; charset=utf-8", "[é](x)\n\n[b]: /y\n", "[é](http://h/x)\n\n[b]: http://h/y\n"),
    ("a.xhtml", "application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><title/><a href='x?a&amp;b'>é</a></html>",
     "<html xmlns='http://www.w3.org/1999/xhtml'><title/><a href='http://h/x?a&amp;b'>é</a></html>"),
    ("a.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><image href='x'/></svg>", "<svg xmlns='http://www.w3.org/2000/svg'><image href='http://h/x'/></svg>"),
    ("a.xml", "application/rss+xml", "<rss><item><link>/x</link><description>&lt;img src=y></description></item></rss>",
     "<rss><item><link>http://h/x</link><description>&lt;img src=http://h/y></description></item></rss>"),
    ("robots.txt", "text/plain", "Sitemap: /é", "Sitemap: /é"),
    ("a.png", "image/png", "<a href=x>", "<a href=x>"),
]


@pytest.mark.parametrize(("name", "media_type", "page", "expected"), FORMATS, ids=[name for name, *_ in FORMATS])
def test_pages_of_any_kind(name, media_type, page, expected):
    by_name = () if name == "a.png" else ((f"http://h/{name}", None),)
    for uri, kind in (*by_name, ("http://h/robots.txt" if name == "robots.txt" else "http://h/a", media_type)):
        for text, new in (page, expected), (page.encode(), expected.encode()):
            assert relref.make_links_absolute(text, uri, media_type=kind) == new
            assert relref.rewrite_links(text, lambda uri: uri, uri, media_type=kind) == new
            assert relref.rewrite(text, lambda link: link.uri, uri, media_type=kind) == new
    links = relref.Pages().links(page, f"http://h/{name}", media_type=media_type)
    seen = []
    relref.rewrite(page, seen.append, f"http://h/{name}", media_type=media_type)
    assert seen == (links if expected != page else [])


def test_the_media_type_has_the_character_encoding():
    sheet = "a{b:url('é')}".encode("latin-1")
    new = relref.make_links_absolute(sheet, "http://h/", media_type="text/css; charset=iso-8859-1")
    assert new == b"a{b:url('http://h/%C3%A9')}"
    feed = "<?xml version='1.0' encoding='iso-8859-1'?><rss><link>/é</link></rss>"
    assert "http://h/%C3%A9" in relref.make_links_absolute(feed, "http://h/a.xml")


def test_a_function_of_links_returns_references():
    page = "<a rel=x href=a>é</a><img src=b alt=c><link rel=icon href=d><a href='http://['><iframe srcdoc='<a href=x>'></iframe>"
    seen = []

    def function(link):
        seen.append((link.element, link.attribute, link.kind, link.rel, link.reference, link.uri))
        return relref.Url("http://n/?'") if link.element == "img" else None

    new = page.replace("src=b", "src=http://n/?%27")
    assert relref.rewrite(page, function, relref.Url(BASE)) == new
    assert seen == [
        ("a", "href", "hyperlink", "x", "a", "http://h/a/a"), ("img", "src", "resource", "", "b", "http://h/a/b"),
        ("link", "href", "resource", "icon", "d", "http://h/a/d"),
    ]
    seen.clear()
    assert relref.rewrite(page, function, BASE, kinds=["resource"]) == new
    assert [element for element, *_ in seen] == ["img", "link"]
    assert relref.rewrite("<img data-src=x>", lambda link: "y", BASE, lazy=True) == "<img data-src=y>"
    with pytest.raises(ValueError):
        relref.rewrite(page, function, BASE, kinds=["picture"])


def test_pages_that_cannot_be_read():
    with pytest.raises(ValueError, match="compressed"):
        relref.make_links_absolute(gzip.compress(b"<a href=x>"), BASE)
    for rewrite in (relref.make_links_absolute, lambda page, base: relref.rewrite(page, lambda link: link.uri, base)):
        with pytest.warns(UserWarning, match="damaged"):
            assert rewrite(b"<rss><link>/x</link><!x></rss>", "http://h/") == b"<rss><link>http://h/x</link><!x></rss>"


def test_lone_surrogates_are_no_text():
    with pytest.raises(UnicodeEncodeError):
        relref.make_links_absolute("<a href=x>\ud800", BASE)


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def make_site(folder):
    for name, text in {
        "а/b.html": "<a href=x><a href='/y#f'><img data-src=z>ж".encode(),
        "page": b"<!doctype html><a href=page>",
        "s.css": b"a{b:url(i.png)}",
        "i.png": b"\x89PNG",
        "a.md": b"[a](b.md#c) <b@h.org>\n",
        "feed.xml": b"<rss><link>/x?a&amp;b</link></rss>",
        "damaged.xml": b"<rss><link>/x</link><!x></rss>",
        "p.html.gz": gzip.compress(b"<a href=x>"),
        "same.html": b"<a href=http://h/>",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    os.symlink("page", folder / "link")
    return folder


def test_folders(tmp_path):
    site, copy = make_site(tmp_path / "site"), tmp_path / "new" / "copy"
    old = files(site)
    totals = relref.rewrite_folder(site, "http://h/s", output=copy)
    problems = totals.pop("problems")
    assert totals == {"pages": 7, "changed": 6, "copied": 1, "compressed": 1, "rewritten": 7, "kept": 1, "left": {"no-host": 1}, "integrity": 0}
    assert [(os.path.basename(path), "byte 20" in why) for path, why in problems] == [("damaged.xml", True)]
    assert files(site) == old
    new = files(copy)
    assert new["а/b.html"] == "<a href=http://h/s/%D0%B0/x><a href='http://h/y#f'><img data-src=z>ж".encode()
    assert new["feed.xml"] == b"<rss><link>http://h/x?a&amp;b</link></rss>"
    assert new["a.md"] == b"[a](http://h/s/b.md#c) <b@h.org>\n"
    assert new["damaged.xml"] == b"<rss><link>http://h/x</link><!x></rss>"
    assert [new[name] == old[name] for name in ("i.png", "p.html.gz", "same.html", "s.css")] == [True, True, True, False]
    assert os.readlink(copy / "link") == "page"

    (site / "а" / ".relref-abcdef_8.tmp").write_bytes(b"<a hr")
    os.chmod(site / "page", 0o640)
    before = {name: (site / name).stat().st_ino for name in ("same.html", "i.png")}
    options = {"to": "root", "map": {"http://h/s/": "http://n/"}, "lazy": True, "normalize": relref.Normalizer("safe")}
    relref.rewrite_folder(site, "http://h/s/", in_place=True, **options)
    assert (site / "page").read_bytes() == b"<!doctype html><a href=/page>"
    assert (site / "page").stat().st_mode & 0o777 == 0o640
    assert (site / "а" / "b.html").read_bytes() == "<a href=/%D0%B0/x><a href='http://h/y#f'><img data-src=/%D0%B0/z>ж".encode()
    assert {name: (site / name).stat().st_ino for name in before} == before
    assert set(files(site)) == set(old)


def test_pages_of_docusaurus_are_mdx(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docusaurus.config.js").write_text("")
    (tmp_path / "docs" / "a.md").write_text("export const x = '[0](b.md)'\n\n<Tab>\n    [1](b.md)\n</Tab>\n")
    relref.rewrite_folder(tmp_path, "http://h/", in_place=True)
    page = (tmp_path / "docs" / "a.md").read_text()
    assert page == "export const x = '[0](b.md)'\n\n<Tab>\n    [1](http://h/docs/b.md)\n</Tab>\n"


@pytest.mark.skipif(os.name != "posix", reason="permissions of Unix")
def test_copies_have_plain_permissions_and_files_keep_theirs(tmp_path):
    site, copy = tmp_path / "site", tmp_path / "copy"
    site.mkdir()
    for name in ("a.html", "tool"):
        (site / name).write_text("<a href=http://h/x>")
        (site / name).chmod(0o4755)
    has_attributes = hasattr(os, "setxattr")
    try:
        os.setxattr(site / "a.html", "user.note", b"kept")
    except (AttributeError, OSError):
        has_attributes = False
    relref.rewrite_folder(site, "http://h/", to="relative", output=copy)
    plain = tmp_path / "plain"
    plain.write_text("")
    assert {file.stat().st_mode for file in copy.iterdir()} == {plain.stat().st_mode}
    relref.rewrite_folder(site, "http://h/", to="relative", in_place=True)
    assert (site / "a.html").read_text() == "<a href=x>" and (site / "a.html").stat().st_mode & 0o7777 == 0o4755
    assert not has_attributes or os.getxattr(site / "a.html", "user.note") == b"kept"


def test_no_integrity_guards_changed_style_sheets(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    page = "<link rel=stylesheet integrity=sha256-x href=a.css><link rel=stylesheet integrity=sha256-y href=b.css>"
    for name, text in {"a.css": "p{background:url(a.png)}", "b.css": "p{color:red}", "c.html": page, "0.html": page}.items():
        (site / name).write_text(text)
    for options in ({"output": tmp_path / "copy"}, {"in_place": True}):
        totals = relref.rewrite_folder(site, "http://h/", to="rooted", **options)
        assert (totals["integrity"], totals["changed"]) == (2, 3)
        for name in ("0.html", "c.html"):
            new = (options.get("output", site) / name).read_text()
            assert new == "<link rel=stylesheet href=/a.css><link rel=stylesheet integrity=sha256-y href=/b.css>"


@pytest.mark.skipif(os.name != "posix", reason="locks of folders")
def test_a_folder_that_another_writes_is_left_alone(tmp_path):
    import fcntl

    (tmp_path / "a.html").write_text("<a href=b>")
    (tmp_path / ".relref-abcdef_8.tmp").write_text("theirs")
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(OSError, match="perhaps relref, has locked"):
        relref.rewrite_folder(tmp_path, "http://h/", in_place=True)
    with pytest.raises(OSError, match="perhaps relref, has locked"):
        relref.check(tmp_path, fix=True)
    os.close(folder)
    assert (tmp_path / "a.html").read_text() == "<a href=b>" and (tmp_path / ".relref-abcdef_8.tmp").exists()
    relref.rewrite_folder(tmp_path, "http://h/", in_place=True)
    assert (tmp_path / "a.html").read_text() == "<a href=http://h/b>" and not (tmp_path / ".relref-abcdef_8.tmp").exists()


def test_folders_need_options_that_fit(tmp_path):
    site = make_site(tmp_path / "site")
    for options in (
        {}, {"in_place": True, "output": "x"}, {"output": site}, {"output": site / "new"}, {"in_place": True, "to": "short"},
        {"in_place": True, "rules": "none"},
    ):
        with pytest.raises(ValueError):
            relref.rewrite_folder(site, "http://h/", **options)
    with pytest.raises(ValueError, match='^to: expected "absolute", "relative", "rooted" or "as-written", not "short"$'):
        relref.rewrite_folder(site, "http://h/", in_place=True, to="short")
    with pytest.raises(relref.Error):
        relref.rewrite_folder(site, "h", in_place=True)
    totals = relref.rewrite_folder(tmp_path / "none", "http://h/", output=tmp_path / "copy")
    assert [path for path, _ in totals["problems"]] == [str(tmp_path / "none")]


def test_the_command_rewrites_the_same(tmp_path):
    command = os.environ.get("RELREF_COMMAND")
    if not command:
        pytest.skip("the command is not built")
    site = make_site(tmp_path / "site")
    for to in ("absolute", "relative", "root", "as-written"):
        relref.rewrite_folder(site, "http://h/", output=tmp_path / to, to=to)
        arguments = ["--quiet", "--to", to, "--base", "http://h/", "--output", tmp_path / f"{to}-command", site]
        subprocess.run([command, "rewrite", *arguments], capture_output=True)
        assert files(tmp_path / to) == files(tmp_path / f"{to}-command")


def test_the_feed_reader_of_the_examples():
    examples = pathlib.Path(__file__).parents[2] / "examples" / "python"
    arguments = [sys.executable, examples / "feed_reader.py", examples / "feed.xml", "http://example.com/feed.xml"]
    page = subprocess.run(arguments, check=True, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"}).stdout.decode()
    diary = "http://example.com/%E6%97%A5%E8%A8%98/"
    assert [link.uri for link in relref.links(page, "http://elsewhere.example/")] == [
        f"{diary}2026/03-01.html?%E8%A6%8B%E3%82%8B=1&b=2",
        f"{diary}2026/%E9%9B%AA.png",
        f"{diary}2026/%E9%9B%AA.png",
        "http://example.com/%E5%A4%A7/%E9%9B%AA.png",
        f"{diary}%E4%B8%80%E8%A6%A7?a=1&b=2",
        "http://example.org/%D1%81%D0%BD%D0%B5%D0%B3",
        f"{diary}%D1%84%D0%BE%D0%BD.png",
        f"{diary}#%D0%B4%D0%B0%D0%BB%D0%B5%D0%B5",
    ]
