"""For Scrapy: a link extractor, a request fingerprinter, a parser of robots.txt and canonicalize_url, each to put in the place of Scrapy's
or w3lib's.

    from relref.scrapy import LinkExtractor

    class Spider(CrawlSpider):
        rules = [Rule(LinkExtractor(allow=r"/docs/"), callback="parse_page")]
"""

import functools
import hashlib
import inspect
import logging
from collections.abc import Iterable
from typing import Any, Optional
from urllib.parse import urljoin as _urljoin

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.link import Link
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor
from scrapy.robotstxt import RobotParser as _RobotParser
from scrapy.utils.misc import arg_to_iter, rel_has_nofollow
from scrapy.utils.response import get_base_url
from w3lib.url import canonicalize_url as _canonicalize_url
from w3lib.url import safe_url_string

from ._relref import Normalizer, RobotsTxt, _LinkFinder, _canonical_shortcut, urljoin

__all__ = ["LinkExtractor", "RequestFingerprinter", "RobotParser", "canonicalize_url"]

logger = logging.getLogger(__name__)

# The elements that are read without a tree: those without content in libxml2, and `a`.
_ELEMENTS = frozenset("a area base basefont br col frame hr img input isindex link meta param".split())
# Versions of Scrapy differ in it.
_has_nofollow = functools.lru_cache(maxsize=1000)(rel_has_nofollow)
_SIGNATURE = inspect.signature(LxmlLinkExtractor.__init__)
_METHODS = {name: getattr(LxmlLinkExtractor, name) for name in ("_link_allowed", "_process_links", "_extract_links")}
_PARTS_OF_PARSER = ("scan_tag", "scan_attr", "process_attr", "link_key")
# Old versions of w3lib lose the brackets.
_KEEPS_IPV6 = safe_url_string("http://[::1]:80/a") == "http://[::1]:80/a"


class LinkExtractor(LxmlLinkExtractor):
    """Scrapy's LinkExtractor, with the same arguments and the same links, in a fraction of the time.

    What needs a tree is left to Scrapy's own: restrict_xpaths, restrict_css, process_value, tags other than `a` and elements without
    content, `"*"` as a tag or attribute, responses that are not HTML, and pages on which an `a` has no clear end. Attributes that are
    changed later, such as `allow_domains`, count as they do in Scrapy's.

    >>> from scrapy.http import HtmlResponse
    >>> page = HtmlResponse("http://example.com/", body=b"<a href=/docs/a>start</a> <a href=b>other</a>")
    >>> LinkExtractor(allow="/docs/").extract_links(page)
    [Link(url='http://example.com/docs/a', text='start', fragment='', nofollow=False)]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = _SIGNATURE.bind(self, *args, **kwargs)
        given.apply_defaults()
        tags, attributes = (set(arg_to_iter(given.arguments[name])) for name in ("tags", "attrs"))
        tags -= set(arg_to_iter(given.arguments.get("deny_tags")))
        attributes -= set(arg_to_iter(given.arguments.get("deny_attrs")))
        needs_tree = (
            given.arguments["process_value"] is not None
            or not tags <= _ELEMENTS
            or "*" in attributes
            or not all(isinstance(name, str) for name in attributes)
        )
        self._finder: Optional[_LinkFinder] = None
        if not needs_tree:
            self._finder = _LinkFinder(sorted(tags), sorted(attributes), _KEEPS_IPV6)
        self._first_parts = self._parts()

    __init__.__signature__ = _SIGNATURE  # type: ignore[attr-defined]

    def _parts(self) -> "list[Any]":
        """Returns what finds and compares links in Scrapy's own way. If it changes, so may the links."""
        parser = self.link_extractor
        return [parser, *(getattr(parser, name) for name in _PARTS_OF_PARSER)]

    def _needs_tree(self) -> bool:
        """Reports whether Scrapy's own functions must find the links, by the attributes as they are now."""
        if self._finder is None or self.restrict_xpaths:
            return True
        if any(now is not first for now, first in zip(self._parts(), self._first_parts)):
            return True
        # A subclass, or a program, may put others in their places.
        return not (_is_own(self._process_links, "_process_links") and _is_own(self._extract_links, "_extract_links"))

    def extract_links(self, response: Any) -> "list[Link]":
        """Return the links of a response that match the arguments."""
        found = None
        parser: Any = self.link_extractor
        if isinstance(response, HtmlResponse) and _is_ascii(response.encoding) and not self._needs_tree():
            base = get_base_url(response)
            # Scrapy compares them with paths in lower case.
            extensions = [extension for extension in self.deny_extensions or () if extension == extension.lower()]
            found = self._finder.find(response.text, base, bool(parser.strip), extensions)  # type: ignore[union-attr]
        if found is None:
            return super().extract_links(response)
        unique, decides = bool(parser.unique), _is_own(self._link_allowed, "_link_allowed")
        allowed, denied = _hosts(self.allow_domains), _hosts(self.deny_domains)
        links, seen = [], set()
        for url, value, text, rel, is_denied in found:
            is_plain = url is not None
            if url is None:
                try:
                    value = urljoin(base, value)
                except ValueError:
                    continue
                try:
                    url = safe_url_string(value, encoding=response.encoding)
                except ValueError:
                    logger.debug(f"Skipping extraction of link with bad URL {value!r}")
                    continue
                url = _urljoin(response.url, url)
            if unique:
                if url in seen:
                    continue
                seen.add(url)
            if is_plain and is_denied and decides:
                continue
            link = Link(url, text, nofollow=rel is not None and _has_nofollow(rel))
            if self._is_allowed(link, allowed, denied) if is_plain and decides else self._link_allowed(link):
                links.append(link)
        if not self.canonicalize:
            return links
        for link in links:
            link.url = canonicalize_url(link.url)
        firsts: "dict[str, Link]" = {}
        for link in links:
            firsts.setdefault(link.url, link)
        return list(firsts.values()) if unique else links

    def _is_allowed(self, link: Link, allowed: "tuple[str, ...]", denied: "tuple[str, ...]") -> bool:
        """Does what _link_allowed does for a plain URL, whose scheme and extension are known to be allowed. The domains have a dot
        before them."""
        url = link.url
        if self.allow_res and not any(regex.search(url) for regex in self.allow_res):
            return False
        if self.deny_res and any(regex.search(url) for regex in self.deny_res):
            return False
        if allowed or denied:
            host = "." + url.split("/", 3)[2]
            if allowed and not host.endswith(allowed):
                return False
            if denied and host.endswith(denied):
                return False
        return not self.restrict_text or any(regex.search(link.text) for regex in self.restrict_text)


