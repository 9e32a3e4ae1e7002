"""URLs as objects, and redirectors unwrapped."""

from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union
from urllib.parse import parse_qsl, quote, unquote, urlencode

from ._relref import Base, _display_host, _with_attribute, resolve, split

# The characters that a path has as they are (RFC 3986 §3.3), so that a URL that is built equals the one in a page.
_PLAIN = "/!$&'()*+,;=:@"

# The attributes of the URL Standard.
_ATTRIBUTES = {
    "scheme": "protocol", "username": "username", "password": "password", "host": "hostname", "port": "port", "path": "pathname",
    "query": "search", "fragment": "hash",
}
_MOST_WRAPPERS = 8
# URL Standard §4.2.
_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443, "ftp": 21}


class Url:
    """A URL, as browsers read and write it. URLs are immutable, picklable and hashable; str(url) is the text, and url equals it. Every
    function of this package that takes a URI takes a Url.

    With a base, url is a reference. Raises Error (a ValueError) if it is not a valid URL.

    >>> url = Url("../b?x=1&y=%20#top", "http://example.com/docs/a/")
    >>> url
    Url('http://example.com/docs/b?x=1&y=%20#top')
    >>> url.host, url.path, url.segments, url.name, url.pairs, url.origin
    ('example.com', '/docs/b', ['docs', 'b'], 'b', [('x', '1'), ('y', ' ')], 'http://example.com')
    >>> url / "c d", url.join("/e")
    (Url('http://example.com/docs/b/c%20d'), Url('http://example.com/e'))
    >>> url.replace(scheme="https", query=None, fragment=None), url.replace(query={"q": "a&b"})
    (Url('https://example.com/docs/b'), Url('http://example.com/docs/b?q=a%26b#top'))
    >>> url = Url("https://me@bücher.example/a/b.tar.gz?x")
    >>> url.host, url.display_host, url.username, url.password
    ('xn--bcher-kva.example', 'bücher.example', 'me', None)
    >>> str(url.parent), url.suffix, url.with_name("c d").path, url.with_suffix(".zip").path
    ('https://me@xn--bcher-kva.example/a', '.gz', '/a/c%20d', '/a/b.tar.zip')
    >>> Url("HTTP://example.com") == "http://example.com/"
    True
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, url: "Union[str, Url]", base: "Union[str, Url, None]" = None) -> None:
        text = Base(url).uri if base is None else resolve(base, url)
        object.__setattr__(self, "_text", text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Url is immutable: use replace()")

    @property
    def scheme(self) -> str:
        """The scheme, in lower case."""
        return split(self._text).scheme or ""

    def _userinfo(self) -> "tuple[str, str]":
        name, _, password = (split(self._text).authority or "").rpartition("@")[0].partition(":")
        return name, password

    @property
    def username(self) -> Optional[str]:
        """The user name before the host, with its escapes. None without one."""
        return self._userinfo()[0] or None

    @property
    def password(self) -> Optional[str]:
        """The password before the host, with its escapes. None without one."""
        return self._userinfo()[1] or None

    @property
    def host(self) -> Optional[str]:
        """The host, an IPv6 address with its brackets. None without one."""
        return split(self._text).host

    @property
    def display_host(self) -> Optional[str]:
        """The host to show to people: in Unicode, but for labels that could be taken for other ones, which stay as in host (UTS 39)."""
        return _display_host(self._text)

    @property
    def port(self) -> Optional[int]:
        """The port. None if it is the default of the scheme."""
        return split(self._text).port

    @property
    def port_or_known_default(self) -> Optional[int]:
        """The port, also if it is the default of the scheme. None if that has none."""
        port = self.port
        return _DEFAULT_PORTS.get(self.scheme) if port is None else port

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
    def suffix(self) -> str:
        """The end of the name from its last dot on, decoded; empty without one, and if it is the first or last character."""
        return unquote(self._stem_and_suffix()[1])

    @property
    def parent(self) -> "Url":
        """The URL without the last segment of its path, a query and a fragment: of /a/b, and of /a/, that of /a; of / that of /."""
        parts: "dict[str, Optional[str]]" = {"query": None, "fragment": None}
        return self.replace(**parts if self._is_opaque() else {"path": self.path.rpartition("/")[0] or "/", **parts})

    @property
    def pairs(self) -> "list[tuple[str, str]]":
        """The decoded names and values of the query."""
        return parse_qsl(self.query or "", keep_blank_values=True)

    def join(self, reference: "Union[str, Url]") -> "Url":
        """Return the URL that a reference in a page at this URL means."""
        return Url(reference, self)

    def with_name(self, name: str) -> "Url":
        """Return a URL with another last segment of the path, which is encoded, and without a query and a fragment. Raise ValueError for a
        name that is empty or has a slash, for "." and "..", and for a URL whose path has no segments, as that of mailto:.
        """
        if name in ("", ".", "..") or "/" in name:
            raise ValueError(f"{name!r} is not a name")
        return self._with_last(quote(name, safe=_PLAIN))

    def with_suffix(self, suffix: str) -> "Url":
        """Return a URL whose name ends with another suffix, such as ".html", or with none if it is empty, and without a query and a
        fragment. Raise ValueError if the suffix does not start with a dot, is only one or has a slash, and if the URL has no name.
        """
        if suffix and (not suffix.startswith(".") or suffix == "." or "/" in suffix):
            raise ValueError(f"{suffix!r} is not a suffix")
        stem = self._stem_and_suffix()[0]
        if not stem or unquote(stem + suffix) in (".", ".."):
            raise ValueError(f"{self._text} has no name")
        return self._with_last(stem + quote(suffix, safe=_PLAIN))

    def _stem_and_suffix(self) -> "tuple[str, str]":
        """Returns both parts of the name with their escapes."""
        name = self.path.rpartition("/")[2]
        dot = name.rfind(".")
        return (name[:dot], name[dot:]) if 0 < dot < len(name) - 1 else (name, "")

    def _is_opaque(self) -> bool:
        return self.host is None and not self.path.startswith("/")

    def _with_last(self, segment: str) -> "Url":
        if self._is_opaque():
            raise ValueError(f"the path of {self._text} has no segments")
        path = self.path.rpartition("/")[0] + "/" + segment
        return self.replace(path=path, query=None, fragment=None)

    def __truediv__(self, segment: str) -> "Url":
        path = self.path.removesuffix("/") + "/" + quote(segment, safe=_PLAIN)
        return self.replace(path=path, query=None, fragment=None)

    def replace(self, **parts: "Union[str, int, None, Mapping[str, Any], Iterable[tuple[str, Any]]]") -> "Url":
        """Return a URL with other parts: scheme, username, password, host, port, path, query, fragment. None removes a part. The query is
        a str as it is in a URL, or a mapping or pairs of names and values, which are encoded; a list of values gives a pair for each.
        """
        text = self._text
        for name, value in parts.items():
            if name not in _ATTRIBUTES:
                raise TypeError(f"no part of a URL has the name {name!r}: expected {', '.join(_ATTRIBUTES)}")
            if value is not None and not isinstance(value, (str, int)):
                if name != "query":
                    raise TypeError(f"{name}: expected a str, an int or None, not {type(value).__name__}")
                value = _encoded(value.items() if isinstance(value, Mapping) else value)
            text = _with_attribute(text, _ATTRIBUTES[name], "" if value is None else str(value))
        return Url(text)

    def __str__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return format(self._text, spec)

    def __repr__(self) -> str:
        return f"Url({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == str(other) if isinstance(other, (Url, str)) else NotImplemented

    def __lt__(self, other: "Union[str, Url]") -> bool:
        return self._text < str(other) if isinstance(other, (Url, str)) else NotImplemented

    def __le__(self, other: "Union[str, Url]") -> bool:
        return self._text <= str(other) if isinstance(other, (Url, str)) else NotImplemented

    def __gt__(self, other: "Union[str, Url]") -> bool:
        return self._text > str(other) if isinstance(other, (Url, str)) else NotImplemented

    def __ge__(self, other: "Union[str, Url]") -> bool:
        return self._text >= str(other) if isinstance(other, (Url, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> "tuple[type[Url], tuple[str]]":
        return Url, (self._text,)


def _encoded(pairs: "Iterable[tuple[str, Any]]") -> str:
    pairs = list(pairs)
    for name, value in pairs:
        if value is None or isinstance(value, (list, tuple)) and None in value:
            raise TypeError(f"query: {name} has no value: leave it out, or give an empty one")
    return urlencode(pairs, doseq=True)


def unwrap(uri: Union[str, Url], params: Iterable[str] = ("url", "u", "q", "target", "dest", "redirect")) -> str:
    """Return the URI to which a link of a redirector leads, or the URI itself.

    A redirector has the whole target, with http or https, as the value of one of these parameters. Nothing is fetched, and the target
    may again be one of a redirector. Links that only speak about a page, such as those of a translator, look the same.

    >>> unwrap("https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.com%2Fa%3Fb")
    'https://example.com/a?b'
    >>> unwrap("https://example.com/search?q=links")
    'https://example.com/search?q=links'
    """
    wanted = set(params)
    uri = uri._text if isinstance(uri, Url) else uri
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
