"""The tuples that functions of relref return."""

from typing import NamedTuple, Optional


class Split(NamedTuple):
    """The components of a URI or reference. A component that is absent is None.

    >>> split("http://example.com/a?b")
    Split(scheme='http', authority='example.com', path='/a', query='b', fragment=None)
    """

    scheme: Optional[str]
    authority: Optional[str]
    path: str
    query: Optional[str]
    fragment: Optional[str]


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
