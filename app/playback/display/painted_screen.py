"""Display of finished frames."""

from __future__ import annotations

from typing import Any

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, FrameFormat, rgba8
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.surface import Surface
from framebrush.styles.passthrough import passthrough_style


class PaintedScreen:
    """Display of painted frames. May raise DeviceError."""

    def __init__(self) -> None:
        self.is_shown = False
        """Whether a painted frame is on the screen."""
        self._source: FrameFormat | None = None
        self._stylizer: Stylizer[Any] | None = None  # for frames of the format
        self._coming: tuple[Ticket, Frame] | None = None
        self._shown: tuple[Ticket, Frame] | None = None

    @property
    def is_coming(self) -> bool:
        """Whether a frame is in preparation."""
        return self._coming is not None

    @property
    def latency_s(self) -> float:
        """Mean time until presentation."""
        times_ms = self._stylizer.stage_ms if self._stylizer is not None else {}
        return sum(ms for stage, ms in times_ms.items() if stage != "fetch") / 1e3

    def prepare(self, device: Device, frame: Frame) -> None:
        """Start uploading a frame, replacing another."""
        stylizer = self._stylizer_for(device, frame)
        self.drop()
        if self._shown is not None and self._shown[1] is frame:
            self._coming = self._shown
        else:
            self._coming = stylizer.submit(frame), frame

    def present(self, surface: Surface) -> None:
        """Present the prepared frame."""
        coming, shown, stylizer = self._coming, self._shown, self._stylizer
        if coming is None or stylizer is None:
            return
        stylizer.show(coming[0], surface)
        self._shown, self._coming, self.is_shown = coming, None, True
        if shown is not None and shown is not coming:
            stylizer.release(shown[0])

    def drop(self) -> None:
        """Drop the prepared frame."""
        coming, self._coming = self._coming, None
        if coming is not None and coming is not self._shown and self._stylizer is not None:
            self._stylizer.release(coming[0])

    def fetch(self, device: Device, frame: Frame) -> Frame:
        """Convert a frame to RGBA8."""
        stylizer = self._stylizer_for(device, frame)
        return stylizer.fetch(stylizer.submit(frame))

    def _stylizer_for(self, device: Device, frame: Frame) -> Stylizer[Any]:
        stylizer, source = self._stylizer, frame.format
        if stylizer is None or self._source != source:
            self.close()
            stylizer = device.stylizer(passthrough_style(), source, rgba8(*source.size))
            self._stylizer, self._source = stylizer, source
        return stylizer

    def close(self) -> None:
        self._coming = self._shown = None
        self.is_shown = False
        stylizer, self._stylizer = self._stylizer, None
        if stylizer is not None:
            stylizer.close()
