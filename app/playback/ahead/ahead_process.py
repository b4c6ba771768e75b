"""Client of the process that paints ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framebrush.base.json_values import to_values
from framebrush.base.request_process import RequestProcess
from framebrush.gpu.errors import reported_error
from framebrush.gpu.frame import FrameFormat
from framebrush.playback.ahead.ahead_worker import Order, StoppedError
from framebrush.playback.ahead.render_cache import Painted

NICENESS = 5
"""The process gives way to the window and to other programs, but still gets something done beside eight of these."""


class PaintingProcess(RequestProcess):
    """Client for one thread; `stop` and `end` work in any."""

    def __init__(self) -> None:
        super().__init__("paints ahead", "framebrush.playback.ahead.ahead_worker", str(NICENESS))

    def open(self, order: Order, is_wanted: Callable[[], bool]) -> str:
        """Open a film in a look; return the `Stylizer.method`.

        is_wanted: False after a `stop`. Raises StoppedError, DeviceError, OSError, RuntimeError after a crash.
        """
        if not self.runs:
            self.close()
        return str(self._ask({"open": to_values(order)}, is_wanted)["method"])

    def frame(self, number: int, form: FrameFormat, is_wanted: Callable[[], bool]) -> Painted | None:
        """Return a painted frame. Raises as `open`."""
        said = self._ask({"frame": number}, is_wanted)
        if "end" in said:
            return None
        frame = form.allocate()
        for plane in frame.planes:
            self.receive(plane.data.cast("B"))
        return Painted(said["number"], said["pts"], said["duration"], frame)

    def rest(self) -> None:
        """Close film and network. Raises as `open`."""
        if self.runs:
            self._ask({"rest": True}, lambda: True)

    def stop(self) -> None:
        """Cancel the running request."""
        self.send({"stop": True})

    def _ask(self, request: dict[str, Any], is_wanted: Callable[[], bool]) -> dict[str, Any]:
        self.start()
        self.send(request)
        if not is_wanted():
            self.stop()
        said = self.answer()
        if "stopped" in said:
            raise StoppedError
        if "problem" in said:
            raise reported_error(said)
        return said
