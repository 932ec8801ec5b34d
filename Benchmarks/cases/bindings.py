"""The bindings in Bindings and libassay from C, each beside the usual regular expressions of its language.

A program for each language (Benchmarks/Bindings) runs all jobs and prints a line for each: job, contender, seconds, and
the number of clean records or values. The programs take turns. Languages without tools are absent.
"""

import datetime
import functools
import os
import pathlib
import shutil
import subprocess

from harness import ROOT
from harness.command import workplace
from harness.race import Race, Sample, WrongAnswer, progress, table
from harness.results import Goal, Report

SOURCES = ROOT / "Benchmarks" / "Bindings"
BUILD = ROOT / "build" / "bindings" / "measure"
JARS = pathlib.Path("/usr/share/java")
#: The crates of Debian's packages, such as librust-regex-dev.
CRATES = pathlib.Path("/usr/share/cargo/registry")

#: The number of fields of a record. Two kinds of fields alternate.
FIELDS = 8


def rules(*kinds):
    """Returns rules for records of fields f0, f1, and so on."""
    return "fields: [" + ", ".join(f"{{name: f{i}, {kinds[i % len(kinds)]}}}" for i in range(FIELDS)) + "]"


RULES = {
    "patterns.yaml": rules(
        "constraints: {pattern: '[A-Z]{2}[0-9]{6}'}", r"constraints: {pattern: '\d{4}-\d{2}-\d{2}'}"
    ),
    "types.yaml": rules("type: integer", "type: date"),
    "column.yaml": "fields: [{name: code, constraints: {pattern: '[A-Z]{2}[0-9]{6}'}}]",
}
#: One value of each kind in so many is bad.
BAD = {"codes.txt": 50, "dates.txt": 49, "ids.txt": 48}


def libassay():
    folder = pathlib.Path(os.environ.get("ASSAY_LIBASSAY", ROOT / "build" / "libassay"))
    if not (folder / "lib" / "pkgconfig").exists():
        raise FileNotFoundError(f"there is no libassay in {folder}: make libassay builds it")
    return folder


@functools.cache
def environment():
    folder = libassay()
    return os.environ | {
        "PKG_CONFIG_PATH": f"{folder}/lib/pkgconfig",
        "LD_LIBRARY_PATH": f"{folder}/lib",
        "CARGO_TARGET_DIR": str(BUILD / "rust"),
        "GOCACHE": str(BUILD / "go-cache"),
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }


def build(*command, cwd=ROOT):
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout}")
    return done.stdout


def c():
    if not shutil.which("cc"):
        return None
    flags = build("pkg-config", "--cflags", "--libs", "libassay", "libpcre2-8").split()
    build("cc", "-std=gnu11", "-O2", SOURCES / "measure.c", "-o", BUILD / "measure-c", *flags)
    return [BUILD / "measure-c"]


def rust():
    if not shutil.which("cargo"):
        return None
    folder = BUILD / "rust-program"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCES / "measure.rs", folder / "src" / "main.rs")
    manifest = (
        '[package]\nname = "measure"\nversion = "0.1.0"\nedition = "2021"\n[features]\nregex = []\n'
        f'[profile.release]\nlto = "thin"\n[dependencies]\nassay = {{ path = "{ROOT / "Bindings" / "Rust"}" }}\n'
    )
    options = []
    if any(CRATES.glob("regex-1*")):
        manifest = manifest.replace("regex = []", 'regex = ["dep:regex"]')
        manifest += 'regex = { version = "1", optional = true }\n'
        source = f'source.debian.directory="{CRATES}"'
        options = ["--features", "regex", "--config", 'source.crates-io.replace-with="debian"', "--config", source]
    (folder / "Cargo.toml").write_text(manifest)
    build("cargo", "build", "--release", "--offline", *options, cwd=folder)
    return [BUILD / "rust" / "release" / "measure"]


def go():
    if not shutil.which("go"):
        return None
    folder = BUILD / "go"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCES / "measure.go", folder / "main.go")
    (folder / "empty").mkdir(exist_ok=True)
    shutil.copy(SOURCES / "empty.go", folder / "empty")
    binding = ROOT / "Bindings" / "Go"
    module = (binding / "go.mod").read_text().split("\n")[0].removeprefix("module ")
    (folder / "go.mod").write_text(
        f"module measure\n\ngo 1.19\n\nrequire {module} v0.0.0\n\nreplace {module} => {binding}\n"
    )
    build("go", "build", "-o", "measure", ".", cwd=folder)
    return [folder / "measure"]


def java():
    jna = JARS / "jna.jar"
    if not shutil.which("javac") or not jna.exists():
        return None
    classes = BUILD / "java"
    shutil.rmtree(classes, ignore_errors=True)
    sources = (ROOT / "Bindings" / "Java" / "src" / "main" / "java").rglob("*.java")
    build("javac", "--release", "17", "-cp", jna, "-d", classes, *sources, *SOURCES.glob("*.java"))
    return ["java", "-cp", f"{classes}:{jna}", "Measure"]


