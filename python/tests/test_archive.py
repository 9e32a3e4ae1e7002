"""archive_links: the links of archives in lazy batches; damage, limits, columns, other libraries."""

import gzip
import io
import os
import random
import re
import subprocess
import threading
import urllib.parse
import zipfile

import pytest
import relref
import warc
from relref import Normalizer, archive_links, links

pa = pytest.importorskip("pyarrow")


def rows(source, **options):
    """Returns rows and problems."""
    found = archive_links(io.BytesIO(source) if isinstance(source, bytes) else source, **options)
    return found.to_pyarrow().read_all().to_pylist(), found.problems


RECORDS = [
    warc.record(f"http://h{number}.com/a/", f"<a href=b{number} rel=x>é</a><img src='/c?b=1&a=2#d'>") for number in range(5)
]


def test_rows_are_the_links_of_the_pages(tmp_path):
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(warc.archive(RECORDS))
    found, problems = rows(path)
    assert problems == []
    expected = []
    for number in range(5):
        page = f"http://h{number}.com/a/"
        for link in links(f"<a href=b{number} rel=x>é</a><img src='/c?b=1&a=2#d'>", page):
            expected.append((page, link.element, link.attribute, link.kind, link.rel, link.reference, link.uri))
    names = ("page", "element", "attribute", "kind", "rel", "reference", "uri")
    assert [tuple(row[name] for name in names) for row in found] == expected
    assert len({row["offset"] for row in found}) == 5
    assert rows(str(path))[0] == found
    with path.open("rb") as file:
        assert rows(file)[0] == found
    plain = rows(warc.archive(RECORDS, gzipped=False))[0]
    assert [row["uri"] for row in plain] == [row["uri"] for row in found]


class Pipe(io.RawIOBase):
    """A file that cannot seek."""

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def read(self, size=-1):
        return self.data.read(min(size, 7) if size >= 0 else size)


def test_pipes_are_read():
    assert rows(Pipe(warc.archive(RECORDS)))[0] == rows(warc.archive(RECORDS))[0]


def test_columns_forms_and_keys():
    archive = warc.archive(RECORDS)
    assert rows(archive, columns=["uri"], kinds=["resource"])[0][0] == {"uri": "http://h0.com/c?b=1&a=2#d"}
    found = rows(archive, columns=["key", "uri"], normalize="crawl", key="surt")[0]
    assert found[1] == {"key": "com,h0)/c?a=2&b=1", "uri": "http://h0.com/c?a=2&b=1"}
    assert rows(archive, columns=["uri"], normalize=Normalizer("safe"))[0][1] == {"uri": "http://h0.com/c?b=1&a=2#d"}
    assert rows(archive, key="surt")[0][0]["key"] == "com,h0)/a/b0"
    assert rows(archive, key="cdx")[0][1]["key"] == "com,h0)/c?a=2&b=1"
    assert rows(archive, columns=[])[0] == [{}] * 10 or rows(archive, columns=[])[0] == []
    for options in ({"columns": "uri"}, {"kinds": "resource"}):
        with pytest.raises(TypeError, match="expected a list of strings, not one string"):
            archive_links(io.BytesIO(archive), **options)
    for options in ({"columns": ["url"]}, {"columns": ["key"]}, {"key": "x"}, {"problems": "x"}, {"kinds": ["x"]}, {"rules": "x"}):
        with pytest.raises(ValueError):
            archive_links(io.BytesIO(archive), **options)


def test_arc_files():
    start = b"filedesc://a.arc 0 20080430204825 text/plain 6\n1 0 IA\n\n"
    page = "HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=euc-kr\r\n\r\n<a href=/한국>".encode("euc-kr")
    record = f"http://192.0.2.7/a b 192.0.2.7 20080430204825 text/html {len(page)}\n".encode() + page + b"\n"
    dns = b"dns:h 192.0.2.1 20080430204825 text/dns 1\n1\n"
    for archive in (start + dns + record, gzip.compress(start) + gzip.compress(dns) + gzip.compress(record)):
        found = archive_links(io.BytesIO(archive))
        links = found.to_pyarrow().read_all().to_pylist()
        assert [(link["page"], link["uri"]) for link in links] == [("http://192.0.2.7/a b", "http://192.0.2.7/%ED%95%9C%EA%B5%AD")]
        assert (found.skipped["other_kinds"], found.skipped["other_protocols"], found.problems) == (1, 1, [])
        links, problems = rows(archive[:-20])
        assert len(problems) == 1 and problems[0].message.startswith("it")


def test_outlinks_and_revisits():
    fields = b"hopsFromSeed: L\r\noutlink: http://h/b L a/@href\r\n"
    head = "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Target-URI: http://h/a\r\nContent-Type: {}\r\n{}Content-Length: {}\r\n\r\n"
    metadata = head.format("metadata", "application/warc-fields", "WARC-Concurrent-To: <urn:1>\r\n", len(fields)).encode() + fields + b"\r\n\r\n"
    page = warc.record("http://h/a", "<a href=b>").replace(b"\r\nWARC-Type", b"\r\nWARC-Record-ID: <urn:1>\r\nWARC-Type", 1)
    revisit = head.format("revisit", "application/http", "WARC-Refers-To-Target-URI: http://h/\r\n", 0).encode() + b"\r\n\r\n"
    for records, others in (([page, metadata], 1), ([revisit, metadata], 0)):
        found = archive_links(io.BytesIO(b"".join(records)))
        assert [link["uri"] for link in found.to_pyarrow().read_all().to_pylist()] == ["http://h/b"]
        assert (found.skipped["other_kinds"], found.skipped["revisits_of_other_uris"]) == (others, 1 - others)


