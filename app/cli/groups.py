"""Groups of options for commands: dataclasses with fields that are options or other groups.

A group has typer's own declarations, or those of `base.option`: the records that a recipe is made of are groups as they
are, and their options become those of the command line here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Annotated, Any

import typer

from framebrush.base.option import Declared, declared_in


class UsageError(ValueError):
    """The options contradict each other or cannot be parsed: one sentence with the reason."""


def options_of(group: Callable[..., Any]) -> list[inspect.Parameter]:
    """The options of a function or a group, including those of nested groups."""
    found: list[inspect.Parameter] = []
    for parameter in _parameters_of(group).values():
        found += options_of(parameter.annotation) if _is_group(parameter.annotation) else [parameter]
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in found]


def made(group: Callable[..., Any], given: dict[str, Any]) -> Any:  # noqa: ANN401
    """Call a function, or construct a group, with its options, which are removed from `given`. Raises UsageError,
    ValueError."""
    if _is_group(group) and (declared := declared_in(group)):
        values = {option.field: _value(option, given.pop(option.name)) for option in declared}
        return group(**values)
    taken: dict[str, Any] = {}
    for name, parameter in _parameters_of(group).items():
        inner = parameter.annotation
        taken[name] = made(inner, given) if _is_group(inner) else given.pop(name)
    return group(**taken)


@cache
def _parameters_of(group: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Read once, as many commands share groups: their annotations are texts, and every start would wait for them."""
    if _is_group(group) and (declared := declared_in(group)):
        return {option.name: _parameter(option) for option in declared}
    return inspect.signature(group, eval_str=True).parameters


def _parameter(option: Declared) -> inspect.Parameter:
    """An option of a record as typer takes it."""
    says, words = option.option, option.words
    kind, default, name = option.kind, option.default, f"--{option.spelling}"
    low, high = says.range or (None, None)
    if says.parse is not None:
        kind, default = list[str] | None, None
    elif option.number and words:  # which typer has no type for: see `_value`
        kind, low, high = str | None, None, None
    shown: Any = typer.Option(
        f"{name}/--{option.off}" if kind is bool else name,
        min=low,
        max=high,
        metavar=says.metavar or says.unit.upper() or None,
        help=says.help,
        show_default=says.default or default is not None,
    )
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(option.name, keyword, default=default, annotation=Annotated[kind, shown])


def _value(option: Declared, given: Any) -> Any:  # noqa: ANN401
    """The value of a record's field for what typer read of its option. Raises UsageError, ValueError."""
    if option.option.parse is not None:
        return option.option.parse(given or ())
    if not (option.number and option.words) or given is None or given in option.words:
        return given
    try:
        return option.number(given)
    except ValueError:
        words = f"{', '.join(option.words)}, or a number such as 3"
        raise UsageError(f"--{option.spelling} {given}: give {words}") from None


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
