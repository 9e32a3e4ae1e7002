"""For Spark: the links of web archives as a DataFrame, one task an archive, and column functions.

    from relref import spark as relref_spark

    rows = relref_spark.links(spark, ["/data/a.warc.gz", "/data/b.warc.gz"], normalize="crawl", key="surt")
    rows.write.parquet("/data/rows")
    rows = spark.read.parquet("/data/rows")
    links, problems = rows.where("problem IS NULL"), rows.where("problem IS NOT NULL")

The executors need relref, too. Where it is not installed there, ship an environment that has it.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any, Literal, Optional, Union

from . import Normalizer, archive_links

__all__ = ["links", "normalize", "resolve"]

_MISSING = (
    "relref is not installed where this executor runs. Install its wheel there, or ship an environment that has it: venv-pack -o "
    "environment.tar.gz; spark-submit --archives environment.tar.gz#environment with PYSPARK_PYTHON=./environment/bin/python"
)


def links(spark: Any, archives: Iterable[Union[str, "os.PathLike[str]"]], **options: Any) -> Any:
    """Return a DataFrame of the links of web archives, and of the problems found.

    archives are paths that every executor can open; relative paths are those of the driver. With a scheme, such as s3: or hdfs:, they
    are opened by fsspec. options are those of relref.archive_links. Each archive is a task; a task that is lost with its executor is
    done again, and no row is lost or repeated.

    The columns are `archive` and the others of archive_links. `archive` is the path, in a WACZ file with a colon and the name of the
    archive in it. A problem is a row of its own: `archive`, `offset` and `problem` say where and what, and other columns are null. A
    damaged or missing archive ends nothing.

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
    paths = [_absolute(os.fspath(path)) for path in archives]
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
            for path in batch.column(0).to_pylist():
                for rows in _read(path, options, schema):
                    columns = [rows.column(name) for name in names[1:]]
                    yield pyarrow.RecordBatch.from_arrays([_places(path, rows.column("archive")), *columns], names)

    tasks = spark.sparkContext.parallelize([(path,) for path in paths], max(1, len(paths)))
    return spark.createDataFrame(tasks, "archive string").mapInArrow(read, ", ".join(fields))


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


def _absolute(path: str) -> str:
    if path.startswith("file:"):
        from urllib.parse import unquote, urlsplit

        return unquote(urlsplit(path).path)
    return path if "://" in path else os.path.abspath(path)


def _read(path: str, options: "dict[str, Any]", schema: Any) -> Iterator[Any]:
    """Yields the batches of an archive. If it cannot be opened or read on, the last row says why."""
    import pyarrow

    try:
        if "://" in path:
            import fsspec

            with fsspec.open(path, "rb") as file:
                yield from archive_links(file, **options).to_pyarrow()
        else:
            yield from archive_links(path, **options).to_pyarrow()
    except (OSError, ImportError, pyarrow.ArrowException) as error:
        yield pyarrow.RecordBatch.from_pylist([{"problem": f"{type(error).__name__}: {error}"}], schema)


def resolve(base: Any, reference: Any, rules: str = "whatwg") -> Any:
    """Return the column of the absolute URIs that a column of references means, each relative to the base in its row.

    A row is null if one of them is, or if one is refused.

    >>> frame = spark.createDataFrame([("http://example.com/a/", "../b")], "base string, reference string")
    >>> frame.select(resolve("base", "reference").alias("uri")).first().uri
    'http://example.com/b'
    """
    return _column("resolve_column", base, reference, rules=rules)


def normalize(
    uri: Any, normalizer: Union[Normalizer, Literal["crawl", "safe"]] = "crawl", key: Optional[Literal["surt", "cdx"]] = None
) -> Any:
    """Return the column of the normal forms of a column of URIs, or of their keys. A row that is refused is null.

    >>> frame = spark.createDataFrame([("http://Example.com/a#b",)], "uri string")
    >>> frame.select(normalize("uri", key="surt").alias("key")).first().key
    'com,example)/a'
    """
    return _column("normalize_column", uri, normalizer=normalizer, key=key)


def _column(function: str, *columns: Any, **options: Any) -> Any:
    """Makes the column that a function of relref makes of others."""
    import pyarrow
    import relref

    # Wrong options are an error here, and not in every task.
    getattr(relref, function)(*[pyarrow.array([], pyarrow.string())] * len(columns), **options)
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
        return _pandas_function(work, len(columns))(*columns)

    # Spark reads the types of the arguments.
    def one(first: pyarrow.Array) -> pyarrow.Array:
        return work(first)

    def two(first: pyarrow.Array, second: pyarrow.Array) -> pyarrow.Array:
        return work(first, second)

    return arrow_udf(one if len(columns) == 1 else two, "string")(*columns)  # type: ignore[call-overload]


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
