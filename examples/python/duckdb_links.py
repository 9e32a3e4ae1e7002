"""Counts the hosts that a web archive links to, with DuckDB.

    python examples/python/duckdb_links.py ARCHIVE

On one machine this is faster than Spark, until the data outgrows the machine.
"""

import sys

import duckdb
import relref


def main() -> None:
    links = relref.archive_links(sys.argv[1], kinds=["hyperlink"], fetchable=True, key="surt", columns=["page", "key"])
    counts = "SELECT split_part(key, ')', 1) AS host, count(*) AS links, count(DISTINCT page) AS pages FROM links GROUP BY host"
    print(duckdb.sql(f"{counts} ORDER BY links DESC, host LIMIT 10"))
    for problem in links.problems:
        print(problem, file=sys.stderr)


if __name__ == "__main__":
    main()
