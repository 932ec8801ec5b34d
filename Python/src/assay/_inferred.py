"""Rules that are inferred from tables."""

from __future__ import annotations

from html import escape

from ._errors import printable
from ._rules import Rules


class Inferred:
    """Rules that were inferred from a table, with the evidence for each rule.

    >>> import assay
    >>> inferred = assay.infer({"id": [1, 2, 3], "mail": ["anna@example.org", "bo@example.org", "cy@example.org"]})
    >>> inferred.rules
    <assay.Rules id, mail>
    >>> print(inferred.text.partition("fields:")[2])                      # doctest: +ELLIPSIS
    <BLANKLINE>
      - name: id
        type: integer  # all 3 values fit
    ...
    """

    def __init__(self, text: str):
        #: The rules as YAML with comments.
        self.text = text

    @property
    def rules(self) -> Rules:
        return Rules.parse(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        head = ", ".join(printable(line) for line in self.text.splitlines()[1:2]).removeprefix("# ")
        return f"<assay.Inferred {head}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"
