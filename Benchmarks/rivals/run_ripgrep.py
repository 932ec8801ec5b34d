r"""rg -P, twice: the lines that match one long pattern, then those that do not. PCRE2's JIT as a line filter.

It knows no CSV, so the pattern spells out how a name may stand in quotes; a file with a line feed in a cell would be
cut there. It says which rows are bad, and not why.
"""

import subprocess

import job


def cell(pattern):
    """A cell of the export: only the names have commas and quotes, and only then stand in quotes."""
    if '"' not in pattern:
        return f"(?:{pattern})"
    outside = pattern.replace(",?", "").replace('"', "")
    # Inside, a quote is written twice: out of the classes with it, and beside them.
    inside = pattern.replace(r'["\p{L}]', r'(?:""|\p{L})')
    inside = inside.replace(r"""[\p{L}\p{M}"'’.-]*""", r"""(?:""|[\p{L}\p{M}'’.-])*""")
    return f'(?:{outside}|"(?:{inside})")'


def run(task):
    line = "^" + ",".join(cell(pattern) for pattern in task.rules.values()) + "$"
    counts = []
    for options, path in ([], task.valid), (["-v"], task.rejects):
        with open(path, "wb") as file:
            # The header matches as little as a bad row does, so it goes to the rejects without our help.
            if not options:
                with open(task.input, "rb") as source:
                    file.write(source.readline())
                file.flush()
            command = ["rg", "-P", "-N", "-j", str(task.threads), *options, line, task.input]
            if subprocess.run(command, stdout=file).returncode > 1:
                raise SystemExit("rg failed")
        with open(path, "rb") as file:
            counts.append(sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) - 1)
    return job.Answer(sum(counts), counts[1])


VERSION = subprocess.run(["rg", "--version"], check=True, capture_output=True, encoding="utf-8").stdout.split()[1]
job.main(f"ripgrep {VERSION} -P", run)
