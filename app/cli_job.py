"""The commands that paint videos into videos, and the options that they share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from framebrush import cli_opening
from framebrush.cli_cluster import Certificates, ClusterAddress, cluster_of
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
from framebrush.jobs.batch import Batch, Result, targets_of
from framebrush.jobs.folder import write_json
from framebrush.jobs.runner import job_runner
from framebrush.jobs.spec import JobSpec, SizeSpec, StyleSpec
from framebrush.media.plan import OutputOptions
from framebrush.media.video import InputError, OutputError, TimeRange
from framebrush.messages import console, print_message
from framebrush.models.library import DEFAULT as DEFAULT_STYLE
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.text import count_of, first_line
from framebrush.progress import ProgressStyle, shown
from framebrush.transcode import Outcome

ELSEWHERE = ("device", "restart", "overwrite", "keep")
"""Options that say where and how a job is done, not what it is: they go with --spec."""

ProgressOption = Annotated[ProgressStyle, typer.Option(help="A bar, JSON lines, or none.")]
SpecFile = Annotated[
    Path | None, typer.Option("--spec", help="Take the settings from this job file.", show_default=False)
]


def settings(
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
    statistics: StatisticsChoice = "frame",
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
    overwrite: Overwrite = False,
    keep: Keep = False,
) -> JobSpec:
    """The job that the options describe; its source and target are to be filled in."""
    if overwrite and keep:
        raise UsageError("-y and -n contradict each other")
    return JobSpec(
        source="IN",
        target="OUT",
        style=StyleSpec(style, PreprocessingOverrides(net_layout, net_order, net_input, net_output)),
        look=Look(strength, keep_colours, exposure, tone_curve, tone_map, split, dither, steady=steady),
        range=TimeRange(position(start), position(end), frames),
        sizes=SizeSpec(stroke_size(stroke), size, max_size),
        tiling=tiling(tile),
        precision=precision,
        statistics=statistics,
        segments=segment_length(segments),
        decode=decode_options(deinterlace, hwaccel, allow_playlists, rate),
        output=OutputOptions(codec, crf, preset, bits_of(pix_fmt), audio.value, overwrite),
        device=device,
    )


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `settings`, and --spec in their place; it gets the job as `job`."""
    shared = inspect.signature(settings, eval_str=True).parameters
    own = dict(inspect.signature(command, eval_str=True).parameters)
    del own["job"]

    @wraps(command)
    def wrapper(context: typer.Context, spec: Path | None, **given: Any) -> None:  # noqa: ANN401
        options = {name: given.pop(name) for name in shared}
        if spec is None:
            job = settings(**options)
        else:
            asked = [
                name
                for name in shared
                if name not in ELSEWHERE and str(context.get_parameter_source(name)).endswith("COMMANDLINE")
            ]
            if asked:
                raise UsageError(f"--spec holds all settings; leave out --{asked[0].replace('_', '-')}")
            job = read_spec(spec)
            if str(context.get_parameter_source("device")).endswith("COMMANDLINE"):
                job = replace(job, device=options["device"])
            if options["overwrite"]:
                job = replace(job, output=replace(job.output, overwrite=True))
        command(job=job, **given)

    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        inspect.Parameter("context", positional, annotation=typer.Context),
        *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own.values()),
        *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in shared.values()),
        inspect.Parameter("spec", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=SpecFile),
    ]
    command_line: Any = wrapper
    command_line.__signature__ = inspect.Signature(parameters)
    command_line.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del command_line.__wrapped__  # whose annotations typer would read
    return wrapper


def read_spec(path: Path) -> JobSpec:
    """The job of a file. Raises InputError, JsonError."""
    try:
        return JobSpec.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None


