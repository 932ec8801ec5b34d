"""Untrusted rules open only files in their folder; pickled rules keep their permissions."""

import os
import pathlib
import pickle
import sys

import pytest

import assay

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Escapes"))

from escapes import SECRET, make  # noqa: E402


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return make(tmp_path_factory.mktemp("escapes") / "tree")


def files(tree):
    lines = [line.split("\t") for line in (tree / "list.tsv").read_text().splitlines()]
    assert len(lines) > 60
    return [(kind, tree / "rules" / name) for kind, name in lines]


def travelled(rules):
    return pickle.loads(pickle.dumps(rules))


def check(rules):
    assert rules.check({"id": [SECRET, "other"]}).mask == [True, False]


def refuse(read, *rest):
    with pytest.raises(assay.AssayError) as raised:
        rules = read(*rest)
        for each in travelled(rules), rules:
            check(each)
    assert "SECRET-" not in str(raised.value)
    return raised.value.faults[0]


def test_escapes(tree):
    for kind, path in files(tree):
        if kind == "allowed":
            check(assay.Rules.load(path))
            check(travelled(assay.Rules.load(path)))
        else:
            fault = refuse(assay.Rules.load, path)
            if kind == "secret":
                assert fault.message.startswith("'foreignKeys.1' may not open ")
                assert fault.hint.endswith("\nif you trust the rules, read them with trust=True") or "\n" in fault.hint
        refuse(assay.Rules.parse, path.read_text(), str(path))
        if kind != "other":
            check(assay.Rules.load(path, trust=True))
            check(travelled(assay.Rules.load(path, trust=True)))
            check(travelled(assay.Rules.parse(path.read_text(), str(path), trust=True)))


def test_files(tree, tmp_path):
    (tmp_path / "t.csv").write_text(f"id\n{SECRET}\n")
    for kind, path in files(tree):
        for read in (assay.Rules.load, lambda path: assay.Rules.parse(path.read_text(), str(path))):
            if kind == "allowed" and read == assay.Rules.load:
                continue
            for run in (lambda rules: rules.check_csv("id\n1\n"),
                        lambda rules: rules.clean(tmp_path / "t.csv", tmp_path)):
                with pytest.raises(assay.AssayError) as raised:
                    run(read(path))
                assert "SECRET-" not in str(raised.value)
    assert sorted(os.listdir(tmp_path)) == ["t.csv"]


def test_messages(tree, monkeypatch):
    monkeypatch.chdir(tree / "rules")
    text = "fields: [{name: id}]\nforeignKeys: [{fields: id, reference: {resource: sub/users.csv, fields: id}}]"
    rules = assay.Rules.parse(text)
    with pytest.raises(assay.AssayError) as raised:
        check(rules)
    assert str(raised.value) == (
        "'foreignKeys.1' may not open sub/users.csv: rules that are given as text open no files\n"
        "  hint: load them from a file in the folder of that table, or give the table as references=\n"
        "        if you trust the rules, read them with trust=True"
    )
    # The caller may pass a table.
    assert rules.check({"id": ["a", "b"]}, references={"sub/users.csv": {"id": ["b"]}}).mask == [False, True]
    check(assay.Rules.parse(text, trust=True))
    key = {"fields": "id", "reference": {"resource": "sub/users.csv", "fields": "id"}}
    check(assay.Rules.of(assay.Field("id"), foreignKeys=[key], trust=True))
    pathlib.Path("own.yaml").write_text(text.replace("fields: id}}", "fields: iid}}"))
    with pytest.raises(assay.AssayError) as raised:
        assay.Rules.load("own.yaml").check({"id": ["1"]})
    assert "SECRET-" not in str(raised.value) and "no column is named 'iid'\n" in str(raised.value)
    with pytest.raises(assay.AssayError, match="the header has: id, SECRET-column"):
        assay.Rules.load("own.yaml", trust=True).check({"id": ["1"]})
    # A relative path still refers to the same file after unpickling.
    pathlib.Path("own.yaml").write_text(text)
    loaded = assay.Rules.load("own.yaml")
    packed = pickle.dumps(loaded)
    monkeypatch.chdir("/")
    check(loaded)
    check(pickle.loads(packed))


def test_the_environment():
    rules = assay.Rules.parse(
        "fields: [{name: id}]\nforeignKeys: [{fields: id, reference: {resource: /proc/self/environ, fields: zz}}]"
    )
    with pytest.raises(assay.AssayError) as raised:
        rules.check({"id": ["1"]})
    assert "PATH" not in str(raised.value)
