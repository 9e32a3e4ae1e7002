"""Compares relref with what Python programs use now, on real pages. Each row is measured in the same run.

    python benches/ratios.py [FOLDER]

FOLDER holds HTML pages; by default it is the documentation that comes with Rust. Needs pyarrow, scrapy and warcio.
"""

import gzip
import io
import pathlib
import subprocess
import sys
import time
import urllib.parse

import lxml.html
import pyarrow
import relref
import w3lib.url
from relref.scrapy import LinkExtractor, canonicalize_url
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor as ScrapyExtractor
from warcio.archiveiterator import ArchiveIterator

MOST_PAGES = 100


def seconds(work, number: int) -> float:
    """Returns the seconds for one of a number of things that are done at once; the fastest of some runs."""
    best = float("inf")
    stop = time.monotonic() + 2
    while time.monotonic() < stop or best == float("inf"):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best / number


def row(name: str, peer: str, relref_time: float, peer_time: float, unit: str) -> None:
    scale = {"ns": 1e9, "µs": 1e6}[unit]
    ratio = peer_time / relref_time
    print(f"| {name} | {relref_time * scale:,.0f} {unit} | {peer} | {peer_time * scale:,.0f} {unit} | {ratio:.0f} |")


def main() -> None:
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
    else:
        root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
        folder = pathlib.Path(root, "share/doc/rust/html/std/collections")
    files = sorted(folder.rglob("*.html"))[:MOST_PAGES]
    pages = [("https://doc.rust-lang.org/std/" + file.relative_to(folder).as_posix(), file.read_bytes()) for file in files]
    found = [(uri, [link.reference for link in relref.links(page, uri)]) for uri, page in pages]
    pairs = [(uri, reference) for uri, references in found for reference in references]
    uris = [urllib.parse.urljoin(*pair) for pair in pairs]
    print(f"{len(pages)} pages, {len(pairs)} links, Python {sys.version.split()[0]}\n")
    print("| relref | time | peer | time | ratio |\n|---|--:|---|--:|--:|")

    def standard():
        urljoin = urllib.parse.urljoin
        for base, reference in pairs:
            urljoin(base, reference)

    def drop_in():
        urljoin = relref.urljoin
        for base, reference in pairs:
            urljoin(base, reference)

    def bases():
        for uri, references in found:
            resolve = relref.Base(uri).resolve
            for reference in references:
                resolve(reference)

    urljoin_time = seconds(standard, len(pairs))
    row("`Base.resolve`", "`urllib.parse.urljoin`", seconds(bases, len(pairs)), urljoin_time, "ns")
    row("`urljoin`", "`urllib.parse.urljoin`", seconds(drop_in, len(pairs)), urljoin_time, "ns")
    base_column, reference_column = (pyarrow.array(column) for column in zip(*pairs))
    time_of_column = seconds(lambda: relref.resolve_column(base_column, reference_column), len(pairs))
    row("`resolve_column`", "`urllib.parse.urljoin`", time_of_column, urljoin_time, "ns")

    def canonical():
        canonicalize_url = w3lib.url.canonicalize_url
        for uri in uris:
            canonicalize_url(uri)

    def normalized():
        normalize = relref.Normalizer().normalize
        for uri in uris:
            normalize(uri)

    row("`Normalizer.normalize`", "`w3lib.url.canonicalize_url`", seconds(normalized, len(uris)), seconds(canonical, len(uris)), "ns")

    def drop_in_canonical():
        for uri in uris:
            canonicalize_url(uri)

    row("`relref.scrapy.canonicalize_url`", "`w3lib.url.canonicalize_url`", seconds(drop_in_canonical, len(uris)), seconds(canonical, len(uris)), "ns")

    reader = relref.Pages()

    def all_links():
        for uri, page in pages:
            for link in reader.links(page, uri):
                link.uri

    def lxml_links():
        for uri, page in pages:
            for _, _, reference, _ in lxml.html.document_fromstring(page).iterlinks():
                urllib.parse.urljoin(uri, reference)

    row("`Pages.links`, a page", "lxml `iterlinks` + `urljoin`", seconds(all_links, len(pages)), seconds(lxml_links, len(pages)), "µs")

    def all_absolute():
        for uri, page in pages:
            relref.make_links_absolute(page, uri)

    def lxml_absolute():
        for uri, page in pages:
            tree = lxml.html.document_fromstring(page)
            tree.make_links_absolute(uri)
            lxml.html.tostring(tree)

    row("`make_links_absolute`, a page", "that of lxml", seconds(all_absolute, len(pages)), seconds(lxml_absolute, len(pages)), "µs")

    def all_rewritten():
        for uri, page in pages:
            relref.rewrite_links(page, lambda link: link + "x", base=uri)

    def lxml_rewritten():
        for uri, page in pages:
            tree = lxml.html.document_fromstring(page)
            tree.rewrite_links(lambda link: link + "x", base_href=uri)
            lxml.html.tostring(tree)

    row("`rewrite_links`, a page", "that of lxml", seconds(all_rewritten, len(pages)), seconds(lxml_rewritten, len(pages)), "µs")

    def extract(extractor):
        for uri, page in pages:
            extractor.extract_links(HtmlResponse(uri, body=page, encoding="utf-8"))

    ours, scrapys = (seconds(lambda: extract(extractor), len(pages)) for extractor in (LinkExtractor(), ScrapyExtractor()))
    row("`relref.scrapy.LinkExtractor`, a page", "Scrapy's `LinkExtractor`", ours, scrapys, "µs")

    archive = make_archive(pages)

    def archive_rows():
        relref.archive_links(io.BytesIO(archive), normalize="crawl").to_pyarrow().read_all()

    def warcio_rows():
        rows = []
        for record in ArchiveIterator(io.BytesIO(archive)):
            uri = record.rec_headers.get_header("WARC-Target-URI")
            for element, attribute, reference, _ in lxml.html.document_fromstring(record.content_stream().read()).iterlinks():
                found = urllib.parse.urljoin(uri, reference)
                rows.append((uri, element.tag, attribute, reference, w3lib.url.canonicalize_url(found)))

    ours, peers = (seconds(work, len(pages)) for work in (archive_rows, warcio_rows))
    row("`archive_links`, normalized, a page", "warcio + lxml + `urljoin` + w3lib", ours, peers, "µs")


def make_archive(pages: "list[tuple[str, bytes]]") -> bytes:
    """Returns a gzipped WARC archive."""
    members = []
    for uri, page in pages:
        content = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
        head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nContent-Type: application/http; msgtype=response\r\n"
        head += f"WARC-Record-ID: <urn:uuid:x>\r\nWARC-Date: 2026-11-21T00:00:00Z\r\nContent-Length: {len(content)}\r\n\r\n"
        members.append(gzip.compress(head.encode() + content + b"\r\n\r\n"))
    return b"".join(members)


if __name__ == "__main__":
    main()
