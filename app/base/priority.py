"""Process priority."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def give_way(niceness: int) -> None:
    """Lower this process's priority by 0 to 19 before starting threads."""
    if sys.platform == "win32":
        import ctypes
        import subprocess

        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.SetPriorityClass(ctypes.c_void_p(kernel32.GetCurrentProcess()), subprocess.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        with suppress(OSError):
            os.nice(niceness)
