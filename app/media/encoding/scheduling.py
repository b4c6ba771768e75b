"""Keep encoders from ranking themselves above every other program.

SVT-AV1, run as root on Linux, makes the thread that opens it and its own threads real-time ones of the highest
priority (SCHED_FIFO 99), and leaves them so: from then on nothing else of the process, or of the machine, gets a turn
while they work.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def kept_scheduling() -> Iterator[None]:
    """Give the threads of this process that the block made real-time the policy that the caller had."""
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
