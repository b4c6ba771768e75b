"""Programs in which FFmpeg's work ends in abort(), as it does where a library finds its memory corrupt."""

from __future__ import annotations

import os
from pathlib import Path

# Python runs a module of this name at the start of each process. The call of a function of ours stands for a library
# call within it; what the process does then is no mock, but its end.
ABORTING = """
import os, sys, threading

name, _, count = os.environ["ABORT_IN"].partition(":")
left = int(count)

def watch(frame, event, argument):
    global left
    if event == "call" and frame.f_code.co_qualname == name:
        left -= 1
        if left <= 0:
            os.abort()

sys.setprofile(watch)
threading.setprofile(watch)
"""


def environment(folder: Path, function: str, count: int = 1) -> dict[str, str]:
    """For processes that abort in the call of this number of a function, by its qualified name."""
    (folder / "sitecustomize.py").write_text(ABORTING)
    return {**os.environ, "PYTHONPATH": str(folder), "ABORT_IN": f"{function}:{count}"}
