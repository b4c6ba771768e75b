"""Shows finished frames: uploads and presents them like a film's."""

from __future__ import annotations

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, FrameFormat, rgba8
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.surface import Surface
from framebrush.styles.passthrough import passthrough_style


class PaintedScreen:
    """Shows painted frames, in the device's thread; at most one in preparation.

    May raise DeviceError.
    """

    def __init__(self, device: Device, source: FrameFormat) -> None:
        """source: of the painted frames."""
        self.source = source
        self._stylizer = device.stylizer(passthrough_style(), source, rgba8(source.width, source.height))
        self._coming: tuple[Ticket, Frame] | None = None
        self._shown: tuple[Ticket, Frame] | None = None

    @property
    def is_coming(self) -> bool:
        """Return whether a frame is in preparation."""
        return self._coming is not None

    @property
    def latency_s(self) -> float:
        """Return the mean time from `prepare` until presenting."""
        return sum(ms for stage, ms in self._stylizer.stage_ms.items() if stage != "fetch") / 1e3

    def prepare(self, frame: Frame) -> None:
        """Start uploading a frame, unless shown, in place of another."""
        self.drop()
        if self._shown is not None and self._shown[1] is frame:
            self._coming = self._shown
        else:
            self._coming = self._stylizer.submit(frame), frame

    def present(self, surface: Surface) -> None:
        """Put the prepared frame on the screen."""
        coming, shown = self._coming, self._shown
        if coming is None:
            return
        self._stylizer.show(coming[0], surface)
        self._shown, self._coming = coming, None
        if shown is not None and shown is not coming:
            self._stylizer.release(shown[0])

    def drop(self) -> None:
        """Drop the frame in preparation."""
        coming, self._coming = self._coming, None
        if coming is not None and coming is not self._shown:
            self._stylizer.release(coming[0])

    def fetch(self, frame: Frame) -> Frame:
        """Convert a frame to RGBA8."""
        return self._stylizer.fetch(self._stylizer.submit(frame))

    def close(self) -> None:
        """Free everything. Idempotent."""
        self._coming = self._shown = None
        self._stylizer.close()
