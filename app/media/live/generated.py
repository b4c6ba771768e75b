"""FFmpeg's test sources in real time: "live:testsrc2=size=640x360:rate=25+sine"."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from framebrush.gpu.frame import Frame
from framebrush.media.live.live_sound import SUFFIX, sound_of
from framebrush.media.live.live_sources import LiveSource, open_live
from framebrush.media.reading import generator
from framebrush.media.reading.generator import Generator
from framebrush.media.video import TimeRange

PREFIX = "live:"
_TEXT = re.compile("(?P<drawing>.*?)" + SUFFIX, re.DOTALL)


class DrawnCapture:
    """`Capture` of generated frames at their rate."""

    def __init__(self, text: str, name: str) -> None:
        """Open a test source. Raises InputError."""
        self._drawn = Generator(text)
        self.info = replace(self._drawn.info, container="live", description=name)
        self.has_end = self._drawn.has_end
        self._period_s = float(1 / self.info.usual_rate)
        self._due_s = time.perf_counter()

    def read(self) -> Frame | None:
        drawn = next(self._drawn, None)
        self._due_s = max(self._due_s + self._period_s, time.perf_counter() - self._period_s)
        time.sleep(max(0.0, self._due_s - time.perf_counter()))
        return None if drawn is None else drawn.host

    def close(self) -> None:
        self._drawn.close()


def open_live_generator(text: str, span: TimeRange | None = None) -> LiveSource:
    """Open a real-time test source. Raises InputError."""
    match = _TEXT.fullmatch(text.removeprefix(PREFIX))
    assert match is not None
    capture = DrawnCapture(generator.PREFIX + match["drawing"], text)
    return open_live(capture, span, sound_of(match["sound"]))
