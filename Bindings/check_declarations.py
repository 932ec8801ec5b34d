#!/usr/bin/env python3
"""Compares the bindings with assay/assay.h: the handwritten declarations of Rust and Java (the kinds of parameters and
return values; Go and Node.js include the header), and the options of all four languages with the fields of
assay_options and assay_outputs.

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
    text = re.sub(r"\blong (\w+Address\b)", r"Pointer \1", text)
    for result, name, parameters in re.findall(r"native (\w+) (assay_\w+)\(([^)]*)\);", text):
        yield name, [kind(without_name(parameter)) for parameter in split(parameters)] + [kind(result)]


# The public declarations of options in each language. {} is the name of the field in the convention of the language.
OPTIONS = {
    "assay_options": {
        "Bindings/Rust/src/options.rs": r"pub fn {snake}\(mut self",
        "Bindings/Java/src/main/java/assay/CheckOptions.java": r"[(,]\s*\w+ {camel}[,)]",
        "Bindings/Node/index.d.ts": r"^  {camel}\?:",
        "Bindings/Go/assay.go": r"^\t{pascal}\s",
    },
    "assay_outputs": {
        "Bindings/Rust/src/options.rs": r"pub fn {snake}\(mut self",
        "Bindings/Java/src/main/java/assay/Outputs.java": r"public Outputs {camel}\(",
        "Bindings/Node/index.d.ts": r"^  {camel}\?:",
        "Bindings/Go/files.go": r"^\t{pascal}\s",
    },
}

# Fields without an option of the same name.
INTERNAL = {
    "size": "set by each binding",
    "reserved": "must be 0",
    "progress_context": "belongs to progress",
    "allocator": "each language has its own memory",
    "now_nanoseconds": "belongs to now_seconds",
    "has_now": "belongs to now_seconds",
    "references": "belongs to assay_references, which only C and Python have",
}
OTHER_NAMES = {("Bindings/Node/index.d.ts", "progress"): "onProgress"}
# Each language has its own type for a time.
OTHER_NAMES |= {(path, "now_seconds"): "Now" if "/Go/" in path else "now" for path in OPTIONS["assay_options"]}
# Only Rust exports keys.
MISSING = {(path, "key_secret") for path in OPTIONS["assay_options"] if "Rust" not in path}


def fields_of(struct, text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    body = re.search(rf"typedef struct {struct} {{(.*?)}} {struct};", text, re.S).group(1)
    for declaration in body.split(";"):
        if declaration.strip():
            function = re.search(r"\(\*(\w+)\)\(", declaration)
            yield function.group(1) if function else re.search(r"(\w+)(\[\d+\])?\s*$", declaration).group(1)


def names(field):
    words = field.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    return {"snake": field, "camel": camel, "pascal": camel[:1].upper() + camel[1:]}


def missing_options(header):
    """The fields of options that a binding lacks, as (path, struct, field)."""
    for struct, patterns in OPTIONS.items():
        for field in fields_of(struct, header):
            for path, pattern in patterns.items():
                if field in INTERNAL or (path, field) in MISSING:
                    continue
                name = OTHER_NAMES.get((path, field))
                forms = dict.fromkeys(("snake", "camel", "pascal"), name) if name else names(field)
                if not re.search(pattern.format(**forms), (ROOT / path).read_text(), re.M):
                    yield path, struct, field


def main():
    text = (ROOT / "Sources/CAssayABI/assay/assay.h").read_text()
    header = dict(of_header(text))
    wrong = 0
    for path, struct, field in missing_options(text):
        print(f"{path}: no option for {struct}.{field}")
        wrong += 1
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
