"""Overlay on the video view: the time of each stage, and the readbacks from the device."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor, QFontDatabase, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from framebrush.media.video import VideoInfo
from framebrush.playback import events
from framebrush.window.numbers import decimal
from framebrush.window.theme import SPACE


class StatisticsOverlay(QLabel):
    """Overlay on the video view. A swap chain covers Qt's own widgets, so over one this is a window of its own."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self._device = self._source = ""
        self.measured: events.Statistics | None = None
        self._put_away = False
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setStyleSheet("color: #f0f0ee;")
        self.setMargin(SPACE + SPACE // 2)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAccessibleName(self.tr("Statistics"))
        self.hide()

    def float_over(self, on: bool) -> None:
        """Be a window of its own over a swap chain, or a widget in the view."""
        shown = self.isVisible()
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowTransparentForInput
        self.setParent(self._view, flags if on else Qt.WindowType.Widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, on)
        for watched in (self._view, self._view.window()):  # the view also moves within its window
            watched.removeEventFilter(self)
            if on:
                watched.installEventFilter(self)
        if shown:
            self.show()
        self.place()

    def place(self) -> None:
        """Move to the view's corner."""
        corner = QPoint(SPACE + SPACE // 2, SPACE + SPACE // 2)
        self.move(self._view.mapToGlobal(corner) if self.isWindow() else corner)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.WindowStateChange:
            self._go_with_window()
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.WindowStateChange):
            self.place()
        return super().eventFilter(watched, event)

    def _go_with_window(self) -> None:
        """Hide while the window is minimised."""
        if self._view.window().isMinimized() and self.isVisible():
            self._put_away = True
            self.hide()
        elif self._put_away and not self._view.window().isMinimized():
            self._put_away = False
            self.show()

    def show_device(self, used: events.DeviceInUse) -> None:
        """Show the device's name."""
        self._device = used.info.name
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
        """Show figures of playback."""
        self.measured = measured
        self._write()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(12, 12, 13, 200))
        painter.drawRoundedRect(self.rect(), 6, 6)
        painter.end()
        super().paintEvent(event)

    def _write(self) -> None:
        lines = [line for line in (self._device, self._source) if line]
        if self.measured is not None:
            names, rows = self._names(), self._rows(self.measured)
            width = max(len(names.get(key, key)) for key, _ in rows) + 2
            lines += [f"{names.get(key, key):<{width}}{value}" if key else "" for key, value in rows]
        self.setText("\n".join(lines))
        self.adjustSize()

    def _names(self) -> dict[str, str]:
        """The names of the rows. output: look and conversion to the target."""
        return {
            "shown": self.tr("shown"),
            "dropped": self.tr("dropped"),
            "read back": self.tr("read back"),
            "cached": self.tr("cached"),
            "decode": self.tr("decode"),
            "upload": self.tr("upload"),
            "convert": self.tr("convert"),
            "network": self.tr("network"),
            "output": self.tr("output"),
            "fetch": self.tr("fetch"),
            "present": self.tr("present"),
        }

    def _rows(self, m: events.Statistics) -> list[tuple[str, str]]:
        """Keys and values; empty rows separate the groups."""
        return [
            ("", ""),
            ("shown", f"{decimal(m.fps):>6} fps   {m.shown}"),
            ("dropped", f"{m.dropped:6d}"),
            ("read back", self.tr("{number} a frame").format(number=f"{decimal(m.readbacks_per_frame, 2):>6}")),
            ("", ""),
            *((stage, f"{decimal(ms, 2):>6} ms") for stage, ms in m.stages_ms.items()),
            ("", ""),
            ("cached", self.tr("{number} frames").format(number=f"{m.cached:6d}")),
        ]
