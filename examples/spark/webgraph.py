"""Writes the graphs of pages and of hosts in web archives as Parquet: edges, and nodes with the number of edges to them.

    spark-submit examples/spark/webgraph.py OUTPUT ARCHIVE…

OUTPUT gets `pages/nodes`, `pages/edges`, `hosts/nodes`, `hosts/edges` and `problems`. Nodes are sort keys; a host's key is its labels
from right to left.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from relref import spark as relref_spark


def write_graph(edges, folder: str) -> None:
    edges = edges.where("source IS NOT NULL AND target IS NOT NULL").distinct()
    edges.write.parquet(f"{folder}/edges")
    edges = edges.sparkSession.read.parquet(f"{folder}/edges")
    keys = edges.select(f.col("source").alias("key")).union(edges.select("target")).distinct()
    degrees = edges.groupBy(f.col("target").alias("key")).agg(f.count("*").alias("in_degree"))
    keys.join(degrees, "key", "left").fillna(0, ["in_degree"]).write.parquet(f"{folder}/nodes")


def main() -> None:
    output, *archives = sys.argv[1:]
    builder = SparkSession.builder.appName("relref webgraph")
    # Smaller than by Snappy, whose library does not load on systems that have musl beside glibc.
    spark = builder.config("spark.sql.parquet.compression.codec", "zstd").getOrCreate()
    options = {"kinds": ["hyperlink"], "fetchable": True, "normalize": "crawl", "key": "surt", "columns": ["page", "key"]}
    rows = relref_spark.links(spark, archives, **options)
    rows = rows.withColumn("page", relref_spark.normalize(f.col("page"), "crawl", "surt")).persist()
    rows.where("problem IS NOT NULL").select("archive", "offset", "problem").write.parquet(f"{output}/problems")
    pages = rows.where("problem IS NULL").select(f.col("page").alias("source"), f.col("key").alias("target"))
    write_graph(pages, f"{output}/pages")
    host = {name: f.split(f.col(name), r"[)]")[0].alias(name) for name in ("source", "target")}
    hosts = pages.select(host["source"], host["target"]).where("source != target")
    write_graph(hosts, f"{output}/hosts")
    for name in ("pages/nodes", "pages/edges", "hosts/nodes", "hosts/edges", "problems"):
        print(name, spark.read.parquet(f"{output}/{name}").count())


if __name__ == "__main__":
    main()
