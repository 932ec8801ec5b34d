"""What the package promises besides: errors, pickles, threads, forks, files, progress, looks."""

import concurrent.futures
import json
import multiprocessing
import pickle
import threading

import pyarrow as pa
import pytest
from conftest import CLEAN, EMAILS, IDS, RULES

import assay


def test_versions():
    assert assay.__version__.count(".") == 2 and assay.engine.startswith("PCRE2 10.")


def test_errors_list_all_mistakes(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("fields:\n  - {name: a, typ: integer}\n  - {name: b, constraints: {pattern: '('}}\n")
    with pytest.raises(assay.AssayError) as caught:
        assay.Rules.load(path)
    first, second = caught.value.faults
    assert (first.code, first.line, first.column, first.hint) == ("rules", 2, 15, "did you mean 'type'?")
    assert second.line == 3 and "missing closing parenthesis" in second.message
    assert f"{path}:2:15: error: unknown key 'typ'" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.faults == caught.value.faults
    with pytest.raises(assay.AssayError, match="No such file"):
        assay.Rules.load(tmp_path / "none")


def test_pattern_errors():
    with pytest.raises(assay.AssayError, match="missing closing parenthesis at offset 3"):
        assay.Pattern("a(b")
    with pytest.raises(TypeError, match="value 1 is no str"):
        assay.Pattern("a")._native.check_texts(["a", 1], 0, 1, None)
    with pytest.raises(ValueError, match="threads is -1: it is a number of threads, or 0"):
        assay.Pattern("a").match(["a"], threads=-1)
    with pytest.raises(TypeError, match="a pattern is a str, not bytes"):
        assay.Pattern(b"a")
    with pytest.raises(TypeError, match="a value is a str, not NoneType"):
        assay.Pattern("a").matches(None)
    with pytest.raises(TypeError, match="rules are made by Rules.load.path. and Rules.parse.text."):
        assay.Rules("users.rules.yaml")


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ("a", "str is no column that assay knows: .*; for one value there is Pattern.matches"),
        (None, "NoneType is no column that assay knows: give it something of pyarrow"),
        ({"a": ["1"]}, "dict is no column that assay knows"),
        ({"1", "2"}, "set is no column that assay knows: .*; list.. makes a list of it"),
        (iter(["1"]), "gave str, which is no batch of Arrow: list.. makes a list of them"),
        (["1", ["2"]], "value 1 of the list is list, which no rule can judge"),
        ([pa.array(["1"]), None], "gave NoneType, which is no batch of Arrow"),
        ([None, pa.array(["1"])], "value 1 of the list is pyarrow.lib.StringArray, which no rule can judge"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_column(column, says):
    with pytest.raises(TypeError, match=says):
        assay.Pattern("a").match(column)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (7, "int is no table that assay knows: give it something of pyarrow"),
        ("users.csv", "str is no table .*; for a file there is Rules.clean, and for the text of one Rules.check_csv"),
        (["1", "x"], "list is no table that assay knows: .* a dict of lists, a list of dicts"),
        ([["1", "x"]], "list is no table that assay knows"),
        ((row for row in [{"id": "1"}]), "generator gave dict, which is no batch of Arrow"),
        ({"id": "123", "email": "abc"}, "column 'id' is str: in a dict, a column is a list of values"),
        ({"id": 1, "email": "x"}, "column 'id' is int: in a dict, a column is a list of values"),
        ({"id": ["1"], "email": [["x"]]}, "value 0 of column 'email' is list, which no rule can judge"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_table(rules, table, says):
    with pytest.raises(TypeError, match=says):
        rules.check(table)


def test_pickles(rules):
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules and again.check({"id": IDS, "email": EMAILS}).mask == CLEAN
    pattern = pickle.loads(pickle.dumps(assay.Pattern("a.b", case_insensitive=True, dot_all=True)))
    assert repr(pattern) == "assay.Pattern('a.b', case_insensitive=True, dot_all=True)"
    assert pattern.matches("A\nB")


def test_the_gil_is_released(rules):
    """Another thread runs while values are judged."""
    ticks = 0
    stop = threading.Event()

    def tick():
        nonlocal ticks
        while not stop.is_set():
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = ticks
        assay.Pattern("a*b")._native.check_texts(["a" * 3000] * 100_000, 0, 1, None)
        assert ticks - before > 1000
    finally:
        stop.set()
        thread.join()


def test_many_threads(rules):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        masks = pool.map(lambda _: rules.check({"id": IDS * 100, "email": EMAILS * 100}).mask, range(50))
        assert all(mask == CLEAN * 100 for mask in masks)


def _in_child(rules):
    return rules.check({"id": IDS * 5000, "email": EMAILS * 5000}).report.rejected


def test_fork_after_use(rules):
    assert _in_child(rules) == 15000
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_child, [rules] * 4, chunksize=1) == [15000] * 4


def test_csv(rules):
    result = rules.check_csv("id,email\n1,anna@example.org\nx,bo\n")
    assert [(f.line, f.offset, f.rule) for f in result] == [(3, 28, "id.type"), (3, 30, "email.format")]
    assert [(f["line"], f["column"]) for f in result.findings] == [(3, "id"), (3, "email")]
    with pytest.raises(TypeError, match="no mask of the rows of a CSV"):
        result.mask
    with pytest.raises(assay.AssayError, match="no column is named 'id'"):
        rules.check_csv("a,b\n1,2\n")


def test_clean(rules, tmp_path):
    source = tmp_path / "users.csv"
    source.write_text("id,email\n1,anna@example.org\nx,bo\n")
    report = assay.clean(source, rules)
    assert (tmp_path / "users.clean.csv").read_text() == "id,email\n1,anna@example.org\n"
    assert (tmp_path / "users.rejects.csv").read_text() == "id,email\nx,bo\n"
    assert len((tmp_path / "users.findings.jsonl").read_text().splitlines()) == 2
    assert json.loads((tmp_path / "users.report.json").read_text()) == report
    with pytest.raises(assay.AssayError, match="exist already"):
        rules.clean(source)
    rules.clean(source, replace=True, annotate=True, clean=None, findings=None, report=None)
    assert (tmp_path / "users.rejects.csv").read_text() == "id,email,_line,_reasons\nx,bo,3,id.type;email.format\n"
    with pytest.raises(assay.AssayError, match="'-' is no file"):
        rules.clean(source, clean="-", replace=True)
    other = tmp_path / "other"
    other.mkdir()
    rules.clean(source, output_dir=other)
    assert sorted(path.name for path in other.iterdir()) == [
        "users.clean.csv",
        "users.findings.jsonl",
        "users.rejects.csv",
        "users.report.json",
    ]


def test_progress(rules):
    seen = []
    data = {"id": ["1"] * 20_000, "email": [None] * 20_000}
    rules.check(data, threads=1, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (4096, 20_000) and seen[-1] == (20_000, 20_000)
    rules.check(data, progress=True)

    def fail(done, total):
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        rules.check(data, progress=fail)


def test_looks(rules):
    result = rules.check({"id": IDS, "email": EMAILS})
    assert repr(result) == "<assay.Result 5 records: 2 clean, 3 rejected; id.required 2; id.type 1; email.format 1>"
    html = result._repr_html_()
    assert html.startswith("<table><caption>5 records: 2 clean, 3 rejected</caption>")
    clean = rules.check({"id": ["1"], "email": [None]})
    assert clean._repr_html_() == "<table><caption>1 records: 1 clean, 0 rejected</caption></table>"
    many = assay.Rules.parse("fields:\n" + "".join(f"  - {{name: c{i}, type: integer}}\n" for i in range(23)))
    assert "and 3 rules more" in many.check({f"c{i}": ["x"] for i in range(23)})._repr_html_()
    assert "pyarrow.chunked_array" in repr(result.reasons)
    assert "<td>id</td><td>id.required</td><td style='text-align:right'>2</td>" in html
    assert (
        "<script>"
        not in assay.Rules.parse('{"fields": [{"name": "<script>", "type": "integer"}]}')
        .check({"<script>": ["x"]})
        ._repr_html_()
    )
