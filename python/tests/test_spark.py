"""relref.spark on a local cluster of two executors: the same rows as without Spark, also if executors are killed."""

import collections
import doctest
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import faulty_server
import pytest
import relref
import warc

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "spark"


def has_java() -> bool:
    try:
        return subprocess.run(["java", "-version"], capture_output=True).returncode == 0
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not has_java(), reason="Java is not available")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    import pyspark
    from pyspark.sql import SparkSession

    # A variable of the environment counts more than the setting.
    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    folder = tmp_path_factory.mktemp("spark")
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.local.dir", str(folder)).config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    builder = builder.config("spark.task.maxFailures", "8").config("spark.sql.shuffle.partitions", "4")
    builder = builder.config("spark.executorEnv.SPARK_WORKER_DIR", str(folder)).config("spark.driver.host", "127.0.0.1")
    # As in the examples.
    builder = builder.config("spark.sql.parquet.compression.codec", "zstd")
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def archives(pages, tmp_path_factory):
    """Archives of real pages, one of them damaged, and the name of one that is missing."""
    folder = tmp_path_factory.mktemp("archives")
    names = []
    for number in range(6):
        records = []
        for page in pages[number * 10 : number * 10 + 10]:
            records.append(warc.record(f"https://h{number}.example/std/{page.name}", page.read_bytes()))
        content = warc.archive(records)
        if number == 3:
            member = len(gzip.compress(records[0]))
            content = content[: member + 500] + b"\0" * 20 + content[member + 520 :]
        path = folder / f"{number} é.warc.gz"
        path.write_bytes(content)
        names.append(str(path))
    return [*names, str(folder / "missing.warc.gz")]


COLUMNS = ["archive", "page", "offset", "element", "attribute", "kind", "rel", "reference", "uri", "key", "problem"]
OPTIONS = {"normalize": "crawl", "key": "surt"}


def rows_without_spark(archives):
    rows = []
    for path in archives:
        try:
            table = relref.archive_links(path, problems="rows", **OPTIONS).to_pyarrow().read_all()
        except OSError:
            continue
        rows += [tuple({**row, "archive": path}[name] for name in COLUMNS) for row in table.to_pylist()]
    return collections.Counter(rows)


def counted(rows):
    return collections.Counter(tuple(row) for row in rows)


def test_the_same_rows_as_without_spark(spark, archives):
    from relref import spark as relref_spark

    frame = relref_spark.links(spark, archives, **OPTIONS)
    assert frame.columns == COLUMNS
    found = frame.collect()
    missing = [row for row in found if row.archive == archives[-1]]
    assert [(row.uri, row.offset) for row in missing] == [(None, None)]
    assert missing[0].problem.startswith("FileNotFoundError")
    expected = rows_without_spark(archives)
    assert counted(row for row in found if row.archive != archives[-1]) == expected
    damaged = [row for row in found if row.problem and row.archive == archives[3]]
    assert damaged
    assert sum(expected.values()) > 5000


@pytest.mark.skipif("RELREF_COMMAND" not in os.environ, reason="RELREF_COMMAND is not set to the command")
def test_the_same_links_as_the_command(spark, archives, tmp_path):
    from relref import spark as relref_spark

    wacz = tmp_path / "crawl.wacz"
    wacz.write_bytes(warc.wacz({f"{number}.warc.gz": pathlib.Path(archives[number]).read_bytes() for number in (3, 4)}))
    some = [*archives[:3], str(wacz)]
    command = [os.environ["RELREF_COMMAND"], "links", "-q", "--damaged-ok", "--format", "jsonl", *some]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    names = ["archive", "page", "offset", "element", "attribute", "kind", "rel", "reference", "uri"]
    expected = collections.Counter(tuple(json.loads(line)[name] for name in names) for line in lines)
    rows = counted(relref_spark.links(spark, some, columns=names).select(*names, "problem").collect())
    problems = [row for row in rows if row[-1] is not None]
    assert {row[0] for row in problems} == {f"{wacz}:archive/3.warc.gz"}
    assert collections.Counter({row[:-1]: number for row, number in rows.items() if row[-1] is None}) == expected


def test_one_path_and_wildcards(spark, archives, tmp_path):
    from relref import spark as relref_spark

    def read(archives):
        return counted(relref_spark.links(spark, archives, **OPTIONS).collect())

    expected = rows_without_spark(archives[:2])
    one = read(archives[0])
    assert one == rows_without_spark(archives[:1])
    assert read(pathlib.Path(archives[0])) == one
    folder = os.path.dirname(archives[0])
    assert read(f"{folder}/[01]*.warc.gz") == expected
    assert read([f"{folder}/?*.warc.gz"]) == rows_without_spark(archives[:6])
    relative = os.path.relpath(folder)
    assert read([f"{relative}/0*", pathlib.Path(relative, "1*")]) == expected
    # A file may have such a name, and a pattern may mean nothing.
    odd = tmp_path / "[01].warc.gz"
    odd.write_bytes(pathlib.Path(archives[0]).read_bytes())
    assert {row[0] for row in read(str(odd))} == {str(odd)}
    ((missing, problem),) = relref_spark.links(spark, str(tmp_path / "*.wacz")).select("archive", "problem").collect()
    assert missing == str(tmp_path / "*.wacz")
    assert problem.startswith("FileNotFoundError")
    fsspec = pytest.importorskip("fsspec")
    assert fsspec
    uris = relref_spark.links(spark, f"local://{folder}/[01]*.warc.gz", **OPTIONS).select("uri")
    assert uris.count() == sum(expected.values())
    assert relref_spark.links(spark, []).count() == 0


