"""Folders of pages with other references."""

import contextlib
import os
import pathlib
from os import PathLike
from typing import Any, Mapping, Optional, Union

from ._relref import Normalizer, _FileRewriter
from ._url import Url


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
    (the shortest without scheme, host and first slash) or "rooted" (with a first slash, also by the name "root"), both only to the page's own origin; or
    "as-written": only references that map or normalize changes are written, in the form that they have.
    Either output names the folder of the copy, in which other files are copied and symbolic links stay such, or in_place is true:
    then each file that changes is replaced at once, and is the old or the new one at any moment. A run that is killed leaves at most
    one file .relref-XXXXXXXX.tmp, which the next run removes.

    Absolute URIs that start with a key of map start with its value instead. normalize is a Normalizer for the URIs. keep_fragments
    leaves references that are only a fragment, and lazy also rewrites what only scripts read (data-src). Files are read by one thread;
    other threads run meanwhile.

    The integrity of a style sheet that changes is left out: browsers would not load it any more.

    The totals have pages, changed (pages), rewritten, kept and left (references; left by reason), integrity (attributes that were left
    out), copied and compressed (other files), and problems: pairs of a path and a message for files that could not be read or written, or only in part. Raise ValueError for
    options that do not fit together, and OSError if another run writes to the folder.

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
    root = os.fspath(folder)
    rewriter = _FileRewriter(root, base, to, list((map or {}).items()), normalize, rules, keep_fragments, lazy)
    target = root if output is None else os.fspath(output)
    if output is not None:
        original, copy = pathlib.Path(os.path.realpath(root)), pathlib.Path(os.path.realpath(target))
        if copy.is_relative_to(original) or original.is_relative_to(copy):
            raise ValueError("of output and the folder that is read, one is in the other, or they are one")
        os.makedirs(target, exist_ok=True)
    # That the folder is missing is a problem like others.
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        rewriter.lock_folder(target)
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
            rewriter.remove_new_files(there)
        except OSError as error:
            failed(error)
            continue
        for name in sorted(files + [name for name in folders if os.path.islink(os.path.join(here, name))]):
            source, new = os.path.join(here, name), os.path.join(there, name)
            if rewriter.is_new_file(name):
                continue
            try:
                if os.path.islink(source):
                    if not in_place:
                        if os.path.lexists(new):
                            os.remove(new)
                        os.symlink(os.readlink(source), new)
                elif os.path.isfile(source):
                    below = os.path.normpath(os.path.join(place, name))
                    problem = _rewrite_file(rewriter, source, below, None if in_place else new, counts)
                    problems.extend([(source, problem)] if problem else [])
            except OSError as error:
                problems.append((source, error.strerror or str(error)))
    return {**counts, **rewriter.totals(), "problems": problems}


def _rewrite_file(
    rewriter: _FileRewriter, source: str, place: str, target: Optional[str], counts: "dict[str, int]"
) -> Optional[str]:
    """Without a target, replaces the file. Returns what could not be read, after the file is written."""
    content = rewriter.content(source, place)
    counts[{"compressed": "compressed", "other": "copied"}.get(content, "pages")] += 1
    if content in ("compressed", "other"):
        if target is not None:
            rewriter.copy(source, target)
        return None
    changed, problem = rewriter.rewrite(source, place, target)
    counts["changed"] += changed
    return problem
