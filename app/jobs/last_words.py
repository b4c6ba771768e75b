"""Report the native death of a job's process, which cannot report it itself.

A small process, python -m framebrush.jobs.last_words, reads from a pipe: a line with source and target, what Python's
faulthandler writes on a fatal signal, and BYE if the job ends in any other way. If the pipe closes without BYE, it
prints one sentence to standard error and removes half-written files.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TextIO

from framebrush.base import signals

BYE = "bye\n"


@contextlib.contextmanager
def last_words(source: str, target: str) -> Iterator[None]:
    """Report the death of this process within the context. Does nothing if the user has enabled faulthandler, which
    then reports it."""
    if faulthandler.is_enabled():
        yield
        return
    teller = subprocess.Popen(
        [sys.executable, "-P", "-m", "framebrush.jobs.last_words"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # so that Ctrl-C in a terminal does not reach it
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    pipe = teller.stdin
    assert pipe is not None

    def dismiss() -> None:
        with contextlib.suppress(OSError, ValueError):
            pipe.write(BYE)
            pipe.close()

    try:
        with contextlib.suppress(OSError):
            pipe.write(json.dumps([source, target]) + "\n")
            pipe.flush()
        faulthandler.enable(pipe, all_threads=False)
        signals.before_end = dismiss
        yield
    finally:
        signals.before_end = None
        faulthandler.disable()
        dismiss()
        teller.wait()


def tell(lines: IO[str], to: TextIO) -> None:
    """Read to the end, and print the sentence if the job died."""
    first, rest = lines.readline(), lines.read()
    if not first or rest.endswith(BYE):
        return
    from framebrush.base.text import printable
    from framebrush.jobs.segments.folder import left_words  # only now, as it loads FFmpeg
    from framebrush.media.output_file import remove_stale

    source, target = json.loads(first)
    fatal = re.search(r"Fatal Python error: (.+)|Windows fatal exception: (.+)", rest)
    how = "was killed, by a user or by a system short of memory"
    if fatal:
        how = f"crashed in a library or a driver ({fatal[1] or fatal[2]})"
    remove_stale(Path(target).absolute().parent)
    print(f"framebrush: the process that painted {printable(source)} {how}; {left_words(Path(target))}", file=to)


if __name__ == "__main__":
    tell(sys.stdin, sys.stderr)
