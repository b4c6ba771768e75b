"""Let commands take groups of options: dataclasses whose fields are options or other groups."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any


class UsageError(ValueError):
    """The options contradict each other or cannot be parsed: one sentence with the reason."""


def options_of(group: Callable[..., Any]) -> list[inspect.Parameter]:
    """The options of a function or a group, including those of nested groups."""
    found: list[inspect.Parameter] = []
    for parameter in _parameters_of(group).values():
        found += options_of(parameter.annotation) if _is_group(parameter.annotation) else [parameter]
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in found]


def made(group: Callable[..., Any], given: dict[str, Any]) -> Any:  # noqa: ANN401
    """Call a function, or construct a group, with its options, which are removed from `given`."""
    taken: dict[str, Any] = {}
    for name, parameter in _parameters_of(group).items():
        inner = parameter.annotation
        taken[name] = made(inner, given) if _is_group(inner) else given.pop(name)
    return group(**taken)


@cache
def _parameters_of(group: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Read once, as many commands share groups: their annotations are texts, and every start would wait for them."""
    return inspect.signature(group, eval_str=True).parameters


def _is_group(annotation: Any) -> bool:  # noqa: ANN401
    return is_dataclass(annotation)


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a command that takes groups look to typer like one that takes their options."""

    def command(**given: Any) -> Any:  # noqa: ANN401
        return made(function, given)

    parameters = options_of(function)
    signed: Any = command
    signed.__name__, signed.__doc__ = function.__name__, function.__doc__
    signed.__signature__ = inspect.Signature(parameters)
    signed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command
