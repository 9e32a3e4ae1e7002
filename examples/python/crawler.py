"""Crawls a site, politely: the pages below a URL, each once, as robots.txt allows.

    python examples/python/crawler.py URL [MOST]

Prints each page with its status and the number of its links, MOST pages at most: 100 unless given.
"""

import collections
import sys
import time
import urllib.error
import urllib.request

import relref

AGENT = "ExampleBot"


def fetch(url):
    """The status of a URL, the URL after redirects, its fields, and at most 10 MB of its body."""
    request = urllib.request.Request(url, headers={"User-Agent": f"{AGENT}/1.0"})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.url, response.headers, response.read(10_000_000)
    except urllib.error.HTTPError as error:
        return error.code, url, error.headers, b""


def main() -> None:
    normalizer = relref.Normalizer("crawl")
    pages = relref.Pages(kinds=["hyperlink", "refresh"], fetchable=True, robots=True)
    start = normalizer.normalize(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 100

    status, _, _, text = fetch(relref.resolve(start, "/robots.txt"))
    # RFC 9309 §2.3.1: without a robots.txt all is allowed; if the server fails, nothing is.
    robots = relref.RobotsTxt(text if status < 400 else b"" if status < 500 else b"User-agent: *\nDisallow: /")
    scope = relref.Scope(schemes=["http", "https"], same_host=True, robots={start: robots}, user_agent=AGENT)

    waiting, seen, count = collections.deque([start]), {start}, 0
    while waiting and count < most:
        url = waiting.popleft()
        if not scope.allows(url, start):
            continue
        try:
            status, final, fields, body = fetch(url)
        except OSError as error:
            print(f"{url}: {error}", file=sys.stderr)
            continue
        count += 1
        seen.add(normalizer.normalize(final))
        is_page = fields.get_content_type() in ("text/html", "application/xhtml+xml")
        links = pages.links(body, final, fields.get_content_charset()) if is_page else []
        print(status, url, len(links), sep="\t")
        # The page may be one of another site, after redirects.
        for link in links if scope.allows(final, start) else []:
            target = normalizer.normalize(link.uri)
            if not link.nofollow and target not in seen and scope.allows(target, start):
                seen.add(target)
                waiting.append(target)
        time.sleep(min(robots.crawl_delay(AGENT) or 0.1, 10))


if __name__ == "__main__":
    main()
