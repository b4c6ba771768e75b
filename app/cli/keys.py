"""`framebrush keys`: extract frames to paint over, and learn a style from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import Progress

from framebrush.base import signals
from framebrush.base.seldom import Seldom
from framebrush.base.status import Status
from framebrush.cli.groups import UsageError, with_options
from framebrush.cli.messages import console, print_message
from framebrush.cli.option_groups import PLACE, Overwrite, ProgressOption, TorchDevice, position
from framebrush.cli.train import Stop
from framebrush.jobs.progress import JSON_PERIOD_S, ProgressStyle
from framebrush.jobs.transcode import PictureLosses
from framebrush.models.training_needs import MOST_SEED, MOST_STEPS, UNUSABLE
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.styles.training import as_shown, share_processors

if TYPE_CHECKING:
    from framebrush.painted.learn import Report

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Paint over single frames; Framebrush paints each shot to match."
)


@app.callback()
def keys(
    context: typer.Context,
    film: Annotated[str, typer.Argument(metavar="FILM", help="The film.", show_default=False)],
) -> None:
    """Paint over single frames in any program; Framebrush paints each shot to match.

    Extract frames, paint over them in the folder FILM.keys, learn, and paint the film with --style FILM.keys.
    """
    from framebrush.media.sources.frame_source import file_of

    context.obj = file_of(film)


def _film_of(context: typer.Context) -> Path:
    # `keys` also runs before --help
    from framebrush.media.reading.open import check_file

    film: Path = context.obj
    check_file(film)
    return film


@app.command()
def extract(
    context: typer.Context,
    at: Annotated[
        list[str] | None,
        typer.Option(help=f"{PLACE[:-1]}; repeat for more.", show_default=False),
    ] = None,
    overwrite: Overwrite = False,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Write frames to paint over as PNG into FILM.keys.

    The most typical frame of each shot, or the frames at --at. Painted frames are kept, unless you give -y.
    """
    from framebrush.painted.extract import extract as write_frames

    film = _film_of(context)
    stop = Stop(listen=False)
    with signals.deferred(), _shown(progress, "reading") as show:
        told, found = Seldom(JSON_PERIOD_S), list[PictureLosses]()

        def on_read(number: int, count: int | None) -> None:
            stop.check()
            if count and told.due():
                show({"read": number, "frames": count}, number / count)

        paths = write_frames(
            film,
            PaintedFolder.beside(film),
            list(filter(None, map(position, at or ()))),
            overwrite=overwrite,
            say=print_message,
            on_read=on_read,
            on_losses=found.append,
        )
    for path in paths:
        print(path)
    raise typer.Exit(max((losses.status for losses in found), default=Status.DONE))


@dataclass(frozen=True, kw_only=True)
class CourseOptions:
    """Options of learning."""

    time_: Annotated[
        str, typer.Option("--time", metavar="SECONDS", help="Maximum training time per shot, as in 30s or 5m.")
    ] = "60s"
    steps: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_STEPS, help="Training steps per shot, not --time; reproducible."),
    ] = None
    others: Annotated[
        Literal["nearest", "film"],
        typer.Option(
            help="Shots without painted frames: use the most similar shot's network, or leave them unpainted."
        ),
    ] = "nearest"
    insist: Annotated[bool, typer.Option("--insist", help="Accept pictures that do not resemble their frames.")] = False
    restart: Annotated[bool, typer.Option("--restart", help="Train from the beginning instead of resuming.")] = False
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=MOST_SEED, help="Random seed; the same seed, painted frames and steps give the same network."
        ),
    ] = 0
    torch_device: TorchDevice = ""


@app.command()
@with_options
def learn(
    *,
    context: typer.Context,
    options: CourseOptions,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Train a network for each shot on its painted frames, and write FILM.keys/film.onnx.

    Progress is saved every few seconds; after Ctrl-C, or with changed painted frames, the same command resumes.

    With --progress json, JSON lines on stdout report shot, step, loss, completed share and each new preview; a line
    "cancel" on stdin stops training like Ctrl-C.
    """
    film = _film_of(context)
    share_processors()
    try:
        from framebrush.painted.learn import Course
        from framebrush.painted.learn import learn as learn_shots
    except UNUSABLE as error:
        raise UsageError(f"learning needs PyTorch and Pillow ({error}); pip install 'framebrush[train]'") from error
    folder = PaintedFolder.beside(film)
    course = Course(_seconds(options.time_), options.steps, options.seed, options.torch_device, options.restart)
    stop = Stop(listen=progress.on(console) is ProgressStyle.JSON)
    try:
        with signals.deferred(), folder.learning(), _shown(progress, "learning") as show:

            def on_progress(state: Report) -> None:
                line = asdict(state) | {"loss": round(state.loss, 6), "done": round(state.done, 4)}
                show(line, (state.shot + state.done) / state.shots)

            learn_shots(
                film,
                folder,
                course,
                others=options.others,
                insist=options.insist,
                say=print_message,
                on_begin=print_message,
                on_progress=on_progress,
                on_preview=lambda path: show({"preview": str(path)}, None),
                finish=as_shown,
                check=stop.check,
            )
    except KeyboardInterrupt:
        print_message("framebrush: training interrupted; progress is saved, run the same command to resume")
        raise typer.Exit(Status.INTERRUPTED) from None
    print_message(f"{folder.network}: learnt; paint with --style {folder.path}")


def _seconds(text: str) -> float:
    number, unit = (text[:-1], text[-1]) if text[-1:] in ("s", "m") else (text, "s")
    try:
        seconds = float(number) * (60 if unit == "m" else 1)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise UsageError(f"--time {text}: give the time for each shot, as in 30s or 5m, at most a day")
    return seconds


Show = Callable[[dict[str, object], float | None], None]
"""Displays a JSON line, or the finished share of the work."""


@contextmanager
def _shown(progress: ProgressStyle, title: str) -> Iterator[Show]:
    match progress.on(console):
        case ProgressStyle.BAR:
            with Progress(transient=True, console=console) as bar:
                task = bar.add_task(title, total=1.0)
                yield lambda _, share: None if share is None else bar.update(task, completed=share)
        case ProgressStyle.JSON:
            yield lambda line, _: print(json.dumps(line), flush=True)
        case _:
            yield lambda *_: None