def test_what_is_no_page_is_counted():
    image = warc.record("http://h/i", "GIF89a", "Content-Type: image/gif")
    text = warc.record("http://h/t", "plain", "X: y")
    sniffed = warc.record("http://h/h", "<html><a href=x>", "X: y")
    request = warc.record("http://h/r", "", kind="request")
    found = archive_links(io.BytesIO(warc.archive([image, text, sniffed, request])))
    assert found.to_pyarrow().read_all().num_rows == 1
    assert found.skipped == {
        "other_media_types": 1, "other_statuses": 0, "other_kinds": 1, "other_protocols": 0, "revisits_without_head": 0,
        "revisits_of_other_uris": 0, "not_pages": 1
    }
    assert found.problems == []


def test_it_is_lazy_and_read_once():
    class Watched(io.BytesIO):
        def read(self, size=-1):
            assert not self.ended, "read on"
            return super().read(size)

    file = Watched(warc.archive([warc.record(f"http://h/{n}", "<a href=x>" * 100 + "<!--" + "x" * 100_000) for n in range(100)]))
    file.ended = False
    found = archive_links(file, batch_rows=100)
    reader = found.to_pyarrow()
    first = reader.read_next_batch()
    assert (first.num_rows, found.pages, found.links) == (100, 1, 100)
    file.ended = True
    with pytest.raises(ValueError, match="before"):
        found.to_pyarrow()
    file.ended = False
    assert sum(batch.num_rows for batch in reader) == 9900
    assert found.pages == 100


