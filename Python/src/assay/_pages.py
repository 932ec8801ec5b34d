"""A report of a checked table as a page: one file without scripts and without values of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from . import _native
from ._errors import printable
from ._report import Report

#: Maximum numbers of rules and findings on the page.
MAX_RULES, MAX_FINDINGS = 80, 50

_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}
th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884;vertical-align:top}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
h1{font-size:2rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 0}
.bad{color:light-dark(#b42318,#ff8f82)}.good{color:light-dark(#176c3d,#6bd39a)}
"""


def page(report: Report, thresholds: Sequence[dict[str, Any]], findings: Iterable[Any], name: str) -> str:
    """Returns an HTML page.

    :param findings: the first findings, in the order of the records.
    :param name: the name of the table, for the title.
    """
    share = 100 * report.rejected / report.records if report.records else 0.0
    color = "bad" if report.rejected else "good"
    counts = [count for count in report.rules if count.failed + count.undecided > 0]
    counts.sort(key=lambda count: -(count.failed + count.undecided))
    rules = [(count.column or "", count.rule, count.severity, f"{count.failed:,}", f"{count.undecided:,}")
             for count in counts[:MAX_RULES]]
    limits = [(f"{one['of']} {one['name'] or ''}", _bound(one), f"{one['measured']:,}",
               "exceeded" if one["exceeded"] else "met") for one in thresholds]
    shown = [(f"{finding.record:,}", finding.column or "", finding.rule, finding.message) for finding in findings]
    title = f"{name}: {share:.2f} % rejected"
    parts = [
        f"<h1 class='{color}'>{share:.2f} %</h1>",
        f"<p>{report.rejected:,} of {report.records:,} records are rejected.</p>",
        _section("Rules", ("column", "rule", "severity", "#failed", "#undecided"), rules, len(counts) - len(rules)),
        _section("Thresholds", ("of", "bound", "#measured", "state"), limits),
        _section("First findings", ("#record", "column", "rule", "message"), shown, report.findings - len(shown)),
    ]
    return (
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<meta name='generator' content='assay {escape(_native.release)}'>\n"
        f"<title>{_shown(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<p>{_shown(name)}</p>\n"
        + "\n".join(filter(None, parts)) + "\n</body>\n</html>\n"
    )


def _bound(threshold: dict[str, Any]) -> str:
    return f"at most {threshold['max']}" if threshold["max"] is not None else f"at least {threshold['min']}"


def _section(title: str, names: Sequence[str], rows: Sequence[Sequence[str]], others: int = 0) -> str:
    """Returns a titled table, or an empty text for no rows. A number sign precedes the names of numeric columns."""
    if not rows:
        return ""
    kinds = [" class='number'" if name.startswith("#") else "" for name in names]
    head = "".join(f"<th{kind}>{name.removeprefix('#')}</th>" for name, kind in zip(names, kinds))
    body = "\n".join("<tr>" + "".join(f"<td{kind}>{_shown(text)}</td>" for text, kind in zip(row, kinds)) + "</tr>"
                     for row in rows)
    more = f"<p>and {others:,} more</p>" if others > 0 else ""
    return f"<h2>{title}</h2>\n<table>\n<tr>{head}</tr>\n{body}\n</table>{more}"


def _shown(text: str) -> str:
    return escape(printable(text))
