"""The job that every rival does, and how it is asked for and answered.

    python run_duckdb.py --version          what it is, or a failure: then it is absent from the results
    python run_duckdb.py job.json           do it

job.json holds the input, a CSV file with a header; the folder for the outputs; the number of threads; and one pattern a
column, which the whole cell must match. The outputs are valid.csv, the rows in which all do, and rejects.csv, the other
rows with one more column that names the columns at fault. counts.json then says how many of each there are; the
harness compares it, and the lines of both files, with what the generator of the data knows.

This is the part of Assay's job that all of them can do: patterns only, no mistakes of structure or encoding. Assay
itself does more in the same race: a finding for each mistake with line and byte offset, the rows byte for byte as they
came, and nothing published before all of it is on the disk.
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
    """How many rows there are, how many are bad, and how often each column is at fault."""

    def __init__(self, records=0, rejected=0, failed=None):
        self.records = records
        self.rejected = rejected
        self.failed = collections.Counter(failed or {})

    @classmethod
    def from_reasons(cls, reasons):
        """`reasons`: pairs of a text such as "email;name;", empty for good rows, and how many rows have it."""
        answer = cls()
        for text, count in reasons:
            answer.records += count
            answer.rejected += count if text else 0
            for column in filter(None, text.split(";")):
                answer.failed[column] += count
        return answer


def threads_asked_for():
    """For libraries that read it once, when they are imported."""
    return 1 if sys.argv[-1] == "--version" else Job(sys.argv[-1]).threads


def main(version, run):
    """The whole of a script: `version` names it, `run` does a Job and gives an Answer."""
    if sys.argv[-1] == "--version":
        print(version)
        return
    job = Job(sys.argv[-1])
    start = time.monotonic()
    answer = run(job)
    # Without the start of Python and what was imported: that part is said beside the whole.
    seconds = time.monotonic() - start
    with open(os.path.join(job.folder, "counts.json"), "w", encoding="utf-8") as file:
        json.dump({"records": answer.records, "rejected": answer.rejected, "failed": answer.failed, "seconds": seconds},
                  file)


def python_pattern(pattern):
    """A pattern for Python's `re`, which has no \\p{…}: letters and marks are spelt out, as ranges of code points."""
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
            # Outside of a class it needs one of its own.
            pattern = replaced(pattern, name, inside, f"[{inside}]")
    return pattern


def replaced(pattern, name, inside, outside):
    """Replaces `name` by one text inside of character classes and by another outside."""
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
