"""The options that commands share, and how their texts become the values of a `JobSpec`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.tiles import Tiling
from framebrush.jobs.json_values import to_values
from framebrush.jobs.saved_look import SavedLook
from framebrush.jobs.spec import MIN_TILE_PX
from framebrush.media.video import Position
from framebrush.models.preprocessing import Layout, Order, ValueRange
from framebrush.models.style import Precision
from framebrush.position import parse_position

Source = Annotated[
    str,
    typer.Argument(metavar="IN", help="Video file, camera:0, or a test source: lavfi:testsrc2.", show_default=False),
]
StyleName = Annotated[
    str,
    typer.Option("--style", "-s", help="A name from `framebrush styles`, a picture, an ONNX file, or none."),
]
DeviceName = Annotated[
    str,
    typer.Option("--device", "-d", help="auto, cuda, tensorrt, d3d12, cpu, an index, or the beginning of a name."),
]
Strength = Annotated[float, typer.Option(min=0, max=1, help="0 is the source, 1 the painting.")]
STEADY = Look().steady
Steady = Annotated[
    float, typer.Option(min=0, max=1, help="Mix in neighbouring frames where the source is alike; 0 for none.")
]
Detail = Annotated[float, typer.Option(min=0, max=1, help="Bring fine luma of the source back over broad strokes.")]
Brush = Annotated[
    float | None, typer.Option(min=0, max=1, help="Draw the painting out to strokes.", show_default="as the style says")
]
Relief = Annotated[
    float | None, typer.Option(min=0, max=1, help="Height of the paint.", show_default="as the style says")
]
Canvas = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="A weave that shows where paint is thin.", show_default="as the style says"),
]
LAMP = Look().lamp_degrees
Lamp = Annotated[
    float,
    typer.Option(min=0, max=360, metavar="DEGREES", help="Where the light comes from; 90 is above."),
]
PaletteName = Annotated[
    str | None,
    typer.Option("--palette", metavar="PICTURE|film", help="Whose colours the painting gets.", show_default=False),
]
PaletteFrom = Annotated[
    str | None,
    typer.Option(
        metavar="PICTURE",
        help="What stands for the film where its colours are compared with the palette's; such as film.mp4@12.5.",
        show_default="each shot",
    ),
]
Lut = Annotated[
    str | None, typer.Option("--lut", metavar="FILE.cube", help="A table of colours to go through.", show_default=False)
]
LutFirst = Annotated[bool, typer.Option("--lut-first/--lut-last", help="The film goes through it, or the painting.")]
KeepColours = Annotated[
    bool, typer.Option("--keep-colours/--no-keep-colours", help="Luma of the painting, colours of the source.")
]
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
PrecisionChoice = Annotated[
    Precision, typer.Option(help="What the network computes in; auto: float16 where that is measured and faster.")
]
Segments = Annotated[
    str, typer.Option(metavar="auto|off|N", help="Frames done at a time, so that the same command resumes a job.")
]
Restart = Annotated[bool, typer.Option("--restart", help="Begin anew where an interrupted job would resume.")]
StatisticsChoice = Annotated[
    Literal["frame", "shot"],
    typer.Option(help="Of a network with instance normalisation: shot is steadier and exact in tiles."),
]
Stroke = Annotated[
    str,
    typer.Option(
        metavar="N|auto", help="Brush strokes N times as large: the network gets 1/N of the size; auto: 540 lines."
    ),
]
Size = Annotated[str | None, typer.Option(metavar="WxH|Nx", help="Size of the result: pixels, or times the source.")]
MaxSize = Annotated[
    int | None, typer.Option(metavar="N", help="Scale down what is wider or higher than N.", show_default=False)
]
NetLayout = Annotated[Layout | None, typer.Option(help="Axes of a foreign network, where the guess is wrong.")]
NetOrder = Annotated[Order | None, typer.Option(help="Channel order of a foreign network.")]
NetInput = Annotated[ValueRange | None, typer.Option(help="Range of the values that a foreign network takes.")]
NetOutput = Annotated[ValueRange | None, typer.Option(help="Range of the values that a foreign network gives.")]
Overwrite = Annotated[bool, typer.Option("-y", help="Overwrite the output.")]
Keep = Annotated[bool, typer.Option("-n", help="Never overwrite the output (the default).")]


def _take_look(context: typer.Context, path: Path | None) -> Path | None:
    """Make a saved look's values the defaults of the options that come after it; what is given counts more."""
    if path is None:
        return None
    found = SavedLook.read(path)
    values = {**to_values(found.look), "exposure": found.look.exposure_ev, "style": found.style.name}
    values |= {"stroke": str(found.stroke), **to_values(found.colours)}
    told = found.style.preprocessing
    values |= {"net_layout": told.layout, "net_order": told.order}
    values |= {"net_input": told.input_range, "net_output": told.output_range}
    context.default_map = {name: value for name, value in values.items() if value is not None}
    return path


LookFile = Annotated[
    Path | None,
    typer.Option(
        "--look",
        metavar="FILE",
        help="A look saved in the window: its style, look, stroke and colours, where no option says otherwise.",
        is_eager=True,
        callback=_take_look,
        show_default=False,
    ),
]


class PixFmt(StrEnum):
    """What `--pix-fmt` takes: 4:2:0 in 8 or 10 bits."""

    YUV420P = "yuv420p"
    YUV420P10LE = "yuv420p10le"


class AudioChoice(StrEnum):
    """What `--audio` takes."""

    COPY = "copy"
    NONE = "none"


class UsageError(ValueError):
    """The options contradict each other or cannot be read: one sentence with the reason."""


def position(text: str | None) -> Position | None:
    """`--start`, `--end` and `--at` as a place in the video."""
    return None if text is None else parse_position(text)


def tiling(text: str) -> Tiling:
    """`--tile` as the contract has it."""
    if text == "auto":
        return "auto"
    if text == "off":
        return "off"
    if text.isdecimal() and len(text) < 6 and int(text) >= MIN_TILE_PX:
        return int(text)
    raise UsageError(f"--tile {text}: give auto, off, or a size of at least {MIN_TILE_PX} pixels")


def segment_length(text: str) -> Literal["auto", "off"] | int:
    """`--segments` as the spec has it."""
    if text == "auto":
        return "auto"
    if text == "off":
        return "off"
    if text.isdecimal() and len(text) < 8 and int(text) > 0:
        return int(text)
    raise UsageError(f"--segments {text}: give auto, off, or a number of frames")


def stroke_size(text: str) -> float | Literal["auto"]:
    """`--stroke` as the spec has it."""
    if text == "auto":
        return "auto"
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--stroke {text}: give auto, or a number such as 3") from None


def bits_of(pix_fmt: PixFmt | None) -> Literal[8, 10] | None:
    """`--pix-fmt` as bits a colour."""
    return None if pix_fmt is None else 10 if pix_fmt is PixFmt.YUV420P10LE else 8
