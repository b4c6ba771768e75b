"""A child process of this program that answers requests, one after the other, and may die of one.

A request is a line of JSON on its stdin; the end of stdin ends it. An answer on stdout is a JSON object after its
length in bytes (32 bits, little-endian), followed by what the request gives in bytes, if anything.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from io import FileIO
from typing import IO, Any, cast

from framebrush.base.process_end import how_ended

PIPE_BYTES = 1 << 20
"""Linux's pipes hold 64 KiB otherwise, and a picture would wake both processes fifty times."""

_HEADER = struct.Struct("<I")


class AskedProcess:
    """Started by the first request, and again by the next one after it has ended. One thread at a time makes requests;
    `send` and `end` may be called in any."""

    def __init__(self, what: str, module: str, *arguments: str) -> None:
        """what: what the process does, in words. module: what runs there, which uses `answers` and `say`."""
        self._what = what
        self._command = [sys.executable, "-P", "-m", module, *arguments]
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def start(self) -> None:
        """Start the process, if it is not running, without waiting for it. Raises OSError."""
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if sys.stderr is not None else subprocess.DEVNULL,  # Windows' programs with a window have none
            bufsize=0,
            pipesize=PIPE_BYTES,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        if self._ended:
            self._process.kill()

    @property
    def runs(self) -> bool:
        """Whether it was started and has not been seen to end."""
        return self._process is not None

    @property
    def has_ended(self) -> bool:
        """Whether it was started and has ended, seen or not."""
        return self._process is not None and self._process.poll() is not None

    def send(self, request: dict[str, Any]) -> None:
        """Write a request, if the process is running."""
        process = self._process
        if process is not None:
            with suppress(OSError, ValueError):  # it has died, which is noticed when it should answer
                cast("IO[bytes]", process.stdin).write(json.dumps(request).encode() + b"\n")

    def answer(self) -> dict[str, Any]:
        """The answer to the earliest request that has none yet. Raises RuntimeError if the process died."""
        length = bytearray(_HEADER.size)
        self.receive(memoryview(length))
        text = bytearray(_HEADER.unpack(length)[0])
        self.receive(memoryview(text))
        said: dict[str, Any] = json.loads(text)
        return said

    def receive(self, into: memoryview) -> None:
        """Fill a buffer with the bytes behind an answer. Raises RuntimeError if the process died."""
        assert self._process is not None
        answers = cast("FileIO", self._process.stdout)
        while into:
            count = answers.readinto(into)
            if not count:
                raise RuntimeError(f"the process that {self._what} {self.close()}")
            into = into[count:]

    def end(self) -> None:
        """End the process for good; a request in work raises RuntimeError."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> str:
        """End the process and free what belongs to it; returns how it ended, in words. In the thread of the
        requests."""
        process, self._process = self._process, None
        if process is None:
            return ""
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        process.kill()
        return how_ended(process.wait())


def answers() -> IO[bytes]:
    """For such a process, at its start: where the answers go. Whatever a library prints goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches all its processes
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return out


def say(out: IO[bytes], said: dict[str, Any]) -> None:
    """Write an answer; the bytes behind it, and a `flush`, are the caller's."""
    text = json.dumps(said).encode()
    out.write(_HEADER.pack(len(text)) + text)
