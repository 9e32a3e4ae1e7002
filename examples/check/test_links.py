"""A test for pytest: every link of the built site works. Needs the Python package relref."""

import relref


def test_links():
    problems = [problem for problem in relref.check("public", base="https://example.com/") if not problem.is_note]
    assert not problems, "\n".join(f"{p.page}:{p.line}:{p.column}: {p.problem}: {p.reference}" for p in problems)
