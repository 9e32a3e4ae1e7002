"""Crawls a site, politely: from a URL the pages of its host, each once, as robots.txt allows.

    python examples/python/crawler.py URL [MOST]

Prints each page with its status and the number of its links, MOST pages at most: 100 unless given.
"""

import collections
import http.client
import sys
import time
import urllib.error
import urllib.request

import relref

AGENT = "ExampleBot"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def fetch(url, *handlers):
    """The status of a URL (500 if it cannot be fetched), its fields, and at most 10 MB of its body."""
    request = urllib.request.Request(url, headers={"User-Agent": f"{AGENT}/1.0"})
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=30) as response:
            return response.status, response.headers, response.read(10_000_000)
    except urllib.error.HTTPError as error:
        return error.code, error.headers, b""
    except (OSError, http.client.HTTPException) as error:
        print(f"{url}: {error}", file=sys.stderr)
        return 500, None, b""


def main() -> None:
    normalizer = relref.Normalizer("crawl")
    pages = relref.Pages(kinds=["hyperlink", "refresh"], fetchable=True, robots=True)
    start = normalizer.normalize(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 100

    status, _, text = fetch(relref.resolve(start, "/robots.txt"))
    # RFC 9309 §2.3.1: without a robots.txt all is allowed; if the server fails, nothing is.
    robots = relref.RobotsTxt(text if status < 400 else b"" if status < 500 else b"User-agent: *\nDisallow: /")
    scope = relref.Scope(schemes=["http", "https"], same_host=True, robots={start: robots}, user_agent=AGENT)

    waiting, seen, count = collections.deque([start]), {start}, 0
    while waiting and count < most:
        url = waiting.popleft()
        if not scope.allows(url, start):
            continue
        status, fields, body = fetch(url, NoRedirect)
        count += 1
        is_page = status < 300 and fields.get_content_type() in ("text/html", "application/xhtml+xml")
        links = pages.links(body, url, fields.get_content_charset()) if is_page else []
        print(status, url, len(links), sep="\t")
        found = [link.uri for link in links if not link.nofollow]
        if 300 <= status < 400 and fields.get("Location"):
            found.append(relref.resolve_many(url, [fields["Location"]], errors="none")[0] or url)
        for target in normalizer.normalize_many(found):
            if target not in seen and scope.allows(target, start):
                seen.add(target)
                waiting.append(target)
        time.sleep(min(robots.crawl_delay(AGENT) or 0.1, 10))


if __name__ == "__main__":
    main()
