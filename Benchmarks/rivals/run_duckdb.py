"""DuckDB: one scan into a table, one COPY for each output, as its users would write it."""

import duckdb

import job


def text(value):
    return "'" + value.replace("'", "''") + "'"


def run(task):
    con = duckdb.connect()
    con.execute(f"SET threads = {task.threads}")
    # The order of the rows is kept, as all the others do.
    columns = ", ".join(task.rules)
    matches = ", ".join(f"regexp_full_match({name}, {text(pattern)}) AS ok_{name}"
                        for name, pattern in task.rules.items())
    good = " AND ".join(f"ok_{name}" for name in task.rules)
    reasons = " || ".join(f"CASE WHEN ok_{name} THEN '' ELSE '{name};' END" for name in task.rules)
    con.execute(f"""
        CREATE TEMP TABLE judged AS SELECT {columns}, {matches}
        FROM read_csv({text(task.input)}, all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')""")
    con.execute(f"COPY (SELECT {columns} FROM judged WHERE {good}) TO {text(task.valid)} (HEADER)")
    con.execute(f"COPY (SELECT {columns}, {reasons} AS reasons FROM judged WHERE NOT ({good})) "
                f"TO {text(task.rejects)} (HEADER)")
    counts = ", ".join(f"count(*) FILTER (NOT ok_{name})" for name in task.rules)
    records, rejected, *failed = con.execute(
        f"SELECT count(*), count(*) FILTER (NOT ({good})), {counts} FROM judged").fetchone()
    return job.Answer(records, rejected, dict(zip(task.rules, failed)))


job.main(f"DuckDB {duckdb.__version__}", run)