@with_settings
def transcode(
    *,
    job: JobSpec,
    source: Annotated[
        str | None,
        typer.Argument(metavar="IN", help="Video to paint, or a test source: lavfi:testsrc2.", show_default=False),
    ] = None,
    target: Annotated[
        str | None,
        typer.Argument(metavar="OUT", help="Painted video: .mp4, .mov, .mkv or .webm.", show_default=False),
    ] = None,
    restart: Restart = False,
    save_spec: Annotated[
        Path | None, typer.Option(help="Write the job to this file instead of doing it.", show_default=False)
    ] = None,
    cluster: ClusterAddress = None,
    tls: Certificates = None,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Paint a video into a video. An interrupted job goes on where it was when the same command is given again."""
    if (source is None and job.source == "IN") or (target is None and job.target == "OUT"):
        raise UsageError(f"Missing argument '{'IN' if source is None else 'OUT'}'")
    job = replace(job, source=source or job.source, target=target or job.target)
    if save_spec is not None:
        write_spec(save_spec, job)
        return
    machines = cluster_of(cluster, tls)
    with (
        job_runner(job, cli_opening.diagnosis, print_message, cluster=machines) as run,
        shown(progress, console) as on_progress,
    ):
        outcome = run(job, restart=restart, on_progress=on_progress, on_message=print_message)
    print_message(outcome_words(outcome))
    raise typer.Exit(outcome.status)


def write_spec(path: Path, job: JobSpec) -> None:
    """Write a job file. Raises OutputError."""
    try:
        path.write_text(job.to_json() + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({first_line(error)})") from None


def outcome_words(outcome: Outcome) -> str:
    """How a job ended; what was lost comes in a line of its own before."""
    state = outcome.progress
    if outcome.lost:
        verb = "was" if outcome.lost == 1 else "were"
        print_message(f"{count_of(outcome.lost, 'frame')} {verb} lost")
    return f"{outcome.path}: {count_of(state.frames, 'frame')}, {state.size_bytes / 1e6:.1f} MB, {state.fps:.1f} fps"


@with_settings
def batch(
    *,
    job: JobSpec,
    sources: Annotated[list[str], typer.Argument(metavar="IN...", help="Videos, folders and patterns such as *.mov.")],
    out: Annotated[Path, typer.Option(help="The folder to paint into; it is made.", show_default=False)],
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="Folders within folders too.")] = False,
    name: Annotated[
        str, typer.Option(help="Names of the results: {stem}, {suffix}, {style}, {number}.")
    ] = "{stem}{suffix}",
    watch: Annotated[bool, typer.Option("--watch", help="Go on with videos that come later, until Ctrl-C.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the results to this JSON file.")] = None,
    restart: Restart = False,
    cluster: ClusterAddress = None,
    tls: Certificates = None,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Paint many videos into a folder; what is there already is skipped, and one that fails stops none."""
    with job_runner(job, cli_opening.diagnosis, print_message, cluster=cluster_of(cluster, tls)) as run:

        def paint(one: JobSpec) -> Outcome:
            print_message(f"{one.source}:")
            with shown(progress, console) as on_progress:
                outcome = run(one, restart=restart, on_progress=on_progress, on_message=print_message)
            print_message(outcome_words(outcome))
            return outcome

        def keep_report(results: list[Result]) -> None:
            if report is not None:
                write_json(report, tuple(results), indent=1)

        made = Batch(job, paint, keep_report)
        try:
            out.mkdir(parents=True, exist_ok=True)
            plan = targets_of(sources, out, name, job.style.name, recursive=recursive)
            if not plan and not watch:
                raise InputError(f"{', '.join(sources)}: there is no video")
            if watch:
                made.watch(lambda: targets_of(sources, out, name, job.style.name, recursive=recursive))
            else:
                made.do(plan)
        finally:
            _print_results(made.results)
    raise typer.Exit(made.status)


def _print_results(results: list[Result]) -> None:
    table = Table("video", "result", "", "frames", "seconds", box=None, header_style="bold")
    for result in results:
        frames = str(result.frames) if result.frames else ""
        table.add_row(result.source, result.state, result.message, frames, f"{result.seconds:.1f}")
    if results:
        console.print(table)
