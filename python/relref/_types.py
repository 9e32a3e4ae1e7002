"""The tuples that functions of relref return."""

from typing import NamedTuple, Optional

from ._relref import _host_and_port, _is_fetchable, _is_nofollow


class Link(NamedTuple):
    """A link of a page.

    element and attribute are names in lower case ("text" is that of the text of a style element), kind is the purpose: "hyperlink",
    "resource", "form", "citation", "refresh" or "metadata". rel is that of the element, as written. reference is the link as written,
    without the spaces around it and the line breaks in it, uri the absolute URI, or None if the reference is not a valid URL. text is the
    text of the link, or its `alt`; empty without max_text of Pages. page_nofollow is True if the page asks robots to follow none of its
    links; False without robots of Pages. hreflang (at most 64 bytes) and media (1024 bytes) are those of the element, or empty.

    page_title (at most 1024 bytes) and page_charset, such as "UTF-8", are those of the page; empty and None without facts of Pages.
    start and end are offsets of the reference in the page, in bytes of it, or of its UTF-8 if it is a str; line and column are counted
    from 1, column in characters; None without places of Pages, which links() has, and in sitemaps and feeds. inner is the element and
    attribute in the HTML that the attribute holds, such as "a href", of the links of srcdoc; otherwise empty.

    >>> link = Pages().links(b"<a href=intro rel=nofollow>", "http://example.com/")[0]
    >>> link
    Link(element='a', attribute='href', kind='hyperlink', rel='nofollow', reference='intro', uri='http://example.com/intro')
    >>> link.nofollow, link.fetchable, link._asdict()["element"]
    (True, True, 'a')
    """

    element: str
    attribute: str
    kind: str
    rel: str
    reference: str
    uri: Optional[str]
    text: str = ""
    page_nofollow: bool = False
    hreflang: str = ""
    media: str = ""
    page_title: str = ""
    page_charset: Optional[str] = None
    start: Optional[int] = None
    end: Optional[int] = None
    line: Optional[int] = None
    column: Optional[int] = None
    inner: str = ""

    @property
    def nofollow(self) -> bool:
        """True if the author does not endorse the link: `nofollow` is a token of rel, or page_nofollow is True."""
        return _is_nofollow(self.rel, self.page_nofollow)

    @property
    def fetchable(self) -> bool:
        """True if a crawler can fetch what the link leads to: its scheme is http, https, ftp or file."""
        return self.uri is not None and _is_fetchable(self.uri)

    def __repr__(self) -> str:
        # Fields that are not always read are left out if they have their defaults.
        fields = zip(self._fields, self)
        shown = [f"{name}={value!r}" for name, value in fields if name not in _LINK_DEFAULTS or value != _LINK_DEFAULTS[name]]
        return f"Link({', '.join(shown)})"


_LINK_DEFAULTS = Link._field_defaults


class ArchiveLink(NamedTuple):
    """A row of archive_links, which describes the columns: a link of a page in an archive, or with problems="rows" a problem. What has no
    column, and what is null, is None.

    >>> import io
    >>> archive = (b"WARC/1.1\\r\\nWARC-Type: response\\r\\nWARC-Target-URI: http://h/x\\r\\nContent-Length: 59\\r\\n\\r\\n"
    ...     b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<a href=to>go\\r\\n\\r\\n\\r\\n")
    >>> [(link.page, link.reference, link.uri) for link in archive_links(io.BytesIO(archive))]
    [('http://h/x', 'to', 'http://h/to')]
    """

    page: Optional[str] = None
    archive: Optional[str] = None
    offset: Optional[int] = None
    element: Optional[str] = None
    attribute: Optional[str] = None
    kind: Optional[str] = None
    rel: Optional[str] = None
    reference: Optional[str] = None
    uri: Optional[str] = None
    text: Optional[str] = None
    nofollow: Optional[bool] = None
    key: Optional[str] = None
    problem: Optional[str] = None
    status: Optional[int] = None
    date: Optional[str] = None
    media_type: Optional[str] = None
    charset: Optional[str] = None
    title: Optional[str] = None
    hreflang: Optional[str] = None
    media: Optional[str] = None