def test_damage_is_reported_and_the_rest_is_read():
    archive = warc.archive(RECORDS)
    whole = [row["uri"] for row in rows(archive)[0]]
    members = [gzip.compress(record) for record in RECORDS]
    broken = bytearray(members[2])
    broken[len(broken) // 2] ^= 0xFF
    damaged = b"".join([*members[:2], bytes(broken), *members[3:]])
    found, problems = rows(damaged)
    kept = [row["uri"] for row in found]
    assert [uri for uri in whole if "h2" not in uri] == [uri for uri in kept if "h2" not in uri]
    assert len(problems) >= 1
    assert problems[0].offset == len(members[0]) + len(members[1])
    in_rows, none = rows(damaged, problems="rows")
    assert none == []
    assert [row["uri"] for row in in_rows if row["problem"] is None] == kept
    assert [(row["offset"], row["problem"]) for row in in_rows if row["problem"]] == [problem[:2] for problem in problems]


def response(head, body="", fields=""):
    """Returns a record with this head of its response, and more fields of its own."""
    content = head.encode() + body.encode()
    start = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http\r\n{fields}"
    return f"{start}Content-Length: {len(content)}\r\n\r\n".encode() + content + b"\r\n\r\n"


IMAGE = "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n"
PAGE = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def test_damaged_heads_are_reported():
    long = f"X: {'y' * 300_000}\r\n"
    for archive, number, messages in [
        # Without links, too, as the fields that are missing may have some.
        (response(f"{IMAGE}{long}\r\n"), 0, ["its HTTP head has more than 256 KiB: the rest of its fields is not read"]),
        (response(f"{IMAGE}X: a\rb\r\n\r\n"), 0, ["its HTTP head has a NUL or a lone carriage return"]),
        (response(IMAGE), 0, ["its HTTP head has no end"]),
        (response(f"{PAGE}X: a\rb\r\n\r\n", "<a href=x>"), 1, ["its HTTP head has a NUL or a lone carriage return"]),
        # In a record that is cut, the end of its head is missing because of that.
        (response(f"{PAGE}Location: x\r\n{long}")[:-1000], 1, ["it ends early: 996 bytes of its content are missing"]),
    ]:
        found, problems = rows(archive)
        assert len(found) == number
        assert [(problem.offset, problem.message) for problem in problems] == [(0, message) for message in messages]


def test_feeds_that_are_cut_or_no_feeds_are_problems_unless_they_are_cut_on_purpose():
    def found(body, fields=b""):
        record = warc.record("http://h/map.xml", body, "Content-Type: text/xml")
        found, problems = rows(record.replace(b"\r\nContent-Length", fields + b"\r\nContent-Length", 1))
        return [row["uri"] for row in found], len(problems)

    cut = "<urlset><url><loc>http://h/a</loc></url><url><loc>http://h/b"
    assert found(cut) == (["http://h/a"], 1)
    assert found(cut, b"\r\nWARC-Truncated: length") == (["http://h/a"], 0)
    assert found("<!DOCTYPE rss><svg><link>a</link></svg>") == ([], 1)


def test_archives_cut_at_every_byte():
    archive = warc.archive(RECORDS[:2])
    whole = [row["uri"] for row in rows(archive)[0]]
    first = len(gzip.compress(RECORDS[0]))
    for end in range(len(archive)):
        found, problems = rows(archive[:end])
        assert [row["uri"] for row in found] == whole[: len(found)]
        assert problems or end in (0, first), end
        assert len(found) >= 2 or end < first


def test_random_bytes_are_problems():
    rng = random.Random(1)
    for length in (0, 1, 100, 10_000):
        found, problems = rows(rng.randbytes(length))
        assert found == []
        assert bool(problems) == (length > 0)


def test_limits_are_reported():
    large = warc.record("http://h/", "<a href=x>" + "y" * 20_000)
    found, problems = rows(warc.archive([large, *RECORDS]), max_page=10_000)
    assert (len(found), len(problems)) == (10, 1)
    assert "more than 10000 bytes (max_page)" in problems[0].message
    bomb = warc.record("http://h/", gzip.compress(b"x" * 10_000_000), "Content-Type: text/html\r\nContent-Encoding: gzip")
    assert "more than 1000000 bytes" in rows(warc.archive([bomb]), max_page=1_000_000)[1][0].message
    counted = archive_links(io.BytesIO(warc.archive([warc.record("http://h/", "<a href=" + "x" * 100 + "><a href=b>")])), max_uri=50)
    assert counted.to_pyarrow().read_all().num_rows == 1
    assert counted.too_long == 1
    assert "max_uri" in rows(warc.archive([warc.record("http://h/" + "x" * 100, "<a href=b>")]), max_uri=50)[1][0].message
    wide = warc.record("http://h/", "<base href='" + "x" * 60_000 + "/'>" + "<a href=b>" * 10_000)
    found, problems = rows(warc.archive([wide]))
    assert 100 < len(found) < 10_000
    assert f"{10_000 - len(found)} left out" in problems[0].message


def test_the_problems_of_hostile_archives_are_bounded():
    frames = warc.archive(RECORDS[:1], gzipped=False)
    heads = b"WARC/1.0\r\n" * 100_000
    for archive in (pa.compress(frames, "zstd", asbytes=True) + b"\x28\xb5\x2f\xfd" * 262_144, heads):
        found = archive_links(io.BytesIO(archive))
        found.to_pyarrow().read_all()
        assert len(found.problems) == 101
        told, last = found.problems[:-1], found.problems[-1]
        assert all(problem.offset is not None for problem in told)
        number = int(re.fullmatch(r"and ([0-9]+) more problems", last.message)[1])
        assert (last.offset, last.archive, number > 10_000) == (None, None, True)
        # As rows, all are there, but not in one batch.
        batches = archive_links(io.BytesIO(archive), problems="rows", batch_rows=100).to_pyarrow()
        sizes, told = zip(*((batch.num_rows, len(batch["problem"].drop_null())) for batch in batches))
        assert (sum(told), max(sizes) <= 2000) == (number + 100, True)
    # Each archive of a WACZ file has its own; a page between problems changes nothing.
    damaged = heads[:1010] + frames + heads[:1010]
    links, problems = rows(warc.wacz({"a.warc": damaged, "архив.warc": heads[:50], "c.warc": damaged}))
    assert [row["uri"] for row in links][:2] == ["http://h0.com/a/b0", "http://h0.com/c?b=1&a=2#d"]
    by_archive = {name: [p.message for p in problems if p.archive == name] for name in dict.fromkeys(p.archive for p in problems)}
    assert [(name, len(found)) for name, found in by_archive.items()] == [
        ("archive/a.warc", 101),
        ("archive/архив.warc", 5),
        ("archive/c.warc", 101),
    ]
    assert re.fullmatch(r"and [0-9]+ more problems", by_archive["archive/c.warc"][-1])


def test_the_messages_of_many_archives_have_at_most_about_1_mib():
    long = warc.record("x" * 60_000, "<a href=x>")
    archives = {f"{number}.warc": long * 3 for number in range(20)}
    problems = rows(warc.wacz(archives))[1]
    assert 15 < len(problems) < 25
    assert problems[-1].archive is None
    assert problems[-1].message == f"and {60 - (len(problems) - 1)} more problems"
    assert (1 << 20) <= sum(len(problem.message) for problem in problems) < (1 << 20) + 200_000


def test_the_bytes_that_are_normalized_for_a_page_are_bounded():
    query = "&".join(f"b{number}=ü" for number in range(5000))
    assert 60_000 < len(urllib.parse.quote(query, "=&")) < 64_000
    page = "<base href='http://例え.jp/?" + query + "'>" + "<a href=#x>" * 20_000
    found = archive_links(io.BytesIO(warc.archive([warc.record("http://h/", page)])), normalize="crawl", key="surt", columns=["page"])
    assert found.to_pyarrow().read_all().num_rows == found.links
    # Of equal URIs, only the rows count.
    assert "its links take more than" in found.problems[0].message
    # Different ones are normalized up to a limit.
    page = "<base href='http://例え.jp/?" + query + "'>" + "".join(f"<a href='#{number}'>" for number in range(20_000))
    options = {"columns": ["page"], "max_uri": 1 << 20, "scope": relref.Scope(same_host=True)}
    found = archive_links(io.BytesIO(warc.archive([warc.record("http://h/", page)])), normalize="safe", **options)
    found.to_pyarrow().read_all()
    [problem] = found.problems
    limit, left_out = map(int, re.fullmatch(r"its links take more than (\d+) bytes: (\d+) left out", problem.message).groups())
    assert limit == (1 << 20) + 256 * len(page.encode())
    assert (found.out_of_scope + left_out, 100 < found.out_of_scope < 4000) == (20_000, True)


def test_a_large_page_is_read_from_disk():
    page = "<a href=a>" + "<p>" + "x" * (10 << 20) + "<a href=b>"
    found, problems = rows(warc.archive([warc.record("http://h/", page)]))
    assert ([row["uri"] for row in found], problems) == (["http://h/a", "http://h/b"], [])


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        archive_links(tmp_path / "none.warc")
    assert caught.value.filename == str(tmp_path / "none.warc")
    with pytest.raises(TypeError, match="path or a binary file"):
        archive_links(5)

    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise OSError(5, "broken disk")

    with pytest.raises(OSError, match="broken disk"):
        archive_links(Broken()).to_pyarrow().read_all()


class Interrupted(Pipe):
    """A pipe that raises an exception after some reads."""

    def __init__(self, data, error):
        super().__init__(data)
        self.error, self.left = error, 200

    def read(self, size=-1):
        self.left -= 1
        if self.left < 0:
            raise self.error("here")
        return super().read(size)


def test_only_what_is_no_failure_to_read_ends_the_reading():
    archive = warc.archive([warc.record("http://h/", "<a href=x>" + " " * 500)] * 20, gzipped=False)
    for error in (OSError, ValueError):
        found, problems = rows(Interrupted(archive, error))
        assert found
        assert problems[-1].message == f"{error.__name__}: here"
    for error in (KeyboardInterrupt, SystemExit):
        reader = archive_links(Interrupted(archive, error), batch_rows=1).to_pyarrow()
        with pytest.raises(pa.ArrowException, match=f"{error.__name__}: here"):
            while True:
                reader.read_next_batch()
        with pytest.raises(StopIteration):
            reader.read_next_batch()


class InterruptedOnce(io.BytesIO):
    """A file that raises KeyboardInterrupt at one read."""

    def __init__(self, data, at):
        super().__init__(data)
        self.left = at

    def read(self, size=-1):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt("here")
        return super().read(size)


def test_an_interrupt_at_any_read_of_a_wacz_ends_the_reading():
    data = warc.wacz({"a.warc.gz": warc.archive(RECORDS), "b.warc": warc.archive(RECORDS, gzipped=False)})
    whole = InterruptedOnce(data, 0)
    archive_links(whole).to_pyarrow().read_all()
    reads = -whole.left
    assert reads > 5
    for at in range(1, reads + 1):
        with pytest.raises((KeyboardInterrupt, pa.ArrowException), match="here"):
            archive_links(InterruptedOnce(data, at)).to_pyarrow().read_all()


def test_other_libraries_read_the_batches():
    archive = warc.archive(RECORDS)
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(archive_links(io.BytesIO(archive))).height == 10
    duckdb = pytest.importorskip("duckdb")
    found = archive_links(io.BytesIO(archive)).to_pyarrow()
    assert duckdb.sql("SELECT count(*), count(DISTINCT page) FROM found").fetchall() == [(10, 5)]
    assert relref.resolve_column("http://h/", polars.DataFrame(archive_links(io.BytesIO(archive)))["reference"]).null_count == 0


def test_fields_feeds_and_robots_have_links():
    records = [
        warc.record("http://h/a", "", "Content-Type: image/gif\r\nLocation: /b\r\nLink: <c>; rel=next"),
        warc.record("http://h/sitemap.xml", "<urlset><url><loc>http://h/d</loc></url></urlset>", "Content-Type: text/xml"),
        warc.record("http://h/robots.txt", "Sitemap: http://h/s.xml\n", "Content-Type: text/plain"),
        warc.record("http://h/m.xml.gz", gzip.compress(b"<urlset><url><loc>e</loc></url></urlset>"), "Content-Type: application/gzip"),
    ]
    found, problems = rows(warc.archive(records))
    assert problems == []
    assert [(row["element"], row["attribute"], row["rel"], row["uri"]) for row in found] == [
        ("http", "location", "", "http://h/b"),
        ("http", "link", "next", "http://h/c"),
        ("loc", "text", "", "http://h/d"),
        ("sitemap", "text", "", "http://h/s.xml"),
        ("loc", "text", "", "http://h/e"),
    ]


def test_sitemaps_of_any_type_and_feeds_sent_as_html_have_links():
    sitemap = b"<urlset><url><loc>http://h/a</loc></url></urlset>"
    # A frame with one block that is not compressed.
    zstd = b"\x28\xb5\x2f\xfd\x20" + bytes([len(sitemap)]) + (len(sitemap) << 3 | 1).to_bytes(3, "little") + sitemap
    for body, media_type, element in [
        (gzip.compress(sitemap), "application/gzip", "loc"),
        (gzip.compress(sitemap), "application/octet-stream", "loc"),
        (gzip.compress(sitemap), "binary/octet-stream", "loc"),
        (gzip.compress(sitemap), "text/xml", "loc"),
        (sitemap, "application/octet-stream", "loc"),
        (zstd, "application/zstd", "loc"),
        (zstd, "application/octet-stream", "loc"),
        (b"<rss><channel><link>http://h/a</link></channel></rss>", "text/html", "link"),
        (b"<!--" + b"x" * 2000 + b"--><feed><link href='http://h/a'/></feed>", "text/html", "link"),
        (b"<!--" + b"x" * 2000 + b"-->" + sitemap, "application/xml", "loc"),
    ]:
        found, problems = rows(warc.archive([warc.record("http://h/file", body, f"Content-Type: {media_type}")]))
        assert ([(row["element"], row["uri"]) for row in found], problems) == ([(element, "http://h/a")], []), (media_type, body)


def test_large_files_that_are_no_pages_are_no_problems():
    for body in (b"\0" * 20_000, gzip.compress(random.Random(1).randbytes(20_000))):
        record = warc.record("http://h/file", body, "Content-Type: application/octet-stream")
        found = archive_links(io.BytesIO(warc.archive([record])), max_page=1000)
        assert found.to_pyarrow().read_all().num_rows == 0
        assert (found.problems, found.skipped["not_pages"]) == ([], 1)


def test_links_that_are_no_valid_url_are_counted():
    archive = warc.archive([warc.record("http://h/", "<a href='http://a b/'><a href=x>"), warc.record("nonsense", "<a href=x>")])
    found = archive_links(io.BytesIO(archive), key="surt")
    assert [row["uri"] for row in found.to_pyarrow().read_all().to_pylist()] == ["http://h/x"]
    assert (found.invalid, found.links) == (1, 1)
    assert "nonsense" in found.problems[0].message
    assert [(row["reference"], row["uri"], row["key"]) for row in rows(archive, key="surt", report_invalid=True)[0]] == [
        ("http://a b/", None, None),
        ("x", "http://h/x", "h)/x"),
    ]


def wat(uri, json):
    json = json.encode() if isinstance(json, str) else json
    return (
        f"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: {uri}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(json)}\r\n\r\n"
    ).encode() + json + b"\r\n\r\n"


def test_wat_files_have_links():
    links_json = '{"HTML-Metadata":{"Links":[{"path":"A@/href","url":"b?c","text":"d"}]}}'
    json = '{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":' + links_json + "}}}"
    archive = warc.archive([wat("http://h/w", '{"Envelope":{}}'), wat("http://h/a/", json), wat("http://h/x", json[:-9])])
    found = archive_links(io.BytesIO(archive), columns=["page", "element", "attribute", "uri"])
    assert found.to_pyarrow().read_all().to_pylist() == [
        {"page": "http://h/a/", "element": "a", "attribute": "href", "uri": "http://h/a/b?c"}
    ]
    assert found.skipped["other_kinds"] == 1
    assert "JSON is damaged" in found.problems[0].message and len(found.problems) == 1


def test_wat_files_that_are_not_utf_8_have_links():
    links_json = b'{"HTML-Metadata":{"Title":"\xe9","Links":[{"path":"A@/href","url":"b?c"}]}}'
    json = b'{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":' + links_json + b"}}}"
    found = archive_links(io.BytesIO(warc.archive([wat("http://h/a/", json)])), columns=["uri"])
    assert found.to_pyarrow().read_all().to_pylist() == [{"uri": "http://h/a/b?c"}]
    assert (found.skipped["other_kinds"], found.problems) == (0, [])


WACZ = {"one.warc.gz": warc.archive(RECORDS[:3]), "two é.warc": warc.archive(RECORDS[3:], gzipped=False)}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_wacz_files_are_read_with_all_their_archives(tmp_path, method):
    image = warc.record("http://h/i", "GIF89a", "Content-Type: image/gif")
    content = warc.wacz({**WACZ, "three.warc.gz": warc.archive([image])}, method)
    expected = []
    for name, archive in WACZ.items():
        expected += [{**row, "archive": f"archive/{name}"} for row in rows(archive)[0]]
    # The name or the start tells.
    for name, start in [("crawl.wacz", b""), ("crawl.WACZ", b"before"), ("crawl.zip", b"")]:
        path = tmp_path / name
        path.write_bytes(start + content)
        found = archive_links(path, batch_rows=1)
        batches = list(found.to_pyarrow())
        assert len(batches) == 5
        assert [row for batch in batches for row in batch.to_pylist()] == expected
        assert (found.pages, found.links, found.skipped["other_media_types"], found.problems) == (5, 10, 1, [])
        assert rows(str(path)) == (expected, [])
    with path.open("rb") as file:
        assert rows(file) == (expected, [])
    assert rows(content) == (expected, [])
    assert {row["archive"] for row in rows(warc.archive(RECORDS))[0]} == {None}


def test_problems_of_wacz_files_name_the_archive():
    start = len(gzip.compress(RECORDS[0]))
    broken = bytearray(WACZ["one.warc.gz"])
    broken[start] ^= 1
    content = warc.wacz({**WACZ, "one.warc.gz": bytes(broken)})
    found, problems = rows(content)
    assert [row["page"] for row in found[::2]] == ["http://h0.com/a/", "http://h2.com/a/", "http://h3.com/a/", "http://h4.com/a/"]
    assert [(problem.offset, problem.archive) for problem in problems] == [(start, "archive/one.warc.gz")]
    in_rows, none = rows(content, problems="rows", columns=["problem", "offset", "archive"])
    assert [tuple(row.values()) for row in in_rows if row["problem"]] == [(problems[0].message, *problems[0][::2])]
    assert none == []


def test_wacz_files_that_are_damaged_lose_only_what_is_damaged():
    content = warc.wacz(WACZ)
    whole = [row["uri"] for row in rows(content)[0]]
    for end in range(4, len(content), 7):
        found, problems = rows(content[:end])
        assert [row["uri"] for row in found] == whole[: len(found)], end
        assert problems and problems[0].message.startswith("it has no ZIP directory at its end"), end
    other = warc.wacz(WACZ, zipfile.ZIP_BZIP2)
    found, problems = rows(other)
    assert found == []
    assert [problem[::2] for problem in problems] == [(None, f"archive/{name}") for name in WACZ]
    assert "compression method" in problems[0].message
    empty = warc.wacz({})
    assert rows(empty) == ([], [(None, "a ZIP file that is neither a WACZ (no file in a folder `archive`) nor an EPUB: not read", None)])


def test_a_long_name_in_a_wacz_file_is_bounded():
    name = "x" * 60_000
    page = warc.record("http://h/", "<a href=b>" * 10_000)
    found = archive_links(io.BytesIO(warc.wacz({name: page})), columns=["archive"])
    number = sum(batch.num_rows for batch in found.to_pyarrow())
    assert 10 < number < 1000
    assert f"{10_000 - number} left out" in found.problems[0].message


def test_wacz_files_that_cannot_seek_are_refused(tmp_path):
    content = warc.wacz(WACZ)
    for error in (OSError, ValueError):
        with pytest.raises(error, match="cannot seek: write it to a file first"):
            archive_links(Pipe(content))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(content))
        writer.start()
        with pytest.raises(io.UnsupportedOperation, match="cannot seek"):
            archive_links(tmp_path / "pipe")
        writer.join()


