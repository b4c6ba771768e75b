"""The video view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QNativeInterface,
    QPaintEngine,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QStackedLayout, QWidget

from framebrush.gpu.surface import NativeWindow, Viewport, WindowSystem
from framebrush.media.video import VideoInfo
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.composing import Composed, in_square_pixels, whole
from framebrush.window.picture.geometry import Place
from framebrush.window.picture.overlay import Overlay
from framebrush.window.start.invitation import Invitation
from framebrush.window.widgets.controls import accept_copy, application, local_files, style_files
from framebrush.window.widgets.theme import STAGE

STYLE_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
"""Holding either while dropping a picture makes it the style. The hint names Ctrl, which means "copy" on every system;
with Shift, some file managers only offer a move, which is refused."""

SYSTEMS: dict[str, WindowSystem] = {"windows": "windows", "xcb": "x11"}
"""Qt platforms with native windows that a GPU may present to."""

GRIP_PX = 10
"""How near the mouse must be to grab the divider."""


class PaintedPage(QWidget):
    """Draws the picture that the player's thread has already scaled.

    It is scaled here only until the picture for another viewport arrives.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.composed: Composed | None = None
        self.meanwhile: Composed | None = None  # shown instead
        self.unpainted: Composed | None = None  # shown until there is a picture
        self.place: Place | None = None
        self.pane: float | None = None  # the width of a half of the view, side by side
        self.split: float | None = None

    @property
    def image(self) -> QImage | None:
        """Current picture, if any."""
        return self.composed.image if self.composed is not None else None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(STAGE))
        shown = self.meanwhile or self.composed or self.unpainted
        if shown is None or self.place is None:
            return
        place = self.place
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, shown is not self.composed)
        if self.pane is None or shown.pair:
            shown.draw(painter, place)
        else:  # both halves show the former picture until the pair is there
            for _ in range(2):
                painter.setClipRect(QRectF(0, 0, self.pane, self.height()))
                shown.draw(painter, place)
                painter.translate(self.pane, 0)
        if self.split is not None:
            self._draw_divider(painter, place, self.split)

    def _draw_divider(self, painter: QPainter, place: Place, split: float) -> None:
        x1, y1, x2, y2 = place.divider(split)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF((x1 + x2) / 2, (y1 + y2) / 2)
        for colour, width in ((QColor(0, 0, 0, 110), 4.0), (QColor(255, 255, 255, 230), 1.5)):
            painter.setPen(QPen(colour, width))
            painter.drawLine(QPointF(x1, y1), QPointF(x2, y2))
        painter.setPen(QPen(QColor(0, 0, 0, 110), 1))
        painter.setBrush(QColor(255, 255, 255, 235))
        painter.drawEllipse(middle, 9, 9)
        painter.setPen(QPen(QColor(40, 40, 40), 1.5))
        along = QPointF(0, 3.5) if place.upright_divider else QPointF(3.5, 0)
        across = QPointF(2, 0) if place.upright_divider else QPointF(0, 2)
        painter.drawLine(middle - along - across, middle + along - across)
        painter.drawLine(middle - along + across, middle + along + across)


class NativePage(QWidget):
    """Native window with pixels drawn by the GPU."""

    exposed = Signal()
    """It has to be presented again, because it was resized, restored or uncovered."""

    def __init__(self) -> None:
        super().__init__()
        # Else Qt makes a native window of every widget beside one, the menu bar included, and the menus of these say
        # on stderr that their parent "must be a top level window".
        QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontCreateNativeWidgetSiblings)
        self.setAttribute(Qt.WidgetAttribute.WA_DontCreateNativeAncestors)
        self.setAttribute(Qt.WidgetAttribute.WA_NativeWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_PaintOnScreen)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)

    def paintEngine(self) -> QPaintEngine:  # noqa: N802 - Qt's name
        return None  # type: ignore[return-value]  # tells Qt not to paint here

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self.exposed.emit()


