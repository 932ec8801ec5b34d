#!/usr/bin/env python3
"""Counts constructions that make technical English hard to read, and lines over 120 columns.

    python3 Scripts/check-prose.py               compares with the limits in Scripts/prose.json
    python3 Scripts/check-prose.py --show 20     also prints the places of the first 20 constructions of each kind
    python3 Scripts/check-prose.py --record      lowers the limits to the rates that were reached

Four kinds of text have a limit each, in constructions per 1,000 words: documents, comments with docstrings, messages of
the command and the libraries, and commit messages since a recorded commit. `because` in comments has a minimum, because
a comment without a reason often only repeats the code. Only the standard library is used. The exit status is 1 if a
rate or the number of long lines is above its limit.
"""

import argparse
import ast
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = ROOT / "Scripts/prose.json"

# Each construction with its pattern. A blank in a pattern also matches a line break.
CONSTRUCTIONS = {
    "clause with what": r"\bwhat(?:ever)?\b(?! (?:it|they) (?:is|does|are|do)\b)(?![^.?!]*\?)",
    "negative or vague pronoun": r"\b(?:nothing|nobody|no one|none|somebody|anybody|neither)\b",
    "text that speaks": r"\b(?:is|are|was|were|be|been) (?:said|told)\b"
                        r"|\bsays (?:so|what|that|which|of)\b|\bhas to say\b",
    "is to, has to be": r"\b(?:is|are|was|were) to (?!the\b)[a-z]+\b|\b(?:has|have|had) to be\b",
    "pronoun at the end": r"\b(?:of (?:it|them|these|those|which)|whose)\b",
    "so many, as much": r"\b(?:so|as) (?:many|much|few)\b",
    "trailing too": r",? too[.;,)]",
    "where for if": r"\bwhere (?:there|it|they|that|an?|the|no|one|its|all|each)\b[^.?]{0,40}"
                    r" (?:is|are|has|have|can|do|does)\b",
    "things that stand or lie": r"\b(?:stands?|stood|lies) (?:in|on|at|there|here|beside|behind|between|alone)\b",
    "old adverb": r"\b(?:anew|thereby|likewise|beforehand|therein|thereof|meanwhile|besides)\b",
    "by itself, in turn": r"\b(?:by (?:itself|themselves)|in turn|side by side)\b",
}
PATTERNS = {name: re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE) for name, pattern in CONSTRUCTIONS.items()}
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
BECAUSE = re.compile(r"\bbecause\b", re.IGNORECASE)

COLUMNS = 120
# A word without blanks that is longer, such as a URL or a pattern, cannot be broken.
UNBREAKABLE = 95
# Generated files are excluded, because their form is that of their generator: tables of results, tables of the C core,
# and the recorded interfaces. Data files (JSON, TOML, CSV, text) are not code.
GENERATED = ("Benchmarks/Results/", "Sources/CAssay/Generated/", "Tests/APITests/", "Tests/Suites/")

C_LIKE = {".c", ".h", ".cc", ".cpp", ".hpp", ".swift", ".rs", ".go", ".java", ".js", ".ts", ".ld"}
HASHED = {".sh", ".yml", ".yaml", ".cmake", "Makefile", "CMakeLists.txt"}
PYTHON = {".py", ".pyi"}
READ = C_LIKE | HASHED | PYTHON | {".md", ".1"}
# The sources whose strings users read.
WITH_MESSAGES = ("Sources/", "Python/src/", "Bindings/")
NOT_MESSAGES = re.compile(r"(?:^|/)(?:tests?|examples?)/", re.IGNORECASE)

# Strings and comments of languages like C. Strings come first, because a string may contain "//".
MULTILINE = r'(?P<hashes>\#*)"""(?P<long>.*?)"""(?P=hashes)'
STRING = r'(?P<raw>\#+)"(?P<text1>[^\n]*?)"(?P=raw)|"(?P<text2>(?:\\.|[^"\\\n])*)"'
CHARACTER = r"'(?P<text3>(?:\\.|[^'\\\n])*)'"
COMMENT = r"/\*+(?P<block>.*?)\*/|//[/!]?(?P<line>[^\n]*)"
LEXERS = {
    "swift": re.compile(f"{MULTILINE}|{STRING}|{COMMENT}", re.DOTALL),
    "c": re.compile(f"{STRING}|{CHARACTER}|{COMMENT}", re.DOTALL),
    "rust": re.compile(f"{STRING}|{COMMENT}", re.DOTALL),
}


class Text:
    """Prose of one kind in one file: pieces of text with the lines on which they begin."""

    def __init__(self, path):
        self.path, self.pieces = path, []

    def add(self, line, text):
        self.pieces.append((line, text))

    def words(self):
        return sum(len(WORD.findall(text)) for _, text in self.pieces)

    def found(self):
        """Yields (line, construction, text around it)."""
        for line, text in self.pieces:
            for name, pattern in PATTERNS.items():
                for match in pattern.finditer(text):
                    start, end = max(0, match.start() - 40), min(len(text), match.end() + 40)
                    yield line + text.count("\n", 0, match.start()), name, " ".join(text[start:end].split())

    def reasons(self):
        return sum(len(BECAUSE.findall(text)) for _, text in self.pieces)


