"""Files at URLs are read on after faults that pass; a fault that stays is told as what it is."""

import random

import faulty_server
import pytest
import relref
import warc

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

from relref import _remote  # noqa: E402
from relref._remote import RemoteFile  # noqa: E402

# It is more than fsspec reads at once.
CONTENT = random.Random(1).randbytes(12 << 20)


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """The times that were waited, without waiting."""
    times = []
    monkeypatch.setattr(_remote.time, "sleep", times.append)
    return times


def read_all(url, retries, size=1 << 20):
    with RemoteFile(url, retries) as file:
        pieces = []
        while piece := file.read(size):
            pieces.append(piece)
        return b"".join(pieces)


@pytest.mark.parametrize("name", ["none", "500-1", "503-2", "429-1", "drop-2", "cut-1", "cut-2", "late-2", "stream", "streamcut-1"])
def test_faults_that_pass(name, waits):
    with faulty_server.serve(CONTENT) as server:
        assert read_all(f"{server.uri}/{name}.warc.gz", 6) == CONTENT
    assert (len(waits) > 0) == (name not in ("none", "stream"))
    assert waits[:2] in ([], [0.5], [0.5, 1.0], [0.5, 0.5])


@pytest.mark.parametrize(
    ("name", "problem", "tries"),
    [
        ("500", "ClientResponseError: 500", 4),
        ("503", "ClientResponseError: 503", 4),
        ("drop", "ServerDisconnectedError", 4),
        ("late", "ServerDisconnectedError", 4),
        ("cut", "ClientPayloadError", 4),
        ("404", "FileNotFoundError: http", 1),
        ("410", "FileNotFoundError: http", 1),
        ("403", "ClientResponseError: 403", 1),
    ],
)
def test_faults_that_stay(name, problem, tries, waits):
    with faulty_server.serve(CONTENT) as server:
        with pytest.raises(Exception) as caught:
            read_all(f"{server.uri}/{name}.warc.gz", 3)
        assert f"{type(caught.value).__name__}: {caught.value}".startswith(problem)
        assert waits == [0.5, 1.0, 2.0][: tries - 1]
        with pytest.raises(type(caught.value)):
            read_all(f"{server.uri}/{name}.warc.gz", 0)
        assert waits == [0.5, 1.0, 2.0][: tries - 1]


def test_a_failure_is_final():
    with faulty_server.serve(CONTENT) as server, RemoteFile(f"{server.uri}/late.warc.gz", 1) as file:
        assert file.read(100) == CONTENT[:100]
        assert file.seekable()
        file.seek(11 << 20)
        for _ in range(50):
            with pytest.raises(Exception):
                file.read(100)
        assert sum(server.requests.values()) < 10


def test_a_server_that_closed(waits):
    with faulty_server.serve(CONTENT) as server:
        url = f"{server.uri}/none.warc.gz"
    with pytest.raises(OSError, match="Cannot connect"):
        read_all(url, 2)
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize("url", ["foo://bucket/x.warc.gz", "memory://nothing.warc.gz", "http://[::1/x", "http://h:99999/x"])
def test_wrong_urls_are_not_tried_again(url, waits):
    with pytest.raises(Exception):
        read_all(url, 5)
    assert waits == []


def test_positions():
    with faulty_server.serve(CONTENT) as server, RemoteFile(f"{server.uri}/cut-1.warc.gz", 4) as file:
        assert file.seek(5) == 5
        assert file.read(3) == CONTENT[5:8]
        assert file.seek(6 << 20, 1) == (6 << 20) + 8
        assert file.read(5) == CONTENT[(6 << 20) + 8 : (6 << 20) + 13]
        assert file.seek(-4, 2) == len(CONTENT) - 4
        assert file.read(100) == CONTENT[-4:]


@pytest.mark.parametrize("name", ["none", "stream", "streamcut-1", "cut-1", "503-1"])
def test_archives(name):
    pages = [warc.record(f"http://h/{number}", f"<a href=да{number}><!--{random.Random(number).randbytes(40_000).hex()}-->") for number in range(200)]
    with faulty_server.serve(warc.archive(pages)) as server, RemoteFile(f"{server.uri}/{name}.warc.gz", 3) as file:
        assert file.seekable() != name.startswith("stream")
        pytest.importorskip("pyarrow")
        found = relref.archive_links(file)
        assert found.to_pyarrow().read_all().num_rows == 200
        assert found.problems == []
