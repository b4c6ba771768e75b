"""Invitation to open a video, with recent ones."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from framebrush import sample
from framebrush.window.start.moving_picture import MovingPicture
from framebrush.window.start.recent_pictures import Shown
from framebrush.window.widgets import icons
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.images import fitted
from framebrush.window.widgets.theme import SPACE

PICTURE = QSize(120, 68)
TILE_PX = PICTURE.width() + 3 * SPACE
MOST = 6
"""As many as there is room for in the window of the first start, beside its panel."""
GREY = "#77797e"


class Invitation(QWidget):
    """Shown over the half-painted sample film."""

    open_asked = Signal()
    chosen = Signal(object)  # a path

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.moving = MovingPicture()
        self.moving.setParent(self)
        self.text, self._hint = QLabel(self.tr("Drop a video here")), QLabel(self.tr("or"))
        self.text.setStyleSheet("color: #c9cacc; font-size: 17px;")
        self._hint.setStyleSheet("color: #a9abb0;")
        self.button = QPushButton(self.tr("Open video…"))
        self.button.clicked.connect(self.open_asked)
        self.sample = QPushButton(self.tr("Try the sample film"), flat=True)
        for each in (self.button, self.sample):
            each.setAutoDefault(True)  # Enter presses the focused button, as in a dialog
        self.sample.setToolTip(self.tr("Nine seconds of people and of an animation, to try the paintings on."))
        self.sample.clicked.connect(lambda: self.chosen.emit(sample.PATH))
        self.recent: list[QToolButton] = []  # the newest first
        self._row = QWidget()
        self._tiles = fill(QHBoxLayout(self._row), around=SPACE, between=SPACE)
        self._is_busy = False
        self._card = QWidget()
        middle = fill(QVBoxLayout(self._card), around=(4 * SPACE, 2 * SPACE, 4 * SPACE, SPACE), between=SPACE)
        for widget in (self.text, self._hint, self.button, self.sample):
            middle.addWidget(widget, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        layout.setSpacing(2 * SPACE)
        layout.addStretch()
        for part in (self._card, self._row):
            part.setObjectName("over")
            part.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            layout.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()
        self._row.hide()

    def take_focus(self) -> None:
        """Focus the button that opens a video."""
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_busy(self, text: str) -> None:
        """Show the current operation instead, if any."""
        self._is_busy = bool(text)
        self.text.setText(text or self.tr("Drop a video here"))
        view, buttons = self.parentWidget(), (self.button, self.sample, *self.recent)
        if text and view is not None and any(button.hasFocus() for button in buttons):
            view.setFocus()  # the button disappears, and Qt would focus the next control, such as Loop
        for widget in (self.button, self.sample):
            widget.setVisible(not text)
        self._fit()

    def show_recent(self, shown: Shown) -> None:
        for button in self.recent:
            self._tiles.removeWidget(button)
            button.deleteLater()
        self.recent = [self._tile(path, image) for path, image in shown[:MOST]]
        for before, after in pairwise([self.button, self.sample, *self.recent]):
            self.setTabOrder(before, after)  # widgets that are created later would come last in the window's tab order
        self._fit()

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self.moving.setGeometry(self.rect())
        self._fit()

    def _tile(self, path: Path, image: QImage) -> QToolButton:
        button = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setObjectName("recent")
        button.setIconSize(PICTURE)
        without = icons.picture("film", GREY, PICTURE.height(), thin=True)
        button.setIcon(QIcon(without if image.isNull() else fitted(image, PICTURE, self.devicePixelRatioF())))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        metrics = button.fontMetrics()
        button.setText(metrics.elidedText(path.name, Qt.TextElideMode.ElideMiddle, PICTURE.width()).replace("&", "&&"))
        button.setAccessibleName(path.name)
        button.setToolTip(f"<qt>{escape(str(path))}</qt>")
        button.clicked.connect(lambda: self.chosen.emit(path))
        button.setFixedWidth(TILE_PX)
        self._tiles.addWidget(button)
        return button

    def _fit(self) -> None:
        for index, button in enumerate(self.recent):
            button.setVisible((index + 1) * (TILE_PX + SPACE) + 4 * SPACE <= self.width())
        parts = (self.text, self._hint, self.button, self.sample)
        card = sum(part.sizeHint().height() + SPACE for part in parts) + 2 * SPACE
        has_words = self.height() >= card
        self.text.setVisible(has_words or self._is_busy)
        self._hint.setVisible(has_words and not self._is_busy)
        room = self.height() - card - self._row.sizeHint().height() - 4 * SPACE
        self._row.setVisible(bool(self.recent) and not self._is_busy and room >= 0)
