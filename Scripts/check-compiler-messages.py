#!/usr/bin/env python3
"""Compiles the files in Tests/CompilerMessages, which contain common mistakes, and compares the messages.

    make test-macros        # once, for the modules and the macros
    python3 Scripts/check-compiler-messages.py

A file ends with a comment for each expected error and warning, in the order of their positions. Further lines of a
comment are indented:

    // 4:24 error: this pattern does not compile: missing closing parenthesis
    // 5:12 error: 'minLength(_:in:)' is unavailable: join requirements with &&; in a block start each line
    //     with Requirement<String>

A file may take 3 s of processor time, including the time for loading the modules, so that a mistake in a long list is
reported at once. Notes are not compared, because they refer to the library. `--update` writes the current messages;
review the difference. Only the standard library is used. Prints the differences; the exit status is 1 if there are any.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ROOT / "Tests/CompilerMessages"
EXPECTED = re.compile(r"^// (\d+:\d+ (?:error|warning): .*)$")
CONTINUED = re.compile(r"^//     (\S.*)$")
# Positions in @__swiftmacro_….swift must not occur, because users cannot open the expansion of a macro.
MAX_SECONDS = 3
MESSAGE = re.compile(r"^(\S+\.swift):(\d+):(\d+): (error|warning): (.*)$")


def command(build):
    modules = [f"-fmodule-map-file={ROOT / 'Sources' / name}" for name in
               ("CAssay/include/module.modulemap", "CAssaySystem/module.modulemap", "CPCRE2/module.modulemap")]
    return ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", str(build / "Modules"),
            *[part for module in modules for part in ("-Xcc", module)],
            "-load-plugin-executable", f"{build / 'AssayMacrosPlugin-tool'}#AssayMacrosPlugin"]


def messages(path, build):
    """Returns the errors and warnings of the compiler for a file, in the order of their positions."""
    result = subprocess.run([*command(build), path.name], cwd=FILES, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = []
    for line in result.stdout.decode("utf-8").splitlines():
        reported = MESSAGE.match(line)
        if reported:
            file, row, column, severity, text = reported.groups()
            text = re.sub(r" \(from macro '\w+'\)$", "", text)
            prefix = "" if file == path.name else "in an expansion, "
            found.append((int(row), int(column), f"{prefix}{row}:{column} {severity}: {text}"))
    if not found:
        found.append((0, 0, f"nothing understood (status {result.returncode}):\n{result.stdout.decode()}"))
    return [text for _, _, text in sorted(found)]


def split(lines):
    """Returns the expected messages at the end of a file, and the lines before them."""
    kept, expected = [], []
    for line in lines:
        if found := EXPECTED.match(line):
            expected.append(found[1])
        elif expected and (found := CONTINUED.match(line)):
            expected[-1] += " " + found[1]
        else:
            kept.append(line)
    return expected, kept


def comment(text):
    """Returns the lines of a comment with an expected message."""
    return textwrap.wrap(text, 120, initial_indent="// ", subsequent_indent="//     ", break_long_words=False,
                         break_on_hyphens=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build/tests/release",
                        help="where swift build has built")
    parser.add_argument("--update", action="store_true", help="write what the compiler says now")
    options = parser.parse_args()
    differing, slow, count = 0, 0, 0
    for path in sorted(FILES.glob("*.swift")):
        count += 1
        expected, kept = split(path.read_text(encoding="utf-8").splitlines())
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        reported = messages(path, options.build.resolve())
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
        if seconds > MAX_SECONDS:
            slow += 1
            print(f"{path.relative_to(ROOT)}: {seconds:.1f} s of processor time, more than {MAX_SECONDS} s")
        if reported == expected:
            continue
        differing += 1
        print(f"{path.relative_to(ROOT)}:")
        for text in expected:
            if text not in reported:
                print(f"  expected  {text}")
        for text in reported:
            if text not in expected:
                print(f"  said      {text}")
        if options.update:
            lines = [line for text in reported for line in comment(text)]
            path.write_text("\n".join(kept + lines) + "\n", encoding="utf-8")
    if count == 0:
        print(f"there are no files in {FILES}")
        return 1
    print(f"{count} files, {differing} with other messages than expected")
    return 1 if slow or differing and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
