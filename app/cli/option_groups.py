"""Groups of options that commands share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from framebrush.base.file_names import PROJECT_SUFFIX
from framebrush.base.json_values import to_values
from framebrush.base.option import declared_in
from framebrush.cli.groups import UsageError
from framebrush.cli.messages import print_message
from framebrush.gpu.look import Look
from framebrush.gpu.settings import EngineName
from framebrush.jobs.keyframes import key_texts, parse_keys
from framebrush.jobs.progress import ProgressStyle
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import read_look
from framebrush.jobs.spec import MIN_TILE_PX, DecodeOptions, JobSpec
from framebrush.media.containers import Stream
from framebrush.media.encoding.encoders import CODECS
from framebrush.media.encoding.pixels import AUTO, Hdr, parsed
from framebrush.media.reading.position import parse_position, position_text
from framebrush.media.video import MAX_RATE, Deinterlace, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.media.writing.target_size import parse_size, size_text
from framebrush.models.library import DEFAULT as DEFAULT_STYLE
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import Precision
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec

BELONGS_TO = {  # values of a look or project, left out where the option is given
    "style": frozenset(option.name for option in declared_in(PreprocessingOverrides)),
    "codec": frozenset({"crf", "preset", "pix_fmt"}),
    "crf": frozenset({"target_size"}),
    "target_size": frozenset({"crf"}),
}
ValueT = TypeVar("ValueT")

DeviceName = Annotated[
    str,
    typer.Option(
        "--device",
        "-d",
        help="auto, low-power, cuda, tensorrt, d3d12, webgpu, cpu, amd, intel, nvidia, index, or the start of a name.",
    ),
]
Playlists = Annotated[
    bool, typer.Option("--allow-playlists", help="Accept a playlist of files in its own folder as IN.")
]
DolbyVision = Annotated[
    bool,
    typer.Option(
        "--allow-dolby-vision", help="Accept Dolby Vision without a standard base layer; its colours will be wrong."
    ),
]
Rate = Annotated[
    str | None,
    typer.Option(
        metavar="FPS",
        help="Frame rate of a numbered image sequence (frames/%05d.png, shot.####.exr).",
        show_default=False,
    ),
]
Restart = Annotated[bool, typer.Option("--restart", help="Start over instead of resuming an interrupted job.")]
Overwrite = Annotated[bool, typer.Option("-y", help="Overwrite the output.")]
Keep = Annotated[bool, typer.Option("-n", help="Never overwrite the output (the default).")]
RANGE = "start", "end", "frames"


def _say_whose(context: typer.Context, option: typer.CallbackParam, value: str | None) -> str | None:
    own, *others = (str(context.get_parameter_source(name)) for name in (option.name or "", *RANGE))
    if own.endswith("DEFAULT_MAP") and any(each.endswith("COMMANDLINE") for each in others):  # given ones come first
        print_message(f"{option.opts[0]} is {value}, as in the project")
    return value


PLACE = "Seconds, hh:mm:ss.mmm, or 123f for a frame."
At = Annotated[str, typer.Option(help=PLACE)]
Start = Annotated[str | None, typer.Option(help=PLACE, callback=_say_whose)]
End = Annotated[str | None, typer.Option(help="Where to stop (exclusive), written like --start.", callback=_say_whose)]
FrameCount = Annotated[int | None, typer.Option(min=1, help="Maximum number of frames.")]
ProgressOption = Annotated[ProgressStyle, typer.Option(help="Progress as a bar, as JSON lines, or none.")]
TorchDevice = Annotated[str, typer.Option(help="PyTorch device; default: the first GPU.")]


def _take_look(context: typer.Context, path: Path | None) -> Path | None:
    if path is not None:
        context.default_map = {**(context.default_map or {}), **_values_of(read_look(path))}
    return path


def _values_of(recipe: Recipe) -> dict[str, Any]:
    records = recipe.look, recipe.sizes, recipe.colours, recipe.style.preprocessing
    values = {
        option.name: str(value) if option.words and option.number else to_values(value)
        for record in records
        for option in declared_in(type(record))
        for value in [getattr(record, option.field)]
    }
    values |= {
        "style": recipe.style.name,
        "net_value": [f"{name}={value!r}" for name, value in recipe.style.preprocessing.values],
    }
    return {name: value for name, value in values.items() if value is not None}


def take_project(context: typer.Context, source: str | None) -> str | None:
    """Return a project's film; its values become defaults. Raises ProjectError."""
    if source is None or not source.lower().endswith(PROJECT_SUFFIX):
        return source
    from framebrush.jobs.project import is_project, read_project  # opens films

    if not is_project(source):
        return source
    project = context.meta[PROJECT_SUFFIX] = read_project(Path(source), print_message)
    names = {parameter.name for parameter in context.command.params}
    job = project.job_to("OUT", None if "deinterlace" in names else "auto")
    output = to_values(job.output)
    values = {
        **_values_of(job.recipe),
        **({"key": key_texts(job.keys)} if "at" in names else _places_of(job)),  # --at is a place of its own
        "statistics": job.statistics,
        "deinterlace": job.decode.deinterlace,
        **{name: output[name] for name in ("codec", "crf", "preset", "pix_fmt", "audio", "hdr")},
        "target_size": None if job.output.target_bytes is None else size_text(job.output.target_bytes),
    }
    given = {name: value for name, value in values.items() if value is not None}
    context.default_map = {**given, **(context.default_map or {})}  # with a look, wherever that was given
    return job.source