COMMAND = os.environ.get("RELREF_COMMAND")


def archives_of_all_kinds():
    """Yields the names and bytes of archives with pages of all kinds, whole, cut and damaged."""
    links_json = '{"HTML-Metadata":{"Links":[{"path":"A@/href","url":"b"}]},"Headers":{"Location":"c"}}'
    json = '{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":%s}}}'
    sitemap = b"<urlset><url><loc>http://h/d</loc></url></urlset>"
    records = [
        *RECORDS,
        warc.record("http://h/a", "", "Content-Type: image/gif\r\nLocation: /b"),
        warc.record("http://h/map", sitemap, "Content-Type: text/xml"),
        warc.record("http://h/map.gz", gzip.compress(sitemap), "Content-Type: application/gzip"),
        warc.record("http://h/map.gz", gzip.compress(sitemap)[:-9], "Content-Type: application/gzip"),
        warc.record("http://h/file.gz", gzip.compress(b"\0\1" * 5000)[:-9], "Content-Type: application/octet-stream"),
        warc.record("http://h/robots.txt", "Sitemap: http://h/s.xml\n", "Content-Type: text/plain"),
        warc.record("http://h/feed", "<rss><channel><link>http://h/a</link></channel></rss>"),
        warc.record("nonsense", "<a href=x>"),
        warc.record("http://h/empty", ""),
        warc.record("http://h/empty", "", "X: y"),
        warc.record("http://h/bad", "<a href=x>", "Content-Encoding: gzip"),
        wat("http://h/", '{"Envelope":{}}'),
        wat("http://h/", json % links_json),
        wat("http://h/", json % '{"Headers":{"Location":"c"}}'),
        wat("http://h/", (json % links_json)[:-9]),
        wat("http://h/", (json % ('"' + "x" * (9 << 20) + '"'))),
        response(f"{IMAGE}X: a\rb\r\n\r\n"),
        response(f"{PAGE}X: a\rb\r\n\r\n", "<a href=x>"),
        response(IMAGE),
        response(IMAGE + "Location: x\r\n"),
    ]
    yield "all", warc.archive(records)
    for number, record in enumerate(records):
        if len(record) < 100_000:
            for cut in (2, 6, 40):
                yield f"cut {number} {cut}", record[:-cut]
            yield f"length {number}", warc.archive([record.replace(b"Content-Length: ", b"Content-Length: 1", 1), *RECORDS], gzipped=False)
    yield "wacz", warc.wacz({"a.warc.gz": warc.archive(records), "b.warc": b"".join(records), "c": b"nonsense"})
    yield "wacz cut", warc.wacz({"a.warc.gz": warc.archive(records), "b.warc": b"".join(records)})[:-200]
    yield "wacz empty", warc.wacz({})