def _hosts(domains: Optional[Iterable[str]]) -> "tuple[str, ...]":
    return tuple("." + domain.lower() for domain in domains or ())


def _is_own(method: Any, name: str) -> bool:
    """Reports whether a method of an extractor is Scrapy's."""
    return getattr(method, "__func__", None) is _METHODS[name]


_ascii_encodings: "dict[str, bool]" = {}


def _is_ascii(encoding: str) -> bool:
    """Reports whether US-ASCII characters are written as in US-ASCII."""
    known = _ascii_encodings.get(encoding)
    if known is None:
        text = "".join(map(chr, range(0x20, 0x7F)))
        try:
            known = text.encode(encoding) == text.encode("ascii")
        except (LookupError, UnicodeError):
            known = False
        _ascii_encodings[encoding] = known
    return known


def canonicalize_url(
    url: Any, keep_blank_values: bool = True, keep_fragments: bool = False, encoding: Optional[str] = None, **kwargs: Any
) -> str:
    """Return the canonical form of a URL, exactly as w3lib.url.canonicalize_url does.

    A URL of US-ASCII characters mostly takes a shortcut; w3lib is called for the others.

    >>> canonicalize_url("http://example.com/?b=2&a=1#top")
    'http://example.com/?a=1&b=2'
    """
    if keep_blank_values is True and encoding is None and not kwargs:
        short = _canonical_shortcut(url, bool(keep_fragments))
        if short is not None:
            return short
    return _canonicalize_url(url, keep_blank_values, keep_fragments, encoding, **kwargs)


class RequestFingerprinter:
    """A fingerprinter for REQUEST_FINGERPRINTER_CLASS that normalizes URLs as crawlers usually do.

    Beyond Scrapy's own, requests are the same if their URLs differ in tracking parameters, dot segments, default ports, or escapes of
    unreserved characters. The setting RELREF_NORMALIZER holds the arguments of relref.Normalizer as a dict, such as {"with_": ["drop-www"]}.

    >>> from scrapy import Request
    >>> fingerprint = RequestFingerprinter().fingerprint
    >>> fingerprint(Request("http://example.com/a/../b?utm_source=c")) == fingerprint(Request("http://example.com/b"))
    True
    """

    @classmethod
    def from_crawler(cls, crawler: Any) -> "RequestFingerprinter":
        return cls(**crawler.settings.getdict("RELREF_NORMALIZER"))

    def __init__(self, **arguments: Any) -> None:
        self._normalizer = Normalizer(**arguments)

    def fingerprint(self, request: Request) -> bytes:
        """Return the digest of method, normal form of the URL, and body."""
        url = request.url
        if not request.meta.get("verbatim_url"):
            try:
                url = self._normalizer.normalize(url)
            except ValueError:
                pass
        digest = hashlib.sha1(usedforsecurity=False)
        for part in (request.method.encode(), url.encode("utf-8", "surrogatepass"), request.body or b""):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.digest()


class RobotParser(_RobotParser):
    r"""A parser for ROBOTSTXT_PARSER that reads robots.txt by RFC 9309, as relref.RobotsTxt does.

    >>> robots = RobotParser.from_crawler(None, b"User-agent: *\nDisallow: /private/")
    >>> robots.allowed("http://example.com/private/a", "ExampleBot")
    False
    """

    def __init__(self, robotstxt_body: bytes) -> None:
        self._robots = RobotsTxt(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: Any, robotstxt_body: bytes) -> "RobotParser":
        return cls(robotstxt_body)

    def allowed(self, url: "str | bytes", user_agent: "str | bytes") -> bool:
        """Report whether a crawler may fetch a URL."""
        return self._robots.can_fetch(_text(user_agent), _text(url))

    def crawl_delay(self, user_agent: "str | bytes") -> Optional[float]:
        """Return the seconds between two requests for which the site asks, or None."""
        return self._robots.crawl_delay(_text(user_agent))


def _text(text: "str | bytes") -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "replace")
