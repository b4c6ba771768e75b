"""The timeline below the picture."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QNativeGestureEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QSizePolicy, QVBoxLayout, QWidget

from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import NOTCH, signals_blocked

NOTCH_FACTOR = 1.25
"""Enlargement by a notch of the wheel."""

STEP_FACTOR = 2.0
"""Enlargement by an action."""

NOTCH_SHARE = 0.1
"""Part of the visible span that a notch scrolls."""

SCROLL_PX = 9
RESOLUTION = 10_000
"""Steps of the scroll bar in a film, as its integers end before a long film's milliseconds times a page."""


class Top(QWidget):
    """Seek bar or controls of a live source, equally high."""

    def __init__(self, bar: QWidget, live: QWidget) -> None:
        super().__init__()
        self._parts = bar, live
        fill(QVBoxLayout(self), *self._parts, around=0, between=0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._parts[0].sizeHint().width(), max(part.sizeHint().height() for part in self._parts))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        shown = [part.minimumSizeHint().width() for part in self._parts if not part.isHidden()]
        return QSize(max(shown, default=0), self.sizeHint().height())


class Timeline(QWidget):
    """Seek bar with lanes below it, zoomed and scrolled together."""

    def __init__(self, bar: SeekBar, live: QWidget, lanes: Sequence[QWidget], spared: Sequence[QWidget]) -> None:
        super().__init__()
        self._bar, self._lanes, self._turned = bar, (bar, *lanes), 0.0
        self.pages = QScrollBar(Qt.Orientation.Horizontal)
        self.pages.setAccessibleName(self.tr("Visible part of the film"))
        self.pages.setFixedHeight(SCROLL_PX)
        self._spared = (*spared, self.pages)
        self.is_low = False
        self._top = Top(bar, live)
        fill(QVBoxLayout(self), self._top, *lanes, self.pages, around=0, between=0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._playhead = QWidget(self)
        self._playhead.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._playhead.setObjectName("playhead")
        self._playhead.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        for lane in self._lanes:
            lane.installEventFilter(self)
        bar.axis.changed.connect(self._follow_axis)
        bar.valueChanged.connect(self._follow_value)
        bar.rangeChanged.connect(lambda *_: self._follow_axis())
        self.pages.valueChanged.connect(self._scroll)
        self._follow_axis()

    def fit(self, *, low: bool) -> None:
        """Show all lanes, or the few of a low window."""
        self.is_low = low
        for lane in self._spared:
            lane.setVisible(not low)
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._bar.sizeHint().width(), self._height_px(low=self.is_low))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size in a low window."""
        widths = [lane.minimumSizeHint().width() for lane in (self._top, *self._lanes)]
        return QSize(max(widths), self._height_px(low=True))

    def _height_px(self, *, low: bool) -> int:
        shown = [lane for lane in (*self._lanes[1:], self.pages) if not (low and lane in self._spared)]
        return self._top.sizeHint().height() + sum(
            max(lane.minimumHeight(), lane.sizeHint().height()) for lane in shown
        )

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Enlarge. x: fixed position; None for the current frame."""
        axis, bar = self._bar.axis, self._bar
        here = float(bar.value())
        if x is not None or not axis.first_ms <= here <= axis.first_ms + axis.span_ms:
            here = axis.ms_at(bar.width() / 2 if x is None else x, bar.width())
        axis.zoom(factor, here)

    def zoom_step(self, by: int) -> None:
        """Enlarge (1) or reduce (-1) by a step; 0 shows the whole film."""
        if by:
            self.zoom(STEP_FACTOR**by)
        else:
            self._bar.axis.show_whole()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QWheelEvent):
            return self._turn(event, seeks=watched is self._bar)
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1.0 + event.value(), event.position().x())
            return True
        return super().eventFilter(watched, event)

    def _turn(self, event: QWheelEvent, *, seeks: bool) -> bool:
        """Zoom with Ctrl, scroll with Shift; otherwise lanes zoom, and the bar seeks."""
        turned, held = event.angleDelta(), event.modifiers()
        is_aside = abs(turned.x()) > abs(turned.y())
        if not held & Qt.KeyboardModifier.ControlModifier and (is_aside or held & Qt.KeyboardModifier.ShiftModifier):
            axis, notches = self._bar.axis, (turned.x() if is_aside else turned.y()) / NOTCH
            axis.scroll_to(axis.first_ms - notches * NOTCH_SHARE * axis.span_ms)
        elif seeks and not held & Qt.KeyboardModifier.ControlModifier:
            return False
        else:
            self.zoom(NOTCH_FACTOR ** (turned.y() / NOTCH), event.position().x())
        event.accept()
        return True

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._place_playhead()

    def _follow_value(self, ms: int) -> None:
        if not self._bar.isSliderDown():
            self._bar.axis.reveal(ms)
        self._place_playhead()

    def _follow_axis(self) -> None:
        axis = self._bar.axis
        scale = RESOLUTION / max(1, axis.length_ms)
        page = max(1, round(axis.span_ms * scale))
        with signals_blocked(self.pages):
            self.pages.setRange(0, 0 if axis.is_whole else RESOLUTION - page)
            self.pages.setPageStep(page)
            self.pages.setSingleStep(max(1, page // 10))
            self.pages.setValue(round(axis.first_ms * scale))
        self._place_playhead()

    def _scroll(self, value: int) -> None:
        axis = self._bar.axis
        axis.scroll_to(value * axis.length_ms / RESOLUTION)

    def _place_playhead(self) -> None:
        x = self._bar.x_of(self._bar.value())
        top = self._top.height()
        below = self.pages.height() if self.pages.isVisibleTo(self) else 0
        self._playhead.setVisible(self._bar.isEnabled() and self._bar.maximum() > 0 and 0 <= x <= self.width())
        self._playhead.setGeometry(round(x), top, 1, self.height() - top - below)
        self._playhead.raise_()
