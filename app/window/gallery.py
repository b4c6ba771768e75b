"""The style gallery: a tile for each style, and the blend of those in one file."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.playback import events
from framebrush.window.actions import Actions
from framebrush.window.controls import LabelledSlider, faint, heading, signals_blocked
from framebrush.window.numbers import percent
from framebrush.window.style_catalog import THUMBNAIL, Entry, thumbnail, title
from framebrush.window.theme import SPACE

NAME = Qt.ItemDataRole.UserRole
TILE = THUMBNAIL + QSize(SPACE, 3 * SPACE + 4)
SLOTS = 9  # the keys 1 to 9


class Gallery(QWidget):
    """Lets a person choose a style and the weights of its paintings."""

    chosen = Signal(str)
    mixed = Signal(tuple)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.sliders: list[LabelledSlider] = []
        self._paintings: tuple[str, ...] = ()
        self.tiles = QListWidget()
        self.tiles.setAccessibleName(self.tr("Styles"))
        self.tiles.setViewMode(QListView.ViewMode.IconMode)
        self.tiles.setMovement(QListView.Movement.Static)
        self.tiles.setResizeMode(QListView.ResizeMode.Adjust)
        self.tiles.setIconSize(THUMBNAIL)
        self.tiles.setGridSize(TILE)
        self.tiles.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tiles.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.tiles.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tiles.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        small = self.tiles.font()
        small.setPointSizeF(0.86 * small.pointSizeF())
        self.tiles.setFont(small)
        self.tiles.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tiles.currentItemChanged.connect(self._choose)
        self.finer = QCheckBox(self.tr("Finer and slower"))
        self.finer.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.finer.toggled.connect(lambda _: self._choose(self.tiles.currentItem()))
        self._entries: list[Entry] = []
        self._note = faint()
        self._note.hide()
        self.blend_button = QToolButton()
        self.blend_button.setText(self.tr("Blend paintings"))
        self.blend_button.setCheckable(True)
        self.blend_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.blend_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.blend_button.toggled.connect(self._show_blend)
        self.blend_box = QWidget()
        self._blend_layout = QVBoxLayout(self.blend_box)
        self._blend_layout.setContentsMargins(0, 0, 0, 0)
        self._blend_layout.setSpacing(0)
        self._show_blend(False)
        add = QToolButton()
        add.setDefaultAction(actions["open-style"])
        add.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        top = QHBoxLayout()
        top.addWidget(heading(self.tr("Style")))
        top.addStretch()
        top.addWidget(add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        layout.addLayout(top)
        layout.addWidget(self.tiles)
        layout.addWidget(self.finer)
        layout.addWidget(self._note)
        layout.addWidget(self.blend_button)
        layout.addWidget(self.blend_box)

    def fill(self, entries: list[Entry]) -> None:
        """Show these styles; the one in use stays marked."""
        current = self.tiles.currentItem()
        name = current.data(NAME) if current else None
        self._entries = entries
        with signals_blocked(self.tiles):
            self.tiles.clear()
            for slot, entry in enumerate(entries):
                item = QListWidgetItem(entry.title or self.tr("No style"))
                item.setData(NAME, entry.name)
                key = self.tr("Key {number}").format(number=slot) if slot <= SLOTS else ""
                item.setToolTip("\n".join(filter(None, (entry.hint, key))))
                item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
                self.tiles.addItem(item)
        self.draw()
        if name is not None:
            self.mark(name)
        self._grow()

    def draw(self) -> None:
        """Draw the tiles' pictures in pixels of the screen that they are on."""
        for row, entry in enumerate(self._entries):
            pixmap = QPixmap.fromImage(thumbnail(entry, self.devicePixelRatioF()))
            icon = QIcon(pixmap)
            icon.addPixmap(pixmap, QIcon.Mode.Selected)  # else Qt tints it
            self.tiles.item(row).setIcon(icon)

    @property
    def names(self) -> list[str]:
        """The names of the tiles, in order."""
        return [self.tiles.item(row).data(NAME) for row in range(self.tiles.count())]

    def choose_slot(self, slot: int) -> None:
        """Choose the style of a number key: 0 for none."""
        if slot < self.tiles.count():
            self.tiles.setCurrentRow(slot)

    def mark(self, name: str) -> None:
        """Mark a tile as the one in use, without choosing it."""
        row = next((row for row, entry in enumerate(self._entries) if name in (entry.name, entry.finer)), -1)
        with signals_blocked(self.tiles, self.finer):
            self.tiles.setCurrentRow(row)
            if row >= 0 and self._entries[row].finer:
                self.finer.setChecked(name == self._entries[row].finer)
            self.finer.setEnabled(row >= 0 and bool(self._entries[row].finer))

    def show_style(self, used: events.StyleInUse) -> None:
        """Mark the style in use; show its notes and the weights of its paintings."""
        self.mark(used.name)
        self._note.setText("\n".join(used.notes))
        self._note.setVisible(bool(used.notes))
        paintings = used.card.paintings if len(used.card.paintings) > 1 else ()
        if paintings != self._paintings:
            self._build_blend(paintings)
        weights = used.mix or (1.0, *(0.0,) * (len(paintings) - 1))
        for slider, weight in zip(self.sliders, weights, strict=False):
            slider.show_value(weight)

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._grow()

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            entry = self._entries[self.tiles.row(item)]
            self.chosen.emit(entry.finer if self.finer.isChecked() and entry.finer else entry.name)

    def _grow(self) -> None:
        """Fit the height to the tiles: the panel scrolls, not this box. Columns share the width."""
        room, grid = self.tiles.width() - 4, TILE
        columns = max(1, room // grid.width())
        rows = -(-max(1, self.tiles.count()) // columns)
        self.tiles.setGridSize(QSize(max(grid.width(), room // columns), grid.height()))
        self.tiles.setFixedHeight(rows * grid.height() + 6)

    def _build_blend(self, paintings: tuple[str, ...]) -> None:
        while (entry := self._blend_layout.takeAt(0)) is not None:
            widget = entry.widget()
            if widget is not None:
                widget.deleteLater()
        self._paintings = paintings
        self.sliders = []
        for painting in paintings:
            slider = LabelledSlider(title(painting), 0, 100, 0, per_unit=100, to_text=percent, inline=True)
            slider.moved.connect(self._mix)
            self.sliders.append(slider)
            self._blend_layout.addWidget(slider)
        self._show_blend(self.blend_button.isChecked())

    def _show_blend(self, on: bool) -> None:
        self.blend_button.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self.blend_button.setVisible(bool(self._paintings))
        self.blend_box.setVisible(on and bool(self._paintings))

    def _mix(self) -> None:
        weights = [slider.value for slider in self.sliders]
        total = sum(weights)
        if total > 0:
            self.mixed.emit(tuple(weight / total for weight in weights))
