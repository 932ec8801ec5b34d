#!/usr/bin/env python3
"""Compares the built-in types with third-party work: test suites, and libraries as oracles.

    python3 Tests/Conformance/conformance.py --assay .build/release/assay suites     rows of third-party suites
    python3 Tests/Conformance/conformance.py --assay .build/release/assay oracles    a million values, by libraries
    python3 Tests/Conformance/conformance.py --assay .build/release/assay types      the list in Docs/types.md

Values pass through the command as a column of a file, so that the test covers the program that users run. The first two
modes write their parts of Docs/conformance.md (with --check they only compare) and fail if a row or value differs
without a reason listed here. Tests/Conformance/run.sh creates the environment that `oracles` needs.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs/conformance.md"
TYPES = ROOT / "Docs/types.md"


class Command:
    """Runs the command to check columns."""

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def types(self):
        return json.loads(subprocess.run([self.path, "types", "--json"], check=True, capture_output=True).stdout)

    def passes(self, form, values):
        """For each value (bytes), whether it is valid for the format."""
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "values.csv")
            table.write_bytes(b"value\n" + b"".join(b'"%s"\n' % value.replace(b'"', b'""') for value in values))
            rules = pathlib.Path(folder, "rules.json")
            rules.write_text(json.dumps({"fields": [{"name": "value", "format": form}], "missingValues": []}))
            found = pathlib.Path(folder, "findings.csv")
            run = subprocess.run(
                [self.path, "check", str(table), "--rules", str(rules), "--findings", str(found), "--quiet",
                 "--max-findings", str(len(values) + 1)], capture_output=True, text=True)
            if run.returncode not in (0, 1):
                raise SystemExit("format '%s': %s" % (form, run.stderr))
            passed = [True] * len(values)
            with found.open(newline="", encoding="utf-8", errors="replace") as lines:
                for row in csv.DictReader(lines):
                    passed[int(row["record"]) - 1] = False
            return passed


# --- Suites ------------------------------------------------------------------------------------------------------


class Suite:
    """Rows of one suite for one format: (value, whether it should pass)."""

    def __init__(self, name, form, rows, reasons=(), note=""):
        self.name, self.form, self.rows, self.note = name, form, rows, note
        self.reasons = dict(reasons)


def read_lines(folder, path):
    return [json.loads(line) for line in (folder / path).read_text(encoding="utf-8").splitlines()]


def json_schema(folder):
    profiles = {
        "email": ("email quoted ip-literal", ""),
        "idn-email": ("email unicode quoted ip-literal", ""),
        "ecmascript-regex": ("regex-ecma", ""), "regex": ("regex-ecma", ""),
        "uuid": ("uuid any-version", "any version of RFC 4122"),
    }
    rows = read_lines(folder, "json-schema-format/cases.jsonl")
    # `unknown` is not a format, and accepts everything by definition.
    skipped = {"unknown"}
    for kind in sorted({row["type"] for row in rows} - skipped):
        form, note = profiles.get(kind, (kind, ""))
        mine = [row for row in rows if row["type"] == kind]
        yield Suite("json-schema-format: " + kind, form, [(row["value"], row["valid"]) for row in mine], note=note)
        # Stated for the whole suite: a value with a trailing line feed is never valid.
        yield Suite("json-schema-format: %s, with a line feed" % kind, form,
                    [(row["value"] + "\n", False) for row in mine])


def isemail(folder):
    rows = read_lines(folder, "email-isemail/cases.jsonl")
    yield Suite(
        "email-isemail: rfc5321", "email quoted ip-literal single-label numeric-tld",
        [(row["value"], row["profiles"]["rfc5321"]) for row in rows],
        {"test@[IPv6:1111:2222:3333:4444:5555:6666::8888]":
         "the double colon replaces a single group, which RFC 4291, named by RFC 5321, permits. The suite rejects this "
         "row as deprecated, but accepts seven similar rows"})
    single = "a single label needs the option `single-label`"
    yield Suite("email-isemail: plain", "email", [(row["value"], row["profiles"]["plain"]) for row in rows],
                {"test@io": single})


def codes(folder):
    rows = read_lines(folder, "iso-codes/cases.jsonl")
    formats = {"country-alpha2": "country", "currency-alpha3": "currency", "currency-numeric": "currency numeric"}
    for kind in sorted({row["type"] for row in rows}):
        yield Suite("iso-codes: " + kind, formats.get(kind, kind),
                    [(row["value"], row["valid"]) for row in rows if row["type"] == kind])


def uuids(folder):
    yield Suite("uuid-uuidjs", "uuid", [(row["value"], row["valid"])
                                        for row in read_lines(folder, "uuid-uuidjs/cases.jsonl")])


def ibans(folder):
    rows = [(row["example"].replace(" ", ""), True) for row in read_lines(folder, "iban-registry/examples.jsonl")]
    unknown = {
        "AA": "AA is a country for tests only", "NI": "an IBAN of Nicaragua has 28 characters; the example has 32",
        "DZ": "an IBAN of Algeria now has 26 characters; the example has 24",
        "BF": "an IBAN of Burkina Faso now has 28 characters; the example has 27",
        "BI": "an IBAN of Burundi now has 27 characters; the example has 16",
        "CI": "an account of Ivory Coast starts with two letters; the example has one",
        "SN": "an account of Senegal starts with two letters; the example has one",
    }
    yield Suite("iban-registry", "iban experimental", rows,
                {value: unknown[value[:2]] for value, _ in rows if value[:2] in unknown},
                "without separators")


def postal(folder):
    rows = read_lines(folder, "postal-libaddressinput/cases.jsonl")
    # Rows with `valid: null` are examples that fail the suite's own expression, so they have no expected verdict.
    rows = [row for row in rows if row["valid"] is not None]
    newer = "the table is of 2024 and the suite of June 2025, with another expression"
    for country in sorted({row["country"] for row in rows}):
        mine = [(row["value"], row["valid"]) for row in rows if row["country"] == country]
        differing = {"EC", "KR", "SO"}
        yield Suite("postal-libaddressinput", "postal-code country=" + country, mine,
                    {value: newer for value, _ in mine} if country in differing else {})


def json_texts(folder):
    rows = []
    for path in sorted((folder / "JSONTestSuite/test_parsing").glob("[yn]_*.json")):
        rows.append((path.read_bytes(), path.name.startswith("y_")))
    return [Suite("JSONTestSuite", "json object array newline", [row for row in rows if is_container(row[0])]),
            Suite("JSONTestSuite: other values", "json", [row for row in rows if not is_container(row[0])])]


def is_container(text):
    return text.lstrip()[:1] in (b"[", b"{")


def naughty_strings(folder):
    return [value.encode("utf-8", "surrogatepass")
            for value in json.loads((folder / "blns/raw/blns.json").read_text(encoding="utf-8"))]


def as_bytes(value):
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


def shown(value):
    text = value if isinstance(value, str) else value.decode("utf-8", "backslashreplace")
    text = json.dumps(text, ensure_ascii=True)
    return "`%s`" % (text if len(text) < 80 else text[:77] + "…").replace("|", "\\|").replace("`", "'")


def run_suites(command, folder):
    """The part of the page, the number of rows that differ without a reason, and the names of absent suites."""
    makers = {"json-schema-format": json_schema, "email-isemail": isemail, "iso-codes": codes, "uuid-uuidjs": uuids,
              "iban-registry": ibans, "postal-libaddressinput": postal, "JSONTestSuite": json_texts}
    present = [maker for name, maker in makers.items() if (folder / name).exists()]
    missing = [name for name in [*makers, "blns"] if not (folder / name).exists()]
    merged, listed, unexplained = {}, [], []
    for suite in (suite for maker in present for suite in maker(folder)):
        passed = command.passes(suite.form, [as_bytes(value) for value, _ in suite.rows])
        form = re.sub(r" country=\w\w$", " country=…", suite.form)
        line = merged.setdefault((suite.name, form, suite.note), [0, 0, 0])
        used = set()
        for (value, expected), passes in zip(suite.rows, passed):
            line[0] += 1
            line[1] += passes == expected
            if passes == expected:
                continue
            line[2] += 1
            reason = suite.reasons.get(value)
            used.add(value)
            (listed if reason else unexplained).append((suite.name, suite.form, value, expected, reason))
    lines = ["| suite | `format:` | rows | equal | different |", "|---|---|---|---|---|"]
    for (name, form, note), (count, right, wrong) in merged.items():
        lines.append("| %s%s | `%s` | %d | %d | %s |" % (name, " (%s)" % note if note else "", form, count, right,
                                                          wrong or ""))
    total = [sum(line[i] for line in merged.values()) for i in range(3)]
    lines.append("| **all** | | **%d** | **%d** | **%d** |" % tuple(total))
    lines += ["", "Different rows and the reasons:", ""]
    groups = {}
    for name, form, value, expected, reason in listed:
        groups.setdefault((name, form, "rejects" if expected else "accepts", reason), []).append(shown(value))
    for (name, form, verb, reason), values in groups.items():
        lines.append("* %s, `%s`, %s %s: %s." % (name, form, verb, ", ".join(values), reason))
    strings = naughty_strings(folder) if "blns" not in missing else []
    for info in command.types():
        if command.passes(info["name"], strings) != command.passes(info["name"], strings):
            unexplained.append(("blns", info["name"], "", None, None))
    lines += ["", "All %d strings of blns passed through all %d types twice, with equal verdicts and no other effect."
              % (len(strings), len(command.types()))]
    for name, form, value, expected, _ in unexplained:
        print("unexplained: %s, %s: %s should %s" % (name, form, shown(value), "pass" if expected else "fail"))
    print("suites: %d rows, %d equal, %d different for a known reason, %d unexplained"
          % (total[0], total[1], len(listed), len(unexplained)))
    return "\n".join(lines), len(unexplained), missing


# --- The page ----------------------------------------------------------------------------------------------------

HEAD = """# Conformance

