"""The desktop window. Importing this loads no Qt; `main` and `run` do."""

from __future__ import annotations

import sys
from pathlib import Path


def run(path: Path | None = None, *, device: str = "", style: str = "") -> int:
    """Show the window, with a video if one is given, until it is closed; the exit status.

    device, style: as the command line takes them, instead of those remembered. Raises ImportError where Qt is not
    installed.
    """
    from framebrush.window.application import show

    return show(path, device=device, style=style)


def main() -> None:
    """Entry point of `framebrush-gui [FILE]`."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    sys.exit(run(Path(names[0]) if names else None))