@pytest.mark.skipif(COMMAND is None, reason="RELREF_COMMAND is not set to the command")
def test_the_command_counts_and_reports_the_same(tmp_path):
    path = tmp_path / "all.warc"
    for name, archive in archives_of_all_kinds():
        path.write_bytes(archive)
        done = subprocess.run([COMMAND, "links", "--damaged-ok", path], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 1), done.stderr
        lines = [line.removeprefix(f"relref: {path}:").lstrip() for line in done.stderr.splitlines()]
        pages, links = re.search(r" (\d+) pages?, (\d+) links?, ", lines.pop()).groups()
        found = archive_links(path)
        found.to_pyarrow().read_all()
        assert (found.pages, found.links) == (int(pages), int(links)), name
        problems = []
        for offset, message, archive in found.problems:
            places = [archive] if archive else []
            places += [] if offset is None else [f"record at byte {offset}"]
            problems.append(": ".join([*places, message]))
        problems = [problem.replace('its URI "nonsense"', "nonsense") for problem in problems]
        assert sorted(problems) == sorted(lines), name


FACTS = ["status", "date", "media_type", "charset", "title", "hreflang", "media"]


def test_facts():
    body = "<link href=f hreflang=fr><title>\xcf\xf0 &amp; </title><style media=print>@import 'c'</style>".encode("latin-1")
    head = "Content-Type: Text/HTML; charset=windows-1251\r\nLocation: to"
    page = warc.record("http://h/", body, head).replace(b"1.1 200", b"1.1 301", 1)
    page = page.replace(b"\r\nContent-Length", b"\r\nWARC-Date: 2024-01-02T03:04:05Z\r\nContent-Length", 1)
    file = b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/f\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\n"
    archive = page + warc.record("http://h/2", "<a href=x>") + file + b"damage"
    found, (problem,) = rows(archive, columns=["uri", *FACTS])
    common = (301, "2024-01-02T03:04:05Z", "text/html", "windows-1251", "Пр &")
    assert [tuple(row.values()) for row in found] == [
        ("http://h/to", *common, None, None),
        ("http://h/f", *common, "fr", None),
        ("http://h/c", *common, None, "print"),
        ("http://h/x", 200, None, "text/html", "UTF-8", None, None, None),
        ("http://h/x", None, None, None, "UTF-8", None, None, None),
    ]
    # They come after the columns that are there without them.
    options = {"problems": "rows", "key": "surt", "robots": True, "max_text": 10}
    few, all_ = archive_links(io.BytesIO(archive), **options), archive_links(io.BytesIO(archive), facts=True, **options)
    few, all_ = few.to_pyarrow().read_all(), all_.to_pyarrow().read_all()
    assert all_.column_names == few.column_names + FACTS
    assert all_.select(few.column_names) == few and all_["status"].to_pylist() == [301] * 3 + [200] + [None] * 2
    assert str(all_.schema.field("status").type) == "int64"
    assert all_.to_pylist()[-1]["offset"] == problem.offset


