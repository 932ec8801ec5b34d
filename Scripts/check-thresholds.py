#!/usr/bin/env python3
"""Fails if Assay needs more instructions or allocations than the recorded counts.

    python3 Scripts/check-thresholds.py                    compare (make check-thresholds)
    python3 Scripts/check-thresholds.py --record           measure again, and record the new counts

CI compares these counts and never times, because counts are equal on every run.

* Allocations of the C core per batch, of `assay clean` per chunk of a file, and of the Swift library per value. They
  are compared on every machine.
* Instructions under callgrind: of the C core per value or byte, of `assay clean` per row, of the Swift library per
  value, and of `assay check` for ten rows, which is mainly its start-up. They depend on the compiler, PCRE2 and the
  instruction set; without a record of the same ones, the script reports them as skipped. Needs valgrind (Debian:
  valgrind).
* Instructions of assay_rules_accepts per field of a record, with the built libassay. They have fixed limits, too.
* Instructions for one hostile value of 64 KiB. They have a fixed limit, recorded or not, so that no value stalls a run.

The records are in Benchmarks/Thresholds/thresholds.json. Lower counts are no failure, but are reported: record them.
"""

import argparse
import collections
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDS = os.path.join(ROOT, "Benchmarks", "Thresholds", "thresholds.json")
RULES = os.path.join(ROOT, "Benchmarks", "export.rules.yaml")
# Counts are equal to the last digit on one machine; on others, memory addresses change them slightly.
MARGIN = 0.03
# The features of the instruction set that compiled code, glibc and PCRE2's JIT test at run time.
FLAGS = {"sse4_1", "sse4_2", "avx", "avx2", "bmi1", "bmi2", "abm", "movbe", "fma", "erms", "fsrm", "asimd", "sve"}
CHUNK_BYTES = 1 << 20
# The cases of Benchmarks/Thresholds/values.swift. FEW_VALUES and the smaller counts of rows below suffice to build the
# DFAs, so that the difference to the larger counts excludes them.
VALUE_CASES = ["pattern", "one part", "two parts", "password", "two letters in bulk", "addresses in bulk"]
HOSTILE = os.path.join(ROOT, "Tests", "Hostile", "patterns.tsv")
# The limit is about 100 ms per value. Only every third pattern is counted, which takes a minute under callgrind.
HOSTILE_INSTRUCTIONS, HOSTILE_BYTES, HOSTILE_EVERY = 500_000_000, 1 << 16, 3
# The cases of Benchmarks/Records/records.c with the limit for each, a seventh above the counts of 2026-11-30.
RECORD_LIMITS = {"code": 300, "digits": 380, "date": 390, "integer": 610, "email": 440}
RECORD_FIELDS, FEW_RECORDS, MANY_RECORDS = 8, 5_000, 15_000
FEW_VALUES, MANY_VALUES = 1 << 13, 5 << 13


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", **options)
    if done.returncode != 0:
        sys.exit(f"check-thresholds: {' '.join(command)} failed:\n{done.stderr}{done.stdout}")
    return done.stdout