def test_servers_that_fail_are_rows(spark, archives):
    pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    from relref import spark as relref_spark

    with faulty_server.serve(pathlib.Path(archives[0]).read_bytes()) as server:
        names = ["500", "drop", "cut", "404", "403", "500-2", "drop-1", "cut-1", "none"]
        urls = [f"{server.uri}/{name}.warc.gz" for name in names]
        found = relref_spark.links(spark, [*urls, "foo://bucket/x", "http://[::1/x"], retries=2, **OPTIONS).collect()
        rows, problems = collections.defaultdict(list), {}
        for row in found:
            name = row.archive.rpartition("/")[2].partition(".")[0] if row.archive in urls else row.archive
            if row.problem is None:
                rows[name].append(tuple(row)[1:])
            else:
                problems[name] = row.problem
        assert sorted(problems) == sorted([*names[:5], "foo://bucket/x", "http://[::1/x"])
        assert problems["500"].startswith("ClientResponseError: 500")
        assert problems["drop"].startswith("ServerDisconnectedError")
        assert "ClientPayloadError" in problems["cut"]
        assert problems["404"].startswith("FileNotFoundError")
        assert problems["403"].startswith("ClientResponseError: 403")
        assert "foo" in problems["foo://bucket/x"]
        expected = collections.Counter(row[1:] for row in rows_without_spark(archives[:1]).elements())
        for name in names[5:]:
            assert collections.Counter(rows[name]) == expected, name
        once = relref_spark.links(spark, f"{server.uri}/500-1.warc.gz", retries=0).collect()
        assert [row.problem.split(",")[0] for row in once] == ["ClientResponseError: 500"]
    with pytest.raises(ValueError, match="retries"):
        relref_spark.links(spark, [], retries=-1)


CONNECT = """
    import collections, json, sys
    from pyspark.sql import SparkSession
    from relref import spark as relref_spark
    spark = SparkSession.builder.remote("local[2]").getOrCreate()
    assert "connect" in type(spark).__module__
    frame = relref_spark.links(spark, sys.argv[1:], normalize="crawl", key="surt")
    rows = frame.collect()
    bases = spark.createDataFrame([("http://h.com/a/", "b?z&a"), ("nonsense", "c")], "base string, reference string")
    bases = bases.withColumn("uri", relref_spark.resolve("base", "reference"))
    bases = bases.withColumn("key", relref_spark.normalize("uri", key="surt"))
    print(json.dumps({"columns": frame.columns, "rows": [list(row) for row in rows], "uris": [list(row)[2:] for row in bases.collect()]}))
    spark.stop()
"""


