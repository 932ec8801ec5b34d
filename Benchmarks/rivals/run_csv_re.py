"""Python's own csv and re modules, which most scripts for cleaning exports use."""

import csv
import platform
import re

import job


def run(task):
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
        checks = [(index, name, re.compile(job.python_pattern(task.rules[name])).fullmatch)
                  for index, name in enumerate(header) if name in task.rules]
        for row in rows:
            answer.records += 1
            bad = [name for index, name, matches in checks if not matches(row[index])]
            if not bad:
                valid.writerow(row)
                continue
            answer.rejected += 1
            answer.failed.update(bad)
            rejects.writerow(row + [";".join(bad)])
    return answer


job.main(f"Python {platform.python_version()} csv + re", run)
