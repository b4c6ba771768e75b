"""The style gallery: tiles and blending."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QIcon,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QCheckBox,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.base.text import as_sentence
from framebrush.playback import events
from framebrush.styles.blends import blend_of
from framebrush.window.state.actions import Actions
from framebrush.window.styles.blend import Blend
from framebrush.window.styles.catalog import FINER, THUMBNAIL, Entry, origin, thumbnail, words_of
from framebrush.window.styles.chosen import LARGE, ChosenStyle
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import accept_copy, faint, shrink, signals_blocked, style_files, tool_button
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.section import Section
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

AROUND = QSize(SPACE, 3 * SPACE + 4)
"""Space of a tile besides its picture."""

SLOTS = 9  # the keys 1 to 9
LEAST_ROWS = 2.1
"""Minimum rows of tiles; partly visible ones show that there are more."""

AROUND_PX = 670
"""Height of the panel's other controls, with the sections of a first start open."""

POINTING_MS = 60
"""How long a tile is pointed at before the whole picture shows its style."""

TAKING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Tiles(QListWidget):
    """Grid of tiles. Hovering and arrow keys preview; a click, Space and Enter choose."""

    pointed = Signal(int)  # a row; -1 for none
    taken = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._browses = False  # with the keyboard
        self._under = -1  # the row that the pointer was moved to
        self.setMouseTracking(True)
        self.itemSelectionChanged.connect(self._take_selected)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Skip QListWidget's version, which would choose the first tile."""
        QAbstractScrollArea.focusInEvent(self, event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self._browses = False
        self.pointed.emit(-1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.scrollToItem(self.currentItem())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().leaveEvent(event)
        self._under = -1
        self.pointed.emit(self.currentRow() if self._browses else -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is Qt.MouseButton.LeftButton:
            row = self.indexAt(event.position().toPoint()).row()
            with signals_blocked(self):
                super().mousePressEvent(event)
            if row >= 0:
                self.taken.emit(row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        # QListWidget would change the choice while a button is held.
        if event.buttons() == Qt.MouseButton.NoButton:
            super().mouseMoveEvent(event)
            # Not by the signal `entered`: it also comes for tiles that scroll under a resting pointer.
            row = self.indexAt(event.position().toPoint()).row()
            if row != self._under:
                self._under = row
                self.pointed.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        row = self.currentRow()
        if event.key() in TAKING_KEYS:
            if row >= 0:
                self._browses = False
                self.taken.emit(row)
            return
        super().keyPressEvent(event)
        if self.currentRow() != row:
            self._browses = True
            self.pointed.emit(self.currentRow())

    def selectionCommand(  # noqa: N802 - Qt's name
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Keep the current style framed while the keyboard previews others."""
        if event is not None and event.type() == QEvent.Type.KeyPress:
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

    def mark(self, row: int) -> None:
        """Frame a tile, -1 for none, without moving the keyboard."""
        with signals_blocked(self):
            if self._browses:
                index = self.model().index(row, 0)
                self.selectionModel().select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            else:
                self.setCurrentRow(row)

    def _take_selected(self) -> None:
        for item in self.selectedItems():
            self.taken.emit(self.row(item))


class Gallery(QWidget):
    """Choice of a style and of a blend's weights."""

    chosen = Signal(str)
    tried = Signal(object)  # a style to preview; None: the current one again
    filled = Signal()  # with possibly different styles
    dropped = Signal(list)  # of paths: networks and pictures
    menu_asked = Signal(object, QPoint)  # the path of an own style; where on the screen

    def __init__(self, actions: Actions, section: Section, buttons: Sequence[QWidget] = ()) -> None:
        super().__init__(acceptDrops=True)
        self._pointed_at = -1
        self._pointing = Debounce(POINTING_MS, self._try, self)
        self._of_film: dict[str, QImage] = {}  # the film in each style, by name
        self.tiles = Tiles()
        self.tiles.setAccessibleName(self.tr("Styles"))
        self.tiles.setAccessibleDescription(
            self.tr("The arrow keys show a style on the picture; Enter or Space chooses it.")
        )
        self.tiles.setViewMode(QListView.ViewMode.IconMode)
        self.tiles.setMovement(QListView.Movement.Static)
        self.tiles.setResizeMode(QListView.ResizeMode.Adjust)
        self.tiles.setIconSize(THUMBNAIL)
        self.tiles.setGridSize(THUMBNAIL + AROUND)
        self.tiles.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tiles.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.tiles.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        shrink(self.tiles)
        self.tiles.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tiles.taken.connect(self._choose)
        self.tiles.pointed.connect(self._point)
        self.tiles.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tiles.customContextMenuRequested.connect(self._show_menu)
        self.finer = QCheckBox(self.tr("Finer, slower"))
        self.finer.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.finer.toggled.connect(self._refine)
        self.chosen_style = ChosenStyle()
        self._listed: list[Entry] = []  # bundled and own styles
        self._painted: list[Entry] = []  # styles of painted frames
        self._entries: list[Entry] = []  # every entry, shown or not
        self._panel_px = 0  # height of the panel around the gallery
        self._used: events.StyleInUse | None = None
        self.note = faint()
        self.note.hide()
        self.blend = Blend()
        self.blend.changed.connect(self._mark)
        self.blend.asked.connect(self.chosen)
        section.folds["blend"] = self.blend.button
        self.learning = QToolButton()
        self.learning.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.learning.hide()
        added = [tool_button(actions[name]) for name in ("new-style", "open-style")]
        parts, around = (self.learning, *buttons, *added), (TILE_MARGIN, 0, TILE_MARGIN, 0)
        self._title = section.title
        self._top = fill(QHBoxLayout(), self._title, None, *parts, around=around)
        rows = fill(QHBoxLayout(), self.finer, None, self.blend.button), self.note, self.blend, *section.rows
        below = fill(QVBoxLayout(), *rows, around=around, between=SPACE // 2)
        above = fill(QHBoxLayout(), self.chosen_style, around=around)
        fill(QVBoxLayout(section), above, self.tiles, below, around=0, between=SPACE // 2)
        fill(QVBoxLayout(self), self._top, section, around=0, between=SPACE // 2)

    def fill(self, entries: list[Entry]) -> None:
        """Show these styles; the current one stays marked."""
        self._listed = entries
        self._fill()

    def show_painted(self, tiles: Sequence[tuple[Entry, QImage]]) -> None:
        """Append styles of painted frames, with pictures until tiles are painted."""
        painted = [entry for entry, _ in tiles]
        if painted != self._painted:
            self._painted = painted
            self._fill()
        for entry, picture in tiles:
            if not picture.isNull() and entry.name not in self._of_film:
                self.show_of_film(entry.name, picture)

    def _fill(self) -> None:
        entries = self._entries = [*self._listed, *self._painted]
        self._of_film = {entry.name: self._of_film[entry.name] for entry in entries if entry.name in self._of_film}
        self._point(-1)
        with signals_blocked(self.tiles):
            self.tiles.clear()
            for slot, entry in enumerate(entries):
                item = QListWidgetItem(entry.title or self.tr("No style"))
                key = self.tr("Key {number}").format(number=slot) if slot <= SLOTS else ""
                item.setToolTip("\n".join(filter(None, (entry.hint, key))))
                item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
                self.tiles.addItem(item)
        self.draw()
        if self._used is not None:
            self.blend.follow_pictures(self._used, self._pictures)
        self._mark()
        self._grow()
        self.filled.emit()

    def draw(self) -> None:
        """Draw the tiles for their screen's pixel ratio."""
        for row in range(len(self._entries)):
            self._draw(row)
        self._show_large()

    def _draw(self, row: int) -> None:
        entry = self._entries[row]
        film = self._of_film.get(entry.name)
        pixmap = QPixmap.fromImage(thumbnail(entry, self.tiles.iconSize(), self.devicePixelRatioF(), film))
        icon = QIcon(pixmap)
        icon.addPixmap(pixmap, QIcon.Mode.Selected)  # otherwise Qt tints it
        self.tiles.item(row).setIcon(icon)

    def show_of_film(self, name: str, tile: QImage) -> None:
        """Show the film in a style on its tile."""
        if name in self.names:
            self._of_film[name] = tile
            self._draw(self.names.index(name))
            if {name, name + FINER} & self._large.keys():
                self._show_large()

    def of_film(self, name: str) -> QImage | None:
        """Return the film in a tile's style, if available."""
        return self._of_film.get(name)

    def tile_of(self, style: str) -> str:
        """Return the tile of a style or its finer version, or ""."""
        return next((entry.name for entry in self._entries if style in (entry.name, entry.finer)), "")

    def forget_film(self) -> None:
        """Show the styles' own thumbnails again."""
        if self._of_film:
            self._of_film.clear()
            self.draw()

    @property
    def names_in_sight_first(self) -> list[str]:
        """Names of the tiles, visible ones first."""
        sight, tiles = self.tiles.viewport().rect(), self.tiles
        hidden = [not sight.intersects(tiles.visualItemRect(tiles.item(row))) for row in range(tiles.count())]
        return [name for _, name in sorted(zip(hidden, self.names, strict=True), key=lambda pair: pair[0])]

    @property
    def names(self) -> list[str]:
        return [entry.name for entry in self._entries]

    def choose_slot(self, slot: int) -> None:
        """Choose the style of a number key; 0 for none."""
        if slot < self.tiles.count():
            self._choose(slot)

    def show_style(self, used: events.StyleInUse) -> None:
        """Mark the current style; show its notes and weights."""
        self._used = used
        notes = [as_sentence(QCoreApplication.translate("Player", note)) for note in used.notes]
        if used.card.frame_statistics:
            notes.append(self.tr("The preview uses statistics of each frame; an export can use those of each shot."))
        self.note.setText("\n".join(notes))
        self.note.setVisible(bool(notes))
        self.blend.show_style(used, self._pictures)
        self._mark()

    @property
    def _pictures(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self._entries if entry.blends)

    def show_chosen(self, style: str) -> None:
        """Mark a chosen style before it is in use."""
        self.blend.show_chosen(style)
        self._mark()

    def add(self, widget: QWidget) -> None:
        self._top.insertWidget(1, widget)
        self.setTabOrder(self._title, widget)

    def _mark(self) -> None:
        names = list(self.blend.weights) or ([self._used.name] if self._used else [])
        rows = [row for row, entry in enumerate(self._entries) if {entry.name, entry.finer} & set(names)]
        with signals_blocked(self.tiles, self.finer):
            self.tiles.mark(rows[0] if len(names) == 1 and rows else -1)
            has_finer = bool(rows) and all(self._entries[row].finer for row in rows)
            if has_finer:
                self.finer.setChecked(names[0] in {self._entries[row].finer for row in rows})
            self.finer.setEnabled(has_finer)
        self.blend.show_shares()
        self._show_large()

    @property
    def _large(self) -> dict[str, float]:
        return self.blend.weights or ({self._used.name: 1.0} if self._used is not None else {})

    def _show_large(self) -> None:
        names = self._large
        parts, titles, ratio = [], [], self.devicePixelRatioF()
        for name, weight in names.items():
            found = next((each for each in self._entries if name in (each.name, each.finer)), None)
            entry = found or Entry(name, words_of(name))
            parts.append((thumbnail(entry, LARGE, ratio, self._of_film.get(entry.name)), weight))
            titles.append(entry.title or self.tr("No style"))
        of_one = origin(next(iter(names))) if len(names) == 1 else ""
        words = of_one or (self.tr("Blend of {count} paintings").format(count=len(names)) if len(names) > 1 else "")
        self.chosen_style.show_style(" + ".join(titles), words, parts)

    def _refine(self, on: bool) -> None:
        parts = []
        for painting, weight in self.blend.weights.items():
            entry = next(entry for entry in self._entries if painting in (entry.name, entry.finer))
            parts.append((entry.finer if on else entry.name, weight))
        if parts:
            self.chosen.emit(blend_of(parts) if len(parts) > 1 else parts[0][0])

    def resizeEvent(self, _: object) -> None:  # noqa: N802 - Qt's name
        self._grow()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if style_files(event.mimeData()):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        files = style_files(event.mimeData())
        if files and accept_copy(event):
            self.dropped.emit(files)

    def _choose(self, row: int) -> None:
        self._pointing.stop()
        self.tiles.mark(row)
        self.chosen.emit(self._style_of(row))

    def _style_of(self, row: int) -> str:
        entry = self._entries[row]
        return entry.finer if self.finer.isChecked() and entry.finer else entry.name

    def _point(self, row: int) -> None:
        self._pointed_at = row
        self._pointing.start()

    def _try(self) -> None:
        if self._pointed_at < 0:
            self._mark()
            self.tried.emit(None)
        else:
            self.tried.emit(self._style_of(self._pointed_at))

    def _show_menu(self, where: QPoint) -> None:
        item = self.tiles.itemAt(where)
        entry = self._entries[self.tiles.row(item)] if item is not None else None
        if entry is not None and entry.own is not None:
            self.menu_asked.emit(entry.own.path, self.tiles.viewport().mapToGlobal(where))

    def fit(self, panel_px: int) -> None:
        """Set the height for a panel of this height."""
        self._panel_px = panel_px
        self._grow()

    def _grow(self) -> None:
        room = self.tiles.width() - self.tiles.verticalScrollBar().sizeHint().width() - 4
        grid = self.tiles.iconSize() + AROUND
        columns = max(1, room // grid.width())
        self.tiles.setGridSize(QSize(max(grid.width(), room // columns), grid.height()))
        # Of panel and tiles alone: neither an added style nor a section that opens below moves the controls.
        # The gap ends a row after the bundled styles; the user's own follow.
        height = self._panel_px - AROUND_PX
        bundled = sum(entry.own is None for entry in self._listed)
        if bundled:
            height = min(height, (-(-bundled // columns) + 1) * grid.height())
        self.tiles.setFixedHeight(max(height, round(LEAST_ROWS * grid.height())))
