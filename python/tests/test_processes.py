"""Other processes and interpreters: fork, spawn with pickling, and subinterpreters, which are refused."""

import multiprocessing
import os
import pathlib
import pickle
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


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_get_readers_of_pages(method):
    reader = relref.Pages("rfc3986", kinds=["hyperlink", "resource"], lazy=True, robots=True, report_invalid=True, max_uri=30, max_text=20)
    pages = [f"<a href={name} rel=nofollow>Привет {name}</a><img data-src=и><form action=f><a href={'x' * 40}>" for name in ("a", "日本", "?б")]
    arguments = [(page, "http://h/d/") for page in pages]
    expected = [reader.links(*argument) for argument in arguments]
    assert [len(links) for links in expected] == [2, 2, 2]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.starmap(reader.links, arguments) == expected
        assert pool.starmap(relref.Pages().links, arguments) == [relref.Pages().links(*argument) for argument in arguments]


def test_copies_of_a_reader_have_its_options():
    page = "<a href=x><a href='tel:1'><a href='http://a b/'><p itemid=i><img data-src=l><a href=" + "y" * 50 + ">"
    for options in ({}, {"fetchable": True}, {"lazy": True}, {"items": True}, {"report_invalid": True}, {"max_uri": 20}, {"max_total": 30}):
        reader = relref.Pages(**options)
        copy = pickle.loads(pickle.dumps(reader))
        assert copy.links(page, "http://h/") == reader.links(page, "http://h/")
        assert (copy.left_out, copy.invalid) == (reader.left_out, reader.invalid)
        assert pickle.loads(pickle.dumps(reader)).invalid == 0
    legacy = pickle.loads(pickle.dumps(relref.Pages("rfc3986", legacy_queries=True)))
    assert legacy.links("<a href=?б>".encode("cp1251"), "http://h/", "windows-1251")[0].uri == "http://h/?%E1"


def test_workers_get_and_give_columns():
    pa = pytest.importorskip("pyarrow")
    column = relref.resolve_column("http://h/", pa.chunked_array([["a", None], ["http://x:y/", "é"]]))
    copy = pickle.loads(pickle.dumps(column))
    assert copy.to_pylist() == column.to_pylist() == ["http://h/a", None, None, "http://h/%C3%A9"]
    assert (copy.problems, copy.null_count, len(copy)) == (column.problems, 2, 4)
    assert pa.array(copy) == pa.array(column)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(relref.Column.to_pylist, (column,)) == column.to_pylist()


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


@pytest.mark.skipif(os.name == "nt", reason="a command is a script here")
def test_the_package_finds_the_command_beside_its_python(tmp_path):
    # An environment that is not active, with this one's packages.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (tmp_path / "venv/bin/relref").write_text("#!/bin/sh\necho beside\n")
    (tmp_path / "venv/bin/relref").chmod(0o755)
    environment = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(pathlib.Path(relref.__file__).parents[1])}
    command = [tmp_path / "venv/bin/python", "-m", "relref"]
    assert subprocess.run(command, capture_output=True, text=True, env=environment).stdout == "beside\n"


def test_the_package_runs_the_command(tmp_path):
    command = [sys.executable, "-m", "relref", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": str(tmp_path)})
    assert (done.returncode, "cargo install" in done.stderr) == (1, True)
    (tmp_path / "relref").write_text("#!/bin/sh\necho \"$@\"\n")
    (tmp_path / "relref").chmod(0o755)
    if os.name != "nt":
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": str(tmp_path)})
        assert done.stdout == "--version\n"
