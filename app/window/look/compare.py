"""Two to four looks on one frame, side by side."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from framebrush.base.worker_thread import EndingWorkers
from framebrush.jobs.recipe import Recipe
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.playback import events
from framebrush.styles.specs import SizeSpec
from framebrush.window.look.saved import Looks
from framebrush.window.picture.view import VideoView
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.styles.tile_painter import Painting, TilePainter
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import signals_blocked, unseen_name
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.theme import SPACE, STAGE

MOST = 4
MOST_LINES = 720
"""Maximum picture size: the CPU paints them, one second each."""

REST_MS = 150
"""How long the frame and the size must be unchanged before the looks are painted."""

NAME_LETTERS = 12


class Pane(QAbstractButton):
    """Frame in one look, which a click chooses."""

    def __init__(self) -> None:
        super().__init__()
        self.image = QImage()
        self.look: Recipe | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(10 * SPACE, 6 * SPACE)

    def show_image(self, image: QImage, words: str) -> None:
        """Show a picture, or words if it is null."""
        self.image = image
        self.setText(words)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(STAGE))
        if self.image.isNull():
            painter.setPen(QColor("#c9cacc"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.text())
        else:
            size = self.image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2, *size.toTuple())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self.image)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(self.palette().highlight().color(), 4))
            painter.drawRect(self.rect())


class ComparePage(QWidget):
    """Grid of panes, each with its look's name."""

    taken = Signal(int)  # a pane
    chosen = Signal(int)  # another look for a pane
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Compare looks"))
        self.panes = [Pane() for _ in range(MOST)]
        self.names = [QComboBox() for _ in range(MOST - 1)]  # of saved looks; the first pane shows the current look
        self._in_use = QLabel(self.tr("In use"), alignment=Qt.AlignmentFlag.AlignCenter)
        self._in_use.setStyleSheet("color: #c9cacc;")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        self._grid.setSpacing(SPACE)
        self._cells: list[QWidget] = []
        for number, (pane, name) in enumerate(zip(self.panes, [self._in_use, *self.names], strict=True)):
            cell = QWidget(self)
            column = fill(QVBoxLayout(cell), pane, name, around=0, between=SPACE // 2, grows=pane)
            column.setAlignment(name, Qt.AlignmentFlag.AlignHCenter)
            self._cells.append(cell)
            pane.clicked.connect(lambda _, number=number: self.taken.emit(number))
            if isinstance(name, QComboBox):
                name.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                name.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
                name.setMinimumContentsLength(NAME_LETTERS)
                unseen_name(name, cell, self.tr("Saved look"))
                name.activated.connect(lambda _, number=number: self.chosen.emit(number))
        self.count = 0
        self._shape = 1.0

    def arrange(self, count: int, shape: float) -> None:
        """Show `count` panes as large as possible. shape: width / height."""
        self.count, self._shape = count, shape
        name_height = self.names[0].sizeHint().height()
        self._in_use.setFixedHeight(name_height)
        room, around = self.size(), SPACE + name_height

        def width_of(columns: int) -> float:
            rows = -(-count // columns)
            return min(room.width() / columns, shape * max(1.0, room.height() / rows - around))

        columns = max(range(1, count + 1), key=width_of)
        for number, cell in enumerate(self._cells):
            self._grid.removeWidget(cell)
            cell.setVisible(number < count)
            if number < count:
                self._grid.addWidget(cell, number // columns, number % columns)
        for index in range(MOST):
            self._grid.setRowStretch(index, int(index < -(-count // columns)))
            self._grid.setColumnStretch(index, int(index < columns))

    def resizeEvent(self, _: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        if self.count:
            self.arrange(self.count, self._shape)
            self.resized.emit()


class Comparison(QObject):
    """Shows the page while the action is checked and playback paused."""

    turned = Signal(bool)
    _came = Signal(object, object, QImage)

    def __init__(self, view: VideoView, actions: Actions, session: Session, looks: Looks) -> None:
        super().__init__(view)
        self._view, self._session, self._looks = view, session, looks
        self._action = actions["compare-looks"]
        self.page = ComparePage()
        view.add_page(self.page)
        self._painter: TilePainter | None = None
        self._ending = EndingWorkers()
        self._painting: Painting | None = None  # the latest request
        self._compared: list[str] = []  # names of the looks compared last time
        self._rest = Debounce(REST_MS, self._ask, self)
        self._came.connect(self._take_tile)
        self._action.toggled.connect(self._turn)
        self.page.taken.connect(self._take)
        self.page.chosen.connect(self._choose)
        self.page.resized.connect(self._rest.start)
        session.changed.connect(self._touch)
        session.loaded.connect(self._touch)
        session.film_changed.connect(lambda _: self.leave())
        session.events.on(events.Shown, lambda _: self._touch())
        session.events.on(events.Playing, lambda playing: self.leave() if playing.on else None)

    @property
    def is_on(self) -> bool:
        return self._painter is not None

    def leave(self) -> None:
        """Show the film again."""
        self._action.setChecked(False)

    def _touch(self) -> None:
        if self.is_on:
            self._rest.start()

    def close(self, *, wait: bool = False) -> None:
        """Stop. wait: for the picture in work."""
        self._rest.stop()
        self._ending.end(self._painter, wait=wait)
        self._painter = None

    def _turn(self, on: bool) -> None:
        if self.is_on:
            self._compared = [box.currentText() for box in self.page.names[: self.page.count - 1]]
        self.close()
        saved = list(self._looks.saved) if on else []
        opened = self._session.opened
        if on and (opened is None or not saved):
            text = self.tr("There is nothing to compare with: save a look first (Looks → Save this look…).")
            self._session.notified.emit(events.Notification(text))
            self.leave()
            return
        if on and opened is not None:
            self._session.player.play(False)
            self._painter = TilePainter(self._came.emit)
            for pane in self.page.panes:
                pane.look = None
                pane.show_image(QImage(), self.tr("Painting…"))
            self._fill_names(saved)
            self.page.arrange(min(MOST, 1 + len(saved)), opened.info.shape)
            self._rest.start()
        self._view.show_instead(self.page if on else None)
        (self.page.panes[0] if on else self._view).setFocus()
        self.turned.emit(on)

    def _fill_names(self, saved: list[str]) -> None:
        first = [name for name in self._compared if name in saved]
        first += [name for name in saved if name not in first]
        for box, name in zip(self.page.names, first, strict=False):
            with signals_blocked(box):
                box.clear()
                box.addItems(saved)
                box.setCurrentIndex(saved.index(name))

    def _look_of(self, number: int) -> Recipe | None:
        return self._looks.current() if number == 0 else self._looks.read(self.page.names[number - 1].currentText())

    def _choose(self, number: int) -> None:
        self.page.panes[number].show_image(QImage(), self.tr("Painting…"))
        self._ask()

    def _ask(self) -> None:
        if not self.is_on:
            return
        panes = self.page.panes[: self.page.count]
        for number, pane in enumerate(panes):
            pane.look = self._look_of(number)
            name = self.page.names[number - 1].currentText() if number else self.tr("In use")
            pane.setAccessibleName(self.tr("Use the look {name}").format(name=name))
            if pane.look is None:
                pane.show_image(QImage(), self.tr("This look cannot be painted."))
        looks = tuple(dict.fromkeys(pane.look for pane in panes if pane.look is not None))
        height = max(pane.height() for pane in panes) * self.page.devicePixelRatioF()
        sizes, lines = self._session.choice.sizes, min(MOST_LINES, max(1, round(height)))
        self._session.player.lend(partial(self._paint, looks, sizes, lines))

    def _paint(
        self, looks: tuple[Recipe, ...], sizes: SizeSpec, lines: int, frame: VideoFrame, info: VideoInfo
    ) -> None:
        painter = self._painter
        if painter is not None:
            self._painting = Painting(frame, info, looks, sizes, lines)
            painter.request(self._painting)

    def _take_tile(self, painting: Painting, look: Recipe, tile: QImage) -> None:
        if painting is self._painting and self.is_on:
            for pane in self.page.panes[: self.page.count]:
                if pane.look == look:
                    pane.show_image(tile, self.tr("This look cannot be painted."))

    def _take(self, number: int) -> None:
        look = self.page.panes[number].look
        self.leave()
        if number and look is not None:
            self._looks.apply(look)