class VideoView(QFrame):
    """Shows one page: invitation, picture of the CPU, or swap chain.

    Not a QStackedWidget, which hides overlays from screen readers.
    """

    open_asked = Signal()
    dropped = Signal(list)  # of paths
    style_dropped = Signal(list)  # of paths
    style_offered = Signal()  # the dragged file could become the style
    resized = Signal(int, int)
    split_moved = Signal(float)
    double_clicked = Signal()
    pointer_moved = Signal()
    native_shown = Signal(bool)
    menu_asked = Signal(QPoint)  # on the screen

    def __init__(self, box: PictureBox) -> None:
        super().__init__()
        self.setObjectName("stage")
        self.setAcceptDrops(True)
        self.setMinimumSize(240, 112)
        self.setAccessibleName(self.tr("Video"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._box = box
        self._info: VideoInfo | None = None
        self._on_gpu = self._dragging = False
        self._instead: QWidget | None = None
        self.lines = 0  # of the picture that is shown, if it is not the source
        self.invitation = Invitation()
        self.painted = PaintedPage()
        self.native = NativePage() if QGuiApplication.platformName() in SYSTEMS else None
        self._pages = QStackedLayout(self)
        self.invitation.open_asked.connect(self.open_asked)
        for page in filter(None, (self.invitation, self.painted, self.native)):
            self._pages.addWidget(page)
            page.setMouseTracking(True)
            page.installEventFilter(self)
            page.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            page.customContextMenuRequested.connect(lambda at, page=page: self.menu_asked.emit(page.mapToGlobal(at)))
        if self.native is not None:
            self.native.exposed.connect(self.follow)
        box.fresh.connect(self._show_picture)

    @property
    def native_window(self) -> NativeWindow | None:
        """Window to which a GPU may present, if any."""
        if self.native is None:
            return None
        system, display = SYSTEMS[QGuiApplication.platformName()], 0
        if system == "x11":  # elsewhere Qt's module has no such class
            connection = application().nativeInterface()
            assert isinstance(connection, QNativeInterface.QX11Application)
            display = connection.display()
        return NativeWindow(system, int(self.native.winId()), display)

    def show_video(self, info: VideoInfo | None, picture: npt.NDArray[np.uint8] | None = None) -> None:
        """Show the page for a video, or the invitation.

        picture: (H, W, 4) RGBA in the file's orientation, shown until the first painted frame.
        """
        self._info = self._box.info = info
        self.lines = 0
        self.painted.composed = self.painted.meanwhile = self.painted.unpainted = None
        if info is not None and picture is not None:
            self.painted.unpainted = whole(in_square_pixels(picture, info))
        self.follow()  # show it again, as the first picture may have arrived before its page was ready
        self._choose_page()

    def add_page(self, page: QWidget) -> None:
        """Add a page for `show_instead`."""
        self._pages.addWidget(page)

    def show_instead(self, page: QWidget | None) -> None:
        """Show an added page; None for the film."""
        self._instead = page
        self._choose_page()

    def show_meanwhile(self, picture: Composed | None) -> None:
        """Show a picture while the player paints; None for the player's latest.

        Ignored with the divider, side by side or a loupe.
        """
        viewport = self._box.viewport
        is_alone = self.painted.split is None and not viewport.side_by_side and viewport.loupe is None
        self.painted.meanwhile = picture if is_alone else None
        self.painted.update()

    def present_on_gpu(self, on: bool) -> None:
        """Choose the swap chain or the picture box."""
        self._on_gpu = on
        self._choose_page()

    def set_split(self, split: float | None) -> None:
        self.painted.split = split
        self.painted.update()

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self.follow()

    def follow(self) -> None:
        """Report the size in physical pixels, so that a still frame is redrawn."""
        ratio = self.devicePixelRatioF()
        size = int(self.width() * ratio + 0.5), int(self.height() * ratio + 0.5)  # rounds halves up, as Qt does
        self._box.size_px = size
        self._place()
        self.resized.emit(*size)

    def eventFilter(self, page: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if page is self.invitation or not isinstance(event, QMouseEvent):
            return False
        where, left = event.position(), event.button() is Qt.MouseButton.LeftButton
        match event.type():
            case QEvent.Type.MouseMove:
                self.pointer_moved.emit()
                if self._dragging:
                    self._move_split(where)
                else:
                    self._show_cursor(self.near_divider(where))
            case QEvent.Type.MouseButtonPress if left:
                self._dragging = self.near_divider(where)
                return self._dragging
            case QEvent.Type.MouseButtonRelease if self._dragging:
                self._dragging = False
                return True
            case QEvent.Type.MouseButtonDblClick if left and not self.near_divider(where):
                self.double_clicked.emit()
        return False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if accept_copy(event) and style_files(event.mimeData()):
            self.style_offered.emit()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        if not accept_copy(event):
            return
        styles = style_files(event.mimeData())
        if styles and event.modifiers() & STYLE_KEYS:
            self.style_dropped.emit(styles)
        else:
            self.dropped.emit(local_files(event.mimeData()))

    def _choose_page(self) -> None:
        page: QWidget = self.painted
        if self._info is None:
            page = self.invitation
        elif self._instead is not None:
            page = self._instead
        elif self._on_gpu and self.native is not None:
            page = self.native
        if page is not self.page:
            self._pages.setCurrentWidget(page)  # the current page is above all other children
            for overlay in self.findChildren(Overlay, options=Qt.FindChildOption.FindDirectChildrenOnly):
                overlay.raise_()
        self.native_shown.emit(page is self.native)

    def _place(self) -> None:
        viewport = self._box.viewport
        self.painted.place = self.place_in(viewport)
        self.painted.pane = self._box.size_px[0] // 2 / self.devicePixelRatioF() if viewport.side_by_side else None
        self.painted.update()

    def place_in(self, viewport: Viewport) -> Place | None:
        """Return the picture's place in the view or its left half."""
        size = self._box.size_px
        if self._info is None or min(size) < 1:
            return None
        return Place.of(self._info, size, viewport, self.lines).scaled(1 / self.devicePixelRatioF())

    @property
    def whole(self) -> Place | None:
        """Place of the whole picture regardless of zoom, if any."""
        return self.place_in(Viewport()) if self._instead is None else None

    @property
    def is_enlarged(self) -> bool:
        """Whether dragging pans the picture."""
        return self._box.viewport.zoom is not None

    @property
    def page(self) -> QWidget:
        page = self._pages.currentWidget()
        assert page is not None
        return page

    @property
    def pages(self) -> tuple[QWidget, ...]:
        """Pages that show a picture."""
        return tuple(filter(None, (self.painted, self.native)))

    def show_lines(self, lines: int) -> None:
        self.lines = lines
        self._place()

    def set_viewport(self, viewport: Viewport) -> None:
        self._box.viewport = viewport
        self._place()

    def _show_picture(self) -> None:
        composed = self._box.latest()
        if composed is not None:
            self.painted.composed, self.painted.unpainted = composed, None
            self.painted.update()

    def near_divider(self, where: QPointF) -> bool:
        """Return whether the mouse can grab the divider."""
        place, split = self.painted.place, self.painted.split
        if split is None or place is None:
            return False
        x1, y1, x2, y2 = place.divider(split)
        if place.upright_divider:
            return abs(where.x() - x1) <= GRIP_PX and y1 <= where.y() <= y2
        return abs(where.y() - y1) <= GRIP_PX and x1 <= where.x() <= x2

    def _move_split(self, where: QPointF) -> None:
        if self.painted.place is not None:
            self.split_moved.emit(self.painted.place.split_at(where.x(), where.y()))

    def _show_cursor(self, near: bool) -> None:
        if not near or self.painted.place is None:
            self.unsetCursor()
            return
        upright = self.painted.place.upright_divider
        self.setCursor(Qt.CursorShape.SplitHCursor if upright else Qt.CursorShape.SplitVCursor)
