"""Layout of the main window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QSplitter, QStatusBar, QTabWidget, QVBoxLayout, QWidget

from framebrush.gpu.device import DeviceInfo
from framebrush.playback.events import DeviceInUse, Opened
from framebrush.window.look.look_panel import LookPanel
from framebrush.window.state.session import Session
from framebrush.window.state.window_settings import Settings
from framebrush.window.styles.gallery import Gallery
from framebrush.window.transport.bar import Transport
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Column, LabelledSlider, RowName, in_columns
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

PANEL_WIDTH, WIDEST_PANEL, HANDLE_PX = 336, 520, 5
FRAME_PX = (16, 48)
"""The most that a desktop's window frame and title bar take."""


def first_size(available: QSize) -> QSize:
    """Return a comfortable size that fits the screen."""
    return QSize(min(1280, available.width() - FRAME_PX[0]), min(800, available.height() - FRAME_PX[1]))


def first_corner(available: QRect) -> QPoint:
    """Return the centred position; systems might place the window off-screen."""
    size = first_size(available.size())
    rest = QPoint(available.width() - size.width() - FRAME_PX[0], available.height() - size.height() - FRAME_PX[1])
    return available.topLeft() + rest / 2


def restore(window: QMainWindow, columns: QSplitter, settings: Settings) -> None:
    """Restore place and columns."""
    if not window.restoreGeometry(settings.geometry):
        available = window.screen().availableGeometry()
        window.resize(first_size(available.size()))
        window.move(first_corner(available))
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowFullScreen)  # as it may be restored
    columns.restoreState(settings.columns)


class PanelColumn(Column):
    """Scrolls the controls, and reports their height to the gallery."""

    def __init__(self, controls: QWidget, gallery: Gallery) -> None:
        super().__init__(controls)
        self._gallery = gallery

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._gallery.fit(self.height())


def side_panel(gallery: Gallery, look: LookPanel, export_panel: QWidget, titles: tuple[str, str]) -> QTabWidget:
    """Create the side panel: inspector and exports."""
    controls, parts = QWidget(), (look.top, gallery, look)
    around = 2 * SPACE - TILE_MARGIN, SPACE, 2 * SPACE - TILE_MARGIN, SPACE
    fill(QVBoxLayout(controls), *parts, around=around, between=SPACE).addStretch(1)
    in_columns(controls.findChildren(LabelledSlider), controls.findChildren(RowName))
    side = QTabWidget(documentMode=True)
    side.setObjectName("panel")
    for part in (side, side.tabBar()):
        part.setAccessibleName(QCoreApplication.translate("MainWindow", "Side panel"))
    side.tabBar().setDrawBase(False)
    side.setMaximumWidth(WIDEST_PANEL)
    side.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for tab, title in zip((PanelColumn(controls, gallery), export_panel), titles, strict=True):
        side.addTab(tab, title)
    return side


class Middle(QWidget):
    """Picture above the transport. Sets the transport's height."""

    def __init__(self, transport: Transport) -> None:
        super().__init__()
        self._transport = transport

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._transport.fit(self.height())


def columns(view: QWidget, transport: Transport, side: QWidget, width: int) -> QSplitter:
    """Lay out picture, transport and side panel."""
    middle = Middle(transport)
    fill(QVBoxLayout(middle), view, transport, around=0, between=0, grows=view)
    splitter = QSplitter(childrenCollapsible=False)
    splitter.setHandleWidth(HANDLE_PX)  # a style sheet sets it to -1, and the panel would overlap the picture
    for index, part in enumerate((middle, side)):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, 1 - index)  # when the window grows, only the picture does
    splitter.setSizes([width, PANEL_WIDTH])
    splitter.setAccessibleName(QCoreApplication.translate("MainWindow", "Picture and side panel"))
    splitter.handle(1).setAccessibleName(QCoreApplication.translate("MainWindow", "Width of the side panel"))
    return splitter


class PreviewBadge(QLabel):
    """Label that tells a preview from an exported frame."""

    def show_state(self, session: Session, *, paints: bool) -> None:
        """Follow the current frame. paints: whether preview and export can differ."""
        sizes, exported = session.shown.sizes, session.shown.is_export
        # An export would be another one, and while another style is awaited, nothing can be said of it.
        is_former = session.awaits_style or (exported and not session.shown.is_up_to_date)
        if sizes is None or not paints or is_former:
            text = tip = ""
        elif exported:
            text = self.tr("As exported")
            tip = self.tr("Painted ahead: an export would encode exactly this frame.")
        elif sizes.reduced:
            width, height = sizes.sizes.working
            text = self.tr("Preview at {width} × {height}").format(width=width, height=height)
            tip = self.tr(
                "This computer cannot paint at full size during playback. Strokes are as wide as in an export, "
                "but finer detail is missing."
            )
        else:
            text = self.tr("Preview at full size")
            tip = self.tr("Painted at the size of an export, but not yet blended with the frames around it.")
        self.setText(text)
        self.setToolTip(tip)


class StatusLine(QObject):
    """Labels of the status bar: preview quality, video, device."""

    def __init__(
        self, bar: QStatusBar, session: Session, panel: LookPanel, title_of: Callable[[DeviceInfo], str]
    ) -> None:
        super().__init__(bar)
        self._session, self._panel, self._title_of = session, panel, title_of
        self.seen, self.facts, self.device = PreviewBadge(), QLabel(), QLabel()
        bar.setAccessibleName(QCoreApplication.translate("MainWindow", "Status"))
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(SPACE, 0, SPACE, 0)
        for label in (self.seen, self.facts, self.device):
            label.setContentsMargins(2 * SPACE, 0, SPACE, 0)
            bar.addPermanentWidget(label)
        for signal in (session.changed, session.loaded, session.shown.changed):
            signal.connect(self.show_quality)
        session.film_changed.connect(self._show_film)
        session.events.on(DeviceInUse, self._show_device)

    def show_quality(self) -> None:
        """Show whether a preview is on the screen."""
        self.seen.show_state(self._session, paints=self._panel.paints)

    def _show_film(self, opened: Opened | None) -> None:
        form, codec = (opened.info.format, opened.info.codec) if opened is not None else (None, "")
        self.facts.setText(f"{form.width} × {form.height}   {codec}" if form is not None else "")
        self.show_quality()

    def _show_device(self, used: DeviceInUse) -> None:
        self.device.setText(self._title_of(used.info))
        self.device.setToolTip(used.note)
