"""The options of commands that paint files: groups that several commands have, and the job that they describe."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from framebrush.cli_options import (
    LAMP,
    STEADY,
    AudioChoice,
    Brush,
    Canvas,
    Curve,
    Detail,
    DeviceName,
    Dither,
    Exposure,
    Keep,
    KeepColours,
    Lamp,
    LookFile,
    Lut,
    LutFirst,
    Map,
    MaxSize,
    NetInput,
    NetLayout,
    NetOrder,
    NetOutput,
    Overwrite,
    PaletteFrom,
    PaletteName,
    PixFmt,
    PrecisionChoice,
    Relief,
    Segments,
    Size,
    Split,
    StatisticsChoice,
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
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.input_options import HwAccel, Playlists, Rate, decode_options
from framebrush.jobs.spec import ColourSpec, JobSpec, SizeSpec, StyleSpec
from framebrush.media.plan import OutputOptions
from framebrush.media.video import InputError, TimeRange
from framebrush.models.library import DEFAULT as DEFAULT_STYLE
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.text import first_line

ELSEWHERE = ("device", "restart", "overwrite", "keep")
"""Options that say where and how a job is done, not what it is: they go with --spec."""

SpecFile = Annotated[
    Path | None, typer.Option("--spec", help="Take the settings from this job file.", show_default=False)
]


def with_options(name: str, group: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a function the parameters of a group, which are options, instead of its own of that name, which gets what
    the group makes of them."""
    shared = inspect.signature(group, eval_str=True).parameters

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def command(**given: Any) -> Any:  # noqa: ANN401
            made = group(**{option: given.pop(option) for option in shared})
            return function(**{name: made}, **given)

        return _signed(command, function, {name: list(shared.values())})

    return decorate


def _signed(
    command: Callable[..., Any], of: Callable[..., Any], instead: dict[str, list[inspect.Parameter]]
) -> Callable[..., Any]:
    """Let a function appear to typer as another one, with other parameters instead of some."""
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(of, eval_str=True).parameters.items():
        parameters += instead.get(name, [parameter])
    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    signed: Any = command
    signed.__name__, signed.__doc__ = of.__name__, of.__doc__
    signed.__signature__ = inspect.Signature(parameters)
    signed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def painting(
    look_file: LookFile = None,
    style: StyleName = DEFAULT_STYLE,
    device: DeviceName = "auto",
    strength: Strength = 1.0,
    steady: Steady = STEADY,
    brush: Brush = None,
    detail: Detail = 0.0,
    relief: Relief = None,
    canvas: Canvas = None,
    lamp: Lamp = LAMP,
    keep_colours: KeepColours = False,
    palette: PaletteName = None,
    palette_from: PaletteFrom = None,
    lut: Lut = None,
    lut_first: LutFirst = False,
    exposure: Exposure = 0.0,
    tone_curve: Curve = ToneCurve.CLIP,
    tone_map: Map = ToneMap.BT2390,
    split: Split = None,
    dither: Dither = True,
    tile: Tile = "auto",
    precision: PrecisionChoice = "auto",
    stroke: Stroke = "auto",
    size: Size = None,
    max_size: MaxSize = None,
    net_layout: NetLayout = None,
    net_order: NetOrder = None,
    net_input: NetInput = None,
    net_output: NetOutput = None,
    allow_playlists: Playlists = False,
    rate: Rate = None,
) -> JobSpec:
    """How frames are painted, of which input: the job of the commands that paint. Source and target are to be filled
    in."""
    return JobSpec(
        source="IN",
        target="OUT",
        style=StyleSpec(style, PreprocessingOverrides(net_layout, net_order, net_input, net_output)),
        look=Look(
            strength,
            keep_colours,
            exposure,
            tone_curve,
            tone_map,
            split,
            dither,
            steady=steady,
            detail=detail,
            brush=brush,
            relief=relief,
            canvas=canvas,
            lamp_degrees=lamp,
        ),
        decode=decode_options(True, None, allow_playlists, rate),
        sizes=SizeSpec(stroke_size(stroke), size, max_size),
        colours=ColourSpec(palette, palette_from, lut, lut_first),
        tiling=tiling(tile),
        precision=precision,
        device=device,
    )


@with_options("job", painting)
def settings(
    job: JobSpec,
    statistics: StatisticsChoice = "frame",
    start: Annotated[str | None, typer.Option(help="Seconds, hh:mm:ss.mmm, or 123f for a frame.")] = None,
    end: Annotated[str | None, typer.Option(help="Where to stop, not included; as --start.")] = None,
    frames: Annotated[int | None, typer.Option(min=1, help="At most so many frames.")] = None,
    codec: Annotated[
        str, typer.Option(help="auto, h264, hevc, av1, vp9, or one of their encoders, as the guide lists them.")
    ] = "auto",
    crf: Annotated[float | None, typer.Option(help="Quality: lower is better and larger.", show_default=False)] = None,
    preset: Annotated[str | None, typer.Option(help="The encoder's own preset.", show_default=False)] = None,
    pix_fmt: Annotated[PixFmt | None, typer.Option(help="8 or 10 bits.", show_default="as the source")] = None,
    audio: Annotated[AudioChoice, typer.Option(help="Copy the sound, or leave it out.")] = AudioChoice.COPY,
    deinterlace: Annotated[
        bool, typer.Option("--deinterlace/--no-deinterlace", help="Where flagged interlaced.")
    ] = True,
    hwaccel: Annotated[HwAccel | None, typer.Option(help="Decode there; falls back to software.")] = None,
    segments: Segments = "auto",
    overwrite: Overwrite = False,
    keep: Keep = False,
) -> JobSpec:
    """The job of the commands that paint videos into videos."""
    return replace(
        job,
        range=TimeRange(position(start), position(end), frames),
        statistics=statistics,
        segments=segment_length(segments),
        decode=replace(job.decode, deinterlace=deinterlace, hwaccel=None if hwaccel is None else hwaccel.value),
        output=OutputOptions(codec, crf, preset, bits_of(pix_fmt), audio.value, may_overwrite(overwrite, keep)),
    )


def may_overwrite(overwrite: bool, keep: bool, *, otherwise: bool = False) -> bool:
    """What -y and -n say. otherwise: what holds where neither is given. Raises UsageError where both are."""
    if overwrite and keep:
        raise UsageError("-y and -n contradict each other")
    return overwrite or (otherwise and not keep)


def with_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `settings`, and --spec in their place; it gets the job as `job`."""
    shared = inspect.signature(settings).parameters
    first = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    last = inspect.Parameter("spec", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=SpecFile)

    def command(context: typer.Context, spec: Path | None, **given: Any) -> None:  # noqa: ANN401
        options = {name: given.pop(name) for name in shared}
        if spec is None:
            job = settings(**options)
        else:

            def given_here(name: str) -> bool:
                return str(context.get_parameter_source(name)).endswith("COMMANDLINE")

            for parameter in context.command.params:
                name = parameter.name or ""
                if name in shared and name not in ELSEWHERE and given_here(name):
                    raise UsageError(f"--spec holds all settings; leave out {parameter.opts[0]}")
            job = read_spec(spec)
            if given_here("device"):
                job = replace(job, device=options["device"])
            overwrite = may_overwrite(options["overwrite"], options["keep"], otherwise=job.output.overwrite)
            job = replace(job, output=replace(job.output, overwrite=overwrite))
        function(job=job, **given)

    return _signed(command, function, {"job": [first, *shared.values(), last]})


def read_spec(path: Path) -> JobSpec:
    """The job of a file. Raises InputError, JsonError."""
    try:
        return JobSpec.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
