"""The class :class:`Budget`, which limits the work of one call."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native


@dataclass(frozen=True)
class Budget:
    """The limits of one check. Rows beyond a limit are undecided: they are rejected with a finding of the rule
    ``budget``, and counted in ``result.over_budget``.

    :param work: the maximum number of ticks, which are counted, not timed. A tick is nominally a nanosecond of one
        processor: a byte of a value costs 1 to 16 ticks per rule, a step of a row rule 64, and the automaton of a
        pattern, which is built once, about 100,000 to 10 million. With one thread, a repeated check leaves the same
        rows undecided.
    :param memory: the maximum bytes of the values that row rules need at the same time, and of repaired columns.
    :param seconds: the maximum duration, as a last resort, because the undecided rows then depend on the machine.

    >>> import assay
    >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    >>> result = rules.check({"id": ["1", "x"] * 1000}, budget=assay.Budget(work=1_000_000, seconds=5))
    >>> result.over_budget
    0
    >>> rules.check({"id": ["1", "x"] * 1000}, budget=assay.Budget(work=10)).over_budget
    2000
    """

    work: int | None = None
    memory: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("work", "memory", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} of a budget is greater than 0, or None for no bound, not {value}")


def within(budget: Budget | None, rules: _native.Rules) -> _native.Rules:
    """Returns the same rules with limits for all their checks together."""
    if budget is None:
        return rules
    if not isinstance(budget, Budget):
        raise TypeError(f"a budget is an assay.Budget, not {type(budget).__name__}")
    limit = (1 << 63) - 1
    numbers = (budget.work or 0, budget.memory or 0, int((budget.seconds or 0) * 1e9) or (budget.seconds is not None))
    return rules.with_budget(*(min(int(number), limit) for number in numbers))