def test_spark_connect(archives, tmp_path):
    pytest.importorskip("grpc_status", reason="the packages of Spark Connect are not available")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment.pop("SPARK_HOME", None)
    command = [sys.executable, "-c", textwrap.dedent(CONNECT), *archives[:4], archives[-1]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["columns"] == COLUMNS
    rows = [tuple(row) for row in found["rows"]]
    assert collections.Counter(row for row in rows if row[0] != archives[-1]) == rows_without_spark(archives[:4])
    assert [row[-1].split(":")[0] for row in rows if row[0] == archives[-1]] == ["FileNotFoundError"]
    assert found["uris"] == [["http://h.com/a/b?z&a", "com,h)/a/b?a&z"], [None, None]]


def executors(parent: int) -> "list[int]":
    """Returns the executors among the processes that a process has started, and that those have started."""
    children = collections.defaultdict(list)
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            children[int(fields[1])].append((int(process.name), (process / "cmdline").read_bytes()))
        except OSError:
            continue
    found, queue = [], [parent]
    while queue:
        for child, command in children[queue.pop()]:
            queue.append(child)
            if b"CoarseGrainedExecutorBackend" in command:
                found.append(child)
    return found


@pytest.mark.skipif(not pathlib.Path("/proc").is_dir(), reason="no /proc")
def test_killed_executors_lose_and_repeat_nothing(spark, archives, tmp_path):
    from relref import spark as relref_spark

    many = [path for path in archives[:6] for _ in range(8)]
    killed = []

    def kill():
        # Only those that this test has started.
        for _ in range(2):
            time.sleep(1.5)
            running = [process for process in executors(os.getpid()) if process not in killed]
            if running:
                os.kill(running[0], signal.SIGKILL)
                killed.append(running[0])

    import threading

    thread = threading.Thread(target=kill)
    thread.start()
    relref_spark.links(spark, many, batch_rows=1000, **OPTIONS).write.parquet(str(tmp_path / "rows"))
    thread.join()
    assert len(killed) == 2
    found = counted(spark.read.parquet(str(tmp_path / "rows")).select(COLUMNS).collect())
    assert found == {row: 8 * number for row, number in rows_without_spark(archives[:6]).items()}


@pytest.mark.parametrize("of_pandas", [False, True])
def test_columns(spark, monkeypatch, of_pandas):
    from pyspark.sql import functions as f
    from relref import spark as relref_spark

    if of_pandas:
        # As in versions of Spark that do not have it.
        monkeypatch.delattr(f, "arrow_udf", raising=False)
    rows = [("http://h.com/a/", "b?z&a"), ("nonsense", "c"), (None, "d"), ("http://h.com/", None)]
    frame = spark.createDataFrame(rows, "base string, reference string")
    frame = frame.withColumn("uri", relref_spark.resolve(f.col("base"), f.col("reference")))
    frame = frame.withColumn("key", relref_spark.normalize(f.col("uri"), relref.Normalizer(), "surt"))
    assert [(row.uri, row.key) for row in frame.collect()] == [("http://h.com/a/b?z&a", "com,h)/a/b?a&z")] + [(None, None)] * 3


def test_examples_in_the_documentation(spark):
    from relref import spark as relref_spark

    for name in relref_spark.__all__:
        names = {**vars(relref_spark), "spark": spark}
        [example] = doctest.DocTestFinder(recurse=False).find(getattr(relref_spark, name), name, relref_spark, names)
        done = doctest.DocTestRunner().run(example)
        assert (done.failed, done.attempted > 0) == (0, True)


def test_wrong_options_fail_at_once(spark, archives):
    from relref import spark as relref_spark

    for options in ({"columns": ["url"]}, {"problems": "list"}, {"key": "x"}, {"rules": "x"}):
        with pytest.raises(ValueError):
            relref_spark.links(spark, archives, **options)
    with pytest.raises(ValueError):
        relref_spark.resolve("base", "reference", "rfc1")
    with pytest.raises(ValueError):
        relref_spark.normalize("uri", "crowl")
    with pytest.raises(ValueError):
        relref_spark.normalize("uri", key="sort")


def test_options_reach_the_executors(spark, archives):
    from relref import spark as relref_spark

    options = {
        "normalize": relref.Normalizer(with_=["drop-www"]),
        "scope": relref.Scope(same_domain=True, exclude=["[.]svg$"]),
        "robots": True,
        "max_text": 100,
        "columns": ["page", "uri", "text", "nofollow", "status", "media_type", "charset", "title", "hreflang", "media"],
        "status": "2xx",
    }
    found = relref_spark.links(spark, archives[:1], **options)
    assert dict(found.dtypes)["nofollow"] == "boolean"
    assert dict(found.dtypes)["status"] == "bigint"
    expected = relref.archive_links(archives[0], **options).to_pyarrow().read_all().to_pylist()
    assert counted(found.select(options["columns"]).collect()) == counted(row.values() for row in expected)
    assert len(expected) > 100
    assert {row["text"] for row in expected} > {""}
    assert {row["status"] for row in expected} == {200}


def test_an_executor_without_relref_says_how_to_ship_it(spark, archives, tmp_path):
    script = """
        import sys
        from pyspark.sql import SparkSession
        from relref import spark as relref_spark
        spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        frames = [
            relref_spark.links(spark, sys.argv[1:]),
            spark.createDataFrame([("http://h/",)], "uri string").select(relref_spark.normalize("uri")),
        ]
        for frame in frames:
            try:
                frame.collect()
            except Exception as error:
                print(error)
            else:
                sys.exit("no error")
    """
    # Executors find this in the place of relref.
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(
        "import os, sys\nif 'SPARK_ENV_LOADED' in os.environ or 'pyspark.daemon' in ' '.join(sys.orig_argv):\n    sys.modules['relref'] = None\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "hidden")}
    environment.pop("SPARK_ENV_LOADED", None)
    command = [sys.executable, "-c", textwrap.dedent(script), archives[0]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("ImportError: relref is not installed where this executor runs") == 2, done.stdout


@pytest.mark.parametrize("name", ["links", "webgraph"])
def test_examples(name, archives, tmp_path):
    import pyspark

    submit = pathlib.Path(pyspark.__file__).with_name("bin") / "spark-submit"
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(submit.parents[1])}
    command = [str(submit), "--master", "local-cluster[2,1,1024]", str(EXAMPLES / f"{name}.py"), str(tmp_path / "out"), *archives]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    counts = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    assert int(counts["problems"]) >= 2
    if name == "links":
        keys = {row[COLUMNS.index("key")] for row in rows_without_spark(archives) if row[COLUMNS.index("uri")] is not None}
        assert int(counts["links"]) <= len(keys)
        assert int(counts["rows"]) > int(counts["links"]) > 100
    else:
        assert int(counts["pages/edges"]) > int(counts["pages/nodes"]) > 100
        assert int(counts["hosts/nodes"]) > 6
