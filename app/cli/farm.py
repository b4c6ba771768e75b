"""`framebrush job`: run a planned job on render farms, segment by segment."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from framebrush.base import signals
from framebrush.base.json_values import JsonError, indented
from framebrush.base.text import count_of, first_line
from framebrush.cli.groups import with_options
from framebrush.cli.job import transcode_job
from framebrush.cli.job_settings import Settings
from framebrush.cli.messages import print_message
from framebrush.cli.option_groups import DeviceName, Source
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.progress import ProgressStyle
from framebrush.jobs.segments.job_folder import JobFolder
from framebrush.jobs.segments.openjd import template
from framebrush.jobs.segments.segmented import plan_folder
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.segment_painter import segment_painter
from framebrush.media.disk import write_file
from framebrush.media.sources.frame_source import file_of
from framebrush.media.video import InputError, OutputError
from framebrush.media.writing.output_plan import check_report

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Jobs for render farms: plan, paint a segment, join."
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the planned job, OUT.framebrush.")]


@app.command()
@with_options
def export(
    *,
    settings: Settings,
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT", help="The painted video.", show_default=False)],
    file: Annotated[
        Path, typer.Argument(metavar="TEMPLATE.json", help="The template to write for the farm.", show_default=False)
    ],
    kind: Annotated[Literal["openjd"], typer.Option("--format", help="Format of the template.")] = "openjd",
) -> None:
    """Plan a job and write a template for a render farm.

    IN and OUT must be on a disk shared by all machines.
    """
    file_of(source)
    check_report(file)
    job = replace(settings.job(), source=source, target=target)
    style = open_job_style(job, print_message)
    with OpenedSource.of(job) as held, open_job_source(job) as opened:
        prepared = prepare(job, style, opened, held)
        for decision in prepared.decisions:
            print_message(decision)
        folder = plan_folder(prepared, opened, on_cpu=job.device == "cpu", say=print_message)
    if folder is None:
        raise OutputError(f"{source} is too short for a farm, or cannot be decoded from an arbitrary frame")
    write_file(file, indented(template(folder)))
    segments = count_of(len(folder.journal.segments), "segment")
    print_message(f"{file}: {segments}; to try it here: openjd run {file} --step Join --run-dependencies")


@app.command("paint")
def paint_segment(
    folder: Folder,
    segment: Annotated[int, typer.Argument(min=0, help="Number of the segment, from 0.")],
    device: DeviceName = "auto",
) -> None:
    """Paint one segment of a planned job, unless it is already complete."""
    planned = _read(folder)
    if segment >= len(planned.journal.segments):
        raise OutputError(f"{folder} has {count_of(len(planned.journal.segments), 'segment')}; numbering starts at 0")
    wanted = planned.journal.segments[segment]
    planned.read_segment(wanted)
    left = planned.unpainted_rest(wanted)
    if left is None:
        print_message(f"segment {segment} is already complete")
        return
    with segment_painter(planned, device, Listener(print_message, ending=signals.ending)) as paint_run:
        paint_run([left])
    frames = sum(len(record.pts) for _, record in planned.parts_of(wanted))
    print_message(f"segment {segment}: {count_of(frames, 'frame')}")


@app.command()
def join(folder: Folder, device: DeviceName = "auto") -> None:
    """Join the segments of a planned job, painting any that are missing."""
    job = replace(_read(folder).journal.job, device=device)
    raise typer.Exit(transcode_job(job, ProgressStyle.NONE, sys.stdout).status)


def _read(folder: Path) -> JobFolder:
    try:
        return JobFolder.read(folder)
    except (OSError, JsonError) as error:
        raise InputError(f"{folder} does not contain the plan of a job ({first_line(error)})") from None