def node():
    if not shutil.which("node") or not shutil.which("npm"):
        return None
    gyp = pathlib.Path(build("npm", "root", "--global").strip()) / "npm" / "node_modules" / "node-gyp" / "bin"
    prefix = pathlib.Path(shutil.which("node")).resolve().parent.parent
    if not (gyp / "node-gyp.js").exists() or not (prefix / "include" / "node" / "node_api.h").exists():
        return None
    module = BUILD / "node" / "node_modules" / "assay"
    shutil.rmtree(module, ignore_errors=True)
    shutil.copytree(ROOT / "Bindings" / "Node", module)
    build("node", gyp / "node-gyp.js", "rebuild", f"--nodedir={prefix}", cwd=module)
    include = prefix / "include" / "node"
    build("cc", "-O2", "-shared", "-fPIC", "-I", include, SOURCES / "empty.c", "-o", BUILD / "node" / "empty.node")
    shutil.copy(SOURCES / "measure.js", BUILD / "node")
    return ["node", BUILD / "node" / "measure.js"]


#: The languages with the names of their regular expressions.
LANGUAGES = {
    "C": (c, "PCRE2, JIT"),
    "Rust": (rust, "crate regex"),
    "Go": (go, "regexp"),
    "Java": (java, "java.util.regex"),
    "Node.js": (node, "RegExp"),
}


def value(kind, row):
    day = datetime.date(1970, 1, 1) + datetime.timedelta(days=row * 7 % 20_000)
    code = f"{chr(65 + row % 26)}Q{row % 1_000_000:06}"
    good = {"codes.txt": code, "dates.txt": day.isoformat(), "ids.txt": str(row)}
    # The bad dates have no match, and also are no date.
    bad = {"codes.txt": code + "x", "dates.txt": f"{day.year}/{day.month}", "ids.txt": f"x{row}"}
    return (bad if row % BAD[kind] == 7 else good)[kind]


def write(place, rows):
    for name, text in RULES.items():
        (place / name).write_text(text + "\n")
    for kind in BAD:
        (place / kind).write_text("".join(f"{value(kind, row)}\n" for row in range(rows)))


def run(options):
    rows, rounds = options.rows_or(20_000), options.rounds_or(1, 5)
    records = rows // 5

    def clean(count, *kinds):
        # Field f of record i has the value i + f // 2 * count of its kind.
        starts = [pair * count for pair in range(FIELDS // 2 if len(kinds) == 2 else 1)]
        return sum(
            all((row + start) % BAD[kind] != 7 for kind in kinds for start in starts) for row in range(count)
        )

    races = {
        "record": Race("record", FIELDS * records, clean(records, "codes.txt", "dates.txt")),
        "call": Race("call", records, records),
        "typed record": Race("typed record", FIELDS * records, clean(records, "ids.txt", "dates.txt")),
        "column": Race("column", rows, clean(rows, "codes.txt")),
    }
    BUILD.mkdir(parents=True, exist_ok=True)
    programs = {}
    for language, (make, _) in LANGUAGES.items():
        progress(f"building the program in {language}")
        if command := make():
            programs[language] = command
        else:
            progress(f"{language} is absent: its tools are not installed")
    with workplace(options.scratch) as place:
        write(place, rows)
        for number in range(rounds):
            names = list(programs)
            for language in names[number % len(names) :] + names[: number % len(names)]:
                measure(language, [*programs[language], place.folder, records, 5], races)
    return report(programs, races, rows, records, rounds)


def measure(language, command, races):
    """Runs a program once, with five rounds of each job."""
    done = subprocess.run(
        list(map(str, command)), env=environment(), check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    for line in done.stdout.splitlines():
        job, contender, seconds, answer = line.split("\t")
        race, name = races[job], f"{language}, {contender}"
        if int(answer) != race.expected:
            raise WrongAnswer(f"{job}: {name} answers {answer}, and {race.expected} is right")
        if name not in [one.name for one in race.contenders]:
            race.add(name, None)
        race[name].samples.append(Sample(float(seconds), None))


def report(programs, races, rows, records, rounds):
    def nanoseconds(job, language, contender):
        name = f"{language}, {contender}"
        return races[job][name].wall / races[job].work * 1e9 if name in races[job] else float("nan")

    lines = [
        [
            f"{language}, {LANGUAGES[language][1]}",
            *(nanoseconds("record", language, contender) for contender in ("Assay", "Assay, by name", "regex")),
            nanoseconds("typed record", language, "Assay"),
            nanoseconds("call", language, "Assay"),
            *(nanoseconds("column", language, contender) for contender in ("Assay", "Assay, one buffer", "regex")),
        ]
        for language in programs
    ]
    goals = [
        Goal(f"{language}, a pattern of a record", nanoseconds("record", language, "Assay"), at_most=25, unit=" ns")
        for language in programs
    ] + [
        Goal(f"{language}, a type of a record", nanoseconds("typed record", language, "Assay"), at_most=40, unit=" ns")
        for language in programs
    ]
    head = (
        "language, its regex|field of a record|by name|regex|field with a type|empty call|value of a column|one buffer|"
        "regex"
    )
    return Report(
        f"""Nanoseconds for a field of a record (`acceptsValues` or, by name, `accepts`; {records:,} records of {FIELDS}
        fields), for a call of C that does no work, and for a value of a column ({rows:,} values, one thread), beside
        the regular expressions of the language for the same patterns. Best of {5 * rounds} rounds in {rounds}
        processes.""",
        [table(head, lines)],
        goals,
        list(races.values()),
    )
