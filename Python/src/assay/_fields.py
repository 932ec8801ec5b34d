"""Rules written in Python, field by field."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from ._checks import Check


class Field:
    """A field of rules. Each call gives a new one, with one thing more to ask of its values; the names are those of rule files.

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

    #: The checks that are functions.
    _checks: tuple[Check, ...] = ()

    def __init__(self, name: str, **members: Any):
        """
        :param members: what rule files have besides, as in ``Field("id", trueValues=["ja"])``.
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of a field is a str, not {type(name).__name__}")
        self._members: dict[str, Any] = {"name": name, **members}

    def to_dict(self) -> dict[str, Any]:
        """The field as a rule file has it: without :meth:`check`, which no file can have."""
        return copy.deepcopy(self._members)

    def _with(self, **members: Any) -> Field:
        made = copy.copy(self)
        made._members = self.to_dict() | members
        return made

    def _constrained(self, key: str, value: Any) -> Field:
        return self._with(constraints={**self._members.get("constraints", {}), key: value})

    def type(self, kind: str, *, format: str | None = None, **members: Any) -> Field:
        """``integer``, ``number``, ``date``, ``boolean`` and others; dates and times with their format, numbers with ``decimalChar``."""
        return self._with(type=kind, **({} if format is None else {"format": format}), **members)

    def format(self, name: str) -> Field:
        """A built-in type such as ``email``; of dates and times how they are written."""
        return self._with(format=name)

    def required(self) -> Field:
        """There is a value in every row."""
        return self._constrained("required", True)

    def optional(self) -> Field:
        """All records of JSON Lines may be without the field. Otherwise a field that no record has is an error there."""
        return self._with(optional=True)

    def unique(self) -> Field:
        """No two rows have the same value."""
        return self._constrained("unique", True)

    def minimum(self, least: Any) -> Field:
        return self._constrained("minimum", least)

    def maximum(self, most: Any) -> Field:
        return self._constrained("maximum", most)

    def min_length(self, least: int) -> Field:
        return self._constrained("minLength", least)

    def max_length(self, most: int) -> Field:
        return self._constrained("maxLength", most)

    def pattern(self, pattern: str) -> Field:
        """The whole value matches a pattern of PCRE2."""
        return self._constrained("pattern", pattern)

    def one_of(self, *values: Any) -> Field:
        """The value is one of these."""
        return self._constrained("enum", list(values))

    def missing(self, *texts: str) -> Field:
        """Texts that mean that there is no value."""
        return self._with(missingValues=list(texts))

    def repair(self, *repairs: str | Mapping[str, Any]) -> Field:
        """What is made of values before they are judged, such as ``"trim"``."""
        return self._with(repair=[*self._members.get("repair", []), *repairs])

    def rule(self, **rule: Any) -> Field:
        """One more rule, as rule files have it: ``rule(id="short", pattern=".{1,9}", severity="warn")``."""
        return self._with(rules=[*self._members.get("rules", []), rule])

    def check(
        self, function: Callable[[Any], Any], message: str, *, id: str | None = None, severity: str = "reject"
    ) -> Field:
        """A function of the whole column, as its library has it, that gives a boolean for each value: whether it is good. ``None``: it does
        not say. As with every rule, a value that is missing, or that fails the type and the other rules of the field, has no use for
        its answer.

        Its findings are those of a row rule, with no column. Such rules are asked of tables in memory, by :meth:`assay.Rules.check`,
        ``validate`` and ``check_record``.

        :param id: what the rule is called: ``name.function``, unless it is given.

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
