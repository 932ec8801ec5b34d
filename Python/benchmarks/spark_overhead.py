"""What judging costs in Spark, on top of sending the same batches through Python and back.

    SPARK_LOCAL_IP=127.0.0.1 python Python/benchmarks/spark_overhead.py [ROWS]

Prints the best of three runs each. Needs pyspark and Java.
"""

import os
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import assay
import assay.spark

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
EMAIL = r"[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+"

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
df = spark.range(0, ROWS, 1, 4).select(
    F.col("id").cast("string").alias("id"),
    F.concat(F.lit("user."), F.col("id"), F.lit("@mail.example.org")).alias("email"),
    F.concat(F.lit("DE"), F.lpad(F.col("id").cast("string"), 6, "0")).alias("iban"),
)
df = df.cache()
df.count()
rules = assay.Rules.parse(
    f"fields: [{{name: id, type: integer}}, {{name: email, constraints: {{pattern: '{EMAIL}'}}}},"
    r" {name: iban, constraints: {pattern: '[A-Z]{2}\d+'}}]"
)


def best(frame):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        frame.write.format("noop").mode("overwrite").save()
        times.append(time.perf_counter() - start)
    return min(times)


identity = best(df.mapInArrow(lambda batches: batches, df.schema))
judged = best(assay.spark.check(df, rules))
rlike = best(df.filter(F.col("email").rlike(f"^({EMAIL})$")))
print(f"identity mapInArrow  {identity:6.2f} s   {ROWS / identity:12,.0f} rows/s")
print(f"assay.spark.check    {judged:6.2f} s   {ROWS / judged:12,.0f} rows/s   {100 * (judged / identity - 1):+.0f} %")
print(f"rlike of one column  {rlike:6.2f} s   {ROWS / rlike:12,.0f} rows/s")
spark.stop()
