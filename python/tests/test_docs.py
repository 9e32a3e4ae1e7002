"""The examples in the documentation give what they print, and the types name all that there is."""

import ast
import doctest
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import relref
import warc
from relref import _relref

CONSTANTS = ["RULES"]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    """Yields the names and texts of all documentation."""
    yield "relref", relref.__doc__
    for name, value in {**vars(_relref), **vars(relref._types), "rewrite_folder": relref.rewrite_folder, "Url": relref.Url, "unwrap": relref.unwrap}.items():
        if name.startswith("__"):
            continue
        yield name, value.__doc__
        if isinstance(value, type):
            for member, method in vars(value).items():
                yield f"{name}.{member}", getattr(method, "__doc__", None)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text in documented() if text and ">>>" in text])
def test_examples(name, text):
    for package in ("pyarrow", "pandas", "polars", "duckdb", "pyspark"):
        if f"import {package}" in text or package == "pyarrow" and package in text:
            pytest.importorskip(package)
    found = doctest.DocTestParser().get_doctest(text, dict(vars(relref)), name, None, 0)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(found).failed == 0


def test_examples_for_scrapy():
    pytest.importorskip("scrapy")
    from relref import scrapy

    for name in scrapy.__all__:
        [example] = doctest.DocTestFinder(recurse=False).find(getattr(scrapy, name), name, scrapy)
        done = doctest.DocTestRunner().run(example)
        assert (done.failed, done.attempted > 0) == (0, True), name


def test_everything_public_has_an_example():
    """Also each method; the example of a class shows its attributes."""
    for name in relref.__all__:
        value = getattr(relref, name)
        if name in CONSTANTS:
            continue
        assert ">>>" in value.__doc__, name
        if isinstance(value, type):
            for member, method in vars(value).items():
                if callable(method) and not member.startswith("_"):
                    assert ">>>" in method.__doc__ or f".{member}(" in value.__doc__, f"{name}.{member}"


def test_everything_public_is_documented_and_typed():
    stub = ast.parse(pathlib.Path(relref.__file__).with_name("_relref.pyi").read_text("utf-8"))
    typed = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in relref.__all__:
        value = getattr(relref, name)
        if name in CONSTANTS:
            assert isinstance(value, tuple)
            continue
        assert value.__doc__, name
        if value.__module__ in ("relref._types", "relref._folder", "relref._url"):
            continue
        assert name in typed, name
        if not isinstance(value, type) or issubclass(value, Exception):
            continue
        members = {node.name for node in typed[name].body if isinstance(node, ast.FunctionDef)}
        members |= {node.target.id for node in typed[name].body if isinstance(node, ast.AnnAssign)}
        public = {member for member in vars(value) if not member.startswith("_")}
        assert public == {member for member in members if not member.startswith("_")}, name


def test_the_stub_names_the_same_parameters():
    import inspect

    stub = ast.parse(pathlib.Path(relref.__file__).with_name("_relref.pyi").read_text("utf-8"))
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            signature = inspect.signature(getattr(_relref, node.name))
            names = [arg.arg for arg in node.args.args + node.args.kwonlyargs]
            assert names == list(signature.parameters), node.name
            assert Ellipsis not in [parameter.default for parameter in signature.parameters.values()], node.name
    assert inspect.signature(relref.Scope).parameters["include"].default is None


def test_the_stub_has_the_documentation():
    """Editors show that of the stub. Examples are left out, and only one of several overloads has it."""
    import inspect

    stub = ast.parse(pathlib.Path(relref.__file__).with_name("_relref.pyi").read_text("utf-8"))
    checked = 0

    def check(nodes, owner):
        nonlocal checked
        by_name = {}
        for node in nodes:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                by_name[node.name] = by_name.get(node.name) or ast.get_docstring(node)
                if isinstance(node, ast.ClassDef):
                    check(node.body, getattr(owner, node.name))
        for name, text in by_name.items():
            assert text == inspect.getdoc(getattr(owner, name)).split(">>>")[0].rstrip(), name
            checked += 1

    check(stub.body, _relref)
    assert checked > 40


def test_readme():
    pytest.importorskip("pyarrow")
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    # The end of a code block is no output.
    text = "\n".join(line for line in readme.read_text("utf-8").splitlines() if not line.startswith("```"))
    found = doctest.DocTestParser().get_doctest(text, {}, "README", str(readme), 0)
    assert len(found.examples) > 10
    assert doctest.DocTestRunner(optionflags=FLAGS).run(found).failed == 0


def programs():
    """Returns the code blocks of README that are programs."""
    text = (pathlib.Path(__file__).parents[1] / "README.md").read_text("utf-8")
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    return [block for block in blocks if ">>>" not in block]


@pytest.mark.parametrize("program", programs(), ids=lambda program: next(line for line in program.splitlines() if line))
def test_programs_of_the_readme(program, tmp_path):
    for module in ("duckdb", "scrapy", "pyspark"):
        if module in program:
            pytest.importorskip(module)
    if "pyspark" in program and shutil.which("java") is None:
        pytest.skip("Java is not available")
    for name in ("crawl", "crawl1", "crawl2"):
        archive = warc.archive([warc.record("http://example.com/", "<a href=x>")])
        (tmp_path / f"{name}.warc.gz").write_bytes(archive)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment.pop("SPARK_HOME", None)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    if "print(" in program:
        assert "http://example.com/x" in done.stdout
    if "show(" in program:
        assert "http://example.com/a" in done.stdout


def test_the_documentation_names_all_changes():
    with pytest.raises(ValueError) as caught:
        relref.Normalizer(with_=["none"])
    names = str(caught.value).rpartition("expected")[2].replace(" or ", ", ").split(", ")
    names = [name.strip(" .;").split(" ")[0] for name in names]
    assert len(names) > 20
    text = " ".join(relref.Normalizer.__doc__.replace(",", " ").replace(".", " ").split())
    assert [name for name in names if f" {name} " not in text] == []
