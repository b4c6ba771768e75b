"""Commands that paint videos: transcode and batch."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.table import Column, Table

from framebrush.base import signals, supervision
from framebrush.base.json_values import to_text
from framebrush.base.status import Status
from framebrush.base.text import first_line
from framebrush.cli import device_opening
from framebrush.cli.cluster import Certificates, ClusterAddress, cluster_of
from framebrush.cli.death import check_alive
from framebrush.cli.groups import UsageError, with_options
from framebrush.cli.job_settings import Settings
from framebrush.cli.messages import cell, console, print_message
from framebrush.cli.option_groups import ProgressOption, Restart, take_project
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.batch.batch_process import BatchProcess
from framebrush.jobs.batch.batch_run import Batch, Pair, Watched, explain_no_video, targets_of
from framebrush.jobs.batch.result_names import Names
from framebrush.jobs.batch.results import FAILURES, Result
from framebrush.jobs.progress import ProgressStyle, shown
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Outcome
from framebrush.jobs.workers.runner import Cluster, job_runner
from framebrush.media.disk import disk_errors, write_file
from framebrush.media.reading.standard_input import NAME as PIPE
from framebrush.media.reading.standard_input import is_pipe
from framebrush.media.video import ClosedPipeError, InputError, OutputError
from framebrush.media.writing.output_plan import check_report


@with_options
def transcode(
    *,
    settings: Settings,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="IN",
            help="Video or project to paint, - for standard input (raw:size=WxH for raw video), or a test source: "
            "lavfi:testsrc2.",
            is_eager=True,
            callback=take_project,
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="OUT",
            help="The painted video: .mp4, .mov, .mkv, .webm, .avi, .mxf, .ts, .gif, .webp, %04d.png, or - (stdout).",
            show_default=False,
        ),
    ] = None,
    restart: Restart = False,
    save_spec: Annotated[
        Path | None, typer.Option(help="Write the job to this file instead of running it.", show_default=False)
    ] = None,
    cluster: ClusterAddress = None,
    tls: Certificates = None,
    progress: ProgressOption = ProgressStyle.AUTO,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON on standard output.")] = False,
) -> None:
    """Paint a video. Run the same command again to resume an interrupted job."""
    begin = time.monotonic() - supervision.spent_s
    names = source or "", target or ""
    lines = sys.stderr if target == PIPE else sys.stdout
    try:
        job = settings.job()
        if (source is None and job.source == "IN") or (target is None and job.target == "OUT"):
            raise UsageError(f"Missing argument '{'IN' if source is None else 'OUT'}'")
        names = job.source if source is None else source, job.target if target is None else target
        job = replace(job, source=names[0], target=names[1])
        lines = sys.stderr if job.target == PIPE else sys.stdout
        if save_spec is not None:
            write_file(save_spec, job.to_json())
            return
        if as_json and job.target == PIPE:
            raise UsageError("--json would write to standard output, which already carries the video")
        machines = cluster_of(cluster, tls)
        quiet = as_json and progress is ProgressStyle.AUTO and not console.is_terminal
        shown_as = ProgressStyle.NONE if quiet else progress
        outcome = transcode_job(job, shown_as, lines, cluster=machines, restart=restart)
    except ClosedPipeError:
        raise typer.Exit(Status.DONE) from None
    except (*FAILURES, KeyboardInterrupt) as error:
        if as_json or progress is ProgressStyle.JSON:
            print_outcome(Result.of_error(*names, error, time.monotonic() - begin), lines)
        raise
    if as_json:
        print_outcome(Result.of(job, outcome, time.monotonic() - begin), lines)
    raise typer.Exit(outcome.status)


def transcode_job(
    job: JobSpec, progress: ProgressStyle, lines: TextIO, *, cluster: Cluster | None = None, restart: bool = False
) -> Outcome:
    """Paint a video with progress, and report the outcome. lines: for JSON."""
    check_alive(job.source, job.target)
    with (
        job_runner(job, device_opening.diagnosis(), print_message, cluster=cluster) as run,
        shown(progress, console, lines) as on_progress,
    ):
        outcome = run(job, Listener(print_message, on_progress, ending=signals.ending), restart=restart)
    for line in outcome.words:
        print_message(line)
    return outcome


def print_outcome(result: Result, lines: TextIO) -> None:
    """Print a transcode's outcome as a line of JSON."""
    print(to_text(result), file=lines, flush=True)


