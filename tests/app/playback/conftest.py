"""Player on the CPU that queues events and keeps pictures."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from assets import frame_number
from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.surface import Surface, View
from framebrush.media.video import VideoInfo
from framebrush.playback import events
from framebrush.playback.ahead.render_cache import RenderCache
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.player import Player
from framebrush.playback.reading.reading_process import ReadingProcess

CLIPS = Path(__file__).parents[3] / "assets" / "clips"
E = TypeVar("E", bound=object)
WAIT_S = 120.0  # on a busy machine, too


class Watched:
    """Player with its events and the last picture shown."""

    def __init__(
        self,
        renders: RenderCache | None = None,
        store: RenderStore | None = None,
        reading: ReadingProcess | None = None,
    ) -> None:
        self.events: queue.Queue[events.Event] = queue.Queue()
        self.seen: list[events.Event] = []
        self.picture: npt.NDArray[np.uint8] = np.zeros((1, 1, 4), np.uint8)
        self.saved: list[tuple[Frame, Path]] = []
        self.player = Player(self.events.put, self._surface, self._save, renders=renders, store=store, reading=reading)

    def _surface(self, device: Device) -> Surface:
        assert device.info.kind == "cpu"
        return device.surface(View(1, 1, paint=self._put))

    def _put(self, picture: npt.NDArray[np.uint8]) -> None:
        self.picture = picture.copy()

    def _save(self, frame: Frame, info: VideoInfo, path: Path) -> Path:
        self.saved.append((frame, path))
        return path

    def wait(self, kind: type[E], wanted: Callable[[E], bool] = lambda _: True) -> E:
        """Return the next matching event, discarding earlier ones."""
        end = time.monotonic() + WAIT_S
        while True:
            event = self.events.get(timeout=max(0.0, end - time.monotonic()))
            self.seen.append(event)
            if isinstance(event, kind) and wanted(event):
                return event

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the player busy, so that requests pile up."""
        begun, over = threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            over.wait(WAIT_S)

        self.player.commands.post(work)
        assert begun.wait(WAIT_S)
        try:
            yield
        finally:
            over.set()

    def settle(self) -> None:
        self.player.clear_marks()
        self.wait(events.InOutChanged)

    def open(self, name: str) -> events.Opened:
        self.player.open(CLIPS / name, play=False)
        opened = self.wait(events.Opened)
        self.wait(events.Shown)
        return opened

    @property
    def number(self) -> int | None:
        """Return the frame number drawn into the picture."""
        return frame_number.read(self.picture[..., 1])


@pytest.fixture
def watched() -> Iterator[Watched]:
    made = Watched()
    made.player.start("cpu", "none", Look())
    yield made
    made.player.quit()
    assert made.player.join(60)
