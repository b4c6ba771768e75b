"""The one entry for command line and window: a video, a style, a device and a look become painted frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Self

import numpy as np

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError, DeviceLostError, NonFiniteError
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Matrix, Transfer, nv12
from framebrush.gpu.look import Look
from framebrush.gpu.stylizer import Counters, Stylizer, Ticket
from framebrush.gpu.tiles import Tiling
from framebrush.media.video import VideoFrame
from framebrush.models.style import Style

PREFETCH_DEPTH = 4
"""Frames that a stage may run ahead of the next: enough to hide a slow frame, few enough to keep memory small."""


AnotherDevice = Callable[[DeviceLostError], Device]
"""Given why a device was lost, gives the one to go on with, or raises."""

Waiting = deque[tuple[VideoFrame, Ticket]]


@dataclass(frozen=True, slots=True)
class OutputFrame:
    """A painted frame with the time of its source. `frame` is reused once `PREFETCH_DEPTH` more have been taken."""

    number: int
    pts: int
    duration: int
    frame: Frame


def video_target(source: FrameFormat, bits: int | None = None) -> FrameFormat:
    """What the encoder gets for a source: 4:2:0, in the source's own matrix where it is SDR video, else BT.709.

    bits: 8 or 10; None keeps 8 bits for an 8-bit source and takes 10 for more.
    """
    keeps_gamut = source.transfer is Transfer.SDR and source.layout in (Layout.PLANAR, Layout.SEMI_PLANAR)
    matrix = source.matrix if keeps_gamut and source.matrix is not Matrix.RGB else Matrix.BT709
    target = nv12(source.width, source.height, bits=bits or (8 if source.bits == 8 else 10), matrix=matrix)
    if source.transfer is not Transfer.SDR:
        return target
    return replace(target, primaries=source.primaries, siting=source.siting)


class Pipeline:
    """One stylizer, fed in order. Files go through `paint`; a window gives frames to `stylizer` itself."""

    def __init__(
        self,
        device: Device,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        look: Look | None = None,
        tiling: Tiling = "auto",
        another_device: AnotherDevice | None = None,
    ) -> None:
        """device stays the caller's to close. another_device: asked for a device when this one is lost while painting;
        the session closes what it gives."""
        self.device = device
        self.style = style
        self.target = target
        self._source = source
        self._tiling: Tiling = tiling
        self._another_device = another_device
        self._replacement: Device | None = None
        self._painted_since_loss = 0
        self.stylizer = self._stylizer_on(device, look)

    def _stylizer_on(self, device: Device, look: Look | None) -> Stylizer:
        return device.stylizer(self.style, self._source, self.target, look=look, tiling=self._tiling)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of how this device runs this style."""
        return self.stylizer.notes

    @property
    def counters(self) -> Counters:
        """What the device has done so far."""
        return self.stylizer.counters

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of each stage on the device."""
        return self.stylizer.stage_ms

    def paint(self, frames: Iterable[VideoFrame]) -> Iterator[OutputFrame]:
        """Every frame once, in order, with its own number and time; `Stylizer.slots` of them in flight.

        Raises DeviceError naming the frame where the network's output is not finite.
        """
        waiting: Waiting = deque()
        # Ring: PREFETCH_DEPTH frames in the queue, one with the reader, one being filled, one spare.
        ring = cycle([self.target.allocate() for _ in range(PREFETCH_DEPTH + 3)])
        try:
            for frame in frames:
                if len(waiting) == self.stylizer.slots:
                    yield self._fetch(waiting, next(ring))
                self._submit(frame, waiting)
            while waiting:
                yield self._fetch(waiting, next(ring))
        finally:
            for _, ticket in waiting:
                self.stylizer.release(ticket)

    def _submit(self, frame: VideoFrame, waiting: Waiting) -> None:
        try:
            ticket = self.stylizer.submit(frame.frame)
        except DeviceLostError as lost:
            self._replace_device(lost, waiting)
            ticket = self.stylizer.submit(frame.frame)
        waiting.append((frame, ticket))

    def _fetch(self, waiting: Waiting, kept: Frame) -> OutputFrame:
        try:
            try:
                fetched = self.stylizer.fetch(waiting[0][1])
            except DeviceLostError as lost:
                self._replace_device(lost, waiting)
                fetched = self.stylizer.fetch(waiting[0][1])
        except NonFiniteError as error:
            number = waiting.popleft()[0].number  # its slot is free again
            raise DeviceError(f"frame {number}: {error}") from error
        source, _ = waiting.popleft()
        self._painted_since_loss += 1
        for plane, kept_plane in zip(fetched.planes, kept.planes, strict=True):
            np.copyto(kept_plane, plane)
        return OutputFrame(source.number, source.pts, source.duration, kept)

    def _replace_device(self, lost: DeviceLostError, waiting: Waiting) -> None:
        """Start the frames in flight again on another device; their planes are still with us.

        A device that is lost again before it painted anything is not worth a third: the loss is raised.
        """
        in_flight = [frame for frame, _ in waiting]
        waiting.clear()
        look = self.stylizer.look
        self.stylizer.close()
        if self._another_device is None or (self._replacement is not None and not self._painted_since_loss):
            raise lost
        self._painted_since_loss = 0
        if self._replacement is not None:
            self._replacement.close()
        self.device = self._replacement = self._another_device(lost)
        self.stylizer = self._stylizer_on(self.device, look)
        waiting.extend((frame, self.stylizer.submit(frame.frame)) for frame in in_flight)

    def close(self) -> None:
        """Free the stylizer, and a device that took the place of a lost one. Idempotent."""
        self.stylizer.close()
        if self._replacement is not None:
            self._replacement.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
