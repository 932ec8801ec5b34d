"""Cleans a directory of Parquet and CSV files on Spark, with a rule file.

    spark-submit Examples/spark/clean_directory.py RULES INPUT OUTPUT [ORDER]

Reads all Parquet and CSV files in INPUT and its folders as one table. Writes OUTPUT/assay_clean=true, with repaired
rows, and OUTPUT/assay_clean=false as Parquet in one pass, and prints the counts as JSON. If the rules have keys, ORDER
is the column that decides which of the records with equal keys is first.
"""

import json
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

import assay
import assay.spark


def read_csv(spark: SparkSession, path: str, columns: list[str]) -> DataFrame:
    """Reads CSV unchanged: every value is a text, and records may span lines.

    multiLine: without it, Spark splits records at line feeds in quotes. escape: quotes are doubled in CSV, but Spark's
    default is the backslash. mode: a malformed record is an error, not a row of nulls.
    """
    return spark.read.csv(
        path,
        schema=StructType([StructField(name, StringType()) for name in columns]),
        header=True,
        enforceSchema=False,
        multiLine=True,
        quote='"',
        escape='"',
        mode="FAILFAST",
        recursiveFileLookup=True,
        pathGlobFilter="*.csv",
    )


def main(rules_path: str, source: str, target: str, order: str | None = None) -> None:
    spark = SparkSession.builder.appName("assay").getOrCreate()
    rules = assay.Rules.load(rules_path)

    parquet = spark.read.parquet(source, recursiveFileLookup=True, pathGlobFilter="*.parquet")
    texts = parquet.select([F.col(name).cast("string") for name in parquet.columns])
    table = texts.unionByName(read_csv(spark, source, parquet.columns))

    cleaned = assay.spark.clean(table, rules, order_by=order)
    # One action, so that the rows are checked once. Spark makes the directories assay_clean=true and assay_clean=false.
    cleaned.checked.write.partitionBy(assay.spark.CLEAN).mode("overwrite").parquet(target)
    print(json.dumps(cleaned.report))
    spark.stop()


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
