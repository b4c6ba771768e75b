"""The desktop window. Importing this loads no Qt; `main` and `run` do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from framebrush.jobs.spec import SizeSpec


def run(
    source: str | None = None,
    *,
    device: str = "",
    style: str = "",
    sizes: SizeSpec | None = None,
    look_file: Path | None = None,
) -> int:
    """Show the window, with a video if one is given, until it is closed; the exit status.

    source: as `open_frame_source` takes it. device, style: as the command line takes them, instead of those
    remembered. sizes: of what is played and exported. look_file: a saved look to begin with.
    Raises ImportError where Qt is not installed.
    """
    from framebrush.jobs.spec import SOURCE_SIZE
    from framebrush.window.application import show

    return show(source, device=device, style=style, sizes=sizes or SOURCE_SIZE, look_file=look_file)


def why_no_window(error: ImportError) -> str:
    """What a person does where Qt cannot be loaded."""
    if isinstance(error, ModuleNotFoundError):
        return f"the window needs Qt ({error}); pip install 'framebrush[gui]'"
    libraries = (
        "; on Debian and Ubuntu: "
        "apt install libgl1 libegl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon0 libxcb-cursor0"
    )
    return f"the window needs a library of the system ({error}){libraries if sys.platform == 'linux' else ''}"


def main() -> None:
    """Entry point of `framebrush-gui [FILE]`."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    try:
        status = run(names[0] if names else None)
    except ImportError as error:
        sys.exit(f"framebrush-gui: {why_no_window(error)}")
    sys.exit(status)
