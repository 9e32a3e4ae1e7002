"""Calls that type checkers must take, as `.ci/python` lets mypy check; nothing runs them."""

import gzip
import pathlib
import tempfile
from typing import Optional

import relref


class Readable:
    def read(self, size: int = -1, /) -> bytes:
        return b""


class File(Readable):
    def seek(self, offset: int, whence: int = 0, /) -> int:
        return 0


def calls(path: pathlib.Path) -> None:
    for archive in (Readable(), gzip.open(path), path.open("rb"), tempfile.TemporaryFile(), "x.warc", path):
        relref.archive_links(archive)
    for file in (File(), gzip.open(path), path.open("rb"), tempfile.TemporaryFile()):
        relref.Pages().stream(file, "http://example.com/", print)
    for source in (Readable(), path.open("rb"), [b"<a href=x>"], iter([b""])):
        streamed: "list[Optional[str]]" = [link.uri for link in relref.Pages().stream(source, "http://example.com/")]
    with relref.Pages().start("http://example.com/") as page:
        fed: "list[relref.Link]" = page.feed(b"<a href=x>") + page.finish()
    print(streamed, fed, relref.Url("http://example.com/").replace(query={"page": 2}, port=8080))
    uri: Optional[str] = relref.links(path)[0].uri
    uris: "list[Optional[str]]" = [link.uri for link in relref.archive_links(path)]
    link = relref.Link("a", "href", "hyperlink", "", "x", uri)._replace(uri=uris[0])
    print(link._asdict(), relref.links("", "http://example.com/", media_type="text/css"))
    url = relref.Url("http://example.com/")
    robots = relref.Scope(robots={url: relref.RobotsTxt("")}), relref.Scope(robots={"http://example.com": relref.RobotsTxt("")})
    scopes = relref.Scope(within=url, max_depth=4), relref.Scope(within=["http://example.com/", url]), relref.RobotsTxt("").allows(url)
    text: str = relref.rewrite("", lambda link: link.uri if link.kind == "resource" else None, url, kinds=["resource"])
    data: bytes = relref.rewrite_links(b"", lambda uri: relref.Url(uri).parent, url, media_type="text/css")
    print(robots, scopes, text, data, url < "http://example.com/", url == "http://example.com/", relref.resolve_many(url, [url, "a"]))
    dates: "list[Optional[str]]" = [entry.lastmod for entry in relref.sitemap_entries(b"", url)]
    print(dates, relref.compare(url, "a").get(relref.RULES[0]), relref.relativize(url, url, form="relative"), relref.check(path, url, ignore="a"))