class Counter:
    """Builds the measuring programs, makes their exports, and counts."""

    def __init__(self, folder, build, assay):
        self.folder = folder
        self.build = build
        self.assay = assay
        run(["cmake", "-S", os.path.join(ROOT, "Benchmarks", "Thresholds"), "-B", build, "-DCMAKE_BUILD_TYPE=Release"])
        run(["cmake", "--build", build, "--parallel", "2"])
        self.driver = os.path.join(build, "driver")
        self.values = self.build_values() if assay else None
        self.patterns = self.path("patterns")
        with open(RULES, encoding="utf-8") as file:
            rules = re.findall(r"- name: (\w+)\n +constraints: \{pattern: '(.*)'\}", file.read())
        with open(self.patterns, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\t{pattern.replace(chr(39) * 2, chr(39))}\n" for name, pattern in rules)

    def build_values(self):
        """Links values.swift with the objects of the library that the command contains."""
        release = os.path.dirname(self.assay)
        with open(os.path.join(release, "assay.product", "Objects.LinkFileList"), encoding="utf-8") as file:
            objects = [line.strip().strip("'\"") for line in file]
        target = os.path.join(self.build, "values")
        run(["swiftc", "-O", os.path.join(ROOT, "Benchmarks", "Thresholds", "values.swift"), "-o", target,
             "-I", os.path.join(release, "Modules"),
             *(word for folder in ("CAssay/include", "CAssaySystem")
               for word in ("-Xcc", f"-fmodule-map-file={os.path.join(ROOT, 'Sources', folder, 'module.modulemap')}")),
             *(object for object in objects if re.search(r"/C?Assay\.build/", object)),
             *run(["pkg-config", "--libs", "libpcre2-8"]).split(),
             # Strip debug information, because valgrind cannot read all of Swift's.
             "-Xlinker", "-s"])
        return target

    def path(self, name):
        return os.path.join(self.folder, name)

    def export(self, rows, bad):
        """Makes an export. Returns its path and the expected result."""
        path = self.path(f"export-{rows}-{bad}.csv")
        expected = run([sys.executable, os.path.join(ROOT, "Scripts", "make-example.py"), "--columns", "ten", "--rows",
                        str(rows), "--bad", str(bad), "--values-only", "--output", path])
        return path, json.loads(expected)

    def drive(self, batches, bad, before=(), **options):
        """Runs the driver and compares its answer. Returns a table of its output, with numbers summed."""
        path, expected = self.export(4_000, bad)
        lines = run([*before, self.driver, path, self.patterns, str(batches)], **options).splitlines()
        printed = {}
        for name, text in (line.split("\t") for line in lines):
            printed[name] = printed.get(name, 0) + int(text) if text.isdigit() else text
        if printed["rejected"] != expected["rejected"]:
            sys.exit(f"check-thresholds: {printed['rejected']} rows rejected, where {expected['rejected']} is right")
        return printed

    def clean(self, rows, bad, before=(), **options):
        """Runs `assay clean` on `rows` rows."""
        path, expected = self.export(rows, bad)
        output = self.path("out")
        os.makedirs(output)
        run([*before, self.assay, "clean", path, "--rules", RULES, "--output-dir", output, "--threads", "1", "--quiet"],
            **options)
        report = os.path.join(output, os.path.basename(path).replace(".csv", ".report.json"))
        with open(report, encoding="utf-8") as file:
            rejected = json.load(file)["inputs"][0]["rejected"]
        shutil.rmtree(output)
        if rejected != expected["rejected"]:
            sys.exit(f"check-thresholds: {rejected} rows rejected, where {expected['rejected']} is right")
        return os.path.getsize(path)

    def evaluate(self, case, count, before=(), **options):
        """Runs `count` values through the Swift library."""
        printed = run([*before, self.values, case, str(count)], **options).strip()
        if printed != str(count):
            sys.exit(f"check-thresholds: {case}: {printed} of {count} values passed, where all of them are right")

    def check(self, rows, before=(), **options):
        """Runs `assay check` on `rows` rows."""
        path, _ = self.export(rows, 0)
        run([*before, self.assay, "check", path, "--rules", RULES, "--threads", "1", "--quiet"], **options)

    # Allocations -----------------------------------------------------------------------------------------------------

    def allocations(self):
        def counted(work, *arguments):
            file = self.path("allocations")
            # Fix the hash values, so that hash tables grow at the same times in each run.
            result = work(*arguments, env=dict(
                os.environ, LD_PRELOAD=os.path.join(self.build, "liballocations.so"), ALLOCATIONS=file,
                SWIFT_DETERMINISTIC_HASHING="1"))
            with open(file, encoding="utf-8") as counts:
                return int(counts.read()), result

        figures = {}
        for bad in 6, 100:
            few, _ = counted(self.drive, 2, bad)
            many, _ = counted(self.drive, 12, bad)
            figures[f"core, {bad} % bad, per batch"] = (many - few) / 10
        if self.assay:
            for bad in 6, 100:
                few, few_bytes = counted(self.clean, 20_000, bad)
                many, many_bytes = counted(self.clean, 80_000, bad)
                chunks = (many_bytes - few_bytes) / CHUNK_BYTES
                figures[f"assay clean, {bad} % bad, per chunk"] = (many - few) / chunks
            for case in VALUE_CASES:
                (few, _), (many, _) = (counted(self.evaluate, case, count) for count in (FEW_VALUES, MANY_VALUES))
                figures[f"Swift, {case}, per value"] = (many - few) / (MANY_VALUES - FEW_VALUES)
        return figures

    # Instructions ----------------------------------------------------------------------------------------------------

    def callgrind(self, work, *arguments):
        """Runs `work` under callgrind. Returns its result and the dumps: reason and instructions since the previous
        dump."""
        for name in os.listdir(self.folder):
            if name.startswith("callgrind.out"):
                os.remove(self.path(name))
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.path('callgrind.out')}"]
        result = work(*arguments, before=valgrind, env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"))
        dumps = []
        for name in os.listdir(self.folder):
            if not name.startswith("callgrind.out"):
                continue
            with open(self.path(name), encoding="utf-8") as file:
                text = file.read()
            trigger = re.search(r"^desc: Trigger: (?:Client Request: )?(.*)$", text, re.M)[1]
            dumps.append((trigger, int(re.search(r"^(?:totals|summary): (\d+)", text, re.M)[1])))
        return result, dumps

    def instructions(self):
        figures = collections.defaultdict(float)
        for bad in 0, 100:
            # Count the second batch, because the first one allocates memory.
            printed, dumps = self.callgrind(self.drive, 2, bad)
            for name, count in dumps:
                if name in printed:
                    figures[f"{name}, {bad} % bad"] += count / printed[name]
        if self.assay:
            for bad in 0, 6, 100:
                (_, few), (_, many) = (self.callgrind(self.clean, rows, bad) for rows in (10_000, 20_000))
                total = [sum(count for _, count in dumps) for dumps in (few, many)]
                figures[f"assay clean, per row, {bad} % bad"] = (total[1] - total[0]) / 10_000
            figures["assay check, ten rows"] = sum(count for _, count in self.callgrind(self.check, 10)[1])
            for case in VALUE_CASES:
                few, many = (sum(count for _, count in self.callgrind(self.evaluate, case, values)[1])
                             for values in (FEW_VALUES, MANY_VALUES))
                figures[f"Swift, {case}, per value"] = (many - few) / (MANY_VALUES - FEW_VALUES)
        return dict(sorted(figures.items()))

    def hostile(self):
        """The number of instructions for each hostile value."""
        def evaluate(before=(), **options):
            return run([*before, os.path.join(self.build, "hostile"), HOSTILE, str(HOSTILE_BYTES), str(HOSTILE_EVERY)],
                       **options)

        _, dumps = self.callgrind(evaluate)
        return {name: count for name, count in dumps if name.startswith(("full ", "search "))}

    def records(self, libassay):
        """The number of instructions for each field of single records."""
        program = self.path("records")
        run(["cc", "-std=c11", "-O2", f"-I{libassay}/include", os.path.join(ROOT, "Benchmarks/Records/records.c"),
             "-o", program, f"-L{libassay}/lib", "-lassay", f"-Wl,-rpath,{libassay}/lib", "-lpcre2-8"])

        def total(case, count):
            def evaluate(before=(), **options):
                return run([*before, program, case, str(RECORD_FIELDS), str(count)], **options)
            return sum(instructions for _, instructions in self.callgrind(evaluate)[1])

        fields = (MANY_RECORDS - FEW_RECORDS) * RECORD_FIELDS
        return {case: (total(case, MANY_RECORDS) - total(case, FEW_RECORDS)) / fields for case in RECORD_LIMITS}

    def machine(self):
        """The properties of the machine on which instruction counts depend."""
        printed = self.drive(1, 6)
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            line = re.search(r"^(?:flags|Features)\s*: (.*)$", file.read(), re.M)
        return {
            "processor": platform.machine(),
            "flags": " ".join(sorted(FLAGS & set(line[1].split() if line else []))),
            "path": printed["cpu"],
            "pcre2": printed["pcre2"],
            "c": run(["cc", "--version"]).splitlines()[0],
            "swift": run(["swift", "--version"]).splitlines()[0] if self.assay and shutil.which("swift") else "",
        }


def compare(title, measured, recorded, slack):
    """Prints a table. Returns whether all counts are within the records."""
    def text(count):
        return "–" if count is None else f"{count:,.1f}"

    print(f"\n{title:<44}{'recorded':>12}{'now':>12}")
    worse, better, missing = 0, 0, 0
    for name in {**recorded, **measured}:
        now, then = measured.get(name), recorded.get(name)
        word = ""
        if now is None:
            word = "not measured"
        elif then is None:
            word, missing = "not recorded", missing + 1
        elif now > slack(then):
            word, worse = "MORE", worse + 1
        elif slack(now) < then:
            word, better = "fewer", better + 1
        print(f"{name:<44}{text(then):>12}{text(now):>12}  {word}".rstrip())
    if worse:
        print(f"{worse} of them more than recorded. If that is meant: python3 Scripts/check-thresholds.py --record")
    elif better or missing:
        print("Not what was recorded, and no worse. To keep it so: python3 Scripts/check-thresholds.py --record")
    return worse == 0


def bounded(counts):
    """Prints the most expensive hostile value. Returns whether it is within the limit."""
    name, peak = max(counts.items(), key=lambda entry: entry[1])
    print(f"\nhostile values of {HOSTILE_BYTES:,} bytes: {len(counts)}, at most {peak / 1e6:,.0f} million instructions "
          f"({name}); {HOSTILE_INSTRUCTIONS / 1e6:,.0f} million are the bound")
    return peak <= HOSTILE_INSTRUCTIONS


def records_bounded(counts):
    """Prints the instructions for single records. Returns whether they are within their limits."""
    print("\nsingle records, instructions per field: " +
          ", ".join(f"{name} {count:,.0f} of at most {RECORD_LIMITS[name]}" for name, count in counts.items()))
    return all(count <= RECORD_LIMITS[name] for name, count in counts.items())


def difference(one, other):
    return ", ".join(f"{key}: {other.get(key)!r} was recorded, here it is {one[key]!r}"
                     for key in one if one[key] != other.get(key))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--record", action="store_true", help="keep what is measured now as the new truth")
    parser.add_argument("--assay", default=os.path.join(ROOT, ".build", "release", "assay"), help="the built command")
    parser.add_argument("--libassay", default=os.environ.get("ASSAY_LIBASSAY", os.path.join(ROOT, "build", "libassay")),
                        help="the folder of the built libassay")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "thresholds"), help="where CMake builds")
    arguments = parser.parse_args()
    if platform.system() != "Linux":
        print("check-thresholds: SKIPPED: allocations are counted on Linux only")
        return 0
    assay = os.path.abspath(arguments.assay) if os.path.exists(arguments.assay) else None
    if assay is None:
        print(f"check-thresholds: SKIPPED for the command: there is no {arguments.assay} (make build)")
    records = {"allocations": {}, "instructions": []}
    if os.path.exists(RECORDS):
        with open(RECORDS, encoding="utf-8") as file:
            records = json.load(file)

    has_valgrind = shutil.which("valgrind") is not None
    with tempfile.TemporaryDirectory() as folder:
        counter = Counter(folder, os.path.abspath(arguments.build), assay)
        machine = counter.machine()
        allocations = counter.allocations()
        known = next((record for record in records["instructions"] if record["with"] == machine), None)
        instructions = counter.instructions() if has_valgrind and (known or arguments.record) else None
        hostile = counter.hostile() if has_valgrind and not arguments.record else None
        libassay = os.path.abspath(arguments.libassay)
        has_libassay = os.path.isdir(os.path.join(libassay, "lib"))
        if not has_libassay:
            print(f"check-thresholds: SKIPPED for single records: there is no {arguments.libassay} (make libassay)")
        can_count_records = has_valgrind and has_libassay and not arguments.record
        records_of_fields = counter.records(libassay) if can_count_records else None

    if arguments.record:
        if assay is None or not has_valgrind:
            sys.exit("check-thresholds: recording needs the built command (make build) and valgrind")
        records["allocations"] = {name: round(count, 1) for name, count in allocations.items()}
        # Keep one record per kind of machine.
        others = [record for record in records["instructions"] if record is not known]
        records["instructions"] = others + [
            {"with": machine, "counts": {name: round(count, 1) for name, count in instructions.items()}}]
        with open(RECORDS, "w", encoding="utf-8") as file:
            json.dump(records, file, indent=2, ensure_ascii=False)
            file.write("\n")
        print(f"recorded in {os.path.relpath(RECORDS, ROOT)}")
        return 0

    # Allow a difference below one, because the chunks of a file differ and their average varies.
    good = compare("allocations", allocations, records["allocations"], lambda count: count * (1 + MARGIN) + 0.4)
    if not has_valgrind:
        print("\ncheck-thresholds: SKIPPED instructions: valgrind is not installed")
    elif instructions is None:
        nearest = records["instructions"][0]["with"] if records["instructions"] else {}
        print(f"\ncheck-thresholds: SKIPPED instructions: nothing was recorded on a machine like this one "
              f"({difference(machine, nearest)})")
    else:
        good &= compare("instructions", instructions, known["counts"], lambda count: count * (1 + MARGIN) + 0.1)
    if hostile is not None:
        good &= bounded(hostile)
    if records_of_fields is not None:
        good &= records_bounded(records_of_fields)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
