"""Count of hops: calls from a file of the product to another one with a frame, or a look, as argument."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
ROOMS = tuple(str(ROOT / room) for room in ("app", "gpu", "models"))


class Hops:
    """Pairs of calling and called file, of calls with an argument of some types.

    Attributes:
        found: each pair with its number of calls, in the order of the first ones.
        on: whether calls are counted. A function called `until` ends that.
    """

    def __init__(self, *kinds: type, until: str = "") -> None:
        self.found: dict[str, int] = {}
        self.on = False
        self._kinds, self._until = kinds, until

    def watch(self) -> None:
        """Watch the calls of this thread, from now on."""
        sys.setprofile(self.see)

    def see(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call, as the profiler of a thread."""
        caller = frame.f_back
        if event != "call" or caller is None or not self.on:
            return
        self.on = not self._until or frame.f_code.co_name != self._until
        ends = caller.f_code.co_filename, frame.f_code.co_filename
        if ends[0] == ends[1] or not all(end.startswith(ROOMS) for end in ends):
            return
        if any(isinstance(value, self._kinds) for name, value in frame.f_locals.items() if name != "self"):
            hop = " -> ".join(str(Path(end).relative_to(ROOT)) for end in ends)
            self.found[hop] = self.found.get(hop, 0) + 1
