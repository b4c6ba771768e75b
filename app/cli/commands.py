"""The command line: framebrush transcode, batch, play, frame, bench and train, and the commands that list and check.

Every error becomes one line on stderr and an exit status from `transcode.Status`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.main import get_command

from framebrush.base import signals
from framebrush.cli import cluster, farm, job, opening
from framebrush.cli.input_options import Version
from framebrush.cli.listings import cameras, devices, styles
from framebrush.cli.messages import print_message
from framebrush.cli.opening import opened
from framebrush.cli.options import (
    ColourOptions,
    LookFile,
    Overwrite,
    Painting,
    SizeOptions,
    Source,
    UsageError,
    position,
)
from framebrush.cli.settings import with_options
from framebrush.cli.support import doctor, licences
from framebrush.cli.train import train
from framebrush.gpu.device import Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.spec import OWN_COLOURS, ColourSpec
from framebrush.jobs.transcode import Status
from framebrush.media.live.virtual_camera import NAME as VIRTUAL_CAMERA
from framebrush.media.video import InputError, OutputError, TimeRange
from framebrush.media.writing.plan import OutputOptions, check_folder
from framebrush.models.style import StyleError
from framebrush.styles.files import absolute

app = typer.Typer(
    name="framebrush",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)

TYPER_INTERRUPTED = 130
"""The exit status that typer gives after Ctrl-C."""


@app.callback()
def options(
    gpu_debug: Annotated[bool, typer.Option("--gpu-debug", help="Use the GPU's debug layer, where installed.")] = False,
    gpu_timing: Annotated[
        bool, typer.Option("--gpu-timing", help="Time the stages on the GPU; bench shows it.")
    ] = False,
    gpu_markers: Annotated[
        bool,
        typer.Option("--gpu-markers", help="Name the stages for PIX, RenderDoc and Nsight."),
    ] = False,
    dump_shaders: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every GPU kernel to this folder.")
    ] = None,
    version: Version = False,
) -> None:
    """Paint video with neural style networks, on the GPU from decode to encode."""
    if dump_shaders is not None and not dump_shaders.is_dir():
        raise UsageError(f"--dump-shaders: there is no folder {dump_shaders}; make it first")
    opening.diagnosis = Diagnosis(gpu_debug, gpu_timing, dump_shaders, gpu_markers)


app.command()(job.transcode)
app.command()(job.batch)
app.command()(cluster.worker)
app.add_typer(farm.app, name="job")


@app.command()
@with_options
def frame(
    *,
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT.png", help="The picture.")],
    at: Annotated[str, typer.Option(help="Seconds, hh:mm:ss.mmm, or 123f for a frame.")] = "0",
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
    opened_style = open_job_style(job, print_message)
    with opened(job.device) as device_in_use:
        paint_still(job, opened_style, device_in_use, print_message, save_colours)


@app.command()
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
    """Paint a camera to a virtual camera, which other programs open (extra virtual-camera). Ctrl+C ends it."""
    from framebrush.jobs.live import paint_live

    job = painting.job(source, to)
    with opened(job.device) as device_in_use:
        raise typer.Exit(paint_live(job, device_in_use, print_message))


@app.command()
@with_options
def play(
    *,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[IN]", help="Video file, or a source as for transcode.", show_default=False),
    ] = None,
    style: Annotated[str, typer.Option("--style", "-s", help="Style (default: last used).")] = "",
    device: Annotated[str, typer.Option("--device", "-d", help="Device, as for transcode (default: last used).")] = "",
    sizes: SizeOptions,
    colours: ColourOptions,
    look_file: LookFile = None,
) -> None:
    """Open the window."""
    given = colours.spec()
    palette, palette_from, lut = (text and absolute(text) for text in (given.palette, given.palette_from, given.lut))
    asked = ColourSpec(palette, palette_from, lut, given.lut_first)
    from framebrush.window import run as show
    from framebrush.window.needs import why_no_window

    try:
        raise typer.Exit(
            show(
                source,
                device=device,
                style=absolute(style),
                sizes=sizes.spec(),
                colours=asked if asked != OWN_COLOURS else None,  # None: those used last
                look_file=look_file,
            )
        )
    except ImportError as error:
        raise UsageError(why_no_window(error)) from error


app.command()(styles)
app.command()(devices)
app.command()(cameras)
app.command()(doctor)
app.command()(licences)


@app.command()
@with_options
def bench(
    *,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[IN]", help="Video, as for transcode; synthetic ones if left out.", show_default=False),
    ] = None,
    frames: Annotated[int, typer.Option(min=10, help="Frames in each measurement.")] = 100,
    codec: Annotated[str, typer.Option(help="Encoder, as for transcode.")] = "auto",
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write all figures as JSON, for sharing: no personal data.", show_default=False
        ),
    ] = None,
    painting: Painting,
) -> None:
    """Measure decoding, painting and encoding, separately and together, in one run."""
    from framebrush.bench import STANDARD, measure, printed
    from framebrush.bench_report import report_of

    given = replace(painting.job(), range=TimeRange(frames=frames), output=OutputOptions(codec))
    if report is not None:
        check_folder(report)
    console, cores = Console(), os.cpu_count() or 1
    opened_style = open_job_style(given, print_message)
    with opened(given.device) as device_in_use:
        found = []
        for one in STANDARD if source is None else (source,):
            found.append(measure(replace(given, source=one), opened_style, device_in_use, frames=frames))
            printed(found[-1], cores, console)
        if report is not None:
            job.write_file(report, report_of(device_in_use, given.style.name, tuple(found)).to_json())
            print_message(f"{report}: attach it to an issue at the project's page; nothing was sent")


app.command()(train)


@cache
def _program() -> Callable[..., Any]:
    """All commands with their options: made once, as a process may run several."""
    return get_command(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; an error becomes one line on stderr."""
    try:
        status = int(_program()(args=arguments, prog_name="framebrush", standalone_mode=False) or 0)
        if status == TYPER_INTERRUPTED:
            raise KeyboardInterrupt
        return status
    except typer.TyperException as error:
        says = error.format_message()  # empty if the help was shown instead of running a command
        return _failed(f"{says} (see framebrush --help)", Status.USAGE) if says else Status.USAGE
    except (InputError, OutputError, DeviceError, StyleError, ValueError) as error:
        return _failed(error, Status.of(error))
    except (KeyboardInterrupt, typer.Abort):
        return _failed(signals.interrupted_words(), Status.INTERRUPTED)
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):  # out of memory
            raise
        return _failed("not enough memory; use --max-size, or --tile with a small number", Status.USAGE)


def _failed(error: object, status: Status) -> int:
    if signals.asked():
        error, status = signals.interrupted_words(), Status.INTERRUPTED
    print_message(f"framebrush: {error}")
    return status
