"""Lanes of markers and of corrected masks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QVBoxLayout

from framebrush.jobs.project import LONGEST_NAME, Marker
from framebrush.window.state.actions import key_text
from framebrush.window.transport.frame_strip import FrameStrip
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.widgets.box_layouts import above, fill
from framebrush.window.widgets.theme import SPACE

HEIGHT_PX, NEAR_PX, FLAG_PX = 15, 7, 8


class NameField(QFrame):
    """Small window for a marker's name; Enter accepts, Esc cancels."""

    named = Signal(int, str)

    def __init__(self, strip: MarkerStrip) -> None:
        super().__init__(strip, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self._number = 0
        self.field = QLineEdit(maxLength=LONGEST_NAME)
        self.field.setAccessibleName(QCoreApplication.translate("MarkerStrip", "Name of the marker"))
        fill(QVBoxLayout(self), self.field, around=SPACE)
        self.field.returnPressed.connect(self._take)

    def ask(self, strip: MarkerStrip, marker: Marker) -> None:
        """Show the field at a marker."""
        self._number = marker.number
        self.field.setText(marker.name)
        self.field.selectAll()
        self.ensurePolished()
        self.setGeometry(above(strip, self.sizeHint(), round(strip.x_of(marker.number))))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _take(self) -> None:
        self.hide()
        self.named.emit(self._number, self.field.text().strip())


class MarkerStrip(FrameStrip):
    """Lane of flags with names."""

    named = Signal(int, str)  # frame, name of its marker

    def __init__(self, bar: SeekBar, mark: QAction) -> None:
        hint = QCoreApplication.translate(
            "MarkerStrip", "Markers: {keys} marks the frame on the screen; again: its name"
        )
        super().__init__(bar, HEIGHT_PX, NEAR_PX, hint.format(keys=key_text(mark.shortcut())))
        self._markers: dict[int, Marker] = {}
        self.setAccessibleName(self.tr("Markers"))
        self.naming = NameField(self)
        self.naming.named.connect(self.named)

    def show_markers(self, markers: Sequence[Marker]) -> None:
        self._markers = {each.number: each for each in markers}
        self.show_numbers(list(self._markers))

    def ask_name(self, number: int) -> None:
        """Let the user name the marker at a frame."""
        self.naming.ask(self, self._markers[number])

    def fill_menu(self, menu: QMenu, number: int) -> None:
        menu.addAction(self.tr("Name…")).triggered.connect(lambda: self.ask_name(number))
        menu.addAction(self.tr("Remove")).triggered.connect(lambda: self.removed.emit(number))

    def words_of(self, number: int) -> str:
        return self._markers[number].name

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text, accent = palette.windowText().color(), palette.highlight().color()
        places, bottom = self.places, self.height() - 1.0
        ends = [*places.values(), float(self.width())][1:]
        for (number, x), end in zip(places.items(), ends, strict=True):
            if not -FLAG_PX <= x <= self.width():
                continue
            is_chosen = number == self._chosen and self.hasFocus()
            painter.setPen(QPen(text, 2) if is_chosen else Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            flag = [QPointF(x, 2), QPointF(x + FLAG_PX, 5), QPointF(x, 9)]
            painter.drawPolygon(QPolygonF(flag))
            painter.setPen(QPen(accent, 1.5))
            painter.drawLine(QPointF(x, 1), QPointF(x, bottom))
            room = QRectF(x + FLAG_PX + 2, 0, end - x - FLAG_PX - 4, self.height())
            name = painter.fontMetrics().elidedText(
                self.words_of(number), Qt.TextElideMode.ElideRight, int(room.width())
            )
            if len(name) > 2:
                painter.setPen(text)
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)


class MaskStrip(FrameStrip):
    """Lane of dots at frames with corrected masks, removable only."""

    movable = False

    def __init__(self, bar: SeekBar, brush: QAction) -> None:
        hint = QCoreApplication.translate("MaskStrip", "Corrected masks: {keys} corrects the mask with a brush")
        super().__init__(bar, HEIGHT_PX, NEAR_PX, hint.format(keys=key_text(brush.shortcut())))
        self._counts: dict[int, int] = {}
        self.setAccessibleName(self.tr("Corrected masks"))

    def show_strokes(self, numbers: Sequence[int]) -> None:
        """Show frames with strokes. numbers: each frame once per stroke."""
        self._counts = {number: numbers.count(number) for number in sorted(set(numbers))}
        self.show_numbers(list(self._counts))

    def fill_menu(self, menu: QMenu, number: int) -> None:
        menu.addAction(self.tr("Remove")).triggered.connect(lambda: self.removed.emit(number))

    def words_of(self, number: int) -> str:
        return self.tr("Strokes that correct the mask: %n", "", self._counts[number])

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, x in self.places.items():
            is_chosen = number == self._chosen and self.hasFocus()
            painter.setPen(QPen(palette.windowText().color(), 2) if is_chosen else Qt.PenStyle.NoPen)
            painter.setBrush(palette.highlight().color())
            painter.drawEllipse(QPointF(x, self.height() / 2), 4, 4)
