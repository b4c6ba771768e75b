"""Overlay with each stage's time and the readbacks."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from framebrush.media.video import VideoInfo
from framebrush.playback import events
from framebrush.window.picture.overlay import Overlay
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.numbers import decimal


class StatisticsOverlay(Overlay):
    """Text in the view's upper left corner."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("figures")
        self._device = self._source = self._way = ""
        self.measured: events.Statistics | None = None
        self._label = QLabel()
        self._label.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setAccessibleName(self.tr("Statistics"))
        fill(QVBoxLayout(self), self._label, around=self.corner().x())  # as much room as around it

    def text(self) -> str:
        return self._label.text()

    def show_device(self, used: events.DeviceInUse, way: str) -> None:
        self._device, self._way = used.info.name, way
        self._write()

    def show_way(self, reason: str) -> None:
        """Show why the device does not present to the window."""
        self._way = reason
        self._write()

    def show_video(self, info: VideoInfo | None) -> None:
        """Show the video's format."""
        if info is None:
            self._source, self.measured = "", None
        else:
            form = info.format
            rate = f" {float(info.rate):.3f}".rstrip("0").rstrip(".") + " fps" if info.rate else ""
            transfer = "" if form.transfer == "sdr" else f" {form.transfer.upper()}"
            self._source = f"{form.width}x{form.height}{rate} {info.codec} {info.pix_fmt}{transfer}"
        self._write()

    def show_measured(self, measured: events.Statistics) -> None:
        self.measured = measured
        self._write()

    def _write(self) -> None:
        lines = [line for line in (self._device, self._way, self._source) if line]
        if self.measured is not None:
            rows = self._rows(self.measured)
            width = max(len(name) for name, _ in rows) + 2
            lines += [f"{name:<{width}}{value}" if name else "" for name, value in rows]
        self._label.setText("\n".join(lines))
        self.place()

    def _rows(self, m: events.Statistics) -> list[tuple[str, str]]:
        stages = {
            "decode": self.tr("decode"),
            "upload": self.tr("upload"),
            "convert": self.tr("convert"),
            "network": self.tr("network"),
            "steady": self.tr("steady"),
            "output": self.tr("output"),
            "fetch": self.tr("fetch"),
            "present": self.tr("present"),
        }
        last = (
            (self.tr("latency"), f"{decimal(m.latency_ms, 1):>6} ms")
            if m.latency_ms is not None
            else (self.tr("cached"), f"{m.cached:6d}")
        )
        back = self.tr("{number} per frame").format(number=f"{decimal(m.readbacks_per_frame, 2):>6}")
        return [
            ("", ""),
            (self.tr("shown"), f"{decimal(m.fps):>6} fps   {m.shown}"),
            (self.tr("dropped"), f"{m.dropped:6d}"),
            (self.tr("read back"), back),
            ("", ""),
            *((stages.get(stage, stage), f"{decimal(ms, 2):>6} ms") for stage, ms in m.stages_ms.items()),
            ("", ""),
            last,
        ]
