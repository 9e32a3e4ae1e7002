"""Folders of pages with other references."""

import contextlib
import errno
import os
import pathlib
import re
import secrets
import shutil
from os import PathLike
from typing import Any, Mapping, Optional, Union

from ._relref import Normalizer, _FileRewriter
from ._url import Url

# As the command relref names a file that is not complete.
_PREFIX, _SUFFIX = ".relref-", ".tmp"
_NEW_FILE = re.compile(re.escape(_PREFIX) + "[A-Za-z0-9_]{8}" + re.escape(_SUFFIX))


def rewrite_folder(
    folder: Union[str, "PathLike[str]"],
    base: Union[str, Url],
    *,
    to: str = "absolute",
    output: Union[str, "PathLike[str]", None] = None,
    in_place: bool = False,
    map: Optional[Mapping[str, str]] = None,
    normalize: Optional[Normalizer] = None,
    rules: str = "whatwg",
    keep_fragments: bool = False,
    lazy: bool = False,
) -> "dict[str, Any]":
    """Rewrite the references of all pages, also in Markdown, style sheets, feeds and SVG images of a folder, and return the totals. No other
    byte changes.

    base is the URI of the folder: its file a/b.html is base/a/b.html. to is the form of the new references: "absolute", "relative"
    (the shortest without scheme, host and first slash) or "root" (with a first slash), both only to the page's own origin; or
    "as-written": only references that map or normalize changes are written, in the form that they have.
    Either output names the folder of the copy, in which other files are copied and symbolic links stay such, or in_place is true:
    then each file that changes is replaced at once, and is the old or the new one at any moment. A run that is killed leaves at most
    one file .relref-XXXXXXXX.tmp, which the next run removes.

    Absolute URIs that start with a key of map start with its value instead. normalize is a Normalizer for the URIs. keep_fragments
    leaves references that are only a fragment, and lazy also rewrites what only scripts read (data-src). Files are read by one thread;
    other threads run meanwhile.

    The totals have pages, changed (pages), rewritten, kept and left (references; left by reason), copied and compressed (other files),
    and problems: pairs of a path and a message for files that could not be read or written, or only in part. Raise ValueError for
    options that do not fit together.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.html").write_text("<a href=b.html>b</a> <a href='mailto:x@example.com'>x</a>")
    >>> totals = rewrite_folder(folder, "http://example.com/docs/", in_place=True)
    >>> totals["changed"], totals["rewritten"], totals["left"], totals["problems"]
    (1, 1, {'no-host': 1}, [])
    >>> (folder / "a.html").read_text()
    "<a href=http://example.com/docs/b.html>b</a> <a href='mailto:x@example.com'>x</a>"
    """
    if in_place == (output is not None):
        raise ValueError("either output or in_place is needed")
    rewriter = _FileRewriter(base, to, list((map or {}).items()), normalize, rules, keep_fragments, lazy)
    root = os.fspath(folder)
    target = root if output is None else os.fspath(output)
    if output is not None:
        original, copy = pathlib.Path(os.path.realpath(root)), pathlib.Path(os.path.realpath(target))
        if copy.is_relative_to(original) or original.is_relative_to(copy):
            raise ValueError("of output and the folder that is read, one is in the other, or they are one")
    counts = dict.fromkeys(("pages", "changed", "copied", "compressed"), 0)
    problems = []

    def failed(error: OSError) -> None:
        problems.append((error.filename or root, error.strerror or str(error)))

    for here, folders, files in os.walk(root, onerror=failed):
        folders.sort()
        place = os.path.relpath(here, root)
        there = os.path.normpath(os.path.join(target, place))
        try:
            # Of a copy, symbolic links are replaced: they could lead out of the folder.
            if not in_place and place != os.curdir and os.path.islink(there):
                os.remove(there)
            os.makedirs(there, exist_ok=True)
            for name in filter(_NEW_FILE.fullmatch, os.listdir(there)):
                os.remove(os.path.join(there, name))
        except OSError as error:
            failed(error)
            continue
        for name in sorted(files + [name for name in folders if os.path.islink(os.path.join(here, name))]):
            source, new = os.path.join(here, name), os.path.join(there, name)
            if _NEW_FILE.fullmatch(name):
                continue
            try:
                if os.path.islink(source):
                    if not in_place:
                        if os.path.lexists(new):
                            os.remove(new)
                        os.symlink(os.readlink(source), new)
                elif os.path.isfile(source):
                    problem = _rewrite_file(rewriter, source, os.path.normpath(os.path.join(place, name)), new, in_place, counts)
                    problems.extend([(source, problem)] if problem else [])
            except OSError as error:
                problems.append((source, error.strerror or str(error)))
    return {**counts, **rewriter.totals(), "problems": problems}


def _rewrite_file(
    rewriter: _FileRewriter, source: str, place: str, new: str, in_place: bool, counts: "dict[str, int]"
) -> Optional[str]:
    """Returns what could not be read, after the file is written."""
    content = rewriter.content(source, place)
    counts[{"compressed": "compressed", "other": "copied"}.get(content, "pages")] += 1
    is_page = content not in ("compressed", "other")
    if in_place and not is_page:
        return None
    problem = None
    # A copy has the permissions of any new file: it has another owner, and must not run as this one.
    temporary = os.path.join(os.path.dirname(new), _PREFIX + secrets.token_hex(4) + _SUFFIX)
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            if is_page:
                changed, problem = rewriter.rewrite(source, place, temporary)
                counts["changed"] += changed
                if in_place and not changed:
                    return problem
            else:
                shutil.copyfile(source, temporary)
            if in_place and hasattr(os, "chown"):
                status = os.stat(source)
                with contextlib.suppress(OSError):
                    os.chown(temporary, -1, status.st_gid)
                    os.chown(temporary, status.st_uid, -1)
            if in_place:
                shutil.copymode(source, temporary)
                _copy_attributes(source, temporary)
                # The bytes are on the disk before the name is, also after a failure of power.
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, new)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)
    return problem


def _copy_attributes(source: str, target: str) -> None:
    """Copies the extended attributes, which access control lists are, too, and removes others."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(source)
        for name in set(os.listxattr(target)).difference(names):
            if not name.startswith("security."):
                os.removexattr(target, name)
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return
        raise
    for name in names:
        if name in ("security.ima", "security.evm"):
            continue
        try:
            os.setxattr(target, name, os.getxattr(source, name))
        except OSError as error:
            # Not all processes may give labels of security.
            is_label = name.startswith("security.") and error.errno in (errno.EPERM, errno.EACCES)
            if error.errno != errno.ENOTSUP and not is_label:
                raise