def without_code(text):
    """Replaces inline code, quoted words and addresses by X, because they are not English."""
    text = re.sub(r"``?[^`\n]+``?", "X", text)
    return re.sub(r"https?://\S+", "X", text)


def blank(match):
    return "\n" * match[0].count("\n")


def in_markdown(path, text):
    found = Text(path)
    text = re.sub(r"(?ms)^\s*```.*?^\s*```[ \t]*$", blank, text)
    text = re.sub(r"(?s)<!--.*?-->", blank, text)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        found.add(line, without_code(paragraph))
        line += paragraph.count("\n")
    return found


def in_man_page(path, text):
    found = Text(path)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith((".", "'")):
            found.add(number, without_code(re.sub(r"\\f[A-Z]|\\&", "", line.replace("\\-", "-"))))
    return found


def stripped(block):
    """Removes the stars at the beginning of lines, and examples, which are indented."""
    lines = [re.sub(r"^\s*\*(?: |$)", "", line) for line in block.split("\n")]
    return "\n".join("" if re.match(r" {4,}", line) and number else line for number, line in enumerate(lines))


def lexed(path, text):
    """Returns the comments and the strings of a file in a language like C."""
    comments, strings = Text(path), Text(path)
    lexer = LEXERS.get(path.suffix[1:], LEXERS["c"])
    if path.suffix == ".rs":
        lexer = LEXERS["rust"]
    run, last = [], None  # consecutive line comments are one text, because sentences continue on the next line
    line, position = 1, 0
    for match in lexer.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        groups = match.groupdict()
        if groups.get("line") is not None:
            content = "" if re.match(r" {5,}", groups["line"]) else groups["line"]
            if last is not None and line == last + 1 and not text[text.rfind("\n", 0, position) + 1:position].strip():
                run[-1][1].append(content)
            else:
                run.append((line, [content]))
            last = line
        elif groups.get("block") is not None:
            comments.add(line, without_code(stripped(groups["block"])))
        else:
            content = next((groups[name] for name in ("long", "text1", "text2", "text3") if groups.get(name)), "")
            add_message(strings, line, content)
    for start, lines in run:
        comments.add(start, without_code("\n".join(lines)))
    return comments, strings


def add_message(strings, line, content):
    """Adds a string literal that has words: a message, not a name, a pattern or a format."""
    content = re.sub(r"\\#*\([^()]*(?:\([^()]*\)[^()]*)*\)|\{[^{}]*\}|%[-0-9.]*[a-z]+", "X", content)
    content = re.sub(r"\\[nrt]", " ", content)
    if " " in content.strip() and len(re.findall(r"(?<!\S)[A-Za-z]?[a-z'’-]+(?=[\s,.;:]|$)", content)) >= 3:
        strings.add(line, without_code(content))


def in_hashed(path, text):
    found, last = Text(path), None
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(r"(?:^|\s)#(?!!)\s?(.*)$", line)
        if not comment or (number > 1 and re.search(r"['\"]", line[:comment.start()])):
            continue
        content = "" if comment[1].startswith("    ") else without_code(comment[1])
        if last == number - 1 and not line[:comment.start()].strip():
            start, text_ = found.pieces.pop()
            found.add(start, f"{text_}\n{content}")
        else:
            found.add(number, content)
        last = number
    return found


def in_python(path, text):
    """Returns the comments and docstrings, and the other strings."""
    comments, strings = Text(path), Text(path)
    text = re.sub(r"\bNone\b", "Null", text)  # the constant is not the English word
    tree = ast.parse(text)
    parts = set()  # docstrings, and the parts of formatted strings
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            value = first.value if isinstance(first, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                parts.add(id(value))
                comments.add(value.lineno, without_code(without_examples(value.value)))
        elif isinstance(node, ast.JoinedStr):
            constants = [part for part in node.values if isinstance(part, ast.Constant)]
            parts.update(map(id, constants))
            text_ = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
            add_message(strings, node.lineno, text_)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            add_message(strings, node.lineno, node.value)
    last = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row = token.start[0]
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            content = without_code(token.string[1:])
            if last == row - 1 and not token.line[:token.start[1]].strip():
                start, text_ = comments.pieces.pop()
                comments.add(start, f"{text_}\n{content}")
            else:
                comments.add(row, content)
            last = row
    return comments, strings


def without_examples(docstring):
    """Empties the lines of examples, which are indented or begin with >>>."""
    lines = docstring.split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines]
    # The last line has the closing quotes.
    shown = [indent for indent, line in zip(indents[1:], lines[1:]) if line.strip()]
    shallowest = min(shown + indents[1:][-1:], default=0)
    kept = [indent < shallowest + 4 and not line.lstrip().startswith((">>>", "... "))
            for indent, line in zip(indents, lines)]
    kept[0] = True
    return "\n".join(line if keep else "" for line, keep in zip(lines, kept))


