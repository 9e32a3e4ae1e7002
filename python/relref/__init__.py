"""Resolve relative URI references, find the links of pages and web archives, and normalize them.

>>> import relref
>>> relref.urljoin("http://example.com/a/b", "../c")
'http://example.com/c'
>>> base = relref.Base("http://example.com/docs/")
>>> base.resolve("a b")
'http://example.com/docs/a%20b'
>>> [link.uri for link in relref.links(b"<a href=intro>", "http://example.com/docs/")]
['http://example.com/docs/intro']
"""

import sys as _sys

if _sys.version_info < (3, 12):
    # Later versions of Python refuse the import themselves.
    try:
        import _xxsubinterpreters as _interpreters  # type: ignore[import-not-found]
    except ImportError:
        pass
    else:
        if _interpreters.get_current() != _interpreters.get_main():
            raise ImportError("relref does not support subinterpreters: import it in the main interpreter")

from . import _standard  # First: it keeps the function that relref.urljoin may replace.
from ._relref import (
    RULES,
    ArchiveLinks,
    Base,
    ChunkedPage,
    Column,
    Error,
    Normalizer,
    Pages,
    RobotsTxt,
    Scope,
    __version__,
    archive_links,
    cdx_key,
    check,
    compare,
    css_links,
    explain,
    field_links,
    links,
    make_links_absolute,
    normalize_column,
    registrable_domain,
    relativize,
    resolve,
    resolve_column,
    resolve_many,
    rewrite,
    rewrite_links,
    same_site,
    sitemap_entries,
    split,
    surt,
    title,
    urljoin,
    validate,
)
from ._folder import rewrite_folder
from ._types import ArchiveLink, Damage, Link, LinkProblem, Problem, RobotsRule, SitemapEntry, Split, Step
from ._url import Url, unwrap

__all__ = [
    "RULES",
    "ArchiveLink",
    "ArchiveLinks",
    "Base",
    "ChunkedPage",
    "Column",
    "Damage",
    "Error",
    "Link",
    "Normalizer",
    "Pages",
    "Problem",
    "LinkProblem",
    "RobotsRule",
    "RobotsTxt",
    "Scope",
    "SitemapEntry",
    "Split",
    "Step",
    "Url",
    "archive_links",
    "cdx_key",
    "check",
    "compare",
    "css_links",
    "explain",
    "field_links",
    "links",
    "make_links_absolute",
    "normalize_column",
    "registrable_domain",
    "relativize",
    "resolve",
    "resolve_column",
    "resolve_many",
    "rewrite",
    "rewrite_folder",
    "rewrite_links",
    "same_site",
    "sitemap_entries",
    "split",
    "surt",
    "title",
    "unwrap",
    "urljoin",
    "validate",
]
