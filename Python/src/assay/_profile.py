"""Profiles of tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from . import _native
from ._errors import printable
from ._progress import ProgressOption, reporting
from ._tables import file_or_table, is_path, opened


class Profile:
    """The profile of a table. It has the type of each column with the count of fitting values, missing and distinct
    counts, lengths, ranges, and value shapes.

    >>> import assay
    >>> profile = assay.profile({"id": [1, 2, 3], "mail": ["anna@example.org", None, "bo@example.org"]})
    >>> profile
    3 records, 2 columns
      id    integer     0 missing  3 different  1 to 3
      mail  email       1 missing  2 different
    >>> profile["mail"]["type"]["format"], profile["mail"]["missing"]
    ('email', 1)
    """

    def __init__(self, text: str):
        self._found: dict[str, Any] = json.loads(text)

    @property
    def records(self) -> int:
        return int(self._found["records"])

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return [column["name"] for column in self._found["columns"]]

    @property
    def likely_key(self) -> str | None:
        """The column that is most likely a key; None: no column is."""
        key: str | None = self._found["likelyKey"]
        return key

    def to_dict(self) -> dict[str, Any]:
        """Returns the profile in the format of ``assay profile --json``."""
        found: dict[str, Any] = json.loads(json.dumps(self._found))
        return found

    def __getitem__(self, column: str) -> dict[str, Any]:
        """Returns the profile of a column in the format of ``assay profile --json``. Raises :class:`KeyError` for an
        unknown column."""
        for found in self._found["columns"]:
            if found["name"] == column:
                return dict(found)
        raise KeyError(f"there is no column {column!r}; there are {printable(', '.join(self.columns))}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def _rows(self) -> list[tuple[str, str, int, str, str]]:
        """The name, type, missing count, distinct count and range of each column."""
        rows = []
        for column in self._found["columns"]:
            distinct = f"{'' if column['distinct']['exact'] else '~'}{column['distinct']['count']:,}"
            spread = column["numbers"] or {}
            span = f"{spread['minimum']:g} to {spread['maximum']:g}" if spread else ""
            if column["type"].get("first"):
                span = f"{column['type']['first']} to {column['type']['last']}"
            rows.append((printable(column["name"]), _type_name(column), column["missing"], distinct, span))
        return rows

    def _left_out(self) -> list[str]:
        """The number of records that the profile excludes, by reason."""
        found = self._found
        kinds = (("malformed", found["malformed"]), ("not UTF-8", found["notUTF8"]))
        counts = [f"{count:,} {kind}" for kind, count in kinds if count]
        if not counts:
            return []
        lines = [f"left out: {', '.join(counts)}, first record {found['firstMalformed']:,}"]
        if found["encodingGuess"]:
            lines.append(
                f"those that are not UTF-8 look like {found['encodingGuess']}: encoding={found['encodingGuess']!r}")
        return lines

    def __repr__(self) -> str:
        rows = self._rows()
        lines = [f"{self.records:,} records, {len(rows)} columns", *(f"  {line}" for line in self._left_out())]
        widths = [max((len(str(row[place])) for row in rows), default=0) for place in range(5)]
        for name, kind, missing, distinct, span in rows[:_MAX_ROWS]:
            line = f"  {name:<{widths[0]}}  {kind:<{max(10, widths[1])}}  {missing:>{widths[2]},} missing  "
            lines.append((line + f"{distinct:>{widths[3]}} different  {span}").rstrip())
        if len(rows) > _MAX_ROWS:
            lines.append(f"  and {len(rows) - _MAX_ROWS} columns more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = self._rows()
        heads = ("column", "type", "missing", "different", "range")
        body = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(kind)}</td><td style='text-align:right'>{missing:,}</td>"
            f"<td style='text-align:right'>{escape(distinct)}</td><td>{escape(span)}</td></tr>"
            for name, kind, missing, distinct, span in rows[:_MAX_ROWS]
        )
        if len(rows) > _MAX_ROWS:
            body += f"<tr><td>and {len(rows) - _MAX_ROWS} columns more</td><td></td><td></td><td></td><td></td></tr>"
        caption = "; ".join([f"{self.records:,} records, {len(rows)} columns", *self._left_out()])
        return (
            f"<table><caption>{escape(caption)}</caption><thead><tr>"
            + "".join(f"<th>{head}</th>" for head in heads)
            + f"</tr></thead><tbody>{body}</tbody></table>"
        )


#: Maximum number of columns in the printed form.
_MAX_ROWS = 40


def _type_name(column: dict[str, Any]) -> str:
    kind = column["type"]
    name = kind["format"] or "string" if kind["type"] == "string" else " ".join(
        filter(None, (kind["type"], kind["format"])))
    share = "" if kind["fits"] == kind["of"] else f" {100 * kind['fits'] / kind['of']:.4g} %"
    return printable(name + share)


def look_at(
    look: Callable[..., str],
    data: Any,
    rules: _native.Rules | None,
    values: bool,
    threads: int,
    progress: ProgressOption,
) -> str:
    """Calls ``_native.profile`` or ``_native.infer`` with a file or a table."""
    if is_path(data):
        path, open_table, name = file_or_table(data)
    else:
        path, open_table, name = None, opened(data, is_read_again=look is _native.infer), "table"
    with reporting(progress, "B") as report:
        return look(rules, path, open_table, name, values, threads, report)
