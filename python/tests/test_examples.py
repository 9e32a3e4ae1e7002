"""The programs and the notebook of examples/python run, and print what they should."""

import functools
import http.server
import json
import pathlib
import subprocess
import sys
import threading

import pytest
import warc

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "python"


@pytest.fixture
def site(tmp_path):
    """A server of a site, whose address it is."""
    pages = {
        "index.html": "<a href=a.html>a</a><a href='d/?utm_source=x'>d</a><a href=/no/x>n</a><a href=//other.example/>o</a><a rel=nofollow href=q.html>",
        "a.html": "<meta charset=windows-1251><base href=/d/><a href=../index.html#x>i</a><a href=gone>\u0434</a>",
        "d/index.html": "<a href=../a.html>a</a>",
        "q.html": "",
        "robots.txt": "User-agent: *\nDisallow: /no\n",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="windows-1251")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_crawler(site):
    done = subprocess.run([sys.executable, EXAMPLES / "crawler.py", site], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows == [
        ["200", f"{site}/", "5"],
        ["200", f"{site}/a.html", "2"],
        ["200", f"{site}/d/", "1"],
        ["200", f"{site}/index.html", "5"],
        ["404", f"{site}/d/gone", "0"],
    ]
    done = subprocess.run([sys.executable, EXAMPLES / "crawler.py", site, "2"], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 2


def test_notebook(tmp_path, monkeypatch, capsys):
    pytest.importorskip("duckdb")
    page = "<a href=http://www.b.example/>b</a><a href='http://c.example/?utm_source=x' rel=nofollow>c</a><a href=/own>own</a>"
    records = [warc.record(f"http://a{number}.example/", page) for number in range(3)]
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(warc.archive(records))
    monkeypatch.setenv("RELREF_ARCHIVE", str(archive))
    cells = json.loads((EXAMPLES / "common_crawl.ipynb").read_text())["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), names)
    assert "3 pages, 9 links" in capsys.readouterr().out
    assert names["top"].fetchall() == [("b.example", 3, 3, 0.0), ("c.example", 3, 3, 1.0)]
