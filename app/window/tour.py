"""Tour of the window in five bubbles."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPolygon
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from framebrush.window.picture.overlay import Overlay
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import faint, heading, plain, push_button
from framebrush.window.widgets.theme import SPACE

WIDTH_PX, TIP_PX = 320, 10
LATER, EARLIER = (Qt.Key.Key_Right, Qt.Key.Key_Down), (Qt.Key.Key_Left, Qt.Key.Key_Up)
KEYS = (*LATER, *EARLIER, Qt.Key.Key_Escape)


class Tour(Overlay):
    """One bubble at a time, with keys: arrows, Enter, Esc."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view, takes_mouse=True, takes_focus=True)
        self._parts: Sequence[QWidget] = ()
        self._number = 0
        self._former: QWidget | None = None
        """Widget that had the focus before."""
        self._title, self._text, self._count = heading(""), plain(wraps=True), faint()
        self._text.setFixedWidth(WIDTH_PX)
        self.skip = push_button(self.tr("Skip"), self.end)
        self.back, self.next = push_button(self.tr("Back"), self.go_back), push_button(self.tr("Next"), self.go_on)
        buttons: tuple[QPushButton, ...] = (self.skip, self.back, self.next)
        for button in buttons:
            button.setAutoDefault(True)  # Enter presses the focused button, as in a dialog
            button.installEventFilter(self)
        row = fill(QHBoxLayout(), self._count, None, *buttons, between=SPACE // 2)
        around = (2 * SPACE + TIP_PX,) * 4
        fill(QVBoxLayout(self), self._title, self._text, row, around=around, between=SPACE)

    @property
    def title(self) -> str:
        """Title of the visible bubble, or ""."""
        return self._title.text() if self.isVisible() else ""

    def begin(self, *parts: QWidget) -> None:
        """Show the first bubble. parts: explained widgets, in order."""
        if not self.isVisible():
            self._former = self._view.window().focusWidget()
        self._parts = parts
        self._show(0)

    def _texts(self) -> list[tuple[str, str]]:
        return [
            (
                self.tr("Open a film"),
                self.tr("Drop it anywhere on the window, or choose it here. The sample film is there to play with."),
            ),
            (
                self.tr("Choose a painting"),
                self.tr("Point at a tile to try it on the film; click to keep it. A picture dropped here is a style."),
            ),
            (
                self.tr("Set the brush"),
                self.tr("Each title below opens a section: subject, colour, light and more. / finds a setting."),
            ),
            (
                self.tr("Move through the film"),
                self.tr("Space plays. The lanes show styles, markers and keyframes; the wheel enlarges them."),
            ),
            (
                self.tr("Export it"),
                self.tr("Size and time are estimated first. F1 lists all keys, and Help has this tour again."),
            ),
        ]

    def go_on(self) -> None:
        """Show the next bubble, or end after the last."""
        if self._number + 1 < len(self._parts):
            self._show(self._number + 1)
        else:
            self.end()

    def go_back(self) -> None:
        self._show(max(0, self._number - 1))

    def end(self) -> None:
        """Hide the bubble and give the focus back."""
        had_focus, former, self._former = self.isAncestorOf(self.window().focusWidget() or self), self._former, None
        self.hide()
        if had_focus:
            (former if former is not None and former.isVisible() else self._view).setFocus()

    def _show(self, number: int) -> None:
        self._number, count = number, len(self._parts)
        title, text = self._texts()[number]
        self._title.setText(title)
        self._text.setText(text)
        self._count.setText(self.tr("{number} of {count}").format(number=number + 1, count=count))
        self.setAccessibleName(f"{title}. {text}")
        self.next.setAccessibleDescription(self.accessibleName())
        self.next.setText(self.tr("Next") if number + 1 < count else self.tr("Done"))
        self.back.setEnabled(number > 0)
        self.show()
        self.place()
        self.update()
        if self.isWindow():
            self.activateWindow()
        self.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def wanted_size(self) -> QSize:
        layout, width = self.layout(), self.sizeHint().width()
        return QSize(width, layout.totalHeightForWidth(width) if layout is not None else 0)

    def _beside(self) -> QRect:
        part = self._parts[self._number]
        return QRect(self._view.mapFromGlobal(part.mapToGlobal(QPoint())), part.size())

    def corner(self) -> QPoint:
        """Return the position that is nearest to the explained part."""
        part, size, room = self._beside(), self.wanted_size(), self._view.rect()
        wanted = part.center() - QPoint(size.width() // 2, size.height() // 2)
        if room.contains(part):
            wanted.setY(part.bottom())
        left = max(0, min(wanted.x(), room.width() - size.width()))
        return QPoint(left, max(0, min(wanted.y(), room.height() - size.height())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Take keys that buttons and shortcuts would use."""
        if isinstance(event, QKeyEvent) and event.key() in KEYS and isinstance(watched, QPushButton):
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                key = Qt.Key(event.key())
                (self.go_on if key in LATER else self.go_back if key in EARLIER else self.end)()
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, inside = self.painter(), self.rect().adjusted(TIP_PX, TIP_PX, -TIP_PX, -TIP_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colours = self.palette()
        for colour, less in ((colours.highlight(), 0), (colours.base(), 2)):
            painter.setBrush(colour)
            painter.drawPolygon(self._tip(inside, less))
            painter.drawRoundedRect(inside.adjusted(less, less, -less, -less), 8, 8)
        painter.end()

    def _tip(self, inside: QRect, less: int) -> QPolygon:
        origin = self._view.mapFromGlobal(self.mapToGlobal(QPoint()))
        part, middle = self._beside().translated(-origin), inside.center()
        across = max(inside.left() + 3 * TIP_PX, min(part.center().x(), inside.right() - 3 * TIP_PX))
        down = max(inside.top() + 3 * TIP_PX, min(part.center().y(), inside.bottom() - 3 * TIP_PX))
        if part.left() >= inside.right():
            base, tip, side = QPoint(inside.right() - less, down), QPoint(TIP_PX, 0), QPoint(0, TIP_PX)
        elif part.top() >= inside.bottom():
            base, tip, side = QPoint(across, inside.bottom() - less), QPoint(0, TIP_PX), QPoint(TIP_PX, 0)
        elif part.bottom() <= inside.top():
            base, tip, side = QPoint(across, inside.top() + less), QPoint(0, -TIP_PX), QPoint(TIP_PX, 0)
        else:
            base, tip, side = middle, QPoint(), QPoint()
        return QPolygon([base - side, base + tip, base + side])
