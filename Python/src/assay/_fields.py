"""Rules written in Python, field by field."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from ._checks import Check


class Field:
    """A field of rules. Each method returns a new field with one more requirement; the names are those of rule files.

    Fields are immutable, and any number of threads may use them at once.

    >>> import assay
    >>> rules = assay.Rules.of(
    ...     assay.Field("id").type("integer").required().unique(),
    ...     assay.Field("email").format("email"),
    ...     assay.Field("born").type("date", format="%d.%m.%Y").minimum("01.01.1900"),
    ...     rows=[{"id": "own", "check": "size(email) > 5"}],
    ... )
    >>> rules.check([{"id": 1, "email": "bo", "born": "31.12.1999"}]).reasons
    [['email.format']]
    """

    #: The checks that are Python functions.
    _checks: tuple[Check, ...] = ()

    def __init__(self, name: str, **members: Any):
        """
        Raises :class:`TypeError` if `name` is not a str.

        :param members: other members of a field in rule files, as in ``Field("id", trueValues=["ja"])``.
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of a field is a str, not {type(name).__name__}")
        self._members: dict[str, Any] = {"name": name, **members}

    def to_dict(self) -> dict[str, Any]:
        """Returns the field as a member of a rule file, without the functions of :meth:`check`."""
        return copy.deepcopy(self._members)

    def _with(self, **members: Any) -> Field:
        made = copy.copy(self)
        made._members = self.to_dict() | members
        return made

    def _constrained(self, key: str, value: Any) -> Field:
        return self._with(constraints={**self._members.get("constraints", {}), key: value})

    def type(self, kind: str, *, format: str | None = None, **members: Any) -> Field:
        """Sets the type, such as ``integer``, ``number``, ``date`` or ``boolean``. Dates and times may have a format,
        numbers a ``decimalChar``."""
        return self._with(type=kind, **({} if format is None else {"format": format}), **members)

    def format(self, name: str) -> Field:
        """Sets a built-in type such as ``email``; for dates and times, their format."""
        return self._with(format=name)

    def required(self) -> Field:
        """Requires a value in every row."""
        return self._constrained("required", True)

    def optional(self) -> Field:
        """Allows JSON Lines files in which no record has the field. Without this, such a file is an error."""
        return self._with(optional=True)

    def unique(self) -> Field:
        """Requires distinct values in all rows."""
        return self._constrained("unique", True)

    def sorted(self, order: str = "ascending", *, strict: bool = False) -> Field:
        """Requires that the values are in order, from row to row.

        :param order: ``ascending`` or ``descending``.
        :param strict: whether equal values are out of order.

        >>> import assay
        >>> rules = assay.Rules.of(assay.Field("time").type("time").sorted())
        >>> result = rules.check({"time": ["10:00:00", "10:07:00", "10:05:00", "10:07:00"]})
        >>> [(finding.record, finding.rule, finding.message) for finding in result]
        [(3, 'time.sorted', 'is not in ascending order after record 2')]
        """
        made = self._constrained("sorted", order)
        return made._constrained("strict", True) if strict else made

    def minimum(self, min_value: Any) -> Field:
        return self._constrained("minimum", min_value)

    def maximum(self, max_value: Any) -> Field:
        return self._constrained("maximum", max_value)

    def min_length(self, min_count: int) -> Field:
        return self._constrained("minLength", min_count)

    def max_length(self, max_count: int) -> Field:
        return self._constrained("maxLength", max_count)

    def pattern(self, pattern: str) -> Field:
        """Requires that the whole value matches a PCRE2 pattern."""
        return self._constrained("pattern", pattern)

    def one_of(self, *values: Any) -> Field:
        """Requires one of these values."""
        return self._constrained("enum", list(values))

    def missing(self, *texts: str) -> Field:
        """Sets the texts that mean a missing value."""
        return self._with(missingValues=list(texts))

    def repair(self, *repairs: str | Mapping[str, Any]) -> Field:
        """Adds repairs, such as ``"trim"``, which run before the checks."""
        return self._with(repair=[*self._members.get("repair", []), *repairs])

    def rule(self, **rule: Any) -> Field:
        """Adds a rule with the members of rule files: ``rule(id="short", pattern=".{1,9}", severity="warn")``."""
        return self._with(rules=[*self._members.get("rules", []), rule])

    def check(
        self, function: Callable[[Any], Any], message: str, *, id: str | None = None, severity: str = "reject"
    ) -> Field:
        """Adds a Python function as a rule. It receives the whole column, as an object of the table's library, and
        returns one boolean per value: whether the value is valid. ``None`` makes no statement. Values that fail the
        type or another rule of the field are null in this column, and the answers for null are ignored, as with every
        rule. (Types in which pyarrow cannot replace values, such as ``string_view``, keep these values.)

        Its findings are those of a row rule, without a column. Such rules apply only to tables in memory, in
        :meth:`assay.Rules.check`, ``validate`` and ``check_record``.

        Raises :class:`TypeError` if `function` is not callable.

        :param id: the id of the rule. Default: ``name.function``.

        >>> import assay
        >>> def known(emails):
        ...     return [email in {"anna@example.org"} for email in emails]
        >>> rules = assay.Rules.of(assay.Field("email").format("email").check(known, "nobody has this address"))
        >>> result = rules.check({"email": ["anna@example.org", "bo@example.org", "cy", None]})
        >>> [(finding.record, finding.rule, finding.message) for finding in result]
        [(2, 'email.known', 'nobody has this address'), (3, 'email.format', 'is not an e-mail address: there is no @')]
        """
        if not callable(function):
            raise TypeError(f"a check is a function of a column, not {type(function).__name__}")
        name = self._members["name"]
        own = id or f"{name}.{getattr(function, '__name__', 'check').replace('<lambda>', 'check')}"
        made = copy.copy(self)
        made._checks = (*self._checks, Check(name, function, own, message, severity))
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and (self._members, self._checks) == (other._members, other._checks)

    def __hash__(self) -> int:
        return hash(self._members["name"])

    def __repr__(self) -> str:
        return f"<assay.Field {self._members}>"
