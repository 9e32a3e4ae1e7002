"""Pages that are read in chunks."""

from collections.abc import Iterator
from typing import Any

from ._relref import ChunkedPage
from ._types import Link

_CHUNK_LEN = 1 << 16


def links(page: ChunkedPage, source: Any) -> Iterator[Link]:
    """Returns the links of a page, whose bytes a file object or an iterable has."""
    chunks = _read(source) if hasattr(source, "read") else iter(source)
    return _links(page, chunks)


def _links(page: ChunkedPage, chunks: Iterator[Any]) -> Iterator[Link]:
    with page:
        for chunk in chunks:
            yield from page.feed(chunk)
        yield from page.finish()


def _read(file: Any) -> Iterator[Any]:
    while chunk := file.read(_CHUNK_LEN):
        yield chunk
