"""Overlays of the video view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QStyle, QStyleOption, QWidget

from framebrush.window.widgets.theme import SPACE

MOVING = (
    *(QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.WindowStateChange),
    *(QEvent.Type.Show, QEvent.Type.Hide),  # of widgets beside an overlay
)


class Overlay(QFrame):
    """Widget on the view; a separate window over a swap chain, which covers widgets."""

    def __init__(self, view: QWidget, *, takes_mouse: bool = False, takes_focus: bool = False) -> None:
        super().__init__(view)
        self._view, self._takes_mouse, self._takes_focus = view, takes_mouse, takes_focus
        self._put_away = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not takes_mouse)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not takes_focus)
        view.installEventFilter(self)
        self.hide()

    def float_over(self, on: bool) -> None:
        """Become a separate window, or a widget again."""
        shown = self.isVisible()
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint
        if not self._takes_focus:
            flags |= Qt.WindowType.WindowDoesNotAcceptFocus
        if not self._takes_mouse:
            flags |= Qt.WindowType.WindowTransparentForInput
        self.setParent(self._view, flags if on else Qt.WindowType.Widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, on)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground, on)  # the other sets it and does not reset it
        window = self._view.window()  # the view also moves when its window does
        window.removeEventFilter(self)
        if on:
            window.installEventFilter(self)
        self.setVisible(shown)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the style sheet's background, which Qt omits in translucent windows."""
        if self.isWindow():
            option = QStyleOption()
            option.initFrom(self)
            painter = QPainter(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
            painter.end()
        super().paintEvent(event)

    def painter(self) -> QPainter:
        """Return a painter on the cleared overlay: windows keep their former picture."""
        painter = QPainter(self)
        if self.isWindow():
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.fillRect(self.rect(), Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        return painter

    def showEvent(self, _: QShowEvent) -> None:  # noqa: N802 - Qt's name
        self.place()

    def place(self) -> None:
        self.resize(self.wanted_size())
        corner = self.corner()
        self.move(self._view.mapToGlobal(corner) if self.isWindow() else corner)
        self.raise_()

    def corner(self) -> QPoint:
        return QPoint(SPACE + SPACE // 2, SPACE + SPACE // 2)

    def wanted_size(self) -> QSize:
        return self.sizeHint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        kind = event.type()
        if kind == QEvent.Type.WindowStateChange:
            self._go_with_window()
        if kind in MOVING and self.isVisible():  # otherwise it is placed when it is shown
            self.place()
        return False

    def _go_with_window(self) -> None:
        if self._view.window().isMinimized() and self.isVisible():
            self._put_away = True
            self.hide()
        elif self._put_away and not self._view.window().isMinimized():
            self._put_away = False
            self.show()


class Cover(Overlay):
    """Overlay of the whole view, below other overlays."""

    def __init__(self, view: QWidget, above: Sequence[Overlay]) -> None:
        super().__init__(view)
        self.above = above

    def place(self) -> None:
        super().place()
        for other in self.above:
            if other.isVisible():
                other.raise_()

    def corner(self) -> QPoint:
        return QPoint()

    def wanted_size(self) -> QSize:
        return self._view.size()
