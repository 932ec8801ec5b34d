"""csvkit: one csvgrep per column in a pipe, as its users filter rows. The rejects are the records whose number does not
arrive at the end of the pipe; the columns at fault are not reported."""

import csv
import importlib.metadata
import os
import subprocess
import sys

import job

TOOLS = os.path.dirname(sys.executable)
# The column that csvcut adds.
NUMBER = "line_number"


def tool(name, *arguments, **streams):
    return subprocess.Popen([os.path.join(TOOLS, name), *arguments], **streams)


def finish(processes):
    for process in processes:
        if process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)


def run(task):
    numbered, good = (os.path.join(task.folder, name) for name in ("numbered.csv", "good.csv"))
    numbers = os.path.join(task.folder, "numbers.txt")
    with open(numbered, "wb") as file:
        finish([tool("csvcut", "-l", task.input, stdout=file)])
    chain, source = [], open(numbered, "rb")
    with open(good, "wb") as file:
        for number, (name, pattern) in enumerate(task.rules.items()):
            is_last = number == len(task.rules) - 1
            anchored = f"^(?:{job.python_pattern(pattern)})\\Z"
            chain.append(tool("csvgrep", "-c", name, "-r", anchored, stdin=source,
                              stdout=file if is_last else subprocess.PIPE))
            source.close()
            source = chain[-1].stdout
        finish(chain)
    with open(numbers, "wb") as file:
        finish([tool("csvcut", "-c", NUMBER, good, stdout=file)])
    with open(task.valid, "wb") as file:
        finish([tool("csvcut", "-C", NUMBER, good, stdout=file)])
    with open(task.rejects, "wb") as file:
        # -i: the records with a number that is not in the file.
        found = tool("csvgrep", "-c", NUMBER, "-f", numbers, "-i", numbered, stdout=subprocess.PIPE)
        finish([found, tool("csvcut", "-C", NUMBER, stdin=found.stdout, stdout=file)])
    records, rejected = rows(numbered), rows(task.rejects)
    for path in numbered, good, numbers:
        os.remove(path)
    return job.Answer(records, rejected)


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return sum(1 for _ in csv.reader(file)) - 1


job.main(f"csvkit {importlib.metadata.version('csvkit')}", run)
