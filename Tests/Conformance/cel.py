#!/usr/bin/env python3
"""Compares row rules with cel-python, an independent interpreter of the Common Expression Language.

    python3 Tests/Conformance/cel.py --assay .build/release/assay [--expressions 2000] [--rows 60] [--seed 1]

The script generates random expressions of the subset and random rows. A separate column contains the result of
cel-python, and the rule requires that the expression equals it. This compares every value, not only whether an
expression is true. If cel-python raises an error, the rule must be undecided. The script prints disagreements without a
reason from the list below, and exits with status 1 if there are any. Tests/Conformance/run.sh creates the environment
with cel-python.
"""

import argparse
import csv
import datetime
import decimal
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import celpy
from celpy import celtypes

COLUMNS = {
    "i": "int", "j": "int", "n": "number", "m": "number", "s": "string", "t": "string", "u": "timestamp",
    "v": "timestamp", "d": "duration", "b": "bool", "c": "bool",
}
FIELD_TYPES = {
    "int": "integer", "number": "number", "string": "string", "timestamp": "datetime", "duration": "duration",
    "bool": "boolean",
}
SCALARS = list(FIELD_TYPES)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

# `$` and a letter are a placeholder: b, i, n, s, t and d for an expression of that type, 0 for the type of the
# production, l for a list of it, a for any type, and m for a list of the type of a. Numbers are multiples of a power of
# two, so that binary arithmetic is exact.
PRODUCTIONS = {
    "bool": [
        "($b && $b)", "($b || $b)", "!$b", "($a == $a)", "($a != $a)", "($a < $a)", "($a <= $a)", "($a > $a)",
        "($a >= $a)", "($a in $m)", "$s.startsWith($s)", "$s.endsWith($s)", "$s.contains($s)", "$s.matches('^[a-c]?$')",
        "$s.matches('[0-9]+')", "$m.all(x$, $b)", "$m.exists(x$, $b)", "$m.exists_one(x$, $b)",
        "($m == $m)", "bool($s)",
    ],
    "int": [
        "($i + $i)", "($i - $i)", "($i * $i)", "($i / $i)", "($i % $i)", "-($i)", "size($s)", "$s.size()",
        "size($m)", "int($n)", "int($s)", "int($t)", "$t.getFullYear()", "$t.getMonth()", "$t.getDate()",
        "$t.getDayOfMonth()", "$t.getDayOfWeek()", "$t.getDayOfYear()", "$t.getHours()", "$t.getHours('Europe/Berlin')",
        "$t.getMinutes('-03:30')", "$t.getSeconds()", "$t.getMilliseconds()", "$d.getHours()", "$d.getMinutes()",
        "$d.getSeconds()", "$d.getMilliseconds()",
    ],
    "number": ["($n + $n)", "($n - $n)", "($n * $n)", "($n / 4.0)", "-($n)", "double($i)", "double($s)"],
    "string": ["($s + $s)", "string($i)", "string($b)", "string($s)", "string($t)", "string($d)"],
    "timestamp": ["($t + $d)", "($d + $t)", "($t - $d)", "timestamp($s)", "timestamp($i)"],
    "duration": ["($d + $d)", "($d - $d)", "($t - $t)", "duration($s)"],
}
LEAVES = {
    "bool": ["true", "false"],
    "int": ["0", "1", "-3", "7", "0x10", "9223372036854775807", "-9223372036854775808"],
    "number": ["0.0", "0.5", "-2.25", "3.0", "1024.0"],
    "string": ["''", "'a'", "'ab'", "'12'", "'é'", "'\\U0001F431'", r"r'\d'", '"it\'s"'],
    "timestamp": ["timestamp('2024-02-29T12:00:00Z')", "timestamp('1969-12-31T23:59:59.5Z')",
                  "timestamp('2000-01-01T00:00:00+05:30')"],
    "duration": ["duration('0s')", "duration('-90s')", "duration('1h30m')", "duration('1.5s')"],
}
# cel-python counts time in microseconds, so these values do the same.
VALUES = {
    "bool": [True, False],
    "int": [0, 1, -1, 2, 7, 1000, 2**63 - 1, -(2**63), 86400, 123456789],
    "number": [0.0, 1.0, -1.0, 0.5, 2.25, -3.75, 1024.0, 7.0],
    "string": ["", "a", "ab", "b", "1", "-25", "2.5", "true", "é", "日本", "2024-02-29T00:00:00Z", "90s", "1h", "1.5s",
               "x y", "a\nb"],
    "timestamp": [0, -1_000_000, 1_709_208_000_000_000, 951_782_399_500_000, 1_711_846_800_000_000,
                  1_729_990_800_000_001],
    "duration": [0, 1_000_000, -90_000_000, 5_400_500_000, 86_400_000_000, 1],
}


