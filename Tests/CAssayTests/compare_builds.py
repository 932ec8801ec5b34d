"""Compares the verdicts of the C core with PCRE2 and without it: all sequences of up to two pieces and random ones of
up to six, with every option, on all short texts and some longer ones.

    cmake -S . -B build/without -DASSAY_PCRE2=OFF && cmake --build build/without
    python3 Tests/CAssayTests/compare_builds.py build/core/libassay-core.so build/without/libassay-core.so

Further arguments are a seed and the number of random patterns.

The build with PCRE2 uses no DFA here, so that the two have no engine in common. A pattern that only the build without
PCRE2 accepts is a failure, unless releases of PCRE2 differ about its look-behinds.
"""

import collections
import ctypes
import itertools
import pathlib
import random
import sys

NO_DFA = 1 << 7
CASELESS, UNICODE, DOT_ALL, EXTENDED, MULTILINE, SEARCH = (1 << bit for bit in range(6))
LOOKBEHINDS = (125, 187)  # "not fixed length" and "too long"

PIECES = """a b . [^b] [Aé] (?:a|ab) | * ++ ?? {2} \\b \\B ^ $ (?=b) (?!a) (?<=a) (?<!b) (?=.*b) (?!ab) (?<=ab) (?i) (
) (?: (?> (?= (?! (?<= (?<! ) é A \\w [^\\pL] [[:lower:]] \\Qb\\E + +? {0,2}? ?+ {1,2}+ \\A \\z \\Z (?m) (?s) (?x)
(?-i) (?i: (?#c) # \\d \\s \\h \\N \\x61 \\x{e9} \\x{1F600} 😀 [a-z] [😀-🙏a] \\p{Lu} \\p{Greek} \\P{L} [\\w-] [] [a-]
[z-a] {3,1} { } {,2} {65536} \\ \\1 \\k<n> (?<n> (?<1> (?1) (?R) (?| (*ACCEPT) \\R \\X \\K \\G \\c \\x \\p{foo}
[:alpha:] [[:foo:]] (?C1) [ ] (?# \\Q \\E ſ K Σ ς [k-s] [^\\x{1F600}] \\x{110000} \\x{d800} \\o{141} (?'n'b) (?P<m>a)
.* .{3} (?:.|\\n)""".split()


class Column(ctypes.Structure):
    _fields_ = [("start", ctypes.c_uint32), ("length", ctypes.c_uint32)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("engine_code", ctypes.c_int32), ("offset", ctypes.c_size_t),
                ("message", ctypes.c_char * 256)]


class Core:
    """One build. `options` are those of all of its patterns."""

    def __init__(self, path, options):
        self.library = ctypes.CDLL(path)
        for name in ("pattern_create", "check_create_pattern", "scratch_create"):
            getattr(self.library, "assay_" + name).restype = ctypes.c_void_p
        self.scratch = ctypes.c_void_p(self.library.assay_scratch_create(None))
        self.options = options

    def verdicts(self, text, options, values):
        """Returns the masks of failed and undecided values, or the error."""
        error = Error()
        pattern = self.library.assay_pattern_create(
            text, ctypes.c_size_t(len(text)), ctypes.c_uint32(options | self.options), ctypes.c_size_t(0),
            ctypes.byref(error))
        if not pattern:
            return None, error
        check = self.library.assay_check_create_pattern(ctypes.c_void_p(pattern))
        words = (len(values.cells) + 63) // 64
        failed, undecided = ((ctypes.c_uint64 * words)() for _ in range(2))
        self.library.assay_check_column(
            ctypes.c_void_p(check), self.scratch, values.bytes, values.cells, ctypes.c_size_t(len(values.cells)), None,
            failed, undecided)
        self.library.assay_check_free(ctypes.c_void_p(check))
        self.library.assay_pattern_free(ctypes.c_void_p(pattern))
        return (list(failed), list(undecided)), None


class Values:
    def __init__(self, texts):
        self.texts = [text.encode() for text in texts]
        self.bytes = bytes(15) + b"".join(self.texts)
        self.cells = (Column * len(texts))()
        at = 15
        for cell, text in zip(self.cells, self.texts):
            cell.start, cell.length = at, len(text)
            at += len(text)


class Comparison:
    def __init__(self, with_pcre2, without):
        self.cores = Core(with_pcre2, NO_DFA), Core(without, 0)
        letters = ["", *"abAé1 \n😀Σςσſks"]
        texts = {"".join(word) for count in (1, 2) for word in itertools.product(letters, repeat=count)}
        texts |= {"".join(word) for word in itertools.product("ab\né", repeat=4)}
        texts |= {"ab" * 40, "a" * 300, "aaaab", "αβγ", "😀😎x", "b" * 70 + "a", "été", "a" * 600 + "b"}
        self.values = Values(sorted(texts))
        self.counts = collections.Counter()
        self.refused = collections.Counter()
        self.failures = 0

    def fail(self, text, options, problem):
        self.failures += 1
        if self.failures <= 20:
            print("    %r, options %x: %s" % (text.decode(errors="replace"), options, problem))

    def compare(self, text, options):
        text = text.encode()
        (expected, error), (found, refusal) = (core.verdicts(text, options, self.values) for core in self.cores)
        self.counts["patterns"] += 1
        if found is None:
            self.counts["refused by both"] += expected is None
            if expected is not None:
                self.refused[refusal.message.decode().partition("; ")[0]] += 1
            return
        if expected is None:
            if error.engine_code not in LOOKBEHINDS:
                self.fail(text, options, "PCRE2 refuses it: " + error.message.decode())
            return
        self.counts["compared"] += 1
        for word, (left, right, undecided, unknown) in enumerate(zip(expected[0], found[0], expected[1], found[1])):
            self.counts["verdicts"] += 64
            self.counts["undecided with PCRE2"] += undecided.bit_count()
            self.counts["undecided without"] += unknown.bit_count()
            wrong = (left ^ right) & ~undecided & ~unknown
            if wrong:
                row = word * 64 + (wrong & -wrong).bit_length() - 1
                self.fail(text, options, "%r: %d rows differ" % (self.values.texts[row].decode(), wrong.bit_count()))
                return


def main():
    comparison = Comparison(*(str(pathlib.Path(path).resolve()) for path in sys.argv[1:3]))
    source = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 30000
    for length in (0, 1, 2):
        for word in itertools.product(PIECES, repeat=length):
            comparison.compare("".join(word), source.choice((0, SEARCH, CASELESS, UNICODE)))
    for _ in range(count):
        word = source.choices(PIECES, k=source.randint(3, 6))
        if source.random() < 0.5:  # close the groups
            word += [")"] * (sum(piece.count("(") - piece.count(")") for piece in word))
        comparison.compare("".join(word), source.getrandbits(6))
    for name, number in comparison.counts.items():
        print("%s: %d" % (name, number))
    print("refused only without PCRE2:", dict(comparison.refused.most_common(40)))
    print("failures: %d" % comparison.failures)
    return comparison.failures > 0


if __name__ == "__main__":
    sys.exit(main())
