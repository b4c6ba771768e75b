"""Commands that list styles, brushes, devices, cameras."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from framebrush.base.file_names import proper_name
from framebrush.base.json_values import indented
from framebrush.base.text import printable
from framebrush.cli.groups import with_options
from framebrush.cli.messages import cell, print_message, print_result
from framebrush.models.brushes import PRESETS
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import StyleError
from framebrush.styles.import_network import import_network
from framebrush.styles.style_folder import OwnStyle, StyleFolder


@with_options
def styles(
    *,
    add: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Add a picture, a frame (film.mp4@12.5) or an ONNX file to your own styles.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the added style.", show_default="as the file")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    network: PreprocessingOverrides,
) -> None:
    """List the bundled styles and the user's own."""
    if as_json and (add is not None or name is not None):
        raise StyleError("--json prints the list; --add and --name change it: give them alone")
    overrides = network
    if add is not None:
        _keep(add, name, overrides)
        return
    if name is not None or overrides != PreprocessingOverrides():
        raise StyleError("--name and --net-… need --add FILE")
    listed = list(_listed())
    if as_json:
        print_result(indented([asdict(style) for style in listed]))
        return
    table = _table("style", "in the file", "of size", "speed", "licence")
    for style in listed:
        table.add_row(
            cell(style.name),
            style.file or f"your {style.kind}",
            f"{style.bytes / 1e3:.0f} kB",
            style.speed,
            style.licence,
        )
    print_result(table)


@dataclass(frozen=True, slots=True)
class _Listed:
    """Listed style. kind: "bundled", "picture" or "own". file: if bundled."""

    name: str
    kind: Literal["bundled", "picture", "own"]
    file: str
    path: str
    bytes: int
    speed: str
    licence: str


def _listed() -> Iterator[_Listed]:
    from framebrush.models.library import bundled, card_of

    for name, path in bundled().items():
        card = card_of(path)
        for painting in card.paintings:
            yield _Listed(painting, "bundled", name, str(path), path.stat().st_size, card.speed, card.licence)
    for own in StyleFolder():  # listing must not open untrusted files
        yield _Listed(
            own.name, "picture" if own.is_picture else "own", "", str(own.path), own.path.stat().st_size, "", ""
        )


def _keep(text: str, name: str | None, overrides: PreprocessingOverrides) -> None:
    from framebrush.jobs.still import encoded
    from framebrush.media.disk import disk_errors
    from framebrush.styles.reference_pictures import is_frame, open_picture
    from framebrush.styles.style_names import open_style

    file = Path(text).absolute()
    open_style(str(file), overrides)  # raises if the style is unusable
    if name is not None and StyleFolder().named(name) is not None:
        raise StyleError(f"there is already a style called {name}; choose another --name")
    former = set(StyleFolder().files())
    with disk_errors(StyleFolder().path, f"saving {text} failed"), TemporaryDirectory() as folder:
        if is_frame(str(file)):
            picture = open_picture(str(file))
            file = Path(folder, f"{proper_name(picture.name)}.png")
            file.write_bytes(encoded(picture.rgb, "png", "rgb24"))
        if overrides == PreprocessingOverrides():
            kept = OwnStyle(StyleFolder().keep(file, name))
        else:
            kept = OwnStyle(import_network(file, overrides, name)[0])
    happened = "is there already" if kept.path in former else "was added"
    print_message(f"{Path(text).name} {happened} as {kept.name}; use it with --style {shlex.quote(kept.name)}")


def brushes(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print the list, with all figures, as JSON.")] = False
) -> None:
    """List the kinds of brush for --brush-kind."""
    if as_json:
        listed = [{"name": name, "description": preset.says, **asdict(preset.kind)} for name, preset in PRESETS.items()]
        print_result(indented(listed))
        return
    table = _table("brush", "what it paints")
    for name, preset in PRESETS.items():
        table.add_row(name, preset.says)
    print_result(table)


def devices(*, as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the devices that can paint, the preferred one first."""
    from framebrush.gpu.device import list_devices, missing_devices

    if as_json:
        names = ("index", "kind", "name", "memory_bytes", "software")
        print_result(indented([{name: getattr(info, name) for name in names} for info in list_devices()]))
    else:
        table = _table("index", "kind", "name", "memory")
        for info in list_devices():
            memory = f"{info.memory_bytes / 2**30:.1f} GiB" if info.memory_bytes else ""
            name = cell(info.name + (" (software)" if info.software else ""))
            table.add_row(str(info.index), info.kind, name, memory)
        print_result(table)
    for reason in missing_devices():
        print_message(f"not available: {reason}")


def cameras() -> None:
    """List the cameras for camera:WHICH and the microphones for +microphone:WHICH.

    No camera is switched on.
    """
    from framebrush.media.live.camera_list import find_devices

    found = find_devices()
    table = _table("source", "name")
    for number, camera in enumerate(found.cameras):
        table.add_row(f"camera:{number}", cell(camera.name))
    for name in found.microphones:
        table.add_row("+microphone", cell(name))
    if table.row_count:
        print_result(table)
    if found.problem or not found.cameras:
        problem = found.problem or "no camera was found; plug one in and look again"
        Console(stderr=True, highlight=False).print(printable(problem), markup=False, soft_wrap=True)


def _table(*columns: str) -> Table:
    return Table(*columns, box=None, header_style="bold")
