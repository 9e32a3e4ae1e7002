#!/usr/bin/env python3
"""Times `relref links -q --threads 1` beside programs that only count links, and prints a table.

    benches/compare/pages.py [--rounds N] FOLDER...

Each round runs all of them in turn. A figure is the median of the ratios of the rounds: the user time of the program in times of that
of relref, and in parentheses the processor time. lychee, which resolves and prints, too, has a row if it is in the PATH; it uses all
cores.
"""

import argparse, os, shutil, statistics, subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
RELREF = HERE.parents[1] / "target" / "release" / "relref"
COUNT = HERE / "target" / "release" / "examples" / "count_links"


def times(command):
    """The user time and the processor time of a command, in seconds."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return usage.ru_utime, usage.ru_utime + usage.ru_stime


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folders", nargs="+", metavar="FOLDER")
parser.add_argument("--rounds", type=int, default=9)
args = parser.parse_args()

build = ["cargo", "build", "--quiet", "--locked", "--release"]
subprocess.run([*build, "--package", "relref-cli"], cwd=HERE.parents[1], check=True)
subprocess.run([*build, "--example", "count_links"], cwd=HERE, check=True)
# The words of each command before the folder, and those after it.
programs = {name: ([COUNT, name], []) for name in ("lol_html", "html5gum", "tl")}
if shutil.which("lychee"):
    programs["lychee"] = (["lychee", "--dump", "--offline", "--no-progress"], [])
programs["cat"] = (["find"], "-type f -exec cat {} +".split())

print("| | " + " | ".join(args.folders) + " |\n|---|" + "--:|" * len(args.folders))
rows = {name: [] for name in programs}
for folder in args.folders:
    ratios = {name: [] for name in programs}
    for _ in range(args.rounds):
        relref = times([RELREF, "links", "-q", "--threads", "1", folder])
        for name, (before, after) in programs.items():
            ratios[name].append([time / own for time, own in zip(times([*before, folder, *after]), relref)])
    for name, found in ratios.items():
        user, processor = map(statistics.median, zip(*found))
        rows[name].append(f"{user:.1f} ({processor:.1f})" if user > 0.5 else f"({processor:.2f})")
for name, found in rows.items():
    print(f"| {name} | " + " | ".join(found) + " |")
