"""frictionless: streams the rows once, each with its errors. One pass, although its command would need three."""

import csv

import frictionless

import job


def run(task):
    schema = frictionless.Schema.from_descriptor({
        "fields": [
            {"name": name, "type": "string", "constraints": {"pattern": job.python_pattern(pattern)}}
            for name, pattern in task.rules.items()
        ]
    })
    answer = job.Answer()
    with frictionless.system.use_context(trusted=True), \
            frictionless.Resource(path=task.input, schema=schema, encoding="utf-8") as resource, \
            open(task.valid, "w", newline="", encoding="utf-8") as valid_file, \
            open(task.rejects, "w", newline="", encoding="utf-8") as rejects_file:
        valid = csv.writer(valid_file, lineterminator="\n")
        rejects = csv.writer(rejects_file, lineterminator="\n")
        valid.writerow(resource.header)
        rejects.writerow(list(resource.header) + ["reasons"])
        for row in resource.row_stream:
            answer.records += 1
            if row.valid:
                valid.writerow(row.cells)
                continue
            bad = [error.field_name for error in row.errors]
            answer.rejected += 1
            answer.failed.update(bad)
            rejects.writerow(row.cells + [";".join(bad)])
    return answer


job.main(f"frictionless {frictionless.__version__}", run)
