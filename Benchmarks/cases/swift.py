"""The cases of the Swift library and the C core in one process, which the program assay-benchmarks measures."""

import json
import os
import subprocess
from dataclasses import dataclass

CASES = [
    *("value", "column", "types", "strings", "repeats", "long", "hostile", "unicode", "look-around", "rules"),
    *("requirement", "calls", "scan"),
]


@dataclass
class SwiftReport:
    """A report that assay-benchmarks made."""

    text: str
    goals_met: str
    rows: list
    facts: dict


def run(options, name):
    if not os.path.exists(options.benchmarks):
        raise FileNotFoundError(f"there is no {options.benchmarks}: make bench-build builds it")
    command = [options.benchmarks, "--case", name, "--json", *["--quick"] * options.quick]
    for option, value in ("--rounds", options.rounds), ("--pattern", options.pattern):
        command += [option, str(value)] if value else []
    made = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    # The version of the toolchain in PATH, which made the release build.
    version = subprocess.run(
        ["swift", "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    )
    facts = made["facts"] | {"swift": version.stdout.split("\n")[0]}
    return SwiftReport(made["text"], made["goalsMet"], list(map(row, made["rounds"])), facts)


def row(one):
    start = [one[key] for key in ("subject", "contender", "threads", "work", "number")]
    return [*start, f"{one['wall']:.9f}", f"{one['cpu']:.9f}", "", "", one["answer"]]
