"""Protection against encoders with real-time priority.

SVT-AV1, run as root on Linux, gives its threads and the opening thread SCHED_FIFO 99 permanently: nothing else on the
machine runs while they work.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def kept_scheduling() -> Iterator[None]:
    """Restore the caller's policy on threads that the block made real-time."""
    if sys.platform == "linux":
        policy, priority = os.sched_getscheduler(0), os.sched_getparam(0)
        try:
            yield
        finally:
            for thread in Path("/proc/self/task").iterdir():
                with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, or a sandbox forbids it
                    if os.sched_getscheduler(int(thread.name)) != policy:
                        os.sched_setscheduler(int(thread.name), policy, priority)
    else:
        yield
