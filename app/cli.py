"""The command line: framebrush transcode | frame | play | styles | devices | bench | train | doctor.

Every error is one line on stderr and an exit status: 0 done, 1 usage or set-up, 2 input unreadable, 3 finished with
losses, 4 interrupted.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import Progress as Bar
from rich.table import Table

from framebrush.gpu.device import NO_DIAGNOSIS, Device, DeviceError, Diagnosis, Tiling, list_devices, open_device
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.media.video import InputError, OutputError, Position, TimeRange
from framebrush.media.writer import OutputOptions
from framebrush.models.library import DEFAULT as DEFAULT_STYLE
from framebrush.models.preprocessing import Layout, Order, PreprocessingOverrides, ValueRange
from framebrush.models.style import Style, StyleError
from framebrush.position import parse_position
from framebrush.progress import ProgressStyle, shown
from framebrush.transcode import Job, Status
from framebrush.transcode import transcode as run_job

app = typer.Typer(
    name="framebrush",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
console = Console(stderr=True, highlight=False)

Source = Annotated[Path, typer.Argument(metavar="IN", help="Video file to paint.", show_default=False)]
StyleName = Annotated[
    str, typer.Option("--style", "-s", help="A name from `framebrush styles`, or the path of an ONNX file.")
]
DeviceName = Annotated[
    str, typer.Option("--device", "-d", help="auto, d3d12, cpu, an index, or the beginning of a name.")
]
Strength = Annotated[float, typer.Option(min=0, max=1, help="0 is the source, 1 the painting.")]
KeepColours = Annotated[bool, typer.Option("--keep-colours", help="Luma of the painting, colours of the source.")]
Exposure = Annotated[float, typer.Option(min=-4, max=4, metavar="STOPS", help="Brighter or darker, in stops.")]
Curve = Annotated[ToneCurve, typer.Option(help="What becomes of light above white.")]
Map = Annotated[ToneMap, typer.Option(help="How HDR video is brought into the range of SDR.")]
Split = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Show the source left of this share of the width.", show_default=False),
]
Dither = Annotated[bool, typer.Option("--dither/--no-dither", help="Dither before rounding to the output's bits.")]
Tile = Annotated[
    str, typer.Option(metavar="auto|off|N", help="Paint in tiles of about N pixels where memory is short.")
]
MaxSize = Annotated[
    int | None, typer.Option(min=16, metavar="N", help="Scale down what is wider or higher than N.", show_default=False)
]
NetLayout = Annotated[Layout | None, typer.Option(help="Axes of a foreign network, where the guess is wrong.")]
NetOrder = Annotated[Order | None, typer.Option(help="Channel order of a foreign network.")]
NetInput = Annotated[ValueRange | None, typer.Option(help="Range of the values that a foreign network takes.")]
NetOutput = Annotated[ValueRange | None, typer.Option(help="Range of the values that a foreign network gives.")]
Overwrite = Annotated[bool, typer.Option("-y", help="Overwrite the output.")]
Keep = Annotated[bool, typer.Option("-n", help="Never overwrite the output (the default).")]


MIN_TILE = 64

TYPER_INTERRUPTED = 130
"""What typer makes of Ctrl-C."""


class PixFmt(StrEnum):
    """What `--pix-fmt` takes: 4:2:0 in 8 or 10 bits."""

    YUV420P = "yuv420p"
    YUV420P10LE = "yuv420p10le"


class AudioChoice(StrEnum):
    """What `--audio` takes."""

    COPY = "copy"
    NONE = "none"


class UsageError(ValueError):
    """What was asked for makes no sense: one sentence that says why."""


_diagnosis = NO_DIAGNOSIS


@app.callback()
def options(
    gpu_debug: Annotated[bool, typer.Option("--gpu-debug", help="Use the GPU's debug layer, where installed.")] = False,
    gpu_timing: Annotated[
        bool, typer.Option("--gpu-timing", help="Time the stages on the GPU; bench shows it.")
    ] = False,
    dump_shaders: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every GPU kernel there.")] = None,
) -> None:
    """Paint video with neural style networks, on the GPU from decode to encode."""
    global _diagnosis
    _diagnosis = Diagnosis(gpu_debug, gpu_timing, dump_shaders)


@app.command()
def transcode(
    source: Source,
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Painted video: .mp4, .mov, .mkv or .webm.")],
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    strength: Strength = 1.0,
    keep_colours: KeepColours = False,
    exposure: Exposure = 0.0,
    tone_curve: Curve = ToneCurve.CLIP,
    tone_map: Map = ToneMap.BT2390,
    split: Split = None,
    dither: Dither = True,
    tile: Tile = "auto",
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
    hwaccel: Annotated[
        str | None, typer.Option(help="Decode on d3d12va, d3d11va, cuda or auto; falls back to software.")
    ] = None,
    overwrite: Overwrite = False,
    keep: Keep = False,
    progress: Annotated[ProgressStyle, typer.Option(help="A bar, JSON lines, or none.")] = ProgressStyle.AUTO,
) -> None:
    """Paint a video into a video."""
    if overwrite and keep:
        raise UsageError("-y and -n contradict each other")
    painting, mix = load(style, PreprocessingOverrides(net_layout, net_order, net_input, net_output))
    look = Look(strength, keep_colours, exposure, tone_curve, tone_map, split, dither, mix)
    with opened(device) as device_in_use:
        job = Job(
            source=source,
            target=target,
            style=painting,
            device=device_in_use,
            another_device=lambda: open_device(device, _diagnosis),
            look=look,
            span=TimeRange(position(start), position(end), frames),
            tiling=tiling(tile),
            options=OutputOptions(codec=codec, crf=crf, preset=preset, audio=audio.value, overwrite=overwrite),
            bits=None if pix_fmt is None else 10 if pix_fmt is PixFmt.YUV420P10LE else 8,
            deinterlace=deinterlace,
            hardware=hwaccel,
            max_size=max_size,
        )
        with shown(progress, console) as report:
            outcome = run_job(job, report, say)
    state = outcome.progress
    if outcome.status is Status.LOSSES:
        say(f"{outcome.lost} frames were lost")
    say(f"{outcome.path}: {state.frames} frames, {state.size_bytes / 1e6:.1f} MB, {state.fps:.1f} fps")
    raise typer.Exit(outcome.status)


@app.command()
def frame(
    source: Source,
    target: Annotated[Path, typer.Argument(metavar="OUT.png", help="The picture.")],
    at: Annotated[str, typer.Option(help="Seconds, hh:mm:ss.mmm, or 123f for a frame.")] = "0",
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    strength: Strength = 1.0,
    keep_colours: KeepColours = False,
    exposure: Exposure = 0.0,
    tone_curve: Curve = ToneCurve.CLIP,
    tone_map: Map = ToneMap.BT2390,
    split: Split = None,
    dither: Dither = True,
    tile: Tile = "auto",
    max_size: MaxSize = None,
    net_layout: NetLayout = None,
    net_order: NetOrder = None,
    net_input: NetInput = None,
    net_output: NetOutput = None,
    overwrite: Overwrite = False,
) -> None:
    """Paint one frame of a video as a PNG."""
    from framebrush.still import paint_still

    painting, mix = load(style, PreprocessingOverrides(net_layout, net_order, net_input, net_output))
    look = Look(strength, keep_colours, exposure, tone_curve, tone_map, split, dither, mix)
    where = position(at)
    assert where is not None
    with opened(device) as device_in_use:
        paint_still(
            source,
            target,
            where,
            style=painting,
            device=device_in_use,
            look=look,
            tiling=tiling(tile),
            max_size=max_size,
            overwrite=overwrite,
        )


@app.command()
def play(
    source: Annotated[Path | None, typer.Argument(metavar="[IN]", help="Video to open.", show_default=False)] = None,
    style: Annotated[str, typer.Option("--style", "-s", help="A style; the last one used if left out.")] = "",
    device: Annotated[str, typer.Option("--device", "-d", help="As for transcode; the last one if left out.")] = "",
) -> None:
    """Open the window."""
    try:
        from framebrush.window import run as show

        raise typer.Exit(show(source, device=device, style=style))
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


@app.command()
def doctor() -> None:
    """Say what works here and what does not."""
    from framebrush.doctor import examine

    raise typer.Exit(0 if examine(Console()) else 1)


@app.command()
def bench(
    source: Source,
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    frames: Annotated[int, typer.Option(min=10, help="Frames in each measurement.")] = 100,
    codec: Annotated[str, typer.Option(help="Encoder, as for transcode.")] = "auto",
) -> None:
    """Measure decode, paint and encode alone and together, in one run."""
    from framebrush.bench import measure

    painting, mix = load(style)
    with opened(device) as device_in_use:
        measure(
            source,
            painting,
            device_in_use,
            Look(mix=mix),
            frames=frames,
            options=OutputOptions(codec=codec),
            console=Console(),
        )


@app.command()
def train(
    style: Annotated[Path, typer.Option(help="A picture of the painting.", show_default=False)],
    photos: Annotated[Path, typer.Option(help="A folder of photographs to learn on, 8 at least.", show_default=False)],
    features: Annotated[Path, typer.Option(help="VGG16 weights that judge (models/README.md).", show_default=False)],
    out: Annotated[Path, typer.Option(help="The style file to write, .onnx.", show_default=False)],
    size: Annotated[Literal["realtime", "quality"], typer.Option(help="Speed or finish.")] = "realtime",
    stroke_px: Annotated[float, typer.Option(help="4 to 32; larger means broader strokes.")] = 10.0,
    content: Annotated[float, typer.Option(help="1.2, a tinted photograph, to 1.8, hardly any of it.")] = 1.5,
    steps: Annotated[int, typer.Option(min=1, help="How long to learn.")] = 6000,
    batch: Annotated[int, typer.Option(min=1, help="Crops a step; fewer for a GPU with little memory.")] = 4,
    seed: Annotated[int, typer.Option(help="The same seed, pictures and options give the same network.")] = 0,
    title: Annotated[str, typer.Option(help="What people read in the list of styles.")] = "",
    licence: Annotated[str, typer.Option(help="Of the style file.")] = "",
    torch_device: Annotated[str, typer.Option(help="A PyTorch device; the first GPU if left out.")] = "",
) -> None:
    """Learn a painting from a picture of it; goes on where it was interrupted. OUT with .preview.png for .onnx shows
    every 20 seconds how far it is."""
    try:
        from framebrush.models.training.cli import train as learn
        from framebrush.models.training.trainer import Recipe, Report
    except ImportError as error:
        raise UsageError(f"training needs PyTorch and Pillow ({error}); pip install 'framebrush[train]'") from error
    recipe = Recipe(size=size, steps=steps, batch=batch, stroke_px=stroke_px, content=content, seed=seed)
    with Bar(transient=True, console=console) as bar:
        task = bar.add_task("learning", total=steps)

        def report(state: Report) -> None:
            losses = ", ".join(f"{name} {value:.3g}" for name, value in state.losses.items())
            bar.update(task, completed=state.step, description=losses)

        learn(
            style,
            photos,
            out,
            features,
            recipe,
            title=title,
            licence=licence,
            device=torch_device,
            report=report,
            say=say,
        )
    say(f"{out}: learnt; paint with --style {out}")


def load(name: str, overrides: PreprocessingOverrides | None = None) -> tuple[Style, tuple[float, ...]]:
    """The style that `--style` names and the weights of its paintings; says what was guessed of it."""
    from framebrush.models.library import parse_style
    from framebrush.models.load import load_style

    path, mix, remark = parse_style(name)
    style = load_style(path, overrides=overrides)
    for note in filter(None, (remark, *style.card.notes)):
        say(note)
    return style, mix


@contextmanager
def opened(name: str) -> Iterator[Device]:
    """The device that `--device` names, closed afterwards; says where it is not the one hoped for."""
    with open_device(name, _diagnosis) as device:
        if device.note:
            say(device.note)
        yield device


def position(text: str | None) -> Position | None:
    """`--start`, `--end` and `--at` as a place in the video."""
    return None if text is None else parse_position(text)


def tiling(text: str) -> Tiling:
    """`--tile` as the contract has it."""
    if text == "auto":
        return "auto"
    if text == "off":
        return "off"
    if text.isdecimal() and int(text) >= MIN_TILE:
        return int(text)
    raise UsageError(f"--tile {text}: give auto, off, or a size of at least {MIN_TILE} pixels")


def say(sentence: str) -> None:
    """A line for the person, on stderr, out of the way of what a program reads."""
    console.print(sentence, markup=False, soft_wrap=True)


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
    except (OutputError, DeviceError, StyleError, ValueError) as error:
        return _failed(error, Status.USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return _failed("interrupted; nothing was written", Status.INTERRUPTED)


def _failed(error: object, status: Status) -> int:
    say(f"framebrush: {error}")
    return status


def main() -> None:
    """Entry point of `framebrush`. A request to end (SIGTERM) is treated as Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run())


if __name__ == "__main__":
    main()