def write_report(path: Path | None, results: list[Result]) -> None:
    """Write a batch's results if requested. Raises OutputError."""
    if path is not None:
        write_file(path, to_text(tuple(results), indent=1))


@with_options
def batch(
    *,
    settings: Settings,
    sources: Annotated[
        list[str], typer.Argument(metavar="IN...", help="Videos, projects, folders and patterns such as *.mov.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the painted videos, created if needed.", show_default=False)],
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="Include subfolders.")] = False,
    name: Annotated[
        str, typer.Option(help="File names, made of {stem}, {suffix}, {style} and {number}.")
    ] = "{stem}{suffix}",
    watch: Annotated[bool, typer.Option("--watch", help="Keep watching for new videos, until Ctrl-C.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the results to this JSON file.")] = None,
    restart: Restart = False,
    cluster: ClusterAddress = None,
    tls: Certificates = None,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Paint many videos into a folder.

    Existing results are skipped, and a failed video does not stop the others.
    """
    if any(map(is_pipe, sources)):
        raise UsageError("a batch takes names of videos; framebrush transcode paints a video from standard input")
    job, machines = settings.job(), cluster_of(cluster, tls)
    names = Names(out, name, job.style.name)
    process = BatchProcess(job, device_opening.diagnosis(), machines, restart=restart, say=print_message)

    def do_one(pair: Pair, made_here: bool) -> Result:
        with shown(progress, console, sys.stdout) as on_progress:
            result = process.do(pair.source, pair.target, made_here=made_here, on_progress=on_progress)
        if watch:
            _print_problem(result)
        return result

    def keep_report(results: list[Result]) -> None:
        with suppress(OutputError):  # written again at the end
            write_report(report, results)

    find = partial(_find, names=names, recursive=recursive, watch=watch)
    made = Batch(do_one, keep_report)
    try:
        with process:
            if report is not None:
                check_report(report)
            if watch:
                made.watch(Watched(find, sources, out, print_message).videos)
            else:
                made.do(find(sources))
            write_report(report, made.results)
    except KeyboardInterrupt:
        _print_results(made, Status.INTERRUPTED)
        signals.ending.kept = "; ".join(filter(None, (made.kept_words, signals.ending.kept)))
        raise
    except DeviceError:
        _print_results(made, Status.USAGE)
        raise
    _print_results(made, made.status)
    raise typer.Exit(made.status)


def _find(sources: list[str], *, names: Names, recursive: bool, watch: bool) -> list[Pair]:
    found, out = targets_of(sources, names, recursive=recursive), names.out
    if not found and not watch:
        raise InputError(explain_no_video(sources, out, recursive=recursive))
    if found:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"the folder {out} cannot be created ({first_line(error)})") from None
        with disk_errors(out, f"writing the list of names in {out} failed"):
            names.save()
    return found


def _print_problem(result: Result) -> None:
    if result.state == "failed":
        print_message(f"failed: {result.message}")
    elif result.state == "differs":
        print_message(f"{result.source}: {result.message}")


def _print_results(made: Batch, status: Status) -> None:
    columns = Column("video", overflow="fold"), "result", Column("", overflow="fold"), "frames", "seconds"
    table = Table(*columns, box=None, header_style="bold")
    for result in made.results:
        frames = str(result.frames) if result.frames else ""
        name, message = cell(result.source), cell(result.message)
        table.add_row(name, result.state, message, frames, f"{result.seconds:.1f}")
    if made.results:
        console.print(table)
    print_message(made.summary(status))
