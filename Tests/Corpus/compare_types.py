#!/usr/bin/env python3
"""Compares the types that `assay infer`, DuckDB, Polars and pandas find in the tables of the corpus.

    build/corpus-python/bin/python Tests/Corpus/compare_types.py --assay .build/release/assay [--check] [TABLE…]

`sh Scripts/python-environment.sh corpus-python` creates the environment, and Tests/Corpus/fetch.py the corpus. Each
tool reads the whole table, with the delimiter that Assay found and with a header, and its type of each column is
reduced to a class: integer, number, boolean, date, datetime, time, text or empty. The script groups the columns in
which a tool finds another class than Assay by the cause, with an example for each. A difference without a cause in
EXPLANATIONS ends the script with status 1. With --update the report becomes a part of Docs/profile.md, and with --check
the script compares it with that part.
"""

import argparse
import collections
import concurrent.futures
import csv
import functools
import importlib.metadata
import io
import json
import os
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "Tests/CommandTests")]

from exports import inferred  # noqa: E402
from run import Runner, is_enough, listed, text_of  # noqa: E402

TITLES = {"duckdb": "DuckDB", "polars": "Polars", "pandas": "pandas"}
RIVALS = tuple(TITLES)
PAGE = ROOT / "Docs/profile.md"
BLANK = "\0"  # in values, so that lines do not break within them
BEGIN, END = "<!-- corpus -->\n", "<!-- end of corpus -->"


# -- the classes that each tool finds


def assay_classes(rules):
    """The class of each column in a rule file."""
    return {name: guess.kind if guess.kind in CLASSES else "text" for name, guess in inferred(rules).items()}


CLASSES = ("integer", "number", "boolean", "date", "datetime", "time")


def duckdb_classes(path, delimiter):
    import duckdb

    source = f"'{str(path).replace(chr(39), chr(39) * 2)}'"
    if delimiter:
        table = f"read_csv({source}, sample_size=-1, header=true, delim='{delimiter}')"
    else:
        table = f"read_json({source}, format='newline_delimited', sample_size=-1)"
    with duckdb.connect(config={"threads": 1}) as connection:
        described = connection.execute(f"DESCRIBE FROM {table}").fetchall()
    return [duckdb_class(kind) for _, kind, *_ in described]


def duckdb_class(kind):
    if kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UBIGINT"):
        return "integer"
    if kind in ("FLOAT", "DOUBLE") or kind.startswith("DECIMAL"):
        return "number"
    if kind.startswith("TIMESTAMP"):
        return "datetime"
    return {"BOOLEAN": "boolean", "DATE": "date", "TIME": "time"}.get(kind, "text")


def polars_classes(path, delimiter):
    import polars

    if delimiter:
        frame = polars.read_csv(path, separator=delimiter, infer_schema_length=None, try_parse_dates=True)
    else:
        frame = polars.read_ndjson(path, infer_schema_length=None)
    return [polars_class(kind) for kind in frame.dtypes]


def polars_class(kind):
    import polars

    if kind.is_integer():
        return "integer"
    if kind.is_numeric():
        return "number"
    named = {polars.Boolean: "boolean", polars.Date: "date", polars.Datetime: "datetime", polars.Time: "time",
             polars.Null: "empty"}
    return named.get(kind.base_type(), "text")


def pandas_classes(path, delimiter):
    import pandas

    if delimiter:
        frame = pandas.read_csv(path, sep=delimiter, low_memory=False, index_col=False)
    else:
        frame = pandas.read_json(path, lines=True)
    return [pandas_class(frame.iloc[:, position]) for position in range(frame.shape[1])]


def pandas_class(column):
    import pandas

    kinds = pandas.api.types
    if len(column) and column.isna().all():
        return "empty"
    if kinds.is_bool_dtype(column) or kinds.infer_dtype(column, skipna=True) == "boolean":
        return "boolean"
    if kinds.is_integer_dtype(column):
        return "integer"
    if kinds.is_numeric_dtype(column):
        return "number"
    return "datetime" if kinds.is_datetime64_any_dtype(column) else "text"


# -- the columns of a table


