"""A generator of odd bases and references."""

import random

SCHEMES = [
    "http", "https", "HTTP", "hTTps", "ftp", "file", "mailto", "javascript", "data", "s3", "ws", "1a", "a+b", "sip", "tel", "x",
    "svn+ssh", "itms-services", "", "é", "a_b", "urn",
]
HOSTS = [
    "h", "example.com", "a.b:80", "a:", "a:b", "u@h", "u:p@h", "[::1]", "[::1", "::1]", "[v1.x]", "[x]", "", "H", "a_b", "a-b.c",
    "é.com", "\u2100.com", "a\u212ab", "h%41", "h\\x", "h h", "h\t", "1.2.3.4", "[::1]:80", "x[::1]", "h;p", "\uff0e", ".", "..", "~",
    "h:8080", "h:80x",
]
SEGMENTS = [
    "", "", ".", "..", "...", "a", "b", "c.html", "a b", "é", "%2e", "%2E%2e", ";", "a;b", ";p", "a;", "..;x", ".;", ":", "a:b", "@",
    "&", "=", "\\", "~", "|", "\u3000", "\x7f", "\x85", "\xa0", "+", "*", "1:2", "-x:y", "x,y", "\u2028", "[", "]", "!", "$",
]
TAILS = [
    "", "", "", "?", "#", "?#", "??", "##", "?q", "#f", "?q#f", "?q#", "?#f", "?a=b&c", "#/../x", "?/../x", "?a;b", "#a;b", "?é", "?\t",
    "#\n", "? ", "# ", "?q?r", "#f#g", "?:", "#:", "?//h", "#//h", "?[", "?;", "#;",
]
CHARACTERS = list("ab/.:;?#@[]%\\ \t\r\n\0\x1f\x7f\x85\xa0é\u2028\ufeff\U0001f600-+_~&=|") + ["//", "/.", "/..", "http:", "https://h"]


def path(rng: random.Random) -> str:
    start = rng.choice(["", "", "/", "/", "//", "./", "../", "/./", "/../"])
    return start + "/".join(rng.choice(SEGMENTS) for _ in range(rng.choice([0, 1, 1, 2, 3, 5])))


def reference(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.15:
        return "".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(12)))
    out = ""
    if kind < 0.4:
        out += rng.choice(SCHEMES) + ":"
    if rng.random() < 0.3:
        out += "//" + rng.choice(HOSTS)
    out += path(rng) + rng.choice(TAILS)
    return odd(rng, out)


def base(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.1:
        return reference(rng)
    scheme = rng.choice(["http", "https"]) if kind < 0.85 else rng.choice(SCHEMES)
    host = rng.choice(["h", "example.com", "a.b:80"]) if kind < 0.7 else rng.choice(HOSTS)
    return odd(rng, scheme + "://" + host + rng.choice(["", "/", "/a/b", "/a//b", "/a/../b/"]) + path(rng) + rng.choice(TAILS))


def odd(rng: random.Random, text: str) -> str:
    """Puts a random character into some texts."""
    if rng.random() < 0.15:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(CHARACTERS) + text[at:]
    return text
