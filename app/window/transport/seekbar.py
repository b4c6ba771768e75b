"""Seek bar with cached frames and range."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy

from framebrush.window.transport.axis import MARGIN_PX, Axis
from framebrush.window.widgets.controls import NOTCH
from framebrush.window.widgets.numbers import percent

READY = QColor("#3fae5a")
"""Green, as in video editors."""


def clock(seconds: float, *, precise: bool = True) -> str:
    """Format as h:mm:ss.mmm, or m:ss if not precise and below an hour."""
    thousandths = round(max(0.0, seconds) * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    if precise:
        return f"{hours}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"
    return f"{hours}:{minutes:02}:{rest // 1000:02}" if hours else f"{minutes}:{rest // 1000:02}"


class SeekBar(QAbstractSlider):
    """Seek bar in milliseconds. `sought` is emitted during drags, too."""

    sought = Signal(int)
    pointed = Signal(int, int)  # at a value, at an x, while the mouse is on the bar

    def __init__(self) -> None:
        super().__init__()
        self.axis = Axis(self)
        self.axis.changed.connect(self.update)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Position"))
        self.setSingleStep(1000)
        self.setPageStep(10_000)
        self._marks: tuple[int | None, int | None] = (None, None)
        self._chapters: list[int] = []
        self._ready: list[tuple[int, int]] = []
        self._ready_words = ""
        self._turned = self._told_s = 0
        self._tell()
        self.actionTriggered.connect(lambda _: self.sought.emit(self.sliderPosition()))

    def set_marks(self, first_ms: int | None, last_ms: int | None) -> None:
        self._marks = first_ms, last_ms
        self._snap()

    def set_chapters(self, starts_ms: list[int]) -> None:
        self._chapters = starts_ms
        self._snap()

    def _snap(self) -> None:
        self.axis.set_snaps(self, [*self._chapters, *(mark for mark in self._marks if mark is not None)])
        self.update()

    def set_ready(self, spans: list[tuple[int, int]]) -> None:
        self._ready = spans
        length = sum(min(end, self.maximum()) - start for start, end in spans)
        share = percent(min(1.0, length / max(1, self.maximum())))
        self._ready_words = self.tr("{share} painted ahead").format(share=share) if spans else ""
        self._tell()
        self.update()

    def sliderChange(self, change: QAbstractSlider.SliderChange) -> None:  # noqa: N802 - Qt's name
        super().sliderChange(change)
        if change is QAbstractSlider.SliderChange.SliderRangeChange:
            self.axis.set_length(self.maximum())
        if change is QAbstractSlider.SliderChange.SliderValueChange:
            self.axis.set_snaps("playhead", [self.value()])
            second = self.value() // 1000
            if self.hasFocus() or second != self._told_s:  # not so often that nothing else is said
                self._told_s = second
                self._tell()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self._tell()

    def _tell(self) -> None:
        words = filter(None, (clock(self.value() / 1000), self._ready_words))
        self.setAccessibleDescription(", ".join(words))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(240, 26)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(120, 26)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        line, text, accent = palette.mid().color(), palette.windowText().color(), palette.highlight().color()
        middle = self.height() / 2
        left, right, here = MARGIN_PX, self.width() - MARGIN_PX, self.x_of(self.value())
        done = min(max(left, here), right)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(line)
        painter.drawRoundedRect(QRectF(left, middle - 2, right - left, 4), 2, 2)
        if not self.isEnabled() or self.maximum() <= self.minimum():
            return
        painter.setBrush(accent)
        painter.drawRoundedRect(QRectF(left, middle - 2, done - left, 4), 2, 2)
        painter.setBrush(text)
        for start in self._chapters:
            painter.drawRect(QRectF(round(self.x_of(start)), middle - 5, 1, 10))
        painter.setBrush(READY)
        for start, end in self._ready:
            begin = self.x_of(start)
            painter.drawRect(QRectF(begin, middle + 5, max(1.0, self.x_of(end) - begin), 2.5))
        self._draw_marks(painter, text, middle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(text)
        painter.drawEllipse(QPointF(here, middle), 6.5, 6.5)
        if self.hasFocus():
            painter.setPen(QPen(accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(here, middle), 9, 9)

    def _draw_marks(self, painter: QPainter, colour: QColor, middle: float) -> None:
        first, last = self._marks
        if first is not None and last is not None:
            shade = QColor(colour)
            shade.setAlphaF(0.22)
            painter.setBrush(shade)
            painter.drawRect(QRectF(self.x_of(first), middle - 6, self.x_of(last) - self.x_of(first), 12))
        painter.setBrush(colour)
        for mark, inwards in ((first, 1), (last, -1)):
            if mark is None:
                continue
            x = self.x_of(mark)
            painter.drawRect(QRectF(x - 0.75, middle - 9, 1.5, 18))
            flag = [QPointF(x, middle - 9), QPointF(x + 6 * inwards, middle - 9), QPointF(x, middle - 3)]
            painter.drawPolygon(QPolygonF(flag))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Seek to a press on the bar or a lane."""
        if event.button() is Qt.MouseButton.LeftButton and self.maximum() > 0:
            self.setSliderDown(True)
            self._seek(event, snaps=False)

    def drag(self, event: QMouseEvent) -> None:
        """Seek along after a press."""
        if self.isSliderDown():
            self._seek(event, snaps=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End a drag."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.drag(event)
        if self.maximum() > 0:
            x = event.position().x()
            self.pointed.emit(self.value_at(x), round(x))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Seek a second per notch; small turns add up."""
        self._turned += event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._turned / NOTCH)
        self._turned -= notches * NOTCH
        forward = QAbstractSlider.SliderAction.SliderSingleStepAdd
        back = QAbstractSlider.SliderAction.SliderSingleStepSub
        for _ in range(abs(notches)):
            self.triggerAction(forward if notches > 0 else back)
        event.accept()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        self.update()

    def _seek(self, event: QMouseEvent, *, snaps: bool) -> None:
        value = self.value_at(event.position().x())
        if snaps:
            value = self.axis.snapped(value, self.width(), (self.value(),))
        self.setValue(value)
        self.sought.emit(value)

    def x_of(self, value: int) -> float:
        """Return a time's position on the bar."""
        return self.axis.x_of(value, self.width())

    def value_at(self, x: float) -> int:
        """Return the time at a position."""
        return round(self.axis.ms_at(x, self.width()))
