"""The tighter rules that `assay infer` writes as comments, put in the place of the rules that accept all values."""

import dataclasses
import re

CANDIDATE = re.compile(r"^    # tighter: (?P<key>\w+): (?P<value>.*?)  # (?P<count>[\d,]+) values? fails?"
                       r"(: |, such as ).* in record (?P<record>[\d,]+)$")
MORE = re.compile(r"^    #          (\w+: .*?)(?:  # .*)?$")

# Rules of the accepted type, which may not suit the tighter type. Words for missing values stay, unless the candidate
# has others.
OF_TYPE = re.compile(r"\s+(type|format|decimalChar|groupChar|trueValues|falseValues|pattern|enum|minLength|maxLength"
                     r"|minimum|maximum):")
OF_TEXT = re.compile(r"\s+(pattern|enum|minLength|maxLength):")


@dataclasses.dataclass
class Claim:
    """The number of values that a candidate rejects, and the first record with one."""

    column: str
    key: str
    count: int
    record: int


def tightened(rules):
    """The rules with the first candidate of each field in place, and the claim of each."""
    first, *fields = re.split(r"(?m)^(?=  - name: )", rules)
    claims = []
    for index, field in enumerate(fields):
        lines = field.splitlines()
        place = next((number for number, line in enumerate(lines) if CANDIDATE.match(line)), None)
        if place is None:
            continue
        found = CANDIDATE.match(lines[place])
        claims.append(Claim(unquoted(lines[0].removeprefix("  - name: ")), found["key"],
                            int(found["count"].replace(",", "")), int(found["record"].replace(",", ""))))
        more = []
        while place + 1 < len(lines) and (line := MORE.match(lines[place + 1])):
            more.append(line[1])
            place += 1
        fields[index] = replaced(lines, found["key"], [f"{found['key']}: {found['value']}", *more])
    return first + "".join(fields), claims


def replaced(lines, key, candidate):
    """The lines of a field with a candidate, without comments."""
    kept = [line for line in lines if line.strip() and not line.startswith("    #")]
    if key in ("type", "format"):
        names = {line.split(":")[0] for line in candidate}
        kept = [line for line in kept if not OF_TYPE.match(line) and line.strip().split(":")[0] not in names]
        kept[1:1] = [f"    {line}" for line in candidate]
    else:
        kept = [line for line in kept if not OF_TEXT.match(line)]
        if "    constraints:" not in kept:
            kept.append("    constraints:")
        place = kept.index("    constraints:") + 1
        kept[place:place] = [f"      {line}" for line in candidate]
    if kept[-1] == "    constraints:":
        kept.pop()
    return "\n".join(kept) + "\n\n"


def unquoted(text):
    """The text of a YAML scalar in the notation that assay writes."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")
    return text
