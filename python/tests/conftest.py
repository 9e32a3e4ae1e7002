"""Settings of the tests.

RELREF_PAIRS is the number of random pairs, RELREF_PAGES a folder of HTML pages.
"""

import os
import pathlib
import subprocess

import pytest


@pytest.fixture(scope="session")
def pages() -> "list[pathlib.Path]":
    """The files of real pages: those of RELREF_PAGES, otherwise the documentation that comes with Rust."""
    folder = os.environ.get("RELREF_PAGES")
    if folder is None:
        try:
            root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("no real pages: rustc is not available")
        folder = pathlib.Path(root, "share/doc/rust/html/std")
    found = sorted(pathlib.Path(folder).rglob("*.html"))
    if len(found) < 100:
        pytest.skip(f"no real pages in {folder}")
    return found
