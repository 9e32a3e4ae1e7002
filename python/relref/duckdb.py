"""For DuckDB: functions for SQL."""

import contextlib
from typing import Any, Literal, Union

import relref

from ._relref import Normalizer
from ._sql import functions

__all__ = ["register"]


def register(connection: Any, normalizer: Union[Normalizer, Literal["crawl", "safe"]] = "crawl") -> None:
    """Register the functions of relref in a connection of DuckDB. Needs pyarrow.

    relref_resolve(base, reference) is the absolute URI that a reference means, relref_normalize(uri) the normal form of a URI, and
    relref_surt(uri), relref_cdx(uri), relref_host(uri) and relref_domain(uri) are its keys, as those of Normalizer.key. A row is null if an
    argument is, or if one is refused. They take and return VARCHAR, a column at a time. Registered again, they are replaced.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("SELECT relref_resolve('http://example.com/a/', '../b'), relref_domain('http://docs.example.co.uk/')").fetchall()
    [('http://example.com/b', 'example.co.uk')]
    """
    import duckdb

    for name, function, arguments, options in functions(normalizer):
        with contextlib.suppress(duckdb.InvalidInputException):  # It is not there.
            connection.remove_function(name)
        work = _function(getattr(relref, function), options)
        connection.create_function(name, work, ["VARCHAR"] * arguments, "VARCHAR", type="arrow", null_handling="special")


def _function(function: Any, options: "dict[str, Any]") -> Any:
    import pyarrow

    # Wrong options are an error now, and not in a query.
    function(*[pyarrow.array([], pyarrow.string())] * (1 if "key" in options else 2), **options)
    # DuckDB counts the parameters.
    if "key" in options:
        return lambda uris: pyarrow.chunked_array(function(uris, **options))
    return lambda bases, references: pyarrow.chunked_array(function(bases, references, **options))
