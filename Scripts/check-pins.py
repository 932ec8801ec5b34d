#!/usr/bin/env python3
"""Compares the actions and images in workflows and action.yml with the table of .github/pins.md. Needs no network.

    python3 Scripts/check-pins.py [FOLDER]        FOLDER is the repository

Each action has the commit of the table, and its version as a comment; each image has the tag and the digest of the
table; the table has no rows that are not used.
"""

import re
import sys
from pathlib import Path

ROW = re.compile(r"^\| `([\w./-]+)` \| ([\w.-]+) \| `((?:sha256:[0-9a-f]{64})|[0-9a-f]{40})` \| \S", re.MULTILINE)
USE = re.compile(r"\buses: *[\"']?([^\s\"',}]+)[\"']?(.*)$")
IMAGE = re.compile(r"\b(?:container|image): *[\"']?([^\s\"',{}]+)")


def problems(root: Path) -> list[str]:
    table = {name: (version, pin) for name, version, pin in ROW.findall((root / ".github/pins.md").read_text())}
    found: list[str] = []
    used: set[str] = set()
    for file in [*sorted((root / ".github/workflows").glob("*.y*ml")), root / "action.yml"]:
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            place = f"{file.relative_to(root)}:{number}"
            if line.lstrip().startswith("#"):
                continue
            if use := USE.search(line):
                name, _, pin = use[1].partition("@")
                used.add(name)
                if name.startswith("./"):
                    continue
                version, expected = table.get(name, ("", ""))
                if not expected or pin != expected:
                    found.append(f"{place}: {use[1]} is not the commit of {name} in .github/pins.md")
                elif use[2].strip() != f"# {version}":
                    found.append(f"{place}: after the commit of {name}, '# {version}' is missing")
            elif image := IMAGE.search(line):
                name, _, rest = image[1].partition(":")
                used.add(name)
                if name not in table or rest != "@".join(table[name]):
                    found.append(f"{place}: {image[1]} is not the digest of {name} in .github/pins.md")
    found += [f".github/pins.md: {name} is not used" for name in table if name not in used]
    return found


if __name__ == "__main__":
    messages = problems(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    print("\n".join(messages) or "ok: pins")
    sys.exit(1 if messages else 0)
