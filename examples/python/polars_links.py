"""Counts the links of each page of a web archive by kind, with Polars.

    python examples/python/polars_links.py ARCHIVE

On one machine this is faster than Spark, until the data outgrows the machine.
"""

import sys

import polars
import relref


def main() -> None:
    links = relref.archive_links(sys.argv[1], columns=["page", "kind", "uri"])
    frame = polars.DataFrame(links)
    print(frame.group_by("page", "kind").agg(polars.len(), polars.col("uri").n_unique().alias("different")).sort("page", "kind"))
    for problem in links.problems:
        print(problem, file=sys.stderr)


if __name__ == "__main__":
    main()
