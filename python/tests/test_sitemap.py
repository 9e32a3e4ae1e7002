"""Entries of sitemaps."""

import gzip
import os

import pytest
import relref
from relref import SitemapEntry, sitemap_entries

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc> /é?a&amp;b </loc><lastmod>2026-11-27T21:30:00Z</lastmod>
<image:image><image:loc>/i.png</image:loc></image:image></url><url><lastmod>2020</lastmod></url><url><loc>http://h/c</loc></url></urlset>"""
URI = "http://h/sitemap.xml"
ENTRIES = [("http://h/%C3%A9?a&b", "2026-11-27T21:30:00Z", False), ("http://h/c", None, False)]


def test_entries_have_their_dates():
    data = SITEMAP.encode()
    for sitemap in (SITEMAP, "\ufeff" + SITEMAP, data, bytearray(data), memoryview(data), gzip.compress(data), SITEMAP.encode("utf-16")):
        assert sitemap_entries(sitemap, URI) == ENTRIES
    # A text is decoded already.
    assert sitemap_entries(SITEMAP.replace("UTF-8", "ISO-8859-1"), URI) == ENTRIES
    latin = SITEMAP.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert sitemap_entries(latin, URI) == ENTRIES and isinstance(sitemap_entries(latin, URI)[0], SitemapEntry)


def test_an_index_has_sitemaps():
    index = "<sitemapindex><sitemap><loc>a.xml</loc><lastmod>2026</lastmod></sitemap></sitemapindex>"
    assert sitemap_entries(index, URI) == [SitemapEntry("http://h/a.xml", "2026", True)]
    assert sitemap_entries("<urlset/>", URI) == []


def test_damage_is_a_warning():
    data = gzip.compress(SITEMAP.encode() + os.urandom(1 << 16))
    for sitemap in (SITEMAP[:-9] + "<!x>", data[: len(data) // 2]):
        with pytest.warns(UserWarning, match="the page is damaged"):
            assert sitemap_entries(sitemap, URI) == ENTRIES
    with pytest.warns(UserWarning, match="not that of a sitemap"):
        assert sitemap_entries("<html><a href=x>", URI) == []


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError):
        sitemap_entries(5, URI)
    with pytest.raises(relref.Error):
        sitemap_entries(SITEMAP, "sitemap.xml")
