#!/usr/bin/env python3
"""Compares the handwritten declarations of Rust and Java with assay/assay.h: the kinds of parameters and return values.
Go and Node.js include the header.

    python3 Bindings/check_declarations.py

Prints one line per mistake. The exit status is 1 if there are mistakes.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

SIZES = {
    "8 bytes": {"size_t", "uint64_t", "int64_t", "usize", "u64", "i64", "long"},
    "4 bytes": {"uint32_t", "int", "assay_rows", "u32", "i32"},
    "1 byte": {"bool", "byte"},
    "nothing": {"void", ""},
    "a pointer": {"Pointer", "PointerByReference", "byte[]"},
}


def kind(name):
    """The kind of a type in the calling convention."""
    if "*" in name:
        return "a pointer"
    name = name.replace("const ", "").strip()
    return next(kind for kind, names in SIZES.items() if name in names)


def split(parameters):
    return [parameter.strip() for parameter in parameters.split(",") if parameter.strip() not in ("", "void")]


def without_name(parameter):
    """'const char *path' -> 'const char *', 'long count' -> 'long'."""
    return re.sub(r"\w+$", "", parameter)


def of_header(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for result, name, parameters in re.findall(r"^(\w[\w ]*[ *])(assay_\w+)\(([^;{]*)\);", text, re.M):
        yield name, [kind(without_name(parameter)) for parameter in split(parameters)] + [kind(result)]


def of_rust(text):
    for name, parameters, result in re.findall(r"fn (assay_\w+)\(([^)]*)\)(?: -> ([^;]+))?;", text):
        yield name, [kind(parameter.split(":")[1]) for parameter in split(parameters)] + [kind(result)]


def of_java(text):
    for result, name, parameters in re.findall(r"native (\w+) (assay_\w+)\(([^)]*)\);", text):
        yield name, [kind(without_name(parameter)) for parameter in split(parameters)] + [kind(result)]


def main():
    header = dict(of_header((ROOT / "Sources/CAssayABI/assay/assay.h").read_text()))
    wrong = 0
    for path, read in [
        ("Bindings/Rust/src/ffi.rs", of_rust),
        ("Bindings/Java/src/main/java/assay/LibAssay.java", of_java),
    ]:
        text = (ROOT / path).read_text()
        declared = dict(read(text))
        for name in sorted(set(re.findall(r"(?:fn|native \w+) (assay_\w+)\(", text)) - declared.keys()):
            print(f"{path}: {name} could not be read")
            wrong += 1
        for name, kinds in declared.items():
            if kinds != header.get(name):
                print(f"{path}: {name} has {kinds}, and in the header {header.get(name)}")
                wrong += 1
        if not declared:
            print(f"{path}: declares nothing")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