class Maker:
    """Generates random expressions and rows."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locals = []

    def pick(self, choices):
        return self.random.choice(choices)

    def expression(self, kind, depth):
        if depth == 0 or self.random.random() < 0.12:
            return self.leaf(kind)
        if isinstance(kind, tuple):
            return self.list(kind[1], depth)
        production = self.pick(PRODUCTIONS[kind] + ["($b ? $0 : $0)", "$l[$i]"])
        return self.expanded(production, kind, depth)

    def expanded(self, production, kind, depth):
        other = self.pick(SCALARS)
        kinds = {
            "b": "bool", "i": "int", "n": "number", "s": "string", "t": "timestamp", "d": "duration", "0": kind,
            "l": ("list", kind), "a": other, "m": ("list", other)}
        macro = re.search(r"\(x\$, ", production)
        if macro:
            variable = f"x{len(self.locals)}"
            production = production.replace("x$", variable)
            head, body = production.split(f"({variable}, ")
            text = self.expanded(head, kind, depth) if "$m" not in head else head.replace(
                "$m", self.expression(("list", other), depth - 1))
            self.locals.append((variable, other))
            text += f"({variable}, {self.expression('bool', depth - 1)})"
            self.locals.pop()
            return text
        # A $ before a quote is part of a pattern.
        return re.sub(r"\$([binstd0lam])(?!')", lambda match: self.expression(kinds[match[1]], depth - 1), production)

    def list(self, kind, depth):
        choice = self.random.randrange(4)
        if choice == 0:
            return f"[{self.expression(kind, depth - 1)}, {self.expression(kind, depth - 1)}]"
        if choice == 1:
            return f"({self.expression(('list', kind), depth - 1)} + {self.expression(('list', kind), depth - 1)})"
        of = kind if choice == 2 else self.pick(SCALARS)
        text = self.expression(("list", of), depth - 1)
        variable = f"x{len(self.locals)}"
        self.locals.append((variable, of))
        body = self.expression("bool" if choice == 2 else kind, depth - 1)
        self.locals.pop()
        return f"{text}.{'filter' if choice == 2 else 'map'}({variable}, {body})"

    def leaf(self, kind):
        if isinstance(kind, tuple):
            return "[" + ", ".join(self.leaf(kind[1]) for _ in range(self.random.randrange(1, 4))) + "]"
        names = [name for name, of in COLUMNS.items() if of == kind] + [name for name, of in self.locals if of == kind]
        return self.pick(names) if self.random.random() < 0.6 else self.pick(LEAVES[kind])

    def row(self):
        return {name: self.pick(VALUES[kind]) for name, kind in COLUMNS.items()}


def cel_value(kind, value):
    """The value in the representation of cel-python."""
    match kind:
        case "timestamp":
            return celtypes.TimestampType(EPOCH + datetime.timedelta(microseconds=value))
        case "duration":
            return celtypes.DurationType(datetime.timedelta(microseconds=value))
    make = {"bool": celtypes.BoolType, "int": celtypes.IntType, "number": celtypes.DoubleType,
            "string": celtypes.StringType}
    return make[kind](value)


def plain(kind, value):
    """The plain value for a result of cel-python. Raises an error if the result has another type."""
    match kind:
        case "bool":
            return bool(value)
        case "int":
            if not isinstance(value, int) or not -(2**63) <= int(value) < 2**63:
                raise TypeError(f"{value!r} is no int")
            return int(value)
        case "number":
            return float(value)
        case "string":
            return str(value)
        case "timestamp" | "duration":
            return microseconds(value)


def cell(kind, value):
    """The value as a CSV cell."""
    match kind:
        case "bool":
            return "true" if value else "false"
        case "number":
            return format(decimal.Decimal(value), "f")
        case "timestamp":
            return (EPOCH + datetime.timedelta(microseconds=value)).strftime("%4Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
        case "duration":
            return f"{'-' if value < 0 else ''}PT{abs(value) // 1_000_000}.{abs(value) % 1_000_000:06}S"
    return str(value)


# --- cel-python, corrected --------------------------------------------------------------------------------------------

SECOND = 1_000_000  # in microseconds
INDEX = celpy.evaluation.base_functions["_[_]"]
MODULO = celpy.evaluation.base_functions["_%_"]


def raised(value):
    """The value, raised if it is an error."""
    if isinstance(value, Exception):
        raise value
    return value


def microseconds(value):
    """A duration, or a timestamp since 1970, in microseconds."""
    return (value if isinstance(value, datetime.timedelta) else value - EPOCH) // datetime.timedelta(microseconds=1)


def fraction(count):
    return f".{count:06}".rstrip("0") if count else ""


def to_string(value):
    match raised(value):
        case celtypes.BoolType() | bool():
            return celtypes.StringType("true" if value else "false")
        case datetime.datetime():
            seconds, part = divmod(microseconds(value), SECOND)
            moment = EPOCH + datetime.timedelta(seconds=seconds)
            return celtypes.StringType(moment.isoformat().removesuffix("+00:00") + fraction(part) + "Z")
        case datetime.timedelta():
            seconds, part = divmod(abs(microseconds(value)), SECOND)
            return celtypes.StringType(f"{'-' if microseconds(value) < 0 else ''}{seconds}{fraction(part)}s")
    return celtypes.StringType(value)


def to_int(value):
    if isinstance(raised(value), datetime.datetime):
        return celtypes.IntType(microseconds(value) // SECOND)
    return celtypes.IntType(value)


def to_timestamp(value):
    if isinstance(raised(value), int):
        return celtypes.TimestampType(EPOCH + datetime.timedelta(seconds=int(value)))
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", value):
        raise ValueError(f"{value!r} is not of RFC 3339")
    return celtypes.TimestampType(value)


def to_duration(value):
    return celtypes.DurationType("0s" if raised(value) == "0" else value)


def to_double(value):
    number = celtypes.DoubleType(raised(value))
    # Larger numbers may be exact, but sums and products with them are rounded.
    if isinstance(value, (int, str)) and (abs(number) > 2**32
                                          or decimal.Decimal(str(value)) != decimal.Decimal(float(number))):
        Oracle.is_inexact = True
    return number


def to_bool(value):
    if isinstance(raised(value), str) and value not in ("1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false",
                                                        "FALSE", "False"):
        raise ValueError(f"{value!r} is no bool")
    return celtypes.BoolType(value)


def contains(value, part):
    return celtypes.BoolType(raised(part) in raised(value))


def element(values, index):
    """An element of a list."""
    if not isinstance(raised(values), list) or not isinstance(raised(index), int) or index < 0:
        raise IndexError(f"there is no element {index}")
    return INDEX(values, index)


def modulo(one, other):
    if isinstance(one, int) and one == -(2**63) and other == -1:
        raise OverflowError("modulus overflow")
    return MODULO(one, other)


def part(name, divisor, modulus=None):
    """A function such as `getHours`, truncated for durations. For timestamps, it is that of cel-python."""
    own = celpy.evaluation.base_functions[name]

    def function(value, *zone):
        if not isinstance(raised(value), datetime.timedelta):
            return own(celtypes.TimestampType(value), *zone)
        total = abs(microseconds(value))
        count = (total % modulus if modulus else total) // divisor
        return celtypes.IntType(-count if microseconds(value) < 0 else count)

    return function


# Deviations of cel-python from cel-spec, corrected here so that the remaining behavior can be compared.
CORRECTIONS = {
    # `string(true)` is "True", fractions of seconds are dropped, and a timestamp keeps its offset.
    "string": to_string,
    # A timestamp before 1970 is truncated to seconds; cel-spec rounds down.
    "int": to_int,
    # `timestamp(int)` is an error, and "1000" is a valid timestamp.
    "timestamp": to_timestamp,
    # "0" needs a unit. Go's durations, which cel-spec refers to, do not require it.
    "duration": to_duration,
    # Every number is true.
    "bool": to_bool,
    # Returns a bool of Python, which ? : rejects.
    "contains": contains,
    # Correct, but a number without an exact binary form cannot be compared.
    "double": to_double,
    # -1 is the last element, and an error is a valid index.
    "_[_]": element,
    # cel-go reports an overflow if the quotient exceeds 64 bits.
    "_%_": modulo,
    # The difference of two timestamps lacks these functions. The milliseconds of a duration include its seconds.
    "getHours": part("getHours", 3600 * SECOND), "getMinutes": part("getMinutes", 60 * SECOND),
    "getSeconds": part("getSeconds", SECOND), "getMilliseconds": part("getMilliseconds", 1000, SECOND),
}


class Oracle:
    """Evaluates expressions with cel-python."""

    # Whether a number was rounded since the last reset.
    is_inexact = False

    def __init__(self):
        self.environment = celpy.Environment()

    def values(self, kind, text, rows):
        """The value or the exception for each row. `None`: the value cannot be compared."""
        program = self.environment.program(self.environment.compile(text), functions=CORRECTIONS)
        values = []
        for row in rows:
            activation = {name: cel_value(COLUMNS[name], value) for name, value in row.items()}
            Oracle.is_inexact = False
            try:
                values.append(plain(kind, raised(program.evaluate(activation))))
            except Exception as error:  # any exception means that there is no value
                values.append(error)
            if Oracle.is_inexact:
                values[-1] = None
        return values


def run_assay(assay, expressions, rows, values):
    """The verdicts of the command: "false" or "undecided" by expression and row. The second result contains the
    rejected expressions."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        kinds = COLUMNS | {f"e{number}": kind for number, (kind, _) in enumerate(expressions)}
        with open(folder / "rows.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(kinds)
            for index, row in enumerate(rows):
                cells = [cell(COLUMNS[name], row[name]) for name in COLUMNS]
                for number, (kind, _) in enumerate(expressions):
                    value = values[number][index]
                    cells.append(cell(kind,
                                      VALUES[kind][0] if value is None or isinstance(value, Exception) else value))
                writer.writerow(cells)
        rules = {
            "missingValues": [], "fields": [{"name": name, "type": FIELD_TYPES[kind]} for name, kind in kinds.items()],
            "rows": [{"id": f"e{number}", "check": f"({text}) == e{number}"}
                     for number, (_, text) in enumerate(expressions)],
        }
        lines = [json.dumps(rule) for rule in rules["rows"]]
        (folder / "rules.json").write_text(
            f'{{"missingValues": [], "fields": {json.dumps(rules["fields"])}, "rows": [\n'
            + ",\n".join(lines) + "\n]}\n")
        run = subprocess.run(
            [assay, "check", "rows.csv", "--rules", "rules.json", "--findings", "f.jsonl", "--quiet", "--limit",
             "rule-file-bytes=64M", "--limit", "field-bytes=2M"], cwd=folder, capture_output=True, text=True)
        if run.returncode == 2:
            mistakes = re.findall(r"^rules\.json:(\d+):\d+: error: (.*)", run.stderr, re.M)
            return None, {int(line) - 2: message for line, message in mistakes} or sys.exit(run.stderr)
        outcomes = {}
        for line in (folder / "f.jsonl").read_text().splitlines():
            finding = json.loads(line)
            if finding["code"] not in ("row", "undecided"):
                sys.exit(f"a cell of the test is not of its type: {line}")
            number = int(finding["rule"][1:])
            outcomes[number, finding["record"] - 1] = "undecided" if finding["code"] == "undecided" else "false"
        return outcomes, {}


# Expressions that Assay rejects when it reads the rules, although cel-python fails only at run time.
REFUSALS = [(r".* is no (timestamp|duration|int|number|bool)",
             "a conversion of a literal that fails is a mistake in the rules")]

ROUNDED = "a decimal that is no binary number: not compared"

# Known reasons for disagreements: a pattern for the expression, a condition on the two results, and a description.
REASONS = [
    (r"\bexists_one\b", lambda row, theirs, ours: isinstance(theirs, Exception),
     "cel-python: an error inside exists_one goes through || and &&, though the other side decides"),
]


def reason(text, row, theirs, ours):
    for pattern, applies, name in REASONS:
        if re.search(pattern, text) and applies(row, theirs, ours):
            return name
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", required=True)
    parser.add_argument("--expressions", type=int, default=2_000)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    maker, oracle = Maker(options.seed), Oracle()
    counts, unexplained, compared = {}, 0, 0
    rows = [maker.row() for _ in range(options.rows)]
    made = [(kind := maker.pick(SCALARS), maker.expression(kind, options.depth)) for _ in range(options.expressions)]
    values = [oracle.values(kind, text, rows) for kind, text in made]
    outcomes, refused = run_assay(os.path.abspath(options.assay), made, rows, values)
    if outcomes is None:
        for number, message in refused.items():
            name = next((name for pattern, name in REFUSALS if re.fullmatch(pattern, message)), None)
            if name is None:
                unexplained += 1
                print(f"refused: {message}\n    {made[number][1]}")
            else:
                counts[name] = counts.get(name, 0) + 1
        kept = [number for number in range(len(made)) if number not in refused]
        made, values = [made[number] for number in kept], [values[number] for number in kept]
        outcomes, refused = run_assay(os.path.abspath(options.assay), made, rows, values)
    for number, (kind, text) in enumerate(made):
        shown = False
        for index, row in enumerate(rows):
            theirs = values[number][index]
            ours = outcomes.get((number, index), "true")
            if theirs is None:
                counts[ROUNDED] = counts.get(ROUNDED, 0) + 1
                continue
            compared += 1
            if ours == ("undecided" if isinstance(theirs, Exception) else "true"):
                continue
            name = reason(text, row, theirs, ours)
            if name is not None:
                counts[name] = counts.get(name, 0) + 1
            elif not shown:
                shown = True
                unexplained += 1
                used = {column: value for column, value in row.items() if re.search(rf"\b{column}\b", text)}
                seen = f"{type(theirs).__name__}: {str(theirs)[:200]}" if isinstance(
                    theirs, Exception) else repr(theirs)
                print(f"{kind}: {text}\n    with {used}\n    cel-python: {seen}\n    the rule that it is equal: {ours}")
    print(f"{compared:,} values of {len(made):,} expressions compared with cel-python")
    for name, count in sorted(counts.items()):
        print(f"    {count:8,} differ: {name}")
    if unexplained:
        sys.exit(f"{unexplained} disagreements have no reason")


if __name__ == "__main__":
    main()
