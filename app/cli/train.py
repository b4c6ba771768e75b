"""`framebrush train`: options, progress, and resumable interruption."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import Progress

from framebrush.base import parent, signals
from framebrush.base.files import part_beside
from framebrush.base.status import Status
from framebrush.cli.groups import UsageError, with_options
from framebrush.cli.messages import console, print_message
from framebrush.cli.option_groups import Overwrite, ProgressOption, TorchDevice
from framebrush.jobs.progress import ProgressStyle, print_line
from framebrush.media.disk import disk_errors
from framebrush.media.sources.frame_source import file_of
from framebrush.media.writing.output_plan import check_folder
from framebrush.models.training_needs import (
    FEWEST_PHOTOS,
    GOOD_PAINTING_PX,
    MOST_BATCH,
    MOST_SEED,
    MOST_STEPS,
    UNUSABLE,
)
from framebrush.styles.training import Shown, as_shown, json_lines, share_processors

if TYPE_CHECKING:
    from framebrush.models.training.trainer import Report

TO_RESUME = "run the same command again to resume"


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """Options that shape the network."""

    size: Annotated[Literal["realtime", "quality"], typer.Option(help="Network for speed or for a finer picture.")] = (
        "realtime"
    )
    stroke_px: Annotated[float, typer.Option(help="Size of the strokes, 4 to 32.")] = 10.0
    content: Annotated[
        float, typer.Option(help="Freedom of the strokes, from 1.1 (faces stay clear) to 1.5 (strokes everywhere).")
    ] = 1.2
    steps: Annotated[int, typer.Option(min=1, max=MOST_STEPS, help="Number of training steps.")] = 6000
    batch: Annotated[int, typer.Option(min=1, max=MOST_BATCH, help="Crops per step; fewer need less GPU memory.")] = 4
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=MOST_SEED, help="Random seed; the same seed, pictures and options give the same network."
        ),
    ] = 0


@dataclass(frozen=True, kw_only=True)
class Material:
    """Options of material and result."""

    style: Annotated[
        Path,
        typer.Option(
            help=f"A picture of the painting, ideally at least {GOOD_PAINTING_PX} px on each side.", show_default=False
        ),
    ]
    out: Annotated[Path, typer.Option(help="The style to write, .onnx.", show_default=False)]
    photos: Annotated[
        list[Path] | None,
        typer.Option(
            help=f"A film, or a folder of at least {FEWEST_PHOTOS} photographs, to train on; repeat for more. "
            "Default: frames of the bundled film.",
            show_default=False,
        ),
    ] = None
    features: Annotated[
        Path | None,
        typer.Option(help="VGG16 weights for the losses; default: the bundled ones.", show_default=False),
    ] = None


@with_options
def train(
    *,
    material: Material,
    options: RecipeOptions,
    title: Annotated[str, typer.Option(help="Title in the list of styles.")] = "",
    licence: Annotated[str, typer.Option(help="Licence of the style file.")] = "",
    torch_device: TorchDevice = "",
    overwrite: Overwrite = False,
    progress: ProgressOption = ProgressStyle.AUTO,
) -> None:
    """Train a style from a picture of a painting.

    A preview, OUT with .preview.png for .onnx, is written after 5 seconds of training and then every 20 seconds. After
    Ctrl-C, run the same command again to resume; it uses the same photographs.

    With --progress json, JSON lines on stdout report the share of the material prepared, the step, the losses, the
    time left and each new preview; a line "cancel" on stdin stops training like Ctrl-C.
    """
    share_processors()
    try:
        from framebrush.models.training.cli import Training, Watcher
        from framebrush.models.training.cli import train as train_style
        from framebrush.models.training.trainer import Recipe
        from framebrush.models.training.training_losses import SHIPPED
        from framebrush.painted.photographs import photographs
    except UNUSABLE as error:
        raise UsageError(f"training needs PyTorch and Pillow ({error}); pip install 'framebrush[train]'") from error
    out = material.out
    check_folder(out, longest=part_beside(out.with_name(f"{out.stem}.preview.png")).name)
    recipe = Recipe(**asdict(options))
    progress = progress.on(console)
    stop = Stop(listen=progress is ProgressStyle.JSON)
    show: Callable[[int], AbstractContextManager[Shown]] = _bar if progress is ProgressStyle.BAR else _nothing
    if progress is ProgressStyle.JSON:
        show = partial(json_lines, say=partial(print_line, sys.stdout))
    try:
        failed = f"writing {out} or its checkpoint failed"
        with (
            signals.deferred(),
            disk_errors(out.parent, failed),
            show(recipe.steps) as (on_prepared, on_progress, on_preview),
        ):
            training = Training(
                file_of(str(material.style)),
                partial(photographs, [file_of(str(path)) for path in material.photos or ()], print_message, stop.check),
                out,
                material.features or SHIPPED,
                recipe,
                title,
                licence,
                torch_device,
                overwrite,
            )
            train_style(training, Watcher(on_progress, print_message, on_prepared, on_preview, as_shown, stop.check))
    except KeyboardInterrupt:
        print_message(f"framebrush: interrupted; {TO_RESUME}")
        raise typer.Exit(Status.INTERRUPTED) from None
    print_message(f"{out}: trained; paint with --style {out}")


class Stop:
    """Stop request for training, by signal or "cancel" on stdin."""

    def __init__(self, *, listen: bool) -> None:
        self._cancelled = False
        if listen and sys.stdin is not None and not sys.stdin.isatty():
            parent.read_lines(self._take, lambda: None)

    def check(self) -> None:
        """Raise KeyboardInterrupt if a stop was requested."""
        if self._cancelled or signals.end_requested():
            raise KeyboardInterrupt

    def _take(self, line: bytes) -> None:
        self._cancelled |= line.strip() == b"cancel"


@contextmanager
def _bar(steps: int) -> Iterator[Shown]:
    with Progress(transient=True, console=console) as bar:
        task = bar.add_task("preparing", total=steps)

        def on_prepared(share: float) -> None:
            bar.update(task, completed=share * steps)

        def on_progress(state: Report) -> None:
            losses = ", ".join(f"{name} {value:.3g}" for name, value in state.losses.items())
            bar.update(task, completed=state.step, description=losses)

        yield on_prepared, on_progress, lambda _: None


@contextmanager
def _nothing(_: int) -> Iterator[Shown]:
    yield lambda _: None, lambda _: None, lambda _: None
