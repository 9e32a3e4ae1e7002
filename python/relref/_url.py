"""URLs as objects, and redirectors unwrapped."""

from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union
from urllib.parse import parse_qsl, quote, unquote, urlencode

from ._relref import Base, _with_attribute, resolve, split

# The attributes of the URL Standard.
_ATTRIBUTES = {"scheme": "protocol", "host": "hostname", "port": "port", "path": "pathname", "query": "search", "fragment": "hash"}
_MOST_WRAPPERS = 8


class Url:
    """A URL, as browsers read and write it. URLs are immutable, picklable and hashable; str(url) is the text.

    With a base, url is a reference. Raises Error (a ValueError) if it is no valid URL.

    >>> url = Url("../b?x=1&y=%20#top", "http://example.com/docs/a/")
    >>> url
    Url('http://example.com/docs/b?x=1&y=%20#top')
    >>> url.host, url.path, url.segments, url.name, url.pairs, url.origin
    ('example.com', '/docs/b', ['docs', 'b'], 'b', [('x', '1'), ('y', ' ')], 'http://example.com')
    >>> url / "c d", url.join("/e")
    (Url('http://example.com/docs/b/c%20d'), Url('http://example.com/e'))
    >>> url.replace(scheme="https", query=None, fragment=None), url.replace(query={"q": "a&b"})
    (Url('https://example.com/docs/b'), Url('http://example.com/docs/b?q=a%26b#top'))
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, url: "Union[str, Url]", base: "Union[str, Url, None]" = None) -> None:
        text = Base(str(url)).uri if base is None else resolve(str(base), str(url))
        object.__setattr__(self, "_text", text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Url is immutable: use replace()")

    @property
    def scheme(self) -> str:
        """The scheme, in lower case."""
        return split(self._text).scheme or ""

    @property
    def host(self) -> Optional[str]:
        """The host, an IPv6 address with its brackets. None without one."""
        return split(self._text).host

    @property
    def port(self) -> Optional[int]:
        """The port. None if it is the default of the scheme."""
        return split(self._text).port

    @property
    def path(self) -> str:
        """The path, with its escapes."""
        return split(self._text).path

    @property
    def query(self) -> Optional[str]:
        """The query without its `?`; None without one."""
        return split(self._text).query

    @property
    def fragment(self) -> Optional[str]:
        """The fragment without its `#`; None without one."""
        return split(self._text).fragment

    @property
    def origin(self) -> str:
        """Scheme, host and port; "null" without a host."""
        host, port = self.host, self.port
        return "null" if not host else f"{self.scheme}://{host}" + ("" if port is None else f":{port}")

    @property
    def segments(self) -> "list[str]":
        """The decoded segments of the path."""
        return [unquote(segment) for segment in self.path.removeprefix("/").split("/")]

    @property
    def name(self) -> str:
        """The last decoded segment of the path."""
        return self.segments[-1]

    @property
    def pairs(self) -> "list[tuple[str, str]]":
        """The decoded names and values of the query."""
        return parse_qsl(self.query or "", keep_blank_values=True)

    def join(self, reference: "Union[str, Url]") -> "Url":
        """Return the URL that a reference in a page at this URL means."""
        return Url(reference, self)

    def __truediv__(self, segment: str) -> "Url":
        path = self.path.removesuffix("/") + "/" + quote(segment)
        return self.replace(path=path, query=None, fragment=None)

    def replace(self, **parts: "Union[str, int, None, Mapping[str, Any], Iterable[tuple[str, Any]]]") -> "Url":
        """Return a URL with other parts: scheme, host, port, path, query, fragment. None removes a part. The query is a str as it is
        in a URL, or a mapping or pairs of names and values, which are encoded.
        """
        text = self._text
        for name, value in parts.items():
            if name not in _ATTRIBUTES:
                raise TypeError(f"no part of a URL has the name {name!r}: expected {', '.join(_ATTRIBUTES)}")
            if value is not None and not isinstance(value, (str, int)):
                if name != "query":
                    raise TypeError(f"{name}: expected a str, an int or None, not {type(value).__name__}")
                value = urlencode(list(value.items()) if isinstance(value, Mapping) else list(value))
            text = _with_attribute(text, _ATTRIBUTES[name], "" if value is None else str(value))
        return Url(text)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Url({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Url) else NotImplemented

    def __lt__(self, other: "Url") -> bool:
        return self._text < other._text if isinstance(other, Url) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> "tuple[type[Url], tuple[str]]":
        return Url, (self._text,)


def unwrap(uri: str, params: Iterable[str] = ("url", "u", "q", "target", "dest", "redirect")) -> str:
    """Return the URI to which a link of a redirector leads, or the URI itself.

    A redirector has the whole target, with http or https, as the value of one of these parameters. Nothing is fetched, and the target
    may again be one of a redirector. Links that only speak about a page, such as those of a translator, look the same.

    >>> unwrap("https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.com%2Fa%3Fb")
    'https://example.com/a?b'
    >>> unwrap("https://example.com/search?q=links")
    'https://example.com/search?q=links'
    """
    wanted = set(params)
    for _ in range(_MOST_WRAPPERS):
        parts = split(uri)
        if parts.scheme is None or parts.scheme.lower() not in ("http", "https") or not parts.query:
            break
        values = [value for name, value in parse_qsl(parts.query) if name in wanted]
        target = next((value for value in values if value.lower().startswith(("http://", "https://")) and split(value).host), None)
        if target is None:
            break
        uri = target
    return uri
