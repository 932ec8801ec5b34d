"""Other guarantees of the package: errors, pickles, threads, forks, files, progress, representations."""

import ast
import concurrent.futures
import graphlib
import gzip
import inspect
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys
import threading
import tracemalloc

import pyarrow as pa
import pytest
from conftest import CLEAN, EMAILS, IDS, RULES

import assay
from assay._functions import CleanOptions


@pytest.mark.parametrize("missing", ["pyspark", "pyarrow"])
def test_spark_names_the_missing_packages(missing):
    # None makes the import fail, as if the module were not installed.
    program = f"import sys; sys.modules[{missing!r}] = None; import assay.spark"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(r"ImportError: assay.spark needs Spark and pyarrow \(.+\): pip install pyspark pyarrow", last)
    assert missing in last


def imports_of(path):
    """The modules of the package that a module imports, at any level."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            yield from [node.module] if node.module else [name.name for name in node.names]


def test_modules_do_not_import_each_other():
    files = pathlib.Path(assay.__file__).parent.glob("*.py")
    graph = {path.stem: set(imports_of(path)) for path in files if path.stem != "__init__"}
    assert len(graph) > 40 and "_native" in graph["_kind"]
    # Raises CycleError with the modules of a cycle.
    graphlib.TopologicalSorter(graph).prepare()


def test_clean_has_the_options_of_the_method():
    parameters = inspect.signature(assay.Rules.clean).parameters.values()
    options = [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    assert options == list(CleanOptions.__annotations__)


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


def test_texts_that_are_no_unicode():
    with pytest.raises(assay.AssayError, match="the pattern is not well-formed UTF-8"):
        assay.Pattern("a\ud800")
    with pytest.raises(assay.AssayError, match="rules:2:18: error: the byte 0xED is not UTF-8"):
        assay.Rules.parse("fields:\n  - {name: 'id', \ud800: 1}")
    with pytest.raises(assay.AssayError, match=r"a\\ud800\\x00b:1:1: error: expected a mapping"):
        assay.Rules.parse("1", "a\ud800\0b")
    assert assay.Pattern("é\0").matches("é\0")


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
        ("a", "str is not a column that assay can read: .*; to check one value, call Pattern.matches"),
        (None, "NoneType is not a column that assay can read: pass one of pyarrow"),
        ({"a": ["1"]}, "dict is not a column that assay can read"),
        ({"1", "2"}, "set is not a column that assay can read: .*; list.. converts it to a list"),
        (iter(["1"]), "gave str, which is not an Arrow batch: list.. makes a list of the batches"),
        (["1", ["2"]], "value 1 of the list is list, which no rule can judge"),
        ([pa.array(["1"]), None], "gave NoneType, which is not an Arrow batch"),
        ([None, pa.array(["1"])], "value 1 of the list is pyarrow.lib.StringArray, which no rule can judge"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_invalid_columns(column, says):
    with pytest.raises(TypeError, match=says):
        assay.Pattern("a").match(column)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (7, "int is not a table that assay can read: pass one of pyarrow"),
        ("id,email\n1,\n", "str is not a table .*; to check the text of a CSV file, call Rules.check_csv"),
        (b"id,email", "bytes is not a table that assay can read"),
        (["1", "x"], "list is not a table that assay can read: .* a dict of lists, a list of dicts"),
        ([["1", "x"]], "list is not a table that assay can read"),
        ((row for row in [{"id": "1"}]), "generator gave dict, which is not an Arrow batch"),
        ({"id": "123", "email": "abc"}, "column 'id' is str: in a dict, a column is a list of values"),
        ({"id": 1, "email": "x"}, "column 'id' is int: in a dict, a column is a list of values"),
        ({"id": ["1"], "email": [["x"]]}, "value 0 of column 'email' is list, which no rule can judge"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_inputs_that_are_not_tables(rules, table, says):
    with pytest.raises(TypeError, match=says):
        rules.check(table)


def test_pickles(rules):
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules and again.check({"id": IDS, "email": EMAILS}).mask == CLEAN
    pattern = pickle.loads(pickle.dumps(assay.Pattern("a.b", case_insensitive=True, dot_all=True)))
    assert repr(pattern) == "assay.Pattern('a.b', case_insensitive=True, dot_all=True)"
    assert pattern.matches("A\nB")


def test_the_gil_is_released(rules):
    """Another thread runs while values are checked."""
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
        # A timeout, because the pool waits forever for a child that died.
        assert pool.map_async(_in_child, [rules] * 4, chunksize=1).get(timeout=60) == [15000] * 4


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
    with pytest.raises(assay.AssayError, match="'-' is not a file"):
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


def test_clean_has_the_options_of_the_command(tmp_path):
    rules = assay.Rules.parse("fields: [{name: a, rules: [{enum: [x], severity: warn}]}]")
    source = tmp_path / "t.csv"
    source.write_bytes("b;a\n1;ü\n2;=1+1\n3;z\n".encode("cp1252"))
    report = rules.clean(
        source,
        encoding="windows-1252",
        delimiter=";",
        head=2,
        max_findings=1,
        show_values=True,
        guard_formulas=True,
        compress="gzip",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "t.clean.csv.gz", "t.csv", "t.findings.jsonl", "t.rejects.csv.gz", "t.report.json",
    ]  # fmt: skip
    assert gzip.decompress((tmp_path / "t.clean.csv.gz").read_bytes()).decode() == "b;a\n1;ü\n2;'=1+1\n"
    assert report["findings"] == {"total": 2, "dropped": 1}
    (finding,) = (tmp_path / "t.findings.jsonl").read_text("utf-8").splitlines()
    assert json.loads(finding)["value"] == "ü"
    assay.clean(tmp_path / "t.clean.csv.gz", rules, compress="none", findings=None, report=None)
    assert (tmp_path / "t.clean.clean.csv").read_text("utf-8") == "b;a\n1;ü\n2;'=1+1\n"
    for wrong in ({"encoding": "latin-77"}, {"delimiter": ";;;"}, {"compress": "zip"}, {"head": 0},
                  {"max_findings": -1}):
        with pytest.raises((ValueError, assay.AssayError)):
            rules.clean(source, replace=True, **wrong)
    rules.clean(source, compress="gzip", rejects=tmp_path / "bad.csv", replace=True, encoding="latin1", delimiter=";")
    assert (tmp_path / "bad.csv").read_bytes() == b"b;a\n"
    for names in ({"clean": tmp_path / "good.csv", "rejects": None}, {"clean": None, "rejects": "bad.csv.gz"}):
        with pytest.raises(assay.AssayError, match="compress= has no effect, because clean= and rejects= are given"):
            rules.clean(source, compress="gzip", replace=True, **names)
    parquet = tmp_path / "t.parquet"
    parquet.touch()
    with pytest.raises(assay.AssayError, match="head= is for CSV and JSON Lines"):
        rules.clean(parquet, head=1)


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


def test_a_result_has_no_truth_value(rules):
    """A result has no truth value, because it would be true for bad tables."""
    with pytest.raises(TypeError, match="no truth value: result.ok is true if no record is rejected"):
        bool(rules.check({"id": ["x"], "email": [None]}))


def test_looks(rules):
    result = rules.check({"id": IDS, "email": EMAILS})
    assert repr(result) == "<assay.Result 5 records: 2 clean, 3 rejected; id.required 2; id.type 1; email.format 1>"
    html = result._repr_html_()
    assert html.startswith("<table><caption>5 records: 2 clean, 3 rejected</caption>")
    clean = rules.check({"id": ["1"], "email": [None]})
    assert clean._repr_html_() == "<table><caption>1 records: 1 clean, 0 rejected</caption></table>"
    many = assay.Rules.parse("fields:\n" + "".join(f"  - {{name: c{i}, type: integer}}\n" for i in range(23)))
    assert "and 3 rules more" in many.check({f"c{i}": ["x"] for i in range(23)})._repr_html_()
    assert "<td>id</td><td>id.required</td><td style='text-align:right'>2</td>" in html
    assert (
        "<script>"
        not in assay.Rules.parse('{"fields": [{"name": "<script>", "type": "integer"}]}')
        .check({"<script>": ["x"]})
        ._repr_html_()
    )


def test_values_of_any_length():
    """Patterns have no length limit, unlike fields of files."""
    digits = assay.Pattern(r"\d+")
    for length in (2**20 - 1, 2**20, 2**20 + 1, 6 << 20):
        values = ["7" * length, "7" * length + "x", None, "7"]
        expected = [True, False, None, True]
        assert digits.match(values) == expected
        for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary()):
            assert digits.match(pa.array(values, kind)).to_pylist() == expected
        assert digits.match(pa.array(values).dictionary_encode()).to_pylist() == expected
        assert digits.matches(values[0]) is True and digits.matches(values[1]) is False
    rules = assay.Rules.parse(r"fields: [{name: v, constraints: {pattern: '\d+'}}]")
    assert [f.message for f in rules.check({"v": ["7" * (2**20 + 1)]})] == ["is over 1048576 bytes (limit field-bytes)"]


def test_undecided():
    hard = assay.Pattern(r"(a+)+\1b")
    value = "a" * 60
    assert hard.match([value, "aab"]) == [None, True]
    assert hard.matches(value) is None and hard.matches("aab") is True and hard.matches("x") is False


def test_findings_are_read_in_batches(rules):
    result = rules.check({"id": ["x", None] * 20_000, "email": ["bo"] * 40_000})
    assert result.report.findings == 80_000
    found = iter(result)
    assert [next(found).record for _ in range(3)] == [1, 1, 2]
    assert sum(1 for _ in found) == 79_997
    assert [f.rule for f in result.first(3)] == ["id.type", "email.format", "id.required"]
    assert result.first(0) == [] and len(result.first(5000)) == 5000
    assert len(result.first(10**30)) == 80_000 and len(result.findings_table(10**30)["record"]) == 80_000
    for call in (result.first, result.findings_table):
        with pytest.raises(ValueError, match="-1 is no number of findings: it is 0 or more"):
            call(-1)
        with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
            call(2.5)
    assert len(list(rules.check_csv("id,email\n" + "x,bo\n" * 6000))) == 12_000
    tracemalloc.start()
    for _ in result:
        pass
    assert tracemalloc.get_traced_memory()[1] < 4 << 20
    tracemalloc.stop()


def test_reports_add_up_and_travel(rules):
    reports = [rules.check({"id": ids, "email": [None] * len(ids)}).report for ids in (["1", "x"], [], ["y"])]
    total = sum(reports)
    assert (total.records, total.rejected, total.findings) == (3, 2, 2)
    assert total == reports[0] + reports[1] + reports[2] and total != reports[0]
    again = pickle.loads(pickle.dumps(total))
    assert again == total and again.to_dict() == total.to_dict() and repr(again) == repr(total)
    with pytest.raises(TypeError):
        1 + reports[0]


def test_reports_of_different_rules_add_up():
    strict = assay.Rules.parse("fields: [{name: id, rules: [{id: digits, pattern: '1'}]}]")
    lax = assay.Rules.parse("fields: [{name: id, rules: [{id: digits, pattern: '1', severity: warn}]}]")
    total = strict.check({"id": ["x"]}).report + lax.check({"id": ["x", "y"]}).report
    assert [tuple(count)[1:4] for count in total.rules if count.failed] == [
        ("digits", "reject", 1),
        ("digits", "warn", 2),
    ]


def test_tables_with_tabs(rules, tmp_path):
    source = tmp_path / "users.TSV"
    source.write_text("id\temail\n1\tanna@example.org\n")
    assert rules.clean(source)["inputs"][0]["clean"] == 1
    assert (tmp_path / "users.clean.TSV").read_text() == "id\temail\n1\tanna@example.org\n"
    commas = assay.Rules.parse("{dialect: {delimiter: ','}, fieldsMatch: partial, fields: [{name: \"id\\temail\"}]}")
    # The rules override the detection.
    assert commas.clean(source, replace=True)["inputs"][0]["clean"] == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x,y;z\n1,a;b\n",
         "read it with one of these, in the rules: dialect: {delimiter: ','} or dialect: {delimiter: ';'}"),
        ("a note\nid,email\n", "read it with this, in the rules: dialect: {skip: 1}"),
        ("id,\xe9mail\n", "read it with this, in the rules: dialect: {encoding: "),
        ("", "if the file has no header line, say so in the rules: dialect: {header: false}"),
        ('id,email,"x\n1,a,5\n', "read it with this, in the rules: dialect: {quoteChar: none}"),
        (",".join("abc" * 6000), "raise it in the rules: limits: {columns: 18000}"),
        ("BZh91AY&SY", "bzip2 data, not CSV.*in the rules: dialect: {encoding: NAME}.*unpack it first"),
        ('[{"id": 1}]', "is a JSON array"),
        ("\0" * 40, "is not text.*in the rules: dialect: {encoding: NAME}"),
    ],
    ids=lambda text: text[:9],
)
def test_hints_are_for_python(rules, tmp_path, text, says):
    source = tmp_path / "users.csv"
    source.write_bytes(text.encode("latin-1"))
    for call in (lambda: rules.clean(source), lambda: rules.check_csv(text.encode("latin-1"))):
        with pytest.raises(assay.AssayError) as caught:
            call()
        assert re.search(says, str(caught.value), re.DOTALL), str(caught.value)
        assert "--" not in str(caught.value) and "assay_" not in str(caught.value)


def test_limits_of_rule_files():
    with pytest.raises(assay.AssayError, match="leave it out"):
        assay.Rules.parse("{limits: {depth: 2}, fields: []}")
    with pytest.raises(assay.AssayError, match="a rule file may have 1048576"):
        assay.Rules.parse("#" * 2_000_000)


def test_hints_can_be_followed():
    wide = ",".join(f"c{i}" for i in range(17_000))
    rules = assay.Rules.parse("{limits: {columns: 17000}, fields: [{name: c0}]}")
    assert rules.check_csv(f"{wide}\n{',' * 16_999}\n").ok
    rules = assay.Rules.parse("{dialect: {quoteChar: none, delimiter: ';'}, fields: [{name: id}]}")
    assert rules.check_csv('id;"x\n1;2\n').ok


def test_outputs_that_exist(rules, tmp_path):
    source = tmp_path / "users.csv"
    source.write_text("id,email\n1,\n")
    rules.clean(source)
    with pytest.raises(assay.AssayError, match="choose other names, or replace it with replace=True"):
        rules.clean(source)


def test_arrow_of_a_csv(rules):
    with pytest.raises(assay.AssayError, match="a result of Rules.check_csv has no Arrow\n  hint: read its findings"):
        pa.array(rules.check_csv("id,email\n").reasons)


@pytest.mark.parametrize(
    ("kind", "name"),
    {
        pa.duration("us"): r"duration\[us\]",
        pa.list_(pa.int8()): "list",
        pa.large_list(pa.int8()): "large_list",
        pa.list_(pa.int8(), 2): r"fixed_size_list\[2\]",
        pa.binary(2): r"fixed_size_binary\[2\]",
        pa.map_(pa.int8(), pa.int8()): "map",
        pa.month_day_nano_interval(): "month_day_nano_interval",
        pa.list_view(pa.int8()): "list_view",
    }.items(),
    ids=str,
)
def test_types_have_names(rules, kind, name):
    with pytest.raises(assay.AssayError, match=f"the column 'id' is of the Arrow type {name}, which no rule can judge"):
        rules.check(pa.table({"id": pa.nulls(1, kind), "email": ["a"]}))


def test_paths(rules, tmp_path):
    source = tmp_path / "users.csv"
    source.write_text("id,email\n1,\n")
    (tmp_path / "users.rules.yaml").write_text(RULES)
    for form in (str, os.fsencode, pathlib.Path, pathlib.PurePath):
        path = form(source)
        assert rules.clean(path, replace=True)["inputs"][0]["clean"] == 1
        options = {"output_dir": form(tmp_path), "clean": form(tmp_path / "clean.csv"), "replace": True}
        assay.clean(path, form(tmp_path / "users.rules.yaml"), **options)
    assert (tmp_path / "clean.csv").exists() and (tmp_path / "users.rejects.csv").exists()
    for call in (
        lambda: rules.clean(f"{source}\0x"),
        lambda: rules.clean(f"{source}\0x".encode()),
        lambda: rules.clean(source, clean=f"{tmp_path}/a\0b", replace=True),
        lambda: rules.clean(source, output_dir="\0"),
        lambda: assay.Rules.load(f"{tmp_path}/users.rules.yaml\0x"),
        lambda: assay.clean(source, f"{tmp_path}/users.rules.yaml\0x"),
    ):
        with pytest.raises(ValueError, match="no path has a NUL in it: '.*x00"):
            call()
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike"):
        rules.clean(5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'replce'"):
        assay.clean(source, rules, replce=True)


def test_paths_that_are_not_utf8(rules, tmp_path):
    """The error must not claim that such a file does not exist."""
    folder = os.fsencode(tmp_path)
    odd = folder + b"/\xff.csv"
    with open(odd, "w") as file:
        file.write("id,email\n1,\n")
    (tmp_path / "users.csv").write_text("id,email\n1,\n")
    for call in (
        lambda: rules.clean(odd),
        lambda: rules.clean(os.fsdecode(odd)),
        lambda: rules.clean(tmp_path / "users.csv", clean=odd),
        lambda: rules.clean(tmp_path / "users.csv", output_dir=folder + b"/\xff"),
        lambda: assay.Rules.load(odd),
        lambda: assay.Rules.load(f"{tmp_path}/\ud800"),
    ):
        with pytest.raises(ValueError, match=r"the path '.*ud[c8].*' is not UTF-8, which Assay needs: rename the file"):
            call()


def test_names_with_a_nul():
    for text in (
        '{"fields": [{"name": "a\\u0000b"}]}',
        '{"fields": [{"name": "a", "rules": [{"id": "a\\u0000b", "pattern": "x"}]}]}',
        '{"fields": [{"name": "a", "rules": [{"pattern": "x", "message": "no\\u0000x"}]}]}',
    ):
        with pytest.raises(assay.AssayError, match="has a NUL in it, where a text ends for C") as caught:
            assay.Rules.parse(text)
        assert caught.value.faults[0].code == "rules"


@pytest.mark.parametrize("text", [5, None, ["id"], pathlib.Path("users.csv")], ids=lambda text: type(text).__name__)
def test_inputs_that_are_not_csv(rules, text):
    with pytest.raises(TypeError, match="the text of a CSV file is str or bytes, not "):
        rules.check_csv(text)
    assert rules.check_csv(bytearray(b"id,email\n1,\n")).ok and rules.check_csv(memoryview(b"id,email\n1,\n")).ok
    assert [f.code for f in rules.check_csv("id,email\n\ud800,\n")] == ["encoding"]


def test_control_characters_are_not_printed():
    rules = assay.Rules.parse('{"fields": [{"name": "a\\u001b[31m\\nb", "type": "integer"}]}')
    assert repr(rules) == r"<assay.Rules a\x1b[31m\nb>"
    result = rules.check({"a\x1b[31m\nb": ["x"]})
    assert r"a\x1b[31m\nb.type 1" in repr(result)
    with pytest.raises(KeyError) as caught:
        rules.check_column("x", [])
    assert "\x1b" not in str(caught.value)
    for call in (
        lambda: rules.check({"a\x1b": ["x"]}),
        lambda: rules.check({"a\x1b[31m\nb": [["x"]]}),
        lambda: rules.check(pa.table({"a\x1b[31m\nb": [["x"]]})),
        lambda: assay.Rules.parse("fields: [{name: a, typ\x1b: integer}]"),
        lambda: assay.Rules.parse("fields: 1", "name\x1b[31m"),
        lambda: assay.Pattern("a\x1b("),
    ):
        with pytest.raises((assay.AssayError, TypeError)) as caught:
            call()
        assert "\x1b" not in str(caught.value)


def test_packed_files_and_json_lines(rules, tmp_path):
    content = b"id,email\n1,anna@example.org\n2,bo\n"
    packed = tmp_path / "users.csv.gz"
    packed.write_bytes(gzip.compress(content))
    assert rules.clean(packed)["inputs"][0]["compression"] == "gzip"
    assert gzip.decompress((tmp_path / "users.clean.csv.gz").read_bytes()) == b"id,email\n1,anna@example.org\n"
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"id":1,"email":"anna@example.org"}\n{"id":"2"}\nno\n')
    report = rules.clean(lines)
    assert report["inputs"][0]["format"] == "jsonl" and report["structure"]["json"] == 1
    assert (tmp_path / "lines.clean.jsonl").read_text() == '{"id":1,"email":"anna@example.org"}\n'


def test_rules_from_a_dict():
    import datetime
    from decimal import Decimal

    given = {
        "fields": [
            {"name": "id", "type": "integer", "constraints": {"required": True, "maximum": 10**20}},
            {"name": "day", "type": "date", "constraints": {"minimum": datetime.date(2024, 3, 1)}},
            {"name": "share", "type": "number", "constraints": {"maximum": Decimal("0.10")}},
            {"name": "é", "constraints": {"enum": ("a", "b")}},
        ]
    }
    rules = assay.Rules.parse(given)
    assert rules.fields == ["id", "day", "share", "é"]
    assert rules.check({"id": [1, None], "day": ["2024-03-01", "2024-02-29"], "share": [0.1, 0.2],
                        "é": ["a", "c"]}).mask == [
        True,
        False,
    ]
    assert assay.Rules.parse(rules.json()) == rules
    with pytest.raises(assay.AssayError) as caught:
        assay.Rules.parse({"fields": [{"name": "id", "typ": "integer"}]})
    assert 'rules:5:4: error: unknown key \'typ\' in a field\n   5 |    "typ": "integer"\n' in str(caught.value)
    for wrong, says in [
        ({"fields": [{"name": {1}}]},
         r"rules\['fields'\]\[0\]\['name'\] is \{1\}, which rules cannot say: they are made of"),
        ({1: "a"}, "rules has the key 1, and keys are str"),
        ({"fields": [{"name": "a", "constraints": {"minimum": float("nan")}}]}, r"\['minimum'\] is nan, which rules"),
        (7, "rules are text, in YAML or JSON, or a dict, not int"),
        (["id"], "rules are text, in YAML or JSON, or a dict, not list"),
    ]:
        with pytest.raises(TypeError, match=says):
            assay.Rules.parse(wrong)


def test_errors_are_called_by_the_name_they_are_imported_by():
    program = "import assay\nassay.Rules.parse('fields: 1')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert re.search(r"^assay\.AssayError: rules:1:9: error: ", done.stderr, re.MULTILINE), done.stderr
    for kind in (assay.AssayError, assay.Fault, assay.Finding, assay.RuleCount):
        assert kind.__module__ == "assay"


def test_unknown_formats():
    with pytest.raises(assay.AssayError) as error:
        assay.Format("emial")
    assert str(error.value) == "unknown format 'emial'\n  hint: did you mean 'email'?"
    with pytest.raises(assay.AssayError, match="^[^{}]*countr[^{}]*$"):
        assay.Format("iban countr=DE")