class Column:
    """The cells of a column, and the classes that the tools find."""

    def __init__(self, table, name, cells, guess, facts):
        self.table, self.name, self.guess, self.facts = table, name, guess, facts
        self.classes = {}
        words = guess.missing if guess else set()
        # In the order of the file.
        self.texts = list(dict.fromkeys(cells))
        self.missing = [text for text in self.texts if text in words and text]
        self.has_empty = "" in self.texts
        self.values = [text for text in self.texts if text and text not in words]

    def all(self, pattern):
        return bool(self.values) and all(re.fullmatch(pattern, value) for value in self.values)

    def any(self, pattern):
        return any(re.fullmatch(pattern, value) for value in self.values)

    def example(self):
        shown = ", ".join(f"`{value[:40]}`" for value in (self.missing[:1] + self.values)[:4]).replace(" ", BLANK)
        shown = shown.replace(f"`,{BLANK}`", "`, `")
        return f"{self.table.split('/')[0]}, {self.table.rsplit('/', 1)[-1]}, column {self.name.strip()}: {shown}"


def read(path, delimiter):
    """The names and the cells of the well-formed records of a table."""
    text = text_of(path).decode("utf-8-sig", "replace")
    if not delimiter:
        records = [json.loads(line) for line in text.splitlines() if line.strip()]
        names = list(dict.fromkeys(name for record in records for name in record))
        return names, [[json_cell(record.get(name)) for record in records] for name in names]
    csv.field_size_limit(1 << 30)
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return header, list(map(list, zip(*(row for row in rows if len(row) == len(header))))) or [[] for _ in header]


def json_cell(value):
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def facts_of(path, delimiter, report):
    """Properties of the whole file that explain differences."""
    data = text_of(path)
    mark = re.escape(delimiter.encode())
    return {"json": not delimiter,
            "quoted empty": bool(re.search(rb'(^|%s)""(%s|\r?$)' % (mark, mark), data, re.MULTILINE)),
            "double carriage returns": b"\r\r\n" in data,
            "short records": any(report["structure"].values())}


def compare(runner, table):
    """The columns of a table, and the message of each tool that cannot read it."""
    path = runner.tables / table
    rules = runner.assay("infer", table, "--quiet", *runner.fit)
    if rules.returncode:
        return [], {"assay": rules.stderr.strip().splitlines()[0]}
    report = json.loads(runner.assay("check", table, "--quiet", "--report", "-").stdout)
    delimiter = (report["inputs"][0]["delimiter"] or {}).get("text", "")
    names, cells = read(path, delimiter)
    guesses, classes = inferred(rules.stdout), assay_classes(rules.stdout)
    facts = facts_of(path, delimiter, report)
    columns = [Column(table, name, column, guesses.get(name), facts | {"equal names": names.count(name) > 1})
               for name, column in zip(names, cells)]
    for column in columns:
        column.classes["assay"] = classes.get(column.name, "text") if column.values else "empty"
    failed = {}
    for rival in RIVALS:
        try:
            found = globals()[f"{rival}_classes"](path, delimiter)
        except Exception as error:  # noqa: BLE001 any failure to read the table
            failed[rival] = f"{type(error).__name__}: {str(error).strip().splitlines()[0][:150]}"
            continue
        if len(found) != len(columns):
            failed[rival] = f"reads {len(found)} columns of {len(columns)}"
            continue
        for column, kind in zip(columns, found):
            column.classes[rival] = kind if column.values else "empty"
    return columns, failed


# -- the causes of differences

