"""Spark Connect: a session that uses a server and has no JVM. It runs in a separate process, because a process can have
only one of the two kinds of session."""

import json
import os
import pathlib
import subprocess
import sys

RULES = """
fields:
  - {name: id, type: integer, constraints: {required: true}, repair: [trim]}
  - {name: email, rules: [{pattern: '[a-z0-9]+@example\\.org'}]}
thresholds: {rejected: 10%, columns: {email: 5}}
"""
KEYS = RULES + """
primaryKey: id
foreignKeys: [{fields: email, reference: {resource: people.csv, fields: email}}]
"""


def test_connect(tmp_path):
    env = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, __file__], capture_output=True, text=True, timeout=300, env=env, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == "connected"


def main():
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    import assay
    import assay.spark

    builder = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress",
                                                                      "127.0.0.1").getOrCreate()
    assert type(session).__module__.startswith("pyspark.sql.connect"), type(session)
    rows = [(f" {number}" if number % 2 else str(number),
             f"user{number}@example.org" if number % 10 else "no mail", number)
            for number in range(1000)]
    df = session.createDataFrame(rows, "id string, email string, at int")

    rules = assay.Rules.parse(RULES)
    assert assay.spark.check(df, rules).filter("assay_clean").count() == 900
    cleaned = assay.spark.clean(df, rules)
    try:
        cleaned.report_within(0.2)
    except TimeoutError as error:
        assert "no action on checked, clean or rejected has ended after 0.2 s" in str(error), error
    else:
        raise AssertionError("a report without an action")
    assert cleaned.checked.count() == 1000
    report = cleaned.report
    assert {name: report[name] for name in ("records", "clean", "rejected", "rules", "partial")} == {
        "records": 1000,
        "clean": 900,
        "rejected": 100,
        "rules": {"email.pattern": 100},
        "partial": False,
    }, report
    assert [one["measured"] for one in report["thresholds"]] == [100, 100], report
    assert cleaned.clean.orderBy("at").first().asDict() == {"id": "1", "email": "user1@example.org", "at": 1}
    assert cleaned.rejected.count() == 100
    assert assay.spark.repair(df, rules).filter("id LIKE ' %'").count() == 0

    # A failed action is not counted, but rows read by toLocalIterator are.
    cleaned = assay.spark.clean(df.selectExpr("id", "if(at = 999, raise_error('boom'), email) AS email"), rules)
    try:
        cleaned.checked.collect()
    except Exception as error:
        assert "boom" in str(error), error
    try:
        cleaned.report_within(0.2)
    except TimeoutError:
        pass
    else:
        raise AssertionError("a report of an action that failed")
    cleaned = assay.spark.clean(df, rules)
    assert sum(row["assay_clean"] for row in cleaned.checked.toLocalIterator()) == cleaned.report["clean"] == 900
    try:
        assay.spark.check(df.withColumnRenamed("at", "a.t"), rules)
    except ValueError as error:
        assert "the DataFrame has a column 'a.t', but Spark's functions over Arrow" in str(error), error
    else:
        raise AssertionError("a name that Spark does not find")

    pathlib.Path("people.csv").write_text("email\n" + "".join(f"user{n}@example.org\n" for n in range(500)))
    keyed = assay.Rules.parse(KEYS, trust=True)
    twice = df.unionAll(df.selectExpr("id", "email", "at + 10000 AS at"))
    cleaned = assay.spark.clean(twice, keyed, order_by="at")
    assert cleaned.checked.count() == 2000
    assert cleaned.report["rules"] == {"email.pattern": 200, "primaryKey": 450, "foreignKeys.1": 900}, cleaned.report
    people = session.createDataFrame([(f"user{n}@example.org",) for n in range(500)], "email string")
    cleaned = assay.spark.clean(twice, keyed, order_by="at", references={"people.csv": people})
    assert cleaned.clean.count() == 450
    # In descending order, the later one of two equal records is kept.
    kept = assay.spark.clean(twice, keyed, order_by=F.desc("at"), references={"people.csv": people}).clean
    assert kept.count() == kept.filter("at >= 10000").count() == 450

    found = assay.spark.findings(df, rules, values=True, keys=["at"]).orderBy("at").first()
    assert found.asDict() == {
        "column": "email",
        "rule": "email.pattern",
        "code": "pattern",
        "severity": "reject",
        "message": r"does not match [a-z0-9]+@example\.org",
        "at": 0,
        "value": "no mail",
    }, found
    assay.spark.register(session)
    assay.spark.register(session, "check_people", rules)
    df.createOrReplaceTempView("people")
    counted = session.sql("""
SELECT count_if(assay_is('email', email)), count_if(assay_matches(' .*', id)),
    count_if(check_people(struct(*)).assay_clean) FROM people
""")
    assert tuple(counted.first()) == (900, 500, 900), counted.first()

    # The function runs on the server, in a separate process.
    df.write.parquet("in")
    here = os.getcwd()

    def clean(batch, number):
        import assay.spark

        cleaned = assay.spark.clean(batch, rules)
        cleaned.checked.write.mode("append").parquet(f"{here}/out")
        pathlib.Path(f"{here}/report-{number}.json").write_text(json.dumps(cleaned.report))

    stream = session.readStream.schema(df.schema).parquet("in").writeStream.foreachBatch(clean).trigger(
        availableNow=True)
    query = stream.option("checkpointLocation", f"{here}/state").start()
    assert query.awaitTermination(100), query.status
    assert query.exception() is None, query.exception()
    assert session.read.parquet("out").filter("assay_clean").count() == 900
    reports = [json.loads(path.read_text()) for path in pathlib.Path(here).glob("report-*.json")]
    assert sum(report["rejected"] for report in reports) == 100, reports
    session.stop()
    print("connected")


if __name__ == "__main__":
    main()
