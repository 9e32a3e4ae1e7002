#!/usr/bin/env python3
"""Checks that `relref links --robots` allows what the Python package Protego allows, by which Scrapy reads robots.txt.

    tests/peers/robots.py [--most N] [--show N]

N (2,000) files are made of lines as many sites have them, and of odd ones; each is asked about 60 URIs for six crawlers. In a file
without one of the marks below, all answers must be the same. A file with a mark has one part about which the two are known to differ,
and the number of answers that do is printed, with the reason. Needs Python 3.10 and, the first time, PyPI: the environment is made in
target/protego-venv.
"""

import argparse, html, os, random, re, subprocess, sys, tempfile
from pathlib import Path

import environment

ROOT = Path(__file__).resolve().parents[2]

environment.enter("protego-venv", ["protego==0.7.0"])

import protego  # noqa: E402
from protego import _ruleset, _urlpattern  # noqa: E402

AGENTS = ["*", "ExampleBot", "googlebot", "Googlebot-Image", "slurp", "other"]
# As WordPress, Drupal, MediaWiki, Magento, phpBB, forums and shops have them.
PATTERNS = ["/", "/wp-admin/", "/wp-admin/admin-ajax.php", "/*?s=", "/search", "/core/*.css$", "/core/*.js?", "/node/add/", "/user/login",
            "/index.php/node/add", "/w/", "/w/index.php?title=", "/wiki/Special:", "/wiki/Special%3ASearch", "/*?dir=*&order=", "/checkout/",
            "/catalog/product_compare/", "/*.php$", "/*SID=", "/viewtopic.php?*sid=", "/cgi-bin", "/*.pdf$", "/*/feed/$", "*/trackback",
            "/~user/", "/%7Euser/", "/a/b/c", "/a/*/c", "/a/b", "/café/", "/caf%C3%A9", "/путь/*/", "/日本", "/a b", "/a%20b", "", "*", "/*", "/*a*b*c$",
            "/**/b", "/a//", "/.git", "/a;b", "/a;b=", "/a,b", "/A/B", "nothing", "/a+b", "/a%2Bb", "/a@b", "/a%41", "/100%", "/a%2fb", "/*.", "/-_~!'()"]
PIECES = ["/", "/", "/", "a", "b", "c", "ab", "B", "wp-admin", "admin-ajax.php", "?s=", "?", "&order=", "dir=", "search", "core", ".css", ".js", "node", "add",
          "index.php", "w", "wiki", "Special:", "Special%3ASearch", "title=", ".pdf", "feed", "trackback", "~user", "%7Euser", "café", "caf%C3%A9", "путь",
          "%D0%BF%D1%83%D1%82%D1%8C", "日本", "%E6%97%A5", "%20", "%2B", "+", ";", ",", "@", "%41", "100%", "%2f", "%2F", "#", "//", "-_~!'()", "sid=1", "SID="]
NAMES = ["*", "*", "*", "ExampleBot", "examplebot", "Googlebot", "Googlebot-Image", "googlebot-news", "Slurp", "BadBot", "a-b", "MJ12bot"]
OTHERS = ["Sitemap: /map.xml", "# a comment", "", "", "Host: example.com", "Sitemap: http://h/a#b"]
# Lines or parts of URIs, and why the two differ about them.
MARKS = {
    "a line of another kind ends a group, to Protego": ["Crawl-delay: 1", "Noindex: /a", "Clean-param: s /a"],
    "& and = and ? are the same as their escapes, to Protego": ["Disallow: /a%3fb", "Disallow: /*%26", "Allow: /*%3d", "%3F", "%26", "%3D"],
    "%2F is the same as / in a query, to RFC 9309": ["Disallow: /*?*%2F", "Allow: /a?a/", "?%2F", "?a%2fb"],
    "$ at the end is also a character, to Protego": ["$"],
    "octets that are no UTF-8 are all the same, to Protego": ["Disallow: /%E9", "Disallow: /*%FF", "%E9", "%FE", "%FF"],
    "characters such as ? and : have three octets, to Protego": ["Allow: /*:", "Disallow: /*:*", "Allow: /*?*", "Disallow: /*&*", ":", "?a&b="],
    "/index.html is also /, to Protego": ["Allow: /a/index.html", "Allow: /*/index.html", "/index.html"],
    "a name may have more characters, to Protego": ["User-agent: ExampleBot/2.0", "User-agent: other bot", "User-agent: *bot", "User-agent: slurp*", "User-agent: o"],
    "a name is found anywhere in that of the crawler, to Protego": ["User-agent: Image", "User-agent: Example", "User-agent: oth"],
    "a missing colon is accepted in more lines, by Protego": ["User agent ExampleBot", "Disallow /a /b", "Allow a: b"],
    "a pattern that is a URL means a path, to Protego": ["Disallow: http://h/a", "Allow: https://h/", "/http://h/a", "https://h/"],
    "a query after /robots.txt, to Protego, is allowed": ["/robots.txt?a", "/robots.txt?"],
    "lines end at more characters, to Protego": ["Disallow: /a\x0bb", "Disallow: /\u2028a", "Allow: /a\x85Disallow: /b"],
}


