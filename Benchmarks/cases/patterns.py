"""Reads the patterns of Benchmarks/Patterns, and makes values and texts for them.

A file is a kind of pattern, and each of its tables is one pattern:

    [shelf]
    pattern = '[A-F]\\d{2}-\\d{3}[LRM]?'
    good = ['[A-F]\\d{2}-\\d{3}', '[A-F]\\d{2}-\\d{3}[LRM]']       templates of values that match
    bad = ['[G-Z]\\d{2}-\\d{3}', '[A-F]\\d-\\d{3}']               and of values that do not
    words = ['red', 'green']                                    what <words> is, here and in the pattern; or a number
    without = ['Hyperscan']                                     engines that are left out, for the reason in a comment

A template is text with the parts below, in which `.`, `*` and `+` are plain characters:

    [a-f0-9]  \\d       one of these characters
    (ab|cd)            one of these templates
    <words>            one of the words: as it is, <Words> with a capital, <WORDS> in random case
    ?  {3}  {2,9}      how often the part before occurs
    \\(  \\x7f           this character
"""

import random
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "Patterns"
#: The kinds of searches, and their texts.
TEXTS = {"searches": "prose", "secrets": "log"}


@dataclass
class Pattern:
    kind: str
    name: str
    pattern: str
    good: list
    bad: list
    words: list = field(default_factory=list)
    without: list = field(default_factory=list)

    @property
    def is_search(self):
        return self.kind in TEXTS

    @property
    def rust(self):
        r"""The pattern with the meaning that PCRE2, RE2 and Hyperscan give to it: ASCII for \d, \w, \s and \b."""
        ascii_classes = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\t-\r "}
        made, in_class, place = "", False, 0
        while place < len(self.pattern):
            part = self.pattern[place : place + (2 if self.pattern[place] == "\\" else 1)]
            place += len(part)
            if part[0] == "\\" and part[1] in ascii_classes:
                part = ascii_classes[part[1]] if in_class else f"[{ascii_classes[part[1]]}]"
            elif part[0] == "\\" and part[1] in "DWS":
                part = f"[^{ascii_classes[part[1].lower()]}]"
            elif part == r"\b":
                part = r"(?-u:\b)"
            elif part in "[]":
                in_class = part == "["
            made += part
        return made if self.is_search else rf"\A(?:{made})\z"

    def values(self, count, good_share):
        """Returns values, and whether each value matches."""
        chance = random.Random(f"{self.name} {count} {good_share}")
        templates = {
            True: [Template(text, self.words) for text in self.good],
            False: [Template(text, self.words) for text in self.bad],
        }
        verdicts = [chance.random() < good_share for _ in range(count)]
        return [chance.choice(templates[verdict]).make(chance) for verdict in verdicts], verdicts

    def texts(self, count, size):
        """Returns texts of about `size` characters, half of which contain a match, and whether each text does."""
        chance = random.Random(f"{self.name} {count} {size}")
        (hits, misses) = ([Template(text, self.words) for text in templates] for templates in (self.good, self.bad))
        pool = text_pool(TEXTS[self.kind])
        made, verdicts = [], []
        for _ in range(count):
            start = chance.randrange(len(pool) - size)
            text = pool[start : start + size]
            for _ in range(size // MISS_EACH + (chance.randrange(MISS_EACH) < size % MISS_EACH)):
                text = inserted(text, chance.choice(misses).make(chance), chance)
            verdicts.append(chance.random() < 0.5)
            made.append(inserted(text, chance.choice(hits).make(chance), chance) if verdicts[-1] else text)
        return made, verdicts


#: The characters of a text for each near miss in it.
MISS_EACH = 2000


def inserted(text, part, chance):
    """Returns the text with `part` between two of its words."""
    place = text.find(" ", chance.randrange(len(text)))
    return f"{text} {part}" if place < 0 else f"{text[:place]} {part} {text[place + 1 :]}"


def kinds():
    """Returns the names of the kinds, in a fixed order."""
    return sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != "texts")


