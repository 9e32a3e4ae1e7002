#!/usr/bin/env python3
"""Checks that `relref links` reads from web archives what warcio and other packages of Python read, or wrote.

    tests/peers/archives.py [--most N] [FOLDER]

The archives are two that warcio writes, plain and gzipped, of up to N (300) pages below FOLDER, by default what `cargo doc`
writes, in every coding; and those that crates/cli/tests/archive writes. Of each, the links of every page, and the offset of its record,
must be those of the page as warcio hands it out. The same links must be found where the package zstandard compressed the archive,
without a dictionary and with one, and in the WACZ file that the package wacz makes of both. The links of a WAT file of the same
pages must be those that Python's reader of JSON finds. ARC files, of these pages and of texts in other languages and their
character encodings, must have the links of the pages that warcio (version 1) and warctools (version 2) hand out. So must the samples
of the package pywb, of crawls by several tools. Needs Python 3.8 and, the first time, PyPI: the environment is made in
target/warcio-venv. What cannot be installed there is skipped.
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

import other_archives  # noqa: E402

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


def resolve(binary, pairs):
    """The results of relref for pairs of base and reference; "" for no valid URL."""
    lines = "".join(f"{base}\t{reference}\n" for base, reference in pairs)
    run = subprocess.run([binary, "resolve", "--rules", "whatwg", "--pairs"], input=lines.encode(), capture_output=True)
    results = run.stdout.decode().split("\n")[:-1]
    assert len(results) == len(pairs), run.stderr.decode()
    return results


def compare(binary, archive, folder):
    """The links that both found, and the number of pages; ends where they differ."""
    expected, pages = links_by_warcio(binary, archive, folder)
    check(binary, archive, expected)
    return expected, pages


def links_by_warcio(binary, archive, folder):
    """The links of the pages that warcio hands out, and the number of these pages."""
    expected, pages = [], 0
    with open(archive, "rb") as file:
        records = ArchiveIterator(file, arc2warc=True)
        for record in records:
            if record.rec_type != "response" or not record.http_headers:
                continue
            media = (record.http_headers.get_header("Content-Type") or "").split(";")
            if media[0].strip().lower() not in HTML:
                continue
            uri = record.rec_headers.get_header("WARC-Target-URI")
            charset = [part.split("=")[1].strip("\"' ") for part in media[1:] if "charset=" in part.lower()]
            page = folder / ("page.html" if media[0].strip().lower() == HTML[0] else "page.xhtml")
            page.write_bytes(record.content_stream().read())
            offset = records.get_record_offset()
            its, problems = links(binary, "--base", uri, *(["--charset", charset[0]] if charset else []), str(page))
            assert all("not well-formed XML" in line for line in problems.splitlines()), problems
            pages += 1
            for link in its:
                for name in ("page_uri", "start", "end", "line", "column"):
                    link.pop(name, None)
                link.update(page=uri, archive=str(archive), offset=offset)
                expected.append(link)
    return expected, pages


def compare_samples(binary, place):
    """Compares the sample archives of the package pywb, many of which other tools wrote. Returns the numbers of archives, pages and links."""
    counts = [0, 0, 0]
    for archive in other_archives.samples(place):
        expected, pages = links_by_warcio(binary, archive, place)
        # The links of HTTP fields, style sheets and images are relref's own.
        found = [link for link in links(binary, str(archive))[0] if link["element"] != "http" and link.get("media_type") in HTML]
        facts = ("page", "offset", "element", "attribute", "reference", "uri")
        ours, theirs = ([[link.get(fact) for fact in facts] for link in its] for its in (found, expected))
        assert ours == theirs, f"{archive}: relref has {len(ours)} links, expected are {len(theirs)}"
        counts = [count + more for count, more in zip(counts, (1, pages, len(found)))]
    return counts


def check(binary, archive, expected, *args):
    """Ends if the links of an archive are not the expected ones."""
    found, problems = links(binary, *args, str(archive))
    # Pages of XHTML that browsers show as HTML.
    problems = [line for line in problems.splitlines() if "not well-formed XML" not in line]
    assert not problems, problems
    for place, (one, other) in enumerate(zip(found, expected)):
        one = {name: one.get(name) for name in other}
        assert one == other, f"{archive}: link {place}: relref has {one}, expected is {other}"
    assert len(found) == len(expected), f"{archive}: relref has {len(found)} links, expected are {len(expected)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    args = parser.parse_args()

    cargo = os.environ.get("CARGO", "cargo")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    subprocess.run([cargo, "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    binary = target / "release" / "relref"
    folder = args.folder
    if not folder:
        subprocess.run([cargo, "doc", "--quiet", "--locked", "--no-deps", "--workspace", "--all-features"], cwd=ROOT, check=True)
        folder = target / "doc"
    real = sorted(folder.rglob("*.html"))
    real = real[:: max(1, len(real) // args.most)][: args.most]
    pages = [(f"http://example.com/{page.relative_to(folder).as_posix()}", page.read_bytes()) for page in real]
    assert pages, f"no pages in {folder}"
    place = target / "warcio"
    place.mkdir(exist_ok=True)

    archives, page_count = [], 0
    for name, is_gzip, version in (("a.warc", False, "1.0"), ("b.warc.gz", True, "1.1")):
        write(place / name, pages, is_gzip, version)
        expected, its_pages = compare(binary, place / name, place)
        assert its_pages == len(pages) and len(expected) > len(pages), (its_pages, len(expected))
        archives.append((place / name, expected))
        page_count += its_pages
    others = [*other_archives.zstandard_archives(*archives[0], place), *other_archives.wacz_archives(archives, place)]
    for archive, expected in others:
        check(binary, archive, expected)
    archives += others
    for name, is_gzip in (("a.arc", False), ("b.arc.gz", True)):
        others = [(uri, page, "utf-8") for uri, page in pages] + list(other_archives.texts())
        other_archives.write_arc(place / name, others, CODINGS, 1, is_gzip)
        expected, its_pages = compare(binary, place / name, place)
        assert its_pages == len(others), (its_pages, len(others))
        archives.append((place / name, expected))
        page_count += its_pages
        offsets = other_archives.write_arc(place / f"2-{name}", others, CODINGS, 2, is_gzip)
        second = other_archives.as_version_2(place / name, expected, place / f"2-{name}", offsets)
        if second is not None:
            check(binary, place / f"2-{name}", second)
            archives.append((place / f"2-{name}", second))
    wat = place / "a.warc.wat.gz"
    other_archives.write_wat(wat, pages, WARCWriter)
    expected = other_archives.read_wat(wat, ArchiveIterator, lambda pairs: resolve(binary, pairs))
    check(binary, wat, expected, "--text")
    archives.append((wat, expected))
    ours = ["test", "--quiet", "--locked", "--package", "relref-cli", "--test", "command", "archive::whole::plain_and_gzipped"]
    written = [target / "tmp" / f"warc-{name}" / name for name in ("a.warc", "a.warc.gz")]
    for archive in written:
        archive.unlink(missing_ok=True)
    subprocess.run([cargo, *ours], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for archive in written:
        expected, its_pages = compare(binary, archive, place)
        assert (its_pages, len(expected)) == (3, 3), (its_pages, expected)
        archives.append((archive, expected))
        page_count += its_pages
    samples, sample_pages, sample_links = compare_samples(binary, place)
    print(f"{samples} samples of pywb, {sample_pages} pages, {sample_links} links: the same")
    print(f"{len(archives)} archives, {page_count} pages, {sum(len(expected) for _, expected in archives)} links: the same")


if __name__ == "__main__":
    main()