def _places_of(job: JobSpec) -> dict[str, Any]:
    span = job.range
    return {
        "key": key_texts(job.keys),
        "start": None if span.start is None else position_text(span.start),
        "end": None if span.end is None else position_text(span.end),
        "frames": span.frames,
    }


def _take_fields(context: typer.Context, fields: Deinterlace) -> Deinterlace:
    project = context.meta.get(PROJECT_SUFFIX)
    if project is not None:
        context.default_map = {**(context.default_map or {}), **_places_of(project.job_to("OUT", fields))}
    return fields


def override(context: typer.Context, option: typer.CallbackParam, value: ValueT) -> ValueT:
    """Drop values that belong to an overridden one."""
    if context.default_map and str(context.get_parameter_source(option.name or "")).endswith("COMMANDLINE"):
        dropped = BELONGS_TO[option.name or ""]
        context.default_map = {name: each for name, each in context.default_map.items() if name not in dropped}
    return value


Source = Annotated[
    str,
    typer.Argument(
        metavar="IN",
        help="Video, project, camera:0, or a test source: lavfi:testsrc2.",
        is_eager=True,
        callback=take_project,
        show_default=False,
    ),
]
LookFile = Annotated[
    Path | None,
    typer.Option(
        "--look",
        metavar="FILE",
        help="Use a look saved in the window: style, look, stroke and colours. Other options override it.",
        is_eager=True,
        callback=_take_look,
        show_default=False,
    ),
]


@dataclass(frozen=True, kw_only=True)
class StyleOptions:
    """Options of the style."""

    style: Annotated[
        str,
        typer.Option(
            "--style",
            "-s",
            help="A name from `framebrush styles`, a picture, FILM.keys, an ONNX file, or none.",
            callback=override,
        ),
    ] = DEFAULT_STYLE
    network: PreprocessingOverrides

    def spec(self) -> StyleSpec:
        return StyleSpec(self.style, self.network)


@dataclass(frozen=True, kw_only=True)
class Painting:
    """Options of all commands that paint files."""

    look_file: LookFile = None
    style: StyleOptions
    device: DeviceName = "auto"
    look: Look
    key: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME@PLACE=VALUE",
            help="A keyframe for strength, brush, relief, style or another setting; repeat for more: "
            "strength@0=0 strength@2.5=1. Append ,ease or ,hold to shape the change to the next one.",
            show_default=False,
        ),
    ] = None
    colours: ColourSpec
    sizes: SizeSpec
    tile: Annotated[
        str, typer.Option(metavar="auto|off|N", help="Paint in tiles of about N pixels; auto: only if memory is short.")
    ] = "auto"
    precision: Annotated[
        Precision,
        typer.Option(
            help="The network's number format. auto: float16 where verified and faster. int8: bundled "
            "paintings on the CPU, in about half the time where doctor finds VNNI."
        ),
    ] = "auto"
    engine: Annotated[
        EngineName,
        typer.Option(
            help="What runs the network on Direct3D 12; auto: Framebrush's shaders or DirectML, the faster one."
        ),
    ] = "auto"
    allow_playlists: Playlists = False
    allow_dolby_vision: DolbyVision = False
    rate: Rate = None

    def job(self, source: str = "IN", target: str = "OUT") -> JobSpec:
        """Return the options' job. Raises UsageError, ValueError."""
        return JobSpec(
            source,
            target,
            Recipe(self.style.spec(), self.look, self.sizes, self.colours, parse_keys(tuple(self.key or ()))),
            tiling=_number(self.tile, "tile", f"a size of at least {MIN_TILE_PX} pixels"),
            decode=_decode_options(self.allow_playlists, self.rate, self.allow_dolby_vision),
            precision=self.precision,
            engine=self.engine,
            device=self.device,
        )


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """Options of output in motion."""

    codec: Annotated[
        str,
        typer.Option(help=f"auto, {', '.join(CODECS)}, or one of their encoders: see the guide.", callback=override),
    ] = "auto"
    crf: Annotated[
        float | None,
        typer.Option(
            help="Quality: lower values look better and make larger files.", show_default=False, callback=override
        ),
    ] = None
    target_size: Annotated[
        str | None,
        typer.Option(
            metavar="25MB",
            help="Maximum size of the result, in KB, MB, GB or MiB.",
            show_default=False,
            callback=override,
        ),
    ] = None
    preset: Annotated[str | None, typer.Option(help="Preset of the encoder, such as slow.", show_default=False)] = None
    pix_fmt: Annotated[
        str, typer.Option(help="Pixel format, such as yuv422p10le; source: the closest to the source's.")
    ] = AUTO
    hdr: Annotated[Hdr, typer.Option(help="Keep the HDR of PQ and HLG films, or convert to SDR.")] = "sdr"
    stream: Annotated[
        Stream | None,
        typer.Option("--format", help="Format on standard output (OUT is -).", show_default="y4m"),
    ] = None

    def output(self, *, audio: Literal["copy", "none"] = "copy", overwrite: bool = False) -> OutputOptions:
        """Return the output options of a `JobSpec`. Raises ValueError."""
        return OutputOptions(
            self.codec,
            self.crf,
            self.preset,
            parsed(self.pix_fmt),
            audio,
            overwrite,
            self.stream,
            None if self.target_size is None else parse_size(self.target_size),
            self.hdr,
        )