def patterns(kind):
    """Returns the patterns of a kind."""
    made = []
    for name, table in tomllib.loads((FOLDER / f"{kind}.toml").read_text(encoding="utf-8")).items():
        words = table.pop("words", [])
        words = generated_words(words, name) if isinstance(words, int) else words
        text = table.pop("pattern").replace("<words>", "|".join(words))
        made.append(Pattern(kind=kind, name=name, pattern=text, words=words, **table))
    return made


def generated_words(count, name):
    """Returns different words. Their last letter occurs nowhere else in them, so that no word contains another one."""
    chance = random.Random(name)
    words = {}
    while len(words) < count:
        syllables = [chance.choice("bcdfghlmnprstw") + chance.choice("aeiou") for _ in range(chance.randint(2, 3))]
        words["".join(syllables) + chance.choice("xzkv")] = None
    return list(words)


_pools = {}


def text_pool(name):
    """Returns a text of a million characters by the templates of texts.toml."""
    if name not in _pools:
        table = tomllib.loads((FOLDER / "texts.toml").read_text(encoding="utf-8"))[name]
        templates, chance = [Template(line, table["words"]) for line in table["lines"]], random.Random(name)
        lines, size = [], 0
        while size < 1_000_000:
            lines.append(chance.choice(templates).make(chance))
            size += len(lines[-1])
        _pools[name] = "".join(lines)
    return _pools[name]


class Template:
    """A template, as the functions that make its parts."""

    def __init__(self, text, words=()):
        self.text, self.place, self.words = text, 0, words
        self.make = self.choice()
        if self.place < len(text):
            raise ValueError(f"unexpected {text[self.place]!r} at {self.place} of {text!r}")

    def next(self):
        self.place += 1
        return self.text[self.place - 1]

    def peek(self):
        return self.text[self.place : self.place + 1]

    def choice(self):
        """Reads templates that are separated by bars, up to a closing parenthesis."""
        parts = [self.sequence()]
        while self.peek() == "|":
            self.next()
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else lambda chance: chance.choice(parts)(chance)

    def sequence(self):
        parts = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated(self.part()))
        return parts[0] if len(parts) == 1 else lambda chance: "".join([part(chance) for part in parts])

    def part(self):
        """Reads one part. A set of characters is returned as a string, anything else as a function."""
        first = self.next()
        if first == "(":
            made = self.choice()
            self.next()
            return made
        if first == "[":
            return self.characters()
        if first == "<":
            return self.word()
        if first == "\\" and self.peek() == "d":
            self.next()
            return "0123456789"
        return self.escaped() if first == "\\" else first

    def escaped(self):
        first = self.next()
        if first != "x":
            return first
        return chr(int(self.next() + self.next(), 16))

    def characters(self):
        made = ""
        while (first := self.next()) != "]":
            first = self.escaped() if first == "\\" and self.peek() != "d" else first
            if first == "\\":
                self.next()
                made += "0123456789"
            elif self.peek() == "-" and self.text[self.place + 1] != "]":
                self.next()
                made += "".join(map(chr, range(ord(first), ord(self.next()) + 1)))
            else:
                made += first
        return made

    def word(self):
        name = ""
        while (letter := self.next()) != ">":
            name += letter
        words = self.words
        return {
            "words": lambda chance: chance.choice(words),
            "Words": lambda chance: chance.choice(words).capitalize(),
            "WORDS": lambda chance: "".join(
                letter.upper() if chance.random() < 0.5 else letter.lower() for letter in chance.choice(words)
            ),
        }[name]

    def repeated(self, part):
        """Reads how often a part occurs."""
        low = high = 1
        if self.peek() == "?":
            self.next()
            low = 0
        elif found := re.compile(r"\{(\d+)(?:,(\d+))?\}").match(self.text, self.place):
            self.place = found.end()
            low, high = int(found[1]), int(found[2] or found[1])
        if isinstance(part, str):
            if low == high == 1:
                return (lambda chance: part) if len(part) == 1 else (lambda chance: chance.choice(part))
            return lambda chance: "".join(chance.choices(part, k=chance.randint(low, high)))
        if low == high == 1:
            return part
        return lambda chance: "".join([part(chance) for _ in range(chance.randint(low, high))])
