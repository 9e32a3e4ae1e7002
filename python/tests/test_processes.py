"""Other processes and interpreters: fork, spawn with pickling, and subinterpreters, which are refused."""

import multiprocessing
import os
import subprocess
import sys
import textwrap

import pytest
import relref


def work(argument):
    base, normalizer, references = argument
    return [normalizer.normalize(uri) for uri in base.resolve_many(references)]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers(method):
    argument = (relref.Base("http://h/a/"), relref.Normalizer(), [f"b{number}#c" for number in range(100)])
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(work, [argument] * 4) == [work(argument)] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_between_batches():
    script = """
        import io, os, sys, threading
        sys.path.insert(0, {tests!r})
        import pyarrow, relref, warc
        reader = relref.Pages()
        reader.links("<a href=x>", "http://h/")
        found = relref.archive_links(io.BytesIO(warc.archive([warc.record("http://h/", "<a href=x>")] * 10)), batch_rows=1)
        batches = found.to_pyarrow()
        batches.read_next_batch()
        child = os.fork()
        rest = batches.read_all().num_rows
        assert rest == 9, rest
        assert reader.links("<a href=y>", "http://h/")[0].uri == "http://h/y"
        if child:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os._exit(0)
    """
    pytest.importorskip("pyarrow")
    script = textwrap.dedent(script).format(tests=os.path.dirname(__file__))
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60, cwd=os.path.dirname(__file__))


def test_subinterpreters_are_refused_clearly():
    if sys.version_info >= (3, 13):
        module, call = "_interpreters", "exec"
    else:
        module, call = "_xxsubinterpreters", "run_string"
    script = f"""
        import relref, {module} as interpreters
        number = interpreters.create()
        code = '''
        try:
            import relref
        except ImportError as error:
            assert "subinterpreters" in str(error), error
        else:
            raise SystemExit("imported")
        '''
        import textwrap
        failure = interpreters.{call}(number, textwrap.dedent(code))
        assert failure is None, failure
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60, cwd=os.path.dirname(__file__))


def test_an_import_is_quick_and_small():
    script = "import sys, relref; assert not {'pyarrow', 'scrapy', 'pyspark', 'lxml'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60, cwd=os.path.dirname(__file__))
