"""The command line: framebrush transcode | frame | play | styles | devices | bench | train | doctor | licences.

Every error is one line on stderr and an exit status, those of `transcode.Status`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from framebrush import signals
from framebrush.cli_options import (
    AudioChoice,
    Curve,
    DeviceName,
    Dither,
    Exposure,
    Keep,
    KeepColours,
    LookFile,
    Map,
    MaxSize,
    NetInput,
    NetLayout,
    NetOrder,
    NetOutput,
    Overwrite,
    PixFmt,
    PrecisionChoice,
    Restart,
    Segments,
    Size,
    Source,
    Split,
    Steady,
    Strength,
    Stroke,
    StyleName,
    Tile,
    UsageError,
    bits_of,
    position,
    segment_length,
    stroke_size,
    tiling,
)
from framebrush.gpu.device import NO_DIAGNOSIS, Device, Diagnosis, list_devices, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.steady import DEFAULT_STEADY
from framebrush.input_options import HwAccel, Playlists, Rate, Version, decode_options
from framebrush.jobs.run import run_job
from framebrush.jobs.spec import JobSpec, SizeSpec, StyleSpec
from framebrush.media.plan import OutputOptions
from framebrush.media.video import DiskFullError, InputError, OutputError, TimeRange
from framebrush.messages import console, print_message
from framebrush.models.library import DEFAULT as DEFAULT_STYLE
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import StyleError
from framebrush.models.text import count_of
from framebrush.progress import ProgressStyle, shown
from framebrush.styles import OpenedStyle, open_style
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


_diagnosis = NO_DIAGNOSIS


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
    global _diagnosis
    _diagnosis = Diagnosis(gpu_debug, gpu_timing, dump_shaders)


@app.command()
def transcode(
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT", help="Painted video: .mp4, .mov, .mkv or .webm.")],
    look_file: LookFile = None,
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    strength: Strength = 1.0,
    steady: Steady = DEFAULT_STEADY,
    keep_colours: KeepColours = False,
    exposure: Exposure = 0.0,
    tone_curve: Curve = ToneCurve.CLIP,
    tone_map: Map = ToneMap.BT2390,
    split: Split = None,
    dither: Dither = True,
    tile: Tile = "auto",
    precision: PrecisionChoice = "auto",
    stroke: Stroke = "1",
    size: Size = None,
    max_size: MaxSize = None,
    net_layout: NetLayout = None,
    net_order: NetOrder = None,
    net_input: NetInput = None,
    net_output: NetOutput = None,
    start: Annotated[str | None, typer.Option(help="Seconds, hh:mm:ss.mmm, or 123f for a frame.")] = None,
    end: Annotated[str | None, typer.Option(help="Where to stop, not included; as --start.")] = None,
    frames: Annotated[int | None, typer.Option(min=1, help="At most so many frames.")] = None,
    codec: Annotated[str, typer.Option(help="auto, h264, hevc, av1, or the name of an FFmpeg encoder.")] = "auto",
    crf: Annotated[float | None, typer.Option(help="Quality: lower is better and larger.", show_default=False)] = None,
    preset: Annotated[str | None, typer.Option(help="The encoder's own preset.", show_default=False)] = None,
    pix_fmt: Annotated[PixFmt | None, typer.Option(help="8 or 10 bits.", show_default="as the source")] = None,
    audio: Annotated[AudioChoice, typer.Option(help="Copy the sound, or leave it out.")] = AudioChoice.COPY,
    deinterlace: Annotated[
        bool, typer.Option("--deinterlace/--no-deinterlace", help="Where flagged interlaced.")
    ] = True,
    hwaccel: Annotated[HwAccel | None, typer.Option(help="Decode there; falls back to software.")] = None,
    allow_playlists: Playlists = False,
    rate: Rate = None,
    segments: Segments = "auto",
    restart: Restart = False,
    overwrite: Overwrite = False,
    keep: Keep = False,
    progress: Annotated[ProgressStyle, typer.Option(help="A bar, JSON lines, or none.")] = ProgressStyle.AUTO,
) -> None:
    """Paint a video into a video."""
    if overwrite and keep:
        raise UsageError("-y and -n contradict each other")
    spec = JobSpec(
        source=source,
        target=target,
        style=StyleSpec(style, PreprocessingOverrides(net_layout, net_order, net_input, net_output)),
        look=Look(strength, keep_colours, exposure, tone_curve, tone_map, split, dither, steady=steady),
        range=TimeRange(position(start), position(end), frames),
        sizes=SizeSpec(stroke_size(stroke), size, max_size),
        tiling=tiling(tile),
        precision=precision,
        segments=segment_length(segments),
        decode=decode_options(deinterlace, hwaccel, allow_playlists, rate),
        output=OutputOptions(codec, crf, preset, bits_of(pix_fmt), audio.value, overwrite),
        device=device,
    )
    opened_style = load(spec.style)
    with opened(device) as device_in_use, shown(progress, console) as on_progress:
        outcome = run_job(
            spec,
            device_in_use,
            style=opened_style,
            another_device=lambda: open_device(device, _diagnosis),
            restart=restart,
            on_progress=on_progress,
            on_message=print_message,
        )
    state = outcome.progress
    if outcome.lost:
        verb = "was" if outcome.lost == 1 else "were"
        print_message(f"{count_of(outcome.lost, 'frame')} {verb} lost")
    size_mb = state.size_bytes / 1e6
    print_message(f"{outcome.path}: {count_of(state.frames, 'frame')}, {size_mb:.1f} MB, {state.fps:.1f} fps")
    raise typer.Exit(outcome.status)


@app.command()
def frame(
    source: Source,
    target: Annotated[str, typer.Argument(metavar="OUT.png", help="The picture.")],
    at: Annotated[str, typer.Option(help="Seconds, hh:mm:ss.mmm, or 123f for a frame.")] = "0",
    look_file: LookFile = None,
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    strength: Strength = 1.0,
    steady: Steady = 0.0,
    keep_colours: KeepColours = False,
    exposure: Exposure = 0.0,
    tone_curve: Curve = ToneCurve.CLIP,
    tone_map: Map = ToneMap.BT2390,
    split: Split = None,
    dither: Dither = True,
    tile: Tile = "auto",
    precision: PrecisionChoice = "auto",
    stroke: Stroke = "1",
    size: Size = None,
    max_size: MaxSize = None,
    net_layout: NetLayout = None,
    net_order: NetOrder = None,
    net_input: NetInput = None,
    net_output: NetOutput = None,
    overwrite: Overwrite = False,
    allow_playlists: Playlists = False,
    rate: Rate = None,
) -> None:
    """Paint one frame of a video as a PNG."""
    from framebrush.still import paint_still

    spec = JobSpec(
        source=source,
        target=target,
        style=StyleSpec(style, PreprocessingOverrides(net_layout, net_order, net_input, net_output)),
        look=Look(strength, keep_colours, exposure, tone_curve, tone_map, split, dither, steady=steady),
        range=TimeRange(position(at), frames=1),
        decode=decode_options(True, None, allow_playlists, rate),
        sizes=SizeSpec(stroke_size(stroke), size, max_size),
        tiling=tiling(tile),
        precision=precision,
        output=OutputOptions(overwrite=overwrite),
        device=device,
    )
    opened_style = load(spec.style)
    with opened(device) as device_in_use:
        paint_still(spec, opened_style, device_in_use, print_message)


@app.command()
def play(
    source: Annotated[
        str | None,
        typer.Argument(metavar="[IN]", help="Video to open, or a test source: lavfi:testsrc2.", show_default=False),
    ] = None,
    style: Annotated[str, typer.Option("--style", "-s", help="Style (default: last used).")] = "",
    device: Annotated[str, typer.Option("--device", "-d", help="Device, as for transcode (default: last used).")] = "",
    stroke: Stroke = "1",
    size: Size = None,
    max_size: MaxSize = None,
    look_file: LookFile = None,
) -> None:
    """Open the window."""
    sizes = SizeSpec(stroke_size(stroke), size, max_size)
    try:
        from framebrush.window import run as show

        raise typer.Exit(show(source, device=device, style=style, sizes=sizes, look_file=look_file))
    except ImportError as error:
        raise UsageError(f"the window needs Qt ({error}); pip install 'framebrush[gui]'") from error


@app.command()
def styles() -> None:
    """List the bundled styles."""
    from framebrush.models.library import bundled, card_of

    table = Table("style", "in the file", "of size", "speed", "licence", box=None, header_style="bold")
    for name, path in bundled().items():
        card = card_of(path)
        size = f"{path.stat().st_size / 1e3:.0f} kB"
        for painting in card.paintings:
            table.add_row(painting, name, size, card.speed, card.licence)
    Console().print(table)


@app.command()
def devices() -> None:
    """List the devices that can paint, the preferred one first."""
    table = Table("index", "kind", "name", "memory", box=None, header_style="bold")
    for info in list_devices():
        memory = f"{info.memory_bytes / 2**30:.1f} GiB" if info.memory_bytes else ""
        table.add_row(str(info.index), info.kind, info.name + (" (software)" if info.software else ""), memory)
    Console().print(table)


app.command()(doctor)
app.command()(licences)


@app.command()
def bench(
    source: Source,
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    precision: PrecisionChoice = "auto",
    frames: Annotated[int, typer.Option(min=10, help="Frames in each measurement.")] = 100,
    codec: Annotated[str, typer.Option(help="Encoder, as for transcode.")] = "auto",
    steady: Steady = DEFAULT_STEADY,
    stroke: Stroke = "1",
    size: Size = None,
    max_size: MaxSize = None,
) -> None:
    """Measure decode, paint and encode alone and together, in one run."""
    from framebrush.bench import measure

    spec = JobSpec(
        source=source,
        target="bench.mp4",
        style=StyleSpec(style),
        look=Look(steady=steady),
        range=TimeRange(frames=frames),
        sizes=SizeSpec(stroke_size(stroke), size, max_size),
        precision=precision,
        output=OutputOptions(codec=codec),
        device=device,
    )
    opened_style = load(spec.style)
    with opened(device) as device_in_use:
        measure(spec, opened_style, device_in_use, frames=frames, console=Console())


app.command()(train)


def load(spec: StyleSpec) -> OpenedStyle:
    """The style of a spec; prints what was guessed of it."""
    style = open_style(spec.name, spec.preprocessing)
    for note in style.notes:
        print_message(note)
    return style


@contextmanager
def opened(name: str) -> Iterator[Device]:
    """The device that `--device` names, closed afterwards; prints why it is not the first choice."""
    with open_device(name, _diagnosis) as device:
        if device.note:
            print_message(device.note)
        yield device


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status; errors become one line on stderr."""
    try:
        status = int(app(args=arguments, prog_name="framebrush", standalone_mode=False) or 0)
        if status == TYPER_INTERRUPTED:
            raise KeyboardInterrupt
        return status
    except typer.TyperException as error:
        return _failed(f"{error.format_message()} (see framebrush --help)", Status.USAGE)
    except InputError as error:
        return _failed(error, Status.UNREADABLE)
    except DiskFullError as error:
        return _failed(error, Status.DISK_FULL)
    except (OutputError, DeviceError, StyleError, ValueError) as error:
        return _failed(error, Status.USAGE)
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
