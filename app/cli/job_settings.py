"""Job settings from options or from a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.base.files import read_bounded
from framebrush.base.json_values import JsonError
from framebrush.base.text import first_line
from framebrush.cli.groups import UsageError, options_of
from framebrush.cli.option_groups import Transcoding, may_overwrite
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import InputError

MAX_SPEC_BYTES = 16 << 20
"""Size limit of a job's file."""

ELSEWHERE = ("device", "overwrite", "keep")
"""Options about where and how a job runs, not its result: combined with --spec."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Options of `Transcoding`, with --spec as an alternative."""

    context: typer.Context
    options: Transcoding
    spec: Annotated[
        Path | None, typer.Option("--spec", help="Read the settings from this job file.", show_default=False)
    ] = None

    def job(self) -> JobSpec:
        """Return the job. Raises UsageError, ValueError, InputError."""
        if self.spec is None:
            return self.options.job()
        if PROJECT_SUFFIX in self.context.meta:
            raise UsageError("--spec contains all settings, and so does a project; leave out one of them")
        shared = {parameter.name for parameter in options_of(Transcoding)}.difference(ELSEWHERE)
        for parameter in self.context.command.params:
            if parameter.name in shared and self._is_given(parameter.name):
                raise UsageError(f"--spec contains all settings; leave out {parameter.opts[0]}")
        job = read_spec(self.spec)
        if self._is_given("device"):
            job = replace(job, device=self.options.painting.device)
        overwrite = may_overwrite(self.options.overwrite, self.options.keep, otherwise=job.output.overwrite)
        return replace(job, output=replace(job.output, overwrite=overwrite))

    def _is_given(self, name: str) -> bool:
        return str(self.context.get_parameter_source(name)).endswith("COMMANDLINE")


def read_spec(path: Path) -> JobSpec:
    """Read a job from a file. Raises InputError, JsonError."""
    try:
        return JobSpec.from_json(read_bounded(path, MAX_SPEC_BYTES).decode("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
    except UnicodeDecodeError:
        raise JsonError(f"{path}: the job is not text in UTF-8") from None
    except JsonError as error:
        raise JsonError(f"{path}: {error}") from None