def test_status_selects_captures():
    pages = [warc.record(f"http://h/{code}", "<a href=x>").replace(b"1.1 200", b"1.1 %d" % code, 1) for code in (200, 301, 404)]
    for name, content in ("a.warc", warc.archive(pages)), ("a.wacz", warc.wacz({"a.warc": warc.archive(pages)})):
        for status, codes in (("200", [200]), ("3xx,404", [301, 404]), (None, [200, 301, 404])):
            found = archive_links(io.BytesIO(content), columns=["status"], status=status)
            assert [row["status"] for row in found.to_pyarrow().read_all().to_pylist()] == codes, name
            assert (found.pages, found.skipped["other_statuses"]) == (len(codes), 3 - len(codes))
    with pytest.raises(ValueError, match="status: .*3x"):
        archive_links(io.BytesIO(b""), status="3x")


def test_texts_robots_and_scope():
    pages = [
        warc.record("http://www.h.com/", "<meta name=robots content=nofollow><a href=x>one</a><a href='http://other.com/'>two</a>"),
        warc.record("http://www.h.com/b", "<a href='mailto:x'>three</a><a href='http://a.h.com/y' rel=nofollow>four</a><a href=z>five"),
    ]
    archive = warc.archive(pages)
    columns = ["uri", "text", "nofollow"]
    found, _ = rows(archive, max_text=4, robots=True, columns=columns)
    assert [tuple(row.values()) for row in found] == [
        ("http://www.h.com/x", "one", True),
        ("http://other.com/", "two", True),
        ("mailto:x", "thre", False),
        ("http://a.h.com/y", "four", True),
        ("http://www.h.com/z", "five", False),
    ]
    tag = warc.record("http://h/", "<a href=x>", "Content-Type: text/html\r\nX-Robots-Tag: nofollow")
    json = '{"Headers":{"X-Robots-Tag":"none"},"HTML-Metadata":{"Links":[{"path":"A@/href","url":"x"}]}}'
    for record in (tag, wat("http://h/", '{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":' + json + "}}}")):
        assert rows(warc.archive([record]), robots=True, columns=["uri", "nofollow"])[0] == [{"uri": "http://h/x", "nofollow": True}]
    # The rule in a page is also about the links in its HTTP head, in memory and on disk.
    for body in ("<meta name=robots content=nofollow>", " " * (9 << 20) + "<meta name=robots content=nofollow>"):
        record = warc.record("http://h/", body, "Content-Type: text/html\r\nLocation: x")
        assert rows(record, robots=True, columns=["uri", "nofollow"])[0] == [{"uri": "http://h/x", "nofollow": True}]
    for column in ("text", "nofollow"):
        with pytest.raises(ValueError, match="no column has the name"):
            archive_links(io.BytesIO(archive), columns=[column])
    found = archive_links(io.BytesIO(archive), scope=relref.Scope(same_domain=True), columns=["uri"])
    kept = [row["uri"] for row in found.to_pyarrow().read_all().to_pylist()]
    assert kept == ["http://www.h.com/x", "http://a.h.com/y", "http://www.h.com/z"]
    assert (found.out_of_scope, found.links) == (2, 3)
    # The normal form is what counts.
    scope = relref.Scope(include=["^http://h[.]com/x$"])
    normalized = rows(archive, scope=scope, normalize=Normalizer(with_=["drop-www"]), columns=["uri"])[0]
    assert normalized == [{"uri": "http://h.com/x"}]
    same_host = rows(archive, scope=relref.Scope(same_host=True), normalize=Normalizer(with_=["drop-www"]), columns=["uri"])[0]
    assert [row["uri"] for row in same_host] == ["http://h.com/x", "http://h.com/z"]
    # The canonical link of a page is its URI, but not the base of its links.
    page = "<link rel=canonical href='//a.h.com/c?d#e'><a href=x><a href=//a.h.com/y>"
    record = warc.record("http://www.h.com/b?session=1", page)
    options = {"scope": relref.Scope(same_host=True), "kinds": ["hyperlink"], "columns": ["page", "uri"], "key": "domain"}
    assert rows(record, canonical=True, **options)[0] == [{"page": "http://a.h.com/c?d", "uri": "http://a.h.com/y"}]
    options["columns"] = ["page", "uri", "key"]
    assert rows(record, **options)[0] == [{"page": "http://www.h.com/b?session=1", "uri": "http://www.h.com/x", "key": "h.com"}]
    with pytest.raises(TypeError, match="Scope"):
        archive_links(io.BytesIO(archive), scope="same_host")


