"""Real Spark with separate executors: each row appears once, even if an executor fails during the run."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import assay
import assay.spark

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Escapes"))

from escapes import SECRET, make  # noqa: E402

RULES = """
fields:
  - {name: id, type: integer, constraints: {required: true}}
  - {name: email, rules: [{pattern: '[a-z0-9]+@example\\.org'}]}
"""
LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false"}


@pytest.fixture(scope="module")
def spark():
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("assay-test")
    for key, value in LOCAL.items():
        builder = builder.config(key, value)
    session = builder.config("spark.executor.memory", "1g").config("spark.task.maxFailures", "8").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def is_wrong(number):
    return number % 10 == 0


def frame(spark, rows, partitions):
    numbers = spark.range(0, rows, 1, partitions)
    wrong = F.col("id") % 10 == 0
    return numbers.select(
        F.col("id"),
        F.when(wrong, F.lit("no mail"))
        .otherwise(F.concat(F.lit("user"), F.col("id"), F.lit("@example.org")))
        .alias("email"),
    )


def test_clean_and_rejected(spark):
    df = frame(spark, 20_000, 8)
    cleaned = assay.spark.clean(df, assay.Rules.parse(RULES))
    checked = cleaned.checked.cache()
    assert checked.count() == 20_000
    assert cleaned.report == {
        "records": 20_000,
        "clean": 18_000,
        "rejected": 2_000,
        "rules": {"email.pattern": 2_000},
        "thresholds": [],
        "partial": False,
    }
    assert cleaned.clean.columns == ["id", "email"] and cleaned.clean.count() == 18_000
    first = cleaned.rejected.orderBy("id").first()
    assert first.asDict() == {"id": 0, "email": "no mail", "assay_reasons": ["email.pattern"]}
    checked.unpersist()


def test_repairs(spark):
    rules = assay.Rules.parse("""
fields:
  - {name: id, type: integer, repair: [trim, {default: '9'}]}
  - {name: email, repair: [trim, {missing: ['-']}], constraints: {maxLength: 3}}
