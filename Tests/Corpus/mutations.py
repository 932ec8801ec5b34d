"""Tables of the corpus with changed cells, for rules that must accept every well-formed value."""

import csv
import io

# Values at the borders of types, formats, words for missing values and YAML.
VALUES = """
NA|n/a|N/A|-|.|?|NULL|null|nan|Inf| 5|5 |  |\u00a0|1e400|1e5|12E34|1,234|1.234|12,5|1 234|1.234,56|1,234.56|0x1F|007
+5|-1|0|1|999999999999999999999999999999999999999999|2026-02-30|2026-02-03|03.02.2026|3/2/26|02/30/2026
2026-02-03 04:05:06|2026-02-03T04:05:06.123Z|24:00|4:05|04:05:06|0:00:00|true|TRUE|Yes|no|x|X|é|Zürich|=1+1|it's
say "hi"|1.5|100%|$5|€ 3,50|US|USA|XX|en|EUR|a@b.c|http://x|192.168.0.1|#fff|DE89370400440532013000
DE89 3704 0044 0532 0130 00|+49 30 901820|020 7946 0018|550e8400-e29b-41d4-a716-446655440000|{"a":1}|[1]|\u200b|\ufeff|٣
１２|~|#|"|'|---|: x|- x|!x|&x|*x|%x|@x|`x|>x|null: y|[a, b]|{a}|yes: no
"""
VALUES = ["", "a\nb", "a" * 300, "|", *VALUES.strip("\n").replace("\n", "|").split("|")]


def mutated(header, rows, random):
    """A CSV file: some of the rows, with values of VALUES in up to three columns, and sometimes with a repeated row, a
    repeated header, or a record without values."""
    rows = [list(row) for row in rows[:random.choice([5, 12, 30, 60, 120, 400, 1500])]]
    for _ in range(random.randint(1, 3)):
        column = random.randrange(len(header))
        values = random.sample(VALUES, random.choice([1, 1, 2, 5]))
        count = max(1, int(random.choice([0, 0, 0.01, 0.04, 0.06, 0.5]) * len(rows)))
        for row in random.sample(rows, count):
            row[column] = random.choice(values)
    if random.random() < 0.2:
        rows.append(random.choice(rows))
    if random.random() < 0.2:
        rows.insert(random.randrange(len(rows)), list(header))
    if random.random() < 0.1:
        rows.append([""] * len(header))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue().encode()
