"""SQL functions: their answers equal those of the same patterns, formats and rules in Python."""

import duckdb
import pyarrow as pa
import pytest

import assay
import assay.duckdb

EMAILS = ["anna@example.org", "bo", "", None]


@pytest.fixture
def connection():
    connection = duckdb.connect()
    assay.duckdb.register(connection)
    return connection


@pytest.mark.parametrize("name", ["email", "iban country=DE,AT", "date"])
def test_formats(name):
    matcher = assay.Format(name)
    values = [*EMAILS, "DE89370400440532013000", "2024-02-29", "2024-02-30"]
    rules = assay.Rules.parse({"fields": [{"name": "v", "format": name}], "missingValues": []})
    expected = [None if value is None else passes for value, passes
                in zip(values, rules.check_column("v", values).mask)]
    assert matcher.match(values) == expected
    assert matcher.match(pa.array(values)).to_pylist() == expected
    assert [matcher.matches(value) for value in values
            if value is not None] == [one for one in expected if one is not None]


def test_formats_are_values():
    import pickle

    email = assay.Format("email")
    assert pickle.loads(pickle.dumps(email)) == email and hash(email) == hash(assay.Format("email"))
    assert repr(email) == "assay.Format('email')" and email != assay.Format("uri") and email != assay.Pattern("email")
    with pytest.raises(assay.AssayError, match="unknown format 'emial'\n  hint: did you mean 'email'?"):
        assay.Format("emial")
    with pytest.raises(TypeError, match="a format is a str, not bytes"):
        assay.Format(b"email")


def test_duckdb_functions(connection):
    numbers = connection.sql(
        "SELECT CASE WHEN range % 3 = 0 THEN NULL WHEN range % 3 = 1 THEN 'bo' ELSE 'a@b.org' END v FROM range(10000)")
    values = [value for (value,) in numbers.fetchall()]
    query = "SELECT assay_is('email', v), assay_matches('[a-z]+', v) FROM numbers"
    email, word = assay.Format("email").match(values), assay.Pattern("[a-z]+").match(values)
    assert connection.sql(query).fetchall() == list(zip(email, word))


def test_duckdb_functions_whose_first_argument_is_a_column(connection):
    rows = [("email", "a@b.org"), ("email", "x"), (None, "x"), ("ipv4", "192.0.2.1"), ("ipv4", None), ("email", None)]
    connection.execute("CREATE TABLE t (f VARCHAR, v VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    expected = [None if None in row else assay.Format(row[0]).matches(row[1]) for row in rows]
    assert [one for (one,) in connection.sql("SELECT assay_is(f, v) FROM t").fetchall()] == expected
    assert expected == [True, False, None, True, None, None]
    assert connection.sql("SELECT assay_is(NULL, v) FROM t").fetchall() == [(None,)] * len(rows)
    assert connection.sql("SELECT assay_is(f, v) FROM t WHERE false").fetchall() == []


def test_duckdb_reports_mistakes(connection):
    with pytest.raises(duckdb.Error, match="unknown format 'emial'"):
        connection.sql("SELECT assay_is('emial', 'x')").fetchall()
    with pytest.raises(duckdb.Error, match="missing closing parenthesis"):
        connection.sql("SELECT assay_matches('(', 'x')").fetchall()


def test_duckdb_rules(connection):
    rules = assay.Rules.parse("""
fields:
  - {name: id, type: integer, constraints: {required: true}}
  - {name: email, format: email}
  - {name: place.city, constraints: {maxLength: 3}}
rows: [{id: small, check: id < 4000}]
""")
    assay.duckdb.register(connection, "check_users", rules)
    users = connection.sql("""
SELECT CASE WHEN range % 7 = 0 THEN NULL ELSE range END AS id,
    CASE WHEN range % 5 = 0 THEN 'x' ELSE 'a@b.org' END AS email,
    {'city': CASE WHEN range % 11 = 0 THEN 'long' ELSE 'ok' END} AS place FROM range(5000)
""").to_arrow_table()
    found = connection.sql("SELECT u.id, unnest(check_users(u)) FROM users u").to_arrow_table()
    expected = rules.check(users)
    assert found.column_names == ["id", "assay_clean", "assay_reasons"]
    assert found["assay_clean"].to_pylist() == expected.mask.to_pylist()
    assert found["assay_reasons"].to_pylist() == expected.reasons.to_pylist()
    assert found["id"].to_pylist() == users["id"].to_pylist()
    # Count the reasons in a query.
    counted = connection.sql(
        "SELECT reason, count(*) FROM (SELECT unnest(check_users(u).assay_reasons) AS reason FROM users u) GROUP BY 1")
    assert dict(counted.fetchall()) == {count.rule: count.failed for count in expected.report.rules if count.failed}
    with pytest.raises(duckdb.Error, match="no column is named 'email'"):
        connection.sql("SELECT check_users(u) FROM (SELECT 1 AS id) u").fetchall()


def test_duckdb_rules_know_their_folder(connection, tmp_path):
    (tmp_path / "countries.csv").write_text("code\nDE\n")
    path = tmp_path / "rules.yaml"
    path.write_text(
        "fields: [{name: v}]\nforeignKeys: [{fields: v, reference: {resource: countries.csv, fields: code}}]\n")
    assay.duckdb.register(connection, "check_countries", assay.Rules.load(path))
    found = connection.sql("SELECT check_countries(row).assay_clean FROM (VALUES ('DE'), ('XX')) row(v)").fetchall()
    assert found == [(True,), (False,)]


def test_duckdb_refuses_unsupported_checks(connection):
    for constraint in ("unique: true", "sorted: ascending"):
        with pytest.raises(ValueError, match="the rules compare rows with one another"):
            assay.duckdb.register(
                connection, "f", assay.Rules.parse(f"fields: [{{name: id, constraints: {{{constraint}}}}}]"))
    with pytest.raises(TypeError, match="pass the pattern, assay.Format or rules of the function 'f'"):
        assay.duckdb.register(connection, "f")
    with pytest.raises(TypeError, match="search: a compiled pattern has its flags already"):
        assay.duckdb.register(connection, "f", assay.Format("email"), search=True)
    assay.duckdb.register(connection, "is_mail", assay.Format("email"))
    assay.duckdb.register(connection, "has_b", "B", search=True, case_insensitive=True)
    assert connection.sql("SELECT is_mail('bo'), has_b('abc')").fetchall() == [(False, True)]
