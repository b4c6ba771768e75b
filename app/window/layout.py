"""The layout of the main window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QSplitter, QStatusBar, QTabWidget, QVBoxLayout, QWidget

from framebrush.window.controls import Column, LabelledSlider, in_columns
from framebrush.window.theme import SPACE, TILE_MARGIN

PANEL_WIDTH, WIDEST_PANEL, HANDLE_PX = 336, 520, 5
FRAME_PX = (16, 48)
"""What a desktop's frame and title bar take at most."""


def first_size(available: QSize) -> QSize:
    """Of a window that was never opened before: comfortable, and with its frame within the screen."""
    return QSize(min(1280, available.width() - FRAME_PX[0]), min(800, available.height() - FRAME_PX[1]))


def first_corner(available: QRect) -> QPoint:
    """Of the frame of such a window: in the middle of the screen. Systems would put it where it hangs over the edge."""
    size = first_size(available.size())
    rest = QPoint(available.width() - size.width() - FRAME_PX[0], available.height() - size.height() - FRAME_PX[1])
    return available.topLeft() + rest / 2


class Controls(QWidget):
    """Asks for the least height that its parts can do with: the gallery among them scrolls by itself."""

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        layout = self.layout()
        return layout.totalMinimumHeightForWidth(width) if layout is not None else -1


def side_panel(parts: Sequence[QWidget], export_panel: QWidget, titles: tuple[str, str]) -> QTabWidget:
    """The tabs at the right: what makes the picture look as it does, and the exports. titles: of the tabs."""
    in_columns([slider for part in parts for slider in part.findChildren(LabelledSlider)])
    controls = Controls()
    column = QVBoxLayout(controls)
    column.setContentsMargins(2 * SPACE - TILE_MARGIN, 2 * SPACE, 2 * SPACE - TILE_MARGIN, 2 * SPACE)
    column.setSpacing(2 * SPACE)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    side = QTabWidget()
    side.setObjectName("panel")
    side.setDocumentMode(True)
    side.tabBar().setDrawBase(False)
    side.setMaximumWidth(WIDEST_PANEL)
    side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for tab, title in zip((Column(controls), export_panel), titles, strict=True):
        side.addTab(tab, title)
    return side


def columns(view: QWidget, transport: QWidget, side: QWidget, width: int) -> QSplitter:
    """The picture, with the transport below, and the side panel. width: of the window."""
    middle = QWidget()
    rows = QVBoxLayout(middle)
    rows.addWidget(view, 1)
    rows.addWidget(transport)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    splitter = QSplitter()
    splitter.setHandleWidth(HANDLE_PX)  # a style sheet's makes it -1, and the panel lies on the picture's edge
    splitter.setChildrenCollapsible(False)
    for index, part in enumerate((middle, side)):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, 1 - index)  # the picture gets what the window grows by
    splitter.setSizes([width, PANEL_WIDTH])
    return splitter


class StatusLine:
    """The labels in the status bar: the operation in progress, facts of the video, and the device."""

    def __init__(self, bar: QStatusBar) -> None:
        self.busy, self.facts, self.device = QLabel(), QLabel(), QLabel()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(SPACE, 0, SPACE, 0)
        bar.addWidget(self.busy, 1)
        for label in (self.facts, self.device):
            label.setContentsMargins(2 * SPACE, 0, SPACE, 0)
            bar.addPermanentWidget(label)