def made(rng, mark):
    """A file and 60 paths. Without a mark, nothing of what is known to differ is in them."""
    lines, paths = [], []
    pieces = PIECES + [part for part in MARKS.get(mark, []) if ": " not in part and not part.startswith("User")] * 4
    extra = [part for part in MARKS.get(mark, []) if part not in pieces]
    for _ in range(rng.randrange(1, 6)):
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            lines.append(rng.choice(["User-agent: ", "User-Agent:", "user-agent :\t", "useragent: "]) + rng.choice(NAMES))
            if extra and rng.random() < 0.1:
                lines.append(rng.choice(extra))
        for _ in range(rng.randrange(1, 9)):
            key = rng.choice(["Disallow: ", "Disallow: ", "Disallow:", "disalow: ", "ALLOW: ", "Allow:\t"])
            end = rng.choice(["", "", " ", " # x"])
            lines.append(key + (rng.choice(PATTERNS) if rng.random() < 0.8 else "/" + "".join(rng.choices(pieces, k=3)).replace("#", "*")) + end)
            if rng.random() < 0.1:
                lines.append(rng.choice(OTHERS))
            if extra and rng.random() < 0.2:
                lines.append(rng.choice(extra))
    for _ in range(60):
        start = rng.choice(PATTERNS).replace("*", rng.choice(["a", "", "/b"])).replace("$", "") if rng.random() < 0.5 else ""
        path = "/" + (start + "".join(rng.choices(pieces, k=rng.randrange(7)))).lstrip("/")
        # Resolving would remove dot segments.
        paths.append(re.sub("/[.]+(?=[/?#]|$)", "/x", path))
    return rng.choice(["\n", "\r\n"]).join(lines) + "\n", paths


class Pattern(_urlpattern._URLPattern):
    """A pattern that is as long as relref and Google's parser have it, except for the mark about that: `?` and the like are one octet."""

    is_longer = False

    def __init__(self, pattern):
        super().__init__(pattern)
        if not Pattern.is_longer:
            self.priority = len(re.sub("%(2[16789BC]|3[ABDF]|40|5[BD])", "x", pattern))


_ruleset._URLPattern = Pattern


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=2_000)
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--package", "relref-cli"], cwd=ROOT, check=True)
    relref = os.environ.get("RELREF_COMMAND") or ROOT / "target" / "release" / ("relref.exe" if os.name == "nt" else "relref")
    rng = random.Random(1)
    marks = [None, *MARKS]
    sites = []
    for number in range(args.most):
        mark = None if number % 2 == 0 else rng.choice(list(MARKS))
        text, paths = made(rng, mark)
        sites.append((f"h{number}.example", mark, text, paths))
    counts, differ, shown = dict.fromkeys(marks, 0), dict.fromkeys(marks, 0), 0
    with tempfile.TemporaryDirectory() as folder:
        page = ""
        for host, mark, text, paths in sites:
            Path(folder, host).mkdir()
            Path(folder, host, "robots.txt").write_bytes(text.encode())
            page += "".join(f'<a href="{html.escape("http://" + host + path)}">\n' for path in paths)
        for agent in AGENTS:
            command = [relref, "links", "--quiet", "--rules=rfc3986", "--base=http://x/", "--robots", folder, "--user-agent", agent, "--format=text", "-"]
            done = subprocess.run(command, input=page.encode(), capture_output=True)
            assert done.returncode == 0, done.stderr.decode()[-1000:]
            allowed = set(done.stdout.decode().split("\n"))
            for host, mark, text, paths in sites:
                Pattern.is_longer = mark is not None and "octets," in mark
                robots = protego.Protego.parse(text)
                for path in paths:
                    uri = f"http://{host}{path}"
                    ours, theirs = uri in allowed, robots.can_fetch(uri, agent)
                    counts[mark] += 1
                    if ours != theirs:
                        differ[mark] += 1
                        if mark is None and shown < args.show:
                            shown += 1
                            print(f"{agent} {uri}: relref {ours}, Protego {theirs}\n{text}")
    for mark in marks:
        print(f"{counts[mark]:8} answers, {differ[mark]:6} differ: {mark or 'nothing that is known to differ'}")
    sys.exit(differ[None] > 0)


main()
