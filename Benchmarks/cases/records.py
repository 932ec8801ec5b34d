"""Single records by libassay, compared with a loop over PCRE2 in the same program."""

import os
import subprocess
import tempfile
from pathlib import Path

from harness.race import table
from harness.results import Goal, Report

ROOT = Path(__file__).resolve().parent.parent.parent
#: Nanoseconds per field, at most.
PATTERN_GOAL, TYPE_GOAL = 25, 40
PATTERNS = {"code", "digits", "address"}
NOTES = """assay_rules_accepts of libassay, one thread, nanoseconds of processor time for a record of 1 or 8 fields,
the best of nine rounds. PCRE2: a loop over pcre2_jit_match with the closest pattern, in the same program, without a
check of UTF-8. Half of the records are clean; both must agree on each."""


def run(options):
    libassay = Path(os.environ.get("ASSAY_LIBASSAY", ROOT / "build/libassay"))
    if not (libassay / "lib").is_dir():
        raise ValueError(f"there is no libassay in {libassay}: run 'make libassay'")
    with tempfile.TemporaryDirectory(dir=options.scratch) as place:
        program = os.path.join(place, "records")
        subprocess.run([
            "cc", "-std=c11", "-O2", f"-I{libassay}/include", str(ROOT / "Benchmarks/Records/records.c"), "-o", program,
            f"-L{libassay}/lib", "-lassay", f"-Wl,-rpath,{libassay}/lib", "-lpcre2-8"], check=True)
        printed = subprocess.run([program], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    lines, goals = [], []
    for name, fields, assay, pcre2 in (line.split("\t") for line in printed.splitlines()):
        fields, assay, pcre2 = int(fields), float(assay), float(pcre2)
        lines.append([f"{name}, {fields}", assay, assay / fields, pcre2, pcre2 / fields])
        if fields > 1:
            goals.append(Goal(f"{name}, a field of {fields}", assay / fields,
                              at_most=PATTERN_GOAL if name in PATTERNS else TYPE_GOAL, unit=" ns"))
    return Report(NOTES, [table("rule, fields|Assay ns|per field|PCRE2 ns|per field", lines)], goals)
