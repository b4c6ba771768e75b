"""Commands that paint other things than videos."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from framebrush.cli.death import check_alive
from framebrush.cli.device_opening import opened
from framebrush.cli.groups import with_options
from framebrush.cli.messages import check_printed, print_message
from framebrush.cli.option_groups import At, Overwrite, Painting, Source, position
from framebrush.jobs.prepare import open_job_style
from framebrush.media.disk import write_file
from framebrush.media.live.virtual_camera import NAME as VIRTUAL_CAMERA
from framebrush.media.video import TimeRange
from framebrush.media.writing.output_plan import OutputOptions, check_report


@with_options
def frame(
    *,
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT.png", help="The painted picture.")],
    at: At = "0",
    save_colours: Annotated[
        Path | None,
        typer.Option(metavar="FILE.cube", help="Also write the colour table (LUT) that was used.", show_default=False),
    ] = None,
    overwrite: Overwrite = False,
    painting: Painting,
) -> None:
    """Paint one frame of a video as a PNG."""
    from framebrush.jobs.still import paint_still

    place, output = TimeRange(position(at), frames=1), OutputOptions(overwrite=overwrite)
    job = replace(painting.job(source, target), range=place, output=output)
    check_alive(job.source, job.target)
    opened_style = open_job_style(job, print_message)
    with opened(job.device) as device_in_use:
        paint_still(job, opened_style, device_in_use, print_message, save_colours)


@with_options
def live(
    *,
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A camera, such as camera:0, or a live test source: live:testsrc2.")
    ],
    to: Annotated[
        str, typer.Option(metavar="virtual[:DEVICE]", help="The virtual camera; the first one if none is named.")
    ] = VIRTUAL_CAMERA,
    painting: Painting,
) -> None:
    """Paint a camera into a virtual camera (needs the extra: virtual-camera).

    Stop with Ctrl-C.
    """
    from framebrush.jobs.live_job import paint_live

    job = painting.job(source, to)
    with opened(job.device) as device_in_use:
        raise typer.Exit(paint_live(job, device_in_use, print_message))


@with_options
def bench(
    *,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[IN]", help="Video, as for transcode; by default generated ones.", show_default=False),
    ] = None,
    frames: Annotated[int, typer.Option(min=10, help="Frames in each measurement.")] = 100,
    codec: Annotated[str, typer.Option(help="Encoder, as for transcode.")] = "auto",
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write all figures as JSON without personal data, for sharing.", show_default=False
        ),
    ] = None,
    painting: Painting,
) -> None:
    """Measure decoding, painting and encoding, separately and together, in one run."""
    from framebrush.machine.bench import STANDARD, measure, printed
    from framebrush.machine.bench_report import report_of

    given = replace(painting.job(), range=TimeRange(frames=frames), output=OutputOptions(codec))
    if report is not None:
        check_report(report)
    console, cores = Console(), os.cpu_count() or 1
    opened_style = open_job_style(given, print_message)
    with opened(given.device) as device_in_use:
        found = []
        for one in STANDARD if source is None else (source,):
            measured = measure(replace(given, source=one), opened_style, device_in_use, frames=frames)
            printed(measured, cores, console)
            found.append(measured)
        check_printed()
        if report is not None:
            write_file(report, report_of(device_in_use, given.style.name, tuple(found)).to_json())
            print_message(f"{report}: attach it to an issue at the project's page; nothing was sent")
