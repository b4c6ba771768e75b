"""Thread that shows a time-lapse."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.base.request_process import RequestProcess
from framebrush.base.worker_thread import Worker
from framebrush.gpu.errors import reported_error
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import VideoInfo
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.composing import Composed, compose

SECONDS = 10
"""Length of a time-lapse on a fast device."""

RATE, FEWEST = 25, 75
"""Most pictures a second; fewest pictures of a time-lapse, which takes longer on a slow device."""

OnPicture = Callable[[Composed, float], object]


class RevealPainter(Worker):
    """Shows one time-lapse, then its last picture in every view."""

    def __init__(
        self,
        spec: JobSpec,
        info: VideoInfo,
        box: PictureBox,
        on_picture: OnPicture,
        on_problem: Callable[[Exception], object],
    ) -> None:
        """Start. on_picture: receives pictures with shares of the time, in its thread."""
        self._spec, self._info, self._box = spec, info, box
        self._on_picture, self._on_problem = on_picture, on_problem
        self._process = RequestProcess("paints the time-lapse", "framebrush.window.picture.reveal_worker")
        self._is_outdated = False
        super().__init__("time-lapse")

    def compose_again(self) -> None:
        """Redraw after a change of the view."""
        with self._changed:
            self._is_outdated = True
            self._changed.notify()

    def close(self) -> None:
        """Ask thread and process to end. Does not block."""
        super().close()
        self._process.end()

    def _run(self) -> None:
        try:
            self._paint()
        except (OSError, RuntimeError, MemoryError) as error:
            if not self._ended:
                self._on_problem(error)
        finally:
            self._process.close()

    def _paint(self) -> None:
        self._process.start()
        size = self._ask(self._spec.to_values())
        picture = np.empty((size["height"], size["width"], 4), np.uint8)
        share = 0.0
        while not self._ended:
            began_s = time.monotonic()
            self._ask({"at": share})
            self._process.receive(picture.data.cast("B"))
            self._show(picture, share)
            if share >= 1:
                break
            with self._changed:
                self._changed.wait_for(lambda: self._ended, began_s + 1 / RATE - time.monotonic())
            share = min(1.0, share + min((time.monotonic() - began_s) / SECONDS, 1 / FEWEST))
        while not self._ended:
            with self._changed:
                self._changed.wait_for(lambda: self._is_outdated or self._ended)
            self._show(picture, 1.0)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self._process.send(request)
        said = self._process.answer()
        if "problem" in said:
            raise reported_error(said)
        return said

    def _show(self, picture: npt.NDArray[np.uint8], share: float) -> None:
        self._is_outdated = False
        size, viewport = self._box.size_px, replace(self._box.viewport, loupe=None)
        if min(size) >= 1 and not self._ended:
            self._on_picture(compose(picture, self._info, size, viewport), share)
