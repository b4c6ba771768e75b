"""Groups of command-line options as nested dataclasses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Annotated, Any

import typer

from framebrush.base.option import Declared, declared_in


class UsageError(ValueError):
    """Options that contradict each other or cannot be parsed."""


def options_of(group: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the options of a function or group, with nested ones."""
    found: list[inspect.Parameter] = []
    for parameter in _parameters_of(group).values():
        found += options_of(parameter.annotation) if _is_group(parameter.annotation) else [parameter]
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in found]


def made(group: Callable[..., Any], given: dict[str, Any]) -> Any:  # noqa: ANN401
    """Call a function or group with options, and remove them. Raises UsageError, ValueError."""
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
    # cached: commands share groups, and resolving annotations slows every start
    if _is_group(group) and (declared := declared_in(group)):
        return {option.name: _parameter(option) for option in declared}
    return inspect.signature(group, eval_str=True).parameters


def _parameter(option: Declared) -> inspect.Parameter:
    says, words = option.option, option.words
    kind, default, name = option.kind, option.default, f"--{option.spelling}"
    low, high = says.range or (None, None)
    if says.parse is not None:
        kind, default = list[str] | None, None
    elif option.number and words:  # typer has no type for this: see `_value`
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
    """Give a command the signature that typer needs."""

    def command(**given: Any) -> Any:  # noqa: ANN401
        return made(function, given)

    parameters = options_of(function)
    signed: Any = command
    signed.__name__, signed.__doc__ = function.__name__, function.__doc__
    signed.__signature__ = inspect.Signature(parameters)
    signed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command
