"""Cleans a directory of Parquet and CSV files on Spark, with a rule file.

    spark-submit Examples/spark/clean_directory.py RULES INPUT OUTPUT [ORDER]

All that is below INPUT, the Parquet files and the CSV files, is read as one table. OUTPUT/assay_clean=true and
OUTPUT/assay_clean=false are written as Parquet in one pass, the clean rows repaired as the rules say, and the counts are
printed as JSON. If the rules have keys, ORDER is the column that decides which of the records with equal keys is the first one.
"""

import json
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

import assay
import assay.spark


def read_csv(spark: SparkSession, path: str, columns: list[str]) -> DataFrame:
    """CSV as it stands in the file: every value a text, and records that span lines in one piece.

    multiLine: without it Spark cuts a file at line feeds inside quotes. escape: Spark's own is the backslash, which CSV
    does not know; a quote is doubled. mode: a broken record is an error, not a row of nulls.
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
    # One action, so that the rows are judged once: Spark makes the directories assay_clean=true and assay_clean=false.
    cleaned.judged.write.partitionBy(assay.spark.CLEAN).mode("overwrite").parquet(target)
    print(json.dumps(cleaned.report))
    spark.stop()


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
