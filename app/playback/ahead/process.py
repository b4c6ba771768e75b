"""The process that paints ahead, as the renderer uses it; `worker.py` is what runs there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from typing import IO, Any, cast

from framebrush.base.json_values import to_values
from framebrush.base.process_end import how_ended
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import FrameFormat
from framebrush.playback.ahead.cache import Painted
from framebrush.playback.ahead.worker import HEADER, Order, StoppedError

NICENESS = 5
"""The process gives way to the window and to other programs, but still gets something done beside eight of these."""

PIPE_BYTES = 1 << 20
"""Linux's pipes hold 64 KiB otherwise, and a frame would wake both processes fifty times."""


class PaintingProcess:
    """Started by the first request, and again by the next one after it has ended. One thread makes the requests; `stop`
    and `end` may be called in any."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def start(self) -> None:
        """Start the process, if it is not running, without waiting for it. Raises OSError."""
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "framebrush.playback.ahead.worker", str(NICENESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if sys.stderr is not None else subprocess.DEVNULL,  # Windows' programs with a window have none
            bufsize=0,
            pipesize=PIPE_BYTES,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        if self._ended:
            self._process.kill()

    def open(self, order: Order, is_wanted: Callable[[], bool]) -> str:
        """Open a film in a style and look; returns the `Stylizer.method`. is_wanted: whether no `stop` was meant for
        this request before it was made. Raises StoppedError, DeviceError if the film cannot be painted, OSError if no
        process can be started, and RuntimeError if it died."""
        return str(self._ask({"open": to_values(order)}, is_wanted)["method"])

    def frame(self, number: int, form: FrameFormat, is_wanted: Callable[[], bool]) -> Painted | None:
        """A frame of the open film; see `FilmPainter.frame`. form: as ordered. The rest is as for `open`."""
        said = self._ask({"frame": number}, is_wanted)
        if "end" in said:
            return None
        frame = form.allocate()
        for plane in frame.planes:
            self._receive(plane.data.cast("B"))
        return Painted(said["number"], said["pts"], said["duration"], frame)

    def rest(self) -> None:
        """Close film and network, if there are any. Raises as `open` does."""
        if self._process is not None:
            self._ask({"rest": True}, lambda: True)

    def stop(self) -> None:
        """Give up the request in work, if there is one: it raises StoppedError, or ends as it would have."""
        process = self._process
        if process is not None:
            with suppress(OSError, ValueError):  # it has died
                self._write(process, {"stop": True})

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

    def _ask(self, request: dict[str, Any], is_wanted: Callable[[], bool]) -> dict[str, Any]:
        self.start()
        assert self._process is not None
        with suppress(OSError):  # it has died, which is noticed below
            self._write(self._process, request)
        if not is_wanted():
            self.stop()
        length = bytearray(HEADER.size)
        self._receive(memoryview(length))
        text = bytearray(HEADER.unpack(length)[0])
        self._receive(memoryview(text))
        said: dict[str, Any] = json.loads(text)
        if "stopped" in said:
            raise StoppedError
        if "problem" in said:
            raise DeviceError(said["problem"])
        return said

    @staticmethod
    def _write(process: subprocess.Popen[bytes], request: dict[str, Any]) -> None:
        cast("IO[bytes]", process.stdin).write(json.dumps(request).encode() + b"\n")

    def _receive(self, into: memoryview) -> None:
        assert self._process is not None
        answers = cast("FileIO", self._process.stdout)
        while into:
            count = answers.readinto(into)
            if not count:
                raise RuntimeError(f"the process that paints ahead {self.close()}")
            into = into[count:]
