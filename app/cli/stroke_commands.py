"""Commands that read a painting's strokes."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from framebrush.base.text import count_of, data_size
from framebrush.cli.death import check_alive
from framebrush.cli.groups import with_options
from framebrush.cli.messages import console, print_message
from framebrush.cli.option_groups import (
    At,
    Encoding,
    End,
    FrameCount,
    Overwrite,
    Painting,
    ProgressOption,
    Source,
    Start,
    number_of,
    position,
)
from framebrush.jobs.progress import ProgressStyle, shown
from framebrush.jobs.transcode import Listener
from framebrush.media.video import TimeRange
from framebrush.media.writing.output_plan import OutputOptions


@with_options
def strokes(
    *,
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT", help="The strokes: .svg, .json, or .jsonl for a range.")],
    at: At = "0",
    end: Annotated[
        str | None, typer.Option(help="End of a range (exclusive), written like --at.", show_default=False)
    ] = None,
    frames: FrameCount = None,
    overwrite: Overwrite = False,
    painting: Painting,
) -> None:
    """Write the strokes of a painted frame as vectors, or of a range as JSON lines."""
    from framebrush.jobs.stroke_files import LINES, write_strokes

    is_one = end is None and frames is None and Path(target).suffix.lower() != LINES
    only = 1 if is_one else frames
    place = TimeRange(position(at), position(end), only)
    job = replace(painting.job(source, target), range=place, output=OutputOptions(overwrite=overwrite))
    check_alive(job.source, job.target)
    raise typer.Exit(write_strokes(job, print_message))


@with_options
def reveal(
    *,
    source: Source,
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The time-lapse: any output of transcode, such as .mp4, .webp or .gif.")
    ],
    at: At = "0",
    seconds: Annotated[str, typer.Option(help="Length of the time-lapse.")] = "20",
    fps: Annotated[
        str | None,
        typer.Option(metavar="FPS", help="Frames per second; the film's by default.", show_default=False),
    ] = None,
    start: Annotated[str | None, typer.Option(help="Begin at this point of the time-lapse, written like --at.")] = None,
    end: End = None,
    frames: FrameCount = None,
    transparent: Annotated[
        bool, typer.Option("--transparent", help="Leave the bare canvas transparent (.mov, .webp, %04d.png).")
    ] = False,
    encoding: Encoding,
    overwrite: Overwrite = False,
    progress: ProgressOption = ProgressStyle.AUTO,
    painting: Painting,
) -> None:
    """Paint one frame stroke by stroke, as a time-lapse that ends with the painted frame."""
    from framebrush.jobs.reveal import RevealSpec, write_reveal

    output = encoding.output(overwrite=overwrite)
    job = replace(painting.job(source, target), range=TimeRange(position(at), frames=1), output=output)
    spec = RevealSpec(
        job=job,
        seconds=number_of("seconds", seconds),
        rate=None if fps is None else number_of("fps", fps),
        span=TimeRange(position(start), position(end), frames),
        transparent=transparent,
    )
    check_alive(job.source, job.target)
    with shown(progress, console, sys.stdout) as on_progress:
        result = write_reveal(spec, Listener(print_message, on_progress))
    print_message(f"{result.path}: {count_of(result.frames, 'frame')}, {data_size(result.bytes)}")


@with_options
def layers(
    *,
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT.####.exr", help="Numbered EXR files, one for each frame.")],
    start: Start = None,
    end: End = None,
    frames: FrameCount = None,
    overwrite: Overwrite = False,
    progress: ProgressOption = ProgressStyle.AUTO,
    painting: Painting,
) -> None:
    """Write painted frames as layered EXR files for compositors (needs the extra: layers)."""
    from framebrush.jobs.layers import write_layers

    span = TimeRange(position(start), position(end), frames)
    job = replace(painting.job(source, target), range=span, output=OutputOptions(overwrite=overwrite))
    check_alive(job.source, job.target)
    with shown(progress, console, sys.stdout) as on_progress:
        result = write_layers(job, Listener(print_message, on_progress))
    print_message(f"{result.first}: {count_of(result.frames, 'frame')}, {data_size(result.bytes)}")
    raise typer.Exit(result.status)
