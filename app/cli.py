"""The command line: framebrush transcode, batch, play, frame, bench, train and what lists and checks what is here.

Every error is one line on stderr and an exit status, those of `transcode.Status`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from framebrush import cli_cluster, cli_farm, cli_job, cli_opening, signals
from framebrush.cli_opening import load, opened
from framebrush.cli_options import (
    LookFile,
    Lut,
    LutFirst,
    MaxSize,
    Overwrite,
    PaletteFrom,
    PaletteName,
    Size,
    Source,
    Stroke,
    UsageError,
    position,
    stroke_size,
)
from framebrush.cli_settings import painting, with_options
from framebrush.gpu.device import Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.input_options import Version
from framebrush.jobs.spec import OWN_COLOURS, ColourSpec, JobSpec, SizeSpec
from framebrush.listings import cameras, devices, styles
from framebrush.media.plan import OutputOptions
from framebrush.media.video import InputError, OutputError, TimeRange
from framebrush.messages import print_message
from framebrush.models.style import StyleError
from framebrush.style_files import absolute
from framebrush.support import doctor, licences
from framebrush.train import train
from framebrush.transcode import Status

app = typer.Typer(
    name="framebrush",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)

TYPER_INTERRUPTED = 130
"""What typer makes of Ctrl-C."""


@app.callback()
def options(
    gpu_debug: Annotated[bool, typer.Option("--gpu-debug", help="Use the GPU's debug layer, where installed.")] = False,
    gpu_timing: Annotated[
        bool, typer.Option("--gpu-timing", help="Time the stages on the GPU; bench shows it.")
    ] = False,
    dump_shaders: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every GPU kernel there.")] = None,
    version: Version = False,
) -> None:
    """Paint video with neural style networks, on the GPU from decode to encode."""
    if dump_shaders is not None and not dump_shaders.is_dir():
        raise UsageError(f"--dump-shaders: there is no folder {dump_shaders}; make it first")
    cli_opening.diagnosis = Diagnosis(gpu_debug, gpu_timing, dump_shaders)


app.command()(cli_job.transcode)
app.command()(cli_job.batch)
app.command()(cli_cluster.worker)
app.add_typer(cli_farm.app, name="job")


@app.command()
@with_options("job", painting)
def frame(
    *,
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT.png", help="The picture.")],
    at: Annotated[str, typer.Option(help="Seconds, hh:mm:ss.mmm, or 123f for a frame.")] = "0",
    save_colours: Annotated[
        Path | None,
        typer.Option(metavar="FILE.cube", help="Write the table of colours that was used.", show_default=False),
    ] = None,
    overwrite: Overwrite = False,
    job: JobSpec,
) -> None:
    """Paint one frame of a video as a PNG."""
    from framebrush.still import paint_still

    place, output = TimeRange(position(at), frames=1), OutputOptions(overwrite=overwrite)
    job = replace(job, source=source, target=target, range=place, output=output)
    opened_style = load(job)
    with opened(job.device) as device_in_use:
        paint_still(job, opened_style, device_in_use, print_message, save_colours)


@app.command()
def play(
    source: Annotated[
        str | None,
        typer.Argument(metavar="[IN]", help="Video file, or a source as for transcode.", show_default=False),
    ] = None,
    style: Annotated[str, typer.Option("--style", "-s", help="Style (default: last used).")] = "",
    device: Annotated[str, typer.Option("--device", "-d", help="Device, as for transcode (default: last used).")] = "",
    stroke: Stroke = "auto",
    size: Size = None,
    max_size: MaxSize = None,
    palette: PaletteName = None,
    palette_from: PaletteFrom = None,
    lut: Lut = None,
    lut_first: LutFirst = False,
    look_file: LookFile = None,
) -> None:
    """Open the window."""
    sizes = SizeSpec(stroke_size(stroke), size, max_size)
    palette, palette_from, lut = (text and absolute(text) for text in (palette, palette_from, lut))
    asked = ColourSpec(palette, palette_from, lut, lut_first)
    colours = asked if asked != OWN_COLOURS else None  # those used last
    from framebrush.window import run as show
    from framebrush.window.needs import why_no_window

    try:
        raise typer.Exit(
            show(source, device=device, style=absolute(style), sizes=sizes, colours=colours, look_file=look_file)
        )
    except ImportError as error:
        raise UsageError(why_no_window(error)) from error


app.command()(styles)
app.command()(devices)
app.command()(cameras)
app.command()(doctor)
app.command()(licences)


@app.command()
@with_options("job", painting)
def bench(
    *,
    source: Source,
    frames: Annotated[int, typer.Option(min=10, help="Frames in each measurement.")] = 100,
    codec: Annotated[str, typer.Option(help="Encoder, as for transcode.")] = "auto",
    job: JobSpec,
) -> None:
    """Measure decode, paint and encode alone and together, in one run."""
    from framebrush.bench import measure

    job = replace(job, source=source, range=TimeRange(frames=frames), output=OutputOptions(codec))
    opened_style = load(job)
    with opened(job.device) as device_in_use:
        measure(job, opened_style, device_in_use, frames=frames, console=Console())


app.command()(train)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status; errors become one line on stderr."""
    try:
        status = int(app(args=arguments, prog_name="framebrush", standalone_mode=False) or 0)
        if status == TYPER_INTERRUPTED:
            raise KeyboardInterrupt
        return status
    except typer.TyperException as error:
        says = error.format_message()  # nothing where the help was shown in place of a command
        return _failed(f"{says} (see framebrush --help)", Status.USAGE) if says else Status.USAGE
    except (InputError, OutputError, DeviceError, StyleError, ValueError) as error:
        return _failed(error, Status.of(error))
    except (KeyboardInterrupt, typer.Abort):
        return _failed(signals.interrupted_words(), Status.INTERRUPTED)
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):  # what Python says of no memory
            raise
        return _failed("not enough memory; use --max-size, or --tile with a small number", Status.USAGE)


def _failed(error: object, status: Status) -> int:
    if signals.asked():
        error, status = signals.interrupted_words(), Status.INTERRUPTED
    print_message(f"framebrush: {error}")
    return status
