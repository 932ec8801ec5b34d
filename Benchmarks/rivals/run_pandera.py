"""pandera over Polars: a schema with one pattern per column, validated lazily, so that every error is found."""

import os

import job

os.environ["POLARS_MAX_THREADS"] = str(job.requested_threads())

import pandera
import pandera.polars as pa
import polars as pl  # reads the variable


def run(task):
    def check(pattern):
        # Not Check.str_matches, which compiles the pattern with Python's `re` first; that lacks \p{…}.
        return pa.Check(lambda data: data.lazyframe.select(pl.col(data.key).str.contains(rf"\A(?:{pattern})\z")))

    schema = pa.DataFrameSchema(
        {name: pa.Column(str, check(pattern), nullable=False) for name, pattern in task.rules.items()})
    frame = pl.read_csv(task.input, infer_schema=False, empty_string_is_null=False)
    failed = {name: set() for name in task.rules}
    try:
        schema.validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        cases = errors.failure_cases
        for name, rows in cases.group_by("column").agg(pl.col("index")).iter_rows():
            failed[name].update(rows)
    bad = pl.DataFrame(
        {name: pl.Series([False] * frame.height).scatter(sorted(rows), True) for name, rows in failed.items()})
    reasons = pl.concat_str([pl.when(name).then(pl.lit(name + ";")).otherwise(pl.lit("")) for name in task.rules])
    checked = frame.with_columns(bad.select(reasons.alias("reasons")))
    checked.filter(pl.col("reasons") == "").drop("reasons").write_csv(task.valid)
    rejects = checked.filter(pl.col("reasons") != "")
    rejects.write_csv(task.rejects)
    return job.Answer(frame.height, rejects.height, {name: len(rows) for name, rows in failed.items()})


job.main(f"pandera {pandera.__version__}, Polars", run)
