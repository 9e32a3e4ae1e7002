"""Copies of sites on this machine: documentation in packages of Debian."""

import os, re
from pathlib import Path

SHARE = Path("/usr/share")
NAMES = ["doc/apache2-doc/manual", "debian-reference", "doc/maint-guide-ja/html", "doc/postgresql-doc-15/html", "doc/python3.11/html"]


def installed():
    """The folders of those that are installed."""
    return [SHARE / name for name in NAMES if (SHARE / name).is_dir()]


def pages(folder):
    """The pages of a folder, also those that symbolic links lead to."""
    for place, _, names in os.walk(folder, followlinks=True):
        for name in sorted(names):
            if re.search(r"\.x?html?$", name, re.I) and os.path.isfile(os.path.join(place, name)):
                yield os.path.join(place, name)
