"""Child processes that abort inside a library call."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Python imports a module of this name at startup. One of our functions stands in for a library call inside it;
# the abort of the process is real.
ABORTING = """
import os, sys, threading

name, _, count = os.environ["ABORT_IN"].partition(":")
left = int(count)
begin = os.environ["ABORT_AFTER"]

def watch(frame, event, argument):
    global left
    if event == "call" and frame.f_code.co_qualname == name and (not begin or os.path.exists(begin)):
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


def environment(
    folder: Path, function: str, count: int = 1, *, by: str = "abort", after: Path | None = None
) -> dict[str, str]:
    """Return environment variables for processes that abort in a function.

    Args:
        count: number of the call that aborts.
        after: calls count once this file exists.
        by: "a lost GPU" for a method of `gpu.webgpu.native.Native` that loses its device.
    """
    (folder / "sitecustomize.py").write_text(ABORTING)
    paths = os.pathsep.join([str(folder), *sys.path])
    patched = {"PYTHONPATH": paths, "ABORT_IN": f"{function}:{count}", "ABORT_BY": by}
    return {**os.environ, **patched, "ABORT_AFTER": str(after or "")}
