"""The examples in Docs/python.md produce the documented output."""

import doctest
import pathlib

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Docs/python.md"


def test_python_page():
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failures, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=options)
    assert tried > 20 and failures == 0
