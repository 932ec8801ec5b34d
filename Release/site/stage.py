"""Copies the documents to the pages of the site.

    python3 Release/site/stage.py FOLDER HOMEPAGE

README.md becomes the first page. Links between documents become links between pages; links to other files become links
to the repository. A link to a missing file is an error.
"""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "vendor-notes.md": "vendor-notes.md",
    "Benchmarks/README.md": "benchmarks.md",
    ".github/SECURITY.md": "security.md",
} | {f"Docs/{file.name}": file.name for file in (ROOT / "Docs").glob("*.md")}
FILES = {f"Docs/{file.name}": file.name for end in ("json", "svg") for file in (ROOT / "Docs").glob(f"*.{end}")}


def link(source: str, target: str, homepage: str) -> str:
    if re.match(r"[a-z]+:|#", target):
        return target
    path, _, anchor = target.partition("#")
    name = os.path.normpath(os.path.join(os.path.dirname(source), path))
    if not (ROOT / name).exists():
        raise SystemExit(f"{source}: there is no {name}")
    place = PAGES.get(name) or FILES.get(name) or f"{homepage}/blob/main/{name}"
    return place + ("#" + anchor if anchor else "")


def page(source: str, homepage: str) -> str:
    """Returns the text with rewritten links, except in code."""
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", (ROOT / source).read_text(), flags=re.DOTALL | re.MULTILINE)
    text = ""
    for at, part in enumerate(parts):
        if at % 2 == 0:
            part = re.sub(r"\]\(([^)\s]+)\)", lambda match: f"]({link(source, match.group(1), homepage)})", part)
        elif part.startswith("```"):
            # Remove the words after the language, which GitHub ignores and mkdocs would treat as options.
            part = re.sub(r"\A(```\w+) [^\n]*", r"\1", part)
        elif text.rpartition("\n")[2].startswith("|"):
            # Replace escaped vertical bars in cells, because GitHub removes the backslash and mkdocs would show it.
            part = part.replace("\\|", "|")
        text += part
    return text


def main() -> None:
    folder, homepage = Path(sys.argv[1]), sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source, name in PAGES.items():
        (folder / name).write_text(page(source, homepage))
    for source, name in FILES.items():
        shutil.copyfile(ROOT / source, folder / name)


if __name__ == "__main__":
    main()
