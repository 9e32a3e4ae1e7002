"""A signal, such as that of Ctrl+C, ends every long call soon."""

import io
import signal
import sys
import threading
import time

import pytest
import relref
import warc

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")

MANY = [f"a/../b{number}?c=d&a=b" for number in range(2_000_000)]
URIS = ["http://example.com/" + reference for reference in MANY[:1_000_000]]
LONG = b"<p title=x>text " * 20_000_000

# Seconds: a call needs 0.2, and the rest is for a busy machine.
SOON = 1


class Stopped(Exception):
    pass


def column(rows):
    return pytest.importorskip("pyarrow").array(rows)


def page_of_links():
    return b"<a href=x>" * 3_000_000


def archive():
    records = [warc.record(f"http://example.com/{number}", "<a href=x>y</a>" * 200) for number in range(200)]
    return io.BytesIO(warc.archive(records) * 40)


def folder(tmp_path):
    for number in range(1500):
        (tmp_path / f"{number}.html").write_text("<a href=0.html>x</a>" * 2000)
    return tmp_path


CALLS = {
    "resolve_many": lambda: lambda: relref.resolve_many("http://example.com/", MANY),
    "normalize_many": lambda: lambda: relref.Normalizer().normalize_many(iter(URIS)),
    "resolve_column": lambda: (lambda rows=column(MANY): relref.resolve_column("http://example.com/", rows)),
    "normalize_column": lambda: (lambda rows=column(URIS): relref.normalize_column(rows)),
    "links": lambda: lambda: relref.links(LONG, "http://example.com/"),
    "links, many": lambda: (lambda page=page_of_links(): relref.links(page, "http://example.com/")),
    "feed": lambda: lambda: relref.links(b"<rss><channel>" + LONG, "http://example.com/"),
    "css_links": lambda: lambda: relref.css_links(b"a { b: c }\n" * 10_000_000, "http://example.com/"),
    "make_links_absolute": lambda: lambda: relref.make_links_absolute(LONG, "http://example.com/"),
    "rewrite_links": lambda: lambda: relref.rewrite_links(LONG, lambda uri: None, "http://example.com/"),
    "rewrite, a sheet": lambda: lambda: relref.rewrite(b"a { b: url(c) }\n" * 5_000_000, lambda link: None, "http://example.com/a.css"),
    "sitemap_entries": lambda: lambda: relref.sitemap_entries(b"<urlset>" + b"<url><loc>/</loc></url>" * 3_000_000, "http://example.com/"),
    "stream": lambda: lambda: relref.Pages().stream(io.BytesIO(LONG), "http://example.com/", print),
    "archive_links": lambda: (lambda file=archive(): list(relref.archive_links(file))),
}


def stopped_after(call):
    """Returns the seconds from a signal to the end of a call."""
    fired = []

    def stop(_, frame):
        # What is raised in a callback of a weak reference is lost, so the next signal is for the call.
        if "weakref" in frame.f_code.co_filename:
            return
        signal.setitimer(signal.ITIMER_REAL, 0)
        fired.append(time.perf_counter())
        raise Stopped

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.01)
    try:
        with pytest.raises(Stopped):
            call()
        return time.perf_counter() - fired[0]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_ends_soon(name):
    assert stopped_after(CALLS[name]()) < SOON


def test_check_ends_soon(tmp_path):
    site = folder(tmp_path)
    assert stopped_after(lambda: relref.check(site)) < SOON


def test_a_stream_of_batches_ends():
    pytest.importorskip("pyarrow")
    links = relref.archive_links(archive()).to_pyarrow()
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    old = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        # pyarrow makes an exception of its own, after which that of the signal comes.
        try:
            try:
                links.read_all()
            except Exception:
                pass
            time.sleep(1)
        except KeyboardInterrupt:
            return
        pytest.fail("nothing told of the signal")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_long_lists_release_the_interpreter():
    interval, ran = sys.getswitchinterval(), []
    sys.setswitchinterval(60)
    try:
        for call in (lambda: relref.resolve_many("http://h/", MANY[:100_000]), lambda: relref.Normalizer().normalize_many(URIS[:100_000])):
            ran.clear()
            ready = threading.Event()
            thread = threading.Thread(target=lambda: (ready.set(), time.sleep(0), ran.append(1)))
            thread.start()
            ready.wait()
            call()
            assert ran
            thread.join()
    finally:
        sys.setswitchinterval(interval)
