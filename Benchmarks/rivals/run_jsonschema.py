"""jsonschema-rs over Python's csv: a stand-in for `qsv validate`, which cannot be installed from here.

qsv uses the same engine. qsv would be faster, because it reads and writes in Rust, and this script in Python.
"""

import csv
from importlib.metadata import version

import jsonschema_rs

import job


def run(task):
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "pattern": f"^(?:{pattern})$"} for name, pattern in task.rules.items()},
    }
    validator = jsonschema_rs.validator_for(schema, pattern_options=jsonschema_rs.RegexOptions())
    answer = job.Answer()
    with open(task.input, newline="", encoding="utf-8") as source, \
            open(task.valid, "w", newline="", encoding="utf-8") as valid_file, \
            open(task.rejects, "w", newline="", encoding="utf-8") as rejects_file:
        rows = csv.reader(source)
        valid = csv.writer(valid_file, lineterminator="\n")
        rejects = csv.writer(rejects_file, lineterminator="\n")
        header = next(rows)
        valid.writerow(header)
        rejects.writerow(header + ["reasons"])
        for row in rows:
            answer.records += 1
            record = dict(zip(header, row))
            if validator.is_valid(record):
                valid.writerow(row)
                continue
            bad = [error.instance_path[0] for error in validator.iter_errors(record)]
            answer.rejected += 1
            answer.failed.update(bad)
            rejects.writerow(row + [";".join(bad)])
    return answer


job.main(f"jsonschema-rs {version('jsonschema-rs')}, stand-in for qsv", run)
