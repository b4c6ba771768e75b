"""Let commands take the settings of a job: as options, or as a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from framebrush.base.json_values import JsonError
from framebrush.base.text import first_line
from framebrush.cli.groups import UsageError, made, options_of, parameters_of, signed_as
from framebrush.cli.options import Transcoding, may_overwrite
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import InputError

ELSEWHERE = ("device", "restart", "overwrite", "keep")
"""Options about where and how a job runs, not about what it is: they may be combined with --spec."""

SpecFile = Annotated[
    Path | None, typer.Option("--spec", help="Read the settings from this job file.", show_default=False)
]


def with_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Transcoding`, and --spec as an alternative; the job is passed to it as `job`."""
    shared = {parameter.name for parameter in options_of(Transcoding)}
    own = parameters_of(function).values()
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
    return signed_as(command, function, parameters)


def read_spec(path: Path) -> JobSpec:
    """Read the job in a file. Raises InputError, JsonError."""
    try:
        return JobSpec.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
    except UnicodeDecodeError:
        raise JsonError(f"{path}: the job is not text in UTF-8") from None
    except JsonError as error:
        raise JsonError(f"{path}: {error}") from None
