"""The commands that list styles, devices and cameras."""

from __future__ import annotations

import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from framebrush.base.file_names import proper_name
from framebrush.base.text import first_line, printable
from framebrush.cli.messages import cell, print_message
from framebrush.gpu.device import list_devices, missing_devices
from framebrush.models.style import StyleError
from framebrush.styles.folder import OwnStyle, StyleFolder


def styles(
    add: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Add a picture, a frame (film.mp4@12.5) or an ONNX file to your own styles.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Its name.", show_default="as the file")] = None,
) -> None:
    """List the bundled styles and the user's own."""
    if add is not None:
        _keep(add, name)
        return
    if name is not None:
        raise StyleError("--name needs --add FILE")
    from framebrush.models.library import bundled, card_of

    table = _table("style", "in the file", "of size", "speed", "licence")
    for name, path in bundled().items():
        card = card_of(path)
        size = f"{path.stat().st_size / 1e3:.0f} kB"
        for painting in card.paintings:
            table.add_row(painting, name, size, card.speed, card.licence)
    for own in StyleFolder():  # a list does not need to open untrusted files
        kind = "your picture" if own.is_picture else "your own"
        table.add_row(cell(own.name), kind, f"{own.path.stat().st_size / 1e3:.0f} kB")
    Console().print(table)


def _keep(text: str, name: str | None) -> None:
    """Add a style file, or a frame of a film, to the user's own styles."""
    from framebrush.jobs.still import encoded
    from framebrush.styles.names import open_style
    from framebrush.styles.pictures import is_frame, open_picture

    file = Path(text).absolute()
    open_style(str(file))  # raises if it is not a usable style
    if name is not None and not StyleFolder().is_free(name):
        raise StyleError(f"there is already a style called {name}; choose another --name")
    try:
        with TemporaryDirectory() as folder:
            if is_frame(str(file)):
                picture = open_picture(str(file))
                file = Path(folder, f"{proper_name(picture.name)}.png")
                file.write_bytes(encoded(picture.rgb, "png", "rgb24"))
            kept = OwnStyle(StyleFolder().keep(file, name))
    except OSError as error:
        raise StyleError(f"{text} could not be saved ({first_line(error)}); check the disk") from None
    print_message(f"{Path(text).name} was added as {kept.name}; use it with --style {shlex.quote(kept.name)}")


def devices() -> None:
    """List the devices that can paint, the preferred one first."""
    table = _table("index", "kind", "name", "memory")
    for info in list_devices():
        memory = f"{info.memory_bytes / 2**30:.1f} GiB" if info.memory_bytes else ""
        name = cell(info.name + (" (software)" if info.software else ""))
        table.add_row(str(info.index), info.kind, name, memory)
    Console().print(table)
    for reason in missing_devices():
        print_message(f"not available: {reason}")


def cameras() -> None:
    """List the cameras for camera:WHICH and the microphones for +microphone:WHICH; no camera is switched on."""
    from framebrush.media.live.camera_list import find_devices

    found = find_devices()
    table = _table("source", "name")
    for number, camera in enumerate(found.cameras):
        table.add_row(f"camera:{number}", cell(camera.name))
    for name in found.microphones:
        table.add_row("+microphone", cell(name))
    if table.row_count:
        Console().print(table)
    if found.problem or not found.cameras:
        problem = found.problem or "no camera was found; plug one in and look again"
        Console(stderr=True, highlight=False).print(printable(problem), markup=False, soft_wrap=True)


def _table(*columns: str) -> Table:
    return Table(*columns, box=None, header_style="bold")
