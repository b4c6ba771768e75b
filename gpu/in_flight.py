"""Frames in flight, and the neighbours that they wait for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from framebrush.gpu.look import Look
from framebrush.gpu.stylizer_contract import SlotT
from framebrush.gpu.temporal_window import TemporalWindow


@dataclass(slots=True)
class FrameInFlight(Generic[SlotT]):
    """Frame between `submit` or `follow` and its release.

    painting: key that neighbours must share, None for followed frames. ready: the result was started. over: no later
    frame needs it.
    """

    slot: SlotT
    place: int
    look: Look | None = None
    painting: tuple[object, ...] | None = None
    ready: bool = False
    released: bool = False
    over: bool = False


Start: TypeAlias = tuple[FrameInFlight[SlotT], Sequence[SlotT], Sequence[SlotT], SlotT | None]
"""Frame to start, its neighbours before and after, nearest first, and the former frame's slot."""


class FramesInFlight(Generic[SlotT]):
    """Frames since the last flush, oldest first, and free slots."""

    def __init__(self) -> None:
        self.free: list[SlotT] = []
        self.frames: list[FrameInFlight[SlotT]] = []

    def starts(self, window: TemporalWindow, *, flushed: bool) -> Iterator[Start[SlotT]]:
        """Yield frames with complete neighbours; free slots no longer needed."""
        frames = self.frames
        waiting = len(frames)
        for index, frame in enumerate(frames):
            if frame.ready:
                continue
            is_followed = frame.painting is None
            if not is_followed and index + window.after >= len(frames) and not flushed:
                waiting = index
                break
            last = frames[index - 1] if index else None
            before: Sequence[SlotT] = ()
            after: Sequence[SlotT] = ()
            if not (is_followed or window.alone):
                sides = (
                    frames[max(0, index - window.before) : index][::-1],
                    frames[index + 1 : index + window.after + 1],
                )
                before, after = ([other.slot for other in side if other.painting == frame.painting] for side in sides)
            yield frame, before, after, None if last is None else last.slot
            frame.ready = True
            if last is not None and last.painting is None:
                self._let_go(last)
        self._let_go(*frames[: max(0, waiting - window.before)])
        del frames[: max(0, waiting - window.before)]

    def end(self) -> None:
        """Drop the frames that served as neighbours."""
        self._let_go(*self.frames)
        self.frames.clear()

    def release(self, frame: FrameInFlight[SlotT]) -> None:
        """Free a frame's slot once no frame needs it."""
        frame.released = True
        if frame.over:
            self.free.append(frame.slot)

    def _let_go(self, *frames: FrameInFlight[SlotT]) -> None:
        for frame in frames:
            if not frame.over:
                frame.over = True
                if frame.released:
                    self.free.append(frame.slot)
