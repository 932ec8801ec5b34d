"""Miller: a script in its own language, run by mlr."""

import json
import os
import re
import subprocess

import job


def script(task):
    def literal(pattern):
        # Miller's string literals support few escapes, so \+ becomes [+].
        return '"^(?:' + re.sub(r"\\(\W)", r"[\1]", pattern).replace('"', '\\"') + ')$"'

    lines = ['bad = "";']
    for name, pattern in task.rules.items():
        lines.append(f'if (!(${{{name}}} =~ {literal(pattern)})) {{ bad .= "{name};"; @failed["{name}"] += 1 }}')
    lines.append("@records += 1;")
    lines.append(f'if (bad == "") {{ tee > "{task.valid}", $* }}')
    lines.append(f'else {{ @rejected += 1; $reasons = bad; tee > "{task.rejects}", $* }}')
    lines.append("end { dump }")
    return "\n".join(lines)


def run(task):
    environment = dict(os.environ, GOMAXPROCS=str(task.threads))
    path = os.path.join(task.folder, "script.mlr")
    with open(path, "w", encoding="utf-8") as file:
        file.write(script(task))
    output = subprocess.run(["mlr", "--csv", "--infer-none", "put", "-q", "-f", path, task.input], env=environment,
                            check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    counts = json.loads(output)
    return job.Answer(counts["records"], counts.get("rejected", 0), counts.get("failed", {}))


VERSION = subprocess.run(["mlr", "--version"], check=True, capture_output=True, encoding="utf-8").stdout.split()
job.main("Miller " + VERSION[-1], run)
