"""The examples in the documentation give what they print, and the types name all that there is."""

import ast
import doctest
import pathlib

import pytest
import relref
from relref import _relref

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    """Yields the names and texts of all documentation."""
    yield "relref", relref.__doc__
    for name, value in vars(_relref).items():
        if name.startswith("__"):
            continue
        yield name, value.__doc__
        if isinstance(value, type):
            for member, method in vars(value).items():
                yield f"{name}.{member}", getattr(method, "__doc__", None)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text in documented() if text and ">>>" in text])
def test_examples(name, text):
    if "pyarrow" in text:
        pytest.importorskip("pyarrow")
    found = doctest.DocTestParser().get_doctest(text, dict(vars(relref)), name, None, 0)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(found).failed == 0


def test_everything_public_is_documented_and_typed():
    stub = ast.parse(pathlib.Path(relref.__file__).with_name("_relref.pyi").read_text("utf-8"))
    typed = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in relref.__all__:
        value = getattr(relref, name)
        assert value.__doc__, name
        if value.__module__ == "relref._types":
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


def test_readme():
    pytest.importorskip("pyarrow")
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    # The end of a code block is no output.
    text = "\n".join(line for line in readme.read_text("utf-8").splitlines() if not line.startswith("```"))
    found = doctest.DocTestParser().get_doctest(text, {}, "README", str(readme), 0)
    assert len(found.examples) > 10
    assert doctest.DocTestRunner(optionflags=FLAGS).run(found).failed == 0