@dataclass(frozen=True, kw_only=True)
class Transcoding:
    """Additional options of commands that write videos."""

    painting: Painting
    statistics: Annotated[
        Literal["frame", "shot"],
        typer.Option(help="Instance normalisation per frame, or per shot, which is steadier and exact in tiles."),
    ] = "frame"
    start: Start = None
    end: End = None
    frames: FrameCount = None
    encoding: Encoding
    audio: Annotated[Literal["copy", "none"], typer.Option(help="Copy the audio or leave it out.")] = "copy"
    deinterlace: Annotated[
        Deinterlace,
        typer.Option(
            callback=_take_fields,
            help="auto: only frames flagged as interlaced; single, double: one or two from each; ivtc: undo pulldown.",
        ),
    ] = "auto"
    hwaccel: Annotated[
        Literal["auto", "d3d12va", "d3d11va", "cuda"] | None,
        typer.Option(help="Decode on this hardware; software takes over where it cannot."),
    ] = None
    segments: Annotated[
        str, typer.Option(metavar="auto|off|N", help="Frames per segment; an interrupted job resumes at a segment.")
    ] = "auto"
    reveal: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS",
            help="Begin with a bare canvas and paint the first frame stroke by stroke, for this long.",
            show_default=False,
        ),
    ] = None
    overwrite: Overwrite = False
    keep: Keep = False

    def job(self) -> JobSpec:
        """Return the options' job. Raises UsageError, ValueError."""
        job = self.painting.job()
        return replace(
            job,
            range=TimeRange(position(self.start), position(self.end), self.frames),
            statistics=self.statistics,
            segments=_number(self.segments, "segments", "a number of frames"),
            reveal_s=None if self.reveal is None else number_of("reveal", self.reveal),
            decode=replace(job.decode, deinterlace=self.deinterlace, hwaccel=self.hwaccel),
            output=self.encoding.output(audio=self.audio, overwrite=may_overwrite(self.overwrite, self.keep)),
        )


def position(text: str | None) -> Position | None:
    """Parse `--start`, `--end` or `--at`."""
    return None if text is None else parse_position(text)


def number_of(option: str, text: str) -> Fraction:
    """Parse a number of an option. Raises UsageError."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"--{option} {text}: give a number, such as 20 or 24000/1001") from None


def _number(text: str, option: str, what: str) -> Literal["auto", "off"] | int:
    if text == "auto":
        return "auto"
    if text == "off":
        return "off"
    if text.isdecimal() and len(text) < 8:
        return int(text)
    raise UsageError(f"--{option} {text}: give auto, off, or {what}")


def may_overwrite(overwrite: bool, keep: bool, *, otherwise: bool = False) -> bool:
    """Return whether overwriting is allowed, `otherwise` without -y and -n. Raises UsageError."""
    if overwrite and keep:
        raise UsageError("-y and -n contradict each other")
    return overwrite or (otherwise and not keep)


def _decode_options(playlists: bool, rate: str | None, dolby_vision: bool) -> DecodeOptions:
    try:
        value = None if rate is None else Fraction(rate)
        return DecodeOptions(playlists=playlists, rate=value, dolby_vision=dolby_vision)
    except (ValueError, ZeroDivisionError):
        says = f"--rate {rate}: give frames a second above 0 and up to {MAX_RATE}, such as 24 or 24000/1001"
        raise ValueError(says) from None
