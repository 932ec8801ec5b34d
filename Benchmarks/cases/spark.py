"""Checks in Spark, in addition to the cost of sending the same batches through Python. Needs Java."""

import os
import sys

from harness.race import Race
from harness.results import Goal, Report

EMAIL = r"[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+"
CHECK, CLEAN_JOB, IDENTITY = "assay.spark.check", "assay.spark.clean", "identity mapInArrow"


def run(options):
    import assay
    import assay.spark
    import pyspark
    from assay.spark import CLEAN, REASONS
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    rows, rounds = options.rows_or(20_000, 2_000_000), options.rounds_or(1, 5)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = session.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    text = F.col("id").cast("string")
    # One row in a hundred is bad.
    at = F.when(F.col("id") % 100 == 7, " ").otherwise("@")
    df = (
        spark.range(0, rows, 1, 4)
        .select(
            text.alias("id"),
            F.concat(F.lit("user."), text, at, F.lit("mail.example.org")).alias("email"),
            F.concat(F.lit("DE"), F.lpad(text, 6, "0")).alias("code"),
        )
        .cache()
    )
    df.count()
    rules = assay.Rules.parse(
        f"fields: [{{name: id, type: integer}}, {{name: email, constraints: {{pattern: '{EMAIL}'}}}},"
        r" {name: code, constraints: {pattern: '[A-Z]{2}\d+'}}]"
    )

    def rows_of(frame):
        """Runs the whole query, discards its rows, and returns their number."""
        seen = pyspark.sql.Observation()
        frame.observe(seen, F.count(F.lit(1)).alias("rows")).write.format("noop").mode("overwrite").save()
        return seen.get["rows"]

    good = rows - sum(1 for _ in range(7, rows, 100))
    checked = assay.spark.check(df, rules)
    matched = df.withColumn("ok", F.col("email").rlike(f"^({EMAIL})$"))
    found = checked.filter(CLEAN).count(), matched.filter("ok").count()
    if found != (good, good):
        raise SystemExit(f"assay finds {found[0]} clean rows, rlike {found[1]}, and {good} is right")

    columns = Race("three columns", rows, rows)
    columns.add(IDENTITY, lambda: rows_of(df.mapInArrow(lambda batches: batches, df.schema)), threads=2)
    columns.add(CHECK, lambda: rows_of(checked), threads=2)
    columns.add(CLEAN_JOB, lambda: rows_of(assay.spark.clean(df, rules).checked), threads=2)
    columns.add("rlike of one column, no Python", lambda: rows_of(matched), threads=2)
    columns.run(rounds)
    # The job is the clean rows without the two added columns.
    clean = Race("the clean rows", rows, good)
    clean.add(CHECK, lambda: rows_of(checked.filter(CLEAN).drop(CLEAN, REASONS)), threads=2)
    clean.add(CLEAN_JOB, lambda: rows_of(assay.spark.clean(df, rules).clean), threads=2)
    clean.run(rounds)
    spark.stop()
    return Report(
        f"""assay {assay.__version__} ({assay.engine}), Spark {pyspark.__version__}. {rows:,} rows, best of {rounds}
        rounds.""",
        [columns.table(IDENTITY, processor=False), clean.table(CHECK, processor=False)],
        [
            Goal("assay.spark.check beside an identity mapInArrow", columns.ratio(CHECK, IDENTITY), at_most=1.15),
            Goal("assay.spark.clean beside check, all rows", columns.ratio(CLEAN_JOB, CHECK), at_most=1.15),
            Goal("assay.spark.clean beside check, the clean rows", clean.ratio(CLEAN_JOB, CHECK), at_most=1.15),
        ],
        [columns, clean],
    )
