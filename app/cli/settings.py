"""Let commands take groups of options: dataclasses whose fields are options or other groups."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from framebrush.base.text import first_line
from framebrush.cli.options import Transcoding, UsageError, may_overwrite
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import InputError

ELSEWHERE = ("device", "restart", "overwrite", "keep")
"""Options about where and how a job runs, not about what it is: they may be combined with --spec."""

SpecFile = Annotated[
    Path | None, typer.Option("--spec", help="Read the settings from this job file.", show_default=False)
]


def options_of(group: Callable[..., Any]) -> list[inspect.Parameter]:
    """The options of a function or a group, including those of nested groups."""
    found: list[inspect.Parameter] = []
    for parameter in _parameters(group).values():
        found += options_of(parameter.annotation) if _is_group(parameter.annotation) else [parameter]
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in found]


def made(group: Callable[..., Any], given: dict[str, Any]) -> Any:  # noqa: ANN401
    """Call a function, or construct a group, with its options, which are removed from `given`."""
    taken: dict[str, Any] = {}
    for name, parameter in _parameters(group).items():
        inner = parameter.annotation
        taken[name] = made(inner, given) if _is_group(inner) else given.pop(name)
    return group(**taken)


@cache
def _parameters(group: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Read once, as many commands share groups: their annotations are texts, and every start would wait for them."""
    return inspect.signature(group, eval_str=True).parameters


def _is_group(annotation: Any) -> bool:  # noqa: ANN401
    return is_dataclass(annotation)


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a command that takes groups look to typer like one that takes their options."""

    def command(**given: Any) -> Any:  # noqa: ANN401
        return made(function, given)

    return _signed(command, function, options_of(function))


def with_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Transcoding`, and --spec as an alternative; the job is passed to it as `job`."""
    shared = {parameter.name for parameter in options_of(Transcoding)}
    own = _parameters(function).values()
    context_first = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    spec_last = inspect.Parameter("spec", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=SpecFile)

    def command(context: typer.Context, spec: Path | None, **given: Any) -> None:  # noqa: ANN401
        options = {name: given.pop(name) for name in shared}
        if spec is None:
            job = made(Transcoding, options).job()
        else:

            def given_here(name: str) -> bool:
                return str(context.get_parameter_source(name)).endswith("COMMANDLINE")

            for parameter in context.command.params:
                name = parameter.name or ""
                if name in shared and name not in ELSEWHERE and given_here(name):
                    raise UsageError(f"--spec contains all settings; leave out {parameter.opts[0]}")
            job = read_spec(spec)
            if given_here("device"):
                job = replace(job, device=options["device"])
            overwrite = may_overwrite(options["overwrite"], options["keep"], otherwise=job.output.overwrite)
            job = replace(job, output=replace(job.output, overwrite=overwrite))
        function(job=job, **given)

    parameters: list[inspect.Parameter] = []
    for parameter in own:
        instead = [context_first, *options_of(Transcoding), spec_last]
        parameters += instead if parameter.name == "job" else [parameter]
    return _signed(command, function, parameters)


def _signed(
    command: Callable[..., Any], of: Callable[..., Any], parameters: list[inspect.Parameter]
) -> Callable[..., Any]:
    """Give a function the name and the help of another one, and other parameters, for typer."""
    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    signed: Any = command
    signed.__name__, signed.__doc__ = of.__name__, of.__doc__
    signed.__signature__ = inspect.Signature(parameters)
    signed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def read_spec(path: Path) -> JobSpec:
    """Read the job in a file. Raises InputError, JsonError."""
    try:
        return JobSpec.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
