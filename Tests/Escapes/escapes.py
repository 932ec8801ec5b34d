#!/usr/bin/env python3
"""Makes a tree of files with rules that try to leave their folder, as escapes.json lists them. Each binding tries
all rules.

    python3 Tests/Escapes/escapes.py FOLDER

    FOLDER/list.tsv            a line for each rule file: the expected outcome, and its name in FOLDER/rules
        allowed                opened, unless the rules are given as text
        secret                 refused; opened for trusted rules
        other                  refused; trusted rules get an error, or another file
    FOLDER/outside/secret.csv  must not be read; its 'id' is SECRET-0451
    FOLDER/rules/sub/users.csv may be read; its 'id' is also SECRET-0451
"""

import gzip
import json
import os
import pathlib
import socket
import sys

TABLE = json.loads((pathlib.Path(__file__).parent / "escapes.json").read_text(encoding="utf-8"))
SECRET = "SECRET-0451"
CONTENT = f"id,SECRET-column\n{SECRET},1\n"


def filled(text, folder):
    return text.replace("{folder}", str(folder)).replace("{name}", folder.name)


def cases(folder):
    """Returns the expected outcome of each resource, and the resource."""
    found = [("allowed", filled(resource, folder)) for resource in TABLE["allowed"]]
    return found + [(case["trusted"], filled(case["resource"], folder)) for case in TABLE["escapes"]]


def make(folder):
    folder = pathlib.Path(os.path.realpath(folder))
    rules = folder / "rules"
    for name in ("outside", "rules-other", "rules/sub/more"):
        (folder / name).mkdir(parents=True)
    for name in ("outside", "rules-other"):
        (folder / name / "secret.csv").write_text(CONTENT, encoding="utf-8")
    (folder / "outside/secret.csv.gz").write_bytes(gzip.compress(CONTENT.encode()))
    (rules / "sub/users.csv").write_text(CONTENT, encoding="utf-8")
    for name, target in TABLE["links"].items():
        (rules / name).symlink_to(filled(target, folder))
    os.mkfifo(rules / "pipe.csv")
    here = os.open(".", os.O_RDONLY)
    try:
        # The name of a socket is short.
        os.chdir(rules)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("socket.csv")
    finally:
        os.fchdir(here)
        os.close(here)
    lines = []
    for number, (kind, resource) in enumerate(cases(folder), 1):
        name = f"{number:02}.rules.json"
        reference = {"resource": resource, "fields": "id"}
        text = json.dumps({"fields": [{"name": "id"}], "foreignKeys": [{"fields": "id", "reference": reference}]})
        (rules / name).write_text(text, encoding="utf-8")
        lines.append(f"{kind}\t{name}\n")
    (folder / "list.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


if __name__ == "__main__":
    make(sys.argv[1])