def kind_of_file(path):
    return path.name if path.name in HASHED else path.suffix


def prose(root, names):
    """Returns the texts of each kind in the named files."""
    kinds = {"documents": [], "comments": [], "messages": []}
    for name in names:
        path, kind = pathlib.Path(name), kind_of_file(pathlib.Path(name))
        if name.startswith(GENERATED) or kind not in READ:
            continue
        text = read(root / name)
        if text is None:
            continue
        if kind == ".md":
            kinds["documents"].append(in_markdown(path, text))
        elif kind == ".1":
            kinds["documents"].append(in_man_page(path, text))
        elif kind in HASHED:
            kinds["comments"].append(in_hashed(path, text))
        else:
            comments, strings = in_python(path, text) if kind in PYTHON else lexed(path, text)
            kinds["comments"].append(comments)
            if name.startswith(WITH_MESSAGES) and not NOT_MESSAGES.search(name):
                kinds["messages"].append(strings)
    return kinds


def read(path):
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def long_lines(root, names):
    """Yields (place, columns) for lines of code and Markdown that are too long."""
    for name in names:
        if name.startswith(GENERATED) or kind_of_file(pathlib.Path(name)) not in READ:
            continue
        for number, line in enumerate((read(root / name) or "").split("\n"), 1):
            if len(line) > COLUMNS and max(map(len, line.split())) < UNBREAKABLE:
                yield f"{name}:{number}", len(line)


def files():
    """Returns the files of the repository, without ignored ones."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True)
    if listed.returncode == 0:
        return sorted(set(filter(None, listed.stdout.decode("utf-8").split("\0"))))
    # An unpacked release has no git.
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return sorted(str(path) for path in paths if not {".build", "build"} & set(path.parts))


def commits(since):
    """Returns the messages of the commits after `since`, or None if it is unknown, as in a shallow clone."""
    log = subprocess.run(["git", "log", "--no-merges", "--format=%h%x00%B%x01", f"{since}..HEAD"], cwd=ROOT,
                         capture_output=True, text=True)
    if log.returncode != 0:
        return None
    texts = []
    for entry in filter(None, (entry.strip() for entry in log.stdout.split("\x01"))):
        commit, message = entry.split("\0", 1)
        text = Text(f"commit {commit}")
        text.add(1, without_code(message))
        texts.append(text)
    return texts


class Rate:
    """The count of constructions in the texts of one kind."""

    def __init__(self, kind, texts):
        self.kind = kind
        self.words = sum(text.words() for text in texts)
        self.places = [(f"{text.path}:{line}", name, around) for text in texts for line, name, around in text.found()]
        self.value = 1_000 * len(self.places) / max(self.words, 1)

    def allowed(self, limit):
        """The count at this limit, rounded up, so that few words do not turn one construction into a high rate."""
        return math.ceil(limit * self.words / 1_000)

    def describe(self, limit):
        return f"{self.kind:<10}{self.words:>8,} words {self.value:6.2f} per 1,000, at most {limit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", type=int, default=0, metavar="N",
                        help="print the places of N constructions of each kind")
    parser.add_argument("--record", action="store_true", help="lower the limits to the present rates")
    options = parser.parse_args()
    limits = json.loads(LIMITS.read_text(encoding="utf-8"))
    names, failed = files(), False
    kinds = prose(ROOT, names)
    messages = commits(limits["commits since"])
    if messages is None:
        print("skipped: commits, because the history is incomplete")
    else:
        kinds["commits"] = messages
    for kind, texts in kinds.items():
        rate, limit = Rate(kind, texts), limits["max"][kind]
        above = len(rate.places) > rate.allowed(limit)
        failed |= above
        print(rate.describe(limit) + (": ABOVE" if above else ""))
        for place, name, around in rate.places[:max(options.show, 30 if above else 0)]:
            print(f"    {place}: {name}: {around}")
        if kind != "commits" and math.ceil(rate.value * 10) / 10 < limit:
            limits["max"][kind] = math.ceil(rate.value * 10) / 10
    words = sum(text.words() for text in kinds["comments"])
    because = 1_000 * sum(text.reasons() for text in kinds["comments"]) / max(words, 1)
    failed |= because < limits["min because"]
    print(f"because in comments: {because:.2f} per 1,000 words, at least {limits['min because']}")
    too_long = list(long_lines(ROOT, names))
    print(f"lines over {COLUMNS} columns: {len(too_long)}, at most {limits['long lines']}")
    above = len(too_long) > limits["long lines"]
    failed |= above
    for place, columns in too_long[:max(options.show, 30 if above else 0)]:
        print(f"    {place}: {columns} columns")
    limits["long lines"] = min(len(too_long), limits["long lines"])
    if options.record:
        LIMITS.write_text(json.dumps(limits, indent=2) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
