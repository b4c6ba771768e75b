"""Count of calls between product files with a frame or look."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import framebrush
from framebrush import gpu, models

ROOMS = tuple(str(Path(room.__file__).parent) for room in (framebrush, gpu, models))


class Hops:
    """Pairs of calling and called file, with numbers of calls.

    on: whether calls are counted. A function called `until` ends that.
    """

    def __init__(self, *kinds: type, until: str = "") -> None:
        self.found: dict[str, int] = {}
        self.on = False
        self._kinds, self._until = kinds, until

    def watch(self) -> None:
        sys.setprofile(self.see)

    def see(self, frame: FrameType, event: str, _: object) -> None:
        caller = frame.f_back
        if event != "call" or caller is None or not self.on:
            return
        self.on = not self._until or frame.f_code.co_name != self._until
        ends = caller.f_code.co_filename, frame.f_code.co_filename
        if ends[0] == ends[1] or not all(end.startswith(ROOMS) for end in ends):
            return
        if any(isinstance(value, self._kinds) for name, value in frame.f_locals.items() if name != "self"):
            hop = " -> ".join(ends)
            self.found[hop] = self.found.get(hop, 0) + 1
