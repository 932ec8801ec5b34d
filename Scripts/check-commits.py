#!/usr/bin/env python3
"""Checks the form of commit messages: an imperative subject of at most 72 characters, a blank line, and a body.

    python3 Scripts/check-commits.py                     the commits after the one that Scripts/prose.json records
    python3 Scripts/check-commits.py --message FILE      a message in a file, for the hook Scripts/hooks/commit-msg

The body gives the reason for the change. Only the standard library is used. The exit status is 1 if a message has
another form.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST_SUBJECT = 72

# Imperatives with the ending of another form of a verb.
IMPERATIVES = re.compile(r"(?:Em|Im)bed|(?:Ex|Pro|Suc)ceed|Feed|Heed|Need|Seed|Shed|Speed|Weed|Bring|Ping|Sing|String"
                         r"|[A-Z][a-z]*ss|Alias|Bias|Focus")
NOT_VERBS = {"A", "All", "Also", "An", "And", "For", "If", "In", "It", "More", "New", "No", "Now", "On", "Only", "Some",
             "That", "The", "These", "This", "Those", "When", "With"}
TRAILER = re.compile(r"[A-Z][A-Za-z-]+-by: ")


def mistakes(message):
    """Returns the mistakes in the form of a message."""
    lines = message.strip("\n").split("\n")
    subject, found = lines[0], []
    first = re.match(r"[A-Z][a-z]*(?:-[a-z]+)*(?= \S)", subject)
    if not first:
        found.append("the subject must begin with a capitalized verb, without a prefix")
    elif first[0] in NOT_VERBS or re.search(r"(?:ed|ing|s)$", first[0]) and not IMPERATIVES.fullmatch(first[0]):
        found.append(f"the subject must be imperative, as in 'Reject gzip headers', and begins with '{first[0]}'")
    if len(subject) > LONGEST_SUBJECT:
        found.append(f"the subject has {len(subject)} characters, more than {LONGEST_SUBJECT}")
    if subject.endswith("."):
        found.append("the subject must not end with a period")
    if len(lines) > 1 and lines[1].strip():
        found.append("the second line must be blank")
    if not any(line.strip() and not TRAILER.match(line) for line in lines[1:]):
        found.append("the body is missing: it gives the reason for the change")
    return found


def edited(text):
    """Removes the comments that git adds to the message in the editor."""
    text = text.split("# ------------------------ >8 ------------------------")[0]
    return "\n".join(line for line in text.split("\n") if not line.startswith("#"))


def commits(since):
    """Returns (commit, message) of the commits after `since` without merges, or None if it is unknown."""
    log = subprocess.run(["git", "log", "--no-merges", "--format=%h%x00%B%x01", f"{since}..HEAD"], cwd=ROOT,
                         capture_output=True, text=True)
    if log.returncode != 0:
        return None
    return [entry.strip().split("\0", 1) for entry in log.stdout.split("\x01") if entry.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--message", type=pathlib.Path, metavar="FILE", help="check the message in this file")
    options = parser.parse_args()
    if options.message:
        message = edited(options.message.read_text(encoding="utf-8"))
        if re.match(r"(?:fixup|squash|amend)! ", message):
            return 0  # `git rebase --autosquash` replaces these messages
        checked = [("message", message)]
    else:
        since = json.loads((ROOT / "Scripts/prose.json").read_text(encoding="utf-8"))["commits since"]
        checked = commits(since)
        if checked is None:
            print("skipped: commits, because the history is incomplete")
            return 0
    count = 0
    for commit, message in checked:
        for mistake in mistakes(message):
            count += 1
            print(f"{commit} {message.strip().splitlines()[0] if message.strip() else ''}\n    {mistake}")
    if not options.message:
        print(f"commits: {len(checked)}, {count} mistakes")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
