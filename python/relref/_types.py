"""The tuples that functions of relref return."""

from typing import NamedTuple, Optional


class Split(NamedTuple):
    """The components of a URI or reference. A component that is absent is None."""

    scheme: Optional[str]
    authority: Optional[str]
    path: str
    query: Optional[str]
    fragment: Optional[str]


class Problem(NamedTuple):
    """The reason why a row of a column is null."""

    row: int
    message: str


class Damage(NamedTuple):
    """A problem of an archive: the byte where the record starts, or None if it is about the whole archive, the reason, and in a WACZ
    file the name of the archive, or None if it is about the whole file.
    """

    offset: Optional[int]
    message: str
    archive: Optional[str] = None
