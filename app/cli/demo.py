"""`framebrush demo`: paint the bundled film in three looks."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from framebrush import sample
from framebrush.cli.job import transcode_job
from framebrush.cli.option_groups import DeviceName, Overwrite, ProgressOption
from framebrush.jobs.keyframes import STYLE, Key, Track
from framebrush.jobs.progress import ProgressStyle
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import Position
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec

PAINTINGS = ("starry-night", "great-wave", "scream")
"""One painting per shot, all from one network."""

UNCOVERED_FRAMES = 30
"""Frames over which each shot is wiped from source to painting."""

OWN_COLOURS_FRAMES = 45, 60
"""Frames of a shot over which people regain their own colours, before the background does not."""

MAX_SIZE_PX = 640
"""Longest side of the result: two processor cores paint it in about a minute."""


def demo_job(target: str, device: str = "auto", *, overwrite: bool = False) -> JobSpec:
    """Return the job of the demo."""
    split = [
        key
        for first in sample.SHOTS
        for key in (Key(Position.of_frame(first), 1.0), Key(Position.of_frame(first + UNCOVERED_FRAMES), 0.0, "hold"))
    ]
    shots = [Key(Position.of_frame(first), name, "hold") for first, name in zip(sample.SHOTS, PAINTINGS, strict=True)]
    people = [
        key
        for first in sample.PEOPLE
        for key in (
            Key(Position.of_frame(first), 0.0, "hold"),
            Key(Position.of_frame(first + OWN_COLOURS_FRAMES[0]), 0.0),
            Key(Position.of_frame(first + OWN_COLOURS_FRAMES[1]), 1.0, "hold"),
        )
    ]
    people += [Key(Position.of_frame(first), 0.0, "hold") for first in sample.SHOTS if first not in sample.PEOPLE]
    people.sort(key=lambda key: key.at.value)
    return JobSpec(
        str(sample.PATH),
        target,
        Recipe(
            StyleSpec(PAINTINGS[0]),
            sizes=SizeSpec(max_size=MAX_SIZE_PX),
            keys=(Track("split", tuple(split)), Track("film_inside", tuple(people)), Track(STYLE, tuple(shots))),
        ),
        output=OutputOptions(overwrite=overwrite),
        device=device,
    )


def demo(
    *,
    target: Annotated[str, typer.Argument(metavar="[OUT]", help="The painted film.")] = "framebrush-demo.mp4",
    device: DeviceName = "auto",
    overwrite: Overwrite = False,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Paint the film that comes with the program in three looks."""
    job = demo_job(target, device, overwrite=overwrite)
    raise typer.Exit(transcode_job(job, progress, sys.stdout).status)
