"""Compares relref.spark.links with warcio, lxml and w3lib in the same kind of job, on the same local cluster, and more archives with one.

    python benches/spark.py [FOLDER]

FOLDER holds HTML pages; by default it is the documentation that comes with Rust. Needs Java, pyspark, warcio, lxml and w3lib.

The cost of a job is the processor time of the cluster: of the driver, the executors and their Python workers. It does not depend on
what else the machine does, as far as processors do not. The time on the clock is printed, too. Rows go nowhere (Spark's `noop`), or
into Parquet, compressed by Zstandard.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import pyspark
import relref
from pyspark.sql import SparkSession
from ratios import make_archive
from relref import spark as relref_spark

CLUSTER = "local-cluster[2,2,1024]"
RUNS = 3
PAGES = 1000
"""The pages of an archive."""
PEER_PAGES = 400
"""The pages of an archive that the peer reads, too."""
FIELDS = ("page", "element", "attribute", "reference", "uri")


def peer_links(batches):
    """Yields the links of archives, each normalized, as Python programs find them now."""
    import lxml.html
    import pyarrow
    from urllib.parse import urljoin

    from w3lib.url import canonicalize_url
    from warcio.archiveiterator import ArchiveIterator

    def rows_of(path):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type != "response" or "html" not in (record.http_headers.get_header("Content-Type") or ""):
                    continue
                page = record.rec_headers.get_header("WARC-Target-URI")
                tree = lxml.html.document_fromstring(record.content_stream().read(), base_url=page)
                base = urljoin(page, next(iter(tree.xpath("//base/@href")), ""))
                for element, attribute, reference, _ in tree.iterlinks():
                    yield page, str(element.tag), attribute or "", reference, canonicalize_url(urljoin(base, reference))

    for batch in batches:
        for path in batch.column(0).to_pylist():
            columns = zip(*rows_of(path))
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array(column, pyarrow.string()) for column in columns], FIELDS)


def cpu_seconds() -> float:
    """Returns the processor time of all processes that this one has started, and of those that they have."""
    times, children = {}, {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(process.name))
        # User and system time, of the process and of its ended children.
        times[int(process.name)] = sum(map(int, fields[11:15]))
    total, queue = 0, [os.getpid()]
    while queue:
        for child in children.get(queue.pop(), []):
            total += times[child]
            queue.append(child)
    return total / os.sysconf("SC_CLK_TCK")


def cost(job) -> "tuple[float, float]":
    """Returns the processor time and the time on the clock of a job, in seconds: the medians of some runs."""
    job()
    runs = []
    for _ in range(RUNS):
        cpu, start = cpu_seconds(), time.perf_counter()
        job()
        runs.append((cpu_seconds() - cpu, time.perf_counter() - start))
    return tuple(statistics.median(times) for times in zip(*runs))


def write_archives(folder: pathlib.Path, pages, number: int, length: int) -> "list[str]":
    """Writes archives of pages, some of them in several archives."""
    paths = []
    for index in range(number):
        path = folder / f"{length}-{index}.warc.gz"
        chosen = [pages[(index * length + page) % len(pages)] for page in range(length)]
        path.write_bytes(make_archive(chosen))
        paths.append(str(path))
    return paths


def main() -> None:
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
    else:
        root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
        folder = pathlib.Path(root, "share/doc/rust/html/std")
    # Shorter files only lead to another page.
    files = [file for file in sorted(folder.rglob("*.html")) if file.stat().st_size > 4096]
    files = files[:: max(1, len(files) // 4000)]
    pages = [("https://doc.rust-lang.org/std/" + file.relative_to(folder).as_posix(), file.read_bytes()) for file in files]
    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        builder = SparkSession.builder.master(CLUSTER).config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.local.dir", str(temporary)).config("spark.log.level", "ERROR")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        # Otherwise executors write into the folder of Spark.
        os.environ["SPARK_WORKER_DIR"] = str(temporary)
        spark = builder.getOrCreate()

        def run_relref(paths, output=None):
            frame = relref_spark.links(spark, paths, normalize="crawl", columns=[*FIELDS])
            if output is None:
                frame.write.format("noop").mode("overwrite").save()
            else:
                frame.write.mode("overwrite").option("compression", "zstd").parquet(str(output))

        def run_peer(paths):
            tasks = spark.sparkContext.parallelize([(path,) for path in paths], len(paths))
            frame = spark.createDataFrame(tasks, "archive string")
            frame = frame.mapInArrow(peer_links, ", ".join(f"{field} string" for field in FIELDS))
            frame.write.format("noop").mode("overwrite").save()

        print(f"{CLUSTER}, Spark {pyspark.__version__}, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.0f}")
        print(f"medians of {RUNS} runs after a first one\n")
        paths = write_archives(temporary, pages, 4, PEER_PAGES)
        ours, peers = cost(lambda: run_relref(paths)), cost(lambda: run_peer(paths))
        print(f"4 archives of {PEER_PAGES} pages | relref {ours[0]:.2f} s | warcio + lxml + w3lib {peers[0]:.2f} s ", end="")
        print(f"| ratio {peers[0] / ours[0]:.1f} (on the clock {ours[1]:.2f} s, {peers[1]:.2f} s, {peers[1] / ours[1]:.1f})")

        paths = write_archives(temporary, pages, 16, PAGES)
        plain = sum(len(page) for _, page in pages) / len(pages) * PAGES
        size = sum(os.path.getsize(path) for path in paths) / len(paths)
        found = relref.archive_links(paths[0], columns=["uri"])
        links = found.to_pyarrow().read_all().num_rows
        print(f"\nan archive: {PAGES} pages, {size / 1e6:.1f} MB, {plain / 1e6:.1f} MB decompressed, {links} links")
        for number in (1, 4, 16):
            output = temporary / "rows"
            for name, arguments in (("noop", ()), ("Parquet", (output,))):
                cpu, clock = cost(lambda: run_relref(paths[:number], *arguments))
                print(f"{number} archives, {name} | {cpu:.2f} s | {cpu / number:.2f} s an archive | on the clock {clock:.2f} s")
            written = sum(file.stat().st_size for file in output.rglob("*.parquet")) / number
            print(f"{number} archives | Parquet has {written / 1e6:.2f} MB an archive, {written / links:.1f} bytes a link")
        start = time.process_time()
        relref.archive_links(paths[0], normalize="crawl", columns=[*FIELDS]).to_pyarrow().read_all()
        print(f"1 archive without Spark | {time.process_time() - start:.2f} s")
        spark.stop()


if __name__ == "__main__":
    main()
