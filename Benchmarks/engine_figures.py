"""The section of Docs/performance.md about the cases engines-…, and its chart, for figures.py."""

import csv
import html
import math
import re
import textwrap
from collections import Counter

from cases import ratios

CASE = re.compile(
    r"^\| \[engines-(?!all)(.+?)\]\(.*?\) \| (.+?) \| .*? \| (.+?) \| (.+?) \| .* \| `(.*)` \|$", re.MULTILINE
)
#: The groups with a strip in the chart.
STRIPS = ("columns of values", "single calls", "searches in 200 B", "searches in 2 KB", "searches in 64 KB")


def rows_of(folder):
    with open(folder / "rounds.csv", newline="", encoding="utf-8") as file:
        return ratios.rows_of(row for row in csv.DictReader(file) if row["case"].startswith("engines-"))


def section(folder):
    """Returns the section, or an empty string if there are no results."""
    rows = rows_of(folder)
    if not rows:
        return ""
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    runs = CASE.findall(summary)
    machine = re.search(r"^\| machine +\| *(.*?) *\|$", summary, re.MULTILINE).group(1)
    dates = sorted({date[:10] for _, date, _, _, _ in runs})
    commits = sorted({commit for _, _, _, commit, _ in runs})
    loads = [float(load) for _, _, load, _, _ in runs]
    count = len({(row.kind, row.pattern) for row in rows})
    lines = [
        "## Patterns compared with other engines",
        "",
        wrapped(
            f"{count} patterns of {len({row.kind for row in rows})} kinds, which are in "
            "[Benchmarks/Patterns](../Benchmarks/Patterns), compared with PCRE2's JIT compiler, RE2, Hyperscan and "
            "Rust's regex. Each dot is a pattern with one kind of values or texts. It is at Assay's time divided by "
            "that of the fastest other engine that gives the same verdicts."
        ),
        "",
        "```sh",
        "make bench-engines",
        "```",
        "",
        wrapped(
            f"Machine: {machine}. Measured on {' and '.join(dates)}, the best of several rounds. Load before a kind of "
            f"patterns: {min(loads):g} to {max(loads):g}. Commit: {', '.join(commits)}."
        ),
        "",
        "![Assay's time divided by that of the fastest other engine](engines.svg)",
        "",
        row_of(ratios.Distribution.NAMES),
        row_of(["---", *["--:"] * (len(ratios.Distribution.NAMES) - 1)]),
        *map(row_of, ratios.distributions(rows)),
        "",
    ]
    behind = ratios.behind(rows)
    if behind:
        lines += [f"Patterns that are behind by more than {(ratios.BEHIND - 1) * 100:.0f} %, with their ratio:", ""]
        lines += [wrapped(f"* {name}: {', '.join(patterns)}", "  ") for name, patterns in behind.items()]
        lines.append("")
    return "\n".join(lines)


def wrapped(text, indent=""):
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def row_of(cells):
    return "| " + " | ".join(cells) + " |"


# Places in the chart, in pixels. A dot covers BIN pixels.
LEFT, WIDTH, RIGHT, TOP, STRIP, BIN, RADIUS = 186, 560, 30, 34, 74, 6, 2.8

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 11px; fill: #59636e }
  .grid { stroke: #d1d9e0 }
  .one { stroke: #1f2328 }
  .ahead { fill: #0969da }
  .behind { fill: #bc4c00 }
  .mean { stroke: #1f2328; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .one, .mean { stroke: #f0f6fc }
    .ahead { fill: #4493f8 }
    .behind { fill: #f0883e }
  }
"""


def chart(folder):
    """Returns the chart as SVG: a strip of dots for each group, on a logarithmic scale."""
    rows = rows_of(folder)
    groups = [group for group in ratios.GROUPS if group.name in STRIPS]
    strips = [(group.name, [ratio for _, ratio in group.ratios(rows)]) for group in groups]
    found = [ratio for _, strip in strips for ratio in strip]
    low, high = math.floor(math.log2(min([*found, 0.5]))), math.ceil(math.log2(max([*found, 2])))
    width, height = LEFT + WIDTH + RIGHT, TOP + STRIP * len(strips) + 24

    def place(ratio):
        return LEFT + (math.log2(ratio) - low) / (high - low) * WIDTH

    parts = [text(place(1) - 8, 14, "Assay is faster", "small", "end"), text(place(1) + 8, 14, "slower", "small")]
    for power in range(low, high + 1):
        name = f"{2**power}" if power >= 0 else f"1/{2**-power}"
        parts.append(line(place(2**power), TOP - 8, height - 20, "one" if power == 0 else "grid"))
        parts.append(text(place(2**power), height - 6, name, "small", "middle"))
    for number, (name, strip) in enumerate(strips):
        middle = TOP + STRIP * number + STRIP / 2 - 6
        one = ratios.Distribution.of(strip)
        parts.append(text(8, middle, name, "name"))
        parts.append(text(8, middle + 15, f"mean {one.mean:.2f}, {one.behind} of {one.count} behind", "small"))
        parts += dots(strip, place, middle)
        parts.append(line(place(one.mean), middle - 28, middle + 28, "mean"))
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>'
    title = "<title>Assay's time divided by that of the fastest other engine</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def text(x, y, content, kind, anchor="start"):
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(content)}</text>'


def line(x, start, end, kind):
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{start:.1f}" y2="{end:.1f}"/>'


def dots(strip, place, middle):
    """Returns the dots of a strip. Those at the same place are stacked from the middle of the strip."""
    heights, stacked, made = Counter(round(place(ratio) / BIN) for ratio in strip), Counter(), []
    for ratio in sorted(strip):
        stack = round(place(ratio) / BIN)
        number = stacked[stack]
        stacked[stack] += 1
        # The steps from the middle are 0, 1, -1, 2, -2, …, and smaller in high stacks, so that they fit in a strip.
        step = (number + 1) // 2 * (1 if number % 2 else -1) * min(BIN, (STRIP - 14) / heights[stack])
        kind = "behind" if ratio > ratios.BEHIND else "ahead"
        made.append(f'<circle class="{kind}" cx="{stack * BIN}" cy="{middle + step:.1f}" r="{RADIUS}"/>')
    return made
