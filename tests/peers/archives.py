#!/usr/bin/env python3
"""Checks that warcio reads from web archives the pages that `relref links` reads.

    tests/peers/archives.py [--most N] [FOLDER]

The archives are two that warcio writes, plain and gzipped, of up to N (300) pages below FOLDER, by default what `cargo doc`
writes, in every coding; and those that tests/archive writes. Of each, the links of every page, and the offset of its record,
must be those of the page as warcio hands it out. Needs Python 3.8 and, the first time, PyPI: the environment is made in
target/warcio-venv.
"""

import argparse, gzip, json, os, subprocess, sys, zlib
from io import BytesIO
from pathlib import Path

import environment

ROOT = Path(__file__).resolve().parents[2]

environment.enter("warcio-venv", ["warcio==1.8.1"])

from warcio.archiveiterator import ArchiveIterator  # noqa: E402
from warcio.statusandheaders import StatusAndHeaders  # noqa: E402
from warcio.warcwriter import WARCWriter  # noqa: E402

HTML = ("text/html", "application/xhtml+xml")


def chunked(body):
    sizes = [1, 2, 7, 100, 4096, 65536]
    out, at = b"", 0
    while at < len(body):
        chunk = body[at : at + sizes[0]]
        at += len(chunk)
        sizes = sizes[1:] + sizes[:1]
        out += b"%x\r\n%s\r\n" % (len(chunk), chunk)
    return out + b"0\r\n\r\n"


def raw_deflate(body):
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(body) + deflate.flush()


CODINGS = [
    ([], lambda body: body),
    ([("Transfer-Encoding", "chunked")], chunked),
    ([("Content-Encoding", "gzip")], gzip.compress),
    ([("Content-Encoding", "deflate")], zlib.compress),
    ([("Content-Encoding", "deflate")], raw_deflate),
    ([("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")], lambda body: chunked(gzip.compress(body))),
]


def write(path, pages, is_gzip, version):
    """An archive with records of every type around the pages."""
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=is_gzip, warc_version=version)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "warcio"}))
        for number, (uri, page) in enumerate(pages):
            fields, encode = CODINGS[number % len(CODINGS)]
            media = HTML[number % 2] + ["", "; charset=UTF-8", ';charset="utf-8"'][number % 3]
            head = StatusAndHeaders("200 OK", [("Content-Type", media), *fields], protocol="HTTP/1.1")
            response = writer.create_warc_record(uri, "response", payload=BytesIO(encode(page)), http_headers=head)
            ask = StatusAndHeaders("GET / HTTP/1.1", [("Host", "h")], is_http_request=True)
            writer.write_request_response_pair(writer.create_warc_record(uri, "request", http_headers=ask), response)
            if number % 10 == 0:
                image = StatusAndHeaders("200 OK", [("Content-Type", "image/png")], protocol="HTTP/1.0")
                writer.write_record(writer.create_warc_record(uri, "response", payload=BytesIO(page), http_headers=image))
                writer.write_record(writer.create_warc_record(uri, "resource", payload=BytesIO(page)))
                digest = response.rec_headers.get_header("WARC-Payload-Digest")
                writer.write_record(writer.create_revisit_record(uri, digest, uri, "2020-01-01T00:00:00Z"))


def links(binary, *args):
    """What the command prints, and whether all went well."""
    run = subprocess.run([binary, "links", "--quiet", "--format", "jsonl", *args], capture_output=True)
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr.decode()


def compare(binary, archive, folder):
    """How many pages and links both found; ends where they differ."""
    found, problems = links(binary, str(archive))
    assert not problems, problems
    expected, pages = [], 0
    with open(archive, "rb") as file:
        records = ArchiveIterator(file)
        for record in records:
            if record.rec_type != "response" or not record.http_headers:
                continue
            media = (record.http_headers.get_header("Content-Type") or "").split(";")
            if media[0].strip().lower() not in HTML:
                continue
            uri = record.rec_headers.get_header("WARC-Target-URI")
            charset = [part.split("=")[1].strip("\"' ") for part in media[1:] if "charset=" in part.lower()]
            page = folder / "page.html"
            page.write_bytes(record.content_stream().read())
            offset = records.get_record_offset()
            its, problems = links(binary, "--base", uri, *(["--charset", charset[0]] if charset else []), str(page))
            assert not problems, problems
            pages += 1
            for link in its:
                del link["page_uri"]
                link.update(page=uri, archive=str(archive), offset=offset)
                expected.append(link)
    for place, (one, other) in enumerate(zip(found, expected)):
        assert one == other, f"{archive}: link {place}: relref has {one}, warcio {other}"
    assert len(found) == len(expected), f"{archive}: relref has {len(found)} links, warcio {len(expected)}"
    return pages, len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()

    cargo = os.environ.get("CARGO", "cargo")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--features", "cli"], cwd=ROOT, check=True)
    binary = target / "release" / "relref"
    folder = args.folder
    if not folder:
        subprocess.run([cargo, "doc", "--quiet", "--locked", "--no-deps", "--all-features"], cwd=ROOT, check=True)
        folder = target / "doc"
    real = sorted(folder.rglob("*.html"))
    real = real[:: max(1, len(real) // args.most)][: args.most]
    pages = [(f"http://example.com/{page.relative_to(folder).as_posix()}", page.read_bytes()) for page in real]
    assert pages, f"no pages in {folder}"
    place = target / "warcio"
    place.mkdir(exist_ok=True)

    total = [0, 0]
    for name, is_gzip, version in (("a.warc", False, "1.0"), ("b.warc.gz", True, "1.1")):
        write(place / name, pages, is_gzip, version)
        found = compare(binary, place / name, place)
        assert found[0] == len(pages) and found[1] > len(pages), found
        total = [sum(both) for both in zip(total, found)]
    ours = ["test", "--quiet", "--locked", "--all-features", "--test", "relref", "warc::plain_and_gzipped"]
    subprocess.run([cargo, *ours], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    written = [target / "tmp" / f"warc-{name}" / name for name in ("a.warc", "a.warc.gz")]
    for archive in written:
        found = compare(binary, archive, place)
        assert found == (3, 3), found
        total = [sum(both) for both in zip(total, found)]
    print(f"{2 + len(written)} archives, {total[0]} pages, {total[1]} links: the same")


main()
