"""For Spark: the links of web archives as a DataFrame, one task an archive, and column functions.

    from relref import spark as relref_spark

    rows = relref_spark.links(spark, ["/data/a.warc.gz", "/data/b.warc.gz"], normalize="crawl", key="surt")
    rows.write.parquet("/data/rows")
    rows = spark.read.parquet("/data/rows")
    links, problems = rows.where("problem IS NULL"), rows.where("problem IS NOT NULL")

The executors need relref, too. Where it is not installed there, ship an environment that has it.
"""

import glob
import os
from collections.abc import Iterable, Iterator
from typing import Any, Literal, Optional, Union

from . import Normalizer, archive_links
from ._remote import RemoteFile, cause
from ._sql import functions

__all__ = ["links", "normalize", "register", "resolve"]

_MISSING = (
    "relref is not installed where this executor runs. Install its wheel there, or ship an environment that has it: venv-pack -o "
    "environment.tar.gz; spark-submit --archives environment.tar.gz#environment with PYSPARK_PYTHON=./environment/bin/python"
)


_Path = Union[str, "os.PathLike[str]"]


def links(spark: Any, archives: Union[_Path, Iterable[_Path]], *, retries: int = 3, **options: Any) -> Any:
    """Return a DataFrame of the links of web archives, and of the problems found. spark may be a session of Spark Connect.

    archives is a path or several, which every executor can open; relative paths are those of the driver. With a scheme, such as s3: or
    hdfs:, they are opened by fsspec. The driver expands `*`, `?` and `[…]`, but not in http: and https:. options are those of
    relref.archive_links. Each archive is a task; a task that is lost with its executor is done again, and no row is lost or repeated.

    The columns are `archive` and the others of archive_links. `archive` is the path, in a WACZ file with a colon and the name of the
    archive in it. A problem is a row of its own: `archive`, `offset` and `problem` say where and what, and other columns are null. A
    damaged or missing archive ends nothing, nor does a server that fails. A fault that may pass, such as a lost connection or a
    status 500, is a problem only if it is still there after as many retries; the first comes after half a second, each other one
    after twice the time.

    >>> rows = links(spark, ["/nowhere/crawl.warc.gz"], columns=["uri"])
    >>> rows.columns
    ['archive', 'uri', 'offset', 'problem']
    >>> [(row.uri, row.problem.split(":")[0]) for row in rows.collect()]
    [(None, 'FileNotFoundError')]
    """
    if options.get("problems", "rows") != "rows":
        raise ValueError("problems: in Spark they are always rows")
    options["problems"] = "rows"
    columns = options.get("columns")
    if columns is not None:
        options["columns"] = columns = [*columns, *(name for name in ("archive", "offset", "problem") if name not in columns)]
    if retries < 0:
        raise ValueError("retries: expected 0 or more")
    given = [archives] if isinstance(archives, (str, os.PathLike)) else archives
    paths = [path for archive in given for path in _expanded(os.fspath(archive))]
    # Wrong options are an error here, and not in every task.
    schema = _schema(options)
    names = ["archive", *(name for name in schema.names if name != "archive")]
    fields = [f"{name} {_TYPES[str(schema.field(name).type)]}" for name in names]
    missing = _MISSING

    # Nested, so that executors get it by value and can say that relref is missing.
    def read(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        try:
            from relref.spark import _places, _read
        except ImportError as error:
            raise ImportError(missing) from error
        for batch in batches:
            for index in batch.column(0).to_pylist():
                for rows in _read(paths[index], retries, options, schema):
                    columns = [rows.column(name) for name in names[1:]]
                    yield pyarrow.RecordBatch.from_arrays([_places(paths[index], rows.column("archive")), *columns], names)

    # A range has a task for each number also in Spark Connect, where a DataFrame of paths has as many as the server likes.
    return spark.range(0, len(paths), 1, max(1, len(paths))).mapInArrow(read, ", ".join(fields))


# Spark's names of the types of columns.
_TYPES = {"string": "string", "int64": "bigint", "bool": "boolean"}


def _schema(options: "dict[str, Any]") -> Any:
    """Returns the schema of the batches."""
    import io

    return archive_links(io.BytesIO(), **options).to_pyarrow().schema


def _places(path: str, names: Any) -> Any:
    """Returns the column of the path of an archive, with the names of the archives in it."""
    import pyarrow

    if names.null_count == len(names):
        return pyarrow.repeat(path, len(names))
    return pyarrow.array([path if name is None else f"{path}:{name}" for name in names.to_pylist()], pyarrow.string())


def _expanded(path: str) -> "list[str]":
    """Returns the paths that a path with wildcards means; the path itself if it has none, is a file, or means nothing."""
    if path.startswith("file:"):
        from urllib.parse import unquote, urlsplit

        return [unquote(urlsplit(path).path)]
    if "://" not in path:
        path = os.path.abspath(path)
        if os.path.exists(path) or not glob.has_magic(path):
            return [path]
        return sorted(found for found in glob.glob(path, recursive=True) if not os.path.isdir(found)) or [path]
    if path.startswith(("http:", "https:")) or not glob.has_magic(path):
        return [path]
    try:
        import fsspec

        system, pattern = fsspec.core.url_to_fs(path)
        return sorted(map(system.unstrip_protocol, system.glob(pattern))) or [path]
    except Exception:
        # The task that opens it reports why.
        return [path]


def _read(path: str, retries: int, options: "dict[str, Any]", schema: Any) -> Iterator[Any]:
    """Yields the batches of an archive. If it cannot be opened or read on, the last row says why."""
    import pyarrow

    try:
        if "://" in path:
            with RemoteFile(path, retries) as file:
                yield from archive_links(file, **options).to_pyarrow()
        else:
            yield from archive_links(path, **options).to_pyarrow()
    except MemoryError:
        raise
    except Exception as error:
        why = cause(error)
        yield pyarrow.RecordBatch.from_pylist([{"problem": f"{type(why).__name__}: {why}"}], schema)


def resolve(base: Any, reference: Any, rules: str = "whatwg") -> Any:
    """Return the column of the absolute URIs that a column of references means, each relative to the base in its row.

    A row is null if one of them is, or if one is refused.

    >>> frame = spark.createDataFrame([("http://example.com/a/", "../b")], "base string, reference string")
    >>> frame.select(resolve("base", "reference").alias("uri")).first().uri
    'http://example.com/b'
    """
    return _column("resolve_column", base, reference, rules=rules)


def normalize(
    uri: Any,
    normalizer: Union[Normalizer, Literal["crawl", "safe"]] = "crawl",
    key: Optional[Literal["surt", "cdx", "host", "domain"]] = None,
) -> Any:
    """Return the column of the normal forms of a column of URIs, or of their keys. A row that is refused is null.

    >>> frame = spark.createDataFrame([("http://Example.com/a#b",)], "uri string")
    >>> frame.select(normalize("uri", key="surt").alias("key")).first().key
    'com,example)/a'
    """
    return _column("normalize_column", uri, normalizer=normalizer, key=key)


def register(spark: Any, normalizer: Union[Normalizer, Literal["crawl", "safe"]] = "crawl") -> None:
    """Register functions for the SQL of a session: relref_resolve(base, reference), relref_normalize(uri), and the keys of a URI as
    relref_surt(uri), relref_cdx(uri), relref_host(uri) and relref_domain(uri). A row is null if an argument is, or if one is refused.

    >>> register(spark)
    >>> spark.sql("SELECT relref_resolve('http://example.com/a/', '../b') AS uri").first().uri
    'http://example.com/b'
    """
    for name, function, arguments, options in functions(normalizer):
        spark.udf.register(name, _function(function, arguments, options))


def _column(function: str, *columns: Any, **options: Any) -> Any:
    """Makes the column that a function of relref makes of others."""
    return _function(function, len(columns), options)(*columns)


def _function(function: str, arguments: int, options: "dict[str, Any]") -> Any:
    """Makes the function of Spark that a function of relref on columns is."""
    import pyarrow
    import relref

    # Wrong options are an error here, and not in every task.
    getattr(relref, function)(*[pyarrow.array([], pyarrow.string())] * arguments, **options)
    missing = _MISSING

    # Nested, as in `links`.
    def work(*arrays: Any) -> Any:
        try:
            import relref
        except ImportError as error:
            raise ImportError(missing) from error
        return pyarrow.array(getattr(relref, function)(*arrays, **options))

    try:
        from pyspark.sql.functions import arrow_udf
    except ImportError:
        return _pandas_function(work, arguments)

    # Spark reads the types of the arguments.
    def one(first: pyarrow.Array) -> pyarrow.Array:
        return work(first)

    def two(first: pyarrow.Array, second: pyarrow.Array) -> pyarrow.Array:
        return work(first, second)

    return arrow_udf(one if arguments == 1 else two, "string")  # type: ignore[call-overload]


def _pandas_function(work: Any, arguments: int) -> Any:
    """Makes a column function of pandas Series, for versions of Spark that have none of Arrow arrays."""
    import pandas
    import pyarrow
    from pyspark.sql.functions import pandas_udf

    def on_series(*series: Any) -> Any:
        return work(*(pyarrow.array(one, pyarrow.string(), from_pandas=True) for one in series)).to_pandas()

    def one(first: pandas.Series) -> pandas.Series:
        return on_series(first)

    def two(first: pandas.Series, second: pandas.Series) -> pandas.Series:
        return on_series(first, second)

    return pandas_udf(one if arguments == 1 else two, "string")  # type: ignore[call-overload]
