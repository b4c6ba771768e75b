"""`framebrush play`: the window."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from framebrush.base import supervision
from framebrush.cli.groups import UsageError, with_options
from framebrush.cli.messages import print_message
from framebrush.cli.option_groups import LookFile, override
from framebrush.gpu.errors import DeviceError
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.styles.import_network import import_network
from framebrush.styles.specs import OWN_COLOURS, ColourSpec, SizeSpec
from framebrush.styles.style_folder import StyleFolder
from framebrush.styles.style_paths import absolute


@with_options
def play(
    *,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[IN]", help="Video, or another source, as for transcode.", show_default=False),
    ] = None,
    style: Annotated[str, typer.Option("--style", "-s", help="Style (default: last used).", callback=override)] = "",
    device: Annotated[str, typer.Option("--device", "-d", help="Device, as for transcode (default: last used).")] = "",
    network: PreprocessingOverrides,
    sizes: SizeSpec,
    colours: ColourSpec,
    look_file: LookFile = None,
) -> None:
    """Open the window."""
    from framebrush.machine.window_needs import why_no_window
    from framebrush.window import run as show
    from framebrush.window import why_gone

    if supervision.death:
        raise DeviceError(why_gone())
    asked = colours.with_names(absolute)
    strokes = sizes.with_pictures(lambda path: str(Path(path).absolute()))
    try:
        raise typer.Exit(
            show(
                source,
                device=device,
                style=style_to_show(style, network),
                sizes=strokes,
                colours=asked if asked != OWN_COLOURS else None,  # None: last used
                look_file=look_file,
            )
        )
    except ImportError as error:
        raise UsageError(why_no_window(error)) from error


def style_to_show(style: str, overrides: PreprocessingOverrides) -> str:
    """Return a style's name in the window, importing it if `overrides` are given.

    Raises UsageError, StyleError.
    """
    if overrides == PreprocessingOverrides():
        return absolute(style)
    if not style:
        raise UsageError("--net-… say how a network is read; name its file with --style")
    from framebrush.media.disk import disk_errors

    with disk_errors(StyleFolder().path, f"saving {style} failed"):
        kept, notes = import_network(Path(style).absolute(), overrides)
    for note in notes:
        print_message(note)
    return str(kept)