class SitemapEntry(NamedTuple):
    """An entry of a sitemap, or of an index of sitemaps: the absolute URI; its date or time as it is written, or None; and True if the URI
    is that of another sitemap.

    >>> SitemapEntry("http://example.com/a", "2026-11-27")
    SitemapEntry(uri='http://example.com/a', lastmod='2026-11-27', is_sitemap=False)
    """

    uri: str
    lastmod: Optional[str] = None
    is_sitemap: bool = False


class Split(NamedTuple):
    """The components of a URI or reference. A component that is absent is None.

    >>> split("http://example.com:8080/a?b")
    Split(scheme='http', authority='example.com:8080', path='/a', query='b', fragment=None)
    >>> split("http://example.com:8080/a?b").host, split("http://example.com:8080/a?b").port
    ('example.com', 8080)
    """

    scheme: Optional[str]
    authority: Optional[str]
    path: str
    query: Optional[str]
    fragment: Optional[str]

    @property
    def host(self) -> Optional[str]:
        """The host as it is written, an IPv6 address with its brackets. None without an authority."""
        return None if self.authority is None else _host_and_port(self.authority)[0]

    @property
    def port(self) -> Optional[int]:
        """The port that is written. None if there is none, or it is not a number up to 65535."""
        return None if self.authority is None else _host_and_port(self.authority)[1]


class Problem(NamedTuple):
    """The reason why a row of a column is null.

    >>> Problem(2, "uri: no URI")
    Problem(row=2, message='uri: no URI')
    """

    row: int
    message: str


class Damage(NamedTuple):
    """A problem of an archive: the byte where the record starts, or None if it is about the whole archive, the reason, and in a WACZ
    file the name of the archive, or None if it is about the whole file.

    >>> Damage(0, "no record starts here")
    Damage(offset=0, message='no record starts here', archive=None)
    """

    offset: Optional[int]
    message: str
    archive: Optional[str] = None


class LinkProblem(NamedTuple):
    """A link of a site that does not work: the page and the place in it, the link, the problem, the file that it leads to, and the
    reference that may be meant, and whether nothing else can be. suggested_file is the file that this reference leads to; error_line and
    error_column are the place of the error in an "invalid" reference. What is not known is None.

    The problem is "invalid", "not-a-link", "wrong-case", "missing", "no-index", "missing-fragment" or "missing-slash"; "unread" is about
    the page itself, and note says why.

    >>> problem = LinkProblem("a.html", 3, 9, "a", "href", "b.html", "/b.html", "missing", "b.html")
    >>> problem.is_note, problem.suggestion, str(problem)
    (False, None, 'a.html:3:9: missing: b.html (b.html)')
    """

    page: str
    line: Optional[int]
    column: Optional[int]
    element: str
    attribute: str
    reference: str
    uri: Optional[str]
    problem: str
    target: Optional[str] = None
    suggestion: Optional[str] = None
    note: Optional[str] = None
    is_certain: bool = False
    suggested_file: Optional[str] = None
    error_line: Optional[int] = None
    error_column: Optional[int] = None

    @property
    def is_note(self) -> bool:
        """True if the link works nevertheless."""
        return self.problem == "missing-slash"

    def __str__(self) -> str:
        line, column = (self.line, self.column) if self.error_line is None else (self.error_line, self.error_column)
        place = "" if line is None else f":{line}:{column}"
        about = self.reference or self.note or ""
        target = "" if self.target is None else f" ({self.target})"
        return f"{self.page}{place}: {self.problem}: {about}{target}"


class RobotsRule(NamedTuple):
    """A line of a robots.txt that decides about a URL: its number, True if it allows what it matches, and the pattern, with escapes for what
    is not US-ASCII.

    >>> RobotsRule(2, False, "/private/")
    RobotsRule(line=2, allows=False, pattern='/private/')
    """

    line: int
    allows: bool
    pattern: str


class Step(NamedTuple):
    """A step of a resolution: the name of the action, the text that it is about, and the words of a document that say so, or a decision.

    >>> step = Step("dot-removed", ".", "RFC 3986")
    >>> step.action, str(step)
    ('dot-removed', 'dot-removed .: RFC 3986')
    """

    action: str
    text: str
    source: str

    def __str__(self) -> str:
        return f"{self.action} {self.text}: {self.source}"
