"""The tuples that functions of relref return."""

from typing import NamedTuple, Optional

from ._relref import _host_and_port


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
    """A link of a site that does not work: the page and the place in it, the link, the problem, the file that it leads to, and what may be
    meant. What is not known is None.

    The problem is "invalid", "not-a-link", "wrong-case", "missing", "no-index", "missing-fragment" or "missing-slash"; "unread" is about
    the page itself, and note says why.

    >>> problem = LinkProblem("a.html", 3, 9, "a", "href", "b.html", "/b.html", "missing", "b.html")
    >>> problem.is_note, problem.suggestion
    (False, None)
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

    @property
    def is_note(self) -> bool:
        """True if the link works nevertheless."""
        return self.problem == "missing-slash"


class RobotsRule(NamedTuple):
    """A line of a robots.txt that decides about a URL: its number, True if it allows what it matches, and the pattern, with escapes for what
    is not US-ASCII.

    >>> RobotsRule(2, False, "/private/")
    RobotsRule(line=2, allows=False, pattern='/private/')
    """

    line: int
    allows: bool
    pattern: str
