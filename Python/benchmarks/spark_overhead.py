"""Measures the cost of checks in Spark, in addition to sending the same batches through Python.

    SPARK_LOCAL_IP=127.0.0.1 python Python/benchmarks/spark_overhead.py [--rows N] [--rounds N] [--results DIR]

Needs pyspark and Java. --results writes the case `spark` to the results of this machine, as Benchmarks/README.md
describes.
"""

import argparse
import os
import sys

import pyspark
from harness import Case, Goal, publish
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import assay
import assay.spark
from assay.spark import CLEAN, REASONS

options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
options.add_argument("--rows", type=int, default=2_000_000)
options.add_argument("--rounds", type=int, default=5)
options.add_argument("--results")
options = options.parse_args()
ROWS = options.rows
EMAIL = r"[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+"

os.environ["PYSPARK_PYTHON"] = sys.executable
session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = session.config("spark.ui.showConsoleProgress", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
text = F.col("id").cast("string")
df = spark.range(0, ROWS, 1, 4).select(
    text.alias("id"),
    # One row in a hundred is bad.
    F.concat(F.lit("user."), text, F.when(F.col("id") % 100 == 7, " ").otherwise("@"), F.lit("mail.example.org")).alias(
        "email"
    ),
    F.concat(F.lit("DE"), F.lpad(text, 6, "0")).alias("code"),
)
df = df.cache()
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


good = ROWS - sum(1 for i in range(7, ROWS, 100))
judged = assay.spark.check(df, rules)
matched = df.withColumn("ok", F.col("email").rlike(f"^({EMAIL})$"))
found = judged.filter(CLEAN).count(), matched.filter("ok").count()
if found != (good, good):
    raise SystemExit(f"assay finds {found[0]} clean rows, rlike {found[1]}, and {good} is right")

case = Case("three columns", ROWS, ROWS)
case.add("identity mapInArrow", 2, lambda: rows_of(df.mapInArrow(lambda batches: batches, df.schema)))
case.add("assay.spark.check", 2, lambda: rows_of(judged))
case.add("assay.spark.clean", 2, lambda: rows_of(assay.spark.clean(df, rules).judged))
case.add("rlike of one column, no Python", 2, lambda: rows_of(matched))
case.run(options.rounds)
# The job is the clean rows without the two added columns.
clean = Case("the clean rows", ROWS, good)
clean.add("assay.spark.check", 2, lambda: rows_of(judged.filter(CLEAN).drop(CLEAN, REASONS)))
clean.add("assay.spark.clean", 2, lambda: rows_of(assay.spark.clean(df, rules).clean))
clean.run(options.rounds)
goals = [
    Goal("assay.spark.check beside an identity mapInArrow",
         case.ratio("assay.spark.check", "identity mapInArrow"), most=1.15),
    Goal("assay.spark.clean beside check, all rows", case.ratio("assay.spark.clean", "assay.spark.check"), most=1.15),
    Goal("assay.spark.clean beside check, the clean rows",
         clean.ratio("assay.spark.clean", "assay.spark.check"), most=1.15),
]
command = f"spark_overhead.py --rows {ROWS} --rounds {options.rounds}"
facts = {
    "versions": f"assay {assay.__version__} ({assay.engine}), Spark {pyspark.__version__}",
}
tables = [case.table("identity mapInArrow", processor=False), clean.table("assay.spark.check", processor=False)]
publish(options.results, "spark", "Spark", command, facts, tables, goals, [case, clean])
spark.stop()
