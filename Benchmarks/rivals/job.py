"""The job of all rivals, with its input and output formats.

    python run_duckdb.py --version          print name and version; results omit the rival if this fails
    python run_duckdb.py job.json           do the job

job.json has the input, a CSV file with a header; the folder of the outputs; the number of threads; and one pattern per
column, which the whole cell must match. The outputs are valid.csv, the rows in which all cells match, and rejects.csv,
the other rows with an additional column that names the columns at fault. counts.json has the numbers of both; the
harness compares it, and the lines of both files, with the counts of the data generator.

This is the part of Assay's job that all rivals support: patterns only, without errors of structure or encoding. Assay
does more in the same race: it writes a finding for each error with line and byte offset, keeps the bytes of all rows,
and publishes its outputs only after all are on disk.
"""

import collections
import json
import os
import sys
import time


class Job:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            description = json.load(file)
        self.input = description["input"]
        self.folder = description["output"]
        self.threads = description["threads"]
        self.rules = {rule["column"]: rule["pattern"] for rule in description["rules"]}
        self.valid = os.path.join(self.folder, "valid.csv")
        self.rejects = os.path.join(self.folder, "rejects.csv")


class Answer:
    """The number of rows, of bad rows, and of errors per column."""

    def __init__(self, records=0, rejected=0, failed=None):
        self.records = records
        self.rejected = rejected
        self.failed = collections.Counter(failed or {})

    @classmethod
    def from_reasons(cls, reasons):
        """Sums pairs of a text such as "email;name;", which is empty for good rows, and its number of rows."""
        answer = cls()
        for text, count in reasons:
            answer.records += count
            answer.rejected += count if text else 0
            for column in filter(None, text.split(";")):
                answer.failed[column] += count
        return answer


def requested_threads():
    """Returns the number of threads, for libraries that need it when they are imported."""
    return 1 if sys.argv[-1] == "--version" else Job(sys.argv[-1]).threads


def main(version, run):
    """Runs a script: `version` returns its name and version, `run` does a Job and returns an Answer."""
    if sys.argv[-1] == "--version":
        print(version)
        return
    job = Job(sys.argv[-1])
    start = time.monotonic()
    answer = run(job)
    # Exclude the start of Python and the imports; the results report both times.
    seconds = time.monotonic() - start
    with open(os.path.join(job.folder, "counts.json"), "w", encoding="utf-8") as file:
        json.dump({"records": answer.records, "rejected": answer.rejected, "failed": answer.failed, "seconds": seconds},
                  file)


def python_pattern(pattern):
    """Converts a pattern for Python's `re`, which lacks \\p{…}: letters and marks become ranges of code points."""
    import unicodedata

    def ranges(category):
        spans = []
        for code in range(0x30000):
            if unicodedata.category(chr(code))[0] != category:
                continue
            if spans and spans[-1][1] == code - 1:
                spans[-1][1] = code
            else:
                spans.append([code, code])
        return "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in spans)

    for category in "LM":
        name = rf"\p{{{category}}}"
        if name in pattern:
            inside = ranges(category)
            # Outside of a character class, wrap the ranges in one.
            pattern = replaced(pattern, name, inside, f"[{inside}]")
    return pattern


def replaced(pattern, name, inside, outside):
    """Replaces `name` by `inside` in character classes and by `outside` elsewhere."""
    result, position, in_class = "", 0, False
    while position < len(pattern):
        if pattern.startswith(name, position):
            result += inside if in_class else outside
            position += len(name)
            continue
        step = 2 if pattern[position] == "\\" else 1
        if pattern[position] == "[" and not in_class:
            in_class = True
        elif pattern[position] == "]":
            in_class = False
        result += pattern[position:position + step]
        position += step
    return result
