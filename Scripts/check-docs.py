#!/usr/bin/env python3
"""Compares the documents with the product.

    python3 Scripts/check-docs.py                                    links, paths and figures
    python3 Scripts/check-docs.py --assay .build/tests/release/assay         also commands, rule files and options (make
    test-links) python3 Scripts/check-docs.py --modules .build/tests/release/Modules     also Swift examples (make
    test-docs)

 - Links to files, and to headings in them, have a target.
 - ```sh run` blocks run unchanged, in a copy of Examples/ with `assay` on the path; all blocks of a document run in
   sequence in the same copy. `run=2` expects exit status 2. A ```text output` block directly after one has the expected
   lines, in order; other lines may appear between them, and `…` matches any text. A ```text demo` block shows the
   output of `make demo`.
 - ```yaml` blocks pass `assay rules check`. `yaml field` is an entry of `fields`; `yaml refused` must be refused with
   the text of the following ```text output` block.
 - ```swift` blocks compile separately against the built modules. If a ```text output` block follows a Swift block, all
   blocks of the document form one program, which is built and run and must print that output.
 - Real reports and findings fit their JSON Schemas.
 - The table of limits has exactly the existing limits, with their defaults.
 - The man page has exactly the options of `--help`.
 - Code paths such as `Sources/CAssay` exist.
 - Folders of the C core include only headers of the folders above them in the table of Docs/internals.md.
 - The tables of figures in README and Docs/performance.md are those of the benchmark results that they name.

Only the standard library is used. Prints a line for each mistake; the exit status is 1 if there are any.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
problems = []


def complain(path, line, message):
    name = path.relative_to(ROOT) if path.is_absolute() else path
    problems.append(f"{name}:{line}: {message}")


# --- Markdown ---------------------------------------------------------------------------------------------------------


def documents():
    for path in sorted(ROOT.rglob("*.md")):
        parts = path.relative_to(ROOT).parts
        if not any(part.startswith(".") or part == "build" for part in parts):
            yield path


class Block:
    """A fenced block: its first line, the words after the fence, and its text."""

    def __init__(self, line, info, text):
        self.line, self.words, self.text = line, info.split(), text

    def is_a(self, *words):
        return self.words[: len(words)] == list(words)


def blocks(path):
    found, fence, start, info, lines = [], None, 0, "", []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r"^(\s*)(`{3,})\s*(.*)$", line)
        if fence is None and mark:
            fence, start, info, lines = mark.group(2), number, mark.group(3), []
            indent = len(mark.group(1))
        elif fence is not None and mark and mark.group(2) == fence and not mark.group(3):
            found.append(Block(start, info, "\n".join(lines) + "\n"))
            fence = None
        elif fence is not None:
            lines.append(line[min(indent, len(line) - len(line.lstrip())):])
    if fence is not None:
        complain(path, start, "this block is never closed")
    return found


def outside_blocks(path):
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if re.match(r"^\s*```", line):
            inside = not inside
        elif not inside:
            yield number, line


def slugs(path):
    """Returns the anchors of headings, as GitHub generates them."""
    names = set()
    for _, line in outside_blocks(path):
        heading = re.match(r"^#+\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            names.add(slug if slug not in names else f"{slug}-1")
    return names


def check_links(path):
    if path.parent.name.endswith(".docc"):
        return  # DocC has its own link syntax, and checks the links
    for number, line in outside_blocks(path):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"^[a-z]+:", target):
                continue
            name, _, heading = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.exists():
                complain(path, number, f"there is no {target}")
            elif heading and file.suffix == ".md" and heading not in slugs(file):
                complain(path, number, f"{file.name} has no heading #{heading}")


def check_code_paths(path):
    """Checks the repository paths in code spans, which become stale when a file is moved."""
    if path.name == "CHANGELOG.md":
        return  # describes earlier states
    for number, line in outside_blocks(path):
        for name in re.findall(r"`((?:Sources|Tests|Docs|Scripts|Tools|Release|Benchmarks|Examples|Python)/[\w./+-]+)`",
                               line):
            if not (ROOT / name).exists() and "/.build" not in name:
                complain(path, number, f"there is no {name}")


# --- Commands ---------------------------------------------------------------------------------------------------------


def check_core_folders():
    """Compares the includes of the C core with the order of its folders in Docs/internals.md."""
    internals, core = ROOT / "Docs" / "internals.md", ROOT / "Sources" / "CAssay"
    text = internals.read_text(encoding="utf-8")
    line = text[: text.index("Each folder of `CAssay`")].count("\n") + 1
    table = text[text.index("Each folder of `CAssay`") :].split("\n\n")[1].splitlines()[2:]
    places = {folder: place for place, row in enumerate(table) for folder in re.findall(r"`(\w+)`", row.split("|")[1])}
    folders = {path.name for path in core.iterdir() if path.is_dir()} - {"include"}
    for folder in sorted(folders ^ set(places)):
        complain(internals, line, f"the table of folders and Sources/CAssay do not both have {folder}")
    for path in sorted(core.rglob("*.[ch]")):
        own = path.relative_to(core).parts[0]
        for number, code in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            included = re.match(r'#include "(\w+)/', code)
            if own not in places or not included or code.endswith('"Dispatch/assay_kernels.h"'):
                continue
            if places.get(included[1], -1) > places[own]:
                complain(path, number, f"{own} includes {included[1]}, which is below it in Docs/internals.md")


def example_files():
    """Returns the files of Examples/ that git tracks, because README's commands add others. Without git, returns all
    files."""
    command = ["git", "ls-files", "-z", "Examples"]
    try:
        listing = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    except OSError:
        listing = ""
    tracked = [name for name in listing.split("\0") if name and (ROOT / name).is_file()]
    everything = (path.relative_to(ROOT) for path in (ROOT / "Examples").rglob("*"))
    return tracked or [path for path in everything if (ROOT / path).is_file() and ".build" not in path.parts]


class Workshop:
    """A copy of Examples/ with `assay` on the path."""

    def __init__(self, assay):
        self.directory = tempfile.TemporaryDirectory(prefix="assay-docs-")
        root = pathlib.Path(self.directory.name)
        self.examples = root / "Examples"
        for path in example_files():
            copy = root / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy)
        (root / "bin").mkdir()
        (root / "bin" / "assay").symlink_to(assay)
        self.environment = dict(os.environ, PATH=f"{root / 'bin'}:{os.environ['PATH']}", LC_ALL="C.UTF-8")

    def run(self, script):
        result = subprocess.run(
            ["sh", "-eu", "-c", script], cwd=self.examples, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return result.returncode, result.stdout.decode("utf-8", "replace")

    def close(self):
        self.directory.cleanup()


def missing_line(expected, output):
    """Returns the first line of `expected` that is missing in `output` at its position in the order."""
    rest = iter([line.rstrip() for line in output.splitlines()])
    for line in expected.splitlines():
        line = line.rstrip()
        if line.strip() in ("", "…"):
            continue
        pattern = ".*".join(re.escape(part) for part in line.split("…"))
        if not any(re.fullmatch(pattern, candidate) for candidate in rest):
            return line
    return None


def expected_after(found, index):
    follower = found[index + 1] if index + 1 < len(found) else None
    return follower if follower is not None and follower.is_a("text", "output") else None


def hold_against(path, block, status, expected_status, output, expected):
    if status != expected_status:
        complain(path, block.line, f"exit status {status} instead of {expected_status}; it printed:\n{output}")
    elif expected is not None:
        line = missing_line(expected.text, output)
        if line is not None:
            complain(path, expected.line, f"this line does not come: {line}\n  printed was:\n{output}")


def check_commands(path, assay):
    found = blocks(path)
    if not any(block.is_a("sh") and len(block.words) > 1 for block in found):
        return 0
    workshop, count = Workshop(assay), 0
    for index, block in enumerate(found):
        if not block.is_a("sh") or len(block.words) < 2:
            continue
        expected_run = re.fullmatch(r"run(?:=(\d+))?", block.words[1])
        if not expected_run:
            complain(path, block.line, f"what is '{block.words[1]}'?")
            continue
        status, output = workshop.run(block.text)
        hold_against(path, block, status, int(expected_run.group(1) or 0), output, expected_after(found, index))
        count += 1
    workshop.close()
    return count


def check_demo(path, assay):
    for block in blocks(path):
        if block.is_a("text", "demo"):
            result = subprocess.run(
                ["sh", "Scripts/demo.sh", assay], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output = result.stdout.decode("utf-8", "replace")
            hold_against(path, block, result.returncode, 0, output, block)


def check_rule_files(path, assay):
    found, count = blocks(path), 0
    with tempfile.TemporaryDirectory(prefix="assay-docs-") as directory:
        for index, block in enumerate(found):
            if not block.is_a("yaml"):
                continue
            text = block.text
            if block.is_a("yaml", "field"):
                text = "fields:\n" + "".join(f"  {line}\n" for line in text.splitlines())
            (pathlib.Path(directory) / "users.rules.yaml").write_text(text, encoding="utf-8")
            result = subprocess.run(
                [assay, "rules", "check", "users.rules.yaml"], cwd=directory, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
            expected_status = 2 if block.is_a("yaml", "refused") else 0
            hold_against(
                path, block, result.returncode, expected_status, result.stdout.decode("utf-8", "replace"),
                expected_after(found, index))
            count += 1
    return count


# --- Swift ------------------------------------------------------------------------------------------------------------


def swift_blocks(path):
    for block in blocks(path):
        if block.is_a("swift") and "swift-tools-version" not in block.text and ".package(" not in block.text:
            yield block


def swiftc(modules, *arguments):
    command = ["swiftc", "-swift-version", "6", "-suppress-warnings", "-I", modules]
    for name in (
        "CAssay/include", "CAssaySystem", "CDigest/include", "CGzip/include", "CPCRE2", "CUchardet", "CYAML", "CZstd"
    ):
        command += ["-Xcc", f"-fmodule-map-file={ROOT / 'Sources' / name / 'module.modulemap'}"]
    built = pathlib.Path(modules).resolve().parent
    helpers = built / "COpenCombineHelpers.build" / "module.modulemap"
    command += ["-Xcc", f"-fmodule-map-file={helpers}"] if helpers.exists() else []
    command += ["-load-plugin-executable", f"{built / 'AssayMacrosPlugin-tool'}#AssayMacrosPlugin"]
    return subprocess.run([*command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def is_program(path):
    found = blocks(path)
    return any(block.is_a("swift") and expected_after(found, index) for index, block in enumerate(found))


def has_source(file, built, name):
    """Whether the source of an object file exists, because builds keep the objects of removed sources. The path of a C
    object includes the folders of its source; that of a Swift object does not."""
    sources = ROOT / "Sources" / name
    place = file.relative_to(built / f"{name}.build").with_suffix("")
    return (sources / place).exists() or (place.suffix == ".swift" and any(sources.glob(f"**/{place.name}")))


def check_program(path, modules):
    """Builds and runs all Swift blocks of a document as one program."""
    found, built = list(swift_blocks(path)), pathlib.Path(modules).parent
    text = "".join(block.text for block in found)
    names, linked = ["Assay", "CAssay"], ["-lpcre2-8"]
    if "import AssayRules" in text:
        names, linked = names + ["AssayRules"], linked + ["-lyaml"]
    if "import AssayForms" in text:
        combine = [file for name in ("COpenCombineHelpers", "OpenCombine", "OpenCombineDispatch",
                                     "OpenCombineFoundation",
                                     "OpenCombineShim") for file in sorted(built.glob(f"{name}.build/**/*.o"))]
        names, linked = names + ["AssayForms"], linked + ["-lstdc++", *combine]
    expected = "".join(block.text for block in blocks(path) if block.is_a("text", "output"))
    objects = [file for name in names for file in sorted(built.glob(f"{name}.build/**/*.o"))
               if has_source(file, built, name)]
    with tempfile.TemporaryDirectory(prefix="assay-docs-") as directory:
        source = pathlib.Path(directory) / "main.swift"
        source.write_text("".join(f'#sourceLocation(file: "{path.name}", line: {b.line + 1})\n{b.text}' for b in found))
        program = pathlib.Path(directory) / "program"
        result = swiftc(modules, source, *objects, *linked, "-o", program)
        if result.returncode != 0:
            complain(path, found[0].line, f"does not compile:\n{result.stdout.decode('utf-8', 'replace')}")
            return
        result = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    output = result.stdout.decode("utf-8", "replace")
    line = missing_line(expected, output)
    if result.returncode != 0 or line is not None:
        complain(path, found[0].line, f"exit status {result.returncode}; missing: {line}\n  printed was:\n{output}")


def check_example(path, block, modules):
    """Type-checks a Swift block as the body of a function."""
    lines = block.text.splitlines()
    imports = [line for line in lines if line.startswith("import ")]
    body = ["" if line in imports else line for line in lines]
    with tempfile.TemporaryDirectory(prefix="assay-docs-") as directory:
        source = pathlib.Path(directory) / "example.swift"
        # Put all preceding code on one line, so that line numbers of messages match the block.
        source.write_text("; ".join(["import Assay"] + imports) + "; func example() throws {\n"
                          + "\n".join(body) + "\n}\n")
        result = swiftc(modules, "-typecheck", source)
        if result.returncode != 0:
            text = result.stdout.decode("utf-8", "replace").replace(str(source), "line")
            complain(path, block.line, f"does not compile:\n{text}")


def check_swift(paths, modules):
    """Compiles the Swift blocks of all documents, one process per processor."""
    count = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = []
        for path in paths:
            found = list(swift_blocks(path))
            count += len(found)
            if is_program(path):
                waiting.append(pool.submit(check_program, path, modules))
            else:
                waiting += [pool.submit(check_example, path, block, modules) for block in found]
        for future in waiting:
            future.result()
    return count


# --- JSON Schema: the keywords that our schemas use -------------------------------------------------------------------

TYPES = {
    "object": lambda v: isinstance(v, dict), "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str), "boolean": lambda v: isinstance(v, bool), "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}
KNOWN = {
    "$schema", "$id", "$defs", "$ref", "$comment", "title", "description", "examples", "default", "type",
    "enum", "const", "required", "properties", "additionalProperties", "items", "minimum", "maximum", "minItems",
    "maxItems", "minLength", "pattern", "patternProperties", "anyOf",
}


def misfits(value, schema, root, place="$"):
    unknown = set(schema) - KNOWN
    assert not unknown, f"check-docs.py does not know {unknown}"
    if "$ref" in schema:
        yield from misfits(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[name](value) for name in types):
        yield f"{place} is not {' or '.join(types)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {value!r}, not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{place} is not {schema['const']!r}"
    if "anyOf" in schema and all(list(misfits(value, option, root, place)) for option in schema["anyOf"]):
        yield f"{place} fits none of anyOf"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{place}.{name} is missing"
        for name, member in value.items():
            patterns = [part for text, part in schema.get("patternProperties", {}).items() if re.search(text, name)]
            for part in [*([properties[name]] if name in properties else []), *patterns]:
                yield from misfits(member, part, root, f"{place}.{name}")
            if name in properties or patterns:
                continue
            if schema.get("additionalProperties", True) is False:
                yield f"{place}.{name} is not in the schema"
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from misfits(member, schema["additionalProperties"], root, f"{place}.{name}")
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from misfits(element, schema.get("items", {}), root, f"{place}[{index}]")
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{place} has {len(value)} elements"
    if TYPES["number"](value):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{place} is {value}"
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0) or not re.search(schema.get("pattern", ""), value):
            yield f"{place} is {value!r}"


def check_schemas(assay):
    report_path, finding_path = ROOT / "Docs/assay-report.schema.json", ROOT / "Docs/assay-finding.schema.json"
    report_schema, finding_schema = json.loads(report_path.read_text()), json.loads(finding_path.read_text())
    runs = [
        "assay clean users.csv --rules users.rules.yaml --force -q",
        "assay clean users.csv --rules users.rules.yaml --force -q --show-values --max-findings 7 --no-jit",
        "assay check users.csv --force -q --max-reject-rate 100% --findings users.findings.jsonl --report "
        "users.report.json",
        "assay clean - --rules users.rules.yaml --rejects none --findings users.findings.jsonl --report "
        "users.report.json --force -q < users.csv > /dev/null",
    ]
    workshop = Workshop(assay)
    for run in runs:
        status, output = workshop.run(run)
        if status != 0:
            complain(report_path, 1, f"exit status {status} of: {run}\n{output}")
            continue
        report = json.loads((workshop.examples / "users.report.json").read_text())
        for problem in misfits(report, report_schema, report_schema):
            complain(report_path, 1, f"{problem} in the report of: {run}")
        for line in (workshop.examples / "users.findings.jsonl").read_text().splitlines():
            for problem in misfits(json.loads(line), finding_schema, finding_schema):
                complain(finding_path, 1, f"{problem} in {line}")
        (workshop.examples / "again.json").write_text(json.dumps(report["rules"]))
        status, output = workshop.run("assay rules check -q again.json")
        if status != 0:
            complain(report_path, 1, f"the rules of a report are no rule file: {output}")
    for schema, path in ((report_schema, report_path), (finding_schema, finding_path)):
        if not list(misfits({}, schema, schema)) or not list(misfits({"surprise": 1}, schema, schema)):
            complain(path, 1, "it accepts anything")
    check_limits(report["limits"])
    workshop.close()


def check_limits(limits):
    """The table of limits in Docs/rule-files.md has the names and defaults of a report."""
    path, units, found = ROOT / "Docs/rule-files.md", {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}, set()
    for number, line in outside_blocks(path):
        row = re.match(r"^\| `([a-z-]+)` \| [^|]+ \| (\d+)([KMG]?) \| \d+[KMG]? \| \d+[KMG]? \|$", line)
        if row:
            name, default = row.group(1), int(row.group(2)) * units.get(row.group(3), 1)
            found.add(name)
            if limits.get(name) != default:
                complain(path, number, f"{name} is {limits.get(name)} by default, not {default}")
    for name in sorted(set(limits) - found):
        complain(path, 1, f"the limit {name} is not in the table")


# --- Man page ---------------------------------------------------------------------------------------------------------

OPTION = r"(?<![\w-])--?[a-z][a-z-]*"


def help_of(assay, command):
    """Yields each command and its options, each with the heading under which its help has them."""
    text = subprocess.run([assay, *command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    options, commands, section = {}, [], ""
    for line in text.splitlines():
        heading = re.match(r"^([A-Z]+):", line)
        if heading:
            section = heading.group(1)
        elif section == "SUBCOMMANDS" and re.match(r"^  [a-z]", line):
            commands.append(line.split()[0])
        elif line.startswith("  -"):
            options |= {name: section for name in re.findall(OPTION, re.split(r" {2,}", line.strip())[0])}
    if not commands:
        yield " ".join(command), options
    for name in commands:
        yield from help_of(assay, [*command, name])


def man_options(path):
    """The options by command, each with its heading, from the sections called "Input (clean, check)"."""
    options, title, names, after_tag = {}, "", [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith((".SS", ".SH")):
            heading = re.match(r"^\.SS (\w+) \(([a-z ,]+)\)$", line)
            title, names = (heading.group(1), heading.group(2).split(", ")) if heading else ("", [])
        plain = re.sub(r"\\f[A-Z]|\\&", "", line).replace("\\-", "-")
        if after_tag:
            for name in names:
                options.setdefault(name, {}).update((option, title.upper()) for option in re.findall(OPTION, plain))
        after_tag = line.startswith((".TP", ".TQ"))
    return options


def check_man_page(assay):
    path = ROOT / "Docs/assay.1"
    written = man_options(path)
    common = written.pop("every command", {})
    offered = dict(help_of(assay, []))
    for command in sorted(set(written) - set(offered)):
        complain(path, 1, f"there is no command '{command}'")
    for command, options in offered.items():
        have = common | written.get(command, {})
        for option in sorted(set(options) - set(have)):
            complain(path, 1, f"{command}: {option} is not described")
        for option in sorted(set(have) - set(options)):
            complain(path, 1, f"{command}: there is no {option}")
        for option in sorted(set(have) & set(options)):
            if have[option] != options[option]:
                complain(path, 1,
                         f"{command}: {option} is under {have[option]}, and in the help under {options[option]}")
    return len(offered)


# --- Figures ----------------------------------------------------------------------------------------------------------


def check_figures(path):
    script = ROOT / "Benchmarks" / "figures.py"
    result = subprocess.run([sys.executable, script, "--check", path], capture_output=True, encoding="utf-8")
    if result.returncode != 0:
        complain(path, 1, result.stderr.strip().rpartition(f"{path}: ")[2]
                 or f"figures.py ends with {result.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", help="the built command; without it the documents' commands do not run")
    parser.add_argument("--modules", help="where the built Swift modules are; without it Swift examples are not "
                                          "compiled")
    parser.add_argument("files", nargs="*", help="only these documents")
    arguments = parser.parse_args()
    assay = str(pathlib.Path(arguments.assay).resolve()) if arguments.assay else None

    paths = [pathlib.Path(file).resolve() for file in arguments.files] or list(documents())
    facts = [f"{len(paths)} files"]
    for path in paths:
        check_links(path)
        check_code_paths(path)
    if not arguments.files:
        check_core_folders()
        check_figures(ROOT / "README.md")
        check_figures(ROOT / "Docs" / "performance.md")
    if assay:
        facts.append(f"{sum(check_commands(path, assay) for path in paths)} command examples")
        facts.append(f"{sum(check_rule_files(path, assay) for path in paths)} rule files")
        for path in paths:
            check_demo(path, assay)
        if not arguments.files:
            check_schemas(assay)
            check_man_page(assay)
    if arguments.modules:
        facts.append(f"{check_swift(paths, arguments.modules)} Swift examples")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"documents: {', '.join(facts)}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