MAIL = (
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Location: http://h/a\r\n"
    b"Content-Type: text/html; charset=windows-1251\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"<a href=3D'?=EF'>\r\n--b\r\nContent-Type: text/html\r\nContent-Location: b\r\n\r\n<a href=x>\r\n--b--\r\n"
)


def book():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as entries:
        entries.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        entries.writestr("META-INF/container.xml", "<container><rootfile full-path='O/p.opf'/></container>")
        entries.writestr("O/p.opf", "<manifest><item href='a.xhtml' media-type='application/xhtml+xml'/></manifest>")
        entries.writestr("O/a.xhtml", "<a href='../../я'/>")
    return file.getvalue()


def test_mails_and_books_are_read(tmp_path):
    pages = [("http://h/a", "http://h/a?%EF"), ("thismessage:/b", "thismessage:/x")]
    (tmp_path / "a.mht").write_bytes(MAIL)
    (tmp_path / "a.mht.gz").write_bytes(gzip.compress(MAIL))
    for source in (MAIL, tmp_path / "a.mht", Pipe(MAIL), tmp_path / "a.mht.gz", gzip.compress(MAIL)):
        found, problems = rows(source)
        assert ([(row["page"], row["uri"]) for row in found], problems) == (pages, [])
    found, problems = rows(MAIL[:-8])
    assert len(found) == 2 and problems[0].message == "its end boundary is missing"
    (tmp_path / "я.epub").write_bytes(book())
    root = "epub://" + urllib.parse.quote(str(tmp_path / "я.epub"), safe="") + "/"
    for source, start in ((book(), "epub:///"), (tmp_path / "я.epub", root)):
        found, problems = rows(source)
        assert ([(row["page"], row["uri"]) for row in found], problems) == ([(start + "O/a.xhtml", start + "%D1%8F")], [])


