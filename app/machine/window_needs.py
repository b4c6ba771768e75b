"""Messages about the window's missing requirements."""

from __future__ import annotations

import sys


def why_no_window(error: ImportError) -> str:
    """Explain why Qt cannot be loaded, with a remedy."""
    if isinstance(error, ModuleNotFoundError):
        return f"the window needs Qt ({error}); pip install 'framebrush[gui]'"
    libraries = (
        "; on Debian and Ubuntu: "
        "apt install libgl1 libegl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon0 libxkbcommon-x11-0 "
        "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libwayland-cursor0"
    )
    return f"the window needs a system library ({error}){libraries if sys.platform == 'linux' else ''}"
