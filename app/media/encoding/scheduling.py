"""Protection against SVT-AV1, which gives threads real-time priority."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def kept_scheduling() -> Iterator[None]:
    """Restore the scheduling policy of the block's threads."""
    with contextlib.ExitStack() as after:
        if sys.platform == "linux":
            after.callback(_restore, os.sched_getscheduler(0), os.sched_getparam(0))
        yield


if sys.platform == "linux":

    def _restore(policy: int, priority: os.sched_param) -> None:
        for thread in Path("/proc/self/task").iterdir():
            with contextlib.suppress(ProcessLookupError, PermissionError):  # ended, or forbidden by a sandbox
                if os.sched_getscheduler(int(thread.name)) != policy:
                    os.sched_setscheduler(int(thread.name), policy, priority)