def test_other_kinds_of_files_are_refused(tmp_path):
    for content, kind in [
        (b'{"log": {"version": "1.2"}}', "a HAR file (HTTP archive)"),
        (b"%PDF-1.7", "a PDF file"),
        (b" CDX N b a m s k r M S V g", "a CDX file (index of web archives)"),
    ]:
        path = tmp_path / "x.warc"
        path.write_bytes(content)
        for source in (path, io.BytesIO(content), Pipe(content)):
            with pytest.raises(OSError, match=re.escape(kind + ": not read")):
                archive_links(source)


def test_rows_are_named_tuples():
    pages = [warc.record(f"http://example.com/{number}", "<a href=x>x</a><a href=y>y</a>") for number in range(3)]
    rows = list(relref.archive_links(io.BytesIO(warc.archive(pages)), max_text=10, facts=True, batch_rows=2))
    assert [(row.page, row.uri, row.text, row.problem) for row in rows[:2]] == [
        ("http://example.com/0", "http://example.com/x", "x", None),
        ("http://example.com/0", "http://example.com/y", "y", None),
    ]
    assert (len(rows), rows[0].status, rows[0].offset, rows[0].archive) == (6, 200, 0, None)
    links = relref.archive_links(io.BytesIO(warc.archive(pages)))
    assert len(list(links)) == links.links == 6
    with pytest.raises(ValueError, match="read before"):
        iter(links)
    (problem,) = relref.archive_links(io.BytesIO(b"x"), problems="rows")
    assert (problem.problem, problem.page) == ("no record starts here", None)