primaryKey: id
""")
    rows = [(" 1", "a@b", 1.5), ("2", " - ", 2.5), ("1 ", "c@d", 3.5), ("4", "long@d", 4.5), (None, "", 5.5)]
    df = spark.createDataFrame(rows, "id string, email string not null, share double")
    cleaned = assay.spark.clean(df, rules, order_by="share")
    assert sorted(map(tuple, cleaned.clean.collect())) == [("1", "a@b", 1.5), ("2", None, 2.5), ("9", "", 5.5)]
    assert sorted(map(tuple, cleaned.rejected.collect())) == [
        ("1 ", "c@d", 3.5, ["primaryKey"]),
        ("4", "long@d", 4.5, ["email.maxLength"]),
    ]
    checked = [("1", True), ("2", True), ("1 ", False), ("4", False), ("9", True)]
    assert [(row["id"], row["assay_clean"]) for row in cleaned.checked.orderBy("share").collect()] == checked
    assert [row["id"] for row in assay.spark.check(df, rules, order_by="share").orderBy("share").collect()] == [
        " 1", "2", "1 ", "4", None]
    assert assay.spark.repair(df, rules).count() == 5


def test_repairs_inside_of_structs(spark):
    df = spark.sql(
        "select named_struct('n', n, 'at', timestamp'2024-02-29 00:00:00', 'more', map('a', array(1))) as s, array(n) "
        "as list from values (' 1 '), (' x '), (null) as rows(n)"
    )
    rules = assay.Rules.parse("fields: [{name: s.n, type: integer, repair: [trim, {missing: ['1']}]}]")
    found = assay.spark.clean(df, rules).checked.collect()
    assert [(row["s"]["n"], row["list"], row["assay_clean"]) for row in found] == [
        (None, [" 1 "], True),
        (" x ", [" x "], False),
        (None, [None], True),
    ]
    assert {row["s"]["more"]["a"][0] for row in found} == {1}


def test_a_report_before_any_action(spark):
    cleaned = assay.spark.clean(frame(spark, 10, 1), assay.Rules.parse(RULES))
    with pytest.raises(TimeoutError,
                       match="no action on checked, clean or rejected has ended after 0.1 s: run one first"):
        cleaned.report_within(0.1)
    assert cleaned.checked.count() == 10
    assert cleaned.report["records"] == 10 and cleaned.report_within(None) == cleaned.report


def test_a_report_of_actions_that_failed(spark, tmp_path):
    """A failed action has no report, although half of the rows were counted before. The report is that of the first
    action that succeeds."""
    marker = tmp_path / "mended"

    def fail(batches):
        for batch in batches:
            if batch["id"][0].as_py() >= 50 and not marker.exists():
                time.sleep(1)
                raise ValueError("not now")
            yield batch

    df = frame(spark, 100, 2)
    cleaned = assay.spark.clean(df.mapInArrow(fail, df.schema), assay.Rules.parse(RULES + "thresholds: {rejected: 1%}"))
    for _ in range(2):
        with pytest.raises(Exception, match="not now"):
            cleaned.checked.write.mode("overwrite").parquet(str(tmp_path / "out"))
        with pytest.raises(TimeoutError, match="the last action on checked, clean or rejected failed, and no action "
                                               "has succeeded after 1 s"):
            cleaned.report_within(1)
    marker.touch()
    assert len(cleaned.checked.collect()) == len(cleaned.checked.collect()) == 100
    report = cleaned.report
    assert (report["records"], report["rejected"], report["partial"]) == (100, 10, False)
    assert report["thresholds"][0]["exceeded"]


@pytest.mark.parametrize(
    "action",
    [
        lambda df: list(df.toLocalIterator()),
        lambda df: df.foreach(lambda row: None),
        lambda df: df.localCheckpoint(eager=False).count(),
        lambda df: df.limit(0).collect(),
    ],
    ids=["iterator", "foreach", "checkpoint", "nothing"],
)
def test_a_report_for_actions_without_counts(spark, action):
    cleaned = assay.spark.clean(frame(spark, 100, 2), assay.Rules.parse(RULES))
    action(cleaned.checked)
    with pytest.raises(TimeoutError,
                       match="Spark reports no counts for toLocalIterator, foreach, rdd and lazy checkpoints"):
        cleaned.report_within(0.5)
    assert cleaned.rejected.count() == 10 and cleaned.report["records"] == 100


def test_session_without_listeners(spark, monkeypatch):
    """Everything except the report works in such a session."""
    def refuse(self, session):
        raise RuntimeError("not whitelisted")

    monkeypatch.setattr(assay.spark._Receiver, "__init__", refuse)
    rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    cleaned = assay.spark.clean(spark.createDataFrame([("1",), ("x",)], "id string"), rules)
    assert [row.id for row in cleaned.clean.collect()] == ["1"]
    with pytest.raises(RuntimeError, match="does not accept listeners"):
        cleaned.report


def test_a_report_of_no_rows(spark):
    for condition in ("false", "id < 0"):
        cleaned = assay.spark.clean(frame(spark, 100, 2).filter(condition), assay.Rules.parse(RULES))
        assert cleaned.checked.collect() == []
        assert (cleaned.report["records"], cleaned.report["partial"]) == (0, False)


@pytest.mark.parametrize("rows_per_batch", [10_000, 100])
def test_an_action_that_does_not_read_all(spark, rows_per_batch):
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", rows_per_batch)
    cleaned = assay.spark.clean(frame(spark, 2_000, 2), assay.Rules.parse(RULES))
    assert len(cleaned.checked.take(2)) == 2
    assert cleaned.report["partial"] and cleaned.report["records"] < 2_000
    cleaned = assay.spark.clean(frame(spark, 2_000, 2), assay.Rules.parse(RULES))
    assert len(cleaned.checked.collect()) == 2_000
    assert not cleaned.report["partial"] and cleaned.report["rules"] == {"email.pattern": 200}
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def test_streams(spark, tmp_path):
    (tmp_path / "in").mkdir()
    for part in range(2):
        pq.write_table(pa.table({"id": [1, 2], "email": ["a@example.org", "no"]}), tmp_path / "in" / f"{part}.parquet")
    stream = spark.readStream.schema("id long, email string").parquet(str(tmp_path / "in"))
    rules = assay.Rules.parse(RULES)
    with pytest.raises(ValueError, match="a streaming DataFrame does not end, so that its rows cannot be counted: "
                                         "assay.spark.check"):
        assay.spark.clean(stream, rules)
    with pytest.raises(ValueError, match="the rules have the key 'id.unique', and no key can be compared in a stream"):
        keyed = assay.Rules.parse("fields: [{name: id, type: integer, constraints: {unique: true}}]")
        assay.spark.check(stream, keyed, order_by="id")
    checked = assay.spark.check(stream, rules)
    query = checked.writeStream.format("memory").queryName("checked").trigger(availableNow=True).start()
    assert query.awaitTermination(60)
    assert sorted(row["assay_clean"] for row in spark.table("checked").collect()) == [False, False, True, True]
    reports = []

    def clean(batch, number):
        cleaned = assay.spark.clean(batch, rules)
        cleaned.checked.write.mode("append").parquet(str(tmp_path / "out"))
        reports.append(cleaned.report)

    query = stream.writeStream.foreachBatch(clean).trigger(availableNow=True)
    query = query.option("checkpointLocation", str(tmp_path / "state")).start()
    assert query.awaitTermination(60)
    assert sum(report["records"] for report in reports) == 4 and sum(report["rejected"] for report in reports) == 2


@pytest.mark.parametrize("kind", ["plain", "one", "several", "none", "foreign"])
def test_findings_are_those_of_a_table(spark, kind):
    """Except for the numbers of records, which rows in Spark do not have."""
    choose = random.Random(kind)
    table = pa.table(
        {
            "order": list(range(500)),
            "id": [choose.choice([str(n), f"0{n}", "x", None]) for n in (choose.randrange(200) for _ in range(500))],
            "mail": [choose.choice([None, f"{choose.randrange(100)}@example.org"]) for _ in range(500)],
            "n": [choose.randrange(100) for _ in range(500)],
        }
    )
    plain = "fields: [{name: id, type: integer}, {name: mail}, {name: n, type: integer, constraints: {maximum: 90}}]"
    text = {"plain": plain, "none": f"{KEYS['several']}\nkeep: none",
            "foreign": KEYS["several"] + REFERENCES}.get(kind) or KEYS[kind]
    rules = assay.Rules.parse(text)
    tables = {"numbers.csv": {"number": ["1", "2"]}, "people.csv": {"mail": ["1@example.org"], "id": ["1"]}}
    references = {name: spark.createDataFrame(list(zip(*given.values())), [*given]) for name, given in tables.items()}
    if kind != "foreign":
        tables, references = {}, {}
    expected = rules.check(table, references=tables).findings_table(values=True, keys=["order"]).drop_columns("record")
    df = spark.createDataFrame([tuple(row.values()) for row in table.to_pylist()],
                               "order long, id string, mail string, n int").repartition(5)
    found = assay.spark.findings(df, rules, values=True, keys=["order"], order_by="order", references=references)
    assert found.columns == expected.column_names == ["column", "rule", "code", "severity", "message", "order", "value"]

    def listed(rows):
        rows = [row | {"message": "equals"} if row["code"] == "unique" else row for row in rows]
        return sorted(rows, key=lambda row: (row["order"], row["rule"]))

    assert listed([row.asDict() for row in found.collect()]) == listed(expected.to_pylist())
    assert assay.spark.findings(df, rules, order_by="order", references=references).columns == expected.column_names[:5]


def test_findings_of_one_key(spark):
    df = spark.createDataFrame([("1", "x")], "id string, Day string")
    rules = assay.Rules.parse("fields: [{name: Day, type: date}]")
    found = assay.spark.findings(df, rules, keys="id")
    assert found.columns[-1] == "id" and [row["id"] for row in found.collect()] == ["1"]
    assert assay.spark.findings(df, rules, keys="day").collect()[0]["Day"] == "x"


def test_findings_of_wrong_keys(spark):
    df = spark.createDataFrame([("1", "a")], "id string, rule string")
    rules = assay.Rules.parse("fields: [{name: id}]")
    for key in ("rule", "Rule"):
        with pytest.raises(ValueError, match=f"findings have a column '{key}' of their own: rename that of the "
                                             "DataFrame"):
            assay.spark.findings(df, rules, keys=[key])
    with pytest.raises(KeyError, match="the DataFrame has no column 'x': id, rule"):
        assay.spark.findings(df, rules, keys=["x"])


def test_functions_of_sql(spark, tmp_path):
    assay.spark.register(spark)
    texts = ["anna@example.org", "bo", "", None, "DE89370400440532013000"] * 50
    spark.createDataFrame([(text,) for text in texts], "v string").createOrReplaceTempView("texts")
    found = spark.sql("SELECT assay_is('email', v), assay_matches('[a-z]*', v), assay_is(CASE v WHEN 'bo' THEN 'slug' "
                      "ELSE 'iban' END, v) FROM texts")
    email, word = assay.Format("email").match(texts), assay.Pattern("[a-z]*").match(texts)
    third = [True if text == "bo" else one for text, one in zip(texts, assay.Format("iban").match(texts))]
    assert [tuple(row) for row in found.collect()] == list(zip(email, word, third))
    assay.spark.register(spark, "has_b", "B", search=True, case_insensitive=True)
    assert [row[0] for row in spark.sql("SELECT has_b(v) FROM texts").collect()] == assay.Pattern(
        "b", search=True, case_insensitive=True).match(texts)
    with pytest.raises(Exception, match="unknown format 'emial'"):
        spark.sql("SELECT assay_is('emial', v) FROM texts").collect()
    rules = assay.Rules.parse("fields: [{name: v, format: email, constraints: {required: true}}]")
    assay.spark.register(spark, "check_texts", rules)
    found = spark.sql("SELECT found.* FROM (SELECT check_texts(struct(*)) AS found FROM texts)")
    assert [tuple(row) for row in found.collect()] == list(zip(rules.check({"v": texts}).mask,
                                                               rules.check({"v": texts}).reasons))
    # A foreign key may refer to a file in the folder of the rules.
    (tmp_path / "known.csv").write_text("v\nbo\n")
    path = tmp_path / "rules.yaml"
    path.write_text("fields: [{name: v}]\nforeignKeys: [{fields: v, reference: {resource: known.csv, fields: v}}]\n")
    assay.spark.register(spark, "check_known", assay.Rules.load(path))
    found = spark.sql("SELECT check_known(struct(*)).assay_clean FROM texts")
    assert [row[0] for row in found.collect()] == assay.Rules.load(path).check({"v": texts}).mask
    with pytest.raises(ValueError, match="the rules compare rows with one another"):
        assay.spark.register(spark, "f", assay.Rules.parse("fields: [{name: v, constraints: {unique: true}}]"))
    with pytest.raises(TypeError, match="pass the pattern, assay.Format or rules of the function 'f'"):
        assay.spark.register(spark, "f")


def test_counts_of_many_batches(spark):
    """The intervals between updates of the counts increase."""
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 10)
    rules = assay.Rules.parse(RULES + "thresholds: {columns: {email: 10}}")
    cleaned = assay.spark.clean(frame(spark, 3_003, 3), rules)
    assert len(cleaned.checked.collect()) == 3_003
    report = cleaned.report
    assert (report["records"], report["rejected"], report["rules"],
            report["partial"]) == (3_003, 301, {"email.pattern": 301}, False)
    assert report["thresholds"][0]["measured"] == 301
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def test_wrong_columns_are_reported_at_once(spark):
    with pytest.raises(assay.AssayError, match="no column is named 'email'"):
        assay.spark.clean(spark.range(3), assay.Rules.parse(RULES))


@pytest.mark.parametrize("minds_case", [False, True])
def test_the_case_of_names(spark, minds_case):
    """Names are matched as in Spark."""
    spark.conf.set("spark.sql.caseSensitive", minds_case)
    rules = assay.Rules.parse("fields: [{name: id, constraints: {unique: true}}]")
    df = spark.createDataFrame([("1", 2, "b"), ("1", 1, "a")], "id string, T int, assay_Clean string")
    ordered = df.drop("assay_Clean")
    if minds_case:
        assert assay.spark.clean(df, rules, order_by="T").clean.collect()[0]["assay_Clean"] == "a"
        with pytest.raises(ValueError, match="order_by names 't', which is no column of the DataFrame: id, T"):
            assay.spark.clean(ordered, rules, order_by="t")
        assert assay.spark.clean(ordered.withColumn("ID", F.lit("x")), rules, order_by="T").checked.count() == 2
    else:
        with pytest.raises(ValueError, match="the DataFrame has a column 'assay_Clean' already: was it checked before"):
            assay.spark.clean(df, rules, order_by="T")
        assert assay.spark.clean(ordered, rules, order_by="t").clean.collect()[0]["T"] == 1
    spark.conf.unset("spark.sql.caseSensitive")


def test_names_that_spark_does_not_find(spark):
    rules = assay.Rules.parse("fields: [{name: id}]")
    for names, message in [
        ("id, `a.b`", r"a column 'a\.b', but Spark's functions over Arrow cannot find a column with a dot or a "
                      r"backquote in its name: rename it, as in df\.toDF"),
        ("id, `a``b`", "a column 'a`b', but Spark's functions over Arrow cannot find a column with a dot"),
        ("id, x, x", r"two columns 'x': rename one, as in df\.toDF"),
        ("id, x, X", "columns 'x' and 'X', which are the same to Spark: rename one"),
    ]:
        row = ", ".join(f"'1' as {name}" for name in names.split(", "))
        df = spark.sql(f"select {row}")
        for ask in (assay.spark.check, assay.spark.clean, assay.spark.findings, assay.spark.repair):
            with pytest.raises(ValueError, match=f"the DataFrame has {message}"):
                ask(df, rules)
        assert assay.spark.check(df.toDF(*"abc"[: len(df.columns) - 1], "id"), rules).count() == 1


#: A type, and a value of it in SQL.
TYPES = {
    "at": "TIMESTAMP'2024-02-29 00:00:00'",
    "local": "TIMESTAMP_NTZ'2024-02-29 12:00:00'",
    "day": "DATE'2024-02-29'",
    "price": "CAST(1.50 AS DECIMAL(10, 2))",
    "wide": "CAST(1 AS DECIMAL(38, 0))",
    "bytes": "CAST('a' AS BINARY)",
    "list": "array(TIMESTAMP'2024-02-29 00:00:00')",
    "map": "map('a', TIMESTAMP'2024-02-29 00:00:00')",
    "nested": "named_struct('at', TIMESTAMP'2024-02-29 12:00:00', 'inner', named_struct('day', DATE'2024-02-29'))",
    "real": "1.5D",
    "flag": "true",
    "nothing": "null",
}


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "+05:30"])
def test_types(spark, zone):
    spark.conf.set("spark.sql.session.timeZone", zone)
    df = spark.sql("SELECT " + ", ".join(f"{value} AS {name}" for name, value in TYPES.items()))
    rules = assay.Rules.parse(
        """
        fields:
          - {name: at, type: datetime}
          - {name: local, type: datetime, rules: [{pattern: '2024-02-29T12:00:00'}]}
          - {name: day, type: date, format: '%d/%m/%Y', constraints: {minimum: 29/02/2024}}
          - {name: price, type: number, decimalChar: ',', rules: [{pattern: '1,50'}]}
          - {name: wide, type: integer}
          - {name: bytes, constraints: {pattern: a}}
          - {name: nested.at, type: datetime}
          - {name: nested.inner.day, type: date}
          - {name: real, type: integer}
          - {name: flag, type: boolean}
          - {name: nothing, constraints: {required: true}}
        """
    )
    cleaned = assay.spark.clean(df, rules)
    rejected = cleaned.rejected.collect()
    assert rejected[0]["assay_reasons"] == ["real.type", "nothing.required"]
    assert rejected[0]["at"] == df.collect()[0]["at"] and cleaned.report["rejected"] == 1
    with pytest.raises(assay.AssayError, match="the column 'list' is of the Arrow type list, which no rule can judge"):
        assay.spark.clean(df, assay.Rules.parse("fields: [{name: list}]"))
    spark.conf.unset("spark.sql.session.timeZone")


def test_rules_that_are_called_like_the_totals(spark):
    rules = "{id: clean, pattern: a}, {id: rejected, pattern: b}, {id: records, pattern: c}"
    cleaned = assay.spark.clean(frame(spark, 10, 1), assay.Rules.parse(f"fields: [{{name: email, rules: [{rules}]}}]"))
    assert cleaned.checked.count() == 10
    assert cleaned.report == {
        "records": 10,
        "clean": 0,
        "rejected": 10,
        "rules": {"clean": 10, "rejected": 10, "records": 10},
        "thresholds": [],
        "partial": False,
    }


def test_an_executor_is_killed(spark, tmp_path):
    """The executor of the first task that reaches this point is killed during the run."""
    marker = tmp_path / "killed"

    def kill_once(batches):
        for number, batch in enumerate(batches):
            if number == 1:
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    # This worker is a child of Spark's Python daemon, which is a child of the executor.
                    daemon = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text()
                    os.kill(int(daemon.rpartition(")")[2].split()[1]), signal.SIGKILL)
            yield batch

    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 1000)
    df = frame(spark, 100_000, 10)
    cleaned = assay.spark.clean(df.mapInArrow(kill_once, df.schema), assay.Rules.parse(RULES))
    out = tmp_path / "out"
    cleaned.checked.write.partitionBy(assay.spark.CLEAN).parquet(str(out))
    assert marker.exists()
    rows = pq.read_table(out).to_pydict()
    assert sorted(rows["id"]) == list(range(100_000))
    assert all((clean == "true") != is_wrong(number) for number, clean in zip(rows["id"], rows[assay.spark.CLEAN]))
    assert cleaned.report["records"] == 100_000 and cleaned.report["rejected"] == 10_000


def test_the_example_job(tmp_path):
    """A directory of Parquet and CSV, with a record that spans lines and a doubled quote."""
    source = tmp_path / "in" / "deep"
    source.mkdir(parents=True)
    pq.write_table(pa.table({"id": [1, 2], "email": [" a@example.org", " no"]}), source / "a.parquet")
    (source / "b.csv").write_text('id,email\n3,b@example.org\n4,"two\nlines ""quoted"""\n')
    rules = tmp_path / "rules.yaml"
    rules.write_text(RULES.replace("email, rules", "email, repair: [trim], rules"))
    conf = [part for key, value in LOCAL.items() for part in ("--conf", f"{key}={value}")]
    done = subprocess.run(
        [
            pathlib.Path(sys.executable).with_name("spark-submit"),
            "--master",
            "local[2]",
            *conf,
            ROOT / "Examples/spark/clean_directory.py",
            rules,
            tmp_path / "in",
            tmp_path / "out",
        ],
        env=os.environ
        | {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "records": 4,
        "clean": 2,
        "rejected": 2,
        "rules": {"email.pattern": 2},
        "thresholds": [],
        "partial": False,
    }
    rejected = pq.read_table(tmp_path / "out" / "assay_clean=false").to_pydict()
    assert sorted(rejected["email"]) == [" no", 'two\nlines "quoted"']
    clean = pq.read_table(tmp_path / "out" / "assay_clean=true").to_pydict()
    assert sorted(zip(clean["id"], clean["email"])) == [("1", "a@example.org"), ("3", "b@example.org")]


#: Keys of one column, of several, and rules between columns.
KEYS = {
    "one": "fields: [{name: id, type: integer, constraints: {unique: true}}, {name: mail}, {name: n, type: integer}]",
    "several": """
fields: [{name: id, type: integer}, {name: mail, constraints: {unique: true}}, {name: n, type: integer}]
primaryKey: id
uniqueKeys: [[mail, n]]
rows: [{id: small, check: n < 90}, {id: odd, check: n % 2 == 1, severity: warn}]
thresholds: {rejected: 10%, columns: {id: 1%, mail: 0}, rules: {primaryKey: 5, odd: 1000}, records: {min: 10}}
""",
}


@pytest.mark.parametrize("keep", ["first", "none", "last", "{max: n}", "{min: id}"])
@pytest.mark.parametrize("kind", KEYS)
def test_keys_are_those_of_a_table(spark, kind, keep):
    """The same rows as one table of pyarrow, in their order, and distributed over Spark."""
    choose = random.Random(kind + keep)
    ids = [choose.choice([str(n), f"0{n}"]) for n in (choose.randrange(2_000) for _ in range(3_000))]
    table = pa.table(
        {
            "order": list(range(3_000)),
            "id": [choose.choice([one, one, one, one, None, "x"]) for one in ids],
            "mail": [choose.choice([None, f"{choose.randrange(4_000)}@example.org"]) for _ in range(3_000)],
            "n": [choose.randrange(100) for _ in range(3_000)],
        }
    )
    rules = assay.Rules.parse(f"{KEYS[kind]}\nkeep: {keep}\n")
    expected = rules.check(table)
    shuffled = table.take(choose.sample(range(3_000), 3_000))
    df = spark.createDataFrame(shuffled.to_pandas(), schema="order long, id string, mail string, n int").repartition(7)
    cleaned = assay.spark.clean(df, rules, order_by="order")
    rows = sorted(cleaned.checked.collect(), key=lambda row: row["order"])
    assert cleaned.checked.columns == [*table.column_names, "assay_clean", "assay_reasons"]
    assert [row["assay_reasons"] for row in rows] == pa.chunked_array(expected.reasons).to_pylist()
    assert [row["assay_clean"] for row in rows] == expected.mask.to_pylist()
    report = cleaned.report
    assert (report["records"], report["rejected"]) == (3_000, expected.report.rejected)
    assert report["rules"] == {c.rule: c.failed for c in expected.report.rules if c.failed}
    assert report["thresholds"] == expected.thresholds
    assert any(key in report["rules"] for key in ("id.unique", "primaryKey"))


def test_the_column_of_the_rules_is_an_order(spark):
    """The column that `keep` names needs no `order_by`, except for ties."""
    df = spark.sql("select * from values ('1', '9', 'a'), ('1', '010', 'b'), ('2', null, 'c'), ('2', '-5', 'd'), "
                   "('3', 'x', 'e'), ('3', null, 'f') as rows(id, n, t)")
    fields = "[{name: id, constraints: {unique: true}}, {name: n, type: integer}]"
    for keep, expected in (("max", "bdf"), ("min", "adf")):
        rules = assay.Rules.parse(f"{{fields: {fields}, keep: {{{keep}: n}}}}")
        cleaned = assay.spark.clean(df, rules)
        assert sorted(row["t"] for row in cleaned.clean.collect()) == list(expected)
        assert cleaned.clean.columns == df.columns
        texts = {row["message"] for row in assay.spark.findings(df, rules).collect() if row["code"] == "unique"}
        assert texts == {"equals another row"}
        tied = df.withColumn("n", F.lit("7"))
        with pytest.raises(Exception, match="two rows are equal in the key 'id.unique' and in n: order_by must decide"):
            assay.spark.check(tied, rules).collect()
        kept = assay.spark.clean(tied, rules, order_by=F.desc("t")).clean.collect()
        assert sorted(row["t"] for row in kept) == ["b", "d", "f"]
    last = assay.Rules.parse(f"{{fields: {fields}, keep: last}}")
    assert sorted(row["t"] for row in assay.spark.clean(df, last, order_by="t").clean.collect()) == ["b", "d", "f"]
    texts = {row["message"] for row in assay.spark.findings(df, last, order_by="t").collect()}
    assert texts == {"is not an integer", "equals a later row"}


def test_an_order_is_needed_for_keys(spark):
    for text in KEYS.values():
        rules = assay.Rules.parse(text)
        df = spark.createDataFrame([("1", "a", 1, 5)] * 2, "id string, mail string, n int, at int")
        with pytest.raises(ValueError, match="name the column that decides which of the records with equal keys"):
            assay.spark.clean(df, rules)
        with pytest.raises(ValueError, match="order_by names 'when', which is no column of the DataFrame: id, mail"):
            assay.spark.check(df, rules, order_by="when")
        with pytest.raises(Exception, match="two rows are equal in the key '(id|mail).unique' and in at"):
            assay.spark.check(df, rules, order_by=["at"]).collect()


ORDERS = {
    # Spark sorts null before all values.
    "a name": (lambda: "t", ["3", "5"]),
    "descending": (lambda: F.desc("t"), ["2", "4"]),
    "a column": (lambda: F.col("t").desc_nulls_first(), ["3", "5"]),
    "an expression": (lambda: -F.col("t"), ["3", "5"]),
    "several": (lambda: [F.desc("s"), "t"], ["2", "4"]),
}


@pytest.mark.parametrize("keys", [1, 2])
@pytest.mark.parametrize("kind", ORDERS)
def test_orders(spark, kind, keys):
    """The first row in the given order is kept."""
    order, expected = ORDERS[kind][0](), ORDERS[kind][1]
    df = spark.sql("select * from values ('a', 'x', '1', 1, 1), ('b', 'y', '2', 3, 1), ('a', 'x', '3', null, 1), "
                   "('a', 'x', '4', 2, 2), ('b', 'y', '5', null, 0) as rows(a, b, id, t, s)")
    fields = ["{name: a, constraints: {unique: true}}", "{name: b, constraints: {unique: true}}"]
    rules = assay.Rules.parse(f"fields: [{', '.join(fields[:keys])}]")
    kept = assay.spark.clean(df, rules, order_by=order).clean
    assert sorted(row["id"] for row in kept.collect()) == sorted(expected)
    tied = df.withColumn("t", F.lit(1)).withColumn("s", F.lit(1))
    with pytest.raises(Exception, match="two rows are equal in the key '(a|b).unique' and in .*: order_by must"):
        assay.spark.check(tied, rules, order_by=order).collect()
    with pytest.raises(ValueError, match="order_by names 'when', which is no column"):
        assay.spark.check(df, rules, order_by=[F.desc("t"), "when"])


def test_partitions_by_verdict(spark, tmp_path):
    df = spark.createDataFrame([(1, "anna@example.org"), (2, "no mail")], "id long, email string")
    checked = assay.spark.clean(df, assay.Rules.parse(RULES)).checked
    checked.write.partitionBy("assay_clean").parquet(str(tmp_path / "t"))
    read = spark.read.schema(checked.schema).parquet(str(tmp_path / "t"))
    assert read.schema["assay_clean"].dataType.typeName() == "boolean"
    assert [row["id"] for row in read.filter("assay_clean").collect()] == [1]
    checked.write.parquet(str(tmp_path / "u"))
    assert [row["id"] for row in spark.read.parquet(str(tmp_path / "u")).filter("not assay_clean").collect()] == [2]


# The keys a and b of some rows, and their order: whether two rows are equal in both, and the rejected rows.
TIES = {
    "a row that is refused": ("values ('1', '1', 1), ('1', '2', 2), ('9', '2', 2)", True, []),
    "two that are refused": ("values ('1', 'x', 1), ('1', 'y', 2), ('1', 'z', 2)", True, []),
    "no number": ("values ('1', 'x', double('NaN')), ('1', 'y', double('NaN'))", True, []),
    "nothing": ("values ('1', 'x', int(null)), ('1', 'y', null)", True, []),
    "no key in common": ("values ('1', 'x', 1), ('2', 'y', 1), ('2', 'z', 2)", False, ["z"]),
    # The clocks of New York show 01:30 twice.
    "an hour that comes twice": (
        "values ('1', 'x', timestamp'2024-11-03T05:30:00Z'), ('1', 'y', timestamp'2024-11-03T06:30:00Z')", False, ["y"]
    ),
    "times that Python does not have": (
        "values ('1', 'x', timestamp_seconds(-90000000000)), ('1', 'y', timestamp_seconds(9000000000000))", False, ["y"]
    ),
}


@pytest.mark.parametrize("keys", [1, 2])
@pytest.mark.parametrize("kind", TIES)
def test_ties(spark, kind, keys):
    """The job fails if two rows are equal in a key and in the order, in any partitions."""
    values, fails, expected = TIES[kind]
    fields = ["{name: a, constraints: {unique: true}}", "{name: b, constraints: {unique: true}}"]
    rules = assay.Rules.parse(f"fields: [{', '.join(fields[:keys])}]")
    fails = fails and (keys > 1 or kind != "a row that is refused")
    expected = ["2"] if kind == "a row that is refused" else expected
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    df = spark.sql(f"select * from {values} as rows(a, b, t)")
    for partitions in (1, 3):
        rejected = assay.spark.check(df.repartition(partitions), rules,
                                     order_by="t").filter("not assay_clean").select("b")
        if fails:
            with pytest.raises(Exception, match=r"two rows are equal in the key '[ab]\.unique' and in t: order_by must "
                                                r"decide which one is first"):
                rejected.collect()
        else:
            assert [row["b"] for row in rejected.collect()] == expected
    spark.conf.unset("spark.sql.session.timeZone")


REFERENCES = """
foreignKeys:
  - {fields: n, reference: {resource: numbers.csv, fields: number}}
  - {fields: [mail, id], reference: {resource: people.csv, fields: [mail, id]}}
"""


@pytest.mark.parametrize("from_files", [True, False])
@pytest.mark.parametrize("kind", [None, *KEYS])
def test_references_are_those_of_a_table(spark, tmp_path, kind, from_files):
    choose = random.Random(f"{kind}")
    table = pa.table(
        {
            "order": list(range(2_000)),
            "id": [choose.choice([str(one), f"0{one}", "x"]) for one in (choose.randrange(900) for _ in range(2_000))],
            "mail": [choose.choice([None, None, None, f"{one % 40}@example.org"]) for one in range(2_000)],
            "n": [choose.choice([None, *range(99)]) for _ in range(2_000)],
        }
    )
    numbers = {"number": ["1", "02", *map(str, range(5, 95)), "x", None]}
    people = {"id": [f"{one}" for one in range(800)] * 30,
              "mail": [f"{one}@example.org" for one in range(30) for _ in range(800)]}
    plain = "fields: [{name: id, type: integer}, {name: mail}, {name: n, type: integer}]"
    rules = assay.Rules.parse(KEYS.get(kind, plain) + REFERENCES, name=f"{tmp_path}/rules", trust=from_files)
    tables = {"numbers.csv": numbers, "people.csv": people}
    references = {}
    for name, given in tables.items():
        if from_files:
            lines = [",".join(given), *(",".join(value or "" for value in row) for row in zip(*given.values()))]
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        else:
            references[name] = spark.createDataFrame(list(zip(*given.values())),
                                                     ", ".join(f"{each} string" for each in given))
    expected = rules.check(table, references=None if from_files else tables)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    df = spark.createDataFrame(rows, "order long, id string, mail string, n int").repartition(5)
    cleaned = assay.spark.clean(df, rules, order_by="order" if kind else None, references=references)
    rows = sorted(cleaned.checked.collect(), key=lambda row: row["order"])
    assert cleaned.checked.columns == [*table.column_names, "assay_clean", "assay_reasons"]
    assert [row["assay_reasons"] for row in rows] == pa.chunked_array(expected.reasons).to_pylist()
    assert [row["assay_clean"] for row in rows] == expected.mask.to_pylist()
    assert cleaned.report["rules"] == {c.rule: c.failed for c in expected.report.rules if c.failed}
    assert {"foreignKeys.1", "foreignKeys.2"} <= cleaned.report["rules"].keys()


def test_rules_open_files_in_their_folder_only(spark, tmp_path):
    """The paths of Tests/Escapes. The driver reads the files, or, in SQL functions, the executors."""
    tree = make(tmp_path / "tree")
    df = spark.createDataFrame([(SECRET,), ("other",)], "id string")
    df.createOrReplaceTempView("escaping")

    def checked(rules):
        assert [row.id for row in assay.spark.clean(df, rules).clean.collect()] == [SECRET]

    def checked_by_function(rules):
        assay.spark.register(spark, "escape", rules)
        found = spark.sql("SELECT id FROM escaping WHERE escape(struct(*)).assay_clean")
        assert [row.id for row in found.collect()] == [SECRET]

    lines = [line.split("\t") for line in (tree / "list.tsv").read_text().splitlines()]
    assert len(lines) > 60
    for number, (kind, name) in enumerate(lines):
        path = tree / "rules" / name
        # Two jobs for each line would take minutes.
        checks = [checked, checked_by_function] if number % 8 == 0 else [checked]
        if kind == "allowed":
            for check in checks[: 2 if number == 0 else 0]:
                check(assay.Rules.load(path))
            continue
        for check in checks:
            for read in (assay.Rules.load, lambda path: assay.Rules.parse(path.read_text(), str(path))):
                with pytest.raises(Exception) as raised:
                    check(read(path))
                assert "SECRET-" not in str(raised.value)
                assert not isinstance(raised.value, AssertionError)
            if kind == "secret" and number % 8 == 0:
                check(assay.Rules.load(path, trust=True))


def test_wrong_references(spark):
    """The errors are those of Rules.check."""
    df = spark.createDataFrame([("1", "a", 1)], "id string, mail string, n int")
    rules = assay.Rules.parse(
        "fields: [{name: n}]\nforeignKeys: [{fields: n, reference: {resource: numbers.csv, fields: number}}]")
    for name, column in [("number.csv", "number"), ("numbers.csv", "numbre")]:
        with pytest.raises(assay.AssayError) as expected:
            rules.check({"n": [1]}, references={name: {column: ["1"]}})
        for ask in (assay.spark.check, assay.spark.clean, assay.spark.findings):
            with pytest.raises(assay.AssayError) as error:
                ask(df, rules, references={name: spark.createDataFrame([("1",)], f"{column} string")})
            assert str(error.value) == str(expected.value)
    with pytest.raises(assay.AssayError, match="no foreign key of the rules refers to numbers.csv"):
        plain = assay.Rules.parse("fields: [{name: n}]")
        assay.spark.check(df, plain, references={"numbers.csv": df})


def test_references_to_the_table_itself_are_refused(spark):
    rules = assay.Rules.parse("fields: [{name: a}, {name: b}]\nforeignKeys: [{fields: b, reference: {fields: a}}]")
    df = spark.createDataFrame([("1", "1")], "a string, b string")
    with pytest.raises(ValueError, match="the foreign key 'foreignKeys.1' refers to the table itself, which is not "
                                         "asked"):
        assay.spark.check(df, rules)
