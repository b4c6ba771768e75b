"""Desktop window. Importing this loads no Qt."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from framebrush.base import signals, supervision
from framebrush.base.loading import loading
from framebrush.machine.window_needs import why_no_window

if TYPE_CHECKING:
    from framebrush.styles.specs import ColourSpec, SizeSpec


def run(
    source: str | None = None,
    *,
    device: str = "",
    style: str = "",
    sizes: SizeSpec | None = None,
    colours: ColourSpec | None = None,
    look_file: Path | None = None,
) -> int:
    """Show the window until it is closed, and return the exit status.

    Args:
        source: as for `open_frame_source`.
        device, style, colours: as on the command line; default: remembered.
        look_file: saved look to start with.

    Raises ImportError without Qt. Exits with status 1 and a sentence on stderr without a display.
    """
    with loading():
        from framebrush.styles.specs import SOURCE_SIZE
        from framebrush.window.application import show
        from framebrush.window.project.launch import Launch

    return show(Launch(device, style, sizes or SOURCE_SIZE, colours, source), look_file)


def why_gone() -> str:
    """Explain why the window's process died."""
    return (
        f"the process of the window {supervision.death}, which most often is the fault of a graphics driver; update "
        "it, or paint without it: framebrush play --device cpu"
    )


def main() -> None:
    """Entry point of `framebrush-gui [FILE]`."""
    status = supervision.supervise(sys.argv[1:], "framebrush.window.supervised_window")
    sys.exit(f"framebrush-gui: {why_gone()}" if status is None else status)


def work() -> None:
    """Show the window in this process, then exit."""
    signals.install()
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    try:
        status = run(names[0] if names else None)
    except ImportError as error:
        print(f"framebrush-gui: {why_no_window(error)}", file=sys.stderr)
        status = 1
    sys.exit(status + signals.added_to_status)
