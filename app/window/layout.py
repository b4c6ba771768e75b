"""The layout of the main window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSplitter, QStatusBar, QTabWidget, QToolButton, QVBoxLayout, QWidget

from framebrush.window.picture.seen import SeenQuality
from framebrush.window.styles.gallery import Gallery
from framebrush.window.widgets.controls import Column, Disclosure, LabelledSlider, RowName, in_columns
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

PANEL_WIDTH, WIDEST_PANEL, HANDLE_PX = 336, 520, 5
FRAME_PX = (16, 48)
"""The most that a desktop's window frame and title bar take."""


def first_size(available: QSize) -> QSize:
    """Return the size of the window on its first start.

    Comfortable, and with its frame within the screen.
    """
    return QSize(min(1280, available.width() - FRAME_PX[0]), min(800, available.height() - FRAME_PX[1]))


def first_corner(available: QRect) -> QPoint:
    """Return the position of that window's frame, centred.

    Systems might place it partly off-screen.
    """
    size = first_size(available.size())
    rest = QPoint(available.width() - size.width() - FRAME_PX[0], available.height() - size.height() - FRAME_PX[1])
    return available.topLeft() + rest / 2


ROUNDS = 3
"""Passes of the event loop until the layout is stable, because its parts ask each other for room."""


class Controls(QWidget):
    """Container that requests the minimum height of its parts, because its gallery can scroll."""

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        layout = self.layout()
        return layout.totalMinimumHeightForWidth(width) if layout is not None else -1


class PanelColumn(Column):
    """Either scrolls as a whole, or lets the gallery in it scroll, but never both, nested.

    A section that is opened by a click stays under the mouse.
    """

    def __init__(self, controls: Controls, gallery: Gallery) -> None:
        super().__init__(controls)
        self._controls, self._gallery, self._place = controls, gallery, 0
        for button in controls.findChildren(Disclosure):
            button.pressed.connect(partial(self._note_place, button))
            button.clicked.connect(partial(self._keep_place, button))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._share_out()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._share_out()
        return done

    def _share_out(self) -> None:
        width = self.width() - self.verticalScrollBar().sizeHint().width()  # whether it is shown or not
        least = self._controls.heightForWidth(width) - self._gallery.saved_height
        self._gallery.show_all(least > self.height())

    def _note_place(self, button: QToolButton) -> None:
        self._place = button.mapTo(self, QPoint()).y()

    def _keep_place(self, button: QToolButton, _: bool = False, rounds: int = ROUNDS) -> None:
        bar, now = self.verticalScrollBar(), button.mapTo(self, QPoint()).y()
        bar.setValue(bar.value() + now - self._place)
        if rounds:
            QTimer.singleShot(0, self, lambda: self._keep_place(button, rounds=rounds - 1))


def side_panel(
    gallery: Gallery, parts: Sequence[QWidget], export_panel: QWidget, titles: tuple[str, str]
) -> QTabWidget:
    """The tabs on the right: the look, and the exports.

    Args:
        parts: below the gallery.
        titles: of the tabs.
    """
    sliders = [slider for part in parts for slider in part.findChildren(LabelledSlider)]
    in_columns(sliders, [name for part in parts for name in part.findChildren(RowName)])
    controls = Controls()
    around = 2 * SPACE - TILE_MARGIN, SPACE, 2 * SPACE - TILE_MARGIN, SPACE
    fill(QVBoxLayout(controls), gallery, *parts, around=around, between=2 * SPACE).addStretch(1)
    side = QTabWidget()
    side.setObjectName("panel")
    for part in (side, side.tabBar()):
        part.setAccessibleName(QCoreApplication.translate("MainWindow", "Side panel"))
    side.setDocumentMode(True)
    side.tabBar().setDrawBase(False)
    side.setMaximumWidth(WIDEST_PANEL)
    side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for tab, title in zip((PanelColumn(controls, gallery), export_panel), titles, strict=True):
        side.addTab(tab, title)
    return side


def columns(view: QWidget, transport: QWidget, side: QWidget, width: int) -> QSplitter:
    """The picture with the transport below it, and the side panel. width: of the window."""
    middle = QWidget()
    fill(QVBoxLayout(middle), view, transport, around=0, between=0, grows=view)
    splitter = QSplitter()
    splitter.setHandleWidth(HANDLE_PX)  # a style sheet sets it to -1, and the panel would overlap the picture
    splitter.setChildrenCollapsible(False)
    for index, part in enumerate((middle, side)):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, 1 - index)  # when the window grows, only the picture does
    splitter.setSizes([width, PANEL_WIDTH])
    splitter.setAccessibleName(QCoreApplication.translate("MainWindow", "Picture and side panel"))
    splitter.handle(1).setAccessibleName(QCoreApplication.translate("MainWindow", "Width of the side panel"))
    return splitter


class StatusLine:
    """The labels in the status bar: the preview quality, the video's format, and the device."""

    def __init__(self, bar: QStatusBar) -> None:
        self.seen, self.facts, self.device = SeenQuality(), QLabel(), QLabel()
        bar.setAccessibleName(QCoreApplication.translate("MainWindow", "Status"))
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(SPACE, 0, SPACE, 0)
        for label in (self.seen, self.facts, self.device):
            label.setContentsMargins(2 * SPACE, 0, SPACE, 0)
            bar.addPermanentWidget(label)
