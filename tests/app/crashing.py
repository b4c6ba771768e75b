"""Programs in which a library's work ends in abort(), as it does where it finds its memory corrupt or its GPU gone."""

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
            if os.environ["ABORT_BY"] == "a lost GPU":
                sys.setprofile(None)
                threading.setprofile(None)
                frame.f_locals["self"].device.destroy()
            else:
                os.abort()

sys.setprofile(watch)
threading.setprofile(watch)
"""


def environment(folder: Path, function: str, count: int = 1, *, by: str = "abort") -> dict[str, str]:
    """For processes that abort in the call of this number of a function, by its qualified name. by: "a lost GPU" for
    one of `framebrush.gpu.webgpu.native.Native`, whose device is gone from there on, so that wgpu aborts by itself."""
    (folder / "sitecustomize.py").write_text(ABORTING)
    return {**os.environ, "PYTHONPATH": str(folder), "ABORT_IN": f"{function}:{count}", "ABORT_BY": by}
