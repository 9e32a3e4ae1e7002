"""Writes the links of web archives as Parquet: each normalized URI once, and a table of problems.

    spark-submit examples/spark/links.py OUTPUT ARCHIVE…

OUTPUT gets three folders: `rows` (every link and problem), `links` (key, uri, in how many pages) and `problems`.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from relref import spark as relref_spark


def main() -> None:
    output, *archives = sys.argv[1:]
    builder = SparkSession.builder.appName("relref links")
    # Smaller than by Snappy, whose library does not load on systems that have musl beside glibc.
    spark = builder.config("spark.sql.parquet.compression.codec", "zstd").getOrCreate()
    # Each archive is read once.
    relref_spark.links(spark, archives, fetchable=True, normalize="crawl", key="surt").write.parquet(f"{output}/rows")
    rows = spark.read.parquet(f"{output}/rows")
    links = rows.where("problem IS NULL").groupBy("key").agg(f.min("uri").alias("uri"), f.countDistinct("page").alias("pages"))
    links.write.parquet(f"{output}/links")
    rows.where("problem IS NOT NULL").select("archive", "offset", "problem").write.parquet(f"{output}/problems")
    for name in ("rows", "links", "problems"):
        print(name, spark.read.parquet(f"{output}/{name}").count())


if __name__ == "__main__":
    main()