INTEGER = r"[+-]?[0-9]+"
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
NUMERIC = ("integer", "number")
TIMES = ("date", "datetime", "time")
PANDAS_MISSING = {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
                  "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}

# The name of each cause, a test of (column, class of Assay, class of the rival, rival), and the explanation. The first
# test that succeeds is the cause.
EXPLANATIONS = [
    ("equal names", lambda c, a, r, rival: c.facts["equal names"],
     "The header has the name more than once. Rules cannot name such a column, so `infer` writes a comment. The others "
     "read columns by position."),
    ("whole numbers with missing cells",
     lambda c, a, r, rival: (rival == "pandas" and (a, r) == ("integer", "number") and c.all(INTEGER)
                             and (c.has_empty or c.missing)),
     "pandas' default integers have no missing value, so it stores the column as float64."),
    ("short records",
     lambda c, a, r, rival: rival == "pandas" and (a, r) == ("integer", "number") and c.facts["short records"],
     "pandas fills the absent cells of a record with too few fields, here with NaN. Assay rejects the record."),
    ("only words for missing values",
     lambda c, a, r, rival: rival == "pandas" and r == "empty" and set(c.texts) <= PANDAS_MISSING,
     "All cells are `NA`. pandas reads a column without values, `infer` a column of texts."),
    ("dates", lambda c, a, r, rival: rival == "pandas" and a in TIMES and r == "text" and not c.missing,
     "pandas' `read_csv` parses dates only in the columns of `parse_dates`."),
    ("words for missing values",
     lambda c, a, r, rival: r == "text" and c.missing and not (rival == "pandas" and set(c.missing) <= PANDAS_MISSING),
     "`infer` writes such a word into `missingValues`. DuckDB and Polars have only the empty cell, pandas has a fixed "
     "list without `.`, `-`, `?`."),
    ("quoted empty cells", lambda c, a, r, rival: (rival == "polars" and r == "text" and c.has_empty
                                                   and c.facts["quoted empty"]),
     'Polars reads `""` as an empty text, not as a missing value.'),
    ("line endings", lambda c, a, r, rival: rival == "polars" and c.facts["double carriage returns"],
     "Lines end in CR CR LF. Polars keeps a CR in the last column."),
    ("blanks at the ends", lambda c, a, r, rival: c.any(r"\s.*|.*\s"),
     "pandas ignores blanks beside a number, DuckDB those before it. For Polars the value is a text. `infer` adds the "
     "repair `trim`."),
    ("leading zeros", lambda c, a, r, rival: a == "text" and r in NUMERIC and c.any(r"[+-]?0[0-9]+") and c.all(INTEGER),
     "`01001` is a code: as a number it loses its zeros."),
    ("names of codes", lambda c, a, r, rival: a == "text" and r in NUMERIC and c.all(INTEGER) and CODES.search(c.name),
     "Columns named after postal codes, telephone numbers and versions have digits, but no numbers."),
    ("infinity", lambda c, a, r, rival: a == "text" and r == "number" and c.any(r"(?i)[+-]?inf(inity)?|nan"),
     "`Inf` is a number to DuckDB, Polars and pandas, and a text to `infer`."),
    ("JSON texts of digits", lambda c, a, r, rival: c.facts["json"] and (a, r) == ("text", "integer"),
     "pandas converts JSON texts such as `\"1565\"` to numbers. In Assay a JSON text is a text."),
    ("JSON numbers", lambda c, a, r, rival: c.facts["json"] and (a, r) == ("number", "integer"),
     "pandas converts a JSON column of `10.0` to integers."),
    ("JSON dates", lambda c, a, r, rival: c.facts["json"] and (a, r) in (("date", "text"), ("date", "datetime")),
     "Polars looks for dates only in CSV. pandas converts JSON columns with names such as `date` to timestamps."),
    ("words for true and false",
     lambda c, a, r, rival: a == "boolean" and r == "text" and not c.all("(?i)true|false"),
     "Polars and pandas know only `true` and `false`; DuckDB also `yes` and `no`, `t` and `f`."),
    ("constants", lambda c, a, r, rival: (a, r) == ("text", "boolean") and len(c.values) == 1,
     "A column with one value, such as `TRUE`, may not be a boolean."),
    ("day or month", lambda c, a, r, rival: (a, r) == ("text", "date") and c.all(r"\d{1,2}([/.-])\d{1,2}\1\d{2,4}"),
     "Each date is valid with day and month exchanged. `infer` writes both formats as a comment. DuckDB and Polars "
     "read the day first, although `core-cpi.csv.gz` has a row for each month."),
    ("forms of dates", lambda c, a, r, rival: a in TIMES and r == "text" and not c.all(ISO),
     "Polars knows ISO 8601 and numbers with the day first, DuckDB also the month first. `infer` also finds names of "
     "months."),
    ("days as timestamps", lambda c, a, r, rival: (a, r) == ("date", "datetime") and c.all(r"\d{4}-\d\d-\d\d"),
     "DuckDB reads these days as TIMESTAMP at midnight."),
    ("hours of one digit", lambda c, a, r, rival: (a, r) == ("text", "time") and c.any(r"\d:\d\d:\d\d"),
     "`0:05:21` may be a time of day or a duration, so `infer` leaves it a text."),
    ("some with fractions of a second",
     lambda c, a, r, rival: (a, r) == ("text", "datetime") and c.any(r".*:\d\d\.\d+") and c.any(r".*:\d\d"),
     "A strptime format has `%S` or `%S.%f`. No format fits all values of the column."),
    ("exponents", lambda c, a, r, rival: (a, r) == ("text", "number") and c.any(r"[0-9]+[eE][0-9]+") and c.all(NUMBER),
     "`122089e14` in another record may be a code such as `12E34`."),
    ("lists of numbers", lambda c, a, r, rival: a in NUMERIC and r == "text" and c.any(r"\d{1,3}([,.' ]\d{3}){7,}.*"),
     "`infer` mistakes a list of numbers of three digits for one number with groups."),
    ("grouped digits", lambda c, a, r, rival: a in NUMERIC and r == "text" and c.any(r"[+-]?\d{1,3}([,.' ]\d{3})+.*"),
     "`infer` recognizes group separators and the decimal comma."),
]
CODES = re.compile(r"(?i)zip|postal|postcode|plz|phone|tel|fax|version")
ISO = r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d(:\d\d(\.\d+)?)?"

# With `--fit typical`, or before `--fit` existed.
NOISE = ("a few other values",
         lambda c, a, r, rival: a not in ("text", "empty") and r in ("text", "number"),
         "`infer --fit typical` ignores a few values that do not have the type of the others.")


def cause(column, rival, explanations):
    a, r = column.classes["assay"], column.classes[rival]
    return next((name for name, test, _ in explanations if test(column, a, r, rival)), None)


# -- the report


def report(results, explanations):
    """The report in Markdown, and the differences without a cause."""
    columns = [column for found, _ in results for column in found]
    lines = [f"{len(results)} tables, {len(columns):,} columns:", "",
             "| | tables read | columns | same class as Assay | another class |", "|---|--:|--:|--:|--:|"]
    differences = collections.defaultdict(list)
    for rival in RIVALS:
        compared = [column for column in columns if rival in column.classes]
        other = [column for column in compared if column.classes[rival] != column.classes["assay"]]
        unread = sum(rival in failed or "assay" in failed for _, failed in results)
        same = len(compared) - len(other)
        lines.append(f"| {TITLES[rival]} {importlib.metadata.version(rival)} | {len(results) - unread} "
                     f"| {len(compared):,} | {same:,} ({100 * same / max(len(compared), 1):.1f} %) | {len(other):,} |")
        for column in other:
            differences[cause(column, rival, explanations)].append((rival, column))
    lines.append("")
    for name, _, text in explanations:
        if found := differences.get(name):
            counts = collections.Counter(rival for rival, _ in found)
            shown = ", ".join(f"{TITLES[rival]} {counts[rival]}" for rival in RIVALS if counts[rival])
            rival, column = found[0]
            lines += textwrap.wrap(
                f"* **{name}** ({shown}): {text} {column.example()} (Assay {column.classes['assay']}, {TITLES[rival]} "
                f"{column.classes[rival]})", 120, subsequent_indent="  ", break_long_words=False,
                break_on_hyphens=False)
    return "\n".join(lines).replace(BLANK, " ") + "\n", differences[None]


def unread(results):
    """A line for each reason for which a tool does not read tables."""
    reasons = collections.Counter((tool, re.sub(r'\d+|".*?"|\S+/\S+', "…", message)) for _, failed in results
                                  for tool, message in failed.items())
    return [f"{tool}: {count} × {message}" for (tool, message), count in sorted(reasons.items())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default=str(ROOT / ".build/release/assay"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/corpus")
    parser.add_argument("--fit", help="the --fit of assay infer")
    parser.add_argument("--update", action="store_true", help="write the part of Docs/profile.md")
    parser.add_argument("--check", action="store_true", help="compare with the part of Docs/profile.md")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="only tables with this in their path")
    options = parser.parse_args()
    chosen = listed(options.folder, options.tables)
    runner = Runner(options.assay, options.folder.resolve() / "tables", options.fit)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(functools.partial(compare, runner), chosen, chunksize=4))
    text, unexplained = report(results, EXPLANATIONS + ([NOISE] if options.fit == "typical" else []))
    print(text)
    print("\n".join(unread(results)))
    for rival, column in unexplained:
        print(f"NOT EXPLAINED: {column.table}: Assay {column.classes['assay']}, {rival} {column.classes[rival]}: "
              f"{column.example()}".replace(BLANK, " "))
    print(f"{len(unexplained)} differences without an explanation")
    succeeded = not unexplained and is_enough(sum(bool(found) for found, _ in results), options.tables)
    if options.update or options.check:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        expected = f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"
        if options.update:
            PAGE.write_text(expected)
        elif page != expected:
            print("Docs/profile.md differs: run compare_types.py --update")
            succeeded = False
    sys.exit(not succeeded)


if __name__ == "__main__":
    main()
