"""The engines that C code calls: Assay, PCRE2, RE2 and Hyperscan. Benchmarks/Engines has the C code."""

import array
import ctypes
import functools
import itertools
import shutil
import subprocess

from harness import ROOT
from harness.race import progress

#: The verdicts of assay_verdict.
PASS, FAIL = 0, 1


@functools.cache
def library():
    """Builds the library with the compiler of the release, and loads it."""
    build = ROOT / "build" / "engines"
    command = [
        "cmake",
        "-S",
        ROOT / "Benchmarks" / "Engines",
        "-B",
        build,
        "-DCMAKE_BUILD_TYPE=Release",
        "-DASSAY_WERROR=OFF",
    ]
    if shutil.which("clang"):
        command += ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]
    progress("building the engines")
    for step in command, ["cmake", "--build", build, "--target", "engines", "--parallel", "2"]:
        done = subprocess.run(list(map(str, step)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        if done.returncode:
            raise RuntimeError(f"the engines cannot be built:\n{done.stdout}")
    loaded = ctypes.CDLL(str(next(build.glob("libengines.*"))))
    loaded.engine_name.restype = ctypes.c_char_p
    loaded.engine_create.restype = ctypes.c_void_p
    loaded.engine_create.argtypes = [ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_bool]
    loaded.engine_free.argtypes = [ctypes.c_size_t, ctypes.c_void_p]
    loaded.engine_count.restype = ctypes.c_size_t
    column = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t]
    loaded.engine_count.argtypes = [ctypes.c_size_t, ctypes.c_void_p, *column]
    loaded.engine_verdicts.argtypes = [ctypes.c_size_t, ctypes.c_void_p, *column, ctypes.c_char_p]
    loaded.engine_first_value.restype = ctypes.c_uint64
    loaded.engine_first_value.argtypes = [
        ctypes.c_size_t,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_bool,
        ctypes.c_char_p,
        ctypes.c_void_p,
    ]
    return loaded


@functools.cache
def names():
    """Returns the names of the engines that are installed, in the order of the library."""
    found = map(library().engine_name, itertools.count())
    return [name.decode() for name in itertools.takewhile(bool, found)]


def select_processor_path(name):
    if not library().assay_cpu_select(name.encode()):
        raise ValueError(f"this machine has no processor path {name}")


class Column:
    """Values in the layout of Arrow."""

    def __init__(self, values):
        encoded = [value.encode() for value in values]
        self.count, self.bytes = len(encoded), b"".join(encoded)
        self.offsets = array.array("i", itertools.accumulate(map(len, encoded), initial=0))

    @property
    def arguments(self):
        return self.bytes, self.offsets.buffer_info()[0], self.count

    @property
    def bytes_per_value(self):
        return len(self.bytes) / self.count


class Compiled:
    """A pattern as one engine compiles it, in a few copies that alternate.

    The address of machine code affects its speed: copies of one pattern took 32.5, 33.1 and 34.0 ns per value in every
    run. With several copies, the best round of each engine has a good address."""

    def __init__(self, engine, pattern, copies):
        self.index, text = names().index(engine), pattern.pattern.encode()
        self.copies = []
        for _ in range(copies):
            made = library().engine_create(self.index, text, len(text), pattern.is_search)
            if made is None:
                raise ValueError(f"{engine} refuses the pattern")
            self.copies.append(made)
        self.turn = itertools.cycle(self.copies)

    def __del__(self):
        for copy in self.copies:
            library().engine_free(self.index, copy)

    def count(self, column):
        return library().engine_count(self.index, next(self.turn), *column.arguments)

    def verdicts(self, column):
        """Returns a verdict for each value, as a byte."""
        verdicts = ctypes.create_string_buffer(column.count)
        library().engine_verdicts(self.index, next(self.turn), *column.arguments, verdicts)
        return verdicts.raw


def first_value(engine, pattern, column):
    """Returns the nanoseconds that an engine takes to compile a pattern and to check the first value of a column."""
    text = pattern.pattern.encode()
    bytes_, offsets, _ = column.arguments
    return library().engine_first_value(names().index(engine), text, len(text), pattern.is_search, bytes_, offsets)
