"""The decorator :func:`checked`, which checks the tables of a function."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import BoundArguments, Parameter, iscoroutinefunction, signature
from typing import Any, ParamSpec, TypeVar, cast

from ._rules import Rules

_P = ParamSpec("_P")
_R = TypeVar("_R")
#: Rules, a dict of them, or the path of a rule file.
RulesLike = Rules | Mapping[str, Any] | str | os.PathLike[str]


def rules_like(given: RulesLike) -> Rules:
    if isinstance(given, Rules):
        return given
    return Rules.parse(given) if isinstance(given, Mapping) else Rules.load(given)


def checked(
    returned: RulesLike | None = None, /, *, values: bool = False, **arguments: RulesLike
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Returns a decorator that checks the table arguments and the returned table of a function with
    :meth:`assay.Rules.validate`. The function receives repaired tables, and its caller receives a repaired result. The
    function may be an ``async def``; the checks then run on the thread of the event loop.

    Raises :class:`assay.ValidationError` for a table with rejected rows.

    :param returned: the rules of the returned table: rules, a dict, or the path of a rule file.
    :param values: whether messages show the values of the tables.
    :param arguments: the rules of the arguments, by name. An argument that is ``None`` is not checked.

    >>> import assay
    >>> ids = assay.Rules.parse("fields: [{name: id, type: integer}]")
    >>> @assay.checked(ids, users=ids)
    ... def doubled(users):
    ...     return {"id": users["id"] * 2}
    >>> doubled({"id": ["1"]})
    {'id': ['1', '1']}
    >>> doubled({"id": ["1", "x"]})
    Traceback (most recent call last):
        ...
    assay.ValidationError: the argument 'users' of doubled: 1 of 2 records is rejected
      id.type  1  is not an integer (record 2)
    """
    rules_of = {name: rules_like(rules) for name, rules in arguments.items()}
    rules_returned = None if returned is None else rules_like(returned)

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        taken = signature(function)
        for name in rules_of:
            if name not in taken.parameters or taken.parameters[name].kind in (
                    Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
                raise TypeError(f"{function.__name__} has no argument {name!r}: {', '.join(taken.parameters)}")

        def checked_arguments(*args: Any, **kwargs: Any) -> BoundArguments:
            bound = taken.bind(*args, **kwargs)
            for name, rules in rules_of.items():
                if bound.arguments.get(name) is not None:
                    what = f"the argument {name!r} of {function.__name__}"
                    bound.arguments[name] = rules.validate(bound.arguments[name], values=values, what=what)
            return bound

        def checked_result(result: Any) -> Any:
            if rules_returned is None:
                return result
            return rules_returned.validate(result, values=values, what=f"what {function.__name__} returned")

        if iscoroutinefunction(function):

            @wraps(function)
            async def call_later(*args: _P.args, **kwargs: _P.kwargs) -> Any:
                bound = checked_arguments(*args, **kwargs)
                return checked_result(await function(*bound.args, **bound.kwargs))

            return cast("Callable[_P, _R]", call_later)

        @wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            bound = checked_arguments(*args, **kwargs)
            result: _R = checked_result(function(*bound.args, **bound.kwargs))
            return result

        return call

    return decorate
