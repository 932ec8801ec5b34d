"""DuckDB: `run_duckdb.py table …` or `run_duckdb.py scans …`. The faster of the two counts.

table: one scan into an in-memory table of checked rows, then one COPY per output. Each pattern runs once, but all rows
are kept in memory. scans: one COPY from the file per output. Each reads and checks the file again, and keeps no rows.
"""

import sys

import duckdb

import job

WAY = sys.argv[1]


def text(value):
    return "'" + value.replace("'", "''") + "'"


def source(path):
    # Specify the dialect instead of detecting it: all columns are text, and empty cells are not null.
    return f"read_csv({text(path)}, all_varchar = true, header = true, delim = ',', quote = '\"', escape = '\"')"


def connection(task):
    # DuckDB keeps the order of rows by default, as all other rivals do.
    con = duckdb.connect()
    con.execute(f"SET threads = {task.threads}")
    return con


def copy(con, query, path):
    """Writes the rows of a query. Returns their number."""
    return con.execute(f"COPY ({query}) TO {text(path)} (HEADER)").fetchone()[0]


def reasons(flags):
    """Returns the SQL for a text such as "email;name;". `flags` has a condition per column that is true for good
    cells."""
    return "concat(" + ", ".join(f"CASE WHEN {flag} THEN '' ELSE '{name};' END" for name, flag in flags.items()) + ")"


def table(task):
    con = connection(task)
    columns = ", ".join(task.rules)
    matches = ", ".join(f"regexp_full_match({name}, {text(pattern)}) AS ok_{name}"
                        for name, pattern in task.rules.items())
    flags = {name: f"ok_{name}" for name in task.rules}
    good = " AND ".join(flags.values())
    con.execute(f"CREATE TEMP TABLE judged AS SELECT {columns}, {matches} FROM {source(task.input)}")
    copy(con, f"SELECT {columns} FROM judged WHERE {good}", task.valid)
    copy(con, f"SELECT {columns}, {reasons(flags)} AS reasons FROM judged WHERE NOT ({good})", task.rejects)
    counts = ", ".join(f"count(*) FILTER (NOT {flag})" for flag in flags.values())
    records, rejected, *failed = con.execute(
        f"SELECT count(*), count(*) FILTER (NOT ({good})), {counts} FROM judged").fetchone()
    return job.Answer(records, rejected, dict(zip(task.rules, failed)))


def scans(task):
    con = connection(task)
    columns = ", ".join(task.rules)
    flags = {name: f"regexp_full_match({name}, {text(pattern)})" for name, pattern in task.rules.items()}
    good = " AND ".join(flags.values())
    clean = copy(con, f"SELECT {columns} FROM {source(task.input)} WHERE {good}", task.valid)
    copy(con, f"SELECT {columns}, {reasons(flags)} AS reasons FROM {source(task.input)} WHERE NOT ({good})",
         task.rejects)
    # Count the rejects in the output file, because they are few and already checked.
    answer = job.Answer.from_reasons(
        con.execute(f"SELECT reasons, count(*) FROM {source(task.rejects)} GROUP BY reasons").fetchall())
    answer.records += clean
    return answer


WAYS = {"table": table, "scans": scans}
job.main(f"DuckDB {duckdb.__version__}, {WAY}", WAYS[WAY])
