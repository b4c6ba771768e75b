"""Command line: commands imported on demand, and their options.

Errors become one line on stderr and a `base.status.Status`.
"""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from framebrush.base import signals
from framebrush.base.status import Status
from framebrush.gpu.errors import SMALLER_OR_SMALL_TILES, DeviceError
from framebrush.media.media_errors import InputError, OutputError
from framebrush.models.style import StyleError

COMMANDS = {
    "transcode": "job.transcode",
    "batch": "job.batch",
    "worker": "cluster.worker",
    "job": "farm.app",
    "frame": "painting.frame",
    "strokes": "stroke_commands.strokes",
    "reveal": "stroke_commands.reveal",
    "layers": "stroke_commands.layers",
    "live": "painting.live",
    "play": "play.play",
    "styles": "listings.styles",
    "brushes": "listings.brushes",
    "devices": "listings.devices",
    "cameras": "listings.cameras",
    "doctor": "support.doctor",
    "licences": "support.licences",
    "bench": "painting.bench",
    "train": "train.train",
    "keys": "keys.app",
    "demo": "demo.demo",
}
"""The commands, as the help lists them, and the functions, or the group, of modules here."""

TELL_THEMSELVES = ("transcode", "frame", "strokes", "reveal", "layers", "demo", "doctor", "play")
"""Commands that report what their dead worker process has left."""

TYPER_INTERRUPTED = 130
"""The exit status that typer gives after Ctrl-C."""

BOXED_COLUMNS = 100
"""Least width of a terminal for help in boxes, which cut names of options in a narrower one."""

LOOKS: dict[str, Any] = {"rich_markup_mode": "rich", "pretty_exceptions_enable": False}


class Commands(TyperGroup):
    """All commands, each imported on demand."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]  # noqa: ANN401
        return load(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]  # noqa: ANN401
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            close = get_close_matches(name, COMMANDS)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            if os.path.isfile(name):  # noqa: PTH113 - Path raises for a name that is too long
                hint = f", but a file; framebrush transcode {name} OUT paints it"
            ctx.fail(f"'{name}' is no command{hint}")
        return super().resolve_command(ctx, args)


@cache
def load(name: str) -> Any:  # noqa: ANN401 - click's own, which typer has in itself
    """Return a command, or a group of commands."""
    module, _, function = COMMANDS[name].partition(".")
    found = getattr(import_module(f"framebrush.cli.{module}"), function)
    if not isinstance(found, typer.Typer):
        single = typer.Typer(add_completion=False, **LOOKS)
        single.command(name)(found)
        found = single
    command = _fitted(get_command(found))
    command.name = name
    return command


def _fitted(command: Any) -> Any:  # noqa: ANN401
    if get_terminal_size().columns < BOXED_COLUMNS:
        for each in (command, *getattr(command, "commands", {}).values()):
            each.rich_markup_mode = None
            each.short_help = each.help.partition("\n\n")[0]  # typer would cut it
    return command


def _print_version(asked: bool) -> None:
    if asked:
        from framebrush.cli.messages import print_result

        print_result(f"framebrush {importlib.metadata.version('framebrush')}")
        raise typer.Exit


app = typer.Typer(name="framebrush", cls=Commands, no_args_is_help=True, **LOOKS)


@app.callback()
def options(
    context: typer.Context,
    gpu_debug: Annotated[bool, typer.Option("--gpu-debug", help="Use the GPU's debug layer, if installed.")] = False,
    gpu_timing: Annotated[bool, typer.Option("--gpu-timing", help="Time each stage on the GPU, for bench.")] = False,
    gpu_markers: Annotated[
        bool,
        typer.Option("--gpu-markers", help="Label the stages for PIX, RenderDoc and Nsight."),
    ] = False,
    dump_shaders: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every GPU kernel to this folder.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Paint video with neural style networks, on the graphics card or the processor."""
    from framebrush.cli import device_opening
    from framebrush.cli.death import check_alive_at_all
    from framebrush.cli.groups import UsageError

    if dump_shaders is not None and not dump_shaders.is_dir():
        raise UsageError(f"--dump-shaders: there is no folder {dump_shaders}; make it first")
    if context.invoked_subcommand not in TELL_THEMSELVES:
        check_alive_at_all()
    device_opening.asked = (gpu_debug, gpu_timing, dump_shaders, gpu_markers)


@cache
def _program() -> Callable[..., Any]:
    return _fitted(get_command(app))  # type: ignore[no-any-return]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        status = int(_program()(args=words, prog_name="framebrush", standalone_mode=False) or 0)
        if status == TYPER_INTERRUPTED:
            raise KeyboardInterrupt
        return status
    except typer.TyperException as error:
        says = error.format_message()  # the help instead of a command: empty, or without boxes not yet shown
        if says and type(error).__name__ == "NoArgsIsHelpError":  # typer exports no such class
            typer.echo(says, err=True)
            says = ""
        if says:
            _print_outcome(words, says)
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "framebrush"
        return _failed(f"{says} (see {command} --help)" if says else "")
    except (KeyboardInterrupt, typer.Abort) as error:
        return _failed(signals.interrupted_words(), error)
    except Exception as error:
        return _failed(_words(error), error)


def _print_outcome(words: list[str], says: str) -> None:
    asked = "--json" in words or "--progress=json" in words or ("--progress", "json") in pairwise(words)
    if asked and "transcode" in words:
        from framebrush.cli.job import print_outcome
        from framebrush.jobs.batch.results import Result

        print_outcome(Result("", "", "failed", says, status=int(Status.USAGE)), sys.stdout)


def _words(error: Exception) -> object:
    if isinstance(error, InputError | OutputError | DeviceError | StyleError | ValueError):
        return error
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        return f"not enough memory; use {SMALLER_OR_SMALL_TILES}"
    raise error


def _failed(says: object, error: BaseException | None = None) -> int:
    from framebrush.cli.messages import print_message

    status = Status.USAGE if error is None else Status.of(error)
    if signals.end_requested() or isinstance(error, typer.Abort):
        says, status = signals.interrupted_words(), Status.INTERRUPTED
    if says:
        print_message(f"framebrush: {says}")
    return status
