"""The differences of Chromium that are known. Its driver is `devtools.py` of `conformance/`, a folder that others can take alone."""

import re, sys, unicodedata
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "conformance"))

from devtools import Browser, command  # noqa: E402, F401


SPECIAL = {"http", "https", "ws", "wss", "ftp", "file"}


def scheme(base, reference):
    """The scheme of a reference, or else of its base."""
    return re.match("[A-Za-z][A-Za-z0-9+.-]*(?=:)|", reference)[0].lower() or base.split(":")[0].lower()


def authority(url):
    return re.match("(?:[^:]*://([^/?#]*))?", url or "")[1] or ""


def after_authority(url):
    return re.sub("^[^:]*://[^/?#]*", "", url)


def same_but(*characters):
    """A test whether two URLs are the same if these characters are percent-encoded in both."""
    table = str.maketrans({character: f"%{ord(character):02X}" for character in characters})
    return lambda base, reference, ours, theirs: ours and theirs and ours.translate(table) == theirs.translate(table)


def is_odd(host):
    """Reports whether a host has characters that Chromium encodes and the Standard does not."""
    host = re.sub(r":\d*$", "", host.rpartition("@")[2])
    return re.search(r"[^A-Za-z0-9._-]", re.sub(r"^\[[0-9A-Fa-f:.]*\]$", "", host))


def odd_host(base, reference, ours, theirs):
    if not ours and re.match(r"\w+:", base) and is_odd(re.match(r"\w+:[/\\]*([^/\\?#]*)", base)[1]):
        return True
    odd = is_odd(authority(theirs)) or re.search("\\[.*\\][\u200b\u00ad]|[\u200b\u00ad]\\[", reference)
    after = [after_authority(url or "").replace("|", "%7C") for url in (ours, theirs)]
    return scheme(base, reference) in SPECIAL and odd and (not ours or after[0] == after[1])


def wide_host(base, reference, ours, theirs):
    return not ours and any(c > "\x7f" and unicodedata.normalize("NFKC", c) in "%:" for c in authority(reference))


def leading_zero(base, reference, ours, theirs):
    return not ours and theirs and re.search(r"\[[0-9A-Fa-f:]*:(\d+\.)*0\d[\d.]*\]", authority(reference))


def same_but_query(ours, theirs):
    without = [re.sub(r"\?[^#]*", "?", url or "") for url in (ours, theirs)]
    return without[0] == without[1]


def base_query(base, reference, ours, theirs):
    is_taken = "?" in base and "?" not in reference.split("#")[0]
    return is_taken and scheme(base, "") in SPECIAL and same_but_query(ours, theirs)


def socket_query(base, reference, ours, theirs):
    return scheme(base, reference) in ("ws", "wss") and not reference.isascii() and same_but_query(ours, theirs)


def of_file(base, reference, ours, theirs):
    return "file" in (scheme(base, ""), scheme(base, reference))


# Differences that are known: a reason, and a test of (base, reference, our URL or None, theirs or None).
KNOWN = [
    ("Chromium's base is about:blank, not the page, if a `base` element is no valid URL", lambda base, *_: base == "about:blank"),
    ("Chromium encodes `|` in paths", same_but("|")),
    ("Chromium does not encode `'` in user names", same_but("|", "'")),
    ("Chromium has URLs with odd characters in hosts, such as spaces, and encodes them", odd_host),
    ("Chromium reads wide forms of `%` and `:` in hosts as these", wide_host),
    ("Chromium takes leading zeros in the IPv4 address of an IPv6 address", leading_zero),
    ("Chromium encodes the query of a `base` element in UTF-8, not as its page", base_query),
    ("Chromium encodes the query of `ws` and `wss` URLs in the encoding of the page, not in UTF-8", socket_query),
    ("Chromium's `file:` URLs depend on the platform: drive letters, empty segments, hosts without a path", of_file),
    ("Chromium's URLs of schemes that are not special are not those of the Standard",
     lambda base, reference, ours, theirs: scheme(base, reference) not in SPECIAL),
    ("Chromium refuses bases of schemes that are not special, such as those with private-use characters in the host",
     lambda base, reference, ours, theirs: not theirs and scheme(base, "") not in SPECIAL),
]


def known(base, reference, ours, theirs):
    """The reason of a difference, or None."""
    base, reference = (re.sub("[\t\n\r]", "", text.strip("".join(map(chr, range(33))))) for text in (base or "", reference))
    return next((why for why, test in KNOWN if test(base, reference, ours, theirs)), None)
