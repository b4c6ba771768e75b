"""What is reported of a job whose process dies natively, where nothing inside it can report anything any more.

A small process holds the end of a pipe: python -m framebrush.jobs.last_words. On stdin: a line with source and target,
what Python's faulthandler writes of a fatal signal, and BYE where the job has ended in any other way. Without that, one
sentence goes to standard error, and half-written files are removed.
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
    """Within this context, the death of the process is reported. Where faulthandler is on already, because the user
    wanted it, it reports the death itself."""
    if faulthandler.is_enabled():
        yield
        return
    teller = subprocess.Popen(
        [sys.executable, "-P", "-m", "framebrush.jobs.last_words"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C in a terminal is not for it
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
    """Read to the end, and say the sentence where the job did not end as it should."""
    first, rest = lines.readline(), lines.read()
    if not first or rest.endswith(BYE):
        return
    from framebrush.base.text import printable
    from framebrush.jobs.segments.folder import left_words  # only now, as it loads FFmpeg
    from framebrush.media.writing.output_file import remove_stale

    source, target = json.loads(first)
    fatal = re.search(r"Fatal Python error: (.+)|Windows fatal exception: (.+)", rest)
    how = "was killed, by a person or by a system that is short of memory"
    if fatal:
        how = f"crashed in a library or a driver ({fatal[1] or fatal[2]})"
    remove_stale(Path(target).absolute().parent)
    print(f"framebrush: the process that painted {printable(source)} {how}; {left_words(Path(target))}", file=to)


if __name__ == "__main__":
    tell(sys.stdin, sys.stderr)
