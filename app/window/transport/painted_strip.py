"""Lane of painted frames and the network's confidence."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton

from framebrush.painted.confidence import confidence
from framebrush.window.painted.measuring import Line
from framebrush.window.painted.painted_frames import KeyPicture
from framebrush.window.state.actions import key_text
from framebrush.window.transport.frame_strip import FrameStrip
from framebrush.window.transport.seekbar import SeekBar, clock
from framebrush.window.widgets.controls import tool_button
from framebrush.window.widgets.numbers import percent

HEIGHT_PX, NEAR_PX = 30, 18
BUTTON_PX = 20

UNSURE = 0.7
"""Confidence below which another painted frame is suggested."""


class PaintedStrip(FrameStrip):
    """Painted frames, dashed if unpainted, over a line of the confidence."""

    paint_asked = Signal(int)  # frame number
    anew_asked = Signal(int)
    insisted = Signal(int)
    folder_asked = Signal()
    style_asked = Signal()

    def __init__(self, bar: SeekBar, paint: QAction, another: QAction) -> None:
        hint = QCoreApplication.translate("PaintedStrip", "Painted frames: {keys} paints the frame on the screen")
        super().__init__(bar, HEIGHT_PX, NEAR_PX, hint.format(keys=key_text(paint.shortcut())))
        self.keys: Mapping[int, KeyPicture] = {}
        self.line: Line = ()
        """For the shot on the screen; empty without painted frames."""
        self._unrelated: frozenset[int] = frozenset()
        self.setAccessibleName(self.tr("Painted frames"))
        self.another = tool_button(another)
        self.another.setParent(self)
        self.another.setObjectName("another")
        self.another.setIconSize(QSize(BUTTON_PX - 6, BUTTON_PX - 6))
        self.another.setFixedSize(BUTTON_PX, BUTTON_PX)
        self.another.setAccessibleName(self.tr("Paint another one here"))
        self._action = another
        another.triggered.connect(self._ask_another)
        self._place_button()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_button()

    def show_keys(self, keys: Mapping[int, KeyPicture], unrelated: frozenset[int]) -> None:
        """Show extracted and painted frames. unrelated: unlike their paintings."""
        self.keys, self._unrelated = keys, unrelated
        self.show_numbers(sorted(keys))
        self._place_button()

    def show_line(self, line: Line) -> None:
        """Show each frame's distance from the shot's painted frames."""
        self.line = line
        self._place_button()
        self.update()

    @property
    def worst(self) -> int | None:
        """Least confident frame of the shot, if any is unsure."""
        number, distance = max(self.line, key=lambda step: step[1], default=(0, 0.0))
        return number if self.line and confidence(distance) < UNSURE else None

    def fill_menu(self, menu: QMenu, number: int) -> None:
        key = self.keys[number]
        paint = self.tr("Paint on…") if key.is_painted else self.tr("Paint this frame…")
        menu.addAction(paint).triggered.connect(lambda: self.paint_asked.emit(number))
        if key.is_painted:
            anew = menu.addAction(self.tr("Begin again with the film's frame…"))
            anew.triggered.connect(lambda: self.anew_asked.emit(number))
        if number in self._unrelated:
            insist = menu.addAction(self.tr("Take it anyway"))
            insist.triggered.connect(lambda: self.insisted.emit(number))
        menu.addAction(self.tr("Show in folder")).triggered.connect(lambda: self.folder_asked.emit())
        menu.addAction(self.tr("Paint the film with it")).triggered.connect(lambda: self.style_asked.emit())
        menu.addSeparator()
        menu.addAction(self.tr("Take away")).triggered.connect(lambda: self.removed.emit(number))

    def words_of(self, number: int) -> str:
        key = self.keys[number]
        if key.problem:
            return self.tr("Cannot be read as a picture")
        if number in self._unrelated:
            return self.tr("Does not look like a painting of this frame")
        return self.tr("Painted frame") if key.is_painted else self.tr("Waits to be painted and saved")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self._draw_line(painter)
        places = self.places
        # The selected frame is drawn last, on top.
        for number in sorted(places, key=lambda number: (number == self._chosen, number)):
            self._draw_key(painter, self.keys[number], places[number])

    def _draw_line(self, painter: QPainter) -> None:
        if len(self.line) < 2:
            return
        accent = self.palette().highlight().color()
        bottom = self.height() - 1.0
        points = [
            QPointF(self.x_of(number), bottom - confidence(distance) * (bottom - 2)) for number, distance in self.line
        ]
        below = [QPointF(points[-1].x(), bottom), QPointF(points[0].x(), bottom)]
        shade = QColor(accent)
        shade.setAlphaF(0.16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(QPolygonF([*points, *below]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(accent, 1.5))
        painter.drawPolyline(QPolygonF(points))

    def _draw_key(self, painter: QPainter, key: KeyPicture, x: float) -> None:
        palette, height = self.palette(), self.height() - 6.0
        accent, text, ground = palette.highlight().color(), palette.windowText().color(), palette.window().color()
        shape = key.picture.width() / key.picture.height() if not key.picture.isNull() else 16 / 9
        width = min(1.8, shape) * height
        left = min(max(0.5, x - width / 2), self.width() - width - 0.5)
        place = QRectF(left, 3, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(place.adjusted(-1.5, -1.5, 1.5, 1.5), 3, 3)
        if not key.picture.isNull():
            painter.setOpacity(1.0 if key.is_painted else 0.55)
            painter.drawImage(place, key.picture)
            painter.setOpacity(1.0)
        is_chosen = key.number == self._chosen and self.hasFocus()
        is_wrong = bool(key.problem) or key.number in self._unrelated
        style = Qt.PenStyle.SolidLine if key.is_painted else Qt.PenStyle.DashLine
        painter.setPen(QPen(text if is_chosen else accent, 2 if is_chosen else 1.2, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place, 2, 2)
        if is_wrong:
            mark = QRectF(place.right() - 12, place.top(), 12, 12)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(text)
            painter.drawEllipse(mark)
            painter.setPen(ground)
            painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, "!")

    def _place_button(self) -> None:
        worst = self.worst
        is_there = worst is not None and worst not in self.keys
        self.another.setVisible(is_there)
        self._action.setEnabled(is_there)
        if worst is None:
            return
        side = min(BUTTON_PX, self.height())
        left = round(min(max(0.0, self.x_of(worst) - side / 2), self.width() - side))
        self.another.setGeometry(left, (self.height() - side) // 2, side, side)
        sure = percent(confidence(dict(self.line)[worst]))
        words = self.tr("Here the style is least sure: {share}").format(share=sure)
        name = self.another.accessibleName()
        self._action.setToolTip(f"{name}\n{clock(self._ms(worst) / 1000)}\n{words}")
        self.another.setAccessibleDescription(f"{clock(self._ms(worst) / 1000)}, {words}")

    def _ask_another(self) -> None:
        if self.worst is not None:
            self.sought.emit(self.worst)
            self.paint_asked.emit(self.worst)


class LearnButton(QToolButton):
    """Shows learning progress; stops or resumes learning."""

    def __init__(self) -> None:
        super().__init__(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setObjectName("learning")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_learning(on=False)

    def show_learning(self, *, on: bool, share: float | None = None, searched: float | None = None) -> None:
        """Show the learning state.

        share: progress, None while it starts. searched: share during shot detection, else None.
        """
        if not on:
            self.setText(self.tr("Learn on"))
            self.setAccessibleName(self.text())
            self.setToolTip(self.tr("Learn on from the painted frames"))
            self.setAccessibleDescription("")
            return
        self.setText("…" if share is None else f"{percent(share)}  ◼")
        self.setAccessibleName(self.tr("Stop learning"))
        if searched is not None:
            words = self.tr("Looking for the shots of the film: {share}").format(share=percent(searched))
        elif share is None:
            words = self.tr("Learning begins")
        else:
            words = self.tr("Learning from the painted frames: {share}").format(share=percent(share))
        self.setAccessibleDescription(words)
        self.setToolTip(f"{words}\n{self.tr('Click to stop; what was learnt stays')}")