`Tests/Conformance/run.sh` generates the tables on this page. It passes every value through `assay check`, as a column
of a file. [types.md](types.md) names the standard that each type follows.

"""


def types_list(command):
    """The output of assay types, with a section for each type."""
    lines = []
    for info in command.types():
        lines += ["### %s" % info["name"], "", textwrap.fill("%s." % info["profile"], 120, break_on_hyphens=False), ""]
        lines += ["Example: `%s`" % info["example"], ""]
        if info["options"]:
            lines += ["Options: `%s`" % info["options"], ""]
        if info["source"]:
            lines += ["Table: %s, edition %s." % (info["source"], info["edition"]), ""]
    return "\n".join(lines).rstrip()


def wrapped(line):
    """Wraps a list item at 120 columns, without line breaks in code spans."""
    if not line.startswith("* "):
        return line
    joined = re.sub("`[^`]*`", lambda span: span.group().replace(" ", "\0"), line)
    lines = textwrap.wrap(joined, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def write_part(path, name, text, check):
    """Writes the text between the markers of its part. With `check`, returns whether the page is up to date."""
    text = "\n".join(map(wrapped, text.split("\n")))
    page = path.read_text(encoding="utf-8") if path.exists() else HEAD
    begin, end = "<!-- %s -->" % name, "<!-- end of %s -->" % name
    part = "%s\n%s\n%s" % (begin, text, end)
    if begin in page:
        before, rest = page.split(begin, 1)
        new = before + part + rest.split(end, 1)[1]
    else:
        new = page.rstrip("\n") + "\n\n## %s\n\n%s\n" % (name.capitalize(), part)
    if check:
        return new == page
    # The file is written only if it changes, because concurrent tests read the page.
    if new != page:
        path.write_text(new, encoding="utf-8")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", required=True, help="the built command")
    parser.add_argument("--suites", type=pathlib.Path, metavar="DIR",
                        help="default: $ASSAY_SUITES, or build/suites, which Scripts/suites.sh makes")
    parser.add_argument("--check", action="store_true", help="do not write Docs/conformance.md, only compare")
    parser.add_argument("--scale", type=float, default=1, help="oracles: how many values, as a factor")
    parser.add_argument("--seed", type=int, default=1, help="oracles: of the random numbers")
    parser.add_argument("what", choices=["suites", "oracles", "types"])
    options = parser.parse_args()
    command = Command(options.assay)
    if options.what == "types":
        text, unexplained = types_list(command), 0
    elif options.what == "suites":
        suites = options.suites or pathlib.Path(os.environ.get("ASSAY_SUITES") or ROOT / "build/suites")
        if suites == ROOT / "build/suites":
            subprocess.run(["sh", ROOT / "Scripts/suites.sh"], check=True)
        text, unexplained, missing = run_suites(command, suites)
        if missing:
            print("suites: %s is not compared, because suites are missing: %s (see Tests/Suites/README.md)"
                  % (PAGE.relative_to(ROOT), ", ".join(missing)))
            return 1 if unexplained else 0
    else:
        import oracles
        text, unexplained = oracles.run(command, options.scale, options.seed)
    path = TYPES if options.what == "types" else PAGE
    same = write_part(path, options.what, text, options.check or options.scale != 1)
    if options.check and not same:
        print("%s is outdated; run without --check and commit the change" % path.relative_to(ROOT))
        return 1
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
