r"""rg -P, twice: the lines that match one long pattern, then those that do not. PCRE2's JIT as a line filter.

ripgrep does not parse CSV, so the pattern includes the quoted form of names; a line feed in a cell would split the
record. It reports which rows are bad, but not the reasons.
"""

import subprocess

import job


def cell(pattern):
    """Returns the pattern of a cell of the export. Only names have commas and quotes, and only these cells are
    quoted."""
    if '"' not in pattern:
        return f"(?:{pattern})"
    outside = pattern.replace(",?", "").replace('"', "")
    # In a quoted cell a quote is doubled, so move it from the character classes to an alternative.
    inside = pattern.replace(r'["\p{L}]', r'(?:""|\p{L})')
    inside = inside.replace(r"""[\p{L}\p{M}"'’.-]*""", r"""(?:""|[\p{L}\p{M}'’.-])*""")
    return f'(?:{outside}|"(?:{inside})")'


def run(task):
    line = "^" + ",".join(cell(pattern) for pattern in task.rules.values()) + "$"
    counts = []
    for options, path in ([], task.valid), (["-v"], task.rejects):
        with open(path, "wb") as file:
            # The header does not match the pattern, so it is already in the rejects.
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
